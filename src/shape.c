/* Shapes of counter barriers: which may be, and which to take where nobody has tuned one. */
#include "internal.h"

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

/* From a first trial on an H200, with 128 threads a block: the more blocks, the longer their arrivals
 * queue at one counter, and the more polls of it hold them up. A start, not the best: weir tune finds
 * better ones there. */
weir_shape weir_untuned_shape(uint32_t blocks)
{
	static const struct {
		uint32_t up_to;
		weir_shape shape;
	} found[] = {
	    {256, {0, 0, 31}}, {600, {2, 0, 20}}, {1100, {2, 0, 26}}, {UINT32_MAX, {3, 2, 45}}};
	size_t i = 0;

	while (found[i].up_to < blocks)
		i++;
	return found[i].shape;
}
