/* Discovery: the blocks of a grid find out which of them run at the same time.
 *
 * Discovery is the protocol of Sorensen, Donaldson, Batty, Gopalakrishnan and Rakamaric (2016): a
 * poll under a fair lock, opened and closed. A block that has started keeps running until it ends.
 * So all blocks that joined before the poll was closed run at once, and a barrier among them is
 * safe in a grid of any size. Two things differ from the paper: only the first block closes the
 * poll, and the other members wait for that outside the lock.
 *
 *   state   (lock, poll, members, asked, answer[block]); poll is how many have joined, or CLOSED.
 *           Between launches (free, 0, 0, 0, any)
 *   join    under the lock, (p, m) -> (p+1, m) for p < most_members: the block is a member of rank
 *           p; otherwise it is not a member
 *   close   by the member of rank 0, after a delay, under the lock: (p, 0) -> (CLOSED, p), and the
 *           group's barrier is started for p blocks
 *   ask     join; then rank 0 closes and the other members wait until members != 0. The block's
 *           answer is (rank, members), or (any, 0). Then asked: a -> a+1; the last block to ask
 *           sets (poll, members, asked) = (0, 0, 0) again
 *
 * All threads of every block of the grid (of the first `askers` blocks, if the grid has more) call
 * weir_group_discover once per launch; the next launch needs no reset. A member waits only for
 * blocks that have started, so its wait ends. Blocks that are already queued when rank 0 takes the
 * lock again join; later ones are rejected. The cost is a lock and a wait for each block.
 * Wraps safely, as the ticket mutex does; all other counts stay below 2^31.
 *
 * A member reads `members` from the closing release, so the start of the barrier happens before the
 * member's first arrival. All writes of poll and members are made under the lock, except the final
 * (0, 0). The adds to asked form a chain of read-modify-writes that acquire and release. So the
 * last add happens after all the others, and after everything that each block did before its own
 * add: the closing, and every read of poll and members. That includes a block that found the poll
 * full and has not seen it closed. Discovery orders nothing else.
 */
#ifndef WEIR_GROUP_DISCOVERY_H
#define WEIR_GROUP_DISCOVERY_H

#include "weir/barrier/bounded.h"
#include "weir/group/chosen.h"
#include "weir/mutex/kinds.h"

/** The value of the poll once no block can join any more. It is above every number of members. */
#define WEIR_GROUP_CLOSED 0xffffffffu

WEIR_FN weir_mutex weir_group_lock_(weir_group g)
{
	weir_mutex m;
	m.words = g.words;
	m.config.kind = WEIR_MUTEX_TICKET;
	m.config.pitch = g.config.pitch;
	m.config.offset = 0;
	m.config.id = 0;
	m.config.backoff = g.config.backoff;
	m.config.slots = 0;
	m.config.cluster_slot = 0;
	m.config.unused = 0;
	m.config.unused_too = 0;
	return m;
}

WEIR_FN WEIR_GLOBAL weir_word *weir_group_poll_(weir_group g)
{
	return &g.words[2 * g.config.pitch];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_group_members_(weir_group g)
{
	return &g.words[3 * g.config.pitch];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_group_asked_(weir_group g)
{
	return &g.words[4 * g.config.pitch];
}

/* The answer of a block: its rank and the number of members, or 0 members for a block that is not
 * one. */
WEIR_FN WEIR_GLOBAL weir_word *weir_group_answer_(weir_group g, uint32_t block)
{
	return &g.words[5 * g.config.pitch + 2 * block];
}

/** The words before the group's barrier. */
WEIR_FN uint32_t weir_group_poll_words(weir_group_config config)
{
	uint32_t words = 5 * config.pitch + 2 * config.askers;
	return (words + WEIR_LINE_WORDS - 1) / WEIR_LINE_WORDS * WEIR_LINE_WORDS;
}

/** The configuration of the group's own barrier at its largest size. */
WEIR_FN weir_barrier_config weir_group_barrier_config(weir_group_config group)
{
	weir_barrier_config config;
	config.kind = group.kind;
	config.pitch = group.pitch;
	config.offset = 0;
	config.backoff = group.backoff;
	config.id = 0;
	config.blocks = group.most_members;
	config.first_block = 0;
	config.part_of_grid = 1;
	config.shape = group.shape;
	return config;
}

/** The group's own barrier, which needs no reset. */
WEIR_FN weir_barrier weir_group_own_barrier(weir_group g, weir_member me)
{
	weir_barrier b;
	b.words = g.words + weir_group_poll_words(g.config);
	b.config = weir_group_barrier_config(g.config);
	return weir_group_barrier(b, me);
}

WEIR_FN void weir_group_start_barrier_(weir_group g, uint32_t count)
{
	weir_member me;
	weir_barrier b;

	me.is_member = 1;
	me.rank = 0;
	me.count = count;
	b = weir_group_own_barrier(g, me);
	weir_barrier_start(b, 0);
	weir_bounded_barrier_start(b);
}

/** Starts a new poll whose lock was taken `past` times; for 0, all zeros. One thread calls it,
 * before the launch that uses the group. */
WEIR_FN void weir_group_start(weir_group g, uint32_t past)
{
	weir_ticket_mutex_start(weir_group_lock_(g), past);
	/* Relaxed: the launch that uses it orders these stores. */
	weir_store_rlx(weir_group_poll_(g), 0);
	weir_store_rlx(weir_group_members_(g), 0);
	weir_store_rlx(weir_group_asked_(g), 0);
}

/* Returns the rank. At g.config.most_members or above, the block was too late or the group is
 * full. */
WEIR_FN uint32_t weir_group_join_(weir_group g)
{
	uint32_t rank;

	weir_ticket_lock(weir_group_lock_(g));
	/* Relaxed, both: under the lock. */
	rank = weir_load_rlx(weir_group_poll_(g));
	if (rank < g.config.most_members)
		weir_store_rlx(weir_group_poll_(g), rank + 1);
	weir_ticket_unlock(weir_group_lock_(g));
	return rank;
}

WEIR_FN uint32_t weir_group_close_(weir_group g)
{
	uint32_t count;

	for (uint32_t i = 0; i < g.config.delay; i++)
		weir_pause(1);
	weir_ticket_lock(weir_group_lock_(g));
	/* Relaxed, both: under the lock. */
	count = weir_load_rlx(weir_group_poll_(g));
	weir_store_rlx(weir_group_poll_(g), WEIR_GROUP_CLOSED);
	weir_group_start_barrier_(g, count);
	/* Pairs with the acquire in weir_group_ask_. */
	weir_store_rel(weir_group_members_(g), count);
	weir_ticket_unlock(weir_group_lock_(g));
	return count;
}

WEIR_FN void weir_group_reopen_(weir_group g)
{
	/* Relaxed: our add to asked happens after all accesses of the other blocks here, and the
	 * end of the launch comes before the next poll. */
	weir_store_rlx(weir_group_poll_(g), 0);
	weir_store_rlx(weir_group_members_(g), 0);
	weir_store_rlx(weir_group_asked_(g), 0);
}

/* One thread of the block calls it. */
WEIR_FN void weir_group_ask_(weir_group g)
{
	WEIR_GLOBAL weir_word *answer = weir_group_answer_(g, weir_block_id());
	uint32_t blocks = weir_block_count();
	uint32_t askers = blocks < g.config.askers ? blocks : g.config.askers;
	uint32_t rank = weir_group_join_(g);
	uint32_t count = 0;

	if (rank == 0)
		count = weir_group_close_(g);
	else if (rank < g.config.most_members)
		/* Pairs with the release in weir_group_close_. */
		count = weir_await_ge_acq(weir_group_members_(g), 1, g.config.backoff);
	/* Pairs with the same add of the other blocks: the last add happens after everything that
	 * they did. */
	if (weir_add_acq_rel(weir_group_asked_(g), 1) == askers - 1)
		weir_group_reopen_(g);
	/* Relaxed, both: only threads of this block read them, after a block sync. */
	weir_store_rlx(&answer[0], rank);
	weir_store_rlx(&answer[1], count);
}

/** Finds out which blocks run at the same time: the members of the group. All threads of the block
 * call it once per launch, and all get the same answer. A block that is not a member ends, or goes
 * on without the group's barriers. The next launch needs no reset. */
WEIR_FN weir_member weir_group_discover(weir_group g)
{
	WEIR_GLOBAL weir_word *answer = weir_group_answer_(g, weir_block_id());
	weir_member me;

	me.is_member = 0;
	me.rank = 0;
	me.count = 0;
	if (weir_block_id() >= g.config.askers)
		return me;
	if (weir_thread_id() == 0)
		weir_group_ask_(g);
	weir_block_sync(); /* extends the leader's answer and its acquires to its block */
	/* Relaxed, both: a block sync separates the stores from these loads. */
	me.count = weir_load_rlx(&answer[1]);
	if (me.count == 0)
		return me;
	me.rank = weir_load_rlx(&answer[0]);
	me.is_member = 1;
	return me;
}

#endif
