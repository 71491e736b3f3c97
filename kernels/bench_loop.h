/* Shared by the loops of all benchmark kernels: looking at the clock, the work in a critical
 * section or before a barrier, the results of a block. */
#ifndef WEIR_BENCH_LOOP_H
#define WEIR_BENCH_LOOP_H

#include "bench_params.h"
#include "kernel.h"

/* Powers of two at first: if an operation takes milliseconds, 32 by each block are too many. */
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

/* On the host the blocks are threads, which start at different times. On other machines this code
 * would cost registers, and so reduce the number of blocks that run at once. */
#ifdef WEIR_MACHINE_HOST_H
/* All threads of a block call it. They are all running before the leader meets the other leaders,
 * so that none has yet to start when timing begins. */
WEIR_FN void bench_meet(WEIR_GLOBAL uint32_t *data, bench_params params)
{
	WEIR_GLOBAL weir_word *came = (WEIR_GLOBAL weir_word *)(data + BENCH_MEETING);

	if (params.meeting == 0)
		return;
	weir_block_sync();
	if (weir_thread_id() != 0)
		return;
	/* Relaxed, and the acquire has no partner: only the time matters. */
	weir_add_rlx(came, 1);
	weir_await_eq_acq(came, params.meeting, weir_no_backoff());
}
#else
#define bench_meet(data, params) ((void)0)
#endif

WEIR_FN int bench_expired(uint64_t begin, bench_params params)
{
	return params.limit_us != 0 && bench_now() - begin > (uint64_t)params.limit_us * 1000;
}

WEIR_FN void bench_leave(WEIR_GLOBAL uint32_t *data, uint32_t done, uint64_t begin)
{
	WEIR_GLOBAL uint32_t *mine = data + weir_block_id() * BENCH_BLOCK_WORDS;
	uint64_t end = bench_now();
	mine[BENCH_DONE] = done;
	mine[BENCH_BEGIN] = (uint32_t)begin;
	mine[BENCH_BEGIN + 1] = (uint32_t)(begin >> 32);
	mine[BENCH_END] = (uint32_t)end;
	mine[BENCH_END + 1] = (uint32_t)(end >> 32);
}

/* `first` is the first word of the critical section, among the words after the blocks'. */
WEIR_FN void bench_work(WEIR_GLOBAL uint32_t *data, bench_params params, uint32_t first)
{
	WEIR_GLOBAL uint32_t *under = data + weir_block_count() * BENCH_BLOCK_WORDS + first;
	for (uint32_t i = 0; i < params.work; i++)
		under[i] = under[i] + 1;
}

/* A clock for short times. CUDA's global clock advances in steps, which would make the blocks
 * simultaneous again. Reads all 64 bits of the cycles: for 32 bits the assembler uses, in some
 * kernels only, an instruction whose unit the warps share (S2UR). */
WEIR_FN uint64_t bench_ticks(void)
{
#ifdef WEIR_MACHINE_CUDA_H
	return (uint64_t)clock64();
#else
	return bench_now();
#endif
}

/* The same in every kernel: the block's random number for the round, below `range`. */
WEIR_FN uint32_t bench_random(uint32_t round, uint32_t range)
{
	uint32_t x = weir_block_id() * 0x9e3779b9u + round * 0x85ebca6bu;

	x = (x ^ (x >> 15)) * 0x2c1b3c6du;
	x = (x ^ (x >> 12)) * 0x297a2d39u;
	x ^= x >> 15;
	return (uint32_t)(((uint64_t)x * range) >> 32);
}

/* What a block does before a barrier: stores, then work. One thread watches the clock while the
 * others wait at the block's barrier, so that the work takes few issue slots from other blocks. */
WEIR_FN void bench_busy(WEIR_GLOBAL uint32_t *data, bench_params params, uint32_t round)
{
	uint32_t threads = weir_thread_count();
	WEIR_GLOBAL uint32_t *mine = data + BENCH_STORES(weir_block_count()) +
	                             weir_block_id() * params.stores * threads + weir_thread_id();

	for (uint32_t i = 0; i < params.stores; i++)
		mine[i * threads] = round;
	if (params.uneven == 0)
		return;
#if WEIR_HAS_CLOCK
	if (weir_thread_id() == 0) {
		uint64_t begin = bench_ticks();
		uint32_t ticks = bench_random(round, params.uneven);
		while (bench_ticks() - begin < ticks)
			;
	}
#endif
	weir_block_sync();
}

/* For kernels whose blocks do nothing before a barrier. */
#define bench_idle(data, params, round) ((void)0)

/* Locks and unlocks the mutex `m` of the handle. */
#define MUTEX_LOOP(kernel, handle, lock, unlock)                                                   \
	WEIR_KERNEL(kernel, bench_params)                                                          \
	{                                                                                          \
		handle;                                                                            \
		uint32_t done = 0;                                                                 \
                                                                                                   \
		bench_meet(data, params);                                                          \
		if (weir_thread_id() != 0)                                                         \
			return;                                                                    \
		uint64_t begin = bench_now();                                                      \
		while (done < params.rounds) {                                                     \
			lock(m);                                                                   \
			bench_work(data, params, 0);                                               \
			unlock(m);                                                                 \
			done++;                                                                    \
			if (bench_looks(done) && bench_expired(begin, params))                     \
				break;                                                             \
		}                                                                                  \
		bench_leave(data, done, begin);                                                    \
	}

/* All blocks must stop at the same barrier. Before a barrier, block 0 states in a plain word
 * whether it is over. It alternates between two words, because a block may look late. */
#define BARRIER_LOOP(kernel, handle, before, pass)                                                 \
	WEIR_KERNEL(kernel, bench_params)                                                          \
	{                                                                                          \
		handle;                                                                            \
		WEIR_GLOBAL uint32_t *over = data + weir_block_count() * BENCH_BLOCK_WORDS;        \
		uint32_t done = 0;                                                                 \
		uint32_t looked = 0;                                                               \
                                                                                                   \
		bench_meet(data, params);                                                          \
		uint64_t begin = bench_now();                                                      \
		while (done < params.rounds) {                                                     \
			int looks = bench_looks(++done);                                           \
			if (looks && weir_block_id() == 0 && weir_thread_id() == 0)                \
				over[looked & 1] = (uint32_t)bench_expired(begin, params);         \
			before(data, params, done);                                                \
			pass(b);                                                                   \
			if (looks && over[looked++ & 1])                                           \
				break;                                                             \
		}                                                                                  \
		if (weir_thread_id() == 0)                                                         \
			bench_leave(data, done, begin);                                            \
	}

#endif
