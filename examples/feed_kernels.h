/* A persistent kernel that the host feeds and finally ends. It is compiled with
 * WEIR_SYSTEM_SCOPE. */
#ifndef EXAMPLE_FEED_KERNELS_H
#define EXAMPLE_FEED_KERNELS_H

#include "kernels/kernel.h"

#define FEED_END 0xffffffffu /* stands for an item: the block ends */
#define FEED_ANSWER(item) ((item) * (item) + 1)

typedef struct feed_params {
	weir_event_array_config config;
	uint32_t most; /* room for this many items */
} feed_params;

/* Event 0 counts the items that the host has fed, event 1 + b those that block b has answered.
 * Block b takes every item i with i mod blocks == b. data: the items, then the answers, in memory
 * shared with the host. */
WEIR_KERNEL(feed_serve, feed_params)
{
	weir_event_array a = weir_event_array_make(words, params.config);
	weir_event fed = weir_event_at(a, 0);
	weir_event answered = weir_event_at(a, 1 + weir_block_id());

	for (uint32_t i = weir_block_id(); i < params.most; i += weir_block_count()) {
		weir_event_block_wait(fed, i + 1);
		if (data[i] == FEED_END)
			return;
		if (weir_thread_id() == 0)
			data[params.most + i] = FEED_ANSWER(data[i]);
		weir_event_block_post(answered, 1);
	}
}

#endif
