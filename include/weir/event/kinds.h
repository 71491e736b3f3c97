/* The kinds of event: a header each, and a row each. Everything else that knows the kinds (the
 * dispatch, the host library, the tests, the program weir) is made from these rows.
 *
 * A row is X(context, name, NAME, value, parts), as weir/rows.h describes:
 *   value      of the enumerator WEIR_EVENT_NAME. Handles store it, so it never changes.
 *   parts      WEIR_PARTS_NONE, _COPIES or _SHARDS.
 *
 * The header event/name.h defines:
 *   weir_name_event_start   sets the state of an event whose count is `past`; all zeros for 0.
 *   weir_name_signal        adds, and returns the count before. With WEIR_PARTS_SHARDS it ends the
 *                           launch.
 *   weir_name_post          adds.
 *   weir_name_count         the count, which nothing orders, and weir_name_acquire, which then
 *                           acquires from all that it counted.
 *   weir_name_await         waits for a target.
 *   weir_name_await_first   the same, by the first threads of a block or team together.
 */
#ifndef WEIR_EVENT_KINDS_H
#define WEIR_EVENT_KINDS_H

#include "weir/event/copies.h"
#include "weir/event/shards.h"
#include "weir/event/word.h"
#include "weir/rows.h"

/** X(context, name, NAME, value, parts) for each kind (weir/rows.h). */
#define WEIR_EVENT_KINDS_WITH(X, context)                                                          \
	X(context, word, WORD, 1, WEIR_PARTS_NONE)                                                 \
	X(context, copies, COPIES, 2, WEIR_PARTS_COPIES)                                           \
	X(context, shards, SHARDS, 3, WEIR_PARTS_SHARDS)

/** X(name, NAME, value, parts) for each kind. */
#define WEIR_EVENT_KINDS(X) WEIR_EVENT_KINDS_WITH(WEIR_ROW_ALONE_, X)

/** The kinds of event. */
typedef enum weir_event_kind {
	WEIR_EVENT_DEFAULT = 0, /**< the host library chooses the kind by the number of users */
#define WEIR_ROW_(name, NAME, value, ...) WEIR_EVENT_##NAME = value,
	WEIR_EVENT_KINDS(WEIR_ROW_)
#undef WEIR_ROW_
} weir_event_kind;

#endif
