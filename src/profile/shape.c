/* Shapes of counter barriers: which are valid, and which to take where none was tuned. */
#include "profile/shape.h"

#include "weir/profile.h"

/* A counter serves about so many arrivals in a round trip to the cache: on an H200 an arrival takes
 * 0.76 ns, and these take 0.26 us. With fewer, another shard would save less than the atomics that
 * each block makes for it. The number is a ratio of two times of one cache. So it depends on neither
 * the clock nor the number of multiprocessors. It gives the best shapes on an H200: 0 bits up to 330
 * blocks, 1 up to 700, 2 up to 1400, then 3. */
#define ARRIVALS_A_TRIP 350
/* The most that was ever best there. */
#define UNTUNED_BITS_MOST 3

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

	while (kind->shape == WEIR_SHAPE_COUNTERS && shape.bits < UNTUNED_BITS_MOST &&
	       blocks >> shape.bits > ARRIVALS_A_TRIP)
		shape.bits++;
	return shape;
}
