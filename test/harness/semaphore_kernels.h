/* Kernels that test a semaphore. All machines share this source. */
#include "kernels/kernel.h"
#include "params.h"

WEIR_KERNEL(semaphore_start, harness_params)
{
	weir_semaphore s = weir_semaphore_make(words, params.config.semaphore);
	(void)data;
	if (weir_block_id() != 0 || weir_thread_id() != 0)
		return;
	weir_semaphore_start(s, params.value, params.base);
}

/* The words after the semaphore's own, in which the harness counts. */
WEIR_FN WEIR_GLOBAL weir_word *counter(WEIR_GLOBAL weir_word *words, harness_params params)
{
	return words + params.second.object.offset;
}

/* Returns when all blocks have arrived: without the primitive, a block that starts late would miss
 * the fault to be caught. All blocks of the launch must run at once. */
WEIR_FN void assemble(WEIR_GLOBAL weir_word *words, harness_params params)
{
	weir_add_rlx(counter(words, params) + 2, 1); /* relaxed: a plain count */
	weir_await_eq_acq(counter(words, params) + 2, weir_block_count(), weir_no_backoff());
}

/* Never more blocks are inside than allowed. Each block stores the most that it saw in its own
 * word. */
WEIR_KERNEL(semaphore_bound, harness_params)
{
	weir_semaphore s = weir_semaphore_make(words, params.config.semaphore);
	uint32_t random = harness_seed(params);
	uint32_t most = 0;

	if (weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		random = harness_shuffle(random);
		if (!params.without)
			weir_semaphore_wait(s);
		/* Relaxed: a plain count of the blocks inside. */
		uint32_t inside = weir_add_rlx(counter(words, params), 1) + 1;
		most = inside > most ? inside : most;
		weir_pause(params.hold);
		weir_add_rlx(counter(words, params), (uint32_t)-1);
		if (!params.without)
			weir_semaphore_post(s);
	}
	data[HARNESS_DATA + weir_block_id()] = most;
}

/* The full number of blocks gets in: none posts before `value` blocks, or all, are inside.
 * Collective. */
WEIR_KERNEL(semaphore_saturate, harness_params)
{
	weir_semaphore s = weir_semaphore_make(words, params.config.semaphore);
	uint32_t allowed = params.value < weir_block_count() ? params.value : weir_block_count();

	if (weir_thread_id() == 0)
		assemble(words, params);
	if (!params.without)
		weir_semaphore_block_wait(s);
	if (weir_thread_id() == 0) {
		uint32_t before =
		    weir_add_rlx(counter(words, params), 1); /* relaxed: a plain count */
		if (before < allowed)
			weir_await_ge_acq(counter(words, params), allowed, weir_no_backoff());
		else if (weir_load_rlx(counter(words, params) + 1) == 0)
			data[HARNESS_ERRORS] = 1; /* inside, though no block had posted */
		/* Time for one block too many to enter. */
		for (uint32_t i = 0;
		     i < params.hold && weir_load_rlx(counter(words, params)) <= allowed; i++)
			weir_pause(64);
		/* Relaxed: a block that must see it enters through the post that follows. */
		weir_store_rlx(counter(words, params) + 1, 1);
	}
	if (!params.without)
		weir_semaphore_block_post(s);
}

/* Nothing is lost: one thread takes all slots without waiting, and gives them back. */
WEIR_KERNEL(semaphore_drain, harness_params)
{
	weir_semaphore s = weir_semaphore_make(words, params.config.semaphore);
	(void)data;
	if (weir_block_id() != 0 || weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < params.value; i++)
		weir_semaphore_wait(s);
	for (uint32_t i = 0; i < params.value; i++)
		weir_semaphore_post(s);
	weir_semaphore_wait_n(s, params.value);
	weir_semaphore_post_n(s, params.value);
}

/* Each wait takes a random number of slots; never more are taken than there are. A block that has
 * all of them changes two plain words, and a block that has fewer finds them equal. After the two
 * words, each block stores the most slots that it saw taken, and how often it had all. */
WEIR_KERNEL(semaphore_several, harness_params)
{
	weir_semaphore s = weir_semaphore_make(words, params.config.semaphore);
	WEIR_GLOBAL uint32_t *under = data + HARNESS_DATA;
	uint32_t random = harness_seed(params);
	uint32_t most = 0, changes = 0;

	if (weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		random = harness_shuffle(random);
		uint32_t slots =
		    (i + weir_block_id()) % 3 == 0 ? params.value : 1 + random % params.value;
		if (!params.without)
			weir_semaphore_wait_n(s, slots);
		/* Relaxed: a plain count of the slots taken. */
		uint32_t taken = weir_add_rlx(counter(words, params), slots) + slots;
		most = taken > most ? taken : most;
		uint32_t value = under[0];
		if (under[1] != value)
			data[HARNESS_ERRORS] = 1;
		weir_pause(params.hold);
		if (slots == params.value) {
			under[0] = value + 1;
			under[1] = value + 1;
			changes++;
		}
		weir_add_rlx(counter(words, params), (uint32_t)0 - slots);
		if (!params.without)
			weir_semaphore_post_n(s, slots);
	}
	under[2 + 2 * weir_block_id()] = most;
	under[2 + 2 * weir_block_id() + 1] = changes;
}

#if WEIR_HAS_WORD64
/* Slots taken and waited for: the lower half of the word of every fair kind. */
WEIR_FN uint32_t arrivals(weir_semaphore s)
{
	return (uint32_t)weir_load64_acq(weir_word64_at(s.words, 0));
}

/* Blocks arrive one after the other at a semaphore of one slot, while the first one holds it; they
 * must then enter in that order. Blocks with odd ids delay, so that without the semaphore they are
 * overtaken. */
WEIR_KERNEL(semaphore_order, harness_params)
{
	weir_semaphore s = weir_semaphore_make(words, params.config.semaphore);
	uint32_t me = weir_block_id();
	weir_wait wait = weir_wait_begin(weir_no_backoff());

	if (weir_thread_id() != 0)
		return;
	while (arrivals(s) != me)
		weir_wait_again(&wait);
	if (params.without)
		weir_add64_rlx(weir_word64_at(s.words, 0), 1); /* relaxed: shows the arrival */
	else
		weir_semaphore_wait(s);
	if (me & 1)
		for (uint32_t i = 0; i < params.hold; i++)
			weir_pause(64);
	harness_enter(data);
	wait = weir_wait_begin(weir_no_backoff());
	while (me == 0 && arrivals(s) != weir_block_count())
		weir_wait_again(&wait);
	if (!params.without)
		weir_semaphore_post(s);
}
#endif

/* Block 0 produces plain items and posts each; the others wait, then take the next item. */
WEIR_KERNEL(semaphore_items, harness_params)
{
	weir_semaphore s = weir_semaphore_make(words, params.config.semaphore);
	WEIR_GLOBAL uint32_t *items = data + HARNESS_DATA;
	uint32_t consumers = weir_block_count() - 1;

	if (weir_thread_id() != 0)
		return;
	assemble(words, params);
	if (weir_block_id() == 0) {
		/* Late enough that a block that does not wait is too early. */
		for (uint32_t i = 0; i < 16 * params.hold; i++)
			weir_pause(64);
		for (uint32_t i = 0; i < params.rounds * consumers; i++) {
			if ((i & 15) == 0)
				weir_pause(params.hold);
			items[i] = params.seed + i;
			if (!params.without)
				weir_semaphore_post(s);
		}
		return;
	}
	for (uint32_t i = 0; i < params.rounds; i++) {
		if (!params.without)
			weir_semaphore_wait(s);
		/* Each consumer has seen the post of an item. Acquire and release pass on
		 * everything that earlier consumers have seen through this word. So all items up to
		 * and including `next` were posted. */
		uint32_t next = weir_add_acq_rel(counter(words, params), 1);
		if (items[next] != params.seed + next)
			data[HARNESS_ERRORS] = 1;
	}
}

/* A semaphore of one slot is a mutex over plain words. */
WEIR_KERNEL(semaphore_exclusion, harness_params)
{
	weir_semaphore s = weir_semaphore_make(words, params.config.semaphore);
	uint32_t random = harness_seed(params);

	if (weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		random = harness_shuffle(random);
		if (!params.without)
			weir_semaphore_wait(s);
		if (harness_update(data + HARNESS_DATA, 2, params.hold))
			data[HARNESS_ERRORS] = 1;
		if (!params.without)
			weir_semaphore_post(s);
	}
}
