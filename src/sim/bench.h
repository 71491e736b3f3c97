/* One benchmark of one kind on a simulated device. Every block performs the operation again and again,
 * with an empty critical section. Or it uses what has patterns in one of these. */
#ifndef WEIR_SIM_BENCH_H
#define WEIR_SIM_BENCH_H

#include "engine.h"
#include "memory.h"
#include "watch.h"

typedef struct weir_sim_case {
	enum weir_primitive primitive;
	uint32_t kind;
	uint32_t blocks;
	uint32_t threads;
	uint32_t initial; /* of a semaphore; or the pattern */
	weir_backoff backoff;
	uint32_t pitch; /* between the words of an object; 0: a cache line */
	int has_shape;  /* 0: a barrier has the shape that follows from its number of blocks */
	weir_shape shape;
	uint64_t seed;
	uint64_t accesses; /* how long it runs; the throughput is of the second half */
	weir_sim_watch watch;
} weir_sim_case;

typedef struct weir_sim_score {
	double per_second;
	uint64_t operations; /* behind that rate */
	/* Among the blocks, of mutexes and semaphores: Jain's index, and the share of the block
	 * that got least (1: an even one). 0: there was no operation. */
	double jain;
	double worst_share;
	weir_sim_part parts[WEIR_SIM_PARTS];
} weir_sim_score;

/* The work of a run, in the unit of the watch: about the nanoseconds that it takes. */
double weir_sim_bench_work(const weir_sim_case *c);

/* The row of a kind. Primitives without kinds have a row here, too: for the kind 0. */
const weir_kind *weir_sim_kind(enum weir_primitive primitive, uint32_t kind);

/* Posts that nobody waits for have no end on a simulated device. All others can be
 * simulated where one thread of each block uses the object. */
int weir_sim_has_pattern(uint32_t pattern);

weir_status weir_sim_bench(const weir_sim_memory *memory, const weir_sim_case *c,
                           weir_sim_score *score);

#endif
