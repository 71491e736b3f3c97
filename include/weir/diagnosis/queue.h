/* Hooks of a queue (weir/queue/api.h).
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
#ifndef WEIR_QUEUE_API_H
#include "weir/queue/api.h" /* includes this file */
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
	if (weir_notes_left_out_(n))
		return 1;
	return !WEIR_LIKELY(WEIR_FITS_(QUEUE, q.config)) &&
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
WEIR_FN void weir_note_pushed_(weir_notes n, weir_status result)
{
	if (!WEIR_LIKELY(result != WEIR_CLOSED) && n.area != 0)
		weir_note_refused_(n);
}

#if WEIR_HAS_TEAMS

/* Whether the operation is left out, by all threads of the team: thread 0 reports it. */
WEIR_FN int weir_queue_team_refuses_(weir_queue q, uint32_t items, uint32_t words, weir_team team,
                                     weir_site site)
{
	int tells = weir_team_rank(team) == 0;

	if (weir_queue_refuses_(weir_notes_at_(0, 0, site), q, words, tells))
		return 1;
	return !WEIR_LIKELY(items <= weir_queue_capacity(q)) &&
	       weir_note_fault_by_(q.words, q.config.id, site, WEIR_FAULT_BATCH, items, tells);
}

/* An operation of a team on some items; without notes but in the thread that speaks. */
typedef struct weir_batch {
	weir_notes notes;
	weir_moving moving;
} weir_batch;

/* The thread that speaks has the last item, which it waits for the longest. */
WEIR_FN weir_batch weir_note_batch_(weir_queue q, uint32_t operation, uint32_t items,
                                    weir_team team, weir_site site)
{
	int speaks = weir_team_rank(team) == (items != 0 ? items - 1 : 0);
	weir_batch batch;

	batch.notes = speaks ? weir_queue_open_(q, site) : weir_notes_at_(0, 0, site);
	batch.moving = weir_note_moving_(batch.notes, q, operation, items);
	return batch;
}

#endif

#endif
