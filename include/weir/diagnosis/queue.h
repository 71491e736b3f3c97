/* Hooks of a queue (weir/queue/api.h).
 *
 *   a push, a pop   notes that the block is in it, and how many items it moves. One thread of a team reports:
 *                   for a batch, the thread with the last item, which waits longest.
 *   a refused push  is counted, and a block's first refused push is reported.
 *   a single side   has a word in the header that holds the block that uses it.
 *   a launch        that follows one that some blocks did not leave is reported by its first operation.
 *
 * The host reads from the queue's words how full it is and whether it is closed. Tries and operations with a
 * deadline end by themselves, and leave no notes of a wait.
 */
#ifndef WEIR_QUEUE_API_H
#include "weir/queue/api.h" /* includes this file */
#endif

#ifndef WEIR_DIAGNOSIS_QUEUE_H
#define WEIR_DIAGNOSIS_QUEUE_H

WEIR_FN weir_notes weir_queue_open_(weir_queue q, weir_site site)
{
	return weir_notes_open_at_(q.words, q.config.id, site, WEIR_FIRST_LEFT,
	                           weir_queue_left_(q));
}

/* Whether the operation must be skipped: the launch has been aborted, or the kernel lacks the kind. */
WEIR_FN int weir_queue_left_out_(weir_notes n, weir_queue q)
{
	return weir_notes_left_out_(n) || WEIR_FAULTY_(QUEUE, q, n.site);
}

/* The same for an operation on items of `words` words. */
WEIR_FN int weir_queue_refuses_(weir_notes n, weir_queue q, uint32_t words)
{
	return weir_queue_left_out_(n, q) ||
	       (!WEIR_LIKELY(words == q.config.words) &&
	        weir_note_fault_(q.words, q.config.id, n.site, WEIR_FAULT_ITEM, words));
}

/* A push or pop under diagnosis. */
typedef struct weir_moving {
	weir_doing doing;
	uint32_t side; /* the single side that it uses; 0: none */
} weir_moving;

/* Takes the single side of a push or a pop. Relaxed: it only reports a use that is wrong anyway. */
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

/* Notes a push or a pop of `items` items. */
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

/* Called after a push that found the queue closed. */
WEIR_NOINLINE void weir_note_refused_(weir_notes n)
{
	if (weir_note_get_(n.mine, WEIR_NOTE_COUNT(n.id)) == 0)
		weir_note_misuse_(n, WEIR_MISUSE_CLOSED, 0, 0);
	weir_note_count_(n, 1);
}

/* Called after every push. */
WEIR_FN void weir_note_pushed_(weir_notes n, weir_status result)
{
	if (!WEIR_LIKELY(result != WEIR_CLOSED) && n.area != 0)
		weir_note_refused_(n);
}

#if WEIR_HAS_TEAMS

/* The same for a batch, which all threads of the team skip together. */
WEIR_FN int weir_queue_team_refuses_(weir_queue q, uint32_t items, uint32_t words, weir_site site)
{
	return weir_queue_refuses_(weir_notes_at_(0, 0, site), q, words) ||
	       (!WEIR_LIKELY(items <= weir_queue_capacity(q)) &&
	        weir_note_fault_(q.words, q.config.id, site, WEIR_FAULT_BATCH, items));
}

/* The notes of a batch, in the thread with its last item, which waits longest. */
WEIR_FN weir_notes weir_queue_batch_(weir_queue q, uint32_t items, weir_team team, weir_site site)
{
	return weir_team_rank(team) == (items != 0 ? items - 1 : 0) ? weir_queue_open_(q, site)
	                                                            : weir_notes_at_(0, 0, site);
}

#endif

#endif
