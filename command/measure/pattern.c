#include "measure/pattern.h"

#include <stddef.h>
#include <stdint.h>

#include "src/sim/sim.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

static const weir_pattern_row rows[] = {
    [WEIR_PATTERN_HAND_OVER] = {"ring", "ring", "hand-over in a ring", 0, 0},
    [WEIR_PATTERN_SEQUENCE] = {"sequence", "sequence", "hand-over in a sequence of all blocks", 0,
                               0},
    [WEIR_PATTERN_MEET] = {"meet", "meet", "all signal one, and one signals all", 0, 0},
    [WEIR_PATTERN_PAIRS] = {"ring", "ring", "hand-over in each of many pairs of blocks", 2, 0},
    [WEIR_PATTERN_POST] = {"post", "post", "posts without a waiter", 0, 0},
    [WEIR_PATTERN_QUEUE_PAIRS] = {"pairs", "pairs", "every thread pushes and pops", 0, 0},
    [WEIR_PATTERN_QUEUE_PAIRS_BY_WARP] = {"pairs_by_warp", "pairs",
                                          "every warp pushes and pops an item for each thread", 0,
                                          WEIR_BY_WARP},
    [WEIR_PATTERN_QUEUE_PAIRS_BY_BLOCK] = {"pairs_by_block", "pairs",
                                           "every block pushes and pops an item for each thread", 0,
                                           WEIR_BY_BLOCK},
    [WEIR_PATTERN_QUEUE_APART] = {"apart", "apart",
                                  "threads of half of the blocks push, those of the others pop", 0,
                                  WEIR_APART},
    [WEIR_PATTERN_QUEUE_APART_BY_WARP] = {"apart_by_warp", "apart",
                                          "warps of half of the blocks push, those of the others "
                                          "pop",
                                          0, WEIR_APART | WEIR_BY_WARP},
    [WEIR_PATTERN_QUEUE_APART_BY_BLOCK] = {"apart_by_block", "apart",
                                           "half of the blocks push, the others pop", 0,
                                           WEIR_APART | WEIR_BY_BLOCK},
    [WEIR_PATTERN_QUEUE_ONE_TO_MANY] = {"apart", "apart",
                                        "one thread pushes, one of each other block pops", 0,
                                        WEIR_APART | WEIR_ONE_SIDED},
    [WEIR_PATTERN_QUEUE_MANY_TO_ONE] = {"apart", "apart",
                                        "one thread of each block but one pushes, one pops", 0,
                                        WEIR_APART | WEIR_ONE_SIDED},
    [WEIR_PATTERN_DISPENSER_TAKE] = {"take", "take", "one thread of each block takes items", 0, 0},
    [WEIR_PATTERN_DISPENSER_TAKE_BY_BLOCK] = {"take_by_block", "take_by_block", "blocks take items",
                                              0, WEIR_BY_BLOCK},
    [WEIR_PATTERN_TASKS_CHAIN] = {"run", "", "a chain of layers of two tasks; time of a layer", 0,
                                  0},
    [WEIR_PATTERN_TASKS_CHAIN_LOCAL] = {"run", "",
                                        "the same, and a block continues with what it made ready",
                                        0, 0},
    [WEIR_PATTERN_TASKS_LAYERS] = {"run", "", "layers of 16 tasks for each block; time of a task",
                                   0, 0},
    [WEIR_PATTERN_TASKS_LAYERS_LOCAL] = {"run", "",
                                         "the same, and a block continues with what it made ready",
                                         0, 0},
    [WEIR_PATTERN_TASKS_LAYERS_CLASSES] = {"run", "", "layers of tasks of two classes", 0, 0},
    [WEIR_PATTERN_TASKS_LAYERS_LOCAL_CLASSES] =
	{"run", "", "the same, and a block continues with what it made ready", 0, 0},
    [WEIR_PATTERN_CONDITION_BUFFER] = {"buffer", "buffer",
                                       "half of the blocks put items into a buffer of 64", 0,
                                       WEIR_APART},
    [WEIR_PATTERN_CONDITION_BROADCAST] = {"broadcast", "broadcast", "the last block wakes all", 0,
                                          0},
    [WEIR_PATTERN_RWLOCK_READ] = {"mixed", "mixed", "all blocks read", 0, 0},
    [WEIR_PATTERN_RWLOCK_READ90] = {"mixed", "mixed", "one operation in ten writes", 1, 0},
    [WEIR_PATTERN_RWLOCK_WRITE] = {"mixed", "mixed", "all blocks write", 10, 0},
    [WEIR_PATTERN_RWLOCK_WRITER] = {"writer", "writer",
                                    "one block writes, the others read; its writes", 0, WEIR_APART},
    [WEIR_PATTERN_ONCE_DONE] = {"done", "done", "all blocks ask for what is done", 0, 0},
    [WEIR_PATTERN_COMBINE] = {"combine", "section", "a counter and a hash, by any block", 0, 0},
    [WEIR_PATTERN_COMBINE_SERVE] = {"serve", "section", "a counter and a hash, by one block", 0,
                                    WEIR_APART},
};

const weir_pattern_row *weir_pattern_find(uint32_t pattern)
{
	return pattern > 0 && pattern < sizeof rows / sizeof rows[0] ? &rows[pattern] : NULL;
}

void weir_point_vary(weir_point *point, uint32_t value)
{
	if (weir_has_patterns(point->primitive))
		point->pattern = value;
	else
		point->initial = value;
}

uint32_t weir_pattern_ring(const weir_point *point)
{
	uint32_t ring = rows[point->pattern].ring;

	switch (point->primitive) {
	case WEIR_PRIMITIVE_EVENT_ARRAY:
		return ring ? ring : point->blocks;
	case WEIR_PRIMITIVE_QUEUE:
	case WEIR_PRIMITIVE_CONDITION:
		return weir_pattern_pushers(point->pattern, point->blocks);
	case WEIR_PRIMITIVE_DISPENSER:
	case WEIR_PRIMITIVE_TASKS:
		return weir_layer_tasks(point->pattern, point->blocks);
	default:
		return ring;
	}
}

/* The number of shares in which the sum of all blocks' operations is counted. */
static uint32_t shares(const weir_point *point)
{
	switch (point->primitive) {
	case WEIR_PRIMITIVE_BARRIER:
		return point->blocks;
	case WEIR_PRIMITIVE_EVENT_ARRAY:
		return weir_pattern_shares(point->pattern, point->blocks);
	case WEIR_PRIMITIVE_CONDITION:
		return point->pattern == WEIR_PATTERN_CONDITION_BROADCAST ? point->blocks : 1;
	default:
		return 1;
	}
}

/* Whether single threads and teams of a block may wait. */
static int has_teams(weir_machine machine)
{
	return machine != WEIR_MACHINE_OPENCL && machine != WEIR_MACHINE_HIP;
}

uint32_t weir_queue_users(const weir_point *point, weir_machine machine)
{
	return rows[point->pattern].traits & WEIR_ONE_SIDED || !has_teams(machine) ? 1
	                                                                           : point->threads;
}

uint32_t weir_queue_single(const weir_point *point, weir_machine machine)
{
	uint32_t pushers = weir_pattern_pushers(point->pattern, point->blocks);
	uint32_t users = weir_queue_users(point, machine);
	uint32_t poppers = pushers == point->blocks ? pushers : point->blocks - pushers;

	return (pushers * users == 1 ? WEIR_QUEUE_ONE_PUSHES : 0) |
	       (poppers * users == 1 ? WEIR_QUEUE_ONE_POPS : 0);
}

int weir_pattern_runs(uint32_t pattern, weir_machine machine)
{
	return !(rows[pattern].traits & (WEIR_BY_WARP | WEIR_BY_BLOCK)) || has_teams(machine);
}

int weir_point_fits(const weir_point *point, weir_machine machine)
{
	enum {
		WARP = 32
	};
	unsigned traits = rows[point->pattern].traits;

	if (!weir_has_patterns(point->primitive))
		return 1;
	if (!weir_pattern_runs(point->pattern, machine) ||
	    (traits & WEIR_APART && point->blocks == 1) ||
	    (traits & WEIR_BY_WARP && point->threads % WARP != 0))
		return 0;
	if (point->primitive == WEIR_PRIMITIVE_COMBINER && machine == WEIR_MACHINE_CUDA)
		return point->threads >= WARP;
	return point->primitive != WEIR_PRIMITIVE_QUEUE || point->kind != WEIR_QUEUE_SINGLE ||
	       weir_queue_single(point, machine) != 0;
}

uint64_t weir_round_operations(const weir_point *point, weir_machine machine)
{
	switch (point->primitive) {
	case WEIR_PRIMITIVE_QUEUE:
		return (uint64_t)weir_pattern_pushers(point->pattern, point->blocks) *
		       weir_queue_users(point, machine);
	case WEIR_PRIMITIVE_TASKS:
		return weir_is_chain(point->pattern)
		           ? 1
		           : weir_layer_tasks(point->pattern, point->blocks);
	case WEIR_PRIMITIVE_CONDITION:
		return weir_pattern_pushers(point->pattern, point->blocks) / shares(point);
	case WEIR_PRIMITIVE_RWLOCK:
		return rows[point->pattern].traits & WEIR_APART ? 1 : point->blocks;
	case WEIR_PRIMITIVE_COMBINER:
		return point->blocks - (rows[point->pattern].traits & WEIR_APART ? 1 : 0);
	default:
		return point->blocks / shares(point);
	}
}

uint64_t weir_operations(const weir_point *point, uint64_t sum)
{
	return sum / shares(point);
}
