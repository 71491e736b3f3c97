/* What the benchmark kernels are told, and where they leave what they measured. */
#ifndef WEIR_BENCH_PARAMS_H
#define WEIR_BENCH_PARAMS_H

#include "weir/device.h"

typedef struct bench_params {
	weir_config config;
	uint32_t rounds; /* operations of each block */
	uint32_t work;   /* words that a critical section reads and writes */
	/* A block stops after this long, where the machine has a clock; 0: never. */
	uint32_t limit_us;
} bench_params;

/* data: BENCH_BLOCK_WORDS a block, then the words of the critical section: params.work of them, for a
 * semaphore as many for each block, for a barrier 2. */
#define BENCH_DONE 0    /* operations that the block completed */
#define BENCH_TIME_NS 1 /* how long they took it, at most 2^32 - 1; 0: no clock */
#define BENCH_BLOCK_WORDS 2

/* words: of a weir object as many as it takes; of a peer's (bench/peers) this many. */
#define BENCH_PEER_WORDS (2 * WEIR_LINE_WORDS)

#endif
