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
	/* What a block does before each barrier, in the kernels for that. Every thread stores this
	 * many words of its own. */
	uint32_t stores;
	/* Then the block works for a random time below this many ticks: cycles on CUDA, else
	 * nanoseconds. */
	uint32_t uneven;
	/* Events: blocks in a ring. Queues: the blocks that push, where the others pop. So for the
	 * buffer of conditions. Tasks: how many a layer has. Reader-writer locks: the writes among ten
	 * operations. */
	uint32_t ring;
	/* Queues: the threads of a block that use it. Others: 1. */
	uint32_t users;
	/* Events: the rounds that earlier launches made with the object; locks: the number of these
	 * launches. And the array by which all blocks are told that the last has come. Its words are second_at words
	 * after the first array's, on OpenCL by its offset. */
	uint32_t begin;
	uint32_t second_at;
	weir_event_array_config second;
	/* Conditions: the second one, in the place of that array, and the mutex, mutex_at words after
	 * the first one. */
	weir_condition_config second_condition;
	weir_mutex_config mutex;
	uint32_t mutex_at;
} bench_params;

/* The most operations between two looks at the clock. */
#define BENCH_STRIDE 32

/* data: BENCH_BLOCK_WORDS a block, then the words of the critical section. Those are params.work
 * words, for a semaphore as many for each block, for a barrier 2. The words that threads store
 * before a barrier start at BENCH_STORES, a multiple of a cache line. They hold the round. */
#define BENCH_DONE 0    /* operations that the block completed */
#define BENCH_BEGIN 1   /* when it began, in nanoseconds, the lower half first; 0: no clock */
#define BENCH_END 3     /* when it had ended, in the same form */
#define BENCH_MEETING 5 /* of the first block: a counter of the blocks that came */
#define BENCH_BLOCK_WORDS 6
#define BENCH_STORES(blocks)                                                                       \
	(((blocks)*BENCH_BLOCK_WORDS + 2 + WEIR_LINE_WORDS - 1) / WEIR_LINE_WORDS * WEIR_LINE_WORDS)

/* Events: two words for each block say whether it is over. Then each block has a word for each of its
 * threads, and after all blocks the same again. */
#define BENCH_HANDED(blocks)                                                                       \
	(((blocks) * (BENCH_BLOCK_WORDS + 2) + WEIR_LINE_WORDS - 1) / WEIR_LINE_WORDS *            \
	 WEIR_LINE_WORDS)

/* Queues: after as many words, which begin with the number of blocks whose pushes have ended, each user
 * of the queue has words of its own. */
#define BENCH_PUSHED 0 /* items, or how often it took some */
#define BENCH_POPPED 1 /* or items that it got */
#define BENCH_SUM 2    /* of what it popped, modulo 2^32 */
#define BENCH_USER_WORDS 3

/* Locks: after the words of the users, those of the critical section. */
#define BENCH_COUNT 0 /* writes, rounds or operations; or what was initialized */
#define BENCH_TWIN 1  /* writes, too, or the hash of the operations */
#define BENCH_OVER 2  /* the last launch whose writer has ended; or whether the time is over */
#define BENCH_CAME 3  /* blocks that came in this round */
#define BENCH_PUT 4   /* items */
#define BENCH_TAKEN 5
#define BENCH_ENDED 6 /* blocks whose puts have ended, in all launches */
#define BENCH_ITEM 32 /* the first item of the buffer */
#define BENCH_ITEMS 64
#define BENCH_SECTION_WORDS (BENCH_ITEM + BENCH_ITEMS)
#define BENCH_SECTION(blocks)                                                                      \
	((BENCH_HANDED(blocks) + (blocks)*BENCH_USER_WORDS + WEIR_LINE_WORDS - 1) /                \
	 WEIR_LINE_WORDS * WEIR_LINE_WORDS)
#define BENCH_MADE 0x2545f491u /* what a once initializes */

/* Where all blocks meet, a kind is used on the side that it is for: shards count those that come, and
 * copies tell all. */
#define BENCH_EVENT_IN(kind, parts) ((parts) == WEIR_PARTS_COPIES ? WEIR_EVENT_WORD : (kind))
#define BENCH_EVENT_OUT(kind, parts) ((parts) == WEIR_PARTS_SHARDS ? WEIR_EVENT_COPIES : (kind))

/* words: as many as a weir object takes; this many for a peer's (bench/peers). */
#define BENCH_PEER_WORDS (2 * WEIR_LINE_WORDS)

#endif
