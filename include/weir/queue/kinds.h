/* The kinds of queue: each has a header and a row. Everything else that knows the kinds (the
 * dispatch, the host library, the tests, the command weir) is generated from these rows.
 *
 * A row is X(context, name, NAME, value, items, words), as weir/rows.h describes:
 *   value      of the enumerator WEIR_QUEUE_NAME. Handles store it, so it never changes.
 *   items      WEIR_ITEMS_OF_A_WORD or WEIR_ITEMS_OF_ANY_SIZE.
 *   words      WEIR_WORDS_OF_32 or WEIR_WORDS_OF_64.
 *
 * The header queue/name.h defines, for a slot and the position of an item in it:
 *   weir_name_slot_start   sets the turn of a free slot.
 *   weir_name_take         takes positions at `tail` or `head`.
 *   weir_name_claim        does the same if a given position is the next one.
 *   weir_name_look_free    looks at the turn for a push; weir_name_found_free follows if the slot
 *                          is free.
 *   weir_name_look_full    looks at the turn for a pop; weir_poll_acquire follows if the slot is
 *                          full.
 *   weir_name_before_put   precedes a put, once or more, after the caller's own writes.
 *   weir_name_put          writes an item and passes the slot on.
 *   weir_name_get          reads the item and passes the slot on.
 */
#ifndef WEIR_QUEUE_KINDS_H
#define WEIR_QUEUE_KINDS_H

#include "weir/queue/lines.h"
#include "weir/rows.h"

#define WEIR_QUEUE_KINDS_OF_32_(X, context)                                                        \
	X(context, lines, LINES, 2, WEIR_ITEMS_OF_ANY_SIZE, WEIR_WORDS_OF_32)

#define WEIR_QUEUE_KINDS_OF_64_(X, context)                                                        \
	X(context, cells, CELLS, 1, WEIR_ITEMS_OF_A_WORD, WEIR_WORDS_OF_64)                        \
	X(context, single, SINGLE, 3, WEIR_ITEMS_OF_A_WORD, WEIR_WORDS_OF_64)

#if WEIR_HAS_WORD64
#include "weir/queue/cells.h"
#include "weir/queue/single.h"
/** X(context, name, NAME, value, items, words) for each kind (weir/rows.h). */
#define WEIR_QUEUE_KINDS_WITH(X, context)                                                          \
	WEIR_QUEUE_KINDS_OF_64_(X, context) WEIR_QUEUE_KINDS_OF_32_(X, context)
#else
#define WEIR_QUEUE_KINDS_WITH(X, context) WEIR_QUEUE_KINDS_OF_32_(X, context)
#endif

/** X(name, NAME, value, items, words) for each kind. */
#define WEIR_QUEUE_KINDS(X) WEIR_QUEUE_KINDS_WITH(WEIR_ROW_ALONE_, X)

/** The kinds of queue. */
typedef enum weir_queue_kind {
	WEIR_QUEUE_DEFAULT =
	    0, /**< the host library replaces it with the kind for the size of the items */
/* All kinds on every machine, so that a handle means the same on the host and in a kernel. */
#define WEIR_ROW_(context, name, NAME, value, ...) WEIR_QUEUE_##NAME = value,
	WEIR_QUEUE_KINDS_OF_64_(WEIR_ROW_, ) WEIR_QUEUE_KINDS_OF_32_(WEIR_ROW_, )
#undef WEIR_ROW_
} weir_queue_kind;

#endif
