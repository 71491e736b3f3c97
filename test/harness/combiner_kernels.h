/* Kernels that test a combiner. All machines share this source. The state is a plain count, which an
 * operation returns and increments. An operation consists of the number of its block and, above that,
 * the number of its round. Each block stores the round in a plain word before it publishes, and the
 * operation copies that to another word. After these words there is one word to count each operation,
 * and one to count each result. */
#include "kernels/kernel.h"
#include "params.h"

#define COMBINE_COUNT HARNESS_DATA
#define COMBINE_ASKED (HARNESS_DATA + 1)
#define COMBINE_ROUND 0x10000u /* what a round adds to an operation */

/* Values of `value`: whether a block serves. */
#define COMBINE_NO_SERVER 0
#define COMBINE_ONE_SERVES 1 /* block `base` */
#define COMBINE_ALL_TRY 2    /* whichever is first */

/* The values that timed calls store after the counts of operations. */
#define COMBINE_WAS_DONE 1
#define COMBINE_GAVE_UP 2

#if WEIR_HAS_WORD64

WEIR_FN WEIR_GLOBAL uint32_t *combine_asked(WEIR_GLOBAL uint32_t *data, uint32_t block)
{
	return data + COMBINE_ASKED + block;
}

WEIR_FN WEIR_GLOBAL uint32_t *combine_done(WEIR_GLOBAL uint32_t *data, uint32_t block)
{
	return data + COMBINE_ASKED + weir_block_count() + block;
}

/* The count of an operation, and the words after all of them. */
WEIR_FN WEIR_GLOBAL uint32_t *combine_mark(WEIR_GLOBAL uint32_t *data, harness_params params,
                                           uint32_t operation)
{
	return data + COMBINE_ASKED + 2 * weir_block_count() +
	       operation % COMBINE_ROUND * params.rounds + operation / COMBINE_ROUND;
}

WEIR_FN WEIR_GLOBAL uint32_t *combine_told(WEIR_GLOBAL uint32_t *data, harness_params params)
{
	return combine_mark(data, params, weir_block_count());
}

/* Does operation `i` of those that were found, with all of its words. */
WEIR_FN void combine_do(weir_combiner c, weir_combiner_call *call, uint32_t i, uint32_t *count,
                        WEIR_GLOBAL uint32_t *data, harness_params params)
{
	uint32_t operation = weir_combiner_operation(call, i);
	uint32_t block = operation % COMBINE_ROUND;

	if (*combine_asked(data, block) != operation / COMBINE_ROUND + 1)
		data[HARNESS_ERRORS] = 1;
	*combine_done(data, block) = *combine_asked(data, block);
	*combine_mark(data, params, operation) += 1;
	weir_pause(params.hold);
	weir_combiner_answer(call, i, *count);
	/* The word between these stays unchanged. */
	if (c.config.words > 1)
		weir_combiner_answer_word(call, i, 1,
		                          weir_combiner_operation_word(call, i, 1) + *count);
	if (c.config.words > 3)
		weir_combiner_answer_word(call, i, 3,
		                          weir_combiner_operation_word(call, i, 3) + *count);
	*count += 1;
}

/* Does all published operations. */
WEIR_FN void combine_all(weir_combiner c, weir_combiner_call *call, WEIR_GLOBAL uint32_t *data,
                         harness_params params)
{
	uint32_t count = data[COMBINE_COUNT];

	while (weir_combiner_next(c, call))
		WEIR_COMBINER_EACH (i, call)
			combine_do(c, call, i, &count, data, params);
	if (weir_thread_id() == 0)
		data[COMBINE_COUNT] = count;
}

/* One call. Returns the result of the whole operation, or a value that is too large. */
WEIR_FN uint32_t combine_call(weir_combiner c, WEIR_GLOBAL uint32_t *data, uint32_t operation,
                              uint32_t random, harness_params params)
{
	uint32_t words[WEIR_COMBINER_WORDS_MOST];
	uint32_t result, errors = 0;
	weir_combiner_call call;

	words[0] = operation;
	words[1] = random;
	words[2] = ~random;
	words[3] = random * 3;
	call = c.config.words == 1 ? weir_combiner_publish(c, operation)
	                           : weir_combiner_publish_words(c, words, c.config.words);
	while (weir_combiner_wait(c, &call)) {
		combine_all(c, &call, data, params);
		weir_combiner_release(c, &call);
	}
	result = weir_combiner_result(&call);
	if (c.config.words > 1)
		errors += weir_combiner_result_word(&call, 1) != words[1] + result;
	if (c.config.words > 2)
		errors += weir_combiner_result_word(&call, 2) != words[2];
	if (c.config.words > 3)
		errors += weir_combiner_result_word(&call, 3) != words[3] + result;
	return errors == 0 ? result : 0xffffffffu;
}

/* The same without a combiner. */
WEIR_FN uint32_t combine_by_hand(WEIR_GLOBAL uint32_t *data, harness_params params)
{
	uint32_t count = data[COMBINE_COUNT];

	weir_pause(params.hold);
	data[COMBINE_COUNT] = count + 1;
	*combine_done(data, weir_block_id()) = *combine_asked(data, weir_block_id());
	return count;
}

/* Whether the caller served, until all others had left. */
WEIR_FN int combine_serves(weir_combiner c, WEIR_GLOBAL uint32_t *data, harness_params params)
{
	weir_combiner_call call;

	if (params.value == COMBINE_NO_SERVER ||
	    (params.value == COMBINE_ONE_SERVES && weir_block_id() != params.base) ||
	    !weir_combiner_serve(c, &call))
		return 0;
	while (weir_combiner_serve_next(c, &call))
		combine_all(c, &call, data, params);
	weir_combiner_release(c, &call);
	return 1;
}

/* Counts a result. Returns 1 for an impossible result. */
WEIR_FN uint32_t combine_count(WEIR_GLOBAL uint32_t *told, uint32_t result, harness_params params)
{
	if (result >= weir_block_count() * params.rounds)
		return 1;
	return told[result]++ != 0;
}

/* Each block calls `rounds` times. */
WEIR_KERNEL(combine_calls, harness_params)
{
	weir_combiner c = weir_combiner_make(words, params.config.combiner);
	uint32_t me = weir_block_id();
	uint32_t random = harness_seed(params) - weir_thread_id() * 40503u; /* the same for all */
	uint32_t errors = 0;

	if (!weir_is_first(weir_thread_id()) || combine_serves(c, data, params))
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		uint32_t result;

		random = harness_shuffle(random);
		if (weir_thread_id() == 0)
			*combine_asked(data, me) = i + 1;
		result = params.without
		             ? combine_by_hand(data, params)
		             : combine_call(c, data, i * COMBINE_ROUND + me, random, params);
		if (weir_thread_id() == 0) {
			errors += *combine_done(data, me) != i + 1;
			errors += combine_count(combine_told(data, params), result, params);
		}
	}
	if (params.value != COMBINE_NO_SERVER && weir_thread_id() == 0)
		weir_combiner_leave(c);
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

#if WEIR_HAS_BLOCK_VALUE

WEIR_FN uint32_t combine_raise(uint32_t *count, uint32_t addend)
{
	uint32_t before = *count;

	*count += addend;
	return before;
}

/* All threads of each block, by the macro for a state in memory. The last thread counts the result. */
WEIR_KERNEL(combine_block, harness_params)
{
	weir_combiner c = weir_combiner_make(words, params.config.combiner);
	uint32_t errors = 0;

	for (uint32_t i = 0; i < params.rounds; i++) {
		uint32_t result;

		weir_combiner_block_call(c, uint32_t, data + COMBINE_COUNT, combine_raise, 1,
		                         result);
		if (weir_thread_id() == weir_thread_count() - 1)
			errors += combine_count(combine_told(data, params), result, params);
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

#endif

#if WEIR_HAS_DEADLINE

/* A call with a deadline, of the first word of the operation. */
WEIR_FN weir_status combine_call_for(weir_combiner c, WEIR_GLOBAL uint32_t *data,
                                     uint32_t operation, uint64_t ns, harness_params params)
{
	weir_deadline deadline = weir_deadline_begin(ns);
	weir_combiner_call call = weir_combiner_publish_timed(c, &operation, 1);
	weir_status result;

	while ((result = weir_combiner_wait_by(c, &call, &deadline)) == WEIR_BUSY) {
		combine_all(c, &call, data, params);
		weir_combiner_release(c, &call);
	}
	return result;
}

/* Random deadlines below `length` nanoseconds; every fourth call has none. Each call stores how it
 * ended. */
WEIR_KERNEL(combine_timed, harness_params)
{
	weir_combiner c = weir_combiner_make(words, params.config.combiner);
	WEIR_GLOBAL uint32_t *told = combine_told(data, params);
	uint32_t me = weir_block_id();
	uint32_t random = harness_seed(params) - weir_thread_id() * 40503u;

	if (!weir_is_first(weir_thread_id()) || combine_serves(c, data, params))
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		uint32_t operation = i * COMBINE_ROUND + me;
		weir_status result = WEIR_OK;

		random = harness_shuffle(random);
		if (weir_thread_id() == 0)
			*combine_asked(data, me) = i + 1;
		if (i % 4 == 3)
			combine_call(c, data, operation, random, params);
		else
			result = combine_call_for(c, data, operation, (random >> 4) % params.length,
			                          params);
		if (weir_thread_id() != 0)
			continue;
		if (result == WEIR_OK && *combine_done(data, me) != i + 1)
			data[HARNESS_ERRORS] = 1;
		told[me * params.rounds + i] =
		    result == WEIR_OK ? COMBINE_WAS_DONE : COMBINE_GAVE_UP;
	}
	if (params.value != COMBINE_NO_SERVER && weir_thread_id() == 0)
		weir_combiner_leave(c);
}

/* A lone block: a call that no block serves gives up, and is never done. A call that may do its
 * operation itself does so, late or not. */
WEIR_KERNEL(combine_alone, harness_params)
{
	weir_combiner served = weir_combiner_make(words, params.config.combiner);
	weir_combiner unserved = weir_combiner_make(words, params.second.combiner);
	uint32_t errors = 0;

	if (weir_block_id() != 0 || !weir_is_first(weir_thread_id()))
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		uint32_t operation = i * COMBINE_ROUND;
		int is_given_up = i % 3 == 0;

		if (weir_thread_id() == 0)
			*combine_asked(data, 0) = i + 1;
		weir_first_sync();
		if (is_given_up)
			errors += combine_call_for(served, data, operation, 1000, params) !=
			          WEIR_TIMED_OUT;
		else if (i % 3 == 1)
			errors += combine_call_for(unserved, data, operation, 0, params) != WEIR_OK;
		else
			combine_call(unserved, data, operation, i, params);
		weir_first_sync();
		errors += *combine_mark(data, params, operation) != (is_given_up ? 0u : 1u);
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

#endif

#endif
