/* The kinds of mutex: a header each, and a row each. Everything else that knows the kinds (the
 * dispatch, the host library, the tests, the program weir) is made from these rows.
 *
 * A row is X(name, NAME, value, fair, slots, backs_off):
 *   value      of the enumerator WEIR_MUTEX_NAME; stored in handles, so it never changes
 *   fair       1: first come, first served, in the order in which they add 1 to the first word
 *   slots      1: config.count is the size of a queue, a power of two; 2: that, and config.stride its
 *              slot in near memory (weir/machine.h); 3: that, from 2 on, and those who wait with a
 *              deadline keep their place in the line
 *   backs_off  1: config.backoff has an effect; 2: its min alone has, for each one ahead in the line
 *
 * The header mutex/name.h defines weir_name_lock, weir_name_trylock, weir_name_unlock,
 * weir_name_mutex_words (how many words a mutex of this config takes) and weir_name_mutex_start (the
 * state of a free mutex that was locked `past` times; all zeros for 0). With slots of 3 it also has
 * weir_name_lock_by, which gives up at a deadline.
 */
#ifndef WEIR_MUTEX_KINDS_H
#define WEIR_MUTEX_KINDS_H

#include "weir/mutex/cohort.h"
#include "weir/mutex/patient.h"
#include "weir/mutex/queue.h"
#include "weir/mutex/ring.h"
#include "weir/mutex/spin.h"
#include "weir/mutex/spin_backoff.h"
#include "weir/mutex/ticket.h"
#include "weir/mutex/ttas.h"

#define WEIR_MUTEX_KINDS(X)                                                                        \
	X(spin, SPIN, 1, 0, 0, 0)                                                                  \
	X(spin_backoff, SPIN_BACKOFF, 2, 0, 0, 1)                                                  \
	X(ticket, TICKET, 3, 1, 0, 1)                                                              \
	X(ring, RING, 4, 1, 1, 1)                                                                  \
	X(ttas, TTAS, 5, 0, 0, 1)                                                                  \
	X(queue, QUEUE, 6, 1, 0, 2)                                                                \
	X(cohort, COHORT, 7, 0, 2, 2)                                                              \
	X(patient, PATIENT, 8, 1, 3, 2)

typedef enum weir_mutex_kind {
	WEIR_MUTEX_DEFAULT = 0, /* the host library puts the device's best kind in its place */
#define WEIR_ROW_(name, NAME, value, fair, slots, backs_off) WEIR_MUTEX_##NAME = value,
	WEIR_MUTEX_KINDS(WEIR_ROW_)
#undef WEIR_ROW_
} weir_mutex_kind;

#endif
