/* Kernels that test a crew; one source for all machines that have crews. Each rank's data consist
 * of two sets of one plain word for each block, which alternate: a block that is a phase ahead or
 * behind finds, or leaves, a wrong number. */
#include "crew_params.h"
#include "kernels/kernel.h"

#if WEIR_HAS_BLOCK_VALUE && WEIR_HAS_DEADLINE

/* One phase of all blocks, or of one block of each rank. */
WEIR_FN weir_status crew_meet(const crew_params *params)
{
	weir_crew c = params->crew;
	weir_crew_token t;

	if (params->without)
		return WEIR_OK;
	t = params->trial == CREW_LANE ? weir_crew_lane_arrive(c, 0) : weir_crew_arrive(c);
	return weir_crew_await_for(c, &t, params->ns);
}

/* How many words of the others are not of this phase. All ranks have the same grid. */
WEIR_FN uint32_t crew_wrong(weir_crew c, uint32_t blocks, uint32_t phase)
{
	uint32_t wrong = 0;

	for (uint32_t rank = 0; rank < c.config.ranks; rank++)
		for (uint32_t i = weir_thread_id(); i < blocks; i += weir_thread_count())
			wrong +=
			    weir_crew_data(c, rank)[(phase & 1) * c.config.blocks + i] != phase;
	return wrong;
}

WEIR_FN weir_status crew_phases(const crew_params *params, uint32_t *errors)
{
	weir_crew c = params->crew;
	uint32_t blocks = params->trial == CREW_LANE ? 1 : c.config.blocks;
	weir_status result = WEIR_OK;

	for (uint32_t i = 0; i < params->rounds && i < params->stop_at; i++) {
		uint32_t phase = params->base + i + 1;

		if (weir_thread_id() == phase % weir_thread_count())
			weir_crew_data(
			    c, c.config.rank)[(phase & 1) * c.config.blocks + weir_block_id()] =
			    phase;
		result = crew_meet(params);
		if (result != WEIR_OK)
			break;
		*errors += crew_wrong(c, blocks, phase);
	}
	return result;
}

/* A round: this rank waits for a signal or an item from the previous rank. */
WEIR_FN weir_status crew_turn(const crew_params *params, uint32_t next, uint32_t turn,
                              uint32_t *errors)
{
	weir_crew c = params->crew;
	uint32_t rank = c.config.rank;
	uint32_t item = turn;
	weir_status result;

	if (params->trial == CREW_EVENT) {
		if (rank == 0)
			weir_event_post(weir_crew_event(c, next, 0), 1);
		result = weir_crew_event_wait_for(c, weir_crew_event(c, rank, 0), turn, params->ns);
		if (result == WEIR_OK && rank != 0)
			weir_event_post(weir_crew_event(c, next, 0), 1);
		return result;
	}
	if (rank == 0)
		weir_queue_push(weir_crew_queue(c, next), item);
	result = weir_queue_pop_for(weir_crew_queue(c, rank), &item, params->ns);
	*errors += result == WEIR_OK && item != turn;
	if (result == WEIR_OK && rank != 0)
		weir_queue_push(weir_crew_queue(c, next), item);
	return result;
}

WEIR_FN weir_status crew_turns(const crew_params *params, uint32_t *errors)
{
	weir_crew c = params->crew;
	uint32_t next = c.config.rank + 1 == c.config.ranks ? 0 : c.config.rank + 1;
	weir_status result = WEIR_OK;

	if (weir_block_id() != 0 || weir_thread_id() != 0)
		return WEIR_OK;
	for (uint32_t i = 0; i < params->rounds && i < params->stop_at; i++) {
		result = crew_turn(params, next, params->base + i + 1, errors);
		if (result != WEIR_OK)
			break;
	}
	return result;
}

WEIR_KERNEL(crew_trial, crew_params)
{
	uint32_t errors = 0;
	weir_status result;
	uint64_t since = weir_clock_ns();

	(void)words;
	if (params.trial == CREW_LANE && weir_block_id() != 0)
		return;
	result = params.trial <= CREW_LANE ? crew_phases(&params, &errors)
	                                   : crew_turns(&params, &errors);
	if (result != WEIR_OK)
		data[CREW_RESULT] = (uint32_t)result;
	if (errors)
		data[CREW_ERRORS] = errors;
	if (weir_block_id() == 0 && weir_thread_id() == 0) {
		uint64_t ns = weir_clock_ns() - since;

		data[CREW_NS] = (uint32_t)ns;
		data[CREW_NS + 1] = (uint32_t)(ns >> 32);
	}
}

#endif
