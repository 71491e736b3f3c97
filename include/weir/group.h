/* Groups of blocks: those of a grid that run together, or that the caller chose.
 *
 * Discovery is the protocol of Sorensen, Donaldson, Batty, Gopalakrishnan and Rakamaric (2016): a
 * poll under a fair lock, opened and closed. A block that has started stays until it ends, so those
 * that took part before the poll was closed all run, at once, and a barrier among them is safe in a
 * grid of any size. Two things differ from the paper: only the block that came first closes the
 * poll, and the others wait for that outside of the lock.
 *
 *   state   (lock, poll, members, asked, answer[block]); poll is how many have come, or CLOSED.
 *           Between launches (free, 0, 0, 0, any)
 *   join    under the lock, (p, m) -> (p+1, m) for p < count: the block is a member, its rank is p;
 *           else it is none
 *   close   by the member of rank 0, after its delay, under the lock: (p, 0) -> (CLOSED, p), and
 *           the group's barrier is started for p blocks
 *   ask     join; then rank 0 closes and other members wait until members != 0. The block's answer
 *           is (rank, members), or (any, 0). Then asked: a -> a+1; the last of the blocks that ask
 *           makes (poll, members, asked) = (0, 0, 0) again
 *
 * All threads of every block of the grid (of the first `first` blocks, if there are more) call
 * weir_group_discover, once in a launch; the next launch needs no reset. Every member waits only
 * for blocks that have started, so nobody waits in vain. Who queues at the lock when rank 0 comes
 * back to it gets in before it; who comes later is turned away. A lock and a wait for each block.
 * Wraps safely: as the ticket mutex does; the other numbers stay below 2^31.
 *
 * A member has read `members` from the closing release, so the barrier's first state comes before
 * its first arrival. All writes of poll and members are made under the lock but for the last ones,
 * (0, 0). The adds to asked are a chain of read-modify-writes that release and acquire, so the last
 * one comes after all others, and after what each block did before its own: the closing, and every
 * read of poll and members. That holds as well for a block that found the poll full, which has not
 * seen it closed. Discovery orders nothing else.
 */
#ifndef WEIR_GROUP_H
#define WEIR_GROUP_H

#include "weir/barrier/bounded.h"
#include "weir/mutex/ticket.h"

/* What a block is in a group. */
typedef struct weir_member {
	uint32_t is_member; /* 0: it must not come to the group's barriers */
	uint32_t rank;      /* from 0, dense */
	uint32_t count;     /* members of the group */
} weir_member;

/* The poll when nobody can join any more: above every number of members. */
#define WEIR_GROUP_CLOSED 0xffffffffu

WEIR_FN weir_mutex weir_group_lock_(weir_group g)
{
	weir_mutex m;
	m.words = g.words;
	m.config = g.config;
	m.config.id = 0;
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

/* Two words: its rank, and the members of its group or 0. */
WEIR_FN WEIR_GLOBAL weir_word *weir_group_answer_(weir_group g, uint32_t block)
{
	return &g.words[5 * g.config.pitch + 2 * block];
}

/* How many words come before the group's barrier. */
WEIR_FN uint32_t weir_group_poll_words(weir_config config)
{
	uint32_t words = 5 * config.pitch + 2 * config.first;
	return (words + WEIR_LINE_WORDS - 1) / WEIR_LINE_WORDS * WEIR_LINE_WORDS;
}

/* The barrier `b` as a member sees it: any barrier of at least as many blocks that nobody else
 * comes to. It may be made once, or anew for each wait. Unless its kind is `atomic`, it must be
 * reset before a group of another number of members uses it. */
WEIR_FN weir_barrier weir_group_barrier(weir_barrier b, weir_member me)
{
	b.config.first = weir_block_id() - me.rank;
	b.config.count = me.count;
	return b;
}

/* The group's own barrier, which needs no reset. */
WEIR_FN weir_barrier weir_group_own_barrier(weir_group g, weir_member me)
{
	weir_barrier b;
	b.words = g.words + weir_group_poll_words(g.config);
	b.config = g.config;
	b.config.id = 0;
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
	switch (b.config.kind) {
#define WEIR_ROW_(name, NAME, ...)                                                                 \
	case WEIR_BARRIER_##NAME:                                                                  \
		weir_##name##_barrier_start(b, 0);                                                 \
		break;
		WEIR_BARRIER_KINDS(WEIR_ROW_)
#undef WEIR_ROW_
	default:
		weir_end_launch(WEIR_FAULT_BARRIER, b.config.kind);
		break;
	}
	weir_bounded_barrier_start(b, b.config.kind);
}

/* A new poll; `past`: how often its lock was taken. All zeros for 0. */
WEIR_FN void weir_group_start(weir_group g, uint32_t past)
{
	weir_ticket_mutex_start(weir_group_lock_(g), past);
	/* Relaxed: before the launch that uses it, which orders them. */
	weir_store_rlx(weir_group_poll_(g), 0);
	weir_store_rlx(weir_group_members_(g), 0);
	weir_store_rlx(weir_group_asked_(g), 0);
}

/* Its rank; from g.config.count on: the block came too late, or the group is full. */
WEIR_FN uint32_t weir_group_join_(weir_group g)
{
	uint32_t rank;

	weir_ticket_lock(weir_group_lock_(g));
	/* Relaxed, both: under the lock. */
	rank = weir_load_rlx(weir_group_poll_(g));
	if (rank < g.config.count)
		weir_store_rlx(weir_group_poll_(g), rank + 1);
	weir_ticket_unlock(weir_group_lock_(g));
	return rank;
}

WEIR_FN uint32_t weir_group_close_(weir_group g)
{
	uint32_t count;

	for (uint32_t i = 0; i < g.config.stride; i++)
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
	/* Relaxed: our add to asked comes after all that the others did here, and the end of the launch
	 * comes before the next poll. */
	weir_store_rlx(weir_group_poll_(g), 0);
	weir_store_rlx(weir_group_members_(g), 0);
	weir_store_rlx(weir_group_asked_(g), 0);
}

/* By one thread of the block. */
WEIR_FN void weir_group_ask_(weir_group g)
{
	WEIR_GLOBAL weir_word *answer = weir_group_answer_(g, weir_block_id());
	uint32_t blocks = weir_block_count();
	uint32_t askers = blocks < g.config.first ? blocks : g.config.first;
	uint32_t rank = weir_group_join_(g);
	uint32_t count = 0;

	if (rank == 0)
		count = weir_group_close_(g);
	else if (rank < g.config.count)
		/* Pairs with the release in weir_group_close_. */
		count = weir_await_ge_acq(weir_group_members_(g), 1, g.config.backoff);
	/* Pairs with itself: the last one comes after what all others did. */
	if (weir_add_acq_rel(weir_group_asked_(g), 1) == askers - 1)
		weir_group_reopen_(g);
	/* Relaxed, both: for the threads of this block, after a block sync. */
	weir_store_rlx(&answer[0], rank);
	weir_store_rlx(&answer[1], count);
}

/* All threads of the block call it, and all get the same answer. Who is no member leaves, or
 * goes on without the group's barriers. */
WEIR_FN weir_member weir_group_discover(weir_group g)
{
	WEIR_GLOBAL weir_word *answer = weir_group_answer_(g, weir_block_id());
	weir_member me;

	me.is_member = 0;
	me.rank = 0;
	me.count = 0;
	if (weir_block_id() >= g.config.first)
		return me;
	if (weir_thread_id() == 0)
		weir_group_ask_(g);
	weir_block_sync(); /* the leader's answer, and what it has seen, come before what follows */
	/* Relaxed, both: a block sync lies between. */
	me.count = weir_load_rlx(&answer[1]);
	if (me.count == 0)
		return me;
	me.rank = weir_load_rlx(&answer[0]);
	me.is_member = 1;
	return me;
}

/* Groups that the caller chooses. All blocks of the grid must run at once, as for a barrier of
 * all of them; the groups may be as many as one likes, each with a barrier of its own. */

/* `count` blocks from `first` on. */
WEIR_FN weir_member weir_group_range(uint32_t first, uint32_t count)
{
	weir_member me;

	me.rank = weir_block_id() - first;
	me.is_member = me.rank < count;
	me.count = count;
	return me;
}

WEIR_FN uint32_t weir_group_bits_(uint32_t x)
{
	x -= (x >> 1) & 0x55555555u;
	x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
	return (((x + (x >> 4)) & 0x0f0f0f0fu) * 0x01010101u) >> 24;
}

/* One word of a mask, that of the blocks from `first` on. */
WEIR_FN void weir_group_count_(weir_member *me, uint32_t word, uint32_t first)
{
	uint32_t place = weir_block_id() - first;

	me->count += weir_group_bits_(word);
	if (place < 32) {
		me->is_member = word >> place & 1;
		me->rank += weir_group_bits_(word & ((1u << place) - 1));
	} else if (weir_block_id() > first) {
		me->rank += weir_group_bits_(word);
	}
}

/* The blocks whose bits are set: that of block i is i mod 32 of words[i / 32]. Every thread
 * reads all the words, which nobody may be writing. */
WEIR_FN weir_member weir_group_mask_words(WEIR_GLOBAL const uint32_t *words, uint32_t length)
{
	weir_member me;

	me.is_member = 0;
	me.rank = 0;
	me.count = 0;
	for (uint32_t i = 0; i < length; i++)
		weir_group_count_(&me, words[i], i * 32);
	return me;
}

/* The same for the first 64 blocks. */
WEIR_FN weir_member weir_group_mask(uint64_t mask)
{
	weir_member me;

	me.is_member = 0;
	me.rank = 0;
	me.count = 0;
	weir_group_count_(&me, (uint32_t)mask, 0);
	weir_group_count_(&me, (uint32_t)(mask >> 32), 32);
	return me;
}

#endif
