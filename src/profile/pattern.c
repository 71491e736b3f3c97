/* The patterns in which primitives are measured. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "profile/shape.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

static const struct {
	enum weir_primitive primitive;
	const char *name;
} rows[] = {
    [WEIR_PATTERN_HAND_OVER] = {WEIR_PRIMITIVE_EVENT_ARRAY, "hand_over"},
    [WEIR_PATTERN_SEQUENCE] = {WEIR_PRIMITIVE_EVENT_ARRAY, "sequence"},
    [WEIR_PATTERN_MEET] = {WEIR_PRIMITIVE_EVENT_ARRAY, "meet"},
    [WEIR_PATTERN_PAIRS] = {WEIR_PRIMITIVE_EVENT_ARRAY, "pairs"},
    [WEIR_PATTERN_POST] = {WEIR_PRIMITIVE_EVENT_ARRAY, "post"},
    [WEIR_PATTERN_QUEUE_PAIRS] = {WEIR_PRIMITIVE_QUEUE, "pairs"},
    [WEIR_PATTERN_QUEUE_PAIRS_BY_WARP] = {WEIR_PRIMITIVE_QUEUE, "pairs_by_warp"},
    [WEIR_PATTERN_QUEUE_PAIRS_BY_BLOCK] = {WEIR_PRIMITIVE_QUEUE, "pairs_by_block"},
    [WEIR_PATTERN_QUEUE_APART] = {WEIR_PRIMITIVE_QUEUE, "apart"},
    [WEIR_PATTERN_QUEUE_APART_BY_WARP] = {WEIR_PRIMITIVE_QUEUE, "apart_by_warp"},
    [WEIR_PATTERN_QUEUE_APART_BY_BLOCK] = {WEIR_PRIMITIVE_QUEUE, "apart_by_block"},
    [WEIR_PATTERN_QUEUE_ONE_TO_MANY] = {WEIR_PRIMITIVE_QUEUE, "one_to_many"},
    [WEIR_PATTERN_QUEUE_MANY_TO_ONE] = {WEIR_PRIMITIVE_QUEUE, "many_to_one"},
    [WEIR_PATTERN_DISPENSER_TAKE] = {WEIR_PRIMITIVE_DISPENSER, "take"},
    [WEIR_PATTERN_DISPENSER_TAKE_BY_BLOCK] = {WEIR_PRIMITIVE_DISPENSER, "take_by_block"},
    [WEIR_PATTERN_TASKS_CHAIN] = {WEIR_PRIMITIVE_TASKS, "chain"},
    [WEIR_PATTERN_TASKS_CHAIN_LOCAL] = {WEIR_PRIMITIVE_TASKS, "chain_local"},
    [WEIR_PATTERN_TASKS_LAYERS] = {WEIR_PRIMITIVE_TASKS, "layers"},
    [WEIR_PATTERN_TASKS_LAYERS_LOCAL] = {WEIR_PRIMITIVE_TASKS, "layers_local"},
    [WEIR_PATTERN_TASKS_LAYERS_CLASSES] = {WEIR_PRIMITIVE_TASKS, "layers_classes"},
    [WEIR_PATTERN_TASKS_LAYERS_LOCAL_CLASSES] = {WEIR_PRIMITIVE_TASKS, "layers_local_classes"},
    [WEIR_PATTERN_CONDITION_BUFFER] = {WEIR_PRIMITIVE_CONDITION, "buffer"},
    [WEIR_PATTERN_CONDITION_BROADCAST] = {WEIR_PRIMITIVE_CONDITION, "broadcast"},
    [WEIR_PATTERN_RWLOCK_READ] = {WEIR_PRIMITIVE_RWLOCK, "read"},
    [WEIR_PATTERN_RWLOCK_READ90] = {WEIR_PRIMITIVE_RWLOCK, "read90"},
    [WEIR_PATTERN_RWLOCK_WRITE] = {WEIR_PRIMITIVE_RWLOCK, "write"},
    [WEIR_PATTERN_RWLOCK_WRITER] = {WEIR_PRIMITIVE_RWLOCK, "writer"},
    [WEIR_PATTERN_ONCE_DONE] = {WEIR_PRIMITIVE_ONCE, "done"},
    [WEIR_PATTERN_COMBINE] = {WEIR_PRIMITIVE_COMBINER, "combine"},
    [WEIR_PATTERN_COMBINE_SERVE] = {WEIR_PRIMITIVE_COMBINER, "serve"},
};

const char *weir_pattern_name(uint32_t pattern)
{
	return pattern > 0 && pattern < sizeof rows / sizeof rows[0] ? rows[pattern].name : NULL;
}

int weir_pattern_is_of(uint32_t pattern, enum weir_primitive primitive)
{
	return weir_pattern_name(pattern) && rows[pattern].primitive == primitive;
}

int weir_has_patterns(enum weir_primitive primitive)
{
	for (uint32_t pattern = 1; weir_pattern_name(pattern); pattern++)
		if (rows[pattern].primitive == primitive)
			return 1;
	return 0;
}

uint32_t weir_pattern_named(enum weir_primitive primitive, const char *name)
{
	for (uint32_t pattern = 1; weir_pattern_name(pattern); pattern++)
		if (weir_pattern_is_of(pattern, primitive) &&
		    strcmp(name, weir_pattern_name(pattern)) == 0)
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

void weir_pattern_users(uint32_t pattern, uint32_t blocks, uint32_t *signallers, uint32_t *waiters)
{
	int is_shared = pattern == WEIR_PATTERN_SEQUENCE;

	*signallers = is_shared || pattern == WEIR_PATTERN_MEET ? blocks : 1;
	*waiters = is_shared ? blocks : 1;
}

uint32_t weir_pattern_default(uint32_t pattern, uint32_t blocks)
{
	uint32_t signallers;
	uint32_t waiters;

	if (pattern == WEIR_PATTERN_QUEUE_ONE_TO_MANY || pattern == WEIR_PATTERN_QUEUE_MANY_TO_ONE)
		return WEIR_QUEUE_SINGLE;
	if (weir_pattern_is_of(pattern, WEIR_PRIMITIVE_QUEUE))
		return WEIR_QUEUE_CELLS;
	if (weir_pattern_is_of(pattern, WEIR_PRIMITIVE_RWLOCK))
		return WEIR_RWLOCK_FAIR;
	if (!weir_pattern_is_of(pattern, WEIR_PRIMITIVE_EVENT_ARRAY))
		return 0;
	weir_pattern_users(pattern, blocks, &signallers, &waiters);
	return weir_event_kind_for(signallers, waiters);
}

uint32_t weir_pattern_pushers(uint32_t pattern, uint32_t blocks)
{
	switch (pattern) {
	case WEIR_PATTERN_QUEUE_APART:
	case WEIR_PATTERN_QUEUE_APART_BY_WARP:
	case WEIR_PATTERN_QUEUE_APART_BY_BLOCK:
	case WEIR_PATTERN_CONDITION_BUFFER:
		return blocks / 2;
	case WEIR_PATTERN_QUEUE_ONE_TO_MANY:
		return 1;
	case WEIR_PATTERN_QUEUE_MANY_TO_ONE:
		return blocks - 1;
	default:
		return blocks;
	}
}
