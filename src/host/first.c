/* The first threads of a block, in kernels that are compiled with WEIR_HOST_FIRST_THREADS. */
#include "weir/device.h"

#include "host/run.h"

/* The threads exchange values by relaxed accesses, which order nothing, so that ThreadSanitizer reports
 * accesses that only a weir_first_sync would order. Each thread has one slot for its even rounds and one
 * for its odd rounds. It overwrites a slot only after all threads have published the round in between,
 * and so have read that slot. */
void weir_host_first_meet_(uint32_t first, uint32_t count, uint32_t value, uint32_t *values)
{
	const weir_host_thread *self = weir_host_self_();
	struct weir_host_meeting *places;
	struct weir_host_meeting *own;
	uint32_t round;

	if (!self->group) {
		values[0] = value;
		return;
	}
	places = &self->group->meetings[WEIR_TEAM_WARP + first];
	own = &places[self->thread_id - first];
	round = ++own->passes;
	__atomic_store_n(&own->passed[round % 2], (uint64_t)round << 32 | value, __ATOMIC_RELAXED);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t found;

		while ((found = __atomic_load_n(&places[i].passed[round % 2], __ATOMIC_RELAXED)) >>
		           32 !=
		       round)
			weir_host_yield_();
		values[i] = (uint32_t)found;
	}
}

uint32_t *weir_host_first_word_(uint32_t place)
{
	const weir_host_thread *self = weir_host_self_();

	return self->group ? &self->group->meetings[WEIR_TEAM_WARP + place / WEIR_FIRST_WORDS]
	                          .shared[place % WEIR_FIRST_WORDS]
	                   : NULL;
}
