/* Operations that blocks ship to the block that holds the lock: a counter and a free list. There is
 * also a version of the free list with a block that serves. One source for all machines. */
#ifndef EXAMPLE_COMBINE_KERNELS_H
#define EXAMPLE_COMBINE_KERNELS_H

#include "kernels/kernel.h"

typedef struct combine_params {
	weir_combiner_config config;
	uint32_t rounds; /* calls of each block, or takes */
} combine_params;

/* ---- a counter ---- */

/* data: the count, and how often each number was handed out. */
#define COUNTER_COUNT 0
#define COUNTER_SEEN 1

/* One operation: adds `amount` and returns the old count. */
WEIR_FN uint32_t counter_add(uint32_t *count, uint32_t amount)
{
	uint32_t before = *count;

	*count += amount;
	return before;
}

/* The first threads of the block call it together. */
WEIR_FN uint32_t counter_call(weir_combiner c, WEIR_GLOBAL uint32_t *data, uint32_t amount)
{
	weir_combiner_call call = weir_combiner_publish(c, amount);

	while (weir_combiner_wait(c, &call)) {
		uint32_t count = data[COUNTER_COUNT]; /* stays in a register of thread 0 */
		while (weir_combiner_next(c, &call))
			WEIR_COMBINER_EACH (i, &call)
				weir_combiner_answer(
				    &call, i,
				    counter_add(&count, weir_combiner_operation(&call, i)));
		if (weir_thread_id() == 0)
			data[COUNTER_COUNT] = count;
		weir_combiner_release(c, &call);
	}
	return weir_combiner_result(&call);
}

WEIR_KERNEL(counter, combine_params)
{
	weir_combiner c = weir_combiner_make(words, params.config);

	if (!weir_is_first(weir_thread_id()))
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		uint32_t number = counter_call(c, data, 1);
		if (weir_thread_id() == 0)
			data[COUNTER_SEEN + number] += 1;
	}
}

/* ---- a free list ---- */

/* data: the first free entry and the successor of each. An entry is stored as its number plus 1; 0
 * means none. Then how often each entry was used, and how often each block found none. */
#define LIST_FIRST 0
#define LIST_NEXT 1
#define LIST_ENTRIES 4u
#define LIST_USES (LIST_NEXT + LIST_ENTRIES)
#define LIST_MISSED (LIST_USES + LIST_ENTRIES)
#define LIST_TAKE 0u /* an operation; any other value returns that entry */

WEIR_FN uint32_t list_change(WEIR_GLOBAL uint32_t *data, uint32_t *first, uint32_t operation)
{
	uint32_t taken = *first;

	if (operation != LIST_TAKE) {
		data[LIST_NEXT + operation - 1] = *first;
		*first = operation;
		return 0;
	}
	if (taken != 0)
		*first = data[LIST_NEXT + taken - 1];
	return taken;
}

/* Performs all published operations. */
WEIR_FN void list_combine(weir_combiner c, weir_combiner_call *call, WEIR_GLOBAL uint32_t *data,
                          uint32_t *first)
{
	while (weir_combiner_next(c, call))
		WEIR_COMBINER_EACH (i, call)
			weir_combiner_answer(
			    call, i, list_change(data, first, weir_combiner_operation(call, i)));
}

/* With a server, weir_combiner_wait never returns 1, and the loop ends at once. */
WEIR_FN uint32_t list_call(weir_combiner c, WEIR_GLOBAL uint32_t *data, uint32_t operation)
{
	weir_combiner_call call = weir_combiner_publish(c, operation);

	while (weir_combiner_wait(c, &call)) {
		uint32_t first = data[LIST_FIRST];
		list_combine(c, &call, data, &first);
		if (weir_thread_id() == 0)
			data[LIST_FIRST] = first;
		weir_combiner_release(c, &call);
	}
	return weir_combiner_result(&call);
}

/* Serves until all other blocks have left. The first entry stays in a register throughout. */
WEIR_FN void list_serve(weir_combiner c, WEIR_GLOBAL uint32_t *data)
{
	weir_combiner_call call;

	if (weir_combiner_serve(c, &call)) {
		uint32_t first = data[LIST_FIRST];
		while (weir_combiner_serve_next(c, &call))
			list_combine(c, &call, data, &first);
		if (weir_thread_id() == 0)
			data[LIST_FIRST] = first;
		weir_combiner_release(c, &call);
	}
}

/* Repeatedly takes an entry, uses it exclusively and gives it back. */
WEIR_FN void list_work(weir_combiner c, WEIR_GLOBAL uint32_t *data, uint32_t rounds)
{
	for (uint32_t i = 0; i < rounds; i++) {
		uint32_t entry = list_call(c, data, LIST_TAKE);
		if (weir_thread_id() == 0)
			data[entry ? LIST_USES + entry - 1 : LIST_MISSED + weir_block_id()] += 1;
		if (entry != 0)
			list_call(c, data, entry);
	}
}

/* Any block combines. */
WEIR_KERNEL(free_list, combine_params)
{
	if (weir_is_first(weir_thread_id()))
		list_work(weir_combiner_make(words, params.config), data, params.rounds);
}

/* Block 0 only serves. All blocks must run at once. */
WEIR_KERNEL(free_list_served, combine_params)
{
	weir_combiner c = weir_combiner_make(words, params.config);

	if (!weir_is_first(weir_thread_id()))
		return;
	if (weir_block_id() == 0) {
		list_serve(c, data);
	} else {
		list_work(c, data, params.rounds);
		if (weir_thread_id() == 0)
			weir_combiner_leave(c); /* the server continues until all have left */
	}
}

#endif
