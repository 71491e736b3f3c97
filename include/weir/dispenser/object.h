/* The handle of a dispenser.
 *
 * Its words, config.pitch apart: `next`, of 64 bits, and `left`. All-zero memory is a dispenser
 * from which nothing has been taken.
 */
#ifndef WEIR_DISPENSER_OBJECT_H
#define WEIR_DISPENSER_OBJECT_H

#include "weir/object.h"

/** The configuration in the handle of a dispenser. */
typedef struct weir_dispenser_config {
	WEIR_CONFIG_MEMBERS
	uint32_t items;  /**< the number of items in a launch */
	uint32_t share;  /**< the first items, which each taker has without taking */
	uint32_t takers; /**< takers in each block: 1, or the number of teams that take */
} weir_dispenser_config;

/** The handle of a dispenser. Kernels get it by value; every copy is the same dispenser. */
WEIR_HANDLE_(weir_dispenser)

/** The items that a taker has: `count` consecutive items from `first` on. It belongs to one taker
 * and one launch, and starts as weir_dispenser_begin makes it. The program may change `first` and
 * `count` between two calls. */
typedef struct weir_share {
	uint32_t first; /**< the number of the first item */
	uint32_t count; /**< 0: before the first item, and after the last */
	uint32_t state; /**< the library's: WEIR_SHARE_NEW and so on */
} weir_share;

#define WEIR_SHARE_NEW 0u   /**< `first` is the rank of the taker, whose own items come next */
#define WEIR_SHARE_TAKES 1u /**< items come from the dispenser */
#define WEIR_SHARE_ENDED 2u /**< there are no more: the taker has left */

/** The words of a dispenser. */
WEIR_FN uint32_t weir_dispenser_words(weir_dispenser_config config)
{
	return (config.pitch > 2 ? config.pitch : 2) + 1;
}

#if WEIR_HAS_WORD64

WEIR_FN WEIR_GLOBAL weir_word64 *weir_dispenser_next_(weir_dispenser d)
{
	return weir_word64_at(d.words, 0);
}

WEIR_FN WEIR_GLOBAL weir_word *weir_dispenser_left_(weir_dispenser d)
{
	return &d.words[d.config.pitch > 2 ? d.config.pitch : 2];
}

#endif

#endif
