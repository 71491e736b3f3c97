/* The kinds of reader-writer lock. Both use the code of rwlock/api.h, which every kernel has. They
 * differ only in the number of counts.
 *
 * A row is X(context, name, NAME, value, parts), as weir/rows.h describes:
 *   value      of the enumerator WEIR_RWLOCK_NAME. Handles store it, so it never changes.
 *   parts      WEIR_PARTS_NONE, or WEIR_PARTS_COUNTS.
 */
#ifndef WEIR_RWLOCK_KINDS_H
#define WEIR_RWLOCK_KINDS_H

#include "weir/rows.h"
#include "weir/rwlock/object.h"

/** X(context, name, NAME, value, parts) for each kind (weir/rows.h). */
#define WEIR_RWLOCK_KINDS_WITH(X, context)                                                         \
	X(context, fair, FAIR, 1, WEIR_PARTS_NONE)                                                 \
	X(context, spread, SPREAD, 2, WEIR_PARTS_COUNTS)

/** X(name, NAME, value, parts) for each kind. */
#define WEIR_RWLOCK_KINDS(X) WEIR_RWLOCK_KINDS_WITH(WEIR_ROW_ALONE_, X)

/** The kinds of reader-writer lock. */
typedef enum weir_rwlock_kind {
	WEIR_RWLOCK_DEFAULT = 0, /**< `fair` */
#define WEIR_ROW_(name, NAME, value, ...) WEIR_RWLOCK_##NAME = value,
	WEIR_RWLOCK_KINDS(WEIR_ROW_)
#undef WEIR_ROW_
} weir_rwlock_kind;

#endif
