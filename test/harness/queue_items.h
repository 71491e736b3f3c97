/* Items for queues, and the checks of their consumers. All machines share this source.
 *
 * Producer p pushes item p * rounds, and so on. An item's words follow from its number. Before the push
 * its producer writes a plain word, the payload, which the consumer reads; the consumer then marks
 * the item as seen in another plain word. So an item that arrives too early, twice or not at all is
 * noticed, and an item out of order is noticed by the consumer that watches its producer.
 *
 * Without the queue, items go through a plain ring. */
#ifndef HARNESS_QUEUE_ITEMS_H
#define HARNESS_QUEUE_ITEMS_H

#include "kernels/kernel.h"
#include "params.h"

#define QUEUE_MOST_WORDS 10 /* of an item */
#define QUEUE_RING_SLOTS 64u
/* The words of data that the kernels share, from HARNESS_DATA on. */
#define QUEUE_RING_TAIL 0
#define QUEUE_RING_HEAD 1
#define QUEUE_IS_DONE 2 /* the seed, when all items were pushed */
#define QUEUE_RING 4
#define QUEUE_PAYLOAD                                                                              \
	(QUEUE_RING + QUEUE_RING_SLOTS) /* a word for each item; then a mark for each */

/* A word after the queue that counts the producers that have pushed all their items. */
#define QUEUE_BEHIND_WORDS 1

/* The state of a consumer. */
typedef struct queue_consumer {
	uint32_t items;   /* of all producers */
	uint32_t watched; /* the producer whose items must arrive in order */
	uint32_t next;    /* none of its items below this number may arrive */
	uint32_t errors;
} queue_consumer;

WEIR_FN queue_consumer queue_consumer_of(harness_params params, uint32_t producers, uint32_t me)
{
	queue_consumer consumer;

	consumer.items = producers * params.rounds;
	consumer.watched = me % producers;
	consumer.next = consumer.watched * params.rounds;
	consumer.errors = 0;
	return consumer;
}

WEIR_FN uint32_t queue_payload(harness_params params, uint32_t number)
{
	return (number ^ params.seed) * 2654435761u + 1;
}

WEIR_FN void queue_item_make(uint32_t words, uint32_t seed, uint32_t number, uint32_t *item)
{
	for (uint32_t i = 0; i < words; i++)
		item[i] = (number + seed) * (2 * i + 1) + i;
}

/* Writes the payload of an item, and its words. */
WEIR_FN void queue_produce(WEIR_GLOBAL uint32_t *data, harness_params params, uint32_t number,
                           uint32_t *item)
{
	data[HARNESS_DATA + QUEUE_PAYLOAD + number] = queue_payload(params, number);
	queue_item_make(params.config.queue.words, params.seed, number, item);
}

/* Checks an item except for its order. Returns its number. */
WEIR_FN uint32_t queue_accept(WEIR_GLOBAL uint32_t *data, harness_params params,
                              queue_consumer *consumer, const uint32_t *item)
{
	WEIR_GLOBAL uint32_t *payload = data + HARNESS_DATA + QUEUE_PAYLOAD;
	WEIR_GLOBAL uint32_t *seen = payload + consumer->items;
	uint32_t number = item[0] - params.seed;
	uint32_t right[QUEUE_MOST_WORDS];

	if (number >= consumer->items) {
		consumer->errors++;
		return number;
	}
	queue_item_make(params.config.queue.words, params.seed, number, right);
	for (uint32_t i = 0; i < params.config.queue.words; i++)
		consumer->errors += item[i] != right[i];
	consumer->errors += payload[number] != queue_payload(params, number);
	consumer->errors += seen[number] != 0;
	seen[number]++;
	return number;
}

/* Checks the order of an item among the consumer's earlier items. */
WEIR_FN void queue_watch(harness_params params, queue_consumer *consumer, uint32_t number)
{
	if (number / params.rounds != consumer->watched)
		return;
	consumer->errors += number < consumer->next;
	consumer->next = number + 1;
}

/* The last of the producers to call this closes the queue. `behind` counts them. */
WEIR_FN void queue_producer_ends(weir_queue q, WEIR_GLOBAL uint32_t *data,
                                 WEIR_GLOBAL weir_word *behind, harness_params params,
                                 uint32_t producers)
{
	/* Pairs with itself, in this add of other producers: all have pushed when one closes. */
	if (weir_add_acq_rel(behind, 1) + 1 != producers)
		return;
	data[HARNESS_DATA + QUEUE_IS_DONE] = params.seed;
	weir_queue_close(q);
}

/* The end of the queue makes everything before the close visible. */
WEIR_FN uint32_t queue_end_errors(WEIR_GLOBAL uint32_t *data, harness_params params)
{
	return data[HARNESS_DATA + QUEUE_IS_DONE] != params.seed;
}

/* The plain ring. */
WEIR_FN void queue_ring_push(WEIR_GLOBAL uint32_t *data, harness_params params,
                             const uint32_t *item)
{
	volatile WEIR_GLOBAL uint32_t *ring = data + HARNESS_DATA;
	uint32_t at = ring[QUEUE_RING_TAIL];

	weir_pause(params.hold);
	ring[QUEUE_RING + at % QUEUE_RING_SLOTS] = item[0];
	ring[QUEUE_RING_TAIL] = at + 1;
}

WEIR_FN void queue_ring_pop(WEIR_GLOBAL uint32_t *data, harness_params params, uint32_t *item)
{
	volatile WEIR_GLOBAL uint32_t *ring = data + HARNESS_DATA;
	uint32_t at = ring[QUEUE_RING_HEAD];

	weir_pause(params.hold);
	queue_item_make(params.config.queue.words, params.seed,
	                ring[QUEUE_RING + at % QUEUE_RING_SLOTS] - params.seed, item);
	ring[QUEUE_RING_HEAD] = at + 1;
}

#if WEIR_HAS_TEAMS && WEIR_HAS_BLOCK_VALUE

/* Items in a batch: the same for all threads of a team. */
WEIR_FN uint32_t queue_batch(weir_queue q, weir_team team, uint32_t random, uint32_t most)
{
	if (most > team.threads)
		most = team.threads;
	if (most > weir_queue_capacity(q))
		most = weir_queue_capacity(q);
	return 1 + (random >> 8) % most;
}

/* A team pushes the items of producer `me` in batches. The payload of an item is written by another
 * thread than the one that pushes it. */
WEIR_FN uint32_t queue_push_batches(weir_queue q, WEIR_GLOBAL uint32_t *data, harness_params params,
                                    uint32_t me, weir_team team)
{
	uint32_t rank = weir_team_rank(team);
	uint32_t random = params.seed + me * 2654435761u;
	uint32_t item[QUEUE_MOST_WORDS];
	uint32_t errors = 0;
	uint32_t n;

	for (uint32_t done = 0; done < params.rounds; done += n) {
		uint32_t first = me * params.rounds + done;

		random = harness_next(random);
		n = queue_batch(q, team, random, params.rounds - done);
		if (params.config.queue.words == 1 && (random >> 4) % 4 == 0)
			n = 1;
		if (rank < n)
			queue_produce(data, params, first + (rank + 1) % n, item);
		queue_item_make(params.config.queue.words, params.seed,
		                first + (rank < n ? rank : 0), item);
		if (params.config.queue.words == 1 && n == 1)
			errors += weir_queue_team_push(q, item[0], team) != WEIR_OK;
		else
			errors += weir_queue_team_push_n(q, n, item, params.config.queue.words,
			                                 team) != WEIR_OK;
	}
	return errors;
}

/* Pops a batch, in three ways in turn. Returns how many items arrived: thread `rank` of the team has
 * an item if `rank` is below that. `is_over` says that there will be no more. */
WEIR_FN uint32_t queue_pop_batch(weir_queue q, harness_params params, uint32_t way, uint32_t *item,
                                 weir_team team, uint32_t *is_over)
{
	uint32_t words = params.config.queue.words;
	uint32_t n = queue_batch(q, team, way * 2654435761u, team.threads);
	weir_status result;
	uint32_t count;

	if (way % 3 == 1) {
		result = weir_queue_team_pop_n(q, n, item, words, team);
		return weir_team_rank(team) < n && result == WEIR_OK ? weir_team_rank(team) + 1 : 0;
	}
	if (way % 3 == 2 && words == 1) {
		result = weir_queue_team_pop(q, item, team);
		return result == WEIR_OK;
	}
	count = weir_queue_team_pop_some(q, n, item, words, team);
	*is_over = count == 0;
	return count;
}

/* A team pops until the queue is closed and empty. `row` has a word for each of its threads, for the
 * order of a batch. */
WEIR_FN uint32_t queue_pop_batches(weir_queue q, WEIR_GLOBAL uint32_t *data,
                                   WEIR_GLOBAL uint32_t *row, harness_params params,
                                   queue_consumer consumer, weir_team team)
{
	uint32_t rank = weir_team_rank(team);
	uint32_t none = 0xffffffffu;
	uint32_t is_over = 0;
	uint32_t item[QUEUE_MOST_WORDS];

	for (uint32_t way = consumer.watched; !is_over; way++) {
		uint32_t count = queue_pop_batch(q, params, way, item, team, &is_over);

		row[rank] = none;
		if (rank < count)
			row[rank] = queue_accept(data, params, &consumer, item);
		weir_team_sync(team);
		for (uint32_t i = 0; rank == 0 && i < team.threads; i++)
			if (row[i] != none)
				queue_watch(params, &consumer, row[i]);
		weir_team_sync(team);
	}
	return consumer.errors + queue_end_errors(data, params);
}

#endif

#endif
