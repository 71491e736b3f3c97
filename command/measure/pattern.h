/* The patterns in which primitives are measured, and the number of operations in a round. */
#ifndef WEIR_COMMAND_MEASURE_PATTERN_H
#define WEIR_COMMAND_MEASURE_PATTERN_H

#include <stdint.h>

#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

enum {
	WEIR_BY_WARP = 1,  /* the threads of a warp work together */
	WEIR_BY_BLOCK = 2, /* those of a block do */
	WEIR_APART = 4,    /* the first blocks do something other than the rest */
	WEIR_ONE_SIDED = 8 /* only one thread of a block uses the queue */
};

/* A row of the table of patterns. */
typedef struct weir_pattern_row {
	const char *kernel; /* "ring" for event_ring, event_ring_word and so on */
	const char *peer;   /* the same for the kernels of bench/peers */
	const char *title;
	/* Events: the blocks that hand over to one another; 0: all. Reader-writer locks: the number
	 * of writes among ten operations. */
	uint32_t ring;
	unsigned traits;
} weir_pattern_row;

/* NULL if it is not a pattern. weir_pattern_name returns its name. */
const weir_pattern_row *weir_pattern_find(uint32_t pattern);

/* Sets the pattern of a point if its primitive has patterns, otherwise the initial value: the way
 * in which points differ apart from kind and blocks (weir_sweep_initials). */
void weir_point_vary(weir_point *point, uint32_t value);

/* The value of bench_params.ring for the kernel. */
uint32_t weir_pattern_ring(const weir_point *point);

/* Queues: the threads of a block that use the queue; and the sides that only one thread uses, as in
 * weir_queue_options.single. */
uint32_t weir_queue_users(const weir_point *point, weir_machine machine);
uint32_t weir_queue_single(const weir_point *point, weir_machine machine);

/* Whether the machine has the pattern's kernels. */
int weir_pattern_runs(uint32_t pattern, weir_machine machine);
/* Whether the machine can run the point; 0 if blocks, threads or the kind do not suit the
 * pattern. */
int weir_point_fits(const weir_point *point, weir_machine machine);

/* The operations that count in a round of all blocks; 1 if all of them perform one together. */
uint64_t weir_round_operations(const weir_point *point, weir_machine machine);
/* The number of operations represented by `sum`, the total that all blocks completed. */
uint64_t weir_operations(const weir_point *point, uint64_t sum);

#endif
