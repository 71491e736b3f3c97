#include "measure/pattern.h"

#include <stddef.h>
#include <stdint.h>

#include "weir/kind.h"
#include "weir/profile.h"

static const weir_pattern_row rows[] = {
    [WEIR_PATTERN_HAND_OVER] = {"ring", "hand-over in a ring", 0},
    [WEIR_PATTERN_SEQUENCE] = {"sequence", "hand-over in a sequence of all blocks", 0},
    [WEIR_PATTERN_MEET] = {"meet", "all signal one, and one signals all", 0},
    [WEIR_PATTERN_PAIRS] = {"ring", "hand-over in each of many pairs of blocks", 2},
    [WEIR_PATTERN_POST] = {"post", "posts that nobody waits for", 0},
};

const weir_pattern_row *weir_pattern_find(uint32_t pattern)
{
	return pattern > 0 && pattern < sizeof rows / sizeof rows[0] ? &rows[pattern] : NULL;
}

/* In how many shares the sum of all blocks' operations is counted. */
static uint32_t shares(const weir_point *point)
{
	switch (point->primitive) {
	case WEIR_PRIMITIVE_BARRIER:
		return point->blocks;
	case WEIR_PRIMITIVE_EVENT_ARRAY:
		return weir_pattern_shares(point->initial, point->blocks);
	default:
		return 1;
	}
}

uint32_t weir_round_operations(const weir_point *point)
{
	return point->blocks / shares(point);
}

uint64_t weir_operations(const weir_point *point, uint64_t sum)
{
	return sum / shares(point);
}
