/* The engine of the second level: ranks on links with a latency and a rate. Each rank is a fiber
 * that runs the code of the headers. A rank's words lie in its share, as in a real crew.
 *
 * A store or an addition into another rank's share waits for the port out of its sender, travels,
 * waits for the port into the other rank, and then takes effect. No rank waits for it. A rank that
 * reads a word of another rank ends the run: no code of a crew does that. Loads of a rank's own
 * share overlap, like those of a warp. The rank waits for them, `poll` in all, before it stores,
 * ends a wait, or polls again. After a poll that finds nothing new, the next one follows when a
 * signal has arrived. The same run gives exactly the same times. One run at a time in a thread. */
#ifndef WEIR_SIM_RANKS_RANK_ENGINE_H
#define WEIR_SIM_RANKS_RANK_ENGINE_H

#include <stddef.h>

#include "sim/machine.h"
#include "sim/sim.h"

typedef struct weir_ranks_run {
	const weir_sim_links *links;
	uint32_t ranks;
	weir_word *words;                             /* the shares, one after another, all zeros */
	size_t stride;                                /* words of each share */
	void (*entry)(void *argument, uint32_t rank); /* what every rank runs */
	void *argument;

	/* Results. */
	double ns;             /* when the last rank was done */
	uint64_t near_signals; /* over all ranks */
	uint64_t far_signals;
	uint32_t most_signals; /* the largest number that one rank sent */
} weir_ranks_run;

weir_status weir_ranks_engine_run(weir_ranks_run *run);

#endif
