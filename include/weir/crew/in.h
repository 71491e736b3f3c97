/* A crew in zeroed memory that another library shares among the ranks: without the host library.
 *
 *   weir_crew c = weir_crew_in(shares, ranks, rank, blocks);
 *
 * `shares` is an array in memory of this rank with the address of each rank's share, as this rank
 * reaches it. Each share has WEIR_CREW_WORDS(ranks) words, all zero before any rank's first launch,
 * and never changed by anything else. They are aligned to 4 bytes, better to a cache line of 128.
 * `blocks` is the number of blocks in this rank's grid; they must all run at once. The barrier is
 * flat, and the crew has one lane, no events and no queue. For any other crew, use
 * weir_crew_in_config.
 */
#ifndef WEIR_CREW_IN_H
#define WEIR_CREW_IN_H

#include "weir/crew/object.h"

#ifndef WEIR_CREW_PITCH
/** Words from a slot to the next: a warp reads 32 of them at once. An engine may need more. */
#define WEIR_CREW_PITCH 1
#endif

/** Words of a share for weir_crew_in: the head, and two lanes of a line and ranks - 1 slots each. */
#define WEIR_CREW_WORDS(ranks)                                                                     \
	(4 * WEIR_LINE_WORDS +                                                                     \
	 2 * (WEIR_LINE_WORDS + (((ranks)-1) * WEIR_CREW_PITCH + WEIR_LINE_WORDS - 1) /            \
	                            WEIR_LINE_WORDS * WEIR_LINE_WORDS))

/** The configuration, for weir_crew_make, of a crew of `ranks` ranks whose rank `rank` has
 * `blocks` blocks. Its barrier is flat, and it has one lane, no events and no queue: change
 * its members for others. */
WEIR_FN weir_crew_config weir_crew_in_config(uint32_t ranks, uint32_t rank, uint32_t blocks)
{
	weir_crew_config config;

	config.kind = 0;
	config.pitch = WEIR_CREW_PITCH;
	config.offset = 0;
	config.backoff = weir_no_backoff();
	config.id = 0;
	config.ranks = ranks;
	config.rank = rank;
	config.blocks = blocks;
	config.first_block = 0;
	config.radix = ranks < 2 ? 2 : ranks;
	config.bits = 0;
	config.lanes = 1;
	config.events = 0;
	config.queue_bits = 0;
	config.stride = 0;
	return config;
}

/** The crew of rank `rank`. `shares` is an array in memory of this rank with the address of each
 * rank's share, as this rank reaches it: WEIR_CREW_WORDS(ranks) words that are all zero before
 * any rank's first launch. `blocks` is the number of blocks in this rank's grid; they must all
 * run at once. Any thread may make the handle, as often as it likes. */
WEIR_FN weir_crew weir_crew_in(WEIR_GLOBAL weir_word *WEIR_GLOBAL const *shares, uint32_t ranks,
                               uint32_t rank, uint32_t blocks)
{
	return weir_crew_make(shares[rank], shares, weir_crew_in_config(ranks, rank, blocks));
}

#endif
