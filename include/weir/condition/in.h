/* A condition variable that the kernel makes itself in zeroed memory, without the host library.
 *
 *   weir_condition c = weir_condition_in(words, slots);
 *
 * `slots` is a power of two, at least the number of blocks that wait at once. `words` points to
 * WEIR_CONDITION_WORDS(slots) words, which are all zero before the first launch and which nothing
 * else may change.
 */
#ifndef WEIR_CONDITION_IN_H
#define WEIR_CONDITION_IN_H

#include "weir/condition/object.h"

/** Words to allocate for weir_condition_in. */
#define WEIR_CONDITION_WORDS(slots) (WEIR_LINE_WORDS + 1 + ((slots) + 31) / 32)

/** A condition for `slots` waiters in WEIR_CONDITION_WORDS(slots) words that are all zero before
 * the first launch. `slots` is a power of two, at least the number of blocks that wait at once.
 * Any thread may make the handle, as often as it likes. */
WEIR_FN weir_condition weir_condition_in(WEIR_GLOBAL weir_word *words, uint32_t slots)
{
	weir_condition c = weir_condition_zeroed_(words, 0, WEIR_LINE_WORDS);

	c.config.slots = slots;
	return c;
}

#endif
