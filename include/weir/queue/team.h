/* Queues for a team of threads, while the other warps of the block go on: one warp may load data
 * for another to work on. The functions with `block` in their name are for all threads of a
 * block. */
#ifndef WEIR_QUEUE_TEAM_H
#define WEIR_QUEUE_TEAM_H

#include "weir/queue/bounded.h"

#if WEIR_HAS_TEAMS && WEIR_HAS_BLOCK_VALUE

/** Pushes for a team. All threads of the team call it; thread 0 pushes its value once all of them
 * have called. All get the same result. */
WEIR_FN weir_status weir_queue_team_push(weir_queue q, uint32_t value, weir_team team WEIR_SITE_)
{
	uint32_t result = WEIR_OK;

	WEIR_NOTED_(if (weir_queue_team_refuses_(q, 1, 1, site)) return WEIR_ABORTED);
	weir_team_sync(team); /* the team's writes precede the leader's release */
	if (weir_team_rank(team) == 0)
		result = (uint32_t)weir_queue_push(q, value WEIR_AT_);
	return (weir_status)weir_team_value(team, result);
}

/** Pops for a team. All threads of the team call it, and all get the same item and the same
 * result. */
WEIR_FN weir_status weir_queue_team_pop(weir_queue q, uint32_t *value, weir_team team WEIR_SITE_)
{
	uint32_t result = WEIR_OK;
	uint32_t popped = 0;

	WEIR_NOTED_(if (weir_queue_team_refuses_(q, 1, 1, site)) return WEIR_ABORTED);
	weir_team_sync(team); /* all threads have read the previous value */
	if (weir_team_rank(team) == 0)
		result = (uint32_t)weir_queue_pop(q, &popped WEIR_AT_);
	result = weir_team_value(team, result);
	weir_team_sync(team);
	popped = weir_team_value(team, popped); /* its sync extends the leader's acquire */
	if (result == WEIR_OK)
		*value = popped;
	return (weir_status)result;
}

/** Pushes a batch. All threads of the team call it with the same `n`, at most the number of threads
 * in the team and at most the capacity. The first n threads push an item each, thread i the i-th
 * item, with one atomic in all. All get the same result. */
WEIR_FN weir_status weir_queue_team_push_n(weir_queue q, uint32_t n, const uint32_t *item,
                                           uint32_t words, weir_team team WEIR_SITE_)
{
	uint32_t at = 0;
	weir_status result = WEIR_OK;
	WEIR_NOTED_(weir_notes notes; weir_moving moving);

	WEIR_NOTED_(if (weir_queue_team_refuses_(q, n, words, site)) return WEIR_ABORTED);
	WEIR_NOTED_(notes = weir_queue_batch_(q, n, team, site));
	WEIR_NOTED_(moving = weir_note_moving_(notes, q, WEIR_OPERATION_PUSH, n));
	weir_queue_check_(q, words);
	if (n > weir_queue_capacity(q))
		weir_end_launch(WEIR_FAULT_BATCH, n);
	weir_team_sync(team); /* the team's writes precede each thread's release */
	if (weir_team_rank(team) == 0)
		at = weir_queue_take_(q, weir_queue_tail_(q), n);
	weir_queue_before_put_(q); /* while the atomic for the positions is in flight */
	at = weir_team_value(team, at);
	if ((at & WEIR_QUEUE_CLOSED) != 0)
		result = weir_team_rank(team) == 0 ? weir_queue_refuse_(weir_queue_tail_(q), n)
		                                   : WEIR_CLOSED;
	else if (weir_team_rank(team) < n)
		result = weir_queue_await_free_(q, at + weir_team_rank(team) * WEIR_QUEUE_STEP,
		                                item, words);
	WEIR_NOTED_(weir_note_pushed_(notes, result); weir_note_moved_(q, moving));
	return result;
}

/** Pops a batch. All threads of the team call it with the same `n`, as in weir_queue_team_push_n.
 * The first n threads get an item each, thread i the i-th item, with one atomic in all. It waits
 * for n items or until the queue is closed. Threads for which there is no item get WEIR_CLOSED. */
WEIR_FN weir_status weir_queue_team_pop_n(weir_queue q, uint32_t n, uint32_t *item, uint32_t words,
                                          weir_team team WEIR_SITE_)
{
	uint32_t at = 0;
	weir_status result = WEIR_OK;
	WEIR_NOTED_(weir_notes notes; weir_moving moving);

	WEIR_NOTED_(if (weir_queue_team_refuses_(q, n, words, site)) return WEIR_ABORTED);
	WEIR_NOTED_(notes = weir_queue_batch_(q, n, team, site));
	WEIR_NOTED_(moving = weir_note_moving_(notes, q, WEIR_OPERATION_POP, n));
	weir_queue_check_(q, words);
	if (n > weir_queue_capacity(q))
		weir_end_launch(WEIR_FAULT_BATCH, n);
	weir_team_sync(team); /* all threads have read the previous value */
	if (weir_team_rank(team) == 0)
		at = weir_queue_take_(q, weir_queue_head_(q), n);
	at = weir_team_value(team, at);
	if (weir_team_rank(team) < n)
		result = weir_queue_await_full_(q, at + weir_team_rank(team) * WEIR_QUEUE_STEP,
		                                item, words);
	weir_team_sync(team); /* extends each thread's acquire to the team */
	WEIR_NOTED_(weir_note_moved_(q, moving));
	return result;
}

/** Pops the available items. All threads of the team call it with the same `most`, and wait
 * for at least one item. The team gets up to `most` items of those in the queue, at most one for
 * each thread: thread i gets the i-th item. All threads get the number of items; 0 if the queue is
 * closed and empty. */
WEIR_FN uint32_t weir_queue_team_pop_some(weir_queue q, uint32_t most, uint32_t *item,
                                          uint32_t words, weir_team team WEIR_SITE_)
{
	uint32_t at = 0;
	uint32_t count = 0;
	WEIR_NOTED_(weir_notes notes; weir_moving moving);

	WEIR_NOTED_(if (weir_queue_team_refuses_(q, 1, words, site)) return 0);
	WEIR_NOTED_(notes = weir_queue_batch_(q, 1, team, site));
	WEIR_NOTED_(moving = weir_note_moving_(notes, q, WEIR_OPERATION_POP, 1));
	weir_queue_check_(q, words);
	most = most < team.threads ? most : team.threads;
	weir_team_sync(team); /* all threads have read the previous value */
	if (weir_team_rank(team) == 0 &&
	    weir_queue_begin_pop_some_(q, most, &at, &count) != WEIR_OK)
		count = 0;
	count = weir_team_value(team, count);
	weir_team_sync(team);
	at = weir_team_value(team, at);
	if (weir_team_rank(team) < count)
		weir_queue_await_full_(q, at + weir_team_rank(team) * WEIR_QUEUE_STEP, item, words);
	weir_team_sync(team); /* extends each thread's acquire to the team */
	WEIR_NOTED_(weir_note_moved_(q, moving));
	return count;
}

/** weir_queue_team_push for all threads of the block. */
WEIR_FN weir_status weir_queue_block_push(weir_queue q, uint32_t value WEIR_SITE_)
{
	return weir_queue_team_push(q, value, weir_team_block() WEIR_AT_);
}

/** weir_queue_team_pop for all threads of the block. */
WEIR_FN weir_status weir_queue_block_pop(weir_queue q, uint32_t *value WEIR_SITE_)
{
	return weir_queue_team_pop(q, value, weir_team_block() WEIR_AT_);
}

/** weir_queue_team_push_n for all threads of the block. */
WEIR_FN weir_status weir_queue_block_push_n(weir_queue q, uint32_t n, const uint32_t *item,
                                            uint32_t words WEIR_SITE_)
{
	return weir_queue_team_push_n(q, n, item, words, weir_team_block() WEIR_AT_);
}

/** weir_queue_team_pop_n for all threads of the block. */
WEIR_FN weir_status weir_queue_block_pop_n(weir_queue q, uint32_t n, uint32_t *item,
                                           uint32_t words WEIR_SITE_)
{
	return weir_queue_team_pop_n(q, n, item, words, weir_team_block() WEIR_AT_);
}

/** weir_queue_team_pop_some for all threads of the block. */
WEIR_FN uint32_t weir_queue_block_pop_some(weir_queue q, uint32_t most, uint32_t *item,
                                           uint32_t words WEIR_SITE_)
{
	return weir_queue_team_pop_some(q, most, item, words, weir_team_block() WEIR_AT_);
}

#endif

#endif
