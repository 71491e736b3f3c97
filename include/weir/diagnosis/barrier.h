/* Hooks of a barrier (weir/barrier/api.h). They count the block's arrivals, and note that it is at the
 * barrier from its arrival until it has passed. One thread reports for the block: weir_speaks_. */
#ifndef WEIR_DIAGNOSIS_BARRIER_H
#define WEIR_DIAGNOSIS_BARRIER_H

#include "weir/barrier/object.h"

/* Notes that the block is at the barrier. */
WEIR_FN void weir_note_barrier_(weir_notes *n)
{
	n->doing = WEIR_DOING(WEIR_OPERATION_BARRIER, n->id, weir_thread_id());
	weir_note_keep_(n->mine, WEIR_NOTE_BARRIER, n->doing);
}

/* Called by every thread of the block before it arrives. The notes of an arrival stay in the block's own
 * copy: a store to the area would delay the release. Only the reporting thread writes them. */
WEIR_FN weir_notes weir_note_arrive_(weir_barrier b, weir_site site)
{
	weir_notes n = weir_notes_at_(0, 0, site);

	/* The conditions of weir_notes_open_ are repeated here so that the other warps skip all of this at once. */
	if (weir_speaks_() && b.config.id != 0 && weir_block_id() < WEIR_BLOCKS) {
		n = weir_notes_open_(b.words, b.config.id, site);
		if (weir_notes_usable_(n)) {
			weir_note_add_(n.mine, WEIR_NOTE_COUNT(n.id), 1);
			weir_note_keep_pair_(n.mine, WEIR_NOTE_SITE(n.id), site);
			weir_note_barrier_(&n);
		}
	}
#if WEIR_COUNTS_THREADS
	if (n.area != 0)
		weir_note_put_(n.mine, WEIR_NOTE_OF, weir_thread_count());
	if (b.config.id != 0 && weir_block_id() < WEIR_BLOCKS) {
		uint64_t address = weir_notes_begin_(b.words - WEIR_HEADER_WORDS);
		/* Relaxed: block syncs of the barrier separate this from the reporting thread's load. */
		if (address != 0)
			weir_add_rlx(weir_notes_of_(weir_area_at_(address)) + WEIR_NOTE_THREADS, 1);
	}
#endif
	return n;
}

/* Called by every thread, at a point where all threads of the block must have arrived. */
WEIR_FN void weir_note_pass_(weir_barrier b, weir_notes n)
{
#if WEIR_COUNTS_THREADS
	if (n.area != 0) {
		uint32_t came = weir_note_get_(n.mine, WEIR_NOTE_THREADS);
		weir_note_put_(n.mine, WEIR_NOTE_THREADS, 0);
		if (came < weir_thread_count())
			weir_note_misuse_(n, WEIR_MISUSE_FEWER_THREADS, 0, came);
	}
	if (b.config.id != 0)
		weir_block_sync(); /* no thread enters the next barrier before the count is read */
#else
	(void)b;
#endif
	if (n.doing != 0)
		weir_note_keep_(n.mine, WEIR_NOTE_BARRIER, 0);
	weir_area_leave_();
}

/* Called after an arrival that does not wait. */
WEIR_FN void weir_note_arrived_(weir_notes n)
{
	if (n.area != 0) {
		weir_note_publish_entry_(n.mine, n.id);
		weir_note_keep_(n.mine, WEIR_NOTE_BARRIER, 0);
	}
	weir_area_leave_();
}

/* Called before the wait that follows such an arrival. */
WEIR_FN weir_notes weir_note_barrier_await_(weir_barrier b, weir_site site)
{
	weir_notes n = weir_notes_open_(b.words, weir_speaks_() ? b.config.id : 0, site);

	if (n.area != 0) {
		weir_note_entry_(n, weir_note_site_(n));
		weir_note_barrier_(&n);
	}
#if WEIR_COUNTS_THREADS
	/* Each thread needs the area for its waits, and left it after the arrival. */
	if (b.config.id != 0 && weir_block_id() < WEIR_BLOCKS)
		weir_notes_begin_(b.words - WEIR_HEADER_WORDS);
#endif
	return n;
}

#endif
