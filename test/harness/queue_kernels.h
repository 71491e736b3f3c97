/* Kernels that test queues. All machines share this source. The data are plain words. */
#include "queue_items.h"

/* An empty queue through which `base` items have passed. */
WEIR_KERNEL(queue_start, harness_params)
{
	weir_queue q = weir_queue_make(words, params.config.queue);

	if (weir_block_id() != 0 || weir_thread_id() != 0)
		return;
	(void)data;
	weir_queue_start(q, params.base);
	weir_store_rlx(words + params.second.object.offset, 0); /* relaxed: before the launch */
}

/* A push in one of three ways. */
WEIR_FN weir_status queue_push_somehow(weir_queue q, const uint32_t *item, uint32_t way)
{
	weir_wait wait = weir_wait_begin(weir_no_backoff());
	weir_status result;

	if (way % 3 == 1) {
		while ((result = weir_queue_try_push_item(q, item, q.config.words)) == WEIR_BUSY)
			weir_wait_again(&wait);
		return result;
	}
#if WEIR_HAS_DEADLINE
	if (way % 3 == 2) {
		while ((result = weir_queue_push_item_for(q, item, q.config.words, 1000)) ==
		       WEIR_TIMED_OUT)
			weir_wait_again(&wait);
		return result;
	}
#endif
	return weir_queue_push_item(q, item, q.config.words);
}

WEIR_FN weir_status queue_pop_somehow(weir_queue q, uint32_t *item, uint32_t way)
{
	weir_wait wait = weir_wait_begin(weir_no_backoff());
	weir_status result;

	if (way % 3 == 1) {
		while ((result = weir_queue_try_pop_item(q, item, q.config.words)) == WEIR_BUSY)
			weir_wait_again(&wait);
		return result;
	}
#if WEIR_HAS_DEADLINE
	if (way % 3 == 2) {
		while ((result = weir_queue_pop_item_for(q, item, q.config.words, 1000)) ==
		       WEIR_TIMED_OUT)
			weir_wait_again(&wait);
		return result;
	}
#endif
	return weir_queue_pop_item(q, item, q.config.words);
}

/* A queue that is closed refuses everything, in all ways. Only for queues whose sides any thread may
 * use. */
WEIR_FN uint32_t queue_refusal_errors(weir_queue q)
{
	uint32_t item[QUEUE_MOST_WORDS] = {0};
	uint32_t errors = 0;

	q.config.id = 0; /* a diagnosis would report the pushes */
	for (uint32_t way = 0; way < 3; way++) {
		errors += queue_push_somehow(q, item, way) != WEIR_CLOSED;
		errors += queue_pop_somehow(q, item, way) != WEIR_CLOSED;
	}
	return errors;
}

WEIR_FN uint32_t queue_push_all(weir_queue q, WEIR_GLOBAL uint32_t *data, harness_params params,
                                uint32_t me)
{
	uint32_t random = harness_seed(params);
	uint32_t item[QUEUE_MOST_WORDS];
	uint32_t errors = 0;

	for (uint32_t i = 0; i < params.rounds; i++) {
		random = harness_shuffle(random);
		queue_produce(data, params, me * params.rounds + i, item);
		if (params.without)
			queue_ring_push(data, params, item);
		else
			errors += queue_push_somehow(q, item, random >> 16) != WEIR_OK;
	}
	return errors;
}

/* Pops until the end; without the queue, `some` times. */
WEIR_FN uint32_t queue_pop_all(weir_queue q, WEIR_GLOBAL uint32_t *data, harness_params params,
                               queue_consumer consumer, uint32_t some)
{
	uint32_t random = harness_seed(params);
	uint32_t item[QUEUE_MOST_WORDS];

	for (uint32_t i = 0; !params.without || i < some; i++) {
		random = harness_shuffle(random);
		if (params.without)
			queue_ring_pop(data, params, item);
		else if (queue_pop_somehow(q, item, random >> 16) != WEIR_OK)
			break;
		queue_watch(params, &consumer, queue_accept(data, params, &consumer, item));
	}
	if (!params.without)
		consumer.errors += queue_end_errors(data, params);
	return consumer.errors;
}

/* Blocks below `value` push, and the others pop until the queue is closed and empty. All leave, so that
 * the next launch finds it open. */
WEIR_KERNEL(queue_apart, harness_params)
{
	weir_queue q = weir_queue_make(words, params.config.queue);
	WEIR_GLOBAL weir_word *behind = words + params.second.object.offset;
	uint32_t me = weir_block_id();
	uint32_t errors;

	if (weir_thread_id() != 0)
		return;
	if (me < params.value) {
		errors = queue_push_all(q, data, params, me);
		if (!params.without)
			queue_producer_ends(q, data, behind, params, params.value);
	} else {
		queue_consumer consumer = queue_consumer_of(params, params.value, me);
		uint32_t consumers = weir_block_count() - params.value;
		uint32_t more = me - params.value < consumer.items % consumers ? 1 : 0;

		errors =
		    queue_pop_all(q, data, params, consumer, consumer.items / consumers + more);
		if (!params.without && params.config.queue.single == 0)
			errors += queue_refusal_errors(q);
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
	if (!params.without && weir_queue_leave(q))
		weir_store_rlx(behind, 0); /* relaxed: all producers have left */
}

/* The first `width` threads of each block push an item and pop one, again and again. */
WEIR_KERNEL(queue_each, harness_params)
{
	weir_queue q = weir_queue_make(words, params.config.queue);
	uint32_t me = weir_block_id() * params.width + weir_thread_id();
	queue_consumer consumer = queue_consumer_of(params, weir_block_count() * params.width, me);
	uint32_t random = harness_seed(params);
	uint32_t item[QUEUE_MOST_WORDS];

	if (weir_thread_id() >= params.width)
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		random = harness_shuffle(random);
		queue_produce(data, params, me * params.rounds + i, item);
		if (params.without) {
			queue_ring_push(data, params, item);
			queue_ring_pop(data, params, item);
		} else {
			consumer.errors += queue_push_somehow(q, item, random >> 16) != WEIR_OK;
			consumer.errors += queue_pop_somehow(q, item, random >> 20) != WEIR_OK;
		}
		queue_watch(params, &consumer, queue_accept(data, params, &consumer, item));
	}
	if (consumer.errors)
		data[HARNESS_ERRORS] = consumer.errors;
}

#if WEIR_HAS_TEAMS && WEIR_HAS_BLOCK_VALUE
/* As queue_apart, in batches by all threads of each block. */
WEIR_KERNEL(queue_batches, harness_params)
{
	weir_queue q = weir_queue_make(words, params.config.queue);
	WEIR_GLOBAL weir_word *behind = words + params.second.object.offset;
	uint32_t me = weir_block_id();
	uint32_t errors;

	if (me < params.value) {
		errors = queue_push_batches(q, data, params, me, weir_team_block());
		weir_block_sync(); /* all threads have pushed */
		if (weir_thread_id() == 0)
			queue_producer_ends(q, data, behind, params, params.value);
	} else {
		queue_consumer consumer = queue_consumer_of(params, params.value, me);
		WEIR_GLOBAL uint32_t *rows = data + HARNESS_DATA + QUEUE_PAYLOAD +
		                             2 * (uint64_t)consumer.items +
		                             me * weir_thread_count();

		errors = queue_pop_batches(q, data, rows, params, consumer, weir_team_block());
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
	if (weir_queue_block_leave(q))
		weir_store_rlx(behind, 0); /* relaxed: all producers have left */
}
#endif

/* Pushes one item, if that is expected to succeed; its number is the next one. */
KERNEL_CALLED uint32_t queue_put_one(weir_queue q, uint32_t seed, uint32_t number, uint32_t way,
                                     weir_status expected)
{
	uint32_t item[QUEUE_MOST_WORDS];

	queue_item_make(q.config.words, seed, number, item);
	if (way % 3 == 1)
		return weir_queue_try_push_item(q, item, q.config.words) != expected;
#if WEIR_HAS_DEADLINE
	if (way % 3 == 2)
		return weir_queue_push_item_for(q, item, q.config.words, 1000) !=
		       (expected == WEIR_BUSY ? WEIR_TIMED_OUT : expected);
#endif
	return expected != WEIR_BUSY && weir_queue_push_item(q, item, q.config.words) != expected;
}

KERNEL_CALLED uint32_t queue_take_one(weir_queue q, uint32_t seed, uint32_t number, uint32_t way,
                                      weir_status expected)
{
	uint32_t item[QUEUE_MOST_WORDS] = {0};
	uint32_t right[QUEUE_MOST_WORDS];
	weir_status result = expected;
	uint32_t errors = 0;

	if (way % 3 == 1)
		result = weir_queue_try_pop_item(q, item, q.config.words);
#if WEIR_HAS_DEADLINE
	else if (way % 3 == 2)
		result = weir_queue_pop_item_for(q, item, q.config.words, 1000);
#endif
	else if (expected != WEIR_BUSY)
		result = weir_queue_pop_item(q, item, q.config.words);
	errors +=
	    result != (expected == WEIR_BUSY && way % 3 == 2 && WEIR_HAS_DEADLINE ? WEIR_TIMED_OUT
	                                                                          : expected);
	if (result == WEIR_OK) {
		queue_item_make(q.config.words, seed, number, right);
		for (uint32_t i = 0; i < q.config.words; i++)
			errors += item[i] != right[i];
	}
	return errors;
}

/* A lone thread: empty, full, closed and open again, in all ways, over `rounds` rounds. */
WEIR_KERNEL(queue_alone, harness_params)
{
	weir_queue q = weir_queue_make(words, params.config.queue);
	uint32_t capacity = weir_queue_capacity(q);
	uint32_t in = 0, out = 0;
	uint32_t errors = 0;

	if (weir_block_id() != 0 || weir_thread_id() != 0)
		return;
	for (uint32_t round = 0; round < params.rounds; round++) {
		errors += weir_queue_length(q) != 0;
		for (uint32_t way = 0; way < 3; way++)
			errors += queue_take_one(q, params.seed, out, way, WEIR_BUSY);
		for (uint32_t i = 0; i < capacity; i++)
			errors += queue_put_one(q, params.seed, in++, round + i, WEIR_OK);
		errors += weir_queue_length(q) != capacity;
		for (uint32_t way = 0; way < 3; way++)
			errors += queue_put_one(q, params.seed, in, way, WEIR_BUSY);
		errors += queue_take_one(q, params.seed, out++, round, WEIR_OK);
		errors += queue_put_one(q, params.seed, in++, round + 1, WEIR_OK);
		weir_queue_close(q);
		weir_queue_close(q);
		for (uint32_t way = 0; way < 3; way++)
			errors += queue_put_one(q, params.seed, in, way, WEIR_CLOSED);
		errors += weir_queue_length(q) != capacity;
		while (out != in - 1) {
			errors += queue_take_one(q, params.seed, out, round + out, WEIR_OK);
			out++;
		}
		/* One item stays for after the leave. */
		errors += !weir_queue_leave(q) || weir_queue_length(q) != 1;
		errors += queue_take_one(q, params.seed, out++, round, WEIR_OK);
		errors += queue_take_one(q, params.seed, out, 1, WEIR_BUSY);
		weir_queue_close(q);
		for (uint32_t way = 0; way < 3; way++)
			errors += queue_take_one(q, params.seed, out, way, WEIR_CLOSED);
		errors += weir_queue_length(q) != 0;
		errors += !weir_queue_leave(q);
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}
