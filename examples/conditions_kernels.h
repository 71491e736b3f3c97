/* A bounded buffer and a pool of resources, each with conditions and with semaphores. One source
 * for all machines. The shared data are plain words. */
#ifndef EXAMPLE_CONDITIONS_KERNELS_H
#define EXAMPLE_CONDITIONS_KERNELS_H

#include "kernels/kernel.h"

typedef struct conditions_params {
	weir_mutex_config mutex;
	weir_condition_config has_room;
	weir_condition_config has_items;
	weir_semaphore_config room;
	weir_semaphore_config items;
	uint32_t rounds; /* of each block */
} conditions_params;

/* ---- a bounded buffer: blocks with an even number produce, the others consume ---- */

/* data: the items put so far, the items taken, and the producers that have ended. Then the slots,
 * followed by how often each item was taken. */
#define BUFFER_PUT 0
#define BUFFER_TAKEN 1
#define BUFFER_ENDED 2
#define BUFFER_SLOT 3
#define BUFFER_SLOTS 4u
#define BUFFER_SEEN (BUFFER_SLOT + BUFFER_SLOTS)
#define BUFFER_END 0xffffffffu /* stands for an item: there are no more */

WEIR_FN int buffer_is_producer(void)
{
	return weir_block_id() % 2 == 0;
}

WEIR_FN uint32_t buffer_producers(void)
{
	return (weir_block_count() + 1) / 2;
}

/* Item `i` of this producer: different from all others. */
WEIR_FN uint32_t buffer_item(uint32_t i)
{
	return i * buffer_producers() + weir_block_id() / 2;
}

WEIR_FN uint32_t buffer_length(WEIR_GLOBAL const uint32_t *data)
{
	return data[BUFFER_PUT] - data[BUFFER_TAKEN];
}

WEIR_FN void buffer_put(WEIR_GLOBAL uint32_t *data, uint32_t item)
{
	data[BUFFER_SLOT + data[BUFFER_PUT] % BUFFER_SLOTS] = item;
	data[BUFFER_PUT] += 1;
}

WEIR_FN uint32_t buffer_take(WEIR_GLOBAL uint32_t *data)
{
	uint32_t item = data[BUFFER_SLOT + data[BUFFER_TAKEN] % BUFFER_SLOTS];

	data[BUFFER_TAKEN] += 1;
	return item;
}

/* The predicates are spelled out: room for an item; an item, or the end. */
WEIR_FN void buffer_produce(weir_mutex m, weir_condition has_room, weir_condition has_items,
                            WEIR_GLOBAL uint32_t *data, uint32_t item)
{
	weir_mutex_lock(m);
	weir_condition_wait_until(has_room, m, buffer_length(data) < BUFFER_SLOTS);
	buffer_put(data, item);
	weir_condition_signal(has_items);
	weir_mutex_unlock(m);
}

/* Returns BUFFER_END when all producers have ended and the buffer is empty. */
WEIR_FN uint32_t buffer_consume(weir_mutex m, weir_condition has_room, weir_condition has_items,
                                WEIR_GLOBAL uint32_t *data)
{
	uint32_t item = BUFFER_END;

	weir_mutex_lock(m);
	weir_condition_wait_until(
	    has_items, m, buffer_length(data) > 0 || data[BUFFER_ENDED] == buffer_producers());
	if (buffer_length(data) > 0) {
		item = buffer_take(data);
		weir_condition_signal(has_room);
	}
	weir_mutex_unlock(m);
	return item;
}

/* One thread acts for its block. */
WEIR_KERNEL(buffer_by_conditions, conditions_params)
{
	weir_mutex m = weir_mutex_make(words, params.mutex);
	weir_condition has_room = weir_condition_make(words, params.has_room);
	weir_condition has_items = weir_condition_make(words, params.has_items);
	uint32_t item;

	if (weir_thread_id() != 0)
		return;
	if (buffer_is_producer()) {
		for (uint32_t i = 0; i < params.rounds; i++)
			buffer_produce(m, has_room, has_items, data, buffer_item(i));
		weir_mutex_lock(m);
		data[BUFFER_ENDED] += 1;
		weir_condition_broadcast(has_items); /* all consumers check for the end */
		weir_mutex_unlock(m);
	} else {
		while ((item = buffer_consume(m, has_room, has_items, data)) != BUFFER_END)
			data[BUFFER_SEEN + item] += 1;
	}
}

/* The same with semaphores, which count what the predicates test. A count cannot represent the end,
 * so each producer puts an item that ends one consumer: there are equally many of both. */
WEIR_KERNEL(buffer_by_semaphores, conditions_params)
{
	weir_mutex m = weir_mutex_make(words, params.mutex);
	weir_semaphore room = weir_semaphore_make(words, params.room);
	weir_semaphore items = weir_semaphore_make(words, params.items);
	uint32_t item = 0;

	if (weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; buffer_is_producer() && i <= params.rounds; i++) {
		weir_semaphore_wait(room);
		weir_mutex_lock(m);
		buffer_put(data, i < params.rounds ? buffer_item(i) : BUFFER_END);
		weir_mutex_unlock(m);
		weir_semaphore_post(items);
	}
	while (!buffer_is_producer() && item != BUFFER_END) {
		weir_semaphore_wait(items);
		weir_mutex_lock(m);
		item = buffer_take(data);
		weir_mutex_unlock(m);
		weir_semaphore_post(room);
		if (item != BUFFER_END)
			data[BUFFER_SEEN + item] += 1;
	}
}

/* ---- a pool of resources, from which a block takes one to three at once ---- */

/* data: how many resources are free, their numbers, and how often each was used. */
#define POOL_FREE 0
#define POOL_LIST 1
#define POOL_SIZE 4u
#define POOL_USES (POOL_LIST + POOL_SIZE)
#define POOL_MOST 3u /* that a block takes at once */
#define POOL_WANTED(block, round) (1 + ((block) + (round)) % POOL_MOST)

WEIR_FN void pool_take(WEIR_GLOBAL uint32_t *data, uint32_t wanted, uint32_t *mine)
{
	data[POOL_FREE] -= wanted;
	for (uint32_t i = 0; i < wanted; i++)
		mine[i] = data[POOL_LIST + data[POOL_FREE] + i];
}

WEIR_FN void pool_give(WEIR_GLOBAL uint32_t *data, uint32_t wanted, const uint32_t *mine)
{
	for (uint32_t i = 0; i < wanted; i++)
		data[POOL_LIST + data[POOL_FREE] + i] = mine[i];
	data[POOL_FREE] += wanted;
}

/* The block owns the resources here. */
WEIR_FN void pool_use(WEIR_GLOBAL uint32_t *data, uint32_t wanted, const uint32_t *mine)
{
	for (uint32_t i = 0; i < wanted; i++)
		data[POOL_USES + mine[i]] += 1;
}

/* The condition has_items signals that resources were returned. Waiters want different numbers of
 * them, so all check again. */
WEIR_KERNEL(pool_by_condition, conditions_params)
{
	weir_mutex m = weir_mutex_make(words, params.mutex);
	weir_condition given_back = weir_condition_make(words, params.has_items);
	uint32_t mine[POOL_MOST];

	for (uint32_t i = 0; weir_thread_id() == 0 && i < params.rounds; i++) {
		uint32_t wanted = POOL_WANTED(weir_block_id(), i);

		weir_mutex_lock(m);
		weir_condition_wait_until(given_back, m, data[POOL_FREE] >= wanted);
		pool_take(data, wanted, mine);
		weir_mutex_unlock(m);
		pool_use(data, wanted, mine);
		weir_mutex_lock(m);
		pool_give(data, wanted, mine);
		weir_condition_broadcast(given_back);
		weir_mutex_unlock(m);
	}
}

/* The same: the semaphore counts the free resources, and the mutex guards their list. */
WEIR_KERNEL(pool_by_semaphore, conditions_params)
{
	weir_mutex m = weir_mutex_make(words, params.mutex);
	weir_semaphore resources = weir_semaphore_make(words, params.room);
	uint32_t mine[POOL_MOST];

	for (uint32_t i = 0; weir_thread_id() == 0 && i < params.rounds; i++) {
		uint32_t wanted = POOL_WANTED(weir_block_id(), i);

		weir_semaphore_wait_n(resources, wanted);
		weir_mutex_lock(m);
		pool_take(data, wanted, mine);
		weir_mutex_unlock(m);
		pool_use(data, wanted, mine);
		weir_mutex_lock(m);
		pool_give(data, wanted, mine);
		weir_mutex_unlock(m);
		weir_semaphore_post_n(resources, wanted);
	}
}

#endif
