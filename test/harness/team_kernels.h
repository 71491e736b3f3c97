/* Kernels with teams: some warps of each block use an object while the others go on. The machines
 * that have teams share this source. */
#include "kernels/kernel.h"
#include "params.h"
#include "queue_items.h"

#define TEAM_WARP 0                           /* the first warp of each block is a team */
#define TEAM_NAMED 1                          /* so are the second and the third, with a name */
#define TEAM_LEFT WEIR_LINE_WORDS             /* words after an object: threads that went on */
#define TEAM_PASSED (2 * WEIR_LINE_WORDS)     /* phases passed by the team of block 0 */
#define TEAM_INSIDE (3 * WEIR_LINE_WORDS)     /* teams with a slot */
#define TEAM_BEHIND (3 * WEIR_LINE_WORDS + 1) /* all words after an object */

#if WEIR_HAS_TEAMS

WEIR_FN int team_has(uint32_t which, uint32_t thread)
{
	uint32_t warp = thread / WEIR_WARP_THREADS;

	return which == TEAM_NAMED ? warp == 1 || warp == 2 : warp == 0;
}

WEIR_FN weir_team team_of(uint32_t which)
{
	return which == TEAM_NAMED ? weir_team_named(5, WEIR_WARP_THREADS, 2 * WEIR_WARP_THREADS)
	                           : weir_team_warp();
}

/* A thread beside the team of its block. In each phase it goes on while the teams wait: block 0
 * arrives at the barrier only after all such threads have. Two of them are enough. */
WEIR_FN void team_beside(WEIR_GLOBAL weir_word *behind, uint32_t rounds)
{
	for (uint32_t i = 0; i < rounds; i++) {
		weir_await_ge_acq(&behind[TEAM_PASSED], i, weir_no_backoff());
		weir_red_add_rlx(&behind[TEAM_LEFT], 1); /* relaxed: only the number counts */
	}
}

/* Before the barrier one thread of each team, a different one in each phase, writes the number of
 * the phase; after it the team reads the numbers of all others. Two sets of plain words
 * alternate. */
WEIR_KERNEL(team_barrier, harness_params)
{
	weir_barrier b = weir_barrier_make(words, params.config.barrier);
	WEIR_GLOBAL weir_word *behind = words + params.second.object.offset;
	uint32_t blocks = weir_block_count();
	uint32_t random = harness_seed(params);
	uint32_t errors = 0;

	if (!team_has(params.value, weir_thread_id())) {
		if (weir_thread_id() % WEIR_WARP_THREADS == WEIR_WARP_THREADS - 1)
			team_beside(behind, params.rounds);
		return;
	}
	weir_team team = team_of(params.value);
	uint32_t rank = weir_team_rank(team);
	uint32_t warps = weir_thread_count() / WEIR_WARP_THREADS;
	uint32_t beside = (warps - team.threads / WEIR_WARP_THREADS) * blocks;

	for (uint32_t phase = 0; phase < params.rounds; phase++) {
		WEIR_GLOBAL uint32_t *set = data + HARNESS_DATA + (phase & 1) * blocks;

		random = harness_shuffle(random);
		if (rank == phase % team.threads)
			set[weir_block_id()] = phase + 1;
		if (weir_block_id() == 0 && rank == 0)
			weir_await_ge_acq(&behind[TEAM_LEFT], (phase + 1) * beside,
			                  weir_no_backoff());
		if (!params.without)
			weir_barrier_team_wait(b, team);
		for (uint32_t block = rank; block < blocks; block += team.threads)
			errors += set[block] != phase + 1;
		if (weir_block_id() == 0 && rank == 0)
			/* Relaxed: only the barrier may order the data. */
			weir_store_rlx(&behind[TEAM_PASSED], phase + 1);
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

/* Adds 1 in such a way that two adders at once lose one. */
WEIR_FN void team_add(WEIR_GLOBAL uint32_t *count, uint32_t hold)
{
	uint32_t old = *(volatile WEIR_GLOBAL uint32_t *)count;

	weir_pause(hold);
	*(volatile WEIR_GLOBAL uint32_t *)count = old + 1;
}

/* Each warp of each block adds 1 to a word for each of its threads, one warp at a time. */
WEIR_KERNEL(team_mutex, harness_params)
{
	weir_mutex m = weir_mutex_make(words, params.config.mutex);
	weir_team team = weir_team_warp();
	uint32_t rank = weir_team_rank(team);
	uint32_t random = harness_seed(params);

	for (uint32_t i = 0; i < params.rounds; i++) {
		uint32_t at = HARNESS_DATA + (rank + i) % WEIR_WARP_THREADS;

		random = harness_shuffle(random);
		if (!params.without)
			weir_mutex_team_lock(m, team);
		team_add(&data[at], params.hold);
		if (!params.without)
			weir_mutex_team_unlock(m, team);
	}
}

/* A ring of all warps of all blocks: each adds 1 to a word for each of its threads once the warp
 * before it has. Then the last warp to signal looks at the words, and the others wait for it. */
WEIR_KERNEL(team_event, harness_params)
{
	weir_event_array a = weir_event_array_make(words, params.config.event_array);
	weir_team team = weir_team_warp();
	uint32_t rank = weir_team_rank(team);
	uint32_t warps = weir_thread_count() / WEIR_WARP_THREADS;
	uint32_t all = weir_block_count() * warps;
	uint32_t me = weir_block_id() * warps + weir_thread_id() / WEIR_WARP_THREADS;
	uint32_t random = harness_seed(params);
	uint32_t errors = 0;

	for (uint32_t i = 0; i < params.rounds; i++) {
		random = harness_shuffle(random);
		if (!params.without)
			weir_event_team_wait(weir_event_at(a, me == 0 ? all - 1 : me - 1),
			                     i + (me == 0 ? 0 : 1), team);
		team_add(&data[HARNESS_DATA + (rank + i) % WEIR_WARP_THREADS], params.hold);
		if (!params.without)
			weir_event_team_post(weir_event_at(a, me), 1, team);
	}
	if (params.without)
		return;
	if (weir_event_team_signal(weir_event_at(a, all), 1, team) + 1 == all) {
		errors +=
		    data[HARNESS_DATA + (rank + 1) % WEIR_WARP_THREADS] != all * params.rounds;
		weir_event_team_post(weir_event_at(a, all + 2), 1, team);
	}
	errors += weir_event_array_team_wait_any(a, all + 1, 2, 1, team) != all + 2;
	weir_event_array_team_wait_all(a, 0, all, params.rounds, team);
	errors += data[HARNESS_DATA + rank] != all * params.rounds;
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

/* The semaphore lets `length` warps in at a time. With one slot, each also counts as above. */
WEIR_KERNEL(team_semaphore, harness_params)
{
	weir_semaphore s = weir_semaphore_make(words, params.config.semaphore);
	WEIR_GLOBAL weir_word *inside = words + params.second.object.offset + TEAM_INSIDE;
	weir_team team = weir_team_warp();
	uint32_t rank = weir_team_rank(team);

	for (uint32_t i = 0; i < params.rounds; i++) {
		uint32_t at = HARNESS_DATA + (rank + i) % WEIR_WARP_THREADS;

		if (!params.without)
			weir_semaphore_team_wait(s, team);
		/* Relaxed: the semaphore orders a team that enters after one that left. */
		if (rank == 0 && weir_add_rlx(inside, 1) >= params.length)
			data[HARNESS_ERRORS] = 1;
		if (params.length == 1)
			team_add(&data[at], params.hold);
		else
			weir_pause(params.hold);
		if (rank == 0)
			weir_red_add_rlx(inside, (uint32_t)-1); /* relaxed: as above */
		if (!params.without)
			weir_semaphore_team_post(s, team);
	}
}

/* The number of the caller's warp among all warps of all blocks. */
WEIR_FN uint32_t team_number(void)
{
	uint32_t warps = weir_thread_count() / WEIR_WARP_THREADS;

	return weir_block_id() * warps + weir_thread_id() / WEIR_WARP_THREADS;
}

/* Warps below `value` push batches, and the others pop them; a block may have warps of both sorts.
 * Without the queue, the first thread of each warp uses a plain ring. */
WEIR_KERNEL(team_queue, harness_params)
{
	weir_queue q = weir_queue_make(words, params.config.queue);
	WEIR_GLOBAL weir_word *behind = words + params.second.object.offset;
	weir_team team = weir_team_warp();
	uint32_t me = team_number();
	queue_consumer consumer = queue_consumer_of(params, params.value, me);
	WEIR_GLOBAL uint32_t *rows = data + HARNESS_DATA + QUEUE_PAYLOAD +
	                             2 * (uint64_t)consumer.items + me * WEIR_WARP_THREADS;
	uint32_t item[QUEUE_MOST_WORDS];
	uint32_t errors = 0;

	if (params.without) {
		for (uint32_t i = 0; weir_team_rank(team) == 0 && i < params.rounds; i++)
			if (me < params.value) {
				queue_produce(data, params, me * params.rounds + i, item);
				queue_ring_push(data, params, item);
			} else if (me < 2 * params.value) {
				queue_ring_pop(data, params, item);
				queue_accept(data, params, &consumer, item);
			}
		errors = consumer.errors;
	} else if (me < params.value) {
		errors = queue_push_batches(q, data, params, me, team);
		weir_team_sync(team); /* all threads have pushed */
		if (weir_team_rank(team) == 0)
			queue_producer_ends(q, data, behind, params, params.value);
	} else {
		errors = queue_pop_batches(q, data, rows, params, consumer, team);
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
	if (!params.without && weir_queue_block_leave(q))
		weir_store_rlx(behind, 0); /* relaxed: all producers have left */
}

/* Each warp takes `width` of `length` items until there are none. Its threads divide a share, and mark
 * its items, which no thread marked before. The number that each warp got is stored before the
 * marks. */
WEIR_KERNEL(team_dispenser, harness_params)
{
	weir_dispenser d = weir_dispenser_make(words, params.config.dispenser);
	weir_team team = weir_team_warp();
	uint32_t warps = weir_block_count() * (weir_thread_count() / WEIR_WARP_THREADS);
	WEIR_GLOBAL uint32_t *got = data + HARNESS_DATA + team_number();
	WEIR_GLOBAL uint32_t *marks = data + HARNESS_DATA + warps;
	volatile WEIR_GLOBAL uint32_t *next = marks + params.length;
	uint32_t errors = 0;
	weir_share share = weir_dispenser_begin_at(d, team_number());

	for (uint32_t turn = 0; turn <= params.length; turn++) {
		if (params.without) {
			/* A hand-made counter. */
			share.first = weir_team_value(team, *next);
			weir_pause(params.hold);
			*next = share.first + params.width;
			share.count = share.first < params.length ? params.width : 0;
			weir_team_sync(team);
		} else {
			weir_dispenser_team_next(d, &share, params.width, team);
		}
		if (share.count == 0)
			break;
		for (uint32_t i = weir_team_rank(team); i < share.count; i += team.threads)
			if (share.first + i < params.length) {
				errors += marks[share.first + i] != 0;
				marks[share.first + i]++;
			}
		if (weir_team_rank(team) == team.threads - 1)
			*got += share.count;
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

#endif
