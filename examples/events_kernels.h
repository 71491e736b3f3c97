/* Three ways to use events, with one source for all machines. Each kernel may be launched
 * repeatedly, without resetting an event or clearing memory in between.
 *
 * All sums depend on the round, so that results of an earlier launch are not taken for right. */
#ifndef EXAMPLE_EVENTS_KERNELS_H
#define EXAMPLE_EVENTS_KERNELS_H

#include "kernels/kernel.h"

typedef struct events_params {
	weir_event_array_config config;
	uint32_t parts; /* split_k: blocks that work on a tile */
	uint32_t items; /* split_k: terms of a thread; pipeline: items that pass through it */
} events_params;

#define SPLIT_TERM(tile, k, round) (((tile) + 1) * ((k) + (round)))
#define STAGE_OF(stage, item) ((item)*3 + (stage))
#define PIECE_LENGTH(block, round) (1 + ((block)*5 + (round)) % 4)

/* Split-K. The blocks of a tile sum parts of a row, and the last of them adds the parts. data: a
 * sum for each tile, then a sum for each thread of each block. */
WEIR_KERNEL(split_k, events_params)
{
	weir_event_array a = weir_event_array_make(words, params.config);
	uint32_t round = weir_event_array_round(a);
	uint32_t threads = weir_thread_count();
	uint32_t tile = weir_block_id() / params.parts;
	uint32_t part = weir_block_id() % params.parts;
	WEIR_GLOBAL uint32_t *sums =
	    data + weir_block_count() / params.parts + tile * params.parts * threads;
	weir_latch all_parts = weir_latch_of(weir_event_at(a, tile), params.parts, round);
	uint32_t first = (part * threads + weir_thread_id()) * params.items;
	uint32_t sum = 0;

	for (uint32_t i = 0; i < params.items; i++)
		sum += SPLIT_TERM(tile, first + i, round);
	sums[part * threads + weir_thread_id()] = sum;
	weir_block_sync(); /* the block's sums precede the leader's arrival */
	if (weir_thread_id() == 0 && weir_latch_arrive_is_last(all_parts, 1)) {
		sum = 0;
		for (uint32_t i = 0; i < params.parts * threads; i++)
			sum += sums[i];
		data[tile] = sum;
	}
	weir_event_array_block_leave(a);
}

/* A pipeline. Block s is stage s: it takes item after item from stage s - 1.
 * data: a row of items for each stage. */
WEIR_KERNEL(pipeline, events_params)
{
	weir_event_array a = weir_event_array_make(words, params.config);
	uint32_t round = weir_event_array_round(a);
	uint32_t stage = weir_block_id();

	for (uint32_t i = 0; i < params.items; i++) {
		if (stage > 0)
			weir_event_block_wait(weir_event_at(a, stage - 1),
			                      weir_event_target(round, params.items, i + 1));
		if (weir_thread_id() == 0) {
			uint32_t at = stage * params.items + i;
			data[at] =
			    stage == 0 ? i + round : STAGE_OF(stage, data[at - params.items]);
		}
		weir_event_block_post(weir_event_at(a, stage), 1);
	}
	weir_event_array_block_leave(a);
}

/* Ordered output. In the order of blocks, each block appends a piece whose length the others do not
 * know. data: the length so far, then the pieces. */
WEIR_KERNEL(ordered, events_params)
{
	weir_event_array a = weir_event_array_make(words, params.config);
	uint32_t round = weir_event_array_round(a);
	uint32_t block = weir_block_id();
	weir_sequence order = weir_sequence_of(weir_event_at(a, 0), weir_block_count(), round);

	weir_sequence_block_begin(order, block);
	if (weir_thread_id() == 0) {
		uint32_t length = block == 0 ? 0 : data[0];
		for (uint32_t i = 0; i < PIECE_LENGTH(block, round); i++)
			data[1 + length++] = block;
		data[0] = length;
	}
	weir_sequence_block_end(order);
	weir_event_array_block_leave(a);
}

#endif
