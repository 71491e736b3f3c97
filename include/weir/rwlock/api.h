/** @defgroup weir_rwlock Reader-writer locks
 *
 * A reader-writer lock is held by one writer, or by any number of readers.
 *
 * The host makes one with weir_rwlock_create, or the kernel makes one in zeroed memory with
 * weir_rwlock_in. One thread locks and unlocks for its whole block; the functions with `block`
 * in their name are for all threads of a block together. Any number of blocks may call any
 * operation at the same time. A block that reads must not write before it has unlocked: it
 * would wait for itself.
 *
 * It is phase-fair: readers and writers take turns, so that neither starve, and writers are
 * first come, first served. Tries and waits with a deadline stay outside this order.
 *
 * Memory order: everything before an unlock happens before everything after a lock that follows
 * it. Readers among each other are not ordered.
 *
 * Machines: all. Deadlines need WEIR_HAS_DEADLINE.
 *
 * @code
 * __global__ void look_up(weir_rwlock l, struct table *t, const int *keys, int *found)
 * {
 * 	weir_rwlock_block_read_lock(l);
 * 	found[threadIdx.x] = find(t, keys[threadIdx.x]);
 * 	weir_rwlock_block_read_unlock(l);
 * }
 * @endcode
 */

/* The operations of a reader-writer lock, which is phase-fair (after Brandenburg and Anderson,
 * 2010).
 *
 *   state       (next, turn, end, marks) of writers, and for each count of readers (in, out). The low
 *               two bits of `in` are a mark: 0, or that of the writers that shut readers out. The low
 *               bit of `turn` tells whether a batch goes on, and the other bits are a ticket
 *   read        in += 4; if it had a mark, waits until the mark is another one or none
 *   unlock      out += 4
 *   write       takes ticket `next` and waits for its turn. If no batch goes on, it begins one: sets a
 *               mark in every `in`, then waits until all `out` add up to what those `in` were, and sets
 *               `end` to `next`
 *   unlock      if the next ticket is `end`, takes the mark out of every `in`; then passes the turn to
 *               the next ticket
 *
 * A batch is the writers that have a ticket when its first one enters. They follow each other
 * as in a ticket mutex. A reader that finds a batch waits for that one batch and no other: the
 * next one waits for the reader. So readers and writers never starve, each batch has at most
 * one writer for each thread, and writers are first come, first served. Batches have marks 1
 * and 2 in turn, so that a reader sees the next one. Tries and waits with a deadline stay
 * outside this order.
 *
 * A kind has one count (`fair`), or 2^bits of them (`spread`), each for the blocks of some
 * numbers. A read lock is one atomic; its unlock is another, whose result the reader does not wait for.
 * With more counts, fewer blocks share these words, and a writer visits them all: a thread one by one,
 * a block with a thread for each. It marks all before it waits, since readers go on entering a count
 * without a mark. A block that reads must not write before it has unlocked: it would wait for itself.
 * Wraps safely: all is compared for equality, tickets by their low 31 bits, and fewer than 2^29 blocks
 * read or wait to write. A try must not be overtaken by 2^30 reads between its load and its
 * compare-and-swap.
 *
 * All writes of `in` are read-modify-writes, and so are those of `out`. So a reader acquires
 * from all writers that took a mark out, and a writer from all readers that it waited for.
 */
#ifndef WEIR_RWLOCK_API_H
#define WEIR_RWLOCK_API_H

#include "weir/rwlock/kinds.h"
#ifdef WEIR_DIAGNOSE
#include "weir/diagnosis/rwlock.h"
#endif

#define WEIR_RWLOCK_READER 4u       /**< what a reader adds to a count */
#define WEIR_RWLOCK_MARK 3u         /**< the bits of a count that are the mark */
#define WEIR_RWLOCK_TRIED 3u        /**< the mark of a try, which does not wait for readers */
#define WEIR_RWLOCK_TOP 0x80000000u /**< the bit of a ticket that `turn` has no room for */

WEIR_FN WEIR_GLOBAL weir_word *weir_rwlock_next_(weir_rwlock l)
{
	return &l.words[0];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_rwlock_turn_(weir_rwlock l)
{
	return &l.words[l.config.pitch];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_rwlock_end_(weir_rwlock l)
{
	return &l.words[2 * l.config.pitch];
}

/* The mark of the last batch, times 4, and the mark that is in the counts. */
WEIR_FN WEIR_GLOBAL weir_word *weir_rwlock_marks_(weir_rwlock l)
{
	return &l.words[3 * l.config.pitch];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_rwlock_in_(weir_rwlock l, uint32_t count)
{
	return &l.words[(WEIR_RWLOCK_HEAD + 2 * count) * l.config.pitch];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_rwlock_out_(weir_rwlock l, uint32_t count)
{
	return &l.words[(WEIR_RWLOCK_HEAD + 2 * count + 1) * l.config.pitch];
}

/* The count of the caller's block. */
WEIR_FN uint32_t weir_rwlock_count_(weir_rwlock l)
{
	return weir_block_id() & ((1u << l.config.bits) - 1);
}

/* The turn of a ticket. */
WEIR_FN uint32_t weir_rwlock_turn_of_(uint32_t ticket, int goes_on)
{
	return ticket * 2 + (uint32_t)(goes_on != 0);
}

/** Sets the state of a free lock that was written `past` times, and read as often by each count;
 * all zeros for 0. One thread calls it, before the launch that uses the lock. */
WEIR_FN void weir_rwlock_start(weir_rwlock l, uint32_t past)
{
	/* Relaxed: the launch that uses it orders these stores. */
	weir_store_rlx(weir_rwlock_next_(l), past);
	weir_store_rlx(weir_rwlock_turn_(l), weir_rwlock_turn_of_(past, 0));
	weir_store_rlx(weir_rwlock_end_(l), past);
	weir_store_rlx(weir_rwlock_marks_(l), 0);
	for (uint32_t i = 0; i >> l.config.bits == 0; i++) {
		weir_store_rlx(weir_rwlock_in_(l, i), past * WEIR_RWLOCK_READER);
		weir_store_rlx(weir_rwlock_out_(l, i), past * WEIR_RWLOCK_READER);
	}
}

WEIR_FN void weir_rwlock_enter_(weir_rwlock l)
{
	WEIR_GLOBAL weir_word *in = weir_rwlock_in_(l, weir_rwlock_count_(l));
	/* Pairs with the release in weir_rwlock_pass_. */
	uint32_t mark = weir_add_acq(in, WEIR_RWLOCK_READER) & WEIR_RWLOCK_MARK;

	if (!WEIR_LIKELY(mark == 0)) {
		weir_wait wait = weir_wait_begin(l.config.backoff);

		while ((weir_poll(in) & WEIR_RWLOCK_MARK) == mark) {
			if (weir_wait_aborted(&wait))
				break;
			weir_wait_until_ne(&wait, in, WEIR_RWLOCK_MARK, mark);
			weir_wait_again(&wait);
		}
		weir_wait_end(&wait);
		weir_poll_acquire(); /* pairs as the add does */
	}
}

/** Waits until no writer holds the lock, and locks it for reading. One thread calls it for its
 * block. */
WEIR_FN void weir_rwlock_read_lock(weir_rwlock l WEIR_SITE_)
{
	WEIR_CHECK_ABORT_(l, WEIR_NO_RESULT_);
	WEIR_NOTED_(weir_doing doing = weir_note_rwlock_(l.words, l.config.id, 1, 0, site));
	weir_rwlock_enter_(l);
	WEIR_NOTED_(weir_note_end_(l.words, doing));
}

/** Gives the lock back after reading. A thread of the block that locked. */
WEIR_FN void weir_rwlock_read_unlock(weir_rwlock l WEIR_SITE_)
{
	WEIR_CHECK_ABORT_(l, WEIR_NO_RESULT_); /* another block may have it then */
	/* Pairs with the acquires of `out` by writers. */
	weir_red_add_rel(weir_rwlock_out_(l, weir_rwlock_count_(l)), WEIR_RWLOCK_READER);
	WEIR_NOTED_(weir_note_rwunlock_(l.words, l.config.id, WEIR_RWLOCK_READS, site));
}

/* Waits until no other writer is before the caller. Returns whether a batch goes on. */
WEIR_FN int weir_rwlock_take_turn_(weir_rwlock l)
{
	/* Relaxed: the ticket orders us among writers; the acquire below carries the data. */
	uint32_t mine = weir_rwlock_turn_of_(weir_add_rlx(weir_rwlock_next_(l), 1), 0);
	weir_wait wait = weir_wait_begin(l.config.backoff);
	uint32_t turn;

	while (!WEIR_LIKELY(((turn = weir_poll(weir_rwlock_turn_(l))) & ~1u) == mine)) {
		if (weir_wait_aborted(&wait))
			break;
		weir_wait_until_ge(&wait, weir_rwlock_turn_(l), mine);
		weir_wait_again(&wait);
	}
	weir_wait_end(&wait);
	weir_poll_acquire(); /* pairs with the release in weir_rwlock_pass_ */
	return (int)(turn & 1);
}

/* The mark of a batch that begins. */
WEIR_FN uint32_t weir_rwlock_new_mark_(weir_rwlock l)
{
	/* Relaxed, as all accesses of this word: the turn orders them. */
	return weir_load_rlx(weir_rwlock_marks_(l)) >> 2 == 1 ? 2 : 1;
}

/* Shuts readers out of every `step`th count from `first` on, then waits for those that are in.
 * No `out` passes what its `in` was at the mark, and fewer than 2^29 readers are in. So the
 * sums are equal only when each `out` has reached its `in` at the mark, and one register is
 * enough for all counts. */
WEIR_FN void weir_rwlock_shut_(weir_rwlock l, uint32_t first, uint32_t step, uint32_t mark)
{
	weir_wait wait;
	uint32_t due = 0;
	uint32_t left, i = first;

	if (first >> l.config.bits != 0)
		return; /* a thread without a count */
	WEIR_NO_UNROLL
	for (; i >> l.config.bits == 0; i += step)
		/* Relaxed: later readers wait for our release; the acquire below is for the
		 * others. */
		due += weir_add_rlx(weir_rwlock_in_(l, i), mark);
	wait = weir_wait_begin(l.config.backoff);
	for (;;) {
		left = due;
		WEIR_NO_UNROLL
		for (i = first; i >> l.config.bits == 0; i += step)
			left -= weir_poll(weir_rwlock_out_(l, i));
		if (WEIR_LIKELY(left == 0))
			break;
		if (weir_wait_aborted(&wait))
			break;
		weir_wait_again(&wait);
	}
	weir_wait_end(&wait);
	weir_poll_acquire(); /* pairs with the releases in weir_rwlock_read_unlock */
}

/* All readers are out. The batch ends before the ticket that the next writer takes. */
WEIR_FN void weir_rwlock_begin_(weir_rwlock l, uint32_t mark)
{
	/* Relaxed: at least our own ticket is in it. */
	weir_store_rlx(weir_rwlock_end_(l), weir_load_rlx(weir_rwlock_next_(l)));
	weir_store_rlx(weir_rwlock_marks_(l), mark * 4 + mark);
}

/** Waits until no other block holds the lock, and locks it for reading and writing. One thread
 * calls it for its block. */
WEIR_FN void weir_rwlock_write_lock(weir_rwlock l WEIR_SITE_)
{
	WEIR_CHECK_ABORT_(l, WEIR_NO_RESULT_);
	WEIR_NOTED_(weir_doing doing =
	                weir_note_rwlock_(l.words, l.config.id, WEIR_NOTE_WRITES, 0, site));
	if (!weir_rwlock_take_turn_(l)) {
		uint32_t mark = weir_rwlock_new_mark_(l);

		weir_rwlock_shut_(l, 0, 1, mark);
		weir_rwlock_begin_(l, mark);
	}
	WEIR_NOTED_(weir_note_end_(l.words, doing));
}

/* Lets readers in. */
WEIR_FN void weir_rwlock_open_(weir_rwlock l)
{
	/* Relaxed: our own, or that of a writer before us. */
	uint32_t mark = weir_load_rlx(weir_rwlock_marks_(l)) & WEIR_RWLOCK_MARK;

	/* Pairs with the acquires of `in` by readers. */
	weir_red_add_each_rel(weir_rwlock_in_(l, 0), 2 * l.config.pitch, l.config.bits, 0u - mark);
}

/* Passes the turn on. */
WEIR_FN void weir_rwlock_pass_(weir_rwlock l)
{
	/* Relaxed: no other thread writes these now. */
	uint32_t ticket = weir_load_rlx(weir_rwlock_turn_(l)) / 2 + 1;
	uint32_t end = weir_load_rlx(weir_rwlock_end_(l));

	weir_release_begin(); /* while these are loaded */
	if (((ticket ^ end) & ~WEIR_RWLOCK_TOP) != 0) {
		/* Pairs with the acquires of the turn. */
		weir_store_begun(weir_rwlock_turn_(l), weir_rwlock_turn_of_(ticket, 1));
	} else {
		weir_rwlock_open_(l);
		/* Pairs with the same acquires. It also orders the next mark after the one taken
		 * out. */
		weir_store_rel(weir_rwlock_turn_(l), weir_rwlock_turn_of_(ticket, 0));
	}
}

/** Gives the lock back after writing. A thread of the block that locked. */
WEIR_FN void weir_rwlock_write_unlock(weir_rwlock l WEIR_SITE_)
{
	WEIR_CHECK_ABORT_(l, WEIR_NO_RESULT_);
	weir_rwlock_pass_(l);
	WEIR_NOTED_(weir_note_rwunlock_(l.words, l.config.id, WEIR_RWLOCK_WRITES, site));
}

/** Turns the writer into a reader: the block continues to read, and other readers may enter. It
 * unlocks as a reader. */
WEIR_FN void weir_rwlock_downgrade(weir_rwlock l WEIR_SITE_)
{
	WEIR_CHECK_ABORT_(l, WEIR_NO_RESULT_);
	/* Relaxed: the writer that follows sees both by its turn, and then waits for this
	 * reader. */
	weir_store_rlx(weir_rwlock_end_(l), weir_load_rlx(weir_rwlock_turn_(l)) / 2 + 1);
	weir_red_add_rlx(weir_rwlock_in_(l, weir_rwlock_count_(l)), WEIR_RWLOCK_READER);
	weir_rwlock_pass_(l);
	WEIR_NOTED_(weir_note_rwunlock_(l.words, l.config.id, WEIR_RWLOCK_DOWNGRADES, site));
}

/** weir_rwlock_read_lock for a block. All threads of the block call it. */
WEIR_FN void weir_rwlock_block_read_lock(weir_rwlock l WEIR_SITE_)
{
	if (weir_thread_id() == 0)
		weir_rwlock_read_lock(l WEIR_AT_);
	weir_block_sync(); /* extends the leader's acquire to its block */
}

/** weir_rwlock_read_unlock for a block. All threads of the block call it; thread 0 unlocks when
 * all of them have. */
WEIR_FN void weir_rwlock_block_read_unlock(weir_rwlock l WEIR_SITE_)
{
	weir_block_sync(); /* the block's reads precede the leader's release */
	if (weir_thread_id() == 0)
		weir_rwlock_read_unlock(l WEIR_AT_);
}

/** weir_rwlock_write_lock for a block. All threads of the block call it, and divide the counts
 * of readers. */
WEIR_FN void weir_rwlock_block_write_lock(weir_rwlock l WEIR_SITE_)
{
	uint32_t turn, mark;
	WEIR_NOTED_(weir_doing doing = weir_note_rwlock_block_(l, 1u << l.config.bits, site));

	if (weir_thread_id() == 0)
		weir_rwlock_take_turn_(l);
	weir_block_sync(); /* extends the turn to the block */
	/* Relaxed: it is the block's. */
	turn = weir_load_rlx(weir_rwlock_turn_(l));
	mark = weir_rwlock_new_mark_(l);
	if ((turn & 1) == 0)
		weir_rwlock_shut_(l, weir_thread_id(), weir_thread_count(), mark);
	weir_block_sync(); /* extends each thread's acquires to all, which have read the words */
	if ((turn & 1) == 0 && weir_thread_id() == 0)
		weir_rwlock_begin_(l, mark);
	WEIR_NOTED_(weir_note_end_(l.words, doing));
}

/** weir_rwlock_write_unlock for a block. All threads of the block call it; thread 0 unlocks when
 * all of them have. */
WEIR_FN void weir_rwlock_block_write_unlock(weir_rwlock l WEIR_SITE_)
{
	weir_block_sync(); /* the block's writes precede the leader's release */
	if (weir_thread_id() == 0)
		weir_rwlock_write_unlock(l WEIR_AT_);
}

/** weir_rwlock_downgrade for a block. All threads of the block call it. */
WEIR_FN void weir_rwlock_block_downgrade(weir_rwlock l WEIR_SITE_)
{
	weir_block_sync(); /* the block's writes precede the leader's release */
	if (weir_thread_id() == 0)
		weir_rwlock_downgrade(l WEIR_AT_);
}

#endif
