/* Diagnosis of events: the part of weir/diagnose.h for them. Each function of weir/event becomes a
 * macro that passes its call site to a function of the same name with _at_.
 *
 *   a signal   adds to the sum of the event's signals, and notes its block as one of the last. Both
 *              come after it, and no thread waits for them. So a sum is at most the count, unless
 *              something else than a signal wrote to the event.
 *   a wait     that finds its target reached leaves no notes. Another one notes what it waits for
 *              after WEIR_NOTES_LOOK polls, and publishes that after a millisecond. When several
 *              threads of a block wait, one of them speaks.
 *   a target   of a launch (weir_event_target) tells how many signals a launch makes. A wait notes
 *              that if thread 0 makes the target in the wait's own argument, and so does a latch or
 *              a sequence. Other targets tell nothing.
 *
 * Signals of kernels without notes, and of the host, are in the count alone.
 */
#ifndef WEIR_DEVICE_H
#include "weir/device.h" /* includes weir/diagnose.h in its place, and that this one */
#endif

#ifndef WEIR_DIAGNOSIS_EVENT_H
#define WEIR_DIAGNOSIS_EVENT_H

/* The first word of the array of an event. */
WEIR_FN WEIR_GLOBAL weir_word *weir_event_base_(weir_event e)
{
	return e.words - (uint64_t)(e.config.index + WEIR_EVENT_HEAD) * e.config.pitch;
}

/* The block's first operation on the array in a launch also says where the array is, and that the
 * launch uses it: before the first signal. */
WEIR_NOINLINE uint64_t weir_events_first_(WEIR_GLOBAL weir_word *base, uint32_t id, uint32_t pitch,
                                          weir_site site)
{
	WEIR_GLOBAL weir_word *header = base - WEIR_HEADER_WORDS;
	uint64_t address = weir_notes_first_(header, id, site);
	weir_notes n = weir_notes_at_(address, id, site);

	if (address == 0 || weir_note_get_(n.mine, WEIR_NOTE_SITE(id)) != 0)
		return address;
	weir_pair_store_(n.area + WEIR_OBJECT_AT(id), (uint64_t)(size_t)base);
	/* Relaxed, both: the round does not change while this block runs, and the host reads the
	 * header as it comes. */
	weir_store_rlx(header + WEIR_HEADER_CAME, weir_load_rlx(base + pitch) + 1);
	weir_note_entry_(n, 0);
	return address;
}

WEIR_FN weir_notes weir_events_open_(WEIR_GLOBAL weir_word *base, uint32_t id, uint32_t pitch,
                                     weir_site site)
{
	uint64_t address;

	if (id == 0 || weir_block_id() >= WEIR_BLOCKS)
		return weir_notes_at_(0, id, site);
	address = weir_area_begun_(id);
	if (!WEIR_LIKELY(address != 0))
		address = weir_events_first_(base, id, pitch, site);
	return weir_notes_at_(address, id, site);
}

WEIR_FN weir_notes weir_event_open_(weir_event e, weir_site site)
{
	return weir_events_open_(weir_event_base_(e), e.config.id, e.config.pitch, site);
}

/* Whether the kernel lacks the kind, or the launch has been aborted: the operation is left out. */
WEIR_FN int weir_event_left_out_(weir_notes n, weir_event e)
{
	if (!WEIR_HAS_THREAD_END && weir_notes_aborted_(n))
		return 1;
	return !WEIR_LIKELY(WEIR_FITS_(EVENT, e.config)) &&
	       weir_note_fault_(weir_event_base_(e), e.config.id, n.site, WEIR_FAULT_EVENT,
	                        e.config.kind);
}

/* Whether a signal can add `n`. Else it adds nothing, and is reported. */
WEIR_FN int weir_event_can_add_(weir_notes n, weir_event e, uint32_t amount)
{
	if (WEIR_LIKELY(amount - 1 < 0x80000000u))
		return 1;
	if (n.area != 0)
		weir_note_misuse_(n, WEIR_MISUSE_AMOUNT, e.config.index, amount);
	return 0;
}

/* The record of the event. Its index is below WEIR_EVENTS_NOTED. */
WEIR_FN WEIR_GLOBAL weir_word *weir_event_signals_(weir_event e)
{
	return weir_event_base_(e) - WEIR_HEADER_WORDS -
	       (e.config.index + 1) * (uint32_t)WEIR_SIGNALS_WORDS;
}

WEIR_FN int weir_event_is_noted_(weir_event e)
{
	return e.config.id != 0 && e.config.index < WEIR_EVENTS_NOTED;
}

/* Follows a signal. Relaxed, both: the host reads them as they come. */
WEIR_FN void weir_note_signal_(weir_event e, uint32_t amount)
{
	uint32_t slot = weir_block_id() % WEIR_SIGNALS_SLOTS;

	if (weir_event_is_noted_(e)) {
		weir_red_add_rlx(weir_event_signals_(e) + WEIR_SIGNALS_SUM(slot), amount);
		weir_store_rlx(weir_event_signals_(e) + WEIR_SIGNALS_LAST(slot),
		               weir_block_id() + 1);
	}
	weir_area_leave_();
}

WEIR_FN void weir_event_start_at_(weir_event e, uint32_t past)
{
	weir_event_start(e, past);
	/* Relaxed: the launch that uses the event orders these stores. */
	for (uint32_t slot = 0; slot < WEIR_SIGNALS_SLOTS && weir_event_is_noted_(e); slot++)
		weir_store_rlx(weir_event_signals_(e) + WEIR_SIGNALS_SUM(slot),
		               slot == 0 ? past : 0);
}

/* What a launch signals, from a target to the wait that it is an argument of. */
#ifndef WEIR_HAS_OWN_EACH
WEIR_FN void weir_each_put_(uint32_t each)
{
	uint64_t address = weir_block_id() < WEIR_BLOCKS ? weir_area_now_() : 0;

	if (address != 0 && weir_thread_id() == 0)
		weir_note_keep_(weir_notes_of_(weir_area_at_(address)), WEIR_NOTE_EACH, each);
}

WEIR_FN uint32_t weir_each_get_(weir_notes n)
{
	return n.area != 0 && weir_thread_id() == 0 ? weir_note_get_(n.mine, WEIR_NOTE_EACH) : 0;
}
#endif

/* Relaxed: the host reads it as it comes, and all write the same. */
WEIR_FN void weir_note_each_(weir_event e, uint32_t each)
{
	if (each != 0 && weir_thread_id() == 0 && weir_event_is_noted_(e))
		weir_store_rlx(weir_event_signals_(e) + WEIR_SIGNALS_EACH, each);
}

WEIR_FN uint32_t weir_event_target_at_(uint32_t round, uint32_t each, uint32_t count)
{
	weir_each_put_(each);
	return weir_event_target(round, each, count);
}

/* Opens the notes, so that a target finds them. */
WEIR_FN uint32_t weir_event_round_at_(weir_event_array a, weir_site site)
{
	if (weir_thread_id() == 0)
		weir_events_open_(a.words, a.config.id, a.config.pitch, site);
	weir_area_leave_();
	return weir_event_array_round(a);
}

/* An index past the array ends the launch. Where a thread cannot end, all later operations of the
 * block are left out. */
WEIR_FN weir_event weir_event_at_at_(weir_event_array a, uint32_t index, weir_site site)
{
	if (!WEIR_LIKELY(index < a.config.length)) {
		weir_note_fault_(a.words, a.config.id, site, WEIR_FAULT_INDEX, index);
		index = 0;
	}
	return weir_event_at(a, index);
}

WEIR_FN uint32_t weir_event_signal_at_(weir_event e, uint32_t n, weir_site site)
{
	weir_notes notes = weir_event_open_(e, site);
	uint32_t before;

	if (weir_event_left_out_(notes, e))
		return 0;
	if (WEIR_KIND_(EVENT, e.config) == WEIR_EVENT_SHARDS) {
		weir_note_fault_(weir_event_base_(e), e.config.id, site, WEIR_FAULT_RESULT,
		                 e.config.kind);
		return 0;
	}
	if (!weir_event_can_add_(notes, e, n)) {
		weir_area_leave_();
		return weir_event_count(e);
	}
	before = weir_event_signal(e, n);
	weir_note_signal_(e, n);
	return before;
}

WEIR_FN void weir_event_post_at_(weir_event e, uint32_t n, weir_site site)
{
	weir_notes notes = weir_event_open_(e, site);

	if (weir_event_left_out_(notes, e))
		return;
	if (!weir_event_can_add_(notes, e, n)) {
		weir_area_leave_();
		return;
	}
	weir_event_post(e, n);
	weir_note_signal_(e, n);
}

WEIR_FN void weir_event_post_bulk_at_(weir_event e, uint32_t n, weir_site site)
{
	weir_bulk_wait();
	weir_event_post_at_(e, n, site);
}

/* Reports a target so far from the count that one of them is probably wrong. From 2^31 on, a target
 * ahead counts as reached. */
WEIR_FN void weir_note_far_(weir_notes n, weir_event e, uint32_t count, uint32_t target)
{
	if (!WEIR_LIKELY(count - target + WEIR_FAR <= 2 * WEIR_FAR) && n.area != 0)
		weir_note_misuse_(n, WEIR_MISUSE_FAR, e.config.index,
		                  (uint64_t)count << 32 | target);
}

WEIR_FN uint32_t weir_event_count_at_(weir_event e, weir_site site)
{
	weir_notes n = weir_event_open_(e, site);
	int left_out = weir_event_left_out_(n, e);

	weir_area_leave_();
	return left_out ? 0 : weir_event_count(e);
}

WEIR_FN int weir_event_reached_at_(weir_event e, uint32_t target, weir_site site)
{
	weir_notes n = weir_event_open_(e, site);
	uint32_t count;

	if (weir_event_left_out_(n, e))
		return 0;
	count = weir_event_count(e);
	weir_note_each_(e, weir_each_get_(n));
	weir_note_far_(n, e, count, target);
	weir_area_leave_();
	if (!weir_event_is_past_(count, target))
		return 0;
	weir_event_acquire_(e);
	return 1;
}

/* What a wait is for: `range` events from that one on, any of which will do. */
typedef struct weir_event_want {
	weir_event event;
	uint32_t range;
	uint32_t target;
} weir_event_want;

WEIR_FN weir_event_want weir_event_want_(weir_event e, uint32_t range, uint32_t target)
{
	weir_event_want want;
	want.event = e;
	want.range = range;
	want.target = target;
	return want;
}

/* Notes a wait, whether this thread speaks now or only later. */
WEIR_FN weir_doing weir_note_want_begin_(weir_notes n)
{
	if (n.area == 0)
		return weir_doing_(0);
	weir_note_entry_(n, weir_note_site_(n));
	weir_note_begin_(n, WEIR_OPERATION_WAIT);
	return weir_doing_(WEIR_DOING(WEIR_OPERATION_WAIT, n.id, weir_thread_id()));
}

/* Follows a close look of a wait. This thread speaks from now on if no other does. */
WEIR_NOINLINE void weir_note_want_(WEIR_GLOBAL weir_word *mine, uint32_t note, uint32_t index,
                                   uint32_t range, uint32_t target, uint32_t count)
{
	uint32_t doing = weir_note_swap_(mine, WEIR_NOTE_DOING, 0, note);

	if (doing != 0 && doing != note)
		return;
	weir_note_put_(mine, WEIR_NOTE_INDEX, index);
	weir_note_put_(mine, WEIR_NOTE_RANGE, range);
	weir_note_put_(mine, WEIR_NOTE_TARGET, target);
	weir_note_put_(mine, WEIR_NOTE_SAW, count);
}

/* Follows a failed poll that saw `count`. Returns whether the wait goes on. */
WEIR_FN int weir_event_wait_on_(weir_wait *wait, weir_notes n, weir_doing doing,
                                weir_event_want want, uint32_t count)
{
	if (weir_wait_aborted(wait))
		return 0;
	weir_wait_again(wait);
	if (!WEIR_LIKELY((wait->notes.polls & ~WEIR_WAIT_FLAGS) != 0) && doing.note != 0)
		weir_note_want_(n.mine, doing.note, want.event.config.index, want.range,
		                want.target, count);
	return 1;
}

WEIR_FN void weir_event_wait_at_(weir_event e, uint32_t target, weir_site site)
{
	weir_notes n = weir_event_open_(e, site);
	uint32_t count;

	if (weir_event_left_out_(n, e))
		return;
	weir_note_each_(e, weir_each_get_(n));
	count = weir_event_count(e); /* the first poll */
	weir_note_far_(n, e, count, target);
	if (!weir_event_is_past_(count, target)) {
		weir_doing doing = weir_note_want_begin_(n);
		weir_wait wait = weir_wait_begin(weir_no_backoff());
		while (!weir_event_is_past_(count, target) &&
		       weir_event_wait_on_(&wait, n, doing, weir_event_want_(e, 1, target), count))
			count = weir_event_count(e);
		weir_wait_end(&wait);
		weir_note_end_(weir_event_base_(e), doing);
	}
	weir_area_leave_();
	weir_event_acquire_(e);
}

WEIR_FN void weir_event_wait_all_at_(weir_event_array a, uint32_t first, uint32_t count,
                                     uint32_t target, weir_site site)
{
	for (uint32_t i = 0; i < count; i++)
		weir_event_wait_at_(weir_event_at_at_(a, first + i, site), target, site);
}

WEIR_FN uint32_t weir_event_find_at_(weir_event_array a, uint32_t first, uint32_t count,
                                     uint32_t target, weir_site site)
{
	for (uint32_t i = 0; i < count; i++)
		if (weir_event_reached_at_(weir_event_at_at_(a, first + i, site), target, site))
			return first + i;
	return first + count;
}

WEIR_FN uint32_t weir_event_wait_any_at_(weir_event_array a, uint32_t first, uint32_t count,
                                         uint32_t target, weir_site site)
{
	uint32_t found = weir_event_find_at_(a, first, count, target, site);

	if (found == first + count && count != 0) {
		weir_event e = weir_event_at(a, first);
		weir_notes n = weir_event_open_(e, site);
		weir_doing doing = weir_note_want_begin_(n);
		weir_wait wait = weir_wait_begin(weir_no_backoff());
		while ((found = weir_event_find_(a, first, count, target)) == first + count &&
		       weir_event_wait_on_(&wait, n, doing, weir_event_want_(e, count, target),
		                           weir_event_count(e)))
			;
		weir_wait_end(&wait);
		weir_note_end_(a.words, doing);
	}
	return found;
}

#if WEIR_HAS_DEADLINE
/* These leave no notes, since they end by themselves; an abort ends them before. */
WEIR_FN weir_status weir_event_wait_for_at_(weir_event e, uint32_t target, uint64_t ns,
                                            weir_site site)
{
	weir_notes n = weir_event_open_(e, site);
	weir_status result;

	if (weir_event_left_out_(n, e))
		return WEIR_ABORTED;
	weir_note_each_(e, weir_each_get_(n));
	weir_note_far_(n, e, weir_event_count(e), target);
	result = weir_event_wait_for(e, target, ns);
	weir_area_leave_();
	return result;
}

/* Whether the range is in the array, and the kernel has its kind. */
WEIR_FN int weir_event_has_range_(weir_event_array a, uint32_t first, uint32_t count,
                                  weir_site site)
{
	weir_event e;

	if (count == 0)
		return 1;
	e = weir_event_at_at_(a, first + count - 1 < first ? 0xffffffffu : first + count - 1, site);
	return !weir_event_left_out_(weir_event_open_(e, site), e);
}

WEIR_FN weir_status weir_event_wait_all_for_at_(weir_event_array a, uint32_t first, uint32_t count,
                                                uint32_t target, uint64_t ns, weir_site site)
{
	weir_status result = WEIR_ABORTED;

	if (weir_event_has_range_(a, first, count, site))
		result = weir_event_array_wait_all_for(a, first, count, target, ns);
	weir_area_leave_();
	return result;
}

WEIR_FN weir_status weir_event_wait_any_for_at_(weir_event_array a, uint32_t first, uint32_t count,
                                                uint32_t target, uint64_t ns, uint32_t *found,
                                                weir_site site)
{
	weir_status result = WEIR_ABORTED;

	*found = first + count;
	if (weir_event_has_range_(a, first, count, site))
		result = weir_event_array_wait_any_for(a, first, count, target, ns, found);
	weir_area_leave_();
	return result;
}
#endif

WEIR_FN void weir_event_block_post_at_(weir_event e, uint32_t n, weir_site site)
{
	weir_block_sync(); /* the block's writes precede the leader's release */
	if (weir_thread_id() == 0)
		weir_event_post_at_(e, n, site);
}

WEIR_FN void weir_event_block_post_bulk_at_(weir_event e, uint32_t n, weir_site site)
{
	weir_bulk_wait();
	weir_event_block_post_at_(e, n, site);
}

WEIR_FN void weir_event_block_wait_at_(weir_event e, uint32_t target, weir_site site)
{
	if (weir_thread_id() == 0)
		weir_event_wait_at_(e, target, site);
	weir_block_sync(); /* extends the leader's acquire to its block */
}

WEIR_FN void weir_event_block_wait_all_at_(weir_event_array a, uint32_t first, uint32_t count,
                                           uint32_t target, weir_site site)
{
	for (uint32_t i = weir_thread_id(); i < count; i += weir_thread_count())
		weir_event_wait_at_(weir_event_at_at_(a, first + i, site), target, site);
	weir_block_sync(); /* extends each thread's acquires to all */
}

#if WEIR_HAS_BLOCK_VALUE
WEIR_FN uint32_t weir_event_block_signal_at_(weir_event e, uint32_t n, weir_site site)
{
	uint32_t before = 0;

	weir_block_sync(); /* the block's writes precede the leader's release */
	if (weir_thread_id() == 0)
		before = weir_event_signal_at_(e, n, site);
	return weir_block_value(before); /* its sync extends the leader's acquire to its block */
}

WEIR_FN uint32_t weir_event_block_wait_any_at_(weir_event_array a, uint32_t first, uint32_t count,
                                               uint32_t target, weir_site site)
{
	uint32_t found = 0;

	weir_block_sync(); /* all have read the value before */
	if (weir_thread_id() == 0)
		found = weir_event_wait_any_at_(a, first, count, target, site);
	return weir_block_value(found); /* its sync extends the leader's acquire to its block */
}
#endif

#if WEIR_HAS_TEAMS
WEIR_FN void weir_event_team_post_at_(weir_event e, uint32_t n, weir_team team, weir_site site)
{
	weir_team_sync(team); /* the team's writes precede the leader's release */
	if (weir_team_rank(team) == 0)
		weir_event_post_at_(e, n, site);
}

WEIR_FN void weir_event_team_post_bulk_at_(weir_event e, uint32_t n, weir_team team, weir_site site)
{
	weir_bulk_wait();
	weir_event_team_post_at_(e, n, team, site);
}

WEIR_FN void weir_event_team_wait_at_(weir_event e, uint32_t target, weir_team team, weir_site site)
{
	if (weir_team_rank(team) == 0)
		weir_event_wait_at_(e, target, site);
	weir_team_sync(team); /* extends the leader's acquire to its team */
}

WEIR_FN void weir_event_team_wait_all_at_(weir_event_array a, uint32_t first, uint32_t count,
                                          uint32_t target, weir_team team, weir_site site)
{
	for (uint32_t i = weir_team_rank(team); i < count; i += team.threads)
		weir_event_wait_at_(weir_event_at_at_(a, first + i, site), target, site);
	weir_team_sync(team); /* extends each thread's acquires to all */
}

#if WEIR_HAS_BLOCK_VALUE
WEIR_FN uint32_t weir_event_team_signal_at_(weir_event e, uint32_t n, weir_team team,
                                            weir_site site)
{
	uint32_t before = 0;

	weir_team_sync(team); /* the team's writes precede the leader's release */
	if (weir_team_rank(team) == 0)
		before = weir_event_signal_at_(e, n, site);
	return weir_team_value(team, before); /* its sync extends the leader's acquire */
}

WEIR_FN uint32_t weir_event_team_wait_any_at_(weir_event_array a, uint32_t first, uint32_t count,
                                              uint32_t target, weir_team team, weir_site site)
{
	uint32_t found = 0;

	weir_team_sync(team); /* all have read the value before */
	if (weir_team_rank(team) == 0)
		found = weir_event_wait_any_at_(a, first, count, target, site);
	return weir_team_value(team, found); /* its sync extends the leader's acquire */
}
#endif
#endif

WEIR_FN weir_latch weir_latch_of_at_(weir_event e, uint32_t count, uint32_t round)
{
	weir_note_each_(e, count);
	return weir_latch_of(e, count, round);
}

WEIR_FN weir_sequence weir_sequence_of_at_(weir_event e, uint32_t places, uint32_t round)
{
	weir_note_each_(e, places);
	return weir_sequence_of(e, places, round);
}

WEIR_FN int weir_latch_arrive_is_last_at_(weir_latch l, uint32_t n, weir_site site)
{
	return weir_event_signal_at_(l.event, n, site) + n == l.target;
}

#if WEIR_HAS_BLOCK_VALUE
WEIR_FN int weir_latch_block_arrive_is_last_at_(weir_latch l, uint32_t n, weir_site site)
{
	return weir_event_block_signal_at_(l.event, n, site) + n == l.target;
}
#endif

WEIR_FN void weir_latch_arrive_at_(weir_latch l, uint32_t n, weir_site site)
{
	weir_event_post_at_(l.event, n, site);
}

WEIR_FN void weir_latch_block_arrive_at_(weir_latch l, uint32_t n, weir_site site)
{
	weir_event_block_post_at_(l.event, n, site);
}

WEIR_FN void weir_latch_wait_at_(weir_latch l, weir_site site)
{
	weir_event_wait_at_(l.event, l.target, site);
}

WEIR_FN void weir_latch_block_wait_at_(weir_latch l, weir_site site)
{
	weir_event_block_wait_at_(l.event, l.target, site);
}

WEIR_FN int weir_latch_is_open_at_(weir_latch l, weir_site site)
{
	return weir_event_reached_at_(l.event, l.target, site);
}

WEIR_FN void weir_sequence_enter_at_(weir_sequence s, uint32_t place, weir_site site)
{
	weir_event_wait_at_(s.event, s.begin + place, site);
}

WEIR_FN void weir_sequence_block_enter_at_(weir_sequence s, uint32_t place, weir_site site)
{
	weir_event_block_wait_at_(s.event, s.begin + place, site);
}

WEIR_FN void weir_sequence_leave_at_(weir_sequence s, weir_site site)
{
	weir_event_post_at_(s.event, 1, site);
}

WEIR_FN void weir_sequence_block_leave_at_(weir_sequence s, weir_site site)
{
	weir_event_block_post_at_(s.event, 1, site);
}

/* A target with what it says of a launch. What an earlier one said does not count. */
#define WEIR_TARGET_(target) (weir_each_put_(0), (target))

#define weir_event_at(a, index) weir_event_at_at_(a, index, WEIR_HERE_)
#define weir_event_start(e, past) weir_event_start_at_(e, past)
#define weir_event_array_round(a) weir_event_round_at_(a, WEIR_HERE_)
#define weir_event_target(round, each, count) weir_event_target_at_(round, each, count)
#define weir_event_signal(e, n) weir_event_signal_at_(e, n, WEIR_HERE_)
#define weir_event_post(e, n) weir_event_post_at_(e, n, WEIR_HERE_)
#define weir_event_post_bulk(e, n) weir_event_post_bulk_at_(e, n, WEIR_HERE_)
#define weir_event_count(e) weir_event_count_at_(e, WEIR_HERE_)
#define weir_event_reached(e, target) weir_event_reached_at_(e, WEIR_TARGET_(target), WEIR_HERE_)
#define weir_event_wait(e, target) weir_event_wait_at_(e, WEIR_TARGET_(target), WEIR_HERE_)
#define weir_event_array_wait_all(a, first, count, target)                                         \
	weir_event_wait_all_at_(a, first, count, WEIR_TARGET_(target), WEIR_HERE_)
#define weir_event_array_wait_any(a, first, count, target)                                         \
	weir_event_wait_any_at_(a, first, count, WEIR_TARGET_(target), WEIR_HERE_)
#define weir_event_wait_for(e, target, ns)                                                         \
	weir_event_wait_for_at_(e, WEIR_TARGET_(target), ns, WEIR_HERE_)
#define weir_event_array_wait_all_for(a, first, count, target, ns)                                 \
	weir_event_wait_all_for_at_(a, first, count, WEIR_TARGET_(target), ns, WEIR_HERE_)
#define weir_event_array_wait_any_for(a, first, count, target, ns, found)                          \
	weir_event_wait_any_for_at_(a, first, count, WEIR_TARGET_(target), ns, found, WEIR_HERE_)
#define weir_event_block_post(e, n) weir_event_block_post_at_(e, n, WEIR_HERE_)
#define weir_event_block_post_bulk(e, n) weir_event_block_post_bulk_at_(e, n, WEIR_HERE_)
#define weir_event_block_signal(e, n) weir_event_block_signal_at_(e, n, WEIR_HERE_)
#define weir_event_block_wait(e, target)                                                           \
	weir_event_block_wait_at_(e, WEIR_TARGET_(target), WEIR_HERE_)
#define weir_event_array_block_wait_all(a, first, count, target)                                   \
	weir_event_block_wait_all_at_(a, first, count, WEIR_TARGET_(target), WEIR_HERE_)
#define weir_event_array_block_wait_any(a, first, count, target)                                   \
	weir_event_block_wait_any_at_(a, first, count, WEIR_TARGET_(target), WEIR_HERE_)
#define weir_event_team_post(e, n, team) weir_event_team_post_at_(e, n, team, WEIR_HERE_)
#define weir_event_team_post_bulk(e, n, team) weir_event_team_post_bulk_at_(e, n, team, WEIR_HERE_)
#define weir_event_team_signal(e, n, team) weir_event_team_signal_at_(e, n, team, WEIR_HERE_)
#define weir_event_team_wait(e, target, team)                                                      \
	weir_event_team_wait_at_(e, WEIR_TARGET_(target), team, WEIR_HERE_)
#define weir_event_array_team_wait_all(a, first, count, target, team)                              \
	weir_event_team_wait_all_at_(a, first, count, WEIR_TARGET_(target), team, WEIR_HERE_)
#define weir_event_array_team_wait_any(a, first, count, target, team)                              \
	weir_event_team_wait_any_at_(a, first, count, WEIR_TARGET_(target), team, WEIR_HERE_)
#define weir_latch_of(e, count, round) weir_latch_of_at_(e, count, round)
#define weir_latch_arrive(l, n) weir_latch_arrive_at_(l, n, WEIR_HERE_)
#define weir_latch_arrive_is_last(l, n) weir_latch_arrive_is_last_at_(l, n, WEIR_HERE_)
#define weir_latch_wait(l) weir_latch_wait_at_(l, WEIR_HERE_)
#define weir_latch_is_open(l) weir_latch_is_open_at_(l, WEIR_HERE_)
#define weir_latch_block_arrive(l, n) weir_latch_block_arrive_at_(l, n, WEIR_HERE_)
#define weir_latch_block_arrive_is_last(l, n) weir_latch_block_arrive_is_last_at_(l, n, WEIR_HERE_)
#define weir_latch_block_wait(l) weir_latch_block_wait_at_(l, WEIR_HERE_)
#define weir_sequence_of(e, places, round) weir_sequence_of_at_(e, places, round)
#define weir_sequence_begin(s, place) weir_sequence_enter_at_(s, place, WEIR_HERE_)
#define weir_sequence_end(s) weir_sequence_leave_at_(s, WEIR_HERE_)
#define weir_sequence_block_begin(s, place) weir_sequence_block_enter_at_(s, place, WEIR_HERE_)
#define weir_sequence_block_end(s) weir_sequence_block_leave_at_(s, WEIR_HERE_)

#endif
