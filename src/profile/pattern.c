/* The patterns in which events are measured. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/event.h"
#include "weir/profile.h"
#include "weir/weir.h"

static const char *const names[] = {
    [WEIR_PATTERN_HAND_OVER] = "hand_over", [WEIR_PATTERN_SEQUENCE] = "sequence",
    [WEIR_PATTERN_MEET] = "meet",           [WEIR_PATTERN_PAIRS] = "pairs",
    [WEIR_PATTERN_POST] = "post",
};

const char *weir_pattern_name(uint32_t pattern)
{
	return pattern > 0 && pattern < sizeof names / sizeof names[0] ? names[pattern] : NULL;
}

uint32_t weir_pattern_named(const char *name)
{
	for (uint32_t pattern = 1; weir_pattern_name(pattern); pattern++)
		if (strcmp(name, weir_pattern_name(pattern)) == 0)
			return pattern;
	return 0;
}

uint32_t weir_pattern_shares(uint32_t pattern, uint32_t blocks)
{
	switch (pattern) {
	case WEIR_PATTERN_PAIRS:
		return (blocks + 1) / 2;
	case WEIR_PATTERN_MEET:
	case WEIR_PATTERN_POST:
		return blocks;
	default:
		return 1;
	}
}

void weir_pattern_users(uint32_t pattern, uint32_t blocks, weir_options *options)
{
	int is_shared = pattern == WEIR_PATTERN_SEQUENCE;

	options->signallers = is_shared || pattern == WEIR_PATTERN_MEET ? blocks : 1;
	options->waiters = is_shared ? blocks : 1;
}

uint32_t weir_pattern_default(uint32_t pattern, uint32_t blocks)
{
	weir_options options = {0};

	weir_pattern_users(pattern, blocks, &options);
	return weir_event_kind_for(&options);
}
