/** @defgroup weir_team Teams
 *
 * A team is some of the threads of a block, which meet without the others.
 *
 * The operations with `team` in their name (weir_mutex_team_lock) are for all threads of a team
 * together. Thread 0 of the team waits for it; the other warps of the block go on. An operation
 * covers the work of the team's threads, and the work that they have synchronized with. It does
 * not cover what other warps of the block do. A warp that wants its work covered meets the team
 * first, at a weir_block_sync or in a larger team.
 *
 * A team is a value. With constants in the call it costs no register. Operations of teams leave
 * no notes for a diagnosis, those on events, queues and dispensers excepted. If the host aborts
 * a launch on CUDA while a named team waits, the team's threads do not end.
 *
 * Machines: those with WEIR_HAS_TEAMS, CUDA and the host. OpenCL and HIP lack them: their
 * barrier is for all threads of a block, and a warp that waits there may stop the others.
 *
 * @code
 * __global__ void pipeline(weir_queue work, weir_queue done)
 * {
 * 	weir_team mine = weir_team_warp(); // each warp for itself
 * 	unsigned item;
 * 	while (weir_queue_team_pop(work, &item, mine) == WEIR_OK)
 * 		weir_queue_team_push(done, run(item), mine);
 * }
 * @endcode
 */
#ifndef WEIR_MACHINE_H
#include "weir/machine.h" /* machine.h includes this file */
#endif

#ifndef WEIR_TEAM_H
#define WEIR_TEAM_H

#if WEIR_HAS_BLOCK_VALUE
/** The value that thread 0 passes. All threads of the block call it, after a weir_block_sync
 * that follows the last such call. It has a weir_block_sync in it. Where WEIR_HAS_BLOCK_VALUE. */
WEIR_FN uint32_t weir_block_value(uint32_t value)
{
	if (weir_thread_id() == 0)
		weir_plain_put_(0, value);
	weir_block_sync(); /* between the leader's write and the others' reads */
	return weir_plain_get_(0);
}
#endif

#if WEIR_HAS_TEAMS

/** A team, as the calling thread sees it. */
typedef struct weir_team {
	uint32_t id;      /**< WEIR_TEAM_BLOCK, a name, or WEIR_TEAM_WARP */
	uint32_t first;   /**< its first thread */
	uint32_t threads; /**< its threads, in a row */
} weir_team;

/** The id of the team of all threads. */
#define WEIR_TEAM_BLOCK 0
/** The most names of teams, from 1 on. */
#define WEIR_TEAM_NAMES 15
/** The id of the team of a warp. */
#define WEIR_TEAM_WARP 16

/** All threads of the block. */
WEIR_FN weir_team weir_team_block(void)
{
	weir_team team;
	team.id = WEIR_TEAM_BLOCK;
	team.first = 0;
	team.threads = weir_thread_count();
	return team;
}

/** The caller's warp. On CUDA it has all of its 32 threads. */
WEIR_FN weir_team weir_team_warp(void)
{
	weir_team team;
	uint32_t left;
	team.id = WEIR_TEAM_WARP;
	team.first = weir_thread_id() / WEIR_WARP_THREADS * WEIR_WARP_THREADS;
	left = weir_thread_count() - team.first;
	team.threads = left < WEIR_WARP_THREADS ? left : WEIR_WARP_THREADS;
	return team;
}

/** The threads from `first` on, which are whole warps; the caller is one of them. `id`, from 1
 * to WEIR_TEAM_NAMES, is the number of the hardware's barrier that they meet at. Two teams that
 * may meet at the same time have different ones. A bad name, or threads that are no whole warps
 * of the block, end the launch. */
WEIR_FN weir_team weir_team_named(uint32_t id, uint32_t first, uint32_t threads)
{
	weir_team team;
	team.id = id;
	team.first = first;
	team.threads = threads;
	if (!WEIR_LIKELY(id - 1 < WEIR_TEAM_NAMES && threads != 0 &&
	                 (first | threads) % WEIR_WARP_THREADS == 0 &&
	                 first + threads <= weir_thread_count()))
		weir_end_launch(WEIR_FAULT_TEAM, id);
	return team;
}

/** The caller's number in the team, from 0. */
WEIR_FN uint32_t weir_team_rank(weir_team team)
{
	return weir_thread_id() - team.first;
}

#ifndef WEIR_HAS_OWN_TEAM_SYNC
/** weir_block_sync for only the threads of a team. */
WEIR_FN void weir_team_sync(weir_team team)
{
	if (team.id == WEIR_TEAM_BLOCK)
		weir_block_sync();
	else if (team.id == WEIR_TEAM_WARP)
		weir_warp_sync_(team.first, team.threads);
	else
		weir_named_sync_(team.id, team.threads);
}
#endif

#if WEIR_HAS_BLOCK_VALUE
/** The value that thread 0 of the team passes, as weir_block_value with weir_team_sync. Where
 * WEIR_HAS_BLOCK_VALUE. */
WEIR_FN uint32_t weir_team_value(weir_team team, uint32_t value)
{
	uint32_t place = team.id == WEIR_TEAM_WARP ? WEIR_TEAM_WARP + team.first : team.id;

	if (weir_team_rank(team) == 0)
		weir_plain_put_(place, value);
	weir_team_sync(team); /* between the leader's write and the others' reads */
	return weir_plain_get_(place);
}
#endif

#endif

#endif
