#include "sim/sim.h"

#include <stdio.h>

/* Accesses of each block: enough for this small number of blocks to complete several operations,
 * whatever the kind. */
#define MAP_ACCESSES 600
#define MAP_FEWEST_ACCESSES 6000
#define MAP_TUNE_STEP 4

const double weir_sim_map_atomic[WEIR_SIM_MAP_SIZE] = {1, 3, 10, 30, 100};
const double weir_sim_map_contention[WEIR_SIM_MAP_SIZE] = {1, 3, 10, 30, 100};

/* The times of a probe are of all blocks together. With fewer blocks each access occupies its cache
 * line longer, so that all of them together take as long as before. */
static weir_probe small(const weir_probe *probe)
{
	weir_probe result = *probe;
	uint32_t threads = probe->threads ? probe->threads : 128;

	result.threads = threads;
	if (probe->blocks <= WEIR_SIM_MAP_BLOCKS)
		return result;
	result.blocks = WEIR_SIM_MAP_BLOCKS;
	result.threads = (uint32_t)(((uint64_t)threads * WEIR_SIM_MAP_BLOCKS + probe->blocks - 1) /
	                            probe->blocks);
	return result;
}

/* A device with different ratios. Its contentious times follow from its noncontentious volatile
 * times. Accesses after an atomic cost as much as atomics if `hostage`, otherwise nothing extra. */
static weir_probe with_ratios(const weir_probe *base, double atomic, double contention, int hostage)
{
	weir_probe probe = *base;

	for (int way = 0; way < 2; way++) {
		double own = base->ms[WEIR_ACCESS(WEIR_ACCESS_VOLATILE, WEIR_ACCESS_OWN, way)];
		double same = own * contention;
		double *atomic_own =
		    &probe.ms[WEIR_ACCESS(WEIR_ACCESS_ATOMIC, WEIR_ACCESS_OWN, way)];
		double *primed_own =
		    &probe.ms[WEIR_ACCESS(WEIR_ACCESS_PRIMED, WEIR_ACCESS_OWN, way)];
		double served = same * atomic / probe.blocks;

		probe.ms[WEIR_ACCESS(WEIR_ACCESS_VOLATILE, WEIR_ACCESS_SAME, way)] = same;
		probe.ms[WEIR_ACCESS(WEIR_ACCESS_ATOMIC, WEIR_ACCESS_SAME, way)] = same * atomic;
		probe.ms[WEIR_ACCESS(WEIR_ACCESS_PRIMED, WEIR_ACCESS_SAME, way)] =
		    hostage ? same * atomic : same;
		/* An access cannot return before its cache line has served it. */
		if (*atomic_own < own + served)
			*atomic_own = own + served;
		*primed_own = hostage ? own + served : own;
	}
	return probe;
}

/* Many slots: the paper's 120, or half the number of blocks if fewer run. */
static uint32_t many_slots(uint32_t blocks)
{
	uint32_t half = blocks / 2;

	if (half > 120)
		return 120;
	return half < 2 ? 2 : half;
}

void weir_sim_map_begin(const weir_probe *base, weir_sim_map *map)
{
	static const enum weir_primitive primitives[WEIR_SIM_MAP_TABLES] = {
	    WEIR_PRIMITIVE_BARRIER, WEIR_PRIMITIVE_MUTEX, WEIR_PRIMITIVE_SEMAPHORE,
	    WEIR_PRIMITIVE_SEMAPHORE};
	const int places = WEIR_SIM_MAP_SIZE * WEIR_SIM_MAP_SIZE;

	map->base = small(base);
	map->watch = (weir_sim_watch){0};
	for (int i = 0; i < WEIR_SIM_MAP_TABLES; i++) {
		map->tables[i].primitive = primitives[i];
		map->tables[i].initial = 0;
		map->tables[i].own = WEIR_SIM_MAP_UNKNOWN;
		for (int k = 0; k < 2 * places; k++)
			map->tables[i].kinds[k / places][k % places / WEIR_SIM_MAP_SIZE]
					    [k % WEIR_SIM_MAP_SIZE] = WEIR_SIM_MAP_UNKNOWN;
	}
	map->tables[2].initial = 1;
	map->tables[3].initial = many_slots(map->base.blocks);
}

/* The position of a device on the grid; the last device has none. */
typedef struct place {
	int hostage;
	int row;
	int column;
} place;

static place place_of(int which)
{
	const int size = WEIR_SIM_MAP_SIZE;
	place at = {which / (size * size), which % (size * size) / size, which % size};

	return at;
}

weir_status weir_sim_map_machine(const weir_sim_map *map, int which, weir_sim_machine *machine)
{
	place at = place_of(which);
	weir_probe probe = map->base;

	if (which != WEIR_SIM_MAP_MACHINES - 1)
		probe = with_ratios(&map->base, weir_sim_map_atomic[at.row],
		                    weir_sim_map_contention[at.column], at.hostage);
	weir_status status = weir_sim_machine_make(&probe, machine);
	if (status != WEIR_OK)
		return status;
	machine->accesses = (uint64_t)MAP_ACCESSES * probe.blocks;
	if (machine->accesses < MAP_FEWEST_ACCESSES)
		machine->accesses = MAP_FEWEST_ACCESSES;
	machine->tune_step = MAP_TUNE_STEP;
	machine->watch = map->watch;
	return WEIR_OK;
}

weir_status weir_sim_map_fill(weir_sim_map *map, int which, const enum weir_primitive *only)
{
	place at = place_of(which);
	weir_sim_machine machine;
	weir_status status = weir_sim_map_machine(map, which, &machine);

	for (int i = 0; i < WEIR_SIM_MAP_TABLES && status == WEIR_OK; i++) {
		enum weir_primitive primitive = map->tables[i].primitive;
		uint32_t *kind = which == WEIR_SIM_MAP_MACHINES - 1
		                     ? &map->tables[i].own
		                     : &map->tables[i].kinds[at.hostage][at.row][at.column];
		uint32_t best;
		if (only && *only != primitive)
			continue;
		status = weir_sim_best(&machine, primitive, map->base.blocks,
		                       map->tables[i].initial, &best, NULL);
		if (status == WEIR_OK)
			*kind = best;
	}
	return status;
}

void weir_sim_map_title(const weir_sim_map *map, int table, char *text, size_t room)
{
	enum weir_primitive primitive = map->tables[table].primitive;

	if (primitive == WEIR_PRIMITIVE_SEMAPHORE)
		snprintf(text, room, "semaphore, initial value %u", map->tables[table].initial);
	else
		snprintf(text, room, "%s", weir_primitive_name(primitive));
}
