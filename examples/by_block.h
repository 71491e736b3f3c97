/* The work of a block: done by all of its threads if the machine can pass them a value, otherwise
 * by the first thread. */
#ifndef EXAMPLE_BY_BLOCK_H
#define EXAMPLE_BY_BLOCK_H

#include "kernels/kernel.h"

#if WEIR_HAS_BLOCK_VALUE && WEIR_HAS_TEAMS

WEIR_FN uint32_t by_block_threads(void)
{
	return weir_thread_count();
}

WEIR_FN void by_block_sync(void)
{
	weir_block_sync();
}

WEIR_FN int by_block_next_task(weir_tasks t, uint32_t *task)
{
	return weir_tasks_block_next(t, task);
}

WEIR_FN int by_block_pop(weir_queue q, uint32_t *value)
{
	return weir_queue_block_pop(q, value) == WEIR_OK;
}

#else

WEIR_FN uint32_t by_block_threads(void)
{
	return 1;
}

WEIR_FN void by_block_sync(void)
{
}

WEIR_FN int by_block_next_task(weir_tasks t, uint32_t *task)
{
	return weir_thread_id() == 0 && weir_tasks_next(t, task);
}

WEIR_FN int by_block_pop(weir_queue q, uint32_t *value)
{
	return weir_thread_id() == 0 && weir_queue_pop(q, value) == WEIR_OK;
}

#endif

#endif
