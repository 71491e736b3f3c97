/* The benchmarks of queues. Each thread that uses the queue pushes its own numbers. It reports how
 * many it pushed and popped, and the sum of those it popped, which shows whether any were lost or
 * duplicated. */
#ifndef WEIR_BENCH_QUEUES_H
#define WEIR_BENCH_QUEUES_H

#include "bench_loop.h"

/* The caller's number among the threads that use the queue, and their count. */
WEIR_FN uint32_t bench_user(bench_params params)
{
	return weir_block_id() * params.users + weir_thread_id();
}

WEIR_FN uint32_t bench_users(bench_params params)
{
	return weir_block_count() * params.users;
}

/* Threads beyond the users of a block report nothing. */
WEIR_FN void bench_tell(WEIR_GLOBAL uint32_t *data, bench_params params, uint32_t pushed,
                        uint32_t popped, uint32_t sum)
{
	WEIR_GLOBAL uint32_t *mine =
	    data + BENCH_HANDED(weir_block_count()) + bench_user(params) * BENCH_USER_WORDS;

	mine[BENCH_PUSHED] = pushed;
	mine[BENCH_POPPED] = popped;
	mine[BENCH_SUM] = sum;
}

/* The blocks whose pushes have ended. */
WEIR_FN WEIR_GLOBAL weir_word *bench_ended(WEIR_GLOBAL uint32_t *data)
{
	return (WEIR_GLOBAL weir_word *)(data + weir_block_count() * BENCH_BLOCK_WORDS);
}

/* Every user pushes, and then pops. */
WEIR_FN void bench_queue_pairs(weir_queue q, WEIR_GLOBAL uint32_t *data, bench_params params)
{
	uint32_t next = bench_user(params);
	uint32_t done = 0;
	uint32_t sum = 0;

	bench_meet(data, params);
	if (weir_thread_id() >= params.users)
		return;
	uint64_t begin = bench_now();
	while (done < params.rounds) {
		uint32_t value = 0;
		weir_queue_push(q, next);
		weir_queue_pop(q, &value);
		next += bench_users(params);
		sum += value;
		done++;
		if (bench_looks(done) && bench_expired(begin, params))
			break;
	}
	bench_tell(data, params, done, done, sum);
	if (weir_thread_id() == 0)
		bench_leave(data, done, begin);
}

/* The last pushing block closes the queue; all blocks leave it. */
WEIR_FN void bench_queue_end(weir_queue q, WEIR_GLOBAL uint32_t *data, bench_params params)
{
	weir_block_sync(); /* all threads of the block have pushed */
	/* Pairs with the same add by other blocks: all pushes precede the close. */
	if (weir_thread_id() == 0 && weir_block_id() < params.ring &&
	    weir_add_acq_rel(bench_ended(data), 1) + 1 == params.ring)
		weir_queue_close(q);
	if (weir_queue_block_leave(q))
		/* Relaxed: the next launch is ordered after this one. */
		weir_store_rlx(bench_ended(data), 0);
}

/* The users of the first params.ring blocks push, and those of the others pop. */
WEIR_FN void bench_queue_apart(weir_queue q, WEIR_GLOBAL uint32_t *data, bench_params params)
{
	int pushes = weir_block_id() < params.ring;
	int is_user = weir_thread_id() < params.users;
	uint32_t next = bench_user(params);
	uint32_t done = 0;
	uint32_t sum = 0;

	bench_meet(data, params);
	uint64_t begin = bench_now();
	while (is_user && pushes && done < params.rounds) {
		weir_queue_push(q, next);
		next += bench_users(params);
		done++;
		if (bench_looks(done) && bench_expired(begin, params))
			break;
	}
	while (is_user && !pushes) {
		uint32_t value = 0;
		if (weir_queue_pop(q, &value) != WEIR_OK)
			break;
		sum += value;
		done++;
	}
	if (is_user)
		bench_tell(data, params, pushes ? done : 0, pushes ? 0 : done, sum);
	if (weir_thread_id() == 0)
		bench_leave(data, done, begin);
	bench_queue_end(q, data, params);
}

#if WEIR_HAS_TEAMS && WEIR_HAS_BLOCK_VALUE

/* Whether the time is over, the same for all threads of the team. */
WEIR_FN int bench_team_expired(weir_team team, uint64_t begin, bench_params params)
{
	weir_team_sync(team); /* all have read the old value */
	return (int)weir_team_value(team, (uint32_t)bench_expired(begin, params));
}

/* Every team pushes one item for each thread, then pops that many. */
WEIR_FN void bench_queue_team_pairs(weir_queue q, WEIR_GLOBAL uint32_t *data, bench_params params,
                                    weir_team team)
{
	uint32_t next = bench_user(params);
	uint32_t done = 0;
	uint32_t sum = 0;

	bench_meet(data, params);
	uint64_t begin = bench_now();
	while (done < params.rounds) {
		uint32_t value = 0;
		weir_queue_team_push_n(q, team.threads, &next, 1, team);
		weir_queue_team_pop_n(q, team.threads, &value, 1, team);
		next += bench_users(params);
		sum += value;
		done++;
		if (bench_looks(done) && bench_team_expired(team, begin, params))
			break;
	}
	bench_tell(data, params, done, done, sum);
	if (weir_thread_id() == 0)
		bench_leave(data, done, begin);
}

/* The teams of the first params.ring blocks push, and those of the others pop. All teams have the
 * same size, so that a pop at the end has no item for any thread. */
WEIR_FN void bench_queue_team_apart(weir_queue q, WEIR_GLOBAL uint32_t *data, bench_params params,
                                    weir_team team)
{
	int pushes = weir_block_id() < params.ring;
	uint32_t next = bench_user(params);
	uint32_t done = 0;
	uint32_t sum = 0;

	bench_meet(data, params);
	uint64_t begin = bench_now();
	while (pushes && done < params.rounds) {
		weir_queue_team_push_n(q, team.threads, &next, 1, team);
		next += bench_users(params);
		done++;
		if (bench_looks(done) && bench_team_expired(team, begin, params))
			break;
	}
	while (!pushes) {
		uint32_t value = 0;
		if (weir_queue_team_pop_n(q, team.threads, &value, 1, team) != WEIR_OK)
			break;
		sum += value;
		done++;
	}
	bench_tell(data, params, pushes ? done : 0, pushes ? 0 : done, sum);
	if (weir_thread_id() == 0)
		bench_leave(data, done, begin);
	bench_queue_end(q, data, params);
}

#define QUEUE_TEAM_BENCH(suffix, own)                                                              \
	QUEUE_BENCH_(queue_pairs_by_warp##suffix, own,                                             \
	             bench_queue_team_pairs(q, data, params, weir_team_warp()))                    \
	QUEUE_BENCH_(queue_pairs_by_block##suffix, own,                                            \
	             bench_queue_team_pairs(q, data, params, weir_team_block()))                   \
	QUEUE_BENCH_(queue_apart_by_warp##suffix, own,                                             \
	             bench_queue_team_apart(q, data, params, weir_team_warp()))                    \
	QUEUE_BENCH_(queue_apart_by_block##suffix, own,                                            \
	             bench_queue_team_apart(q, data, params, weir_team_block()))
#else
#define QUEUE_TEAM_BENCH(suffix, own)
#endif

#define QUEUE_BENCH_(kernel, own, call)                                                            \
	WEIR_KERNEL(kernel, bench_params)                                                          \
	{                                                                                          \
		KERNEL_HANDLE(weir_queue, q, words, params.config.queue);                          \
		q.config.kind = own;                                                               \
		call;                                                                              \
	}

/* The kernels of a kind, or of the kind in the handle. A constant kind is known to the
 * compiler. */
#define QUEUE_BENCH(suffix, own)                                                                   \
	QUEUE_BENCH_(queue_pairs##suffix, own, bench_queue_pairs(q, data, params))                 \
	QUEUE_BENCH_(queue_apart##suffix, own, bench_queue_apart(q, data, params))                 \
	QUEUE_TEAM_BENCH(suffix, own)

/* The rows for weir_program_text on the host machine. */
#define QUEUE_ENTRIES(suffix)                                                                      \
	{"queue_pairs" #suffix, queue_pairs##suffix##_entry},                                      \
	    {"queue_apart" #suffix, queue_apart##suffix##_entry},                                  \
	    {"queue_pairs_by_warp" #suffix, queue_pairs_by_warp##suffix##_entry},                  \
	    {"queue_pairs_by_block" #suffix, queue_pairs_by_block##suffix##_entry},                \
	    {"queue_apart_by_warp" #suffix, queue_apart_by_warp##suffix##_entry},                  \
	    {"queue_apart_by_block" #suffix, queue_apart_by_block##suffix##_entry},

#endif
