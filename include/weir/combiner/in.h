/* A combiner in zeroed memory, made by the kernel itself: without the host library.
 *
 *   weir_combiner c = weir_combiner_in(words, seats);
 *
 * `seats` is the number of blocks, and operations have one word. `words` points to
 * WEIR_COMBINER_WORDS(seats) words, aligned to 8 bytes, better to a cache line of 128, all zero before the
 * first launch, and never changed by anything else.
 */
#ifndef WEIR_COMBINER_IN_H
#define WEIR_COMBINER_IN_H

#include "weir/combiner/object.h"

/** Words to allocate for weir_combiner_in. */
#define WEIR_COMBINER_WORDS(seats) (2 * WEIR_LINE_WORDS + ((seats) + 31) / 32 * 32 * 2)

/** A combiner for `seats` blocks, with operations of one word, in WEIR_COMBINER_WORDS(seats)
 * words, aligned to 8 bytes, that are all zero before the first launch. Any thread may make the
 * handle, as often as it likes. */
WEIR_FN weir_combiner weir_combiner_in(WEIR_GLOBAL weir_word *words, uint32_t seats)
{
	weir_combiner c = weir_combiner_zeroed_(words, 0, WEIR_LINE_WORDS);

	c.config.seats = seats;
	c.config.words = 1;
	c.config.is_served = 0;
	return c;
}

#endif
