/* The pool of pool.h with a combiner instead of the mutex. An operation is a returned node, or
 * POOL_TAKE. While a block combines, its first thread keeps the first free node in a register. */
#ifndef WEIR_REAL_POOL_COMBINE_H
#define WEIR_REAL_POOL_COMBINE_H

#include "pool.h"

#if WEIR_HAS_WORD64

#define POOL_TAKE 0u

/* REAL_LEFT_OUT has no combiner: each block performs its own operations. */
#ifdef REAL_LEFT_OUT

WEIR_FN uint32_t pool_call(weir_combiner c, WEIR_GLOBAL uint32_t *head, WEIR_GLOBAL uint32_t *next,
                           uint32_t operation)
{
	(void)c;
	if (operation == POOL_TAKE)
		return pool_pop(head, next);
	pool_push(head, next, operation);
	return 0;
}

#else

/* Performs an operation and returns its result: the node that was taken. */
WEIR_FN uint32_t pool_do(uint32_t *first, WEIR_GLOBAL uint32_t *next, uint32_t operation)
{
	uint32_t node = *first;

	if (operation != POOL_TAKE) {
		next[operation - 1] = node;
		*first = operation;
		return 0;
	}
	if (node != 0)
		*first = next[node - 1];
	return node;
}

/* The first threads of the block call it. */
WEIR_FN uint32_t pool_call(weir_combiner c, WEIR_GLOBAL uint32_t *head, WEIR_GLOBAL uint32_t *next,
                           uint32_t operation)
{
	weir_combiner_call call = weir_combiner_publish(c, operation);

	while (weir_combiner_wait(c, &call)) {
		uint32_t first = head[0];
		while (weir_combiner_next(c, &call))
			WEIR_COMBINER_EACH (i, &call)
				weir_combiner_answer(
				    &call, i,
				    pool_do(&first, next, weir_combiner_operation(&call, i)));
		if (weir_thread_id() == 0)
			head[0] = first;
		weir_combiner_release(c, &call);
	}
	return weir_combiner_result(&call);
}

#endif

WEIR_KERNEL(pool_combine, real_params)
{
	uint32_t nodes = params.size[0];
	uint32_t count = params.size[1];
	uint32_t takings = params.size[2];
	WEIR_GLOBAL uint32_t *next = data + 1;
	WEIR_GLOBAL uint32_t *last = next + nodes;
	WEIR_GLOBAL uint32_t *taken = last + nodes;
	WEIR_GLOBAL uint32_t *wrong = taken + takings;
	WEIR_GLOBAL uint32_t *contents = wrong + takings;
	KERNEL_HANDLE(weir_combiner, c, words, params.config.combiner);

	for (uint32_t i = weir_block_id(); i < takings; i += weir_block_count()) {
		if (weir_is_first(weir_thread_id())) {
			uint32_t popped = pool_call(c, data, next, POOL_TAKE);
			if (weir_thread_id() == 0)
				taken[i] = popped;
		}
		weir_block_sync(); /* extends the first threads' acquire to their block */
		uint32_t node = taken[i];
		if (node == 0)
			continue;
		if (pool_use(contents + (node - 1) * count, count, last + node - 1, i + 1))
			wrong[i] = 1;
		weir_block_sync(); /* the block's writes precede the publish */
		if (weir_is_first(weir_thread_id()))
			pool_call(c, data, next, node);
	}
}

#endif

#endif
