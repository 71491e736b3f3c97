/* Diagnosis of onces: the part of weir/diagnose.h for them. Each function of weir/once becomes a macro
 * that passes its call site to a function of the same name with _at_.
 *
 *   a begin   notes that the block is in it. The block that initializes has the once until its end. If
 *             it begins again before that, it waits for itself, and is reported.
 *   an end    by a block that does not have the once is reported.
 *
 * When the once is done, a begin leaves no notes.
 */
#ifndef WEIR_DEVICE_H
#include "weir/device.h" /* includes weir/diagnose.h in its place, and that this one */
#endif

#ifndef WEIR_DIAGNOSIS_ONCE_H
#define WEIR_DIAGNOSIS_ONCE_H

/* Precedes a begin of a once that is not done. */
WEIR_NOINLINE void weir_note_once_(weir_notes n)
{
	weir_site before;

	if (n.area == 0)
		return;
	before = weir_note_site_(n);
	if (weir_note_has_(n, n.id))
		weir_note_misuse_(n, WEIR_MISUSE_BEGUN_TWICE, 0, before);
	weir_note_entry_(n, before);
}

/* Follows it. */
WEIR_FN void weir_note_begun_(weir_notes n, int is_mine)
{
	if (n.area != 0 && is_mine)
		weir_note_held_(n, 1);
}

WEIR_FN int weir_once_begin_at_(weir_once o, weir_site site)
{
	weir_notes n = weir_notes_open_(o.words, o.config.id, site);
	weir_doing doing = weir_doing_(0);
	int is_mine = 0;

	if (!WEIR_HAS_THREAD_END && weir_notes_aborted_(n))
		return 0;
	if (!weir_once_is_done(o)) {
		weir_note_once_(n);
		if (n.area != 0)
			doing = weir_note_begin_(n, WEIR_OPERATION_BEGIN);
		is_mine = weir_once_begin(o);
		weir_note_begun_(n, is_mine);
	}
	weir_note_end_(o.words, doing);
	return is_mine;
}

#if WEIR_HAS_DEADLINE
WEIR_FN weir_result weir_once_begin_for_at_(weir_once o, uint64_t ns, int *is_mine, weir_site site)
{
	weir_notes n = weir_notes_open_(o.words, o.config.id, site);
	weir_result result;

	*is_mine = 0;
	if (!WEIR_HAS_THREAD_END && weir_notes_aborted_(n))
		return WEIR_ABORTED;
	weir_note_once_(n);
	result = weir_once_begin_for(o, ns, is_mine);
	weir_note_begun_(n, *is_mine);
	weir_area_leave_();
	return result;
}

#define weir_once_begin_for(o, ns, is_mine) weir_once_begin_for_at_(o, ns, is_mine, WEIR_HERE_)
#endif

WEIR_FN void weir_once_end_at_(weir_once o, weir_site site)
{
	if (WEIR_ABORTED_(o, site))
		return;
	weir_once_end(o);
	weir_note_unlock_(o.words, o.config.id, site);
}

#if WEIR_HAS_BLOCK_VALUE

WEIR_FN int weir_once_block_begin_at_(weir_once o, weir_site site)
{
	uint32_t is_mine = 0;

	weir_block_sync(); /* all have read the value before */
	if (weir_thread_id() == 0)
		is_mine = (uint32_t)weir_once_begin_at_(o, site);
	return (int)weir_block_value(is_mine); /* its sync extends the acquire to the block */
}

#define weir_once_block_begin(o) weir_once_block_begin_at_(o, WEIR_HERE_)

#endif

WEIR_FN void weir_once_block_end_at_(weir_once o, weir_site site)
{
	weir_block_sync(); /* the block's writes precede the leader's release */
	if (weir_thread_id() == 0)
		weir_once_end_at_(o, site);
}

#define weir_once_begin(o) weir_once_begin_at_(o, WEIR_HERE_)
#define weir_once_end(o) weir_once_end_at_(o, WEIR_HERE_)
#define weir_once_block_end(o) weir_once_block_end_at_(o, WEIR_HERE_)

#endif
