/* Shapes of counter barriers: which are valid, and which to take where none was tuned. */
#include "profile/shape.h"

#include "weir/profile.h"

/* A counter serves about so many arrivals in a round trip to the cache: on an H200 an arrival takes
 * 0.76 ns, and these take 0.26 us. Up to that number, shards would save less than their polls cost.
 * Beyond it, shards of half as many were best there. The number is a ratio of two times of one
 * cache. So it depends on neither the clock nor the number of multiprocessors. */
#define ARRIVALS_A_TRIP 350

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
	weir_shape shape = {0};

	if (kind->shape == WEIR_SHAPE_NONE || blocks <= ARRIVALS_A_TRIP)
		return shape;
	while (shape.bits < WEIR_SHAPE_BITS_MOST && blocks >> shape.bits > ARRIVALS_A_TRIP / 2)
		shape.bits++;
	return shape;
}
