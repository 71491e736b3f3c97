/* Hooks of a combiner (weir/combiner/api.h).
 *
 *   a wait     notes that the block is in it. The block that combines holds the combiner until its release, and
 *              notes when it started the last operations that it found.
 *   a server   also holds it. While it finds nothing to do, it waits for other blocks to leave. A second server
 *              is reported.
 *   a call     that cannot be made ends the launch: without a seat, with too many words, or by too few threads.
 *   a launch   that follows one that some blocks did not leave is reported by its first operation.
 *
 * Thread 0 reports for the first threads of its block.
 */
#ifndef WEIR_COMBINER_API_H
#include "weir/combiner/api.h" /* includes this file */
#endif

#ifndef WEIR_DIAGNOSIS_COMBINER_H
#define WEIR_DIAGNOSIS_COMBINER_H

#if WEIR_HAS_WORD64

WEIR_FN weir_notes weir_combiner_open_(weir_combiner c, weir_site site)
{
	return weir_thread_id() == 0 ? weir_notes_open_at_(c.words, c.config.id, site,
	                                                   WEIR_FIRST_LEFT, weir_combiner_left_(c))
	                             : weir_notes_at_(0, 0, site);
}

/* A call that was skipped. Its waits are skipped as well, and its result is all zeros. */
WEIR_FN weir_combiner_call weir_combiner_no_call_(void)
{
	weir_combiner_call call;

	call.groups = 0;
	call.asked = 0;
	call.serves = 0;
	for (uint32_t i = 0; i < WEIR_COMBINER_WORDS_MOST; i++)
		call.result[i] = 0;
	return call;
}

/* Notes the role of the block in the combiner, by WEIR_COMBINER_*. */
WEIR_NOINLINE void weir_note_combiner_(weir_notes n, uint32_t is)
{
	if (n.area == 0)
		return;
	weir_note_put_(n.mine, WEIR_NOTE_COUNT(n.id), is);
	weir_note_held_(n, (is & WEIR_COMBINER_LEFT) == 0 &&
	                       (is & (WEIR_COMBINER_DOES | WEIR_COMBINER_SERVES)) != 0);
	if (is == WEIR_COMBINER_DOES)
		weir_note_put_(n.mine, WEIR_NOTE_COMBINES, weir_notes_ms_());
}

/* Called after a wait for a result. If the wait turned into combining, its note of a long wait is not yet cleared. */
WEIR_FN void weir_note_combined_(weir_notes n, weir_doing doing, int combines)
{
	weir_note_end_bounded_(n, doing);
	if (combines)
		weir_note_combiner_(n, WEIR_COMBINER_DOES);
}

/* Called after a wait to serve. */
WEIR_FN void weir_note_serves_(weir_notes n, weir_doing doing, int serves)
{
	weir_note_end_bounded_(n, doing);
	if (serves)
		weir_note_combiner_(n, WEIR_COMBINER_SERVES);
	else if (n.area != 0 && !weir_notes_aborted_(n))
		weir_note_misuse_(n, WEIR_MISUSE_SERVED_TWICE, 0, 0);
}

/* Notes that the server is waiting for something to do. */
WEIR_FN void weir_note_goes_on_(weir_notes n)
{
	if (n.area != 0 && weir_note_get_(n.mine, WEIR_NOTE_DOING) == 0)
		weir_note_enter_(n, WEIR_OPERATION_SERVE);
}

/* Clears that note. */
WEIR_FN void weir_note_served_(weir_notes n)
{
	weir_note_end_bounded_(n, weir_doing_(WEIR_DOING(WEIR_OPERATION_SERVE, n.id, 0)));
}

/* Called when operations were found and start now. A server restarts the time for which it has been idle. */
WEIR_FN void weir_note_found_(weir_combiner c, weir_combiner_call *call, weir_site site)
{
	weir_notes n = weir_combiner_open_(c, site);

	if (n.area != 0) {
		weir_note_put_(n.mine, WEIR_NOTE_COMBINES, weir_notes_ms_());
		if (call->serves)
			weir_note_served_(n);
	}
	if (call->serves)
		call->idle = weir_wait_begin(c.config.backoff);
	weir_area_leave_();
}

/* Called by thread 0 after a release. */
WEIR_FN void weir_note_released_(weir_notes n, const weir_combiner_call *call)
{
	if (call->serves && n.area != 0) {
		weir_note_entry_(n, weir_note_site_(n));
		weir_note_served_(n);
	}
	weir_note_combiner_(n, call->serves ? WEIR_COMBINER_SERVES | WEIR_COMBINER_LEFT : 0);
}

#endif

#endif
