/* The parameters of the kernels that decode over ranks. */
#ifndef CREW_DECODE_PARAMS_H
#define CREW_DECODE_PARAMS_H

#include "real.h"
#include "weir/device.h"

/* Parts of a layer by launches: those of real/decode_parts.h, with a sum over the ranks after 2 and after 4. */
#define CREW_DECODE_PARTS 7
#define CREW_DECODE_SUM_MIDDLE 3
#define CREW_DECODE_SUM_LAST 6

/* Blocks that add up the ranks' sums, each in a lane of its own. */
#define CREW_DECODE_LANES 8

typedef struct crew_decode_params {
	weir_crew crew;
	real_params real; /* of the rank's own part of the model */
	uint32_t
	    part; /* crew_decode_once: which one, from 0, of all layers; after the last: nothing */
	uint32_t hasty; /* 1: no wait waits; the results must then be wrong */
	uint64_t ns;    /* the deadline of each wait */
} crew_decode_params;

/* The data of a rank are two vectors for each rank, after part 2 and after part 4: floats. */
#define CREW_DECODE_FLOATS(ranks, width) (2 * (ranks) * (width))

/* `words` has one word: 0, or the weir_status of the first wait that failed. */

#endif
