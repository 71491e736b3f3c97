/* A barrier of one team of each block, while the other warps of the block go on. */
#ifndef WEIR_BARRIER_TEAM_H
#define WEIR_BARRIER_TEAM_H

#include "weir/barrier/kinds.h"

#if WEIR_HAS_TEAMS

/* The same as weir_counter_barrier_of_, with a team instead of a block. */
WEIR_FN void weir_counter_team_of_(weir_barrier b, weir_team team, uint32_t bits)
{
	uint32_t thread = weir_hide_value(weir_team_rank(team));
	uint32_t rank = weir_hide_value(weir_barrier_rank(b));

	weir_team_sync(team); /* the team's writes precede each of its releases */
	if (weir_is_first(thread)) {
		uint32_t shard = rank & ((1u << bits) - 1);
		uint32_t step = weir_counter_step_(b, rank, bits);
		uint32_t found = weir_counter_signal_(b, shard, step, thread, bits);
		weir_counter_look_(b, shard, step, thread, bits, found);
	}
	weir_team_sync(team); /* extends the pollers' acquires to the team */
}

/** Waits for one team of each block. Every thread of these teams calls it, and none returns before
 * all have called it. The work of all these teams before the barrier happens before their work
 * after it; the work of other warps does not. Each block takes part with one team per phase, not
 * necessarily always the same team, or as a whole, with weir_barrier_wait. Teams of one block that
 * synchronize at the same time need a barrier each. The barrier is of the kind `counter` or
 * `central`; a handle of another kind, or with more shards than the team has threads for, ends the
 * launch. */
WEIR_FN void weir_barrier_team_wait(weir_barrier b, weir_team team)
{
	WEIR_CHECK_MEMBER_(b);
	if (!WEIR_LIKELY(
		(b.config.kind == WEIR_BARRIER_COUNTER || b.config.kind == WEIR_BARRIER_CENTRAL) &&
		weir_has_parts(team.threads, b.config.shape.bits)))
		weir_end_launch(WEIR_FAULT_BARRIER, b.config.kind);
	weir_counter_team_of_(b, team, weir_hide_value(b.config.shape.bits));
}

#endif

#endif
