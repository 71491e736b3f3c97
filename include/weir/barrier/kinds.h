/* The kinds of barrier: a header each, and a row each. Everything else that knows the kinds (the
 * dispatch, the host library, the tests, the program weir) is made from these rows.
 *
 * A row is X(context, name, NAME, value, shape, role), as weir/rows.h describes:
 *   value      of the enumerator WEIR_BARRIER_NAME. Handles store it, so it never changes.
 *   shape      WEIR_SHAPE_NONE or _COUNTERS: whether it uses config.shape.
 *   role       WEIR_FOR_USE or WEIR_AS_PUBLISHED.
 *
 * The header barrier/name.h defines:
 *   weir_name_arrive          returns a token.
 *   weir_name_await           takes the token.
 *   weir_name_barrier         both at once.
 *   weir_name_barrier_words   how many words a barrier of this config takes.
 *   weir_name_barrier_start   sets the state of a barrier that was passed `past` times; all zeros
 *                             for 0.
 */
#ifndef WEIR_BARRIER_KINDS_H
#define WEIR_BARRIER_KINDS_H

#include "weir/barrier/atomic.h"
#include "weir/barrier/central.h"
#include "weir/barrier/counter.h"
#include "weir/barrier/two_stage.h"
#include "weir/barrier/xf.h"
#include "weir/rows.h"

#define WEIR_BARRIER_KINDS_WITH(X, context)                                                        \
	X(context, atomic, ATOMIC, 1, WEIR_SHAPE_NONE, WEIR_FOR_USE)                               \
	X(context, xf, XF, 2, WEIR_SHAPE_NONE, WEIR_FOR_USE)                                       \
	X(context, counter, COUNTER, 3, WEIR_SHAPE_COUNTERS, WEIR_FOR_USE)                         \
	X(context, central, CENTRAL, 4, WEIR_SHAPE_NONE, WEIR_FOR_USE)                             \
	X(context, two_stage, TWO_STAGE, 5, WEIR_SHAPE_NONE, WEIR_AS_PUBLISHED)

#define WEIR_BARRIER_KINDS(X) WEIR_BARRIER_KINDS_WITH(WEIR_ROW_ALONE_, X)

typedef enum weir_barrier_kind {
	WEIR_BARRIER_DEFAULT = 0, /* the host library puts the device's best kind in its place */
#define WEIR_ROW_(name, NAME, value, ...) WEIR_BARRIER_##NAME = value,
	WEIR_BARRIER_KINDS(WEIR_ROW_)
#undef WEIR_ROW_
} weir_barrier_kind;

#endif
