/* The handle of a condition variable.
 *
 * Its words: `waiting` and `joined`, then `served` in a field of its own, since waiters poll it,
 * and after that a bit for each of config.slots tickets. All-zero memory is a condition that no
 * thread has waited for.
 */
#ifndef WEIR_CONDITION_OBJECT_H
#define WEIR_CONDITION_OBJECT_H

#include "weir/object.h"

/** The configuration in the handle of a condition. */
typedef struct weir_condition_config {
	WEIR_CONFIG_MEMBERS
	uint32_t slots; /**< a power of two: the most tickets from the first waiter to the last */
} weir_condition_config;

/** The handle of a condition. Kernels get it by value; every copy is the same condition. */
WEIR_HANDLE_(weir_condition)

WEIR_FN uint32_t weir_condition_served_at_(weir_condition_config config)
{
	return config.pitch > 2 ? config.pitch : 2;
}

/** The words of a condition. */
WEIR_FN uint32_t weir_condition_words(weir_condition_config config)
{
	return weir_condition_served_at_(config) + 1 + (config.slots + 31) / 32;
}

#endif
