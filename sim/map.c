#include "map.h"

/* A map has many machines: shorter runs, whose winners are the same but for near ties. */
#define MAP_ACCESSES 100000

const double weir_sim_map_atomic[WEIR_SIM_MAP_SIZE] = {1, 3, 10, 30, 100};
const double weir_sim_map_contention[WEIR_SIM_MAP_SIZE] = {1, 3, 10, 30, 100};

const weir_sim_map_table weir_sim_map_tables[WEIR_SIM_MAP_TABLES] = {
    {WEIR_PRIMITIVE_BARRIER, 0, "barrier"},
    {WEIR_PRIMITIVE_MUTEX, 0, "mutex"},
    {WEIR_PRIMITIVE_SEMAPHORE, 1, "semaphore, initial value 1"},
    {WEIR_PRIMITIVE_SEMAPHORE, 120, "semaphore, initial value 120"}};

weir_probe weir_sim_map_probe(const weir_probe *base, double atomic, double contention, int hostage)
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
		/* An access cannot be back before its line has served it. */
		if (*atomic_own < own + served)
			*atomic_own = own + served;
		*primed_own = hostage ? own + served : own;
	}
	return probe;
}

weir_status weir_sim_map_winner(const weir_probe *probe, enum weir_primitive primitive,
                                uint32_t initial, uint32_t *kind)
{
	weir_sim_machine machine;
	weir_status status = weir_sim_machine_make(probe, &machine);

	if (status != WEIR_OK)
		return status;
	machine.accesses = MAP_ACCESSES;
	return weir_sim_best(&machine, primitive, probe->blocks, initial, kind, NULL);
}
