/* Kernels whose blocks synchronize in groups: of blocks that run at the same time, or that the
 * caller chose. All machines share this source. */
#include "kernels/kernel.h"
#include "params.h"

/* `data` of a discovery: two sets of words for the members, then the answer to each block. */
#define GROUP_TOLD(members) (HARNESS_DATA + 2 * (members))
#define GROUP_OUTSIDE 0xffffffffu

/* The members use their barrier as in barrier_phases, with ranks instead of block ids. */
WEIR_FN uint32_t group_phases(weir_barrier b, weir_member me, WEIR_GLOBAL uint32_t *sets,
                              uint32_t most, harness_params params, uint32_t rounds)
{
	uint32_t threads = weir_thread_count();
	uint32_t thread = weir_thread_id();
	uint32_t random = harness_seed(params);
	uint32_t errors = 0;

	for (uint32_t i = 0; i < rounds; i++) {
		uint32_t phase = params.base + i;
		WEIR_GLOBAL uint32_t *set = sets + (phase & 1) * most;

		random = harness_shuffle(random);
		if (thread == phase % threads)
			set[me.rank] = phase + 1;
		if (!params.without)
			weir_barrier_wait(b);
		for (uint32_t other = thread; other < me.count; other += threads)
			errors += set[other] != phase + 1;
	}
	return errors;
}

/* Members synchronize `rounds` times and the other blocks leave. The last thread of each block, not
 * the one that asked, writes the block's answer. */
WEIR_KERNEL(group_discover, harness_params)
{
	weir_group g = weir_group_make(words, params.config.group);
	weir_member me = weir_group_discover(g);
	WEIR_GLOBAL uint32_t *told =
	    data + GROUP_TOLD(params.config.group.most_members) + 2 * weir_block_id();
	uint32_t errors = 0;

	if (weir_thread_id() == weir_thread_count() - 1) {
		told[0] = me.is_member ? me.rank : GROUP_OUTSIDE;
		told[1] = me.count;
	}
	if (!me.is_member)
		return;
	errors = group_phases(weir_group_own_barrier(g, me), me, data + HARNESS_DATA,
	                      params.config.group.most_members, params, params.rounds);
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

/* As above, with another barrier beside the group, and without the check of the answers. */
WEIR_KERNEL(group_other_barrier, harness_params)
{
	weir_group g = weir_group_make(words, params.config.group);
	weir_barrier b = weir_barrier_make(words, params.second.barrier);
	weir_member me = weir_group_discover(g);
	uint32_t errors = 0;

	if (!me.is_member)
		return;
	errors = group_phases(weir_group_barrier(b, me), me, data + HARNESS_DATA,
	                      params.config.group.most_members, params, params.rounds);
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

WEIR_KERNEL(group_ask, harness_params)
{
	weir_group g = weir_group_make(words, params.config.group);
	weir_member me = weir_group_discover(g);

	if (weir_thread_id() == 0 && me.is_member && me.rank == 0)
		data[HARNESS_MOST] = me.count;
}

/* A launch without any of this, to measure its time. */
WEIR_KERNEL(group_nothing, harness_params)
{
	(void)words;
	if (weir_thread_id() == 0 && weir_block_id() == 0)
		data[HARNESS_MOST] = params.rounds;
}

/* The group of a block among the `length` groups of the grid, and its part there. Groups are
 * ranges, where the last takes the rest; or a mask in two of the kernel's own words; or masks in
 * memory. */
WEIR_FN uint32_t group_of(harness_params params, weir_member *me, WEIR_GLOBAL const uint32_t *masks)
{
	uint32_t block = weir_block_id();
	uint32_t blocks = weir_block_count();
	uint32_t groups = params.length;
	uint32_t which = block % groups;
	uint32_t share = blocks / groups;
	uint64_t mask = 0;

	if (params.value == 0) {
		which = block / share < groups ? block / share : groups - 1;
		*me = weir_group_range(which * share,
		                       which == groups - 1 ? blocks - which * share : share);
	} else if (params.value == 1) {
		for (uint32_t i = which; i < blocks; i += groups)
			mask |= (uint64_t)1 << i;
		*me = weir_group_mask(mask);
	} else {
		*me = weir_group_mask_words(masks + which * params.width, params.width);
	}
	return which;
}

/* Several groups in one grid, each with its own barrier, `hold` words from the previous one, and
 * its own number of phases. `data` begins with the masks, `width` words for each group. */
WEIR_KERNEL(group_chosen, harness_params)
{
	WEIR_GLOBAL uint32_t *masks = data + HARNESS_DATA;
	uint32_t blocks = weir_block_count();
	weir_barrier_config config =
	    params.config.barrier; /* PoCL's work-items share one copy of an argument */
	weir_member me;
	weir_barrier b;
	uint32_t which = group_of(params, &me, masks);
	uint32_t errors = !me.is_member;

	config.offset += which * params.hold;
	b = weir_group_barrier(weir_barrier_make(words, config), me);
	errors += group_phases(b, me, masks + params.length * params.width + 2 * blocks * which,
	                       blocks, params, params.rounds + 3 * which);
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

/* A barrier that the library made for some blocks of the grid. */
WEIR_KERNEL(group_part, harness_params)
{
	weir_barrier b = weir_barrier_make(words, params.config.barrier);
	weir_member me = weir_group_range(b.config.first_block, b.config.blocks);
	uint32_t errors = 0;

	if (!me.is_member)
		return;
	errors = group_phases(b, me, data + HARNESS_DATA, b.config.blocks, params, params.rounds);
	if (errors)
		data[HARNESS_ERRORS] = errors;
	if (weir_thread_id() == 0 && me.rank == 0)
		data[HARNESS_MOST] = me.count;
}
