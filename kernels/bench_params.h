/* The parameters of the benchmark kernels, and the layout of their results. */
#ifndef WEIR_BENCH_PARAMS_H
#define WEIR_BENCH_PARAMS_H

#include "weir/device.h"

typedef struct bench_params {
	weir_any_config config; /* of the object */
	uint32_t rounds;        /* operations of each block */
	uint32_t work;          /* words that a critical section reads and writes */
	/* A block stops after this long, if the machine has a clock; 0: never. */
	uint32_t limit_us;
	/* If the blocks of a launch start at different times, they meet before they begin. This is
	 * the number of arrivals after which all are there, over this launch and earlier ones; 0:
	 * they do not meet. */
	uint32_t meeting;
	/* What a block does before each barrier, in the kernels for that. Every thread stores this
	 * many words of its own. */
	uint32_t stores;
	/* Then the block works for a random time below this many ticks: cycles on CUDA, otherwise
	 * nanoseconds. */
	uint32_t uneven;
	/* Events: blocks in a ring. Queues and the buffer of conditions: the blocks that push, if
	 * the others pop. Tasks: the number in a layer. Reader-writer locks: the number of writes
	 * among ten operations. */
	uint32_t ring;
	/* Queues: the threads of a block that use it. Others: 1. */
	uint32_t users;
	/* Events: the rounds that earlier launches made with the object; locks: the number of these
	 * launches. `second` is the array that tells all blocks that the last has arrived. Its
	 * words are second_at words after the first array's, on OpenCL by its offset. */
	uint32_t begin;
	uint32_t second_at;
	weir_event_array_config second;
	/* Conditions: the second one, which replaces that array, and the mutex, mutex_at words
	 * after the first condition. */
	weir_condition_config second_condition;
	weir_mutex_config mutex;
	uint32_t mutex_at;
} bench_params;

/* The maximum number of operations between two looks at the clock. */
#define BENCH_STRIDE 32

/* data: BENCH_BLOCK_WORDS for each block, then the words of the critical section: params.work
 * words, for a semaphore that number for each block, for a barrier 2. The words that threads store
 * before a barrier start at BENCH_STORES, a multiple of a cache line, and hold the round. */
#define BENCH_DONE 0    /* operations that the block completed */
#define BENCH_BEGIN 1   /* when it began, in nanoseconds, the lower half first; 0: no clock */
#define BENCH_END 3     /* when it had ended, in the same form */
#define BENCH_MEETING 5 /* of the first block: counts the blocks that have arrived */
#define BENCH_BLOCK_WORDS 6
#define BENCH_STORES(blocks)                                                                       \
	(((blocks)*BENCH_BLOCK_WORDS + 2 + WEIR_LINE_WORDS - 1) / WEIR_LINE_WORDS * WEIR_LINE_WORDS)

/* Events: two words for each block say whether it is over. Then each block has a word for each of
 * its threads; after all blocks this is repeated. */
#define BENCH_HANDED(blocks)                                                                       \
	(((blocks) * (BENCH_BLOCK_WORDS + 2) + WEIR_LINE_WORDS - 1) / WEIR_LINE_WORDS *            \
	 WEIR_LINE_WORDS)

/* Queues: after the same number of words, which begin with the number of blocks whose pushes have
 * ended, each user of the queue has its own words. */
#define BENCH_PUSHED 0 /* items, or the number of takes */
#define BENCH_POPPED 1 /* or items that it got */
#define BENCH_SUM 2    /* of the items popped, modulo 2^32 */
#define BENCH_USER_WORDS 3

/* Locks: after the words of the users, those of the critical section. */
#define BENCH_COUNT 0 /* writes, rounds or operations; or the initialized value */
#define BENCH_TWIN 1  /* writes again, or the hash of the operations */
#define BENCH_OVER 2  /* the last launch whose writer has ended; or whether the time is over */
#define BENCH_CAME 3  /* blocks that have arrived in this round */
#define BENCH_PUT 4   /* items */
#define BENCH_TAKEN 5
#define BENCH_ENDED 6 /* blocks whose puts have ended, in all launches */
#define BENCH_ITEM 32 /* the first item of the buffer */
#define BENCH_ITEMS 64
#define BENCH_SECTION_WORDS (BENCH_ITEM + BENCH_ITEMS)
#define BENCH_SECTION(blocks)                                                                      \
	((BENCH_HANDED(blocks) + (blocks)*BENCH_USER_WORDS + WEIR_LINE_WORDS - 1) /                \
	 WEIR_LINE_WORDS * WEIR_LINE_WORDS)
#define BENCH_MADE 0x2545f491u /* the value that a once initializes */

/* Where all blocks meet, each kind is used on the side that it is made for: shards count the
 * arrivals, and copies tell all blocks. */
#define BENCH_EVENT_IN(kind, parts) ((parts) == WEIR_PARTS_COPIES ? WEIR_EVENT_WORD : (kind))
#define BENCH_EVENT_OUT(kind, parts) ((parts) == WEIR_PARTS_SHARDS ? WEIR_EVENT_COPIES : (kind))

/* words: enough for any weir object, and the number for a peer's (bench/peers). */
#define BENCH_PEER_WORDS (2 * WEIR_LINE_WORDS)

#endif
