/* Shapes of counter barriers: which are valid, and which to take where none was tuned. */
#include "profile/shape.h"

#include "weir/profile.h"

const char *weir_shape_fault(weir_shape shape)
{
	if (shape.shard_bits > WEIR_SHAPE_BITS_MOST || shape.copy_bits > WEIR_SHAPE_BITS_MOST)
		return "the most is 5 bits";
	if ((1u << shape.shard_bits << shape.copy_bits) > WEIR_SHAPE_COUNTERS_MOST)
		return "the most is 64 counters, that is 6 bits of both together";
	if (shape.first_pause > WEIR_SHAPE_PAUSE_MOST)
		return "the longest first pause is 1024";
	return NULL;
}

/* From trials on an H200, with 128 threads a block. With more blocks, their arrivals queue longer
 * at a counter, and polls of it delay them more. This is a start, not the best: weir tune finds
 * better shapes there. */
weir_shape weir_untuned_shape(const weir_kind *kind, uint32_t blocks)
{
	static const struct untuned {
		uint32_t up_to;
		weir_shape shape;
	} counter[] = {{256, {0, 0, 46}},
	               {600, {2, 0, 51}},
	               {1100, {2, 0, 56}},
	               {UINT32_MAX, {3, 1, 92}}},
	  central[] = {{4, {0, 0, 25}},   {16, {0, 0, 31}},  {48, {0, 0, 41}},
	               {100, {0, 0, 44}}, {200, {0, 0, 46}}, {UINT32_MAX, {0, 0, 49}}};
	const struct untuned *found = kind->shape == WEIR_SHAPE_FIRST_PAUSE ? central : counter;

	while (found->up_to < blocks)
		found++;
	return found->shape;
}
