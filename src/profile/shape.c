/* Shapes of counter barriers, and kinds of events: which are valid, and which to use if none was
 * tuned. */
#include "profile/shape.h"

#include "weir/barrier/in.h"
#include "weir/profile.h"

/* From an H200 (results/h200/peers-event.json, trials/events.txt): one word is the fastest up to
 * 528 blocks. */
#define USERS_OF_WORD 700u

const char *weir_shape_fault(weir_shape shape, uint32_t blocks)
{
	if (shape.bits > WEIR_SHAPE_BITS_MOST)
		return "the maximum is 4 bits";
	if (blocks && blocks >> shape.bits == 0)
		return "a barrier has at most as many shards, 2^bits, as blocks";
	return NULL;
}

weir_shape weir_shape_fit(weir_shape shape, uint32_t blocks)
{
	while (shape.bits && blocks >> shape.bits == 0)
		shape.bits--;
	return shape;
}

weir_shape weir_untuned_shape(const weir_kind *kind, uint32_t blocks)
{
	weir_shape shape = {kind->shape == WEIR_SHAPE_COUNTERS ? WEIR_COUNTER_BITS(blocks) : 0};

	return shape;
}

uint32_t weir_event_kind_for(uint32_t signallers, uint32_t waiters)
{
	if (waiters > USERS_OF_WORD)
		return WEIR_EVENT_COPIES;
	return signallers > USERS_OF_WORD ? WEIR_EVENT_SHARDS : WEIR_EVENT_WORD;
}
