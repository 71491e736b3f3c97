/* Groups that the caller chooses, and the barrier of a group.
 *
 * All blocks of the grid must run at once, as for a barrier of the whole grid. There may be any
 * number of groups, each with a barrier of its own.
 */
#ifndef WEIR_GROUP_CHOSEN_H
#define WEIR_GROUP_CHOSEN_H

#include "weir/group/object.h"

/** The barrier `b` for the members of a group. `b` is any barrier of at least that many blocks that
 * no other block uses. Call this once, or again before each wait. Unless `b` is of the kind
 * `atomic`, reset it before a group with another number of members uses it. A `counter` barrier
 * uses one counter for a group with fewer members than shards. */
WEIR_FN weir_barrier weir_group_barrier(weir_barrier b, weir_member me)
{
	b.config.first_block = weir_block_id() - me.rank;
	b.config.blocks = me.count;
	if (me.count >> b.config.shape.bits == 0)
		b.config.shape.bits = 0;
	return b;
}

/** The group of `count` blocks from `first` on, as the calling block sees it. */
WEIR_FN weir_member weir_group_range(uint32_t first, uint32_t count)
{
	weir_member me;

	me.rank = weir_block_id() - first;
	me.is_member = me.rank < count;
	me.count = count;
	return me;
}

WEIR_FN uint32_t weir_group_bits_(uint32_t x)
{
	x -= (x >> 1) & 0x55555555u;
	x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
	return (((x + (x >> 4)) & 0x0f0f0f0fu) * 0x01010101u) >> 24;
}

/* Counts the members in one word of a mask: the bits of the 32 blocks from `first` on. */
WEIR_FN void weir_group_count_(weir_member *me, uint32_t word, uint32_t first)
{
	uint32_t place = weir_block_id() - first;

	me->count += weir_group_bits_(word);
	if (place < 32) {
		me->is_member = word >> place & 1;
		me->rank += weir_group_bits_(word & ((1u << place) - 1));
	} else if (weir_block_id() > first) {
		me->rank += weir_group_bits_(word);
	}
}

/** The group of the blocks whose bits are set. The bit of block i is bit i mod 32 of words[i / 32].
 * Every thread reads all the words, so no thread may be writing them. */
WEIR_FN weir_member weir_group_mask_words(WEIR_GLOBAL const uint32_t *words, uint32_t length)
{
	weir_member me;

	me.is_member = 0;
	me.rank = 0;
	me.count = 0;
	for (uint32_t i = 0; i < length; i++)
		weir_group_count_(&me, words[i], i * 32);
	return me;
}

/** The same for the first 64 blocks. */
WEIR_FN weir_member weir_group_mask(uint64_t mask)
{
	weir_member me;

	me.is_member = 0;
	me.rank = 0;
	me.count = 0;
	weir_group_count_(&me, (uint32_t)mask, 0);
	weir_group_count_(&me, (uint32_t)(mask >> 32), 32);
	return me;
}

#endif
