/* Kernels that run for long: as many operations as possible, with the cheapest checks that still
 * find a single violation. All machines share this source. */
#include "kernels/kernel.h"
#include "params.h"

/* Each block locks one of `length` mutexes at a time, drawn at random, and adds 1 to the pair of
 * words that it protects. The two are equal whenever no block holds it. */
WEIR_KERNEL(soak_mutex, harness_params)
{
	weir_mutex_array a = weir_mutex_array_make(words, params.config.mutex_array);
	uint32_t random = harness_seed(params);
	uint32_t errors = 0;

	if (weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		random = harness_next(random);
		uint32_t index = (random >> 8) % params.length;
		weir_mutex m = weir_mutex_at(a, index);

		weir_mutex_lock(m);
		errors += harness_update(data + HARNESS_DATA + 2 * index, 2, 0);
		weir_mutex_unlock(m);
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

/* Each block stores the number of the phase, and checks that of another block, each time a
 * different one. */
WEIR_KERNEL(soak_barrier, harness_params)
{
	weir_barrier b = weir_barrier_make(words, params.config.barrier);
	uint32_t blocks = weir_block_count();
	uint32_t other = weir_block_id();
	uint32_t last = weir_thread_count() - 1;
	uint32_t errors = 0;

	for (uint32_t i = 0; i < params.rounds; i++) {
		uint32_t phase = params.base + i;
		WEIR_GLOBAL uint32_t *set = data + HARNESS_DATA + (phase & 1) * blocks;

		if (weir_thread_id() == 0)
			set[weir_block_id()] = phase + 1;
		weir_barrier_wait(b);
		other = other + 1 == blocks ? 0 : other + 1;
		if (weir_thread_id() == last)
			errors += set[other] != phase + 1;
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

/* Never more than `value` blocks inside. */
WEIR_KERNEL(soak_semaphore, harness_params)
{
	weir_semaphore s = weir_semaphore_make(words, params.config.semaphore);
	WEIR_GLOBAL weir_word *inside = words + params.second.object.offset;
	uint32_t errors = 0;

	if (weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		weir_semaphore_wait(s);
		errors += weir_add_rlx(inside, 1) >= params.value;
		weir_add_rlx(inside, (uint32_t)-1);
		weir_semaphore_post(s);
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

/* Each block posts `value` times to events drawn at random, signals its own next event, and waits
 * for that of another block, each round a different one. The last `length` events only count.
 * Nothing is lost: at the end the host adds up all counts. */
WEIR_KERNEL(soak_event, harness_params)
{
	weir_event_array a = weir_event_array_make(words, params.config.event_array);
	WEIR_GLOBAL uint32_t *left = data + HARNESS_DATA;
	uint32_t blocks = weir_block_count();
	uint32_t me = weir_block_id();
	uint32_t other = me;
	uint32_t random = harness_seed(params);
	uint32_t errors = 0;

	if (weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		uint32_t round = params.base + i;

		for (uint32_t n = 0; n < params.value; n++) {
			random = harness_next(random);
			weir_event_post(weir_event_at(a, blocks + (random >> 8) % params.length),
			                1);
		}
		left[(round & 1) * blocks + me] = round + 1;
		weir_event_post(weir_event_at(a, me), 1);
		other = other + 1 == blocks ? 0 : other + 1;
		weir_event_wait(weir_event_at(a, other), round + 1);
		/* A block that is ahead has stored the number of a later round. */
		errors += (int32_t)(left[(round & 1) * blocks + other] - (round + 1)) < 0;
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

/* The sum of all counts, in two halves. */
WEIR_KERNEL(soak_event_sum, harness_params)
{
	weir_event_array a = weir_event_array_make(words, params.config.event_array);
	uint64_t sum = 0;

	if (weir_block_id() != 0 || weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < a.config.length; i++)
		sum += weir_event_count(weir_event_at(a, i));
	data[HARNESS_DATA] = (uint32_t)sum;
	data[HARNESS_DATA + 1] = (uint32_t)(sum >> 32);
}

/* An item: its producer and the lower bits of its number. */
#define SOAK_NUMBER_BITS 22
#define SOAK_NUMBERS ((1u << SOAK_NUMBER_BITS) - 1)
#define SOAK_MOST_WORDS 4
#define SOAK_SUMS 4 /* words of a block: its pushes and its pops, in two halves each */

/* The sum of these shows whether items were lost or duplicated. */
WEIR_FN uint32_t soak_mix(uint32_t x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	x *= 0x846ca68bu;
	return x ^ x >> 16;
}

WEIR_FN void soak_make(uint32_t first, uint32_t *item, uint32_t words)
{
	for (uint32_t i = 0; i < words; i++)
		item[i] = first + i * 2654435761u;
}

/* Checks an item, and that it follows the earlier items of its producer: `next` has a number for each
 * producer. */
WEIR_FN uint32_t soak_accept(WEIR_GLOBAL uint32_t *next, const uint32_t *item, uint32_t words)
{
	WEIR_GLOBAL uint32_t *least = next + (item[0] >> SOAK_NUMBER_BITS) % weir_block_count();
	uint32_t right[SOAK_MOST_WORDS];
	uint32_t errors = ((item[0] - *least) & SOAK_NUMBERS) > SOAK_NUMBERS / 2;

	*least = item[0] + 1;
	soak_make(item[0], right, words);
	for (uint32_t i = 0; i < words; i++)
		errors += item[i] != right[i];
	return errors;
}

WEIR_FN void soak_add(WEIR_GLOBAL uint32_t *sum, uint64_t addend)
{
	uint64_t all = ((uint64_t)sum[1] << 32 | sum[0]) + addend;

	sum[0] = (uint32_t)all;
	sum[1] = (uint32_t)(all >> 32);
}

/* Blocks below `value` push, and blocks from `width` on pop; blocks in both ranges alternate. */
WEIR_KERNEL(soak_queue, harness_params)
{
	weir_queue q = weir_queue_make(words, params.config.queue);
	uint32_t blocks = weir_block_count();
	uint32_t me = weir_block_id();
	WEIR_GLOBAL uint32_t *sums = data + HARNESS_DATA + SOAK_SUMS * me;
	WEIR_GLOBAL uint32_t *next = data + HARNESS_DATA + (SOAK_SUMS + me) * blocks;
	uint64_t pushed = 0, popped = 0;
	uint32_t item[SOAK_MOST_WORDS];
	uint32_t errors = 0;

	if (weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		uint32_t number = (params.base + i) & SOAK_NUMBERS;

		if (me < params.value) {
			soak_make(me << SOAK_NUMBER_BITS | number, item, q.config.words);
			pushed += soak_mix(item[0]);
			errors += weir_queue_push_item(q, item, q.config.words) != WEIR_OK;
		}
		if (me >= params.width) {
			errors += weir_queue_pop_item(q, item, q.config.words) != WEIR_OK;
			popped += soak_mix(item[0]);
			errors += soak_accept(next, item, q.config.words);
		}
	}
	soak_add(sums, pushed);
	soak_add(sums + 2, popped);
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

#if WEIR_HAS_WORD64
/* All items of a dispenser, one at a time: how many a block got, and a sum that identifies them. */
WEIR_KERNEL(soak_dispenser, harness_params)
{
	weir_dispenser d =
	    weir_dispenser_of(weir_dispenser_make(words, params.config.dispenser), params.rounds);
	WEIR_GLOBAL uint32_t *sums = data + HARNESS_DATA + SOAK_SUMS * weir_block_id();
	uint64_t taken = 0, count = 0;
	weir_share share;

	if (weir_thread_id() != 0)
		return;
	share = weir_dispenser_begin(d);
	while (weir_dispenser_next(d, &share, 1)) {
		taken += soak_mix(share.first);
		count += share.count;
	}
	soak_add(sums, taken);
	soak_add(sums + 2, count);
}

/* A graph in levels of `length` tasks. Task i of a level needs tasks i, i + 1 and i + 7 (cyclically)
 * of the level before it. A task finds that these have run once more than itself. `rounds` is not
 * used: a launch is a run. */
WEIR_KERNEL(soak_tasks, harness_params)
{
	weir_tasks t = weir_tasks_make(words, params.config.tasks);
	WEIR_GLOBAL uint32_t *runs = data + HARNESS_DATA;
	uint32_t task = WEIR_NO_TASK;
	uint32_t errors = 0;

	if (weir_thread_id() != 0)
		return;
	while (weir_tasks_next(t, &task)) {
		uint32_t level = task / params.length;
		uint32_t before = (level - 1) * params.length;
		uint32_t at = task % params.length;

		if (level > 0) {
			errors += runs[before + at] != runs[task] + 1;
			errors += runs[before + (at + 1) % params.length] != runs[task] + 1;
			errors += runs[before + (at + 7) % params.length] != runs[task] + 1;
		}
		runs[task]++;
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}
#endif
