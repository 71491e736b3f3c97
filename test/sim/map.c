/* The map: a small device that ranks the kinds like the whole one, and the interpolated points. */
#include <string.h>

#include "check.h"
#include "sim/sim.h"
#include "weir/device.h"

typedef struct expectation {
	const char *profile;
	uint32_t blocks;
	uint32_t threads;
	/* The best of the paper's kinds according to weir predict with all blocks. */
	uint32_t barrier;
	uint32_t mutex;
	uint32_t one_slot;
	uint32_t many_slots;
} expectation;

static const expectation expected[] = {{"gt200", 64, 35, WEIR_BARRIER_XF, WEIR_MUTEX_TICKET,
                                        WEIR_SEMAPHORE_SLEEPING, WEIR_SEMAPHORE_SLEEPING},
                                       {"gf100", 64, 64, WEIR_BARRIER_XF, WEIR_MUTEX_SPIN_BACKOFF,
                                        WEIR_SEMAPHORE_SPIN_BACKOFF, WEIR_SEMAPHORE_SLEEPING},
                                       {"h200", 64, 4, WEIR_BARRIER_ATOMIC, WEIR_MUTEX_SPIN_BACKOFF,
                                        WEIR_SEMAPHORE_SPIN_BACKOFF, WEIR_SEMAPHORE_SLEEPING}};

static void begin(const char *name, weir_sim_map *map)
{
	weir_profile *profile;

	CHECK(weir_profile_builtin(name, &profile) == WEIR_OK);
	weir_sim_map_begin(&profile->probe, map);
	weir_profile_destroy(profile);
}

/* Only the paper's kinds: the order of others is not known here. */
static uint32_t best(weir_sim_machine *machine, enum weir_primitive primitive, uint32_t initial,
                     const uint32_t *kinds, int count)
{
	double fastest = 0;
	uint32_t found = 0;

	for (int i = 0; i < count; i++) {
		const weir_sim_use use = {primitive, kinds[i], machine->probe.blocks, initial, 0};
		double rate;
		CHECK(weir_sim_rate(machine, use, &rate) == WEIR_OK);
		if (rate > fastest) {
			fastest = rate;
			found = kinds[i];
		}
	}
	return found;
}

static void ranks_as_the_whole_machine_does(const expectation *e)
{
	static const uint32_t barriers[] = {WEIR_BARRIER_ATOMIC, WEIR_BARRIER_XF};
	static const uint32_t mutexes[] = {WEIR_MUTEX_SPIN, WEIR_MUTEX_SPIN_BACKOFF,
	                                   WEIR_MUTEX_TICKET};
	static const uint32_t semaphores[] = {WEIR_SEMAPHORE_SPIN, WEIR_SEMAPHORE_SPIN_BACKOFF,
	                                      WEIR_SEMAPHORE_SLEEPING};
	static weir_sim_machine machine;
	weir_sim_map map;

	printf("%s\n", e->profile);
	begin(e->profile, &map);
	CHECK(map.base.blocks == e->blocks && map.base.threads == e->threads);
	CHECK(weir_sim_map_machine(&map, WEIR_SIM_MAP_MACHINES - 1, &machine) == WEIR_OK);
	CHECK(best(&machine, WEIR_PRIMITIVE_BARRIER, 0, barriers, 2) == e->barrier);
	CHECK(best(&machine, WEIR_PRIMITIVE_MUTEX, 0, mutexes, 3) == e->mutex);
	CHECK(best(&machine, WEIR_PRIMITIVE_SEMAPHORE, 1, semaphores, 3) == e->one_slot);
	CHECK(best(&machine, WEIR_PRIMITIVE_SEMAPHORE, map.tables[3].initial, semaphores, 3) ==
	      e->many_slots);
}

static void a_place_has_its_ratios(void)
{
	const int row = 4, column = 2, place = row * WEIR_SIM_MAP_SIZE + column;
	static weir_sim_machine machine;
	weir_sim_map map;
	weir_class class_;

	begin("gf100", &map);
	for (int hostage = 0; hostage < 2; hostage++) {
		int which = hostage * WEIR_SIM_MAP_SIZE * WEIR_SIM_MAP_SIZE + place;
		CHECK(weir_sim_map_machine(&map, which, &machine) == WEIR_OK);
		weir_classify(&machine.probe, &class_);
		CHECK_NEAR(class_.atomic_to_volatile, weir_sim_map_atomic[row], 1e-9);
		CHECK_NEAR(class_.contention, weir_sim_map_contention[column], 1e-9);
		CHECK(class_.hostage == hostage);
	}
}

static void fills_what_was_asked_for(void)
{
	const enum weir_primitive barrier = WEIR_PRIMITIVE_BARRIER;
	const int last = WEIR_SIM_MAP_SIZE - 1;
	weir_sim_map map;

	begin("gf100", &map);
	CHECK(weir_sim_map_fill(&map, WEIR_SIM_MAP_MACHINES - 2, &barrier) == WEIR_OK);
	/* Where atomics and contention cost the most, a barrier of atomics on one word is out. */
	CHECK(map.tables[0].kinds[1][last][last] != WEIR_BARRIER_ATOMIC);
	CHECK(map.tables[0].kinds[1][last][last] != WEIR_SIM_MAP_UNKNOWN);
	CHECK(map.tables[0].kinds[0][last][last] == WEIR_SIM_MAP_UNKNOWN);
	CHECK(map.tables[0].own == WEIR_SIM_MAP_UNKNOWN);
	CHECK(map.tables[1].kinds[1][last][last] == WEIR_SIM_MAP_UNKNOWN);
}

static void a_small_machine_stays_as_it_is(void)
{
	const weir_probe pair = {2, 1, 1000, {1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 1, 1}};
	weir_sim_map map;
	char title[64];

	weir_sim_map_begin(&pair, &map);
	CHECK(map.base.blocks == 2 && map.base.threads == 1);
	weir_sim_map_title(&map, 3, title, sizeof title);
	CHECK(strcmp(title, "semaphore, initial value 2") == 0);
	CHECK(weir_sim_map_fill(&map, WEIR_SIM_MAP_MACHINES - 1, NULL) == WEIR_OK);
	for (int i = 0; i < WEIR_SIM_MAP_TABLES; i++)
		CHECK(weir_kind_find(map.tables[i].primitive, map.tables[i].own));
}

int main(void)
{
	for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
		ranks_as_the_whole_machine_does(&expected[i]);
	a_place_has_its_ratios();
	fills_what_was_asked_for();
	a_small_machine_stays_as_it_is();
	return check_failures != 0;
}
