/* The parameters of the kernels that decode over ranks. */
#ifndef CREW_DECODE_PARAMS_H
#define CREW_DECODE_PARAMS_H

#include "real.h"
#include "weir/device.h"

/* Parts of a layer by launches: those of real/decode_parts.h, with a sum over the ranks after 2 and after 4. */
#define CREW_DECODE_PARTS 7
#define CREW_DECODE_SUM_MIDDLE 3
#define CREW_DECODE_SUM_LAST 6

/* Blocks that add up the ranks' sums, each in its own lane. */
#define CREW_DECODE_LANES 8

typedef struct crew_decode_params {
	weir_crew crew;
	real_params real; /* of the rank's own part of the model */
	uint32_t part;    /* crew_decode_once: the part, over all layers; after the last: nothing */
	uint32_t hasty;   /* 1: waits return at once; then the results must be wrong */
	uint64_t ns;      /* the deadline of each wait */
} crew_decode_params;

/* The data of a rank contain two vectors for each rank, after part 2 and after part 4: floats. */
#define CREW_DECODE_FLOATS(ranks, width) (2 * (ranks) * (width))

/* `words` has one word: 0, or the weir_status of the first failed wait. */

#endif
