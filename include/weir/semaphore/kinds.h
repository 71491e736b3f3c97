/* The kinds of semaphore: a header each, and a row each. Everything else that knows the kinds (the
 * dispatch, the host library, the tests, the demonstration) is made from these rows.
 *
 * A row is X(name, NAME, value, backs_off):
 *   value      of the enumerator WEIR_SEMAPHORE_NAME; stored in handles, so it never changes
 *   backs_off  1: config.backoff has an effect
 *
 * The header semaphore/name.h defines weir_name_wait, weir_name_post, weir_name_semaphore_words (how
 * many words a semaphore of this config takes) and weir_name_semaphore_start (the state of a
 * semaphore with `value` slots free that was used `past` times).
 */
#ifndef WEIR_SEMAPHORE_KINDS_H
#define WEIR_SEMAPHORE_KINDS_H

#include "weir/semaphore/sleeping.h"
#include "weir/semaphore/spin.h"
#include "weir/semaphore/spin_backoff.h"

#define WEIR_SEMAPHORE_KINDS(X)                                                                    \
	X(spin, SPIN, 1, 0)                                                                        \
	X(spin_backoff, SPIN_BACKOFF, 2, 1)                                                        \
	X(sleeping, SLEEPING, 3, 1)

typedef enum weir_semaphore_kind {
	WEIR_SEMAPHORE_DEFAULT = 0, /* the host library puts the device's best kind in its place */
#define WEIR_ROW_(name, NAME, value, backs_off) WEIR_SEMAPHORE_##NAME = value,
	WEIR_SEMAPHORE_KINDS(WEIR_ROW_)
#undef WEIR_ROW_
} weir_semaphore_kind;

#endif
