/* The kinds of barrier: each has a header and a row. Everything else that knows the kinds (the
 * dispatch, the host library, the tests, the command weir) is generated from these rows.
 *
 * A row is X(context, name, NAME, value, shape, role), as weir/rows.h describes:
 *   value      of the enumerator WEIR_BARRIER_NAME. Handles store it, so it never changes.
 *   shape      WEIR_SHAPE_NONE or _COUNTERS: whether it uses config.shape.
 *   role       WEIR_FOR_USE, WEIR_AS_PUBLISHED or WEIR_BY_VENDOR.
 *
 * The header barrier/name.h defines:
 *   weir_name_arrive          returns a token.
 *   weir_name_await           takes the token.
 *   weir_name_barrier         does both.
 *   weir_name_barrier_words   returns how many words a barrier of this config takes.
 *   weir_name_barrier_start   sets the state to that of a barrier that was passed `past` times; for
 *                             0, all zeros.
 */
#ifndef WEIR_BARRIER_KINDS_H
#define WEIR_BARRIER_KINDS_H

#include "weir/barrier/atomic.h"
#include "weir/barrier/central.h"
#include "weir/barrier/counter.h"
#include "weir/barrier/two_stage.h"
#include "weir/barrier/xf.h"
#include "weir/rows.h"

#define WEIR_BARRIER_KINDS_OF_ALL_(X, context)                                                     \
	X(context, atomic, ATOMIC, 1, WEIR_SHAPE_NONE, WEIR_FOR_USE)                               \
	X(context, xf, XF, 2, WEIR_SHAPE_NONE, WEIR_FOR_USE)                                       \
	X(context, counter, COUNTER, 3, WEIR_SHAPE_COUNTERS, WEIR_FOR_USE)                         \
	X(context, central, CENTRAL, 4, WEIR_SHAPE_NONE, WEIR_FOR_USE)                             \
	X(context, two_stage, TWO_STAGE, 5, WEIR_SHAPE_NONE, WEIR_AS_PUBLISHED)

/* The kinds that neither the explorer nor the simulator can look into. */
#define WEIR_BARRIER_KINDS_OF_VENDOR_(X, context)                                                  \
	X(context, grid, GRID, 6, WEIR_SHAPE_NONE, WEIR_BY_VENDOR)

#if WEIR_HAS_GRID_SYNC
#include "weir/barrier/grid.h"
/** X(context, name, NAME, value, shape, role) for each kind (weir/rows.h). */
#define WEIR_BARRIER_KINDS_WITH(X, context)                                                        \
	WEIR_BARRIER_KINDS_OF_ALL_(X, context) WEIR_BARRIER_KINDS_OF_VENDOR_(X, context)
#else
#define WEIR_BARRIER_KINDS_WITH(X, context) WEIR_BARRIER_KINDS_OF_ALL_(X, context)
#endif

/** X(name, NAME, value, shape, role) for each kind. */
#define WEIR_BARRIER_KINDS(X) WEIR_BARRIER_KINDS_WITH(WEIR_ROW_ALONE_, X)

/** The kinds of barrier. */
typedef enum weir_barrier_kind {
	WEIR_BARRIER_DEFAULT = 0, /**< the host library replaces it with the device's best kind */
/* All kinds on every machine, so that a handle means the same on the host and in a kernel. */
#define WEIR_ROW_(context, name, NAME, value, ...) WEIR_BARRIER_##NAME = value,
	WEIR_BARRIER_KINDS_OF_ALL_(WEIR_ROW_, ) WEIR_BARRIER_KINDS_OF_VENDOR_(WEIR_ROW_, )
#undef WEIR_ROW_
} weir_barrier_kind;

#endif
