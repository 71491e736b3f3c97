/* A dispenser that the kernel makes itself in zeroed memory, without the host library.
 *
 *   weir_dispenser d = weir_dispenser_in(words, items);
 *
 * Each block is one taker, and no taker has a share of its own; set config.share or config.takers
 * to change that. `words` points to WEIR_DISPENSER_WORDS words, which are all zero before the first
 * launch and which nothing else may change. Align them to at least 8 bytes, preferably to a cache
 * line of 128.
 */
#ifndef WEIR_DISPENSER_IN_H
#define WEIR_DISPENSER_IN_H

#include "weir/dispenser/object.h"

/** Words to allocate for weir_dispenser_in. */
#define WEIR_DISPENSER_WORDS (2 * WEIR_LINE_WORDS)

/** A dispenser of `items` items in WEIR_DISPENSER_WORDS words, aligned to 8 bytes, that are all
 * zero before the first launch. Any thread may make the handle, as often as it likes. Each block is
 * one taker, and no taker has a share of its own; set config.share or config.takers to change
 * that. */
WEIR_FN weir_dispenser weir_dispenser_in(WEIR_GLOBAL weir_word *words, uint32_t items)
{
	weir_dispenser d = weir_dispenser_zeroed_(words, 0, WEIR_LINE_WORDS);

	d.config.items = items;
	d.config.share = 0;
	d.config.takers = 1;
	return d;
}

#endif
