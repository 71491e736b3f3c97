/* The search for the shape of a counter or central barrier: coarse first, then around the best. */
#include "tune/shape.h"

#include <stddef.h>
#include <stdint.h>

#include "measure/setting.h"
#include "tune/search.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

enum {
	MOST_SHARD_BITS = 4,
	MOST_COPY_BITS = 3,
	MOST_PAUSE = 160
};

/* As many counters, or copies of one, as there are blocks are enough. */
static int fits(int bits, int most, uint32_t blocks)
{
	return bits >= 0 && bits <= most && (bits == 0 || UINT32_C(1) << bits <= blocks);
}

static int has_one_counter(const weir_search *search)
{
	const weir_point *point = &search->wanted->point;
	return weir_kind_find(point->primitive, point->kind)->shape == WEIR_SHAPE_FIRST_PAUSE;
}

static weir_status try_shape(weir_search *search, int shard_bits, int copy_bits, int pause)
{
	uint32_t blocks = search->wanted->point.blocks;
	const weir_setting setting = {
	    .shape = {1, {(uint32_t)shard_bits, (uint32_t)copy_bits, (uint32_t)pause}}};

	if ((has_one_counter(search) && (shard_bits || copy_bits)) ||
	    !fits(shard_bits, MOST_SHARD_BITS, blocks) ||
	    !fits(copy_bits, MOST_COPY_BITS, blocks) || pause < 0 || pause > MOST_PAUSE ||
	    UINT32_C(1) << (shard_bits + copy_bits) > WEIR_SHAPE_COUNTERS_MOST)
		return WEIR_OK;
	return weir_search_try(search, &setting);
}

/* Few counters for few blocks, and copies only where many would poll one: the search around the best
 * finds the rest. The likeliest pause first, should there not be time for all. */
static weir_status search_coarsely(weir_search *search)
{
	static const int pauses[] = {46, 36, 28, 56, 0, 80};
	int many = search->wanted->point.blocks >= 1000;
	weir_status status = WEIR_OK;

	for (size_t i = 0; i < sizeof pauses / sizeof pauses[0]; i++)
		for (int shard = 0; shard <= MOST_SHARD_BITS; shard += 2)
			for (int copy = 0; status == WEIR_OK && copy <= (many ? 2 : 0); copy++)
				status = try_shape(search, shard, copy, pauses[i]);
	return status;
}

/* One change at a time; halves the step of the pause each time none is better. */
weir_status weir_search_shape(weir_search *search)
{
	const weir_point *point = &search->wanted->point;
	const weir_shape untuned =
	    weir_untuned_shape(weir_kind_find(point->primitive, point->kind), point->blocks);
	weir_status status = try_shape(search, (int)untuned.shard_bits, (int)untuned.copy_bits,
	                               (int)untuned.first_pause);

	if (status == WEIR_OK)
		status = search_coarsely(search);
	for (int step = 16; status == WEIR_OK && step && !weir_search_over(search);) {
		const weir_shape *best = &search->best.setting.shape.shape;
		double before = search->best.per_second;
		int shard = (int)best->shard_bits;
		int copy = (int)best->copy_bits;
		int pause = (int)best->first_pause;
		const int around[][3] = {{0, 0, step}, {0, 0, -step}, {1, 0, 0},
		                         {-1, 0, 0},   {0, 1, 0},     {0, -1, 0}};
		for (size_t i = 0; status == WEIR_OK && i < 6; i++)
			status = try_shape(search, shard + around[i][0], copy + around[i][1],
			                   pause + around[i][2]);
		if (search->best.per_second <= before)
			step /= 2;
	}
	return status;
}
