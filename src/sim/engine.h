/* The event engine behind the simulator machine: a fiber for each simulated thread, and a queue of
 * the accesses that travel to memory, ordered by arrival time. One run at a time in a thread.
 *
 * A thread runs ahead in its own time until it needs a result: only an access can tell it about
 * other threads, so nothing is lost. The same run gives exactly the same times. */
#ifndef WEIR_SIM_ENGINE_H
#define WEIR_SIM_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#include "sim/memory.h"
#include "sim/sim.h"

/* The same for every device; doc/simulator.md gives the reasons. */
#define WEIR_SIM_WARP 32 /* threads whose accesses to a cache line are combined */
#define WEIR_SIM_LINE_BYTES 128
#define WEIR_SIM_ISSUE_NS 10.0 /* the instructions around an access */
#define WEIR_SIM_SYNC_NS 30.0  /* a block's sync */
#define WEIR_SIM_JITTER 0.3    /* the largest variation of the time to reach memory */

typedef struct weir_sim_run {
	const weir_sim_memory *memory;
	uint64_t seed;
	uint32_t blocks;
	uint32_t threads;       /* of a block */
	uint32_t alive_threads; /* simulated threads of block 0; other blocks have one */
	void *words;
	size_t word_bytes;
	void (*entry)(void *argument); /* what every thread runs */
	void *argument;
	uint64_t accesses; /* the run ends after this number */
	weir_sim_watch watch;
	double work; /* of one access, for the watch */

	/* Results, over the second half of the accesses: the first half warms up. */
	uint64_t operations; /* counted by threads */
	weir_sim_part parts[WEIR_SIM_PARTS];
	uint64_t *by_block; /* the operations of each block; NULL: not wanted */
	double ns;
} weir_sim_run;

weir_status weir_sim_engine_run(weir_sim_run *run);

/* An operation of the calling simulated thread is complete. */
void weir_sim_count(void);
/* A part of an operation is complete. It made the accesses since the thread's last call. */
void weir_sim_count_part(int part);

#endif
