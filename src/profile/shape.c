/* Shapes of counter barriers: which are valid, and which to take where none was tuned. */
#include "profile/shape.h"

#include "weir/barrier/in.h"
#include "weir/profile.h"

const char *weir_shape_fault(weir_shape shape, uint32_t blocks)
{
	if (shape.bits > WEIR_SHAPE_BITS_MOST)
		return "the most is 4 bits";
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
