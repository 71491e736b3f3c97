/* The benchmarks of the paper: every block performs the operation again and again. One text for all
 * machines. */
#include "bench_params.h"
#include "kernel.h"

/* How many operations pass between two looks at the clock, at the most. */
#define BENCH_STRIDE 32

/* Powers of two at first: where an operation takes milliseconds, 32 of each block are too many. */
WEIR_FN int bench_looks(uint32_t done)
{
	return done % BENCH_STRIDE == 0 || (done & (done - 1)) == 0;
}

WEIR_FN uint64_t bench_now(void)
{
#if WEIR_HAS_CLOCK
	return weir_clock_ns();
#else
	return 0;
#endif
}

WEIR_FN int bench_expired(uint64_t begin, bench_params params)
{
	return params.limit_us != 0 && bench_now() - begin > (uint64_t)params.limit_us * 1000;
}

WEIR_FN void bench_leave(WEIR_GLOBAL uint32_t *data, uint32_t done, uint64_t begin)
{
	WEIR_GLOBAL uint32_t *mine = data + weir_block_id() * BENCH_BLOCK_WORDS;
	uint64_t took = bench_now() - begin;
	mine[BENCH_DONE] = done;
	mine[BENCH_TIME_NS] = took > 0xffffffffu ? 0xffffffffu : (uint32_t)took;
}

/* `first` is the first word of the critical section, among those after the blocks'. */
WEIR_FN void bench_work(WEIR_GLOBAL uint32_t *data, bench_params params, uint32_t first)
{
	WEIR_GLOBAL uint32_t *under = data + weir_block_count() * BENCH_BLOCK_WORDS + first;
	for (uint32_t i = 0; i < params.work; i++)
		under[i] = under[i] + 1;
}

WEIR_KERNEL(mutex_bench, bench_params)
{
	weir_mutex m = weir_mutex_make(words, params.config);
	uint64_t begin = bench_now();
	uint32_t done = 0;

	if (weir_thread_id() != 0)
		return;
	while (done < params.rounds) {
		weir_mutex_lock(m);
		bench_work(data, params, 0);
		weir_mutex_unlock(m);
		done++;
		if (bench_looks(done) && bench_expired(begin, params))
			break;
	}
	bench_leave(data, done, begin);
}

/* Several blocks may be inside at once, so each works on words of its own. */
WEIR_KERNEL(semaphore_bench, bench_params)
{
	weir_semaphore s = weir_semaphore_make(words, params.config);
	uint64_t begin = bench_now();
	uint32_t done = 0;

	if (weir_thread_id() != 0)
		return;
	while (done < params.rounds) {
		weir_semaphore_wait(s);
		bench_work(data, params, weir_block_id() * params.work);
		weir_semaphore_post(s);
		done++;
		if (bench_looks(done) && bench_expired(begin, params))
			break;
	}
	bench_leave(data, done, begin);
}

/* All blocks must stop at the same barrier: block 0 says in a plain word, before a barrier, whether
 * it is over; two words in turn, since a block may look late. */
WEIR_KERNEL(barrier_bench, bench_params)
{
	weir_barrier b = weir_barrier_make(words, params.config);
	WEIR_GLOBAL uint32_t *over = data + weir_block_count() * BENCH_BLOCK_WORDS;
	uint64_t begin = bench_now();
	uint32_t done = 0;
	uint32_t looked = 0;

	while (done < params.rounds) {
		int looks = bench_looks(++done);
		if (looks && weir_block_id() == 0 && weir_thread_id() == 0)
			over[looked & 1] = (uint32_t)bench_expired(begin, params);
		weir_barrier_wait(b);
		if (looks && over[looked++ & 1])
			break;
	}
	if (weir_thread_id() == 0)
		bench_leave(data, done, begin);
}
