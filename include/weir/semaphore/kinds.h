/* The kinds of semaphore: a header each, and a row each. Everything else that knows the kinds (the
 * dispatch, the host library, the tests, the program weir) is made from these rows.
 *
 * A row is X(name, NAME, value, backs_off, fair, word64):
 *   value      of the enumerator WEIR_SEMAPHORE_NAME; stored in handles, so it never changes
 *   backs_off  1: config.backoff has an effect; 2: its min alone has, by the distance in the line
 *   fair       1: first come, first served
 *   word64     1: it has 64-bit words, and is among WEIR_SEMAPHORE_KINDS only where WEIR_HAS_WORD64
 *
 * The header semaphore/name.h defines weir_name_wait, weir_name_post, the same for n slots at once
 * (weir_name_wait_n, weir_name_post_n), weir_name_trywait_n, weir_name_semaphore_words (how many words a semaphore of this
 * config takes) and weir_name_semaphore_start (the state of a semaphore with `value` slots free that
 * was used `past` times).
 */
#ifndef WEIR_SEMAPHORE_KINDS_H
#define WEIR_SEMAPHORE_KINDS_H

#include "weir/semaphore/sleeping.h"
#include "weir/semaphore/spin.h"
#include "weir/semaphore/spin_backoff.h"

#define WEIR_SEMAPHORE_KINDS_32_(X)                                                                \
	X(spin, SPIN, 1, 0, 0, 0)                                                                  \
	X(spin_backoff, SPIN_BACKOFF, 2, 1, 0, 0)                                                  \
	X(sleeping, SLEEPING, 3, 1, 0, 0)

#define WEIR_SEMAPHORE_KINDS_64_(X) X(packed, PACKED, 4, 2, 1, 1)

#if WEIR_HAS_WORD64
#include "weir/semaphore/packed.h"
#define WEIR_SEMAPHORE_KINDS(X) WEIR_SEMAPHORE_KINDS_32_(X) WEIR_SEMAPHORE_KINDS_64_(X)
#else
#define WEIR_SEMAPHORE_KINDS(X) WEIR_SEMAPHORE_KINDS_32_(X)
#endif

typedef enum weir_semaphore_kind {
	WEIR_SEMAPHORE_DEFAULT = 0, /* the host library puts the device's best kind in its place */
#define WEIR_ROW_(name, NAME, value, ...) WEIR_SEMAPHORE_##NAME = value,
	WEIR_SEMAPHORE_KINDS_32_(WEIR_ROW_) WEIR_SEMAPHORE_KINDS_64_(WEIR_ROW_)
#undef WEIR_ROW_
} weir_semaphore_kind;

#endif
