/* Crews under diagnosis. words[0] counts signals. Where there are no crews the kernel is empty and is not
 * launched. */
#if WEIR_HAS_BLOCK_VALUE && WEIR_HAS_DEADLINE

#define API_CREW_LONG_NS 600000000000ull

WEIR_FN void api_say(WEIR_GLOBAL weir_word *words)
{
	if (weir_thread_id() == 0)
		weir_add_acq_rel(words, 1); /* pairs with the await below */
}

WEIR_FN void api_hear(WEIR_GLOBAL weir_word *words, uint32_t count)
{
	if (weir_thread_id() == 0)
		weir_await_ge_acq(words, count, weir_no_backoff()); /* pairs with api_say */
	weir_block_sync();
}

WEIR_FN weir_crew api_crew_of(const api_crews *params)
{
	weir_crew c;

	c.words = (WEIR_GLOBAL weir_word *)(size_t)params->words;
	c.table = (WEIR_GLOBAL weir_word * WEIR_GLOBAL const *)(size_t)params->table;
	c.config = params->crew;
	return c;
}

/* All ways to meet, with one lane for each block. data[block] counts the phases passed. */
WEIR_FN void api_crew_meet(weir_crew c, WEIR_GLOBAL uint32_t *data, uint32_t turn)
{
	weir_event mine = weir_crew_event(c, c.config.rank, 0);
	uint32_t passed = weir_crew_wait(c) == WEIR_OK;
	weir_crew_token t = weir_crew_arrive(c);
	weir_status result;

	/* A wait that gives up, and continues with its token. */
	result = weir_crew_await_for(c, &t, 0);
	passed += result == WEIR_OK || weir_crew_await(c, &t) == WEIR_OK;
	passed += weir_crew_lane_wait(c, weir_block_id()) == WEIR_OK;
	t = weir_crew_lane_arrive(c, weir_block_id());
	passed += weir_crew_await_for(c, &t, API_CREW_LONG_NS) == WEIR_OK;
	if (weir_thread_id() == 0) {
		weir_event_post(mine, 1);
		passed += weir_crew_event_wait_for(c, mine, turn * c.config.blocks,
		                                   API_CREW_LONG_NS) == WEIR_OK;
		data[weir_block_id()] += passed;
	}
	weir_crew_wait(c);
}

/* Block 1 in lane 0, which block 0 or block 1 itself is using. */
WEIR_FN void api_crew_share(weir_crew c, WEIR_GLOBAL weir_word *words, uint32_t value)
{
	weir_crew_token t;

	if (weir_block_id() == 1 && value == API_CREW_SHARED)
		api_hear(words, 1);
	t = weir_crew_lane_arrive(c, 0);
	if (value == API_CREW_TWICE)
		t = weir_crew_lane_arrive(c, 0);
	api_say(words);
	/* Block 0 does not wait with its token, whose phase passes with that of block 1. */
	if (weir_block_id() == 1)
		weir_crew_await(c, &t);
}

WEIR_FN void api_crew_reuse(weir_crew c, uint32_t value)
{
	weir_crew_token t =
	    value == API_CREW_OLD ? weir_crew_lane_arrive(c, 0) : weir_crew_arrive(c);

	weir_crew_await(c, &t);
	if (value == API_CREW_OLD_PHASE)
		weir_crew_wait(c);
	/* The block that meets the other ranks would set the crew back. */
	weir_block_sync();
	if (value == API_CREW_OLD || weir_block_value(t.crosses) == 0)
		weir_crew_await(c, &t);
}

/* Operations that only an abort ends, since another rank or block does not arrive. */
WEIR_FN void api_crew_hang(weir_crew c, uint32_t value, uint32_t rounds)
{
	int is_one = weir_block_id() == 1;

	if (value == API_CREW_LANE && is_one)
		weir_crew_lane_wait(c, 1);
	if (value == API_CREW_EVENT && is_one && weir_thread_id() == 0)
		weir_crew_event_wait_for(c, weir_crew_event(c, c.config.rank, 1), 2,
		                         API_CREW_LONG_NS);
	if (value == API_CREW_LANE || value == API_CREW_EVENT)
		return;
	for (uint32_t i = 0; i < rounds && !(is_one && value == API_CREW_SKIP); i++)
		weir_crew_wait(c);
	if (value == API_CREW_FOR) {
		weir_crew_token t = weir_crew_arrive(c);
		while (weir_crew_await_for(c, &t, API_CREW_SHORT_NS) == WEIR_TIMED_OUT)
			;
	}
}

#endif

WEIR_KERNEL(api_crew, api_crews)
{
	(void)words;
	(void)data;
	(void)params;
#if WEIR_HAS_BLOCK_VALUE && WEIR_HAS_DEADLINE
	weir_crew c = api_crew_of(&params);
	int is_one = weir_block_id() == 1;

	if (params.value == API_CREW_RIGHT)
		for (uint32_t i = 1; i <= params.rounds; i++)
			api_crew_meet(c, data, i);
	else if (params.value == API_CREW_PAST && is_one)
		weir_crew_lane_wait(c, c.config.lanes);
	else if (params.value == API_CREW_SHARED ? weir_block_id() < 2
	                                         : params.value == API_CREW_TWICE && is_one)
		api_crew_share(c, words, params.value);
	else if (params.value == API_CREW_OLD ? is_one : params.value == API_CREW_OLD_PHASE)
		api_crew_reuse(c, params.value);
	else if (params.value < API_CREW_PAST)
		api_crew_hang(c, params.value, params.rounds);
#endif
}
