/* Kernels with deliberate faults. All machines share this source. Every third block, from block 1
 * on, makes the fault `base`. All others must finish, or learn of it within `length`
 * nanoseconds. */
#include "bounded_checks.h"

#define FAULT_NONE 0
#define FAULT_LATE 1    /* starts late */
#define FAULT_NEVER 2   /* does nothing, as if it had never started */
#define FAULT_EXIT 3    /* leaves after half of its rounds */
#define FAULT_HOLDING 4 /* leaves after half of its rounds with the lock or slot that it holds */
#define FAULT_GIVE_UP 5 /* gives up at random times */
#define FAULTS 6

#if WEIR_HAS_DEADLINE

WEIR_FN uint32_t fault_of(harness_params params)
{
	return weir_block_id() % 3 == 1 ? params.base : FAULT_NONE;
}

WEIR_FN void fault_start(uint32_t fault, uint32_t ns)
{
	uint64_t since = weir_clock_ns();

	while (fault == FAULT_LATE && weir_clock_ns() - since < ns)
		weir_pause(16);
}

/* Whether a block with that fault is gone before this round. */
WEIR_FN int fault_leaves(uint32_t fault, uint32_t round, harness_params params)
{
	return fault == FAULT_NEVER || (fault == FAULT_EXIT && round == params.rounds / 2);
}

/* How long to wait: a random time up to params.hold for a block that gives up; the same time for
 * all others. */
WEIR_FN uint64_t fault_patience(uint32_t fault, uint32_t random, harness_params params)
{
	return fault == FAULT_GIVE_UP ? (random >> 4) % params.hold : params.length;
}

WEIR_KERNEL(faults_mutex, harness_params)
{
	weir_mutex m = weir_mutex_make(words, params.config.mutex);
	WEIR_GLOBAL uint32_t *own = BOUNDED_OWN(data, weir_block_id());
	uint32_t random = harness_seed(params);
	uint32_t fault = fault_of(params);
	uint32_t errors = 0;

	if (weir_thread_id() != 0)
		return;
	fault_start(fault, params.hold);
	for (uint32_t i = 0; i < params.rounds && !fault_leaves(fault, i, params); i++) {
		random = harness_next(random);
		if (weir_mutex_lock_for(m, fault_patience(fault, random, params)) != WEIR_OK) {
			own[BOUNDED_LATE]++;
			if (fault == FAULT_GIVE_UP)
				continue;
			break; /* a block left with it */
		}
		errors += harness_update(data + HARNESS_DATA, BOUNDED_WIDTH, 1);
		own[BOUNDED_GOT]++;
		if (fault == FAULT_HOLDING && i == params.rounds / 2)
			break;
		weir_mutex_unlock(m);
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

/* The word at second.offset counts the slots taken. */
WEIR_KERNEL(faults_semaphore, harness_params)
{
	weir_semaphore s = weir_semaphore_make(words, params.config.semaphore);
	WEIR_GLOBAL weir_word *inside = words + params.second.object.offset;
	WEIR_GLOBAL uint32_t *own = BOUNDED_OWN(data, weir_block_id());
	uint32_t random = harness_seed(params);
	uint32_t fault = fault_of(params);
	uint32_t errors = 0;

	if (weir_thread_id() != 0)
		return;
	fault_start(fault, params.hold);
	for (uint32_t i = 0; i < params.rounds && !fault_leaves(fault, i, params); i++) {
		random = harness_next(random);
		if (weir_semaphore_wait_for(s, fault_patience(fault, random, params)) != WEIR_OK) {
			own[BOUNDED_LATE]++;
			if (fault == FAULT_GIVE_UP)
				continue;
			break;
		}
		/* Relaxed: a plain count. */
		errors += weir_add_rlx(inside, 1) >= params.value;
		own[BOUNDED_GOT]++;
		if (fault == FAULT_HOLDING && i == params.rounds / 2)
			break;
		weir_add_rlx(inside, (uint32_t)-1);
		weir_semaphore_post(s);
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

/* Each block stores how many phases it passed, and whether it learned that one was broken. */
WEIR_KERNEL(faults_barrier, harness_params)
{
	weir_barrier b = weir_barrier_make(words, params.config.barrier);
	WEIR_GLOBAL uint32_t *own = BOUNDED_OWN(data, weir_block_id());
	uint32_t random = harness_seed(params);
	uint32_t fault = fault_of(params);
	int told = 0;

	fault_start(fault, params.hold);
	for (uint32_t i = 0; i < params.rounds && !fault_leaves(fault, i, params) && !told; i++) {
		random = harness_next(random);
		told = weir_barrier_wait_for(b, fault_patience(fault, random, params)) != WEIR_OK;
		if (weir_thread_id() == weir_thread_count() - 1)
			own[told ? BOUNDED_LATE : BOUNDED_GOT]++;
	}
}

#endif
