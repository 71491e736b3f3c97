/* The kinds of semaphore: each has a header and a row. Everything else that knows the kinds (the
 * dispatch, the host library, the tests, the command weir) is generated from these rows.
 *
 * A row is X(context, name, NAME, value, fair, pause, words, role), as weir/rows.h describes:
 *   value      of the enumerator WEIR_SEMAPHORE_NAME. Handles store it, so it never changes.
 *   fair       WEIR_UNFAIR or WEIR_FAIR.
 *   pause      WEIR_PAUSE_NONE, _BACKOFF, _IN_TURN or _BY_PLACE.
 *   words      WEIR_WORDS_OF_32 or WEIR_WORDS_OF_64.
 *   role       WEIR_FOR_USE or WEIR_AS_PUBLISHED.
 *
 * The header semaphore/name.h defines:
 *   weir_name_wait and weir_name_post.
 *   weir_name_wait_n and weir_name_post_n, the same for n slots at once.
 *   weir_name_try_wait_n.
 *   weir_name_above             whether more slots are free than exist, as far as one load can
 *                               tell.
 *   weir_name_semaphore_words   returns how many words a semaphore of this config takes.
 *   weir_name_semaphore_start   sets the state to that of a semaphore with `value` slots free that
 *                               was used `past` times.
 */
#ifndef WEIR_SEMAPHORE_KINDS_H
#define WEIR_SEMAPHORE_KINDS_H

#include "weir/rows.h"
#include "weir/semaphore/sleeping.h"
#include "weir/semaphore/spin.h"
#include "weir/semaphore/spin_backoff.h"
#include "weir/semaphore/spin_exchange.h"
#include "weir/semaphore/spin_exchange_backoff.h"

#define WEIR_SEMAPHORE_KINDS_OF_32_(X, context)                                                    \
	X(context, spin, SPIN, 1, WEIR_UNFAIR, WEIR_PAUSE_NONE, WEIR_WORDS_OF_32, WEIR_FOR_USE)    \
	X(context, spin_backoff, SPIN_BACKOFF, 2, WEIR_UNFAIR, WEIR_PAUSE_BACKOFF,                 \
	  WEIR_WORDS_OF_32, WEIR_FOR_USE)                                                          \
	X(context, sleeping, SLEEPING, 3, WEIR_UNFAIR, WEIR_PAUSE_IN_TURN, WEIR_WORDS_OF_32,       \
	  WEIR_FOR_USE)                                                                            \
	X(context, spin_exchange, SPIN_EXCHANGE, 5, WEIR_UNFAIR, WEIR_PAUSE_NONE,                  \
	  WEIR_WORDS_OF_32, WEIR_AS_PUBLISHED)                                                     \
	X(context, spin_exchange_backoff, SPIN_EXCHANGE_BACKOFF, 6, WEIR_UNFAIR,                   \
	  WEIR_PAUSE_BACKOFF, WEIR_WORDS_OF_32, WEIR_AS_PUBLISHED)

#define WEIR_SEMAPHORE_KINDS_OF_64_(X, context)                                                    \
	X(context, packed, PACKED, 4, WEIR_FAIR, WEIR_PAUSE_BY_PLACE, WEIR_WORDS_OF_64,            \
	  WEIR_FOR_USE)

#if WEIR_HAS_WORD64
#include "weir/semaphore/packed.h"
/** X(context, name, NAME, value, fair, pause, words, role) for each kind (weir/rows.h). */
#define WEIR_SEMAPHORE_KINDS_WITH(X, context)                                                      \
	WEIR_SEMAPHORE_KINDS_OF_32_(X, context) WEIR_SEMAPHORE_KINDS_OF_64_(X, context)
#else
#define WEIR_SEMAPHORE_KINDS_WITH(X, context) WEIR_SEMAPHORE_KINDS_OF_32_(X, context)
#endif

/** X(name, NAME, value, fair, pause, words, role) for each kind. */
#define WEIR_SEMAPHORE_KINDS(X) WEIR_SEMAPHORE_KINDS_WITH(WEIR_ROW_ALONE_, X)

/** The kinds of semaphore. */
typedef enum weir_semaphore_kind {
	WEIR_SEMAPHORE_DEFAULT = 0, /**< the host library replaces it with the device's best kind */
/* All kinds on every machine, so that a handle means the same on the host and in a kernel. */
#define WEIR_ROW_(context, name, NAME, value, ...) WEIR_SEMAPHORE_##NAME = value,
	WEIR_SEMAPHORE_KINDS_OF_32_(WEIR_ROW_, ) WEIR_SEMAPHORE_KINDS_OF_64_(WEIR_ROW_, )
#undef WEIR_ROW_
} weir_semaphore_kind;

#endif
