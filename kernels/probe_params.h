/* The parameters of the probe kernel. */
#ifndef WEIR_PROBE_PARAMS_H
#define WEIR_PROBE_PARAMS_H

#include "weir/device.h"

/* Which accesses; each number is also the place of the benchmark's pair in the paper's table. */
#define PROBE_VOLATILE 0
#define PROBE_ATOMIC 1
#define PROBE_PRIMED 2 /* volatile, after one atomic */

#define PROBE_UNROLL 8
#define PROBE_PITCH 64 /* words from one block's own word to the next: 256 bytes */

typedef struct probe_params {
	uint32_t kind;
	uint32_t own;    /* 1: each block on a word of its own; 0: all on one */
	uint32_t writes; /* 1: writes; 0: reads */
	uint32_t rounds; /* PROBE_UNROLL accesses each */
	uint32_t zero;   /* 0; compilers change an addition of a constant 0 */
} probe_params;

#endif
