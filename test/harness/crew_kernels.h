/* Kernels that test a crew. All machines that have crews share this source. The ranks are groups of
 * `width` blocks of one launch, with their shares one after the other. */
#include "kernels/kernel.h"
#include "params.h"

#if WEIR_HAS_BLOCK_VALUE

WEIR_FN weir_crew_config crew_config(harness_params params, uint32_t rank)
{
	weir_crew_config config =
	    weir_crew_in_config(weir_block_count() / params.width, rank, params.width);

	config.first_block = rank * params.width;
	config.lanes = params.width;
	config.bits = params.value;
	config.events = 2;
	if (params.length)
		config.radix = params.length;
	config.stride = weir_crew_words(config);
	return config;
}

WEIR_FN weir_crew crew_of(WEIR_GLOBAL weir_word *words, harness_params params, uint32_t rank)
{
	weir_crew_config config = crew_config(params, rank);

	return weir_crew_make(words + rank * config.stride, 0, config);
}

WEIR_KERNEL(crew_start, harness_params)
{
	(void)data;
	if (weir_thread_id() == 0 && weir_block_id() % params.width == 0)
		weir_crew_start(crew_of(words, params, weir_block_id() / params.width),
		                params.base);
}

WEIR_FN weir_status crew_pass(weir_crew c, uint32_t phase, harness_params params, uint32_t random)
{
	weir_crew_token t;

	if (params.without)
		return WEIR_OK;
#if WEIR_HAS_DEADLINE
	if (params.hold && phase % 2 == 0) {
		t = weir_crew_arrive(c);
		while (weir_crew_await_for(c, &t, random % params.hold) != WEIR_OK)
			;
		return WEIR_OK;
	}
#endif
	(void)random;
	t = weir_crew_arrive(c);
	return weir_crew_await(c, &t);
}

/* Like barrier_phases, with two alternating sets of plain words. After every fourth barrier the blocks
 * with the same number synchronize in their lane, and look only at each other's words. */
WEIR_KERNEL(crew_phases, harness_params)
{
	uint32_t blocks = weir_block_count();
	uint32_t rank = weir_block_id() / params.width;
	uint32_t lane = weir_block_id() % params.width;
	weir_crew c = crew_of(words, params, rank);
	uint32_t random = (params.seed + weir_block_id() * 2654435761u) | 1;
	uint32_t errors = 0;

	for (uint32_t i = 0; i < params.rounds; i++) {
		uint32_t phase = params.base + i;
		WEIR_GLOBAL uint32_t *set = data + HARNESS_DATA + (phase & 1) * blocks;
		WEIR_GLOBAL uint32_t *lanes = data + HARNESS_DATA + 2 * blocks;

		random = harness_shuffle(random);
		if (weir_thread_id() == phase % weir_thread_count())
			set[weir_block_id()] = phase + 1;
		errors += crew_pass(c, phase, params, random >> 4) != WEIR_OK;
		for (uint32_t b = weir_thread_id(); b < blocks; b += weir_thread_count())
			errors += set[b] != phase + 1;
		if (params.without || phase % 4 != 0)
			continue;
		if (weir_thread_id() == 0)
			lanes[weir_block_id()] = phase;
		errors += weir_crew_lane_wait(c, lane) != WEIR_OK;
		for (uint32_t b = lane; b < blocks; b += params.width)
			errors += lanes[b] != phase;
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

#endif
