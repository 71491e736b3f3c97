/* The parameters of the benchmark kernels, and the places of their results. */
#ifndef WEIR_BENCH_PARAMS_H
#define WEIR_BENCH_PARAMS_H

#include "weir/device.h"

typedef struct bench_params {
	weir_any_config config; /* of the object */
	uint32_t rounds;        /* operations of each block */
	uint32_t work;          /* words that a critical section reads and writes */
	/* A block stops after this long, where the machine has a clock; 0: never. */
	uint32_t limit_us;
	/* Where the blocks of a launch start at different moments, they meet before they begin.
	 * This is how many have come when all have, in this launch and those before; 0: they do not
	 * meet. */
	uint32_t meeting;
} bench_params;

/* data: BENCH_BLOCK_WORDS a block, then the words of the critical section. Those are params.work
 * words, for a semaphore as many for each block, for a barrier 2. */
#define BENCH_DONE 0    /* operations that the block completed */
#define BENCH_BEGIN 1   /* when it began, in nanoseconds, the lower half first; 0: no clock */
#define BENCH_END 3     /* when it had ended, in the same form */
#define BENCH_MEETING 5 /* of the first block: a counter of the blocks that came */
#define BENCH_BLOCK_WORDS 6

/* words: as many as a weir object takes; this many for a peer's (bench/peers). */
#define BENCH_PEER_WORDS (2 * WEIR_LINE_WORDS)

#endif
