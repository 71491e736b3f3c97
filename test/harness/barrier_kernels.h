/* Kernels that test a barrier. All machines share this source. */
#define WEIR_GRID_SYNC
#include "kernels/kernel.h"
#include "params.h"

WEIR_KERNEL(barrier_start, harness_params)
{
	weir_barrier b = weir_barrier_make(words, params.config.barrier);
	(void)data;
	if (weir_block_id() != 0 || weir_thread_id() != 0)
		return;
	weir_barrier_start(b, params.base);
}

/* Before the barrier each block writes the number of its phase, and after it reads the numbers of
 * all others. One thread writes, a different one in each phase. Two sets of plain words alternate:
 * a block that is a phase ahead or behind finds, or leaves, a wrong number. With `second.count`
 * set, two barriers alternate. */
WEIR_KERNEL(barrier_phases, harness_params)
{
	weir_barrier first = weir_barrier_make(words, params.config.barrier);
	weir_barrier second = weir_barrier_make(words, params.second.barrier);
	uint32_t blocks = weir_block_count();
	uint32_t threads = weir_thread_count();
	uint32_t me = weir_thread_id();
	uint32_t random = harness_seed(params);
	uint32_t errors = 0;

	for (uint32_t i = 0; i < params.rounds; i++) {
		uint32_t phase = params.base + i;
		WEIR_GLOBAL uint32_t *set = data + HARNESS_DATA + (phase & 1) * blocks;

		random = harness_shuffle(random);
		if (me == phase % threads)
			set[weir_block_id()] = phase + 1;
		if (!params.without) {
			if (params.second.barrier.blocks != 0 && (phase & 1))
				weir_barrier_wait(second);
			else
				weir_barrier_wait(first);
		}
		for (uint32_t block = me; block < blocks; block += threads)
			errors += set[block] != phase + 1;
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

/* One phase of the kernel below. Without the barrier there is only one path through it: for PoCL
 * each choice between block syncs makes another copy of all that follows. A block that `waits` does
 * so until `left` is `enough`. */
WEIR_FN uint32_t barrier_in_two(weir_barrier b, int without, uint32_t random, int waits,
                                WEIR_GLOBAL weir_word *left, uint32_t enough)
{
	if (without) {
		if (waits)
			weir_await_ge_acq(left, enough, weir_no_backoff());
		return random;
	}
	uint32_t token = weir_barrier_arrive(b);
	random = harness_shuffle(random);
	if (waits)
		weir_await_ge_acq(left, enough, weir_no_backoff());
	weir_barrier_await(b, token);
	return random;
}

/* The barrier in two halves, with the same words as above. In each phase one block in turn, from
 * block `value` on, starts its await only after all others have left theirs. They may wait for its
 * arrival, but for nothing after it. The word at second.offset counts the blocks that have left.
 * Every fourth time the barrier is passed in one piece. */
WEIR_KERNEL(barrier_split, harness_params)
{
	weir_barrier b = weir_barrier_make(words, params.config.barrier);
	WEIR_GLOBAL weir_word *left = words + params.second.object.offset;
	uint32_t blocks = weir_block_count();
	uint32_t threads = weir_thread_count();
	uint32_t me = weir_thread_id();
	uint32_t random = harness_seed(params);
	uint32_t errors = 0;

	for (uint32_t i = 0; i < params.rounds; i++) {
		uint32_t phase = params.base + i;
		uint32_t slow = params.value + phase % (blocks - params.value);
		WEIR_GLOBAL uint32_t *set = data + HARNESS_DATA + (phase & 1) * blocks;

		random = harness_shuffle(random);
		if (me == phase % threads)
			set[weir_block_id()] = phase + 1;
		if (phase % 4 != 3)
			random = barrier_in_two(b, params.without, random,
			                        weir_block_id() == slow && me == 0, left,
			                        (phase + 1) * (blocks - 1));
		else if (!params.without)
			weir_barrier_wait(b);
		for (uint32_t block = me; block < blocks; block += threads)
			errors += set[block] != phase + 1;
		if (weir_block_id() != slow && me == 0)
			weir_add_rlx(left, 1); /* relaxed: only the barrier may order the rest */
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}
