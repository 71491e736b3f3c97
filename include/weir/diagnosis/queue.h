/* Diagnosis of queues: the part of weir/diagnose.h for them. Each function of weir/queue becomes a
 * macro that passes its call site to a function of the same name with _at_.
 *
 *   a push, a pop   notes that the block is in it, and how many items it moves. Of a team, one thread
 *                   speaks: of a batch, the one with the last item, which waits for the longest.
 *   a refused push  is counted, and the first one of a block reported.
 *   a single side   has a word in the header: the block that uses it.
 *   a launch        that finds the queue left by some blocks of an earlier one, and not by all,
 *                   reports it, in its first operation.
 *
 * How full a queue is, and whether it is closed, the host reads in its words. Tries, and operations
 * with a deadline, end by themselves and leave no notes of a wait.
 */
#ifndef WEIR_DEVICE_H
#include "weir/device.h" /* includes weir/diagnose.h in its place, and that this one */
#endif

#ifndef WEIR_DIAGNOSIS_QUEUE_H
#define WEIR_DIAGNOSIS_QUEUE_H

#include "weir/diagnosis/left.h"

WEIR_FN weir_notes weir_queue_open_(weir_queue q, weir_site site)
{
	return weir_left_open_(q.words, q.config.id, weir_queue_left_(q), site);
}

/* Whether the launch has been aborted, or the kernel lacks the kind: the operation is left out. */
WEIR_FN int weir_queue_left_out_(weir_notes n, weir_queue q, int tells)
{
	if (!WEIR_HAS_THREAD_END && weir_notes_aborted_(n))
		return 1;
	return !WEIR_LIKELY(WEIR_QUEUE_FITS_(q.config)) &&
	       weir_note_fault_by_(q.words, q.config.id, n.site, WEIR_FAULT_QUEUE, q.config.kind,
	                           tells);
}

/* The same for an operation on items of so many words. */
WEIR_FN int weir_queue_refuses_(weir_notes n, weir_queue q, uint32_t words, int tells)
{
	if (weir_queue_left_out_(n, q, tells))
		return 1;
	return !WEIR_LIKELY(words == q.config.words) &&
	       weir_note_fault_by_(q.words, q.config.id, n.site, WEIR_FAULT_ITEM, words, tells);
}

/* A push or pop under diagnosis. */
typedef struct weir_moving {
	weir_doing doing;
	uint32_t side; /* the single side that it has to itself; 0: none */
} weir_moving;

/* Takes the single side of a push or a pop. Relaxed: a report of a use that is wrong anyway. */
WEIR_FN uint32_t weir_note_side_(weir_notes n, weir_queue q, uint32_t side)
{
	uint32_t before;

	if ((q.config.single & side) == 0)
		return 0;
	before = weir_cas_rlx(q.words - WEIR_HEADER_WORDS + WEIR_HEADER_SIDE(side), 0,
	                      weir_block_id() + 1);
	if (before != 0 && before != weir_block_id() + 1)
		weir_note_misuse_(n, WEIR_MISUSE_SIDE, 0, (uint64_t)(before - 1) << 32 | side);
	return before == 0 ? side : 0;
}

/* Notes a push or a pop of so many items. */
WEIR_FN weir_moving weir_note_moving_(weir_notes n, weir_queue q, uint32_t operation,
                                      uint32_t items)
{
	weir_moving moving;

	moving.doing = weir_doing_(0);
	moving.side = 0;
	if (n.area == 0)
		return moving;
	weir_note_entry_(n, weir_note_site_(n));
	if (weir_note_get_(n.mine, WEIR_NOTE_BATCH) != items)
		weir_note_put_(n.mine, WEIR_NOTE_BATCH, items);
	moving.side = weir_note_side_(
	    n, q, operation == WEIR_OPERATION_PUSH ? WEIR_QUEUE_ONE_PUSHES : WEIR_QUEUE_ONE_POPS);
	moving.doing = weir_note_begin_(n, operation);
	return moving;
}

WEIR_FN void weir_note_moved_(weir_queue q, weir_moving moving)
{
	/* Relaxed: a synchronization precedes the next block's use of the side. */
	if (moving.side != 0)
		weir_store_rlx(q.words - WEIR_HEADER_WORDS + WEIR_HEADER_SIDE(moving.side), 0);
	weir_note_end_(q.words, moving.doing);
}

/* Follows a push that found the queue closed. */
WEIR_NOINLINE void weir_note_refused_(weir_notes n)
{
	if (weir_note_get_(n.mine, WEIR_NOTE_COUNT(n.id)) == 0)
		weir_note_misuse_(n, WEIR_MISUSE_CLOSED, 0, 0);
	weir_note_count_(n, 1);
}

/* Follows every push. */
WEIR_FN weir_result weir_note_pushed_(weir_notes n, weir_result result)
{
	if (!WEIR_LIKELY(result != WEIR_ENDED) && n.area != 0)
		weir_note_refused_(n);
	return result;
}

WEIR_FN weir_result weir_queue_push_item_at_(weir_queue q, const uint32_t *item, uint32_t words,
                                             weir_site site)
{
	weir_notes n = weir_queue_open_(q, site);
	weir_moving moving;
	weir_result result;

	if (weir_queue_refuses_(n, q, words, 1))
		return WEIR_ABORTED;
	moving = weir_note_moving_(n, q, WEIR_OPERATION_PUSH, 1);
	result = weir_note_pushed_(n, weir_queue_push_item(q, item, words));
	weir_note_moved_(q, moving);
	return result;
}

WEIR_FN weir_result weir_queue_pop_item_at_(weir_queue q, uint32_t *item, uint32_t words,
                                            weir_site site)
{
	weir_notes n = weir_queue_open_(q, site);
	weir_moving moving;
	weir_result result;

	if (weir_queue_refuses_(n, q, words, 1))
		return WEIR_ABORTED;
	moving = weir_note_moving_(n, q, WEIR_OPERATION_POP, 1);
	result = weir_queue_pop_item(q, item, words);
	weir_note_moved_(q, moving);
	return result;
}

WEIR_FN weir_result weir_queue_push_at_(weir_queue q, uint32_t value, weir_site site)
{
	return weir_queue_push_item_at_(q, &value, 1, site);
}

WEIR_FN weir_result weir_queue_pop_at_(weir_queue q, uint32_t *value, weir_site site)
{
	return weir_queue_pop_item_at_(q, value, 1, site);
}

WEIR_FN weir_result weir_queue_try_push_item_at_(weir_queue q, const uint32_t *item, uint32_t words,
                                                 weir_site site)
{
	weir_notes n = weir_queue_open_(q, site);
	weir_result result;

	if (weir_queue_refuses_(n, q, words, 1))
		return WEIR_ABORTED;
	result = weir_note_pushed_(n, weir_queue_try_push_item(q, item, words));
	weir_area_leave_();
	return result;
}

WEIR_FN weir_result weir_queue_try_pop_item_at_(weir_queue q, uint32_t *item, uint32_t words,
                                                weir_site site)
{
	weir_notes n = weir_queue_open_(q, site);
	weir_result result;

	if (weir_queue_refuses_(n, q, words, 1))
		return WEIR_ABORTED;
	result = weir_queue_try_pop_item(q, item, words);
	weir_area_leave_();
	return result;
}

WEIR_FN weir_result weir_queue_try_push_at_(weir_queue q, uint32_t value, weir_site site)
{
	return weir_queue_try_push_item_at_(q, &value, 1, site);
}

WEIR_FN weir_result weir_queue_try_pop_at_(weir_queue q, uint32_t *value, weir_site site)
{
	return weir_queue_try_pop_item_at_(q, value, 1, site);
}

#if WEIR_HAS_DEADLINE
WEIR_FN weir_result weir_queue_push_item_for_at_(weir_queue q, const uint32_t *item, uint32_t words,
                                                 uint64_t ns, weir_site site)
{
	weir_notes n = weir_queue_open_(q, site);
	weir_result result;

	if (weir_queue_refuses_(n, q, words, 1))
		return WEIR_ABORTED;
	result = weir_note_pushed_(n, weir_queue_push_item_for(q, item, words, ns));
	weir_area_leave_();
	return result;
}

WEIR_FN weir_result weir_queue_pop_item_for_at_(weir_queue q, uint32_t *item, uint32_t words,
                                                uint64_t ns, weir_site site)
{
	weir_notes n = weir_queue_open_(q, site);
	weir_result result;

	if (weir_queue_refuses_(n, q, words, 1))
		return WEIR_ABORTED;
	result = weir_queue_pop_item_for(q, item, words, ns);
	weir_area_leave_();
	return result;
}

WEIR_FN weir_result weir_queue_push_for_at_(weir_queue q, uint32_t value, uint64_t ns,
                                            weir_site site)
{
	return weir_queue_push_item_for_at_(q, &value, 1, ns, site);
}

WEIR_FN weir_result weir_queue_pop_for_at_(weir_queue q, uint32_t *value, uint64_t ns,
                                           weir_site site)
{
	return weir_queue_pop_item_for_at_(q, value, 1, ns, site);
}
#endif

WEIR_FN void weir_queue_close_at_(weir_queue q, weir_site site)
{
	weir_notes n = weir_queue_open_(q, site);

	if (weir_queue_left_out_(n, q, 1))
		return;
	weir_queue_close(q);
	weir_area_leave_();
}

WEIR_FN int weir_queue_leave_at_(weir_queue q, weir_site site)
{
	weir_notes n = weir_queue_open_(q, site);
	int is_last;

	if (weir_queue_left_out_(n, q, 1))
		return 0;
	is_last = weir_queue_leave(q);
	weir_area_leave_();
	return is_last;
}

WEIR_FN int weir_queue_block_leave_at_(weir_queue q, weir_site site)
{
	weir_block_sync(); /* the block's work precedes the leader's release */
	return weir_thread_id() == 0 ? weir_queue_leave_at_(q, site) : 0;
}

#if WEIR_HAS_TEAMS && WEIR_HAS_BLOCK_VALUE

/* The notes of a team's operation, for the thread that speaks; none for the others. */
WEIR_FN weir_notes weir_queue_team_open_(weir_queue q, int speaks, weir_site site)
{
	return speaks ? weir_queue_open_(q, site) : weir_notes_at_(0, 0, site);
}

/* Whether the operation is left out, by all threads of the team: thread 0 reports it. */
WEIR_FN int weir_queue_team_refuses_(weir_notes n, weir_queue q, uint32_t items, uint32_t words,
                                     weir_team team)
{
	int tells = weir_team_rank(team) == 0;

	if (weir_queue_refuses_(n, q, words, tells))
		return 1;
	return !WEIR_LIKELY(items <= weir_queue_capacity(q)) &&
	       weir_note_fault_by_(q.words, q.config.id, n.site, WEIR_FAULT_BATCH, items, tells);
}

/* Whether the thread has the last item of a batch. */
WEIR_FN int weir_queue_is_last_(uint32_t items, weir_team team)
{
	return weir_team_rank(team) == (items != 0 ? items - 1 : 0);
}

WEIR_FN weir_result weir_queue_team_push_at_(weir_queue q, uint32_t value, weir_team team,
                                             weir_site site)
{
	weir_notes n = weir_queue_team_open_(q, weir_team_rank(team) == 0, site);
	weir_moving moving;
	weir_result result;

	if (weir_queue_team_refuses_(n, q, 1, 1, team))
		return WEIR_ABORTED;
	moving = weir_note_moving_(n, q, WEIR_OPERATION_PUSH, 1);
	result = weir_note_pushed_(n, weir_queue_team_push(q, value, team));
	weir_note_moved_(q, moving);
	return result;
}

WEIR_FN weir_result weir_queue_team_pop_at_(weir_queue q, uint32_t *value, weir_team team,
                                            weir_site site)
{
	weir_notes n = weir_queue_team_open_(q, weir_team_rank(team) == 0, site);
	weir_moving moving;
	weir_result result;

	if (weir_queue_team_refuses_(n, q, 1, 1, team))
		return WEIR_ABORTED;
	moving = weir_note_moving_(n, q, WEIR_OPERATION_POP, 1);
	result = weir_queue_team_pop(q, value, team);
	weir_note_moved_(q, moving);
	return result;
}

WEIR_FN weir_result weir_queue_team_push_n_at_(weir_queue q, uint32_t items, const uint32_t *item,
                                               uint32_t words, weir_team team, weir_site site)
{
	weir_notes n = weir_queue_team_open_(q, weir_queue_is_last_(items, team), site);
	weir_moving moving;
	weir_result result;

	if (weir_queue_team_refuses_(n, q, items, words, team))
		return WEIR_ABORTED;
	moving = weir_note_moving_(n, q, WEIR_OPERATION_PUSH, items);
	result = weir_note_pushed_(n, weir_queue_team_push_n(q, items, item, words, team));
	weir_note_moved_(q, moving);
	return result;
}

WEIR_FN weir_result weir_queue_team_pop_n_at_(weir_queue q, uint32_t items, uint32_t *item,
                                              uint32_t words, weir_team team, weir_site site)
{
	weir_notes n = weir_queue_team_open_(q, weir_queue_is_last_(items, team), site);
	weir_moving moving;
	weir_result result;

	if (weir_queue_team_refuses_(n, q, items, words, team))
		return WEIR_ABORTED;
	moving = weir_note_moving_(n, q, WEIR_OPERATION_POP, items);
	result = weir_queue_team_pop_n(q, items, item, words, team);
	weir_note_moved_(q, moving);
	return result;
}

/* Thread 0 waits for the first item. */
WEIR_FN uint32_t weir_queue_team_pop_some_at_(weir_queue q, uint32_t most, uint32_t *item,
                                              uint32_t words, weir_team team, weir_site site)
{
	weir_notes n = weir_queue_team_open_(q, weir_team_rank(team) == 0, site);
	weir_moving moving;
	uint32_t count;

	if (weir_queue_team_refuses_(n, q, 1, words, team))
		return 0;
	moving = weir_note_moving_(n, q, WEIR_OPERATION_POP, 1);
	count = weir_queue_team_pop_some(q, most, item, words, team);
	weir_note_moved_(q, moving);
	return count;
}

#define weir_queue_team_push(q, value, team) weir_queue_team_push_at_(q, value, team, WEIR_HERE_)
#define weir_queue_team_pop(q, value, team) weir_queue_team_pop_at_(q, value, team, WEIR_HERE_)
#define weir_queue_team_push_n(q, n, item, words, team)                                            \
	weir_queue_team_push_n_at_(q, n, item, words, team, WEIR_HERE_)
#define weir_queue_team_pop_n(q, n, item, words, team)                                             \
	weir_queue_team_pop_n_at_(q, n, item, words, team, WEIR_HERE_)
#define weir_queue_team_pop_some(q, most, item, words, team)                                       \
	weir_queue_team_pop_some_at_(q, most, item, words, team, WEIR_HERE_)
#define weir_queue_block_push(q, value) weir_queue_team_push(q, value, weir_team_block())
#define weir_queue_block_pop(q, value) weir_queue_team_pop(q, value, weir_team_block())
#define weir_queue_block_push_n(q, n, item, words)                                                 \
	weir_queue_team_push_n(q, n, item, words, weir_team_block())
#define weir_queue_block_pop_n(q, n, item, words)                                                  \
	weir_queue_team_pop_n(q, n, item, words, weir_team_block())
#define weir_queue_block_pop_some(q, most, item, words)                                            \
	weir_queue_team_pop_some(q, most, item, words, weir_team_block())

#endif

#define weir_queue_push_item(q, item, words) weir_queue_push_item_at_(q, item, words, WEIR_HERE_)
#define weir_queue_pop_item(q, item, words) weir_queue_pop_item_at_(q, item, words, WEIR_HERE_)
#define weir_queue_push(q, value) weir_queue_push_at_(q, value, WEIR_HERE_)
#define weir_queue_pop(q, value) weir_queue_pop_at_(q, value, WEIR_HERE_)
#define weir_queue_try_push_item(q, item, words)                                                   \
	weir_queue_try_push_item_at_(q, item, words, WEIR_HERE_)
#define weir_queue_try_pop_item(q, item, words)                                                    \
	weir_queue_try_pop_item_at_(q, item, words, WEIR_HERE_)
#define weir_queue_try_push(q, value) weir_queue_try_push_at_(q, value, WEIR_HERE_)
#define weir_queue_try_pop(q, value) weir_queue_try_pop_at_(q, value, WEIR_HERE_)
#define weir_queue_push_item_for(q, item, words, ns)                                               \
	weir_queue_push_item_for_at_(q, item, words, ns, WEIR_HERE_)
#define weir_queue_pop_item_for(q, item, words, ns)                                                \
	weir_queue_pop_item_for_at_(q, item, words, ns, WEIR_HERE_)
#define weir_queue_push_for(q, value, ns) weir_queue_push_for_at_(q, value, ns, WEIR_HERE_)
#define weir_queue_pop_for(q, value, ns) weir_queue_pop_for_at_(q, value, ns, WEIR_HERE_)
#define weir_queue_close(q) weir_queue_close_at_(q, WEIR_HERE_)
#define weir_queue_leave(q) weir_queue_leave_at_(q, WEIR_HERE_)
#define weir_queue_block_leave(q) weir_queue_block_leave_at_(q, WEIR_HERE_)

#endif
