/* The engine of the second level: ranks on links of a latency and a rate, each a fiber that runs the
 * text of the headers. A rank's words lie in its share, as in a real crew.
 *
 * A store or an addition into another rank's share waits for the port out of its sender, travels, waits
 * for the port into the other rank, and is then there. Nobody waits for it. A rank that reads a word of
 * another one ends the run: no text of a crew does. Loads of the own share overlap, as those of a warp
 * do. The rank waits for them, `poll` in all, before it stores, ends a wait, or looks again. A look that
 * finds nothing new is followed by the next one when something has come.
 * The same run gives the same times to the last digit. One run at a time in a thread. */
#ifndef WEIR_SIM_RANKS_RANK_ENGINE_H
#define WEIR_SIM_RANKS_RANK_ENGINE_H

#include <stddef.h>

#include "sim/machine.h"
#include "sim/sim.h"

typedef struct weir_ranks_run {
	const weir_sim_links *links;
	uint32_t ranks;
	weir_word *words; /* the shares, one behind the other, all zeros */
	size_t stride;    /* words of each */
	void (*entry)(void *argument, uint32_t rank); /* what every rank runs */
	void *argument;

	/* Results. */
	double ns;             /* when the last rank was through */
	uint64_t near_signals; /* of all ranks together */
	uint64_t far_signals;
	uint32_t most_signals; /* that one rank sent */
} weir_ranks_run;

weir_status weir_ranks_engine_run(weir_ranks_run *run);

#endif
