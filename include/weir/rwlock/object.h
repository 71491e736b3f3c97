/* The handle of a reader-writer lock.
 *
 * Its words are `next`, `turn`, `end` and `marks`, config.pitch apart, followed by `in` and `out`
 * for each of 2^bits counts of readers. All-zero memory is a free lock.
 */
#ifndef WEIR_RWLOCK_OBJECT_H
#define WEIR_RWLOCK_OBJECT_H

#include "weir/object.h"

#define WEIR_RWLOCK_HEAD 4      /**< fields before the first count */
#define WEIR_RWLOCK_BITS_MOST 6 /**< the largest weir_rwlock_config.bits */

/** The configuration in the handle of a reader-writer lock. */
typedef struct weir_rwlock_config {
	WEIR_CONFIG_MEMBERS
	uint32_t bits; /**< 2^bits counts of readers; 0 for the kind `fair` */
} weir_rwlock_config;

/** The handle of a reader-writer lock. Kernels get it by value; every copy is the same lock. */
WEIR_HANDLE_(weir_rwlock)

/** The words of a lock. */
WEIR_FN uint32_t weir_rwlock_words(weir_rwlock_config config)
{
	return (WEIR_RWLOCK_HEAD + (2u << config.bits) - 1) * config.pitch + 1;
}

#endif
