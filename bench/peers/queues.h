/* The queues that weir's are compared with: the broker queue, and a ring under a mutex. They use
 * the loops of kernels/bench_queues.h, with params.config.queue.bits for their capacity. */
#ifndef WEIR_BENCH_PEERS_QUEUES_H
#define WEIR_BENCH_PEERS_QUEUES_H

#include "kernels/bench_loop.h"
#include "kernels/bench_queues.h"
#include "kernels/kernel.h"

/* The offsets of a queue's fields, a cache line each, followed by its slots. */
#define PEER_QUEUE_ENDED 3 /* the blocks whose pushes have ended */
#define PEER_QUEUE_FIELDS 4

static __device__ weir_word *peer_queue_field(weir_word *words, uint32_t field)
{
	return &words[field * WEIR_LINE_WORDS];
}

/* Whether all pushes have ended. */
static __device__ bool peer_queue_has_ended(weir_word *words, bench_params params)
{
	/* Pairs with the release in peer_queue_end. */
	return weir_load_acq(peer_queue_field(words, PEER_QUEUE_ENDED)) == params.ring;
}

/* All threads of the block call it after their pushes. */
static __device__ void peer_queue_end(weir_word *words)
{
	weir_block_sync(); /* the pushes of the block precede the leader's release */
	if (weir_thread_id() == 0)
		/* Pairs with the acquire in peer_queue_has_ended. */
		weir_add_acq_rel(peer_queue_field(words, PEER_QUEUE_ENDED), 1);
}

/* The broker queue (Kerbl, Kenzel, Winter, Steinberger, "The Broker Queue", ICS 2018).
 *
 *   state   (count, head, tail, item[N], ticket[N]), all zero
 *   push    (c, h, t) -> (c+1, h, t) if c < N; otherwise undoes it, and the push is refused.
 *           Then (c, h, t) -> (c, h, t+1), and wait until ticket[t mod N] is 2 (t / N). Write the item,
 *           and add 1 to the ticket.
 *   pop     (c, h, t) -> (c-1, h, t) if c > 0; otherwise undoes it, and the pop is refused.
 *           Then (c, h, t) -> (c, h+1, t), and wait until ticket[h mod N] is 2 (h / N) + 1. Read the
 *           item, and add 1 to the ticket.
 *
 * Two atomics for each push and each pop, which are for one thread, and two more for each undo. The
 * paper has fences around volatile accesses; here the tickets release and acquire. */
struct broker_queue {
	weir_word *count;
	weir_word *head;
	weir_word *tail;
	weir_word *items;
	weir_word *tickets;
	uint32_t bits;

	__device__ broker_queue(weir_word *words, uint32_t bits)
	    : count(peer_queue_field(words, 0)), head(peer_queue_field(words, 1)),
	      tail(peer_queue_field(words, 2)), items(peer_queue_field(words, PEER_QUEUE_FIELDS)),
	      tickets(items + ((uint64_t)1 << bits)), bits(bits)
	{
	}

	/* All accesses to `count`, `head` and `tail` are relaxed: the tickets carry the data. */
	__device__ bool may_push()
	{
		int32_t size = 1 << bits;
		int32_t number = (int32_t)weir_load_rlx(count);
		for (;;) {
			if (number >= size)
				return false;
			if ((int32_t)weir_add_rlx(count, 1) < size)
				return true;
			number = (int32_t)weir_add_rlx(count, 0u - 1) - 1;
		}
	}
	__device__ bool may_pop()
	{
		int32_t number = (int32_t)weir_load_rlx(count);
		for (;;) {
			if (number <= 0)
				return false;
			if ((int32_t)weir_add_rlx(count, 0u - 1) > 0)
				return true;
			number = (int32_t)weir_add_rlx(count, 1) + 1;
		}
	}
	__device__ bool try_push(uint32_t item)
	{
		if (!may_push())
			return false;
		uint32_t at = weir_add_rlx(tail, 1);
		uint32_t slot = at & ((1u << bits) - 1);
		uint32_t ticket = 2 * (at >> bits);
		/* Pairs with the release in try_pop. */
		weir_await_eq_acq(&tickets[slot], ticket, weir_no_backoff());
		weir_store_rlx(&items[slot], item);         /* relaxed: the ticket publishes it */
		weir_store_rel(&tickets[slot], ticket + 1); /* pairs with the await in try_pop */
		return true;
	}
	__device__ bool try_pop(uint32_t *item)
	{
		if (!may_pop())
			return false;
		uint32_t at = weir_add_rlx(head, 1);
		uint32_t slot = at & ((1u << bits) - 1);
		uint32_t ticket = 2 * (at >> bits) + 1;
		/* Pairs with the release in try_push. */
		weir_await_eq_acq(&tickets[slot], ticket, weir_no_backoff());
		*item = weir_load_rlx(&items[slot]);        /* relaxed: between the two orders */
		weir_store_rel(&tickets[slot], ticket + 1); /* pairs with the await in try_push */
		return true;
	}
};

/* A ring of plain words under weir's default mutex. Either each thread of a block moves an item,
 * all in one critical section, or one thread moves an item for its block. */
struct ring_queue {
	weir_mutex mutex;
	uint32_t *ends; /* the number pushed and, one word further, the number popped */
	uint32_t *items;
	uint32_t mask;
	uint32_t users;

	__device__ ring_queue(weir_word *words, bench_params params)
	    : mutex(weir_mutex_in(words)),
	      ends(reinterpret_cast<uint32_t *>(peer_queue_field(words, 1))),
	      items(reinterpret_cast<uint32_t *>(peer_queue_field(words, PEER_QUEUE_FIELDS))),
	      mask((1u << params.config.queue.bits) - 1), users(params.users)
	{
	}

	__device__ void lock()
	{
		if (users > 1)
			weir_mutex_team_lock(mutex, weir_team_block());
		else
			weir_mutex_lock(mutex);
	}
	/* `ends` changes after all threads of the block have read it. */
	__device__ void unlock(uint32_t *end)
	{
		if (users > 1)
			weir_block_sync();
		if (end && weir_thread_id() == 0)
			*end += users;
		if (users > 1)
			weir_mutex_team_unlock(mutex, weir_team_block());
		else
			weir_mutex_unlock(mutex);
	}
	__device__ bool try_push(uint32_t item)
	{
		lock();
		uint32_t at = ends[0];
		bool fits = at - ends[1] + users <= mask + 1;
		if (fits)
			items[(at + weir_thread_id()) & mask] = item;
		unlock(fits ? &ends[0] : nullptr);
		return fits;
	}
	__device__ bool try_pop(uint32_t *item)
	{
		lock();
		uint32_t at = ends[1];
		bool has = ends[0] - at >= users;
		if (has)
			*item = items[(at + weir_thread_id()) & mask];
		unlock(has ? &ends[1] : nullptr);
		return has;
	}
};

/* The loop of bench_queue_pairs. `is_whole`: all threads of a block make the same rounds. */
template <bool is_whole, typename Queue>
static __device__ void push_and_pop(Queue queue, uint32_t *data, bench_params params)
{
	uint32_t next = bench_user(params);
	uint32_t done = 0;
	uint32_t sum = 0;

	if (weir_thread_id() >= params.users)
		return;
	uint64_t begin = bench_now();
	while (done < params.rounds) {
		uint32_t value = 0;
		while (!queue.try_push(next))
			;
		while (!queue.try_pop(&value))
			;
		next += bench_users(params);
		sum += value;
		done++;
		if (!bench_looks(done))
			continue;
		if (is_whole && params.users > 1
		        ? bench_team_expired(weir_team_block(), begin, params)
		        : bench_expired(begin, params))
			break;
	}
	bench_tell(data, params, done, done, sum);
	if (weir_thread_id() == 0)
		bench_leave(data, done, begin);
}

/* The loop of bench_queue_apart. A pop that is refused after the last push has ended means that the
 * queue is empty. */
template <bool is_whole, typename Queue>
static __device__ void push_or_pop(Queue queue, weir_word *words, uint32_t *data,
                                   bench_params params)
{
	bool is_whole_block = is_whole && params.users > 1;
	bool pushes = weir_block_id() < params.ring;
	bool is_user = weir_thread_id() < params.users;
	uint32_t next = bench_user(params);
	uint32_t done = 0;
	uint32_t sum = 0;
	bool has_ended = false;

	uint64_t begin = bench_now();
	while (is_user && pushes && done < params.rounds) {
		while (!queue.try_push(next))
			;
		next += bench_users(params);
		done++;
		if (!bench_looks(done))
			continue;
		if (is_whole_block ? bench_team_expired(weir_team_block(), begin, params)
		                   : bench_expired(begin, params))
			break;
	}
	while (is_user && !pushes) {
		uint32_t value = 0;
		if (queue.try_pop(&value)) {
			sum += value;
			done++;
			continue;
		}
		if (has_ended)
			break;
		has_ended = peer_queue_has_ended(words, params);
		if (is_whole_block) {
			weir_block_sync();
			has_ended = weir_block_value(has_ended) != 0;
		}
	}
	if (is_user)
		bench_tell(data, params, pushes ? done : 0, pushes ? 0 : done, sum);
	if (weir_thread_id() == 0)
		bench_leave(data, done, begin);
	if (pushes)
		peer_queue_end(words);
}

/* Runs in a block of any size. */
WEIR_KERNEL(queue_start, bench_params)
{
	uint64_t size =
	    PEER_QUEUE_FIELDS * WEIR_LINE_WORDS + ((uint64_t)2 << params.config.queue.bits);

	for (uint64_t i = weir_thread_id(); i < size; i += weir_thread_count())
		weir_store_rlx(&words[i], 0); /* relaxed: another launch follows */
}

WEIR_KERNEL(broker_pairs, bench_params)
{
	push_and_pop<false>(broker_queue(words, params.config.queue.bits), data, params);
}

WEIR_KERNEL(broker_apart, bench_params)
{
	push_or_pop<false>(broker_queue(words, params.config.queue.bits), words, data, params);
}

WEIR_KERNEL(ring_pairs, bench_params)
{
	push_and_pop<true>(ring_queue(words, params), data, params);
}

WEIR_KERNEL(ring_apart, bench_params)
{
	push_or_pop<true>(ring_queue(words, params), words, data, params);
}

#endif
