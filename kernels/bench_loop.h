/* What the loops of all benchmark kernels share: looks at the clock, the work of a critical
 * section, the results of a block. */
#ifndef WEIR_BENCH_LOOP_H
#define WEIR_BENCH_LOOP_H

#include "bench_params.h"

/* The most operations between two looks at the clock. */
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

/* On the host the blocks are threads, which start at different moments. Elsewhere this code alone
 * would cost the kernels registers, and so reduce the blocks that run at once. */
#ifdef WEIR_MACHINE_HOST_H
/* All threads of a block call it. They are all there before the leader meets the other leaders, so
 * that none has yet to start when the time begins. */
WEIR_FN void bench_meet(WEIR_GLOBAL uint32_t *data, bench_params params)
{
	WEIR_GLOBAL weir_word *came = (WEIR_GLOBAL weir_word *)(data + BENCH_MEETING);

	if (params.meeting == 0)
		return;
	weir_block_sync();
	if (weir_thread_id() != 0)
		return;
	/* Relaxed, and the acquire has no partner: only the moment counts. */
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

/* `first` is the first word of the critical section, among those after the blocks'. */
WEIR_FN void bench_work(WEIR_GLOBAL uint32_t *data, bench_params params, uint32_t first)
{
	WEIR_GLOBAL uint32_t *under = data + weir_block_count() * BENCH_BLOCK_WORDS + first;
	for (uint32_t i = 0; i < params.work; i++)
		under[i] = under[i] + 1;
}

#endif
