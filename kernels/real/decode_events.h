/* The token of decode_steps.h on one rank. */
#ifndef WEIR_REAL_DECODE_EVENTS_H
#define WEIR_REAL_DECODE_EVENTS_H

#include "real.h"

typedef weir_event_array decode_link;

#include "decode_steps.h"

WEIR_FN uint32_t decode_ranks(decode_sync sync)
{
	(void)sync;
	return 1;
}

WEIR_FN uint32_t decode_rank(decode_sync sync)
{
	(void)sync;
	return 0;
}

WEIR_FN void decode_wait_one(decode_sync sync, uint32_t event, uint32_t target)
{
	real_event_wait(sync.link, event, target);
}

WEIR_FN void decode_post(decode_sync sync, uint32_t rank, uint32_t event, uint32_t n)
{
	(void)rank;
	real_event_post(sync.link, event, n);
}

WEIR_FN decode_input decode_residual(decode_layer at, decode_sync sync, enum decode_vector vector)
{
	(void)sync;
	return decode_input_of(vector == DECODE_LAST ? at.from : at.residual);
}

WEIR_FN void decode_put(decode_layer at, decode_sync sync, enum decode_vector vector, uint32_t row,
                        float sum)
{
	(void)sync;
	if (decode_writes())
		at.residual[row] =
		    (vector == DECODE_MIDDLE ? at.from[row] : at.residual[row]) + sum;
}

#ifdef __CUDACC__
extern "C" __global__ void __launch_bounds__(DECODE_THREADS)
    decode_events(weir_word *words, uint32_t *data, real_params params);
#endif

WEIR_KERNEL(decode_events, real_params)
{
	REAL_EVENTS(events, words, params);
	decode_sync sync;

	sync.link = events;
	sync.round = real_event_round(events);
	sync.layers = params.size[5];
	decode_steps(data, params, sync);
	real_event_block_leave(events);
}

#endif
