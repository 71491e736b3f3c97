/* A dispenser in zeroed memory, made by the kernel itself: without the host library.
 *
 *   weir_dispenser d = weir_dispenser_in(words, items);
 *
 * Each block takes once at a time, and has no share to begin with; set config.share or
 * config.takers for another use. `words` points to WEIR_DISPENSER_WORDS words, all zero before
 * the first launch, and never changed by anything else. They are aligned to 8 bytes, better to
 * a cache line of 128.
 */
#ifndef WEIR_DISPENSER_IN_H
#define WEIR_DISPENSER_IN_H

#include "weir/dispenser/object.h"

/** Words to allocate for weir_dispenser_in. */
#define WEIR_DISPENSER_WORDS (2 * WEIR_LINE_WORDS)

/** A dispenser of `items` items in WEIR_DISPENSER_WORDS words, aligned to 8 bytes, that are all
 * zero before the first launch. Any thread may make the handle, as often as it likes. Each
 * block takes once at a time, and has no share to begin with; set config.share or config.takers
 * for another use. */
WEIR_FN weir_dispenser weir_dispenser_in(WEIR_GLOBAL weir_word *words, uint32_t items)
{
	weir_dispenser d = weir_dispenser_zeroed_(words, 0, WEIR_LINE_WORDS);

	d.config.items = items;
	d.config.share = 0;
	d.config.takers = 1;
	return d;
}

#endif
