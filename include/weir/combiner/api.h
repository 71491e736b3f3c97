/** @defgroup weir_combiner Combiners
 *
 * Blocks publish operations on a shared state, and one block at a time does those of all.
 *
 * The host makes one with weir_combiner_create, for a number of blocks, or the kernel makes one in
 * zeroed memory with weir_combiner_in. An operation is a few words, and so is its result. The block
 * that finds the lock free combines: it does all operations that are published, one after the other,
 * with the state in registers. Or one block of the launch serves, and does nothing else.
 *
 * The first threads of a block (weir_is_first) call the operations together, with the same values;
 * on CUDA they are a warp. All threads of a block together call weir_combiner_block_call instead.
 * Any number of blocks may call it at the same time, up to the number of its creation, each for one
 * operation at a time.
 *
 * Fair within a bound: a block combines for at most WEIR_COMBINER_ROUNDS rounds over all blocks, and
 * does at most one operation of a block in each.
 *
 * Memory order: everything before a publish happens before the operation, and the operation happens
 * before everything after the wait. Operations happen one after the other.
 *
 * Machines: those with WEIR_HAS_WORD64. Deadlines need WEIR_HAS_DEADLINE, the whole call
 * WEIR_HAS_BLOCK_VALUE.
 *
 * @code
 * __device__ unsigned add(unsigned long long *sum, unsigned n)
 * {
 * 	*sum += n;
 * 	return 0;
 * }
 *
 * __global__ void total(weir_combiner c, unsigned long long *sum, const unsigned *part)
 * {
 * 	unsigned result;
 * 	weir_combiner_block_call(c, unsigned long long, sum, add, part[blockIdx.x], result);
 * }
 * @endcode
 */

/* The operations of a combiner: a block publishes an operation of a few words, and gets its result.
 * The block that has the lock does all operations that are published, one after the other.
 *
 *   state     (lock, left), and for each seat a cell (s, word): s is idle, asked, timed or taken
 *   publish   the caller's cell: (idle, -) -> (asked, operation)
 *   wait      until its cell is (idle, result). While the lock is free: (0, l) -> (1, l), and then the
 *             caller combines
 *   next      answers the operations that it found before, each cell: (asked, -) -> (idle, result);
 *             then finds the cells of the next group of seats that are asked
 *   release   (1, l) -> (0, l)
 *   serve     (0, l) -> (2, l), and combines until all other blocks of the launch have left
 *
 *   weir_combiner_call call = weir_combiner_publish(c, operation);
 *   while (weir_combiner_wait(c, &call)) {
 *           uint64_t state = *shared;
 *           while (weir_combiner_next(c, &call))
 *                   WEIR_COMBINER_EACH (i, &call)
 *                           weir_combiner_answer(&call, i,
 *                                               change(&state, weir_combiner_operation(&call, i)));
 *           if (weir_thread_id() == 0)
 *                   *shared = state;
 *           weir_combiner_release(c, &call);
 *   }
 *   result = weir_combiner_result(&call);
 *
 * The first threads of a block (weir_is_first) call these together, and hold the same values. On CUDA
 * they are a warp, which looks at 32 seats at once. Only thread 0 does the operations, so that what it
 * keeps between them stays in its registers.
 * Fair within a bound: a combiner goes over all seats at most WEIR_COMBINER_ROUNDS times, and does at
 * most one operation for a seat each time. An operation that is published during a round is done in
 * this round or the next one, or by the next combiner.
 * A call is a release and polls. The lock is one atomic for all operations that are done with it.
 * Nothing wraps: the state of a cell is one of four, and `left` is that of weir/leave.h.
 */
#ifndef WEIR_COMBINER_API_H
#define WEIR_COMBINER_API_H

#include "weir/combiner/object.h"
#include "weir/leave.h"

#if WEIR_HAS_WORD64

#ifndef WEIR_COMBINER_ROUNDS
/** How often a block goes over all seats before it lets another one combine. A kernel may define it
 * before it includes the header. */
#define WEIR_COMBINER_ROUNDS 32
#endif

#define WEIR_COMBINER_IDLE 0u  /**< the upper half of a cell: no operation, or its result */
#define WEIR_COMBINER_ASKED 1u /**< the upper half of a cell: an operation */
#define WEIR_COMBINER_TIMED 2u /**< the upper half of a cell: one whose caller may give up */
#define WEIR_COMBINER_TAKEN 3u /**< the upper half of a cell: its caller cannot give up any more */

#define WEIR_COMBINER_FREE 0u   /**< the lock: free */
#define WEIR_COMBINER_HELD 1u   /**< the lock: a block combines */
#define WEIR_COMBINER_SERVED 2u /**< the lock: a block serves */

/** What a thread keeps of a call. Its members are private. A group of seats is one for each of the
 * first threads. */
typedef struct weir_combiner_call {
	uint64_t cell;   /**< the cell of this thread's seat in the group that is looked at */
	uint64_t ahead;  /**< the same in the next group, if there are several */
	uint32_t group;  /**< the number of the group */
	uint32_t next;   /**< the group after it */
	uint32_t groups; /**< how many groups there are */
	uint32_t quiet;  /**< groups in a row without an operation */
	uint32_t looks;  /**< groups that may still be looked at */
	uint32_t asked;  /**< the seats of the group with an operation, as bits */
	uint32_t count;  /**< how many these are */
	uint32_t serves; /**< whether the block serves */
	uint32_t found;  /**< whether a server has found operations lately */
	weir_wait idle;  /**< the wait of a server that finds nothing to do */
	uint32_t own[WEIR_COMBINER_WORDS_MOST]; /**< operations, where the first thread is alone */
	uint32_t result[WEIR_COMBINER_WORDS_MOST]; /**< the result of the block's own operation */
} weir_combiner_call;

WEIR_FN WEIR_GLOBAL weir_word *weir_combiner_lock_(weir_combiner c)
{
	return &c.words[0];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_combiner_left_(weir_combiner c)
{
	return &c.words[c.config.pitch];
}

WEIR_FN WEIR_GLOBAL weir_word64 *weir_combiner_cell_(weir_combiner c, uint32_t seat)
{
	return weir_word64_at(c.words, 2 * (c.config.pitch + seat));
}

/* Word `index`, from 1 on, of an operation or a result. */
WEIR_FN WEIR_GLOBAL weir_word *weir_combiner_word_(weir_combiner c, uint32_t seat, uint32_t index)
{
	uint32_t row = weir_combiner_row_(c.config);

	return &c.words[2 * c.config.pitch + (uint64_t)row * (index + 1) + seat];
}

/* Each word after the first. The bound is a constant, so that compilers keep the words in registers. */
#define WEIR_EACH_MORE_WORD_(i, words)                                                             \
	for (uint32_t i = 1; i < WEIR_COMBINER_WORDS_MOST; i++)                                    \
		if (i < (words))

#ifdef WEIR_DIAGNOSE
#include "weir/diagnosis/combiner.h"
#endif

WEIR_FN uint64_t weir_combiner_cell_of_(uint32_t state, uint32_t word)
{
	return (uint64_t)state << 32 | word;
}

/* A call of this block, which has asked for nothing. */
WEIR_FN weir_combiner_call weir_combiner_call_(weir_combiner c WEIR_SITE_)
{
	weir_combiner_call call;
	uint32_t seats = weir_block_count() < c.config.seats ? weir_block_count() : c.config.seats;

	if (!WEIR_LIKELY(weir_thread_count() >= WEIR_FIRST_THREADS))
		WEIR_REFUSE_(c, WEIR_FAULT_COMBINER, weir_thread_count(), weir_combiner_no_call_());
	call.groups = (seats + WEIR_FIRST_THREADS - 1) / WEIR_FIRST_THREADS;
	call.asked = 0;
	call.serves = 0;
	return call;
}

WEIR_FN weir_combiner_call weir_combiner_ask_(weir_combiner c, const uint32_t *operation,
                                              uint32_t words, uint32_t state WEIR_SITE_)
{
	weir_combiner_call call;

	WEIR_NOTED_(if (weir_notes_left_out_(
			    weir_combiner_open_(c, site))) return weir_combiner_no_call_());
	WEIR_NOTED_(weir_area_leave_());
	call = weir_combiner_call_(c WEIR_AT_);
	if (!WEIR_LIKELY(weir_block_id() < c.config.seats))
		WEIR_REFUSE_(c, WEIR_FAULT_SEAT, weir_block_id(), weir_combiner_no_call_());
	if (!WEIR_LIKELY(words <= c.config.words))
		WEIR_REFUSE_(c, WEIR_FAULT_OPERATION, words, weir_combiner_no_call_());
	if (weir_thread_id() == 0) {
		WEIR_EACH_MORE_WORD_ (i, words)
			/* Relaxed: the release below covers it. */
			weir_store_rlx(weir_combiner_word_(c, weir_block_id(), i), operation[i]);
		/* Pairs with the acquires in weir_combiner_find_. */
		weir_store64_rel(weir_combiner_cell_(c, weir_block_id()),
		                 weir_combiner_cell_of_(state, operation[0]));
	}
	return call;
}

/** Publishes an operation of one word, and begins a call, which continues with weir_combiner_wait. */
WEIR_FN weir_combiner_call weir_combiner_publish(weir_combiner c, uint32_t operation WEIR_SITE_)
{
	return weir_combiner_ask_(c, &operation, 1, WEIR_COMBINER_ASKED WEIR_AT_);
}

/** weir_combiner_publish with several words, at most config.words. */
WEIR_FN weir_combiner_call weir_combiner_publish_words(weir_combiner c, const uint32_t *operation,
                                                       uint32_t words WEIR_SITE_)
{
	return weir_combiner_ask_(c, operation, words, WEIR_COMBINER_ASKED WEIR_AT_);
}

/* The seat of this thread in the group being polled. */
WEIR_FN uint32_t weir_combiner_seat_(const weir_combiner_call *call)
{
	return call->group * WEIR_FIRST_THREADS + weir_thread_id();
}

/* The cell of this thread's seat in a group. Relaxed until weir_poll_acquire: most have nothing. */
WEIR_FN uint64_t weir_combiner_look_(weir_combiner c, uint32_t group)
{
	return weir_poll64(weir_combiner_cell_(c, group * WEIR_FIRST_THREADS + weir_thread_id()));
}

/* Begins to go over the seats, from the caller's own group on. */
WEIR_FN void weir_combiner_begin_(weir_combiner c, weir_combiner_call *call)
{
	uint32_t seat = weir_block_id() < c.config.seats ? weir_block_id() : 0;

	weir_first_sync(); /* extends the acquire of the lock to the first threads */
	call->next = seat / WEIR_FIRST_THREADS;
	call->quiet = 0;
	call->looks = WEIR_COMBINER_ROUNDS * call->groups;
	if (call->groups > 1)
		call->ahead = weir_combiner_look_(c, call->next);
}

/* Goes to the next group. Its cells were loaded while the operations of the last one were done. A
 * single group is looked at after its answers. */
WEIR_FN void weir_combiner_turn_(weir_combiner c, weir_combiner_call *call)
{
	call->group = call->next;
	call->next = call->group + 1 < call->groups ? call->group + 1 : 0;
	if (call->groups > 1) {
		call->cell = call->ahead;
		call->ahead = weir_combiner_look_(c, call->next);
	} else {
		call->cell = weir_combiner_look_(c, call->group);
	}
}

/* Whether the seat of this thread has an operation. */
WEIR_FN int weir_combiner_has_asked_(weir_combiner c, const weir_combiner_call *call)
{
	uint32_t state = (uint32_t)(call->cell >> 32);
	uint64_t taken = weir_combiner_cell_of_(WEIR_COMBINER_TAKEN, (uint32_t)call->cell);

	if (state != WEIR_COMBINER_TIMED)
		return state == WEIR_COMBINER_ASKED;
	/* The caller may give up at the same time, and may even have asked for the same again, after
	 * the poll. So this pairs with the release in weir_combiner_ask_. */
	return weir_cas64_acq(weir_combiner_cell_(c, weir_combiner_seat_(call)), call->cell,
	                      taken) == call->cell;
}

/* A word of operation `i` of the group, and then of its result, in memory that the first threads
 * share. */
WEIR_FN uint32_t weir_combiner_get_(weir_combiner_call *call, uint32_t i, uint32_t index)
{
	return weir_first_word(call->own, index * WEIR_FIRST_THREADS + i);
}

WEIR_FN void weir_combiner_put_(weir_combiner_call *call, uint32_t i, uint32_t index,
                                uint32_t value)
{
	weir_first_word_put(call->own, index * WEIR_FIRST_THREADS + i, value);
}

/* Finds the operations of the group that is looked at. */
WEIR_FN void weir_combiner_find_(weir_combiner c, weir_combiner_call *call)
{
	uint32_t rank;

	call->asked = weir_first_ballot(weir_combiner_has_asked_(c, call));
	call->count = weir_first_count(call->asked);
	call->quiet++;
	call->looks--;
	if (call->asked == 0)
		return;
	call->quiet = 0;
	call->found = 1;
	weir_poll_acquire(); /* pairs with the release in weir_combiner_ask_ */
	if (call->asked >> weir_thread_id() & 1) {
		rank = weir_first_rank(call->asked, weir_thread_id());
		weir_combiner_put_(call, rank, 0, (uint32_t)call->cell);
		WEIR_EACH_MORE_WORD_ (i, c.config.words)
			/* Relaxed: the acquire above. */
			weir_combiner_put_(
			    call, rank, i,
			    weir_load_rlx(weir_combiner_word_(c, weir_combiner_seat_(call), i)));
	}
	weir_first_sync(); /* thread 0 sees them, and what each thread has acquired */
}

/* Answers the operations of the group. */
WEIR_FN void weir_combiner_give_(weir_combiner c, weir_combiner_call *call)
{
	uint32_t seat = weir_combiner_seat_(call);

	weir_first_sync(); /* what thread 0 did precedes the releases */
	if (call->asked >> weir_thread_id() & 1) {
		uint32_t rank = weir_first_rank(call->asked, weir_thread_id());
		uint32_t result = weir_combiner_get_(call, rank, 0);
		WEIR_EACH_MORE_WORD_ (i, c.config.words)
			/* Relaxed: the release below covers it. */
			weir_store_rlx(weir_combiner_word_(c, seat, i),
			               weir_combiner_get_(call, rank, i));
		/* Pairs with the acquire in weir_combiner_is_answered_. */
		weir_store64_rel(weir_combiner_cell_(c, seat),
		                 weir_combiner_cell_of_(WEIR_COMBINER_IDLE, result));
	}
	weir_first_sync(); /* all have read the results */
	call->asked = 0;
}

/** Answers the operations that it found before, which the caller has done. Then finds others, and
 * returns 1. Returns 0 if no more are published, or another block should combine. After that,
 * everything that the first threads have read before may be written. */
WEIR_FN int weir_combiner_next(weir_combiner c, weir_combiner_call *call WEIR_SITE_)
{
	if (call->asked != 0)
		weir_combiner_give_(c, call);
	while (call->looks != 0 && call->quiet != call->groups) {
		weir_combiner_turn_(c, call);
		weir_combiner_find_(c, call);
		if (call->asked != 0) {
			WEIR_NOTED_(weir_note_found_(c, call, site));
			return 1;
		}
	}
	weir_first_sync(); /* the reads of all precede what thread 0 writes next */
	return 0;
}

/** A loop over the operations that weir_combiner_next found: thread 0 runs the statement that follows with
 * each `i`. */
#define WEIR_COMBINER_EACH(i, call)                                                                \
	WEIR_UNROLL                                                                                \
	for (uint32_t i = weir_thread_id() == 0 ? 0 : (call)->count; i < (call)->count; i++)

/** Operation `i` of those found, of one word. */
WEIR_FN uint32_t weir_combiner_operation(weir_combiner_call *call, uint32_t i)
{
	return weir_combiner_get_(call, i, 0);
}

/** Word `index`, below config.words, of operation `i`. */
WEIR_FN uint32_t weir_combiner_operation_word(weir_combiner_call *call, uint32_t i, uint32_t index)
{
	return weir_combiner_get_(call, i, index);
}

/** Sets the result of operation `i`, of one word. It takes the place of the operation. */
WEIR_FN void weir_combiner_answer(weir_combiner_call *call, uint32_t i, uint32_t result)
{
	weir_combiner_put_(call, i, 0, result);
}

/** Sets word `index` of the result of operation `i`. A word that is not set remains that of the
 * operation. */
WEIR_FN void weir_combiner_answer_word(weir_combiner_call *call, uint32_t i, uint32_t index,
                                       uint32_t result)
{
	weir_combiner_put_(call, i, index, result);
}

/* Whether the caller's operation was done. */
WEIR_FN int weir_combiner_is_answered_(weir_combiner c, weir_combiner_call *call)
{
	uint64_t cell = weir_poll64(weir_combiner_cell_(c, weir_block_id()));

	/* What thread 0 finds holds for all. */
	if (weir_first_get((uint32_t)(cell >> 32), 0) != WEIR_COMBINER_IDLE)
		return 0;
	weir_poll_acquire(); /* pairs with the release in weir_combiner_give_ */
	weir_first_sync();   /* extends the acquire of thread 0 */
	call->result[0] = weir_first_get((uint32_t)cell, 0);
	WEIR_EACH_MORE_WORD_ (i, c.config.words)
		/* Relaxed: the acquire above. */
		call->result[i] = weir_load_rlx(weir_combiner_word_(c, weir_block_id(), i));
	if (c.config.words > 1)
		weir_first_sync(); /* all have read them before thread 0 publishes again */
	return 1;
}

/* Takes the lock if it is free. */
WEIR_FN int weir_combiner_try_(weir_combiner c)
{
	uint32_t found = WEIR_COMBINER_HELD;

	/* Relaxed: a hint that saves most of the atomics. */
	if (weir_thread_id() == 0 && !c.config.is_served &&
	    weir_load_rlx(weir_combiner_lock_(c)) == WEIR_COMBINER_FREE)
		/* Pairs with the release in weir_combiner_release. */
		found =
		    weir_cas_acq(weir_combiner_lock_(c), WEIR_COMBINER_FREE, WEIR_COMBINER_HELD);
	return weir_first_get(found, 0) == WEIR_COMBINER_FREE;
}

WEIR_FN int weir_combiner_wait_(weir_combiner c, weir_combiner_call *call)
{
	weir_wait wait = weir_wait_begin(c.config.backoff);

	while (!weir_combiner_is_answered_(c, call)) {
		if (weir_combiner_try_(c)) {
			weir_combiner_begin_(c, call);
			return 1;
		}
		if (weir_wait_aborted(&wait))
			break;
		weir_wait_again(&wait);
	}
	weir_wait_end(&wait);
	return 0;
}

/** Waits for the result, and returns 0 when the call has it. Returns 1 if the caller combines: it
 * does operations until weir_combiner_next returns 0, calls weir_combiner_release, and then waits
 * again. */
WEIR_FN int weir_combiner_wait(weir_combiner c, weir_combiner_call *call WEIR_SITE_)
{
	int combines;
	WEIR_NOTED_(weir_notes n = weir_combiner_open_(c, site); weir_doing doing);

	WEIR_NOTED_(if (weir_notes_left_out_(n)) return 0);
	WEIR_NOTED_(doing = weir_note_enter_(n, WEIR_OPERATION_COMBINE));
	combines = weir_combiner_wait_(c, call);
	WEIR_NOTED_(weir_note_combined_(n, doing, combines));
	return combines;
}

/** The result of the call, of one word, after weir_combiner_wait has returned 0. */
WEIR_FN uint32_t weir_combiner_result(const weir_combiner_call *call)
{
	return call->result[0];
}

/** Word `index`, below config.words, of the result of the call. */
WEIR_FN uint32_t weir_combiner_result_word(const weir_combiner_call *call, uint32_t index)
{
	return call->result[index];
}

/** Leaves the combiner in this launch: the block publishes no more. All blocks of a launch in
 * which one serves leave, the server by its release. One thread calls it for its block. */
WEIR_FN void weir_combiner_leave(weir_combiner c WEIR_SITE_)
{
	WEIR_NOTED_(weir_notes n = weir_combiner_open_(c, site));

	WEIR_NOTED_(if (weir_notes_left_out_(n)) return );
	weir_leave_(weir_combiner_left_(c));
	WEIR_NOTED_(weir_note_combiner_(n, WEIR_COMBINER_LEFT); weir_area_leave_());
}

/** Ends what weir_combiner_wait or weir_combiner_serve began. What the caller wrote before is seen
 * by the next block that combines. */
WEIR_FN void weir_combiner_release(weir_combiner c, const weir_combiner_call *call WEIR_SITE_)
{
	WEIR_NOTED_(weir_notes n = weir_combiner_open_(c, site));

	weir_first_sync(); /* all that the first threads did precedes the release */
	if (weir_thread_id() != 0)
		return;
	/* Pairs with the acquires of the lock. */
	weir_store_rel(weir_combiner_lock_(c), WEIR_COMBINER_FREE);
	if (call->serves)
		weir_leave_(weir_combiner_left_(c));
	WEIR_NOTED_(weir_note_released_(n, call); weir_area_leave_());
}

WEIR_FN int weir_combiner_serve_(weir_combiner c, weir_combiner_call *call WEIR_SITE_)
{
	weir_wait wait = weir_wait_begin(c.config.backoff);
	uint32_t found = WEIR_COMBINER_SERVED;

	*call = weir_combiner_call_(c WEIR_AT_);
	for (;;) {
		if (weir_thread_id() == 0)
			/* Pairs with the release in weir_combiner_release. */
			found = weir_cas_acq(weir_combiner_lock_(c), WEIR_COMBINER_FREE,
			                     WEIR_COMBINER_SERVED);
		found = weir_first_get(found, 0);
		if (found != WEIR_COMBINER_HELD || weir_wait_aborted(&wait))
			break;
		weir_wait_again(&wait);
	}
	weir_wait_end(&wait);
	call->serves = found == WEIR_COMBINER_FREE;
	call->found = 1;
	call->idle = weir_wait_begin(c.config.backoff);
	return (int)call->serves;
}

/** Begins to serve, and returns 1. Returns 0 if another block serves. With options.served no other
 * block does operations; without it, others combine before it has begun and after it has
 * released. */
WEIR_FN int weir_combiner_serve(weir_combiner c, weir_combiner_call *call WEIR_SITE_)
{
	int serves;
	WEIR_NOTED_(weir_notes n = weir_combiner_open_(c, site); weir_doing doing);

	WEIR_NOTED_(if (weir_notes_left_out_(n)) return 0);
	WEIR_NOTED_(doing = weir_note_enter_(n, WEIR_OPERATION_SERVE));
	serves = weir_combiner_serve_(c, call WEIR_AT_);
	WEIR_NOTED_(weir_note_serves_(n, doing, serves));
	return serves;
}

WEIR_FN int weir_combiner_goes_on_(weir_combiner c, weir_combiner_call *call)
{
	uint32_t left;

	if (call->found) {
		weir_wait_end(&call->idle);
		call->idle = weir_wait_begin(c.config.backoff);
	} else {
		weir_wait_again(&call->idle);
	}
	/* Relaxed: the operations of a block were answered before it left. */
	left = weir_load_rlx(weir_combiner_left_(c)) + weir_leave_step_();
	left = weir_first_get(left, 0);
	if ((left & (WEIR_LEFT_STEP - 1)) == 0 || weir_wait_aborted(&call->idle)) {
		weir_wait_end(&call->idle);
		return 0;
	}
	call->found = 0;
	weir_combiner_begin_(c, call);
	return 1;
}

/** Whether the server continues: 0 when all other blocks of the launch have left, and the server
 * then calls weir_combiner_release. Otherwise it does operations until weir_combiner_next returns
 * 0, and asks again. */
WEIR_FN int weir_combiner_serve_next(weir_combiner c, weir_combiner_call *call WEIR_SITE_)
{
	int goes_on;
	WEIR_NOTED_(weir_notes n = weir_combiner_open_(c, site));

	WEIR_NOTED_(if (weir_notes_left_out_(n)) return 0);
	WEIR_NOTED_(weir_note_goes_on_(n));
	goes_on = weir_combiner_goes_on_(c, call);
	WEIR_NOTED_(weir_area_leave_());
	return goes_on;
}

#if WEIR_HAS_BLOCK_VALUE

/** A whole call with a state in memory. All threads of the block call it, and `result` becomes the
 * result in all of them. `state` points to plain memory of `type`. `function(&state, operation)` does
 * one operation of one word, and returns its result. Where WEIR_HAS_BLOCK_VALUE. */
#define weir_combiner_block_call(c, type, state, function, operation, result)                      \
	do {                                                                                       \
		uint32_t result_ = 0;                                                              \
		weir_block_sync(); /* the block's writes precede the publish */                    \
		if (weir_is_first(weir_thread_id())) {                                             \
			weir_combiner_call call_ = weir_combiner_publish(c, operation);            \
			while (weir_combiner_wait(c, &call_)) {                                    \
				type state_ = *(state);                                            \
				while (weir_combiner_next(c, &call_))                              \
					WEIR_COMBINER_EACH (i_, &call_)                            \
						weir_combiner_answer(                              \
						    &call_, i_,                                    \
						    function(&state_, weir_combiner_operation(     \
									  &call_, i_)));           \
				if (weir_thread_id() == 0)                                         \
					*(state) = state_;                                         \
				weir_combiner_release(c, &call_);                                  \
			}                                                                          \
			result_ = weir_combiner_result(&call_);                                    \
		}                                                                                  \
		(result) = weir_block_value(result_); /* extends the acquire to the block */       \
	} while (0)

#endif

#endif

#endif
