#include "measure/pattern.h"

#include <stddef.h>
#include <stdint.h>

#include "weir/kind.h"
#include "weir/profile.h"

static const weir_pattern_row rows[] = {
    [WEIR_PATTERN_HAND_OVER] = {"hand_over", "ring", "hand-over", "hand-over in a ring", 0},
    [WEIR_PATTERN_SEQUENCE] = {"sequence", "sequence", "hand-over",
                               "hand-over in a sequence of all blocks", 0},
    [WEIR_PATTERN_MEET] = {"meet", "meet", "round", "all signal one, and one signals all", 0},
    [WEIR_PATTERN_PAIRS] = {"pairs", "ring", "hand-over of a pair",
                            "hand-over in pairs of blocks, all at once", 2},
    [WEIR_PATTERN_POST] = {"post", "post", "post of a block", "posts that nobody waits for", 0},
};

const weir_pattern_row *weir_pattern_find(uint32_t pattern)
{
	return pattern > 0 && pattern < sizeof rows / sizeof rows[0] ? &rows[pattern] : NULL;
}

/* Pairs and posts count by the pair or the block, as if it were alone. */
static uint32_t units(const weir_point *point)
{
	switch (point->initial) {
	case WEIR_PATTERN_PAIRS:
		return (point->blocks + 1) / 2;
	case WEIR_PATTERN_MEET:
	case WEIR_PATTERN_POST:
		return point->blocks;
	default:
		return 1;
	}
}

uint32_t weir_round_operations(const weir_point *point)
{
	if (point->primitive == WEIR_PRIMITIVE_BARRIER)
		return 1;
	return point->primitive == WEIR_PRIMITIVE_EVENT_ARRAY ? point->blocks / units(point)
	                                                      : point->blocks;
}

uint64_t weir_operations(const weir_point *point, uint64_t sum)
{
	if (point->primitive == WEIR_PRIMITIVE_BARRIER)
		return sum / point->blocks;
	return point->primitive == WEIR_PRIMITIVE_EVENT_ARRAY ? sum / units(point) : sum;
}
