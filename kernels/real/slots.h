/* Jobs that need an area of scratch memory. There are fewer areas than blocks. A semaphore admits
 * one block for each area. A block then takes a free area using a bit map.
 *
 *   size   areas, 1 to 32; words of an area; jobs of all blocks together.
 *   data   SLOTS_LINE words for the bit map of areas in use; for each job its area; for each job 1
 *          if a word was wrong; the areas.
 *
 * An area is stored as its number plus 1, with 0 for none.
 *
 * A block admitted by the semaphore always finds a free area, because each of the other admitted
 * blocks has at most one. A block that finds none shows that too many were admitted. It then uses
 * another block's area, and the check notices. */
#ifndef WEIR_REAL_SLOTS_H
#define WEIR_REAL_SLOTS_H

#include "locks.h"

#define SLOTS_LINE 32u /* words */

/* Returns an area plus 1, or 0 if there is none. The caller has a slot of the semaphore.
 *   (map) -> (map | bit), for the lowest bit that is not set in it */
WEIR_FN uint32_t slots_take(WEIR_GLOBAL weir_word *map, uint32_t areas)
{
	/* Relaxed: a guess, which the compare-and-swap verifies. A full map cannot be stale either:
	 * two of its blocks and this one had the same slot, and the first left the map before. */
	uint32_t found = weir_load_rlx(map);
	uint32_t area = 0;

	while (area < areas) {
		if (found >> area & 1) {
			area++;
			continue;
		}
		/* Pairs with the release in slots_give: the area now belongs to this block. */
		uint32_t now = weir_cas_acq(map, found, found | 1u << area);
		if (now == found)
			return area + 1;
		found = now;
		area = 0;
	}
	return 0;
}

/* (map) -> (map & ~bit) */
WEIR_FN void slots_give(WEIR_GLOBAL weir_word *map, uint32_t area)
{
	/* Pairs with the acquire in slots_take. A subtraction: this block has set the bit. */
	weir_red_add_rel(map, 0u - (1u << area));
}

/* All threads of the block write the area and check it. Each returns whether a word that it read
 * was wrong. */
WEIR_FN int slots_work(WEIR_GLOBAL uint32_t *area, uint32_t count, uint32_t tag)
{
	real_write(area, count, tag);
	REAL_INSIDE();
	weir_block_sync(); /* all have written */
	return real_differs(area, count, tag);
}

WEIR_KERNEL(slots, real_params)
{
	uint32_t areas = params.size[0];
	uint32_t count = params.size[1];
	uint32_t jobs = params.size[2];
	WEIR_GLOBAL weir_word *map = (WEIR_GLOBAL weir_word *)data;
	WEIR_GLOBAL uint32_t *taken = data + SLOTS_LINE;
	WEIR_GLOBAL uint32_t *wrong = taken + jobs;
	WEIR_GLOBAL uint32_t *scratch = wrong + jobs;
	REAL_SEMAPHORE(words, params);

	for (uint32_t i = weir_block_id(); i < jobs; i += weir_block_count()) {
		if (weir_thread_id() == 0) {
			REAL_WAIT();
			taken[i] = slots_take(map, areas);
		}
		weir_block_sync(); /* extends the leader's acquire to its block */
		uint32_t area = taken[i] != 0 ? taken[i] - 1 : i % areas;
		if (slots_work(scratch + area * count, count, i + 1))
			wrong[i] = 1;
		weir_block_sync(); /* the block's writes precede the leader's release */
		if (weir_thread_id() == 0) {
			if (taken[i] != 0)
				slots_give(map, area);
			REAL_POST();
		}
	}
}

#endif
