/* Kernels that show whether a queue, a dispenser or a graph of tasks does what it should; a part of
 * api_kernels.h. */
#include "kernels/kernel.h"
#include "params.h"

/* A persistent kernel: blocks pop requests until there are no more, and push an answer to each, whose
 * words are API_ANSWER of the request's words. The last block to leave the requests closes the answers,
 * to which `data` points. With `value` the kernel has only the answers, and pushes `rounds` of them. */
WEIR_KERNEL(api_queue_serve, api_pair)
{
	weir_queue requests = weir_queue_make(words, params.first.queue);
	weir_queue answers = weir_queue_make((WEIR_GLOBAL weir_word *)data, params.other.queue);
	uint32_t size = params.other.queue.words;
	uint32_t item[API_ITEM_WORDS];

	if (weir_thread_id() != 0)
		return;
	if (params.value) {
		for (uint32_t i = 0; i < params.rounds; i++) {
			for (uint32_t k = 0; k < size; k++)
				item[k] = i + k;
			weir_queue_push_item(answers, item, size);
		}
		weir_queue_close(answers);
		return;
	}
	while (weir_queue_pop_item(requests, item, size) == WEIR_OK) {
		for (uint32_t k = 0; k < size; k++)
			item[k] = API_ANSWER(item[k]);
		weir_queue_push_item(answers, item, size);
	}
	if (weir_queue_leave(requests))
		weir_queue_close(answers);
}

/* The first thread of block 0 passes `rounds` items through the queue, one at a time. data[0] is their
 * sum, data[1] the length at the end. With `value` the last item stays in the queue. */
WEIR_KERNEL(api_queue_pass, api_params)
{
	weir_queue q = weir_queue_make(words, params.config.queue);
	uint32_t item[API_ITEM_WORDS];

	if (weir_block_id() != 0 || weir_thread_id() != 0)
		return;
	for (uint32_t k = 0; k < q.config.words; k++)
		item[k] = 0;
	for (uint32_t i = 0; i < params.rounds; i++) {
		item[q.config.words - 1] = i + 1;
		weir_queue_push_item(q, item, q.config.words);
		if (params.value && i + 1 == params.rounds)
			break;
		weir_queue_pop_item(q, item, q.config.words);
		data[0] += item[q.config.words - 1];
	}
	data[1] = weir_queue_length(q);
}

/* Closes a queue that has one item. data[0] to data[3]: the results of a push before the close, a push
 * after it, a pop, and a pop from the empty queue; data[4] and data[5]: the results of the tries. */
WEIR_KERNEL(api_queue_close, api_params)
{
	weir_queue q = weir_queue_make(words, params.config.queue);
	uint32_t value = params.value;

	if (weir_block_id() != 0 || weir_thread_id() != 0)
		return;
	data[0] = (uint32_t)weir_queue_push(q, value);
	weir_queue_close(q);
	weir_queue_close(q);
	data[1] = (uint32_t)weir_queue_push(q, value);
	data[2] = (uint32_t)weir_queue_pop(q, &value);
	data[3] = (uint32_t)weir_queue_pop(q, &value);
	data[4] = (uint32_t)weir_queue_try_push(q, value);
	data[5] = (uint32_t)weir_queue_try_pop(q, &value);
	weir_queue_leave(q);
}

/* A mistake; block i records in data[i] that the call returned. */
WEIR_KERNEL(api_queue_mistake, api_params)
{
	uint32_t item[API_ITEM_WORDS];
	weir_queue q = weir_queue_make(words, params.config.queue);

	item[0] = 0;
	if (weir_thread_id() == 0 && params.value == API_PUSH_SIZE)
		weir_queue_push_item(q, item, params.rounds);
	if (weir_thread_id() == 0 && params.value == API_POP_SIZE)
		weir_queue_pop_item(q, item, params.rounds);
	if (weir_thread_id() == 0 && params.value == API_TRY_SIZE)
		weir_queue_try_pop_item(q, item, params.rounds);
	if (weir_thread_id() == 0 && params.value == API_POP_NOTHING)
		weir_queue_pop(q, item);
	if (weir_thread_id() == 0 && params.value == API_PUSH_FULL)
		for (uint32_t i = 0; i <= weir_queue_capacity(q); i++)
			weir_queue_push(q, i);
#if WEIR_HAS_TEAMS && WEIR_HAS_BLOCK_VALUE
	if (params.value == API_PUSH_BATCH)
		weir_queue_block_push_n(q, params.rounds, item, 1);
	if (params.value == API_POP_BATCH)
		weir_queue_block_pop_n(q, params.rounds, item, 1);
#endif
#if WEIR_HAS_WORD64
	if (weir_thread_id() == 0 && params.value == API_TAKE_NONE) {
		weir_dispenser d = weir_dispenser_make(words, params.config.dispenser);
		weir_share share = weir_dispenser_begin(d);
		weir_dispenser_next(d, &share, 0);
	}
	if (weir_thread_id() == 0 && params.value == API_ADD_TASK)
		weir_tasks_add(weir_tasks_make(words, params.config.tasks), params.rounds, 0);
	if (weir_thread_id() == 0 && params.value == API_ADD_CLASS)
		weir_tasks_add(weir_tasks_make(words, params.config.tasks), params.rounds, 1);
#endif
	if (weir_thread_id() == 0)
		data[weir_block_id()] = 1;
}

#if WEIR_HAS_WORD64

/* Each block counts every item that it takes in data[item]. With `value` block 0 stops early, after
 * one item. Further calls get nothing and start nothing. */
WEIR_KERNEL(api_dispenser_take, api_params)
{
	weir_dispenser d = weir_dispenser_make(words, params.config.dispenser);
	weir_share share = weir_dispenser_begin(d);

	if (weir_thread_id() != 0)
		return;
	while (weir_dispenser_next(d, &share, params.rounds)) {
		for (uint32_t i = 0; i < share.count; i++)
			data[share.first + i] += 1;
		if (params.value && weir_block_id() == 0)
			return;
		share.count = 0; /* the program may change it between two calls */
	}
	for (uint32_t i = 0; i < 3; i++)
		if (weir_dispenser_next(d, &share, params.rounds) || share.count != 0)
			data[0] += 1000;
}

/* Each task of a chain or a tree stores in data[1 + task] how many tasks ended before it: data[0]
 * counts them. */
WEIR_KERNEL(api_tasks_run, api_params)
{
	weir_tasks t = weir_tasks_make(words, params.config.tasks);
	uint32_t task = WEIR_NO_TASK;

	if (weir_thread_id() != 0)
		return;
	while (weir_tasks_next(t, &task))
		data[1 + task] += params.value;
}

#endif
