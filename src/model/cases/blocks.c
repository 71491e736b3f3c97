#include "model/cases/blocks.h"

#include "model/program.h"

uint32_t weir_model_self(void)
{
	return weir_block_id() * weir_thread_count() + weir_thread_id();
}

int weir_model_is_bounded(const weir_model_case_run *r)
{
	return r->c.form == WEIR_MODEL_TRY || r->c.form == WEIR_MODEL_GIVE_UP;
}

int weir_model_stays(uint32_t block, uint32_t round)
{
	return (block + round) % 2 == 0;
}

int weir_model_tries(const weir_model_case_run *r, uint32_t round)
{
	return r->c.form == WEIR_MODEL_TRY || round % 3 == 2;
}

int weir_model_got_in_time(weir_model_case_run *r, weir_status result)
{
	weir_model_check_abort(result == WEIR_ABORTED, result == WEIR_OK);
	r->ever_late |= result == WEIR_TIMED_OUT;
	weir_model_check((result == WEIR_TIMED_OUT) == weir_model_was_late(),
	                 "the deadline had passed and no block gave up, or the reverse");
	return result == WEIR_OK;
}

void weir_model_check_made(const weir_model_case_run *r, const weir_word *words)
{
	weir_model_check(words == r->words, "a handle is of other words");
}

static void await_others(weir_word *flags)
{
	for (uint32_t b = 1; b < weir_block_count(); b++)
		weir_await_eq_acq(&flags[b], 1, weir_no_backoff());
}

int weir_model_is_last(void)
{
	weir_word *flags = weir_model_memory() + WEIR_MODEL_FLAGS;

	if (weir_block_id() == 0)
		await_others(flags);
	else
		/* Relaxed: the object alone must order the data. */
		weir_store_rlx(&flags[weir_block_id()], 1);
	return weir_block_id() == 0;
}

int weir_model_is_last_and_knows(void)
{
	weir_word *flags = weir_model_memory() + WEIR_MODEL_FLAGS;

	if (weir_block_id() == 0)
		await_others(flags);
	else
		weir_store_rel(&flags[weir_block_id()],
		               1); /* pairs with the acquire in await_others */
	return weir_block_id() == 0;
}

void weir_model_end_launch(uint32_t launch)
{
	weir_word *ended = weir_model_memory() + WEIR_MODEL_FLAGS;

	/* Launches are ordered: each thread pairs with all others. */
	weir_store_rel(&ended[weir_model_self()], launch + 1);
	for (uint32_t i = 0; i < weir_block_count() * weir_thread_count(); i++)
		weir_await_ge_acq(&ended[i], launch + 1, weir_no_backoff());
	weir_model_note_launch(launch + 1);
}

void weir_model_read_all(uint32_t first, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		weir_model_data_read(first + i);
}

void weir_model_share_within_block(void)
{
	weir_model_read_all(0, weir_thread_count());
	weir_block_sync();
	weir_model_data_write(weir_thread_id());
}

weir_team weir_model_team(const weir_model_case_run *r)
{
	return r->c.form == WEIR_MODEL_NAMED
	           ? weir_team_named(3, WEIR_WARP_THREADS, WEIR_WARP_THREADS)
	           : weir_team_warp();
}

int weir_model_in_team(const weir_model_case_run *r, uint32_t thread)
{
	uint32_t warp = thread / WEIR_WARP_THREADS;

	return warp == (r->c.form == WEIR_MODEL_NAMED ? 1 : 0);
}

const char *weir_model_refuse_teams(const weir_model_case *c)
{
	if (c->form == WEIR_MODEL_WARPS && c->threads <= WEIR_WARP_THREADS)
		return "a case with teams has threads that are in none";
	if (c->form == WEIR_MODEL_NAMED && c->threads < 2 * WEIR_WARP_THREADS)
		return "the named team is the second warp of a block";
	return NULL;
}

void weir_model_share_within_team(weir_team team)
{
	weir_model_read_all(0, WEIR_WARP_THREADS);
	weir_team_sync(team);
	weir_model_data_write(weir_team_rank(team));
}
