/** @defgroup weir_crew Crews
 *
 * A crew is a set of ranks (GPUs or processes) whose running kernels synchronize with each other:
 * barriers over ranks, and the events and queues of other ranks.
 *
 * The host joins one with weir_crew_create and gets a handle from weir_crew_handle, or the kernel
 * makes one with weir_crew_in in zeroed memory that another library shares. All blocks of all ranks
 * meet at weir_crew_wait, and all of them must run at once. A lane (weir_crew_lane_wait) is a
 * barrier of one block of each rank, used by one block of a rank at a time. Every thread of a block
 * calls these operations; one thread signals and waits for events.
 *
 * Every wait ends with WEIR_ABORTED when any rank aborts the crew. The crew is then over: no rank
 * knows which ranks have passed. Ranks that continue make a new one. A crew is never reset: a launch
 * continues where the last one stopped, and so does the replay of a graph.
 *
 * Memory order: the work of every block before a barrier happens before the work of every block
 * after it, in the shares and in all other memory that both reach.
 *
 * Machines: the host, and GPUs whose kernels are compiled with WEIR_SYSTEM_SCOPE. Barriers need
 * WEIR_HAS_BLOCK_VALUE, deadlines WEIR_HAS_DEADLINE, queues WEIR_HAS_WORD64.
 *
 * @code
 * __global__ void train(weir_crew c, float *x)
 * {
 * 	for (int step = 0; step < steps; step++) {
 * 		exchange(c, x);
 * 		if (weir_crew_wait(c) != WEIR_OK)
 * 			return; // a rank has aborted the crew
 * 	}
 * }
 * @endcode
 */

/* The operations of a crew: barriers over ranks, in two levels, and the events and queues of others.
 *
 * Dissemination (Hensgen, Finkel and Manber, 1988) with `radix` in place of 2. With radix = ranks it
 * is one round, in which each rank signals every other one: flat.
 *
 *   state     of a lane of rank r: (passed, begun, slot[round][j]), j from 1 to radix - 1, all 0 at
 *             first; of a rank: (arrived, open[copy]), all 0 at first
 *   arrive    in a lane: e = passed + 1; begun = e; send round 0
 *   send i    slot[i][j] = e of rank r + j * radix^i, for each j with j * radix^i below `ranks`
 *   await     for each round i: until each slot[i][j] of the own share is at or past e; send i + 1.
 *             After the last round: passed = e
 *   all       the blocks of a rank add to `arrived`, which grows by 2^30 a phase. The last of them
 *             passes the lane after the last one, then sets each open[copy] to the new multiple of
 *             2^30. The others wait for their copy.
 *
 * A lane is for one block of each rank at a time. All blocks of all ranks call weir_crew_wait, and all
 * of them run at once. Ranks signal each other only by stores, and each slot has one writer: no atomic
 * crosses a link. In round i, rank r waits for rank r - j * radix^i, which has waited for others
 * before. After round i it has heard of the radix^(i+1) ranks before it, so after the last one of all.
 * A slot may hold e + 1 already: its writer has then passed e. It cannot hold e + 2, since this rank
 * has not arrived for e + 1. So comparing by signed difference is safe at the wrap at 2^32.
 * Never reset: a launch goes on where the last one stopped, and so does the replay of a graph.
 *
 * A barrier makes one atomic for each block, and ranks - 1 stores (flat), or (radix - 1) * rounds. Each
 * wait ends early when any rank aborts the crew, with WEIR_ABORTED. The crew is then unusable: no rank
 * knows which others have passed. Ranks that continue make a new crew.
 *
 * Ranks that only an engine reaches: each send follows a completion of what this rank has put, and each
 * wait ends with the engine's own look at what it found (weir/crew/engine.h).
 *
 * Kernels on GPUs are compiled with WEIR_SYSTEM_SCOPE.
 */
#ifndef WEIR_CREW_API_H
#define WEIR_CREW_API_H

#include "weir/crew/engine.h"
#include "weir/event/api.h"

/** What all arrivals of a rank in one phase of weir_crew_wait add up to. */
#define WEIR_CREW_PHASE 0x40000000u

/** What a block keeps between its arrival and the end of its wait. Its members are private. */
typedef struct weir_crew_token {
	uint32_t lane;     /**< the lane */
	uint32_t epoch;    /**< the phase that begins */
	uint32_t round;    /**< the round that it waits in */
	uint32_t distance; /**< radix^round */
	uint32_t all;      /**< weir_crew_wait: what `open` becomes */
	uint32_t
	    crosses; /**< 1: this block signals other ranks; 0: it waits for its rank's block that does */
} weir_crew_token;

/** The events of a rank, for the operations of weir/event. Only blocks of that rank use the rounds
 * of the array (weir_event_array_round). */
WEIR_FN weir_event_array weir_crew_events(weir_crew c, uint32_t rank)
{
	return weir_event_array_in(weir_crew_share(c, rank) + weir_crew_events_at_(c.config),
	                           c.config.events);
}

/** The event at `index` of a rank, for the operations of weir/event. Any rank may signal it. */
WEIR_FN weir_event weir_crew_event(weir_crew c, uint32_t rank, uint32_t index)
{
	return weir_event_at_(weir_crew_events(c, rank), index);
}

/** Adds `n` to an event of a rank, as weir_event_post, whether this rank reaches it or not. One
 * thread calls it. In a kernel with an engine all posts to events of crews are made this way: the
 * adds of an engine are atomic only among each other. */
WEIR_FN void weir_crew_event_post(weir_crew c, uint32_t rank, uint32_t index, uint32_t n)
{
#ifdef WEIR_CREW_ENGINE
	/* Pairs with the poll in weir_crew_event_reached_. */
	weir_engine_post(c, weir_crew_event(c, c.config.rank, index).words, rank, n);
#else
	weir_event_post_(weir_crew_event(c, rank, index), n);
#endif
}

#if WEIR_HAS_WORD64
/** The queue of a rank, for the operations of weir/queue. Any rank may push and pop. Where
 * WEIR_HAS_WORD64. */
WEIR_FN weir_queue weir_crew_queue(weir_crew c, uint32_t rank)
{
	return weir_queue_in(weir_crew_share(c, rank) + weir_crew_queue_at_(c.config),
	                     c.config.queue_bits);
}
#endif

/** Sets this rank's words to the state after `past` phases in every lane; all zeros for 0. One
 * thread calls it, before any launch that uses the crew. */
WEIR_FN void weir_crew_start(weir_crew c, uint32_t past)
{
	uint32_t slots = weir_crew_rounds(c.config) * (c.config.radix - 1);

	/* Relaxed: the launches that use them order these stores. */
	weir_store_rlx(c.words, 0);
	weir_store_rlx(weir_crew_arrived_(c), past * WEIR_CREW_PHASE);
	for (uint32_t copy = 0; copy >> c.config.bits == 0; copy++)
		weir_store_rlx(weir_crew_open_(c, copy), past * WEIR_CREW_PHASE);
	for (uint32_t lane = 0; lane < c.config.lanes + 1; lane++) {
		weir_store_rlx(weir_crew_passed_(c, c.words, lane), past);
		weir_store_rlx(weir_crew_begun_(c, c.words, lane), past);
		for (uint32_t slot = 0; slot < slots; slot++)
			weir_store_rlx(weir_crew_slot_(c, c.words, lane, slot), past);
	}
}

/** Aborts the crew: ends all waits of all ranks with WEIR_ABORTED, including later ones. One
 * thread calls it. */
WEIR_FN void weir_crew_abort(weir_crew c)
{
	WEIR_NO_UNROLL
	for (uint32_t rank = 0; rank < c.config.ranks; rank++)
		weir_crew_put_(c, rank, 1 + c.config.rank);
}

/** 0, or 1 + a rank that has aborted the crew. It orders nothing. */
WEIR_FN uint32_t weir_crew_aborted(weir_crew c)
{
	/* Relaxed: as the store in weir_crew_put_. */
	return weir_load_rlx(c.words);
}

/* The copy of `open` that the calling block polls. */
WEIR_FN WEIR_GLOBAL weir_word *weir_crew_own_open_(weir_crew c)
{
	return weir_crew_open_(c, weir_block_id() & ((1u << c.config.bits) - 1));
}

#ifdef WEIR_DIAGNOSE
#include "weir/diagnosis/crew.h"
#endif

#if WEIR_HAS_BLOCK_VALUE

/* Whether the round of the token has a partner j + 1 steps away. */
WEIR_FN int weir_crew_has_partner_(weir_crew c, const weir_crew_token *t, uint32_t j)
{
	return j < c.config.radix - 1 && (j + 1) * t->distance < c.config.ranks;
}

WEIR_FN uint32_t weir_crew_slot_of_(weir_crew c, const weir_crew_token *t, uint32_t j)
{
	return t->round * (c.config.radix - 1) + j;
}

/* Sends the round of the token. */
WEIR_FN void weir_crew_send_(weir_crew c, const weir_crew_token *t)
{
	uint32_t step = weir_crew_first_threads_();

	weir_crew_complete_(c);
	for (uint32_t j = weir_thread_id(); weir_crew_has_partner_(c, t, j); j += step) {
		uint32_t to = c.config.rank + (j + 1) * t->distance;

		weir_crew_signal_(c, to < c.config.ranks ? to : to - c.config.ranks, t->lane,
		                  weir_crew_slot_of_(c, t, j), t->epoch);
	}
}

/* The slot of the own share that partner j signals in the round of the token. */
WEIR_FN WEIR_GLOBAL weir_word *weir_crew_own_slot_(weir_crew c, const weir_crew_token *t,
                                                   uint32_t j)
{
	return weir_crew_slot_(c, c.words, t->lane, weir_crew_slot_of_(c, t, j));
}

#ifdef WEIR_CREW_ENGINE

/* Whether that partner signals by a store of its own. */
WEIR_FN int weir_crew_is_direct_(weir_crew c, const weir_crew_token *t, uint32_t j)
{
	uint32_t steps = (j + 1) * t->distance;

	return weir_crew_reaches(c, c.config.rank < steps ? c.config.rank + c.config.ranks - steps
	                                                  : c.config.rank - steps);
}

WEIR_FN uint32_t weir_crew_poll_(weir_crew c, const weir_crew_token *t, uint32_t j)
{
	WEIR_GLOBAL weir_word *slot = weir_crew_own_slot_(c, t, j);

	return weir_crew_is_direct_(c, t, j) ? weir_poll(slot) : weir_engine_poll(c, slot);
}

/* The engine's own look at each slot of a complete round that the thread has polled. */
WEIR_FN void weir_crew_see_(weir_crew c, const weir_crew_token *t)
{
	uint32_t step = weir_crew_first_threads_();

	for (uint32_t j = weir_thread_id(); weir_crew_has_partner_(c, t, j); j += step)
		/* Pairs with the completion in weir_crew_send_. */
		weir_engine_see(c, weir_crew_own_slot_(c, t, j), t->epoch - 1,
		                weir_crew_is_direct_(c, t, j));
}

#else

WEIR_FN uint32_t weir_crew_poll_(weir_crew c, const weir_crew_token *t, uint32_t j)
{
	return weir_poll(weir_crew_own_slot_(c, t, j));
}

WEIR_FN void weir_crew_see_(weir_crew c, const weir_crew_token *t)
{
	(void)c;
	(void)t;
}

#endif

/* Whether a signal of the token's round is still missing. The first threads call it together. */
WEIR_FN int weir_crew_is_missing_(weir_crew c, const weir_crew_token *t)
{
	uint32_t step = weir_crew_first_threads_();
	uint32_t missing = 0;

	for (uint32_t j = weir_thread_id(); weir_crew_has_partner_(c, t, j); j += step)
		missing += (int32_t)(weir_crew_poll_(c, t, j) - t->epoch) < 0;
	if (weir_crew_first_bits_() != 0)
		missing = weir_first_sum(missing, WEIR_FIRST_BITS);
	return missing != 0;
}

/* Begins a phase of the token's lane. The first threads call it together. */
WEIR_FN void weir_crew_cross_(weir_crew c, weir_crew_token *t)
{
#ifdef WEIR_CREW_ENGINE_FLAT
	if (c.config.radix < c.config.ranks)
		weir_end_launch(WEIR_FAULT_ROUNDS, c.config.radix);
#endif
	/* Relaxed: only blocks that synchronize use a lane, one after the other. */
	t->epoch = weir_load_rlx(weir_crew_passed_(c, c.words, t->lane)) + 1;
	t->round = 0;
	t->distance = 1;
	t->crosses = 1;
	if (weir_thread_id() == 0)
		/* Relaxed: for a report. */
		weir_store_rlx(weir_crew_begun_(c, c.words, t->lane), t->epoch);
	weir_crew_send_(c, t);
}

/* After the last round. */
WEIR_FN void weir_crew_finish_(weir_crew c, const weir_crew_token *t)
{
	/* Relaxed: as the load in weir_crew_cross_. */
	weir_store_rlx(weir_crew_passed_(c, c.words, t->lane), t->epoch);
	if (t->lane != c.config.lanes)
		return;
	weir_release_begin();
	for (uint32_t copy = 0; copy >> c.config.bits == 0; copy++)
		/* Pairs with the acquire in weir_crew_advance_. */
		weir_store_begun(weir_crew_open_(c, copy), t->all);
}

/* Polls once: WEIR_OK when the round of the token is complete, else WEIR_BUSY or WEIR_ABORTED. The
 * first threads call it together, and get the same answer. */
WEIR_FN weir_status weir_crew_look_(weir_crew c, const weir_crew_token *t)
{
	uint32_t aborted;

	if (t->crosses) {
		if (!weir_crew_is_missing_(c, t))
			return WEIR_OK;
	} else if ((int32_t)(weir_first_value(weir_poll(weir_crew_own_open_(c)),
	                                      weir_crew_first_bits_()) -
	                     t->all) >= 0) {
		return WEIR_OK;
	}
	aborted = weir_first_value(weir_crew_aborted(c), weir_crew_first_bits_());
	return aborted != 0 ? WEIR_ABORTED : WEIR_BUSY;
}

/* Follows a complete round. Returns 0 when it was the last one. */
WEIR_FN int weir_crew_advance_(weir_crew c, weir_crew_token *t)
{
	weir_poll_acquire(); /* pairs with the releases in weir_crew_send_ and weir_crew_finish_ */
	if (!t->crosses)
		return 0;
	weir_crew_see_(c, t);
	weir_crew_first_sync_(); /* each thread's acquires precede all releases */
	t->round++;
	t->distance *= c.config.radix;
	if (t->distance < c.config.ranks) {
		weir_crew_send_(c, t);
		return 1;
	}
	if (weir_thread_id() == 0)
		weir_crew_finish_(c, t);
	return 0;
}

/* What one of the blocks of a rank adds: all of them together 2^30. */
WEIR_FN uint32_t weir_crew_step_(weir_crew c)
{
	return weir_block_id() == c.config.first_block ? WEIR_CREW_PHASE - (c.config.blocks - 1)
	                                               : 1;
}

/** Arrives at the barrier of all blocks of all ranks. Every thread of the block calls it, and
 * passes the token on to weir_crew_await or weir_crew_await_for. */
WEIR_FN weir_crew_token weir_crew_arrive(weir_crew c WEIR_SITE_)
{
	weir_crew_token t = {0, 0, 0, 0, 0, 0};

	WEIR_NOTED_(weir_note_crew_arrive_(c, site));
	t.lane = c.config.lanes;
	weir_block_sync(); /* the block's writes precede its leader's release */
	if (weir_crew_acts_()) {
		uint32_t step = weir_crew_step_(c);
		uint32_t found = 0;

		if (weir_thread_id() == 0)
			/* Each pairs with those of the blocks before: the last one has them all. */
			found = weir_add_acq_rel(weir_crew_arrived_(c), step);
		found = weir_first_value(found, weir_crew_first_bits_());
		t.all = (found | (WEIR_CREW_PHASE - 1)) + 1;
		if (((found + step) & (WEIR_CREW_PHASE - 1)) == 0) {
			weir_crew_first_sync_(); /* the leader's acquire precedes all releases */
			weir_crew_cross_(c, &t);
		}
	}
	return t;
}

/** Arrives at the barrier of a lane, below config.lanes, of one block of each rank. Otherwise as
 * weir_crew_arrive. */
WEIR_FN weir_crew_token weir_crew_lane_arrive(weir_crew c, uint32_t lane WEIR_SITE_)
{
	weir_crew_token t = {0, 0, 0, 0, 0, 0};

	WEIR_NOTED_(if (!weir_note_lane_arrive_(c, lane, site)) return t);
	t.lane = lane;
	weir_block_sync(); /* the block's writes precede each of its releases */
	if (weir_crew_acts_())
		weir_crew_cross_(c, &t);
	return t;
}

/* The wait of the first threads. */
WEIR_FN weir_status weir_crew_await_first_(weir_crew c, weir_crew_token *t)
{
	weir_status result;

	do {
		weir_wait wait = weir_wait_begin(c.config.backoff);

		while ((result = weir_crew_look_(c, t)) == WEIR_BUSY) {
			if (weir_wait_aborted(&wait))
				break;
			weir_wait_again(&wait);
		}
		weir_wait_end(&wait);
	} while (result == WEIR_OK && weir_crew_advance_(c, t));
	return result;
}

/** Waits for the others, the second half of a barrier. Returns WEIR_OK or WEIR_ABORTED. Every
 * thread of the block calls it with its token, and all of them get the same answer. */
WEIR_FN weir_status weir_crew_await(weir_crew c, weir_crew_token *t WEIR_SITE_)
{
	weir_status result = WEIR_OK;
	WEIR_NOTED_(weir_notes n = weir_crew_notes_(c, site));
	WEIR_NOTED_(weir_doing doing = weir_note_crew_await_(n, c, t));

	weir_block_sync(); /* all have read the value before */
	if (weir_crew_acts_())
		result = weir_crew_await_first_(c, t);
	WEIR_NOTED_(weir_note_awaited_(n, c, t, result));
	WEIR_NOTED_(weir_note_end_(weir_crew_noted_(c), doing));
	/* Its sync extends the acquires of the first threads to the block. */
	return (weir_status)weir_block_value((uint32_t)result);
}

/** Waits for all blocks of all ranks. Every thread of every block calls it. Returns WEIR_OK or
 * WEIR_ABORTED. */
WEIR_FN weir_status weir_crew_wait(weir_crew c WEIR_SITE_)
{
	weir_crew_token t = weir_crew_arrive(c WEIR_AT_);

	return weir_crew_await(c, &t WEIR_AT_);
}

/** Waits for the block of every other rank in a lane, below config.lanes. Every thread of these
 * blocks calls it. Returns WEIR_OK or WEIR_ABORTED. */
WEIR_FN weir_status weir_crew_lane_wait(weir_crew c, uint32_t lane WEIR_SITE_)
{
	weir_crew_token t = weir_crew_lane_arrive(c, lane WEIR_AT_);

	return weir_crew_await(c, &t WEIR_AT_);
}

#endif

#endif
