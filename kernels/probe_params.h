/* The parameters of the probe kernel. */
#ifndef WEIR_PROBE_PARAMS_H
#define WEIR_PROBE_PARAMS_H

#include "weir/device.h"

/* Which accesses; each number is also the row of the benchmark in the paper's table. */
#define PROBE_VOLATILE 0
#define PROBE_ATOMIC 1
#define PROBE_PRIMED 2 /* volatile, after one atomic */

#define PROBE_UNROLL 8
#define PROBE_PITCH 64 /* words between one block's own word and the next: 256 bytes */

typedef struct probe_params {
	uint32_t kind;
	uint32_t own;    /* 1: each block uses its own word; 0: all use one */
	uint32_t writes; /* 1: writes; 0: reads */
	uint32_t rounds; /* PROBE_UNROLL accesses each */
	uint32_t zero;   /* always 0; compilers would optimize the addition of a constant 0 */
} probe_params;

#endif
