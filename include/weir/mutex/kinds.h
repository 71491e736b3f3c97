/* The kinds of mutex: each has a header and a row. Everything else that knows the kinds (the
 * dispatch, the host library, the tests, the command weir) is generated from these rows.
 *
 * A row is X(context, name, NAME, value, fair, queue, pause, role), as weir/rows.h describes:
 *   value      of the enumerator WEIR_MUTEX_NAME. Handles store it, so it never changes.
 *   fair       WEIR_UNFAIR, or WEIR_FAIR: waiters are served in the order in which they add 1 to
 *              the first word.
 *   queue      WEIR_QUEUE_NONE, _SLOTS, _CLUSTER or _TIMED.
 *   pause      WEIR_PAUSE_NONE, _BACKOFF, _IN_TURN or _BY_PLACE.
 *   role       WEIR_FOR_USE or WEIR_AS_PUBLISHED.
 *
 * The header mutex/name.h defines:
 *   weir_name_lock, weir_name_try_lock and weir_name_unlock.
 *   weir_name_mutex_words   returns how many words a mutex of this config takes.
 *   weir_name_mutex_start   sets the state to that of a free mutex that was locked `past` times;
 *                           for 0, all zeros.
 *   weir_name_lock_by       locks, but gives up at a deadline; only with WEIR_QUEUE_TIMED.
 */
#ifndef WEIR_MUTEX_KINDS_H
#define WEIR_MUTEX_KINDS_H

#include "weir/mutex/cohort.h"
#include "weir/mutex/paced.h"
#include "weir/mutex/patient.h"
#include "weir/mutex/ring.h"
#include "weir/mutex/spin.h"
#include "weir/mutex/spin_atomic.h"
#include "weir/mutex/spin_backoff.h"
#include "weir/mutex/spin_then_backoff.h"
#include "weir/mutex/ticket.h"
#include "weir/mutex/ttas.h"
#include "weir/rows.h"

/** X(context, name, NAME, value, fair, queue, pause, role) for each kind (weir/rows.h). */
#define WEIR_MUTEX_KINDS_WITH(X, context)                                                          \
	X(context, spin, SPIN, 1, WEIR_UNFAIR, WEIR_QUEUE_NONE, WEIR_PAUSE_NONE, WEIR_FOR_USE)     \
	X(context, spin_backoff, SPIN_BACKOFF, 2, WEIR_UNFAIR, WEIR_QUEUE_NONE,                    \
	  WEIR_PAUSE_BACKOFF, WEIR_FOR_USE)                                                        \
	X(context, ticket, TICKET, 3, WEIR_FAIR, WEIR_QUEUE_NONE, WEIR_PAUSE_IN_TURN,              \
	  WEIR_FOR_USE)                                                                            \
	X(context, ring, RING, 4, WEIR_FAIR, WEIR_QUEUE_SLOTS, WEIR_PAUSE_IN_TURN, WEIR_FOR_USE)   \
	X(context, ttas, TTAS, 5, WEIR_UNFAIR, WEIR_QUEUE_NONE, WEIR_PAUSE_BACKOFF, WEIR_FOR_USE)  \
	X(context, paced, PACED, 6, WEIR_FAIR, WEIR_QUEUE_NONE, WEIR_PAUSE_BY_PLACE, WEIR_FOR_USE) \
	X(context, cohort, COHORT, 7, WEIR_UNFAIR, WEIR_QUEUE_CLUSTER, WEIR_PAUSE_BY_PLACE,        \
	  WEIR_FOR_USE)                                                                            \
	X(context, patient, PATIENT, 8, WEIR_FAIR, WEIR_QUEUE_TIMED, WEIR_PAUSE_BY_PLACE,          \
	  WEIR_FOR_USE)                                                                            \
	X(context, spin_atomic, SPIN_ATOMIC, 9, WEIR_UNFAIR, WEIR_QUEUE_NONE, WEIR_PAUSE_NONE,     \
	  WEIR_AS_PUBLISHED)                                                                       \
	X(context, spin_then_backoff, SPIN_THEN_BACKOFF, 10, WEIR_UNFAIR, WEIR_QUEUE_NONE,         \
	  WEIR_PAUSE_BACKOFF, WEIR_AS_PUBLISHED)

/** X(name, NAME, value, fair, queue, pause, role) for each kind. */
#define WEIR_MUTEX_KINDS(X) WEIR_MUTEX_KINDS_WITH(WEIR_ROW_ALONE_, X)

/** The kinds of mutex. */
typedef enum weir_mutex_kind {
	WEIR_MUTEX_DEFAULT = 0, /**< the host library replaces it with the device's best kind */
#define WEIR_ROW_(name, NAME, value, ...) WEIR_MUTEX_##NAME = value,
	WEIR_MUTEX_KINDS(WEIR_ROW_)
#undef WEIR_ROW_
} weir_mutex_kind;

#endif
