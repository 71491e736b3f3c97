/* Diagnosis of combiners: the part of weir/diagnose.h for them. Each function of weir/combine that
 * waits, or begins or ends something, becomes a macro that passes its call site to a function of the
 * same name with _at_.
 *
 *   a wait     notes that the block is in it. The block that combines has the combiner until its
 *              release, and notes since when it does the operations that it found last.
 *   a server   has it, too. While it finds nothing to do, it waits for other blocks to leave. A second
 *              server is reported.
 *   a call     that cannot be made ends the launch: without a seat, with too many words, or by too few
 *              threads.
 *   a launch   that finds the combiner left by some blocks of an earlier one, and not by all, reports
 *              it, in its first operation.
 *
 * Thread 0 speaks for the first threads of its block.
 */
#ifndef WEIR_DEVICE_H
#include "weir/device.h" /* includes weir/diagnose.h in its place, and that this one */
#endif

#ifndef WEIR_DIAGNOSIS_COMBINER_H
#define WEIR_DIAGNOSIS_COMBINER_H

#include "weir/diagnosis/left.h"

#if WEIR_HAS_WORD64

WEIR_FN weir_notes weir_combiner_open_(weir_combiner c, weir_site site)
{
	return weir_thread_id() == 0
	           ? weir_left_open_(c.words, c.config.id, weir_combiner_left_(c), site)
	           : weir_notes_at_(0, 0, site);
}

/* Whether the launch has been aborted: the operation is left out. */
WEIR_FN int weir_combiner_left_out_(weir_notes n)
{
	return !WEIR_HAS_THREAD_END && weir_notes_aborted_(n);
}

WEIR_FN int weir_combiner_fault_(weir_notes n, weir_combiner c, uint32_t fault, uint32_t value)
{
	return weir_note_fault_by_(c.words, c.config.id, n.site, fault, value,
	                           weir_thread_id() == 0);
}

/* Whether the block cannot publish so many words, or for 0 words serve: the operation is left out. */
WEIR_FN int weir_combiner_refuses_(weir_notes n, weir_combiner c, uint32_t words)
{
	if (weir_combiner_left_out_(n))
		return 1;
	if (!WEIR_LIKELY(weir_thread_count() >= WEIR_FIRST_THREADS))
		return weir_combiner_fault_(n, c, WEIR_FAULT_COMBINER, weir_thread_count());
	if (!WEIR_LIKELY(words == 0 || weir_block_id() < c.config.seats))
		return weir_combiner_fault_(n, c, WEIR_FAULT_SEAT, weir_block_id());
	return !WEIR_LIKELY(words <= c.config.words) &&
	       weir_combiner_fault_(n, c, WEIR_FAULT_OPERATION, words);
}

/* A call that was left out: all zeros, and so is its result. */
WEIR_FN weir_combiner_call weir_combiner_no_call_(weir_combiner c)
{
	weir_combiner_call call;

	call.cell = 0;
	call.ahead = 0;
	call.group = 0;
	call.next = 0;
	call.groups = 0;
	call.quiet = 0;
	call.looks = 0;
	call.asked = 0;
	call.count = 0;
	call.serves = 0;
	call.found = 0;
	call.idle = weir_wait_begin(c.config.backoff);
	for (uint32_t i = 0; i < WEIR_COMBINER_WORDS_MOST; i++) {
		call.own[i] = 0;
		call.result[i] = 0;
	}
	return call;
}

WEIR_FN void weir_note_doing_since_(weir_notes n)
{
#if WEIR_HAS_CLOCK
	weir_note_put_(n.mine, WEIR_NOTE_COMBINES, weir_notes_ms_());
#else
	(void)n;
#endif
}

/* Notes what the block is to the combiner, by WEIR_COMBINER_*. */
WEIR_NOINLINE void weir_note_combiner_(weir_notes n, uint32_t is)
{
	if (n.area == 0)
		return;
	weir_note_put_(n.mine, WEIR_NOTE_COUNT(n.id), is);
	weir_note_held_(n, (is & WEIR_COMBINER_LEFT) == 0 &&
	                       (is & (WEIR_COMBINER_DOES | WEIR_COMBINER_SERVES)) != 0);
	if (is == WEIR_COMBINER_DOES)
		weir_note_doing_since_(n);
}

/* Notes a wait in an operation on the combiner. */
WEIR_FN weir_doing weir_note_combine_(weir_notes n, uint32_t operation)
{
	if (n.area == 0)
		return weir_doing_(0);
	weir_note_entry_(n, weir_note_site_(n));
	return weir_note_begin_(n, operation);
}

WEIR_FN weir_combiner_call weir_combiner_publish_words_at_(weir_combiner c,
                                                           const uint32_t *operation,
                                                           uint32_t words, weir_site site)
{
	weir_combiner_call call;

	if (weir_combiner_refuses_(weir_combiner_open_(c, site), c, words))
		return weir_combiner_no_call_(c);
	call = weir_combiner_publish_words(c, operation, words);
	weir_area_leave_();
	return call;
}

WEIR_FN weir_combiner_call weir_combiner_publish_at_(weir_combiner c, uint32_t operation,
                                                     weir_site site)
{
	return weir_combiner_publish_words_at_(c, &operation, 1, site);
}

/* A wait that has begun to combine does not clear its note of a long wait: that is done here. */
WEIR_FN int weir_combiner_wait_at_(weir_combiner c, weir_combiner_call *call, weir_site site)
{
	weir_notes n = weir_combiner_open_(c, site);
	weir_doing doing;
	int combines;

	if (weir_combiner_left_out_(n))
		return 0;
	doing = weir_note_combine_(n, WEIR_OPERATION_COMBINE);
	combines = weir_combiner_wait(c, call);
	weir_note_end_bounded_(n, doing);
	if (combines)
		weir_note_combiner_(n, WEIR_COMBINER_DOES);
	return combines;
}

/* Ends the note of a server that had nothing to do. */
WEIR_FN void weir_note_served_(weir_notes n)
{
	weir_doing doing;

	doing.note = WEIR_DOING(WEIR_OPERATION_SERVE, n.id, 0);
	doing.place = 0;
	weir_note_end_bounded_(n, doing);
}

/* When it finds operations, they begin now. A server then counts anew how long it has had none. */
WEIR_FN int weir_combiner_next_at_(weir_combiner c, weir_combiner_call *call, weir_site site)
{
	weir_notes n;

	if (!weir_combiner_next(c, call))
		return 0;
	n = weir_combiner_open_(c, site);
	if (n.area != 0) {
		weir_note_doing_since_(n);
		if (call->serves)
			weir_note_served_(n);
	}
	if (call->serves)
		call->idle = weir_wait_begin(c.config.backoff);
	weir_area_leave_();
	return 1;
}

WEIR_FN void weir_combiner_release_at_(weir_combiner c, const weir_combiner_call *call,
                                       weir_site site)
{
	weir_notes n = weir_combiner_open_(c, site);

	weir_combiner_release(c, call);
	if (call->serves && n.area != 0) {
		weir_note_entry_(n, weir_note_site_(n));
		weir_note_served_(n);
	}
	weir_note_combiner_(n, call->serves ? WEIR_COMBINER_SERVES | WEIR_COMBINER_LEFT : 0);
	weir_area_leave_();
}

WEIR_FN void weir_combiner_leave_at_(weir_combiner c, weir_site site)
{
	weir_notes n = weir_combiner_open_(c, site);

	if (weir_combiner_left_out_(n))
		return;
	weir_combiner_leave(c);
	weir_note_combiner_(n, WEIR_COMBINER_LEFT);
	weir_area_leave_();
}

WEIR_FN int weir_combiner_serve_at_(weir_combiner c, weir_combiner_call *call, weir_site site)
{
	weir_notes n = weir_combiner_open_(c, site);
	weir_doing doing;
	int serves;

	if (weir_combiner_refuses_(n, c, 0)) {
		*call = weir_combiner_no_call_(c);
		return 0;
	}
	doing = weir_note_combine_(n, WEIR_OPERATION_SERVE);
	serves = weir_combiner_serve(c, call);
	weir_note_end_bounded_(n, doing);
	if (serves)
		weir_note_combiner_(n, WEIR_COMBINER_SERVES);
	else if (n.area != 0 && !weir_notes_aborted_(n))
		weir_note_misuse_(n, WEIR_MISUSE_SERVED_TWICE, 0, 0);
	return serves;
}

/* The note stays until the server finds something to do, or releases. */
WEIR_FN int weir_combiner_goes_on_at_(weir_combiner c, weir_combiner_call *call, weir_site site)
{
	weir_notes n = weir_combiner_open_(c, site);
	int goes_on;

	if (weir_combiner_left_out_(n))
		return 0;
	if (n.area != 0 && weir_note_get_(n.mine, WEIR_NOTE_DOING) == 0)
		weir_note_combine_(n, WEIR_OPERATION_SERVE);
	goes_on = weir_combiner_serve_next(c, call);
	weir_area_leave_();
	return goes_on;
}

#if WEIR_HAS_DEADLINE
WEIR_FN weir_combiner_call weir_combiner_publish_timed_at_(weir_combiner c,
                                                           const uint32_t *operation,
                                                           uint32_t words, weir_site site)
{
	weir_combiner_call call;

	if (weir_combiner_refuses_(weir_combiner_open_(c, site), c, words))
		return weir_combiner_no_call_(c);
	call = weir_combiner_publish_timed(c, operation, words);
	weir_area_leave_();
	return call;
}

WEIR_FN weir_status weir_combiner_wait_by_at_(weir_combiner c, weir_combiner_call *call,
                                              const weir_deadline *deadline, weir_site site)
{
	weir_notes n = weir_combiner_open_(c, site);
	weir_doing doing;
	weir_status result;

	if (weir_combiner_left_out_(n))
		return WEIR_ABORTED;
	doing = weir_note_combine_(n, WEIR_OPERATION_COMBINE);
	result = weir_combiner_wait_by(c, call, deadline);
	weir_note_end_bounded_(n, doing);
	if (result == WEIR_BUSY)
		weir_note_combiner_(n, WEIR_COMBINER_DOES);
	return result;
}

#define weir_combiner_publish_timed(c, operation, words)                                           \
	weir_combiner_publish_timed_at_(c, operation, words, WEIR_HERE_)
#define weir_combiner_wait_by(c, call, deadline)                                                   \
	weir_combiner_wait_by_at_(c, call, deadline, WEIR_HERE_)
#endif

#define weir_combiner_publish(c, operation) weir_combiner_publish_at_(c, operation, WEIR_HERE_)
#define weir_combiner_publish_words(c, operation, words)                                           \
	weir_combiner_publish_words_at_(c, operation, words, WEIR_HERE_)
#define weir_combiner_wait(c, call) weir_combiner_wait_at_(c, call, WEIR_HERE_)
#define weir_combiner_next(c, call) weir_combiner_next_at_(c, call, WEIR_HERE_)
#define weir_combiner_release(c, call) weir_combiner_release_at_(c, call, WEIR_HERE_)
#define weir_combiner_leave(c) weir_combiner_leave_at_(c, WEIR_HERE_)
#define weir_combiner_serve(c, call) weir_combiner_serve_at_(c, call, WEIR_HERE_)
#define weir_combiner_serve_next(c, call) weir_combiner_goes_on_at_(c, call, WEIR_HERE_)

#endif

#endif
