/* What every kernel of api_kernels.h is told. */
#ifndef API_PARAMS_H
#define API_PARAMS_H

#include "weir/device.h"

typedef struct api_params {
	weir_config config;
	uint32_t rounds;
	uint32_t value;
} api_params;

#define API_CLUSTER_WORDS 4 /* that api_clusters writes for each block */

/* Values of api_semaphore: what a round does. */
#define API_WAIT 1
#define API_POST 2
#define API_LINGER 4 /* and pauses: for the whole value */

#endif
