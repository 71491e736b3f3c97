/* Diagnosis (WEIR_DIAGNOSE): a layer around the functions of weir/device.h. Each of them becomes a
 * macro that passes its call site to a function of the same name with _at_. That function leaves
 * notes for the host about what the block does (weir/diagnosis/notes.h).
 *
 * The objects that take part were created with options.diagnose; others cost a comparison. One
 * thread of a block at a time speaks for it: locks that single threads take for themselves are not
 * diagnosed. An operation clears only its own notes.
 *
 * The bit of a mutex is set before the wait for it and cleared after its unlock, so that nothing is
 * stored in between. The block holds the mutex when the bit is set and no note says that the block
 * waits for it. A barrier counts the block's arrivals, a semaphore the slots that the block has.
 * Checks come before a wait or after a release.
 */
#ifndef WEIR_DEVICE_H
#include "weir/device.h" /* includes this one in its place */
#endif

#ifndef WEIR_DIAGNOSE_H
#define WEIR_DIAGNOSE_H

WEIR_NOINLINE weir_doing weir_note_lock_(WEIR_GLOBAL weir_word *words, uint32_t id, weir_site site)
{
	weir_notes n = weir_notes_open_(words, id, site);
	uint32_t bit = 1u << id % 32;
	uint32_t low, high, other;
	weir_doing doing;
	weir_site before;

	if (n.area == 0 || (!WEIR_HAS_THREAD_END && weir_notes_aborted_(n)))
		return weir_doing_(0);
	low = weir_note_get_(n.mine, WEIR_NOTE_HELD);
	high = weir_note_get_(n.mine, WEIR_NOTE_HELD + 1);
	other = weir_note_get_(n.mine, WEIR_NOTE_DOING);
	before = weir_note_site_(n);
	if ((low | high) != 0) {
		/* It is no second lock while another thread of the block is still in the first. */
		if (((id < 32 ? low : high) & bit) != 0 &&
		    (other == 0 || WEIR_DOING_THREAD(other) == weir_thread_id()))
			weir_note_misuse_(n, WEIR_MISUSE_LOCKED_TWICE, 0, before);
		weir_note_order_(n, low, 0);
		weir_note_order_(n, high, 32);
	}
	weir_note_entry_(n, before);
	doing = weir_note_begin_(n, WEIR_OPERATION_LOCK);
	weir_note_put_(n.mine, WEIR_NOTE_HELD + id / 32, (id < 32 ? low : high) | bit);
	weir_flush_writes(); /* else the unlock would wait for the stores to the area */
	return doing;
}

WEIR_FN void weir_mutex_lock_at_(weir_mutex m, weir_site site)
{
	weir_doing doing = weir_note_lock_(m.words, m.config.id, site);

	if (WEIR_LEFT_OUT_(MUTEX, m, site))
		return;
	weir_mutex_lock(m);
	weir_note_end_(m.words, doing);
}

/* Returns whether the mutex is unlocked. */
WEIR_FN int weir_mutex_unlock_kind_(weir_mutex m, uint32_t kind, weir_site site)
{
	WEIR_DISPATCH_OR_(MUTEX, kind, _unlock, (m), return !WEIR_NOTE_FAULT_(MUTEX, m, site));
	return 1;
}

#define WEIR_UNLOCK_KIND_(m, kind) unlocked = weir_mutex_unlock_kind_(m, kind, site)

WEIR_FN void weir_mutex_unlock_at_(weir_mutex m, weir_site site)
{
	int unlocked;

	/* After an abort, another block may hold it. */
	if (WEIR_ABORTED_(m, site) || WEIR_FIXED_FAULTY_(MUTEX, m, site))
		return;
	WEIR_DISPATCH_LIKELY_(MUTEX, WEIR_MUTEX_KIND_(m.config), WEIR_UNLOCK_KIND_, m);
	if (unlocked)
		weir_note_unlock_(m.words, m.config.id, site);
}

/* A try waits for no block, so it is neither part of an order nor a second lock. */
WEIR_FN weir_result weir_mutex_trylock_at_(weir_mutex m, weir_site site)
{
	weir_notes n = weir_notes_open_(m.words, m.config.id, site);
	weir_result result;

	if (WEIR_LEFT_OUT_(MUTEX, m, site))
		return WEIR_ABORTED;
	result = weir_mutex_trylock(m);
	if (n.area != 0 && result == WEIR_ACQUIRED) {
		weir_note_entry_(n, weir_note_site_(n));
		weir_note_held_(n, 1);
	}
	weir_area_leave_();
	return result;
}

#if WEIR_HAS_DEADLINE
WEIR_FN weir_result weir_mutex_lock_for_at_(weir_mutex m, uint64_t ns, weir_site site)
{
	weir_doing doing = weir_note_lock_(m.words, m.config.id, site);
	weir_notes n = weir_notes_open_(m.words, m.config.id, site);
	weir_result result;

	if (WEIR_LEFT_OUT_(MUTEX, m, site))
		return WEIR_ABORTED;
	result = weir_mutex_lock_for(m, ns);
	if (n.area != 0 && result != WEIR_ACQUIRED)
		weir_note_held_(n, 0);
	weir_note_end_bounded_(n, doing);
	return result;
}
#endif

WEIR_FN void weir_mutex_block_lock_at_(weir_mutex m, weir_site site)
{
	if (weir_thread_id() == 0)
		weir_mutex_lock_at_(m, site);
	weir_block_sync(); /* extends the leader's acquire to its block */
}

WEIR_FN void weir_mutex_block_unlock_at_(weir_mutex m, weir_site site)
{
	weir_block_sync(); /* the block's writes precede the leader's release */
	if (weir_thread_id() == 0)
		weir_mutex_unlock_at_(m, site);
}

/* Notes that the block is at the barrier. */
WEIR_FN void weir_note_barrier_(weir_notes *n)
{
	n->doing = WEIR_DOING(WEIR_OPERATION_BARRIER, n->id, weir_thread_id());
	weir_note_keep_(n->mine, WEIR_NOTE_BARRIER, n->doing);
}

/* Called by every thread of the block before it arrives. The notes of an arrival stay with the
 * block: a store to the area would delay the release. Only the speaker writes them. */
WEIR_FN weir_notes weir_note_arrive_(weir_barrier b, weir_site site)
{
	weir_notes n = weir_notes_at_(0, 0, site);

	/* The conditions of weir_notes_open_, so that the other warps skip all of it at once. */
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
		/* Relaxed: block syncs of the barrier lie between this and the speaker's load. */
		if (address != 0)
			weir_add_rlx(weir_notes_of_(weir_area_at_(address)) + WEIR_NOTE_THREADS, 1);
	}
#endif
	return n;
}

/* Called by every thread, when all threads of the block must have come. */
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

WEIR_FN void weir_barrier_wait_kind_(weir_barrier b, uint32_t kind, weir_site site)
{
	WEIR_DISPATCH_OR_(BARRIER, kind, _barrier, (b), WEIR_NOTE_FAULT_(BARRIER, b, site));
}

#define WEIR_BARRIER_WAIT_KIND_(b, kind) weir_barrier_wait_kind_(b, kind, site)

WEIR_FN void weir_barrier_wait_at_(weir_barrier b, weir_site site)
{
	weir_notes n = weir_note_arrive_(b, site);

	if (WEIR_FIXED_FAULTY_(BARRIER, b, site))
		return;
	weir_check_blocks(b.config.blocks);
	WEIR_DISPATCH_LIKELY_(BARRIER, WEIR_BARRIER_KIND_(b.config), WEIR_BARRIER_WAIT_KIND_, b);
	weir_note_pass_(b, n);
}

/* A kernel for all kinds leaves these operations out in their dispatch: PoCL 3.1 makes wrong code of
 * one more branch around a block sync. */
#define WEIR_BARRIER_LEFT_OUT_(b, site) (WEIR_FAULTY_(BARRIER, b, site) && WEIR_BARRIER_IS_FIXED_)

WEIR_FN uint32_t weir_barrier_arrive_at_(weir_barrier b, weir_site site)
{
	weir_notes n = weir_note_arrive_(b, site);
	uint32_t token;

	if (WEIR_BARRIER_LEFT_OUT_(b, site))
		return 0;
	token = weir_barrier_arrive(b);
	if (n.area != 0) { /* it has arrived, though it does not wait */
		weir_note_publish_entry_(n.mine, n.id);
		weir_note_keep_(n.mine, WEIR_NOTE_BARRIER, 0);
	}
	weir_area_leave_();
	return token;
}

WEIR_FN void weir_barrier_await_at_(weir_barrier b, uint32_t token, weir_site site)
{
	weir_notes n = weir_notes_open_(b.words, weir_speaks_() ? b.config.id : 0, site);

	if (WEIR_BARRIER_LEFT_OUT_(b, site))
		return;
	if (n.area != 0) {
		weir_note_entry_(n, weir_note_site_(n));
		weir_note_barrier_(&n);
	}
	weir_barrier_await(b, token);
	weir_note_pass_(b, n);
}

#if WEIR_HAS_DEADLINE
/* It leaves no notes, since it ends by itself. */
WEIR_FN weir_result weir_barrier_wait_for_at_(weir_barrier b, uint64_t ns, weir_site site)
{
	if (WEIR_BARRIER_LEFT_OUT_(b, site))
		return WEIR_ABORTED;
	return weir_barrier_wait_for(b, ns);
}
#endif

WEIR_NOINLINE weir_doing weir_note_wait_(WEIR_GLOBAL weir_word *words, uint32_t id, uint32_t slots,
                                         weir_site site)
{
	weir_notes n = weir_notes_open_(words, id, site);

	if (n.area == 0 || (!WEIR_HAS_THREAD_END && weir_notes_aborted_(n)))
		return weir_doing_(0);
	weir_note_count_(n, slots);
	weir_note_entry_(n, weir_note_site_(n));
	weir_flush_writes(); /* else the post would wait for the stores to the area */
	return weir_note_begin_(n, WEIR_OPERATION_WAIT);
}

/* Returns whether the block posts more than it took. The value may then be above its maximum. */
WEIR_NOINLINE int weir_note_post_(WEIR_GLOBAL weir_word *words, uint32_t id, uint32_t slots,
                                  weir_site site)
{
	weir_notes n = weir_notes_open_(words, id, site);
	uint32_t mine;

	if (n.area == 0)
		return 0;
	mine = weir_note_get_(n.mine, WEIR_NOTE_COUNT(id));
	if (mine != 0)
		weir_note_put_(n.mine, WEIR_NOTE_COUNT(id), mine > slots ? mine - slots : 0);
	weir_area_leave_();
	return mine < slots;
}

WEIR_FN void weir_semaphore_wait_n_at_(weir_semaphore s, uint32_t slots, weir_site site)
{
	weir_doing doing = weir_note_wait_(s.words, s.config.id, slots, site);

	if (WEIR_LEFT_OUT_(SEMAPHORE, s, site))
		return;
	if (slots == 1)
		weir_semaphore_wait(s);
	else
		weir_semaphore_wait_n(s, slots);
	weir_note_end_(s.words, doing);
}

WEIR_FN weir_result weir_semaphore_trywait_n_at_(weir_semaphore s, uint32_t slots, weir_site site)
{
	weir_notes n = weir_notes_open_(s.words, s.config.id, site);
	weir_result result;

	if (WEIR_LEFT_OUT_(SEMAPHORE, s, site))
		return WEIR_ABORTED;
	result = weir_semaphore_trywait_n(s, slots);
	if (n.area != 0 && result == WEIR_ACQUIRED)
		weir_note_count_(n, slots);
	weir_area_leave_();
	return result;
}

#if WEIR_HAS_DEADLINE
WEIR_FN weir_result weir_semaphore_wait_n_for_at_(weir_semaphore s, uint32_t slots, uint64_t ns,
                                                  weir_site site)
{
	weir_doing doing = weir_note_wait_(s.words, s.config.id, slots, site);
	weir_notes n = weir_notes_open_(s.words, s.config.id, site);
	weir_result result;

	if (WEIR_LEFT_OUT_(SEMAPHORE, s, site))
		return WEIR_ABORTED;
	result = weir_semaphore_wait_n_for(s, slots, ns);
	if (n.area != 0 && result != WEIR_ACQUIRED)
		weir_note_count_(n, 0 - slots);
	weir_note_end_bounded_(n, doing);
	return result;
}
#endif

/* Returns whether the slot is given back. */
WEIR_FN int weir_semaphore_post_kind_(weir_semaphore s, uint32_t kind, weir_site site)
{
	WEIR_DISPATCH_OR_(SEMAPHORE, kind, _post, (s),
	                  return !WEIR_NOTE_FAULT_(SEMAPHORE, s, site));
	return 1;
}

#define WEIR_POST_KIND_(s, kind) posted = weir_semaphore_post_kind_(s, kind, site)

WEIR_FN void weir_semaphore_post_n_at_(weir_semaphore s, uint32_t slots, weir_site site)
{
	int posted = 1;

	if (WEIR_FIXED_FAULTY_(SEMAPHORE, s, site))
		return;
	if (slots == 1) {
		WEIR_DISPATCH_LIKELY_(SEMAPHORE, WEIR_SEMAPHORE_KIND_(s.config), WEIR_POST_KIND_,
		                      s);
	} else if (WEIR_FAULTY_(SEMAPHORE, s, site)) {
		return;
	} else {
		weir_semaphore_post_n(s, slots);
	}
	if (posted && !WEIR_LIKELY(!weir_note_post_(s.words, s.config.id, slots, site)) &&
	    weir_semaphore_above(s))
		weir_note_misuse_(weir_notes_open_(s.words, s.config.id, site),
		                  WEIR_MISUSE_ABOVE_MAXIMUM, 0, s.config.maximum);
}

WEIR_FN void weir_semaphore_block_wait_at_(weir_semaphore s, weir_site site)
{
	if (weir_thread_id() == 0)
		weir_semaphore_wait_n_at_(s, 1, site);
	weir_block_sync(); /* extends the leader's acquire to its block */
}

WEIR_FN void weir_semaphore_block_post_at_(weir_semaphore s, weir_site site)
{
	weir_block_sync(); /* the block's writes precede the leader's release */
	if (weir_thread_id() == 0)
		weir_semaphore_post_n_at_(s, 1, site);
}

#define weir_mutex_lock(m) weir_mutex_lock_at_(m, WEIR_HERE_)
#define weir_mutex_unlock(m) weir_mutex_unlock_at_(m, WEIR_HERE_)
#define weir_mutex_trylock(m) weir_mutex_trylock_at_(m, WEIR_HERE_)
#define weir_mutex_lock_for(m, ns) weir_mutex_lock_for_at_(m, ns, WEIR_HERE_)
#define weir_semaphore_trywait(s) weir_semaphore_trywait_n_at_(s, 1, WEIR_HERE_)
#define weir_semaphore_trywait_n(s, n) weir_semaphore_trywait_n_at_(s, n, WEIR_HERE_)
#define weir_semaphore_wait_for(s, ns) weir_semaphore_wait_n_for_at_(s, 1, ns, WEIR_HERE_)
#define weir_semaphore_wait_n_for(s, n, ns) weir_semaphore_wait_n_for_at_(s, n, ns, WEIR_HERE_)
#define weir_mutex_block_lock(m) weir_mutex_block_lock_at_(m, WEIR_HERE_)
#define weir_mutex_block_unlock(m) weir_mutex_block_unlock_at_(m, WEIR_HERE_)
#define weir_barrier_wait(b) weir_barrier_wait_at_(b, WEIR_HERE_)
#define weir_barrier_wait_for(b, ns) weir_barrier_wait_for_at_(b, ns, WEIR_HERE_)
#define weir_barrier_arrive(b) weir_barrier_arrive_at_(b, WEIR_HERE_)
#define weir_barrier_await(b, token) weir_barrier_await_at_(b, token, WEIR_HERE_)
#define weir_semaphore_wait(s) weir_semaphore_wait_n_at_(s, 1, WEIR_HERE_)
#define weir_semaphore_post(s) weir_semaphore_post_n_at_(s, 1, WEIR_HERE_)
#define weir_semaphore_wait_n(s, n) weir_semaphore_wait_n_at_(s, n, WEIR_HERE_)
#define weir_semaphore_post_n(s, n) weir_semaphore_post_n_at_(s, n, WEIR_HERE_)
#define weir_semaphore_block_wait(s) weir_semaphore_block_wait_at_(s, WEIR_HERE_)
#define weir_semaphore_block_post(s) weir_semaphore_block_post_at_(s, WEIR_HERE_)

#include "weir/diagnosis/combine.h"
#include "weir/diagnosis/condition.h"
#include "weir/diagnosis/crew.h"
#include "weir/diagnosis/event.h"
#include "weir/diagnosis/rwlock.h"

/* A row for each operation that users call. The functions are those of PRIMITIVE/api.h. */
#define weir_once_begin(o) weir_once_begin(o, WEIR_HERE_)
#define weir_once_begin_for(o, ns, is_mine) weir_once_begin_for(o, ns, is_mine, WEIR_HERE_)
#define weir_once_end(o) weir_once_end(o, WEIR_HERE_)
#define weir_once_block_begin(o) weir_once_block_begin(o, WEIR_HERE_)
#define weir_once_block_end(o) weir_once_block_end(o, WEIR_HERE_)

#define weir_dispenser_take(d, n) weir_dispenser_take(d, n, WEIR_HERE_)
#define weir_dispenser_first(d, rank, n) weir_dispenser_first(d, rank, n, WEIR_HERE_)
#define weir_dispenser_team_take(d, n, team) weir_dispenser_team_take(d, n, team, WEIR_HERE_)
#define weir_dispenser_block_take(d, n) weir_dispenser_block_take(d, n, WEIR_HERE_)
#define weir_dispenser_block_first(d, n) weir_dispenser_block_first(d, n, WEIR_HERE_)

#define weir_queue_push(q, value) weir_queue_push(q, value, WEIR_HERE_)
#define weir_queue_pop(q, value) weir_queue_pop(q, value, WEIR_HERE_)
#define weir_queue_push_item(q, item, words) weir_queue_push_item(q, item, words, WEIR_HERE_)
#define weir_queue_pop_item(q, item, words) weir_queue_pop_item(q, item, words, WEIR_HERE_)
#define weir_queue_try_push(q, value) weir_queue_try_push(q, value, WEIR_HERE_)
#define weir_queue_try_pop(q, value) weir_queue_try_pop(q, value, WEIR_HERE_)
#define weir_queue_try_push_item(q, item, words)                                                   \
	weir_queue_try_push_item(q, item, words, WEIR_HERE_)
#define weir_queue_try_pop_item(q, item, words) weir_queue_try_pop_item(q, item, words, WEIR_HERE_)
#define weir_queue_push_for(q, value, ns) weir_queue_push_for(q, value, ns, WEIR_HERE_)
#define weir_queue_pop_for(q, value, ns) weir_queue_pop_for(q, value, ns, WEIR_HERE_)
#define weir_queue_push_item_for(q, item, words, ns)                                               \
	weir_queue_push_item_for(q, item, words, ns, WEIR_HERE_)
#define weir_queue_pop_item_for(q, item, words, ns)                                                \
	weir_queue_pop_item_for(q, item, words, ns, WEIR_HERE_)
#define weir_queue_close(q) weir_queue_close(q, WEIR_HERE_)
#define weir_queue_leave(q) weir_queue_leave(q, WEIR_HERE_)
#define weir_queue_block_leave(q) weir_queue_block_leave(q, WEIR_HERE_)
#define weir_queue_team_push(q, value, team) weir_queue_team_push(q, value, team, WEIR_HERE_)
#define weir_queue_team_pop(q, value, team) weir_queue_team_pop(q, value, team, WEIR_HERE_)
#define weir_queue_team_push_n(q, n, item, words, team)                                            \
	weir_queue_team_push_n(q, n, item, words, team, WEIR_HERE_)
#define weir_queue_team_pop_n(q, n, item, words, team)                                             \
	weir_queue_team_pop_n(q, n, item, words, team, WEIR_HERE_)
#define weir_queue_team_pop_some(q, most, item, words, team)                                       \
	weir_queue_team_pop_some(q, most, item, words, team, WEIR_HERE_)
#define weir_queue_block_push(q, value) weir_queue_block_push(q, value, WEIR_HERE_)
#define weir_queue_block_pop(q, value) weir_queue_block_pop(q, value, WEIR_HERE_)
#define weir_queue_block_push_n(q, n, item, words)                                                 \
	weir_queue_block_push_n(q, n, item, words, WEIR_HERE_)
#define weir_queue_block_pop_n(q, n, item, words)                                                  \
	weir_queue_block_pop_n(q, n, item, words, WEIR_HERE_)
#define weir_queue_block_pop_some(q, most, item, words)                                            \
	weir_queue_block_pop_some(q, most, item, words, WEIR_HERE_)
#define weir_tasks_next(t, task) weir_tasks_next(t, task, WEIR_HERE_)
#define weir_tasks_add(t, task, level) weir_tasks_add(t, task, level, WEIR_HERE_)
#define weir_tasks_block_next(t, task) weir_tasks_block_next(t, task, WEIR_HERE_)

#endif
