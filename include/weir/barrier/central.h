/* Central barrier: the counter barrier with a single counter, fixed at compile time.
 *
 *   state   (c), 0 at first. Each phase adds 2^30.
 *   arrive  block 0: c += 2^30 - (blocks - 1); others: c += 1.
 *   await   wait until c is at or past the next multiple of 2^30 after its value just before the
 *           arrival.
 *
 * barrier/counter.h explains why that is correct. Each block makes one atomic and polls the same
 * word. There is no other state, which makes this the smallest barrier; a block may have a single
 * thread.
 */
#ifndef WEIR_BARRIER_CENTRAL_H
#define WEIR_BARRIER_CENTRAL_H

#include "weir/barrier/counter.h"

WEIR_FN uint32_t weir_central_barrier_words(weir_barrier_config config)
{
	(void)config;
	return 1;
}

WEIR_FN void weir_central_barrier_start(weir_barrier b, uint32_t past)
{
	/* Relaxed: the launch that uses it orders this store. */
	weir_store_rlx(&b.words[0], past * WEIR_COUNTER_PHASE);
}

WEIR_FN uint32_t weir_central_arrive(weir_barrier b)
{
	return weir_counter_arrive_of_(b, 0);
}

WEIR_FN void weir_central_await(weir_barrier b, uint32_t token)
{
	weir_counter_await_of_(b, token, 0);
}

WEIR_FN void weir_central_barrier(weir_barrier b)
{
	weir_counter_barrier_of_(b, 0);
}

#endif
