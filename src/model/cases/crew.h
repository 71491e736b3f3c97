/* What the cases of crews over loads and stores (crew.c) and over an engine (remote.c) have in
 * common. The blocks are divided among the ranks. The file that includes this header defines
 * `crew_of`. */
#ifndef WEIR_MODEL_CASES_CREW_H
#define WEIR_MODEL_CASES_CREW_H

#include "model/cases/cases.h"

#include "model/cases/blocks.h"
#include "model/engine.h"
#include "model/program.h"

#define FLAT 0   /* every rank signals every other rank */
#define ROUNDS 1 /* one other rank in each round, or as the case says */

typedef struct crew_state {
	uint32_t phase[WEIR_MODEL_THREADS];
	weir_word *shares[WEIR_MODEL_THREADS];
	uint32_t posted[WEIR_MODEL_THREADS]; /* by each rank */
} crew_state;

static uint32_t blocks_of_rank(const weir_model_case_run *r)
{
	return r->c.room ? r->c.room : 1;
}

/* Whether rank 0 has two blocks and every other rank has one. */
static int is_uneven(const weir_model_case_run *r)
{
	return r->c.form == WEIR_MODEL_SEVERAL;
}

static uint32_t rank_of(const weir_model_case_run *r, uint32_t block)
{
	return is_uneven(r) ? block - (block != 0) : block / blocks_of_rank(r);
}

static weir_crew crew_of(const weir_model_case_run *r, uint32_t rank);

/* Whether two blocks meet before an odd phase: either all blocks do, or those of one lane. */
static int meet(const weir_model_case_run *r, uint32_t a, uint32_t b)
{
	uint32_t lanes = blocks_of_rank(r);

	return r->c.form != WEIR_MODEL_SPLIT || a % lanes == b % lanes;
}

/* In even phases every thread writes its datum, in odd phases it reads those of all threads that it
 * met. */
static void use_data(const weir_model_case_run *r, uint32_t phase)
{
	crew_state *state = r->state;

	if (phase % 2 == 0) {
		weir_model_data_write(weir_model_self());
		state->phase[weir_model_self()] = phase + 1;
		return;
	}
	for (uint32_t t = 0; t < r->c.blocks * r->c.threads; t++)
		if (meet(r, weir_block_id(), t / r->c.threads)) {
			weir_model_data_read(t);
			weir_model_check(state->phase[t] == phase, "a thread is in another phase");
		}
}

/* Waits with one deadline or several, then continues with the same token. */
static weir_status pass_with_a_deadline(weir_model_case_run *r, weir_crew c)
{
	weir_crew_token t = weir_crew_arrive(c);

	for (uint32_t i = 0; i < r->c.threads; i++) {
		weir_status result = weir_crew_await_for(c, &t, 1);

		if (result != WEIR_TIMED_OUT)
			return result;
		r->ever_late = 1;
	}
	return weir_crew_await(c, &t);
}

static weir_status pass(weir_model_case_run *r, weir_crew c, uint32_t phase)
{
	if (r->c.form == WEIR_MODEL_SPLIT && phase % 2 == 1)
		return weir_crew_lane_wait(c, weir_block_id() - c.config.first_block);
	if (r->c.form == WEIR_MODEL_GIVE_UP)
		return pass_with_a_deadline(r, c);
	return weir_crew_wait(c);
}

static void write_and_post(crew_state *state, weir_crew c, uint32_t datum, uint32_t n)
{
	uint32_t rank = c.config.rank;

	weir_model_data_write(datum);
	if (rank + 1 == c.config.ranks)
		return;
	weir_crew_event_post(c, rank + 1, 0, n);
	state->posted[rank] += n;
}

/* Each rank waits for two posts of the previous rank, reads what all ranks before it wrote, then
 * writes and posts twice. A rank that times out aborts the crew. The last of several never gives
 * up, so that only the abort ends its wait. */
static void relay(weir_model_case_run *r, weir_crew c)
{
	uint32_t rank = c.config.rank;
	uint64_t ns = rank > 1 && rank + 1 == c.config.ranks ? UINT64_MAX : 1;
	weir_status result = WEIR_OK;

	if (rank > 0)
		result =
		    weir_crew_event_wait_for(c, weir_crew_event(c, rank, 0), r->c.past + 3, ns);
	if (result == WEIR_ABORTED && weir_crew_aborted(c) == 0)
		weir_model_check_abort(1, 0);
	if (result == WEIR_TIMED_OUT) {
		r->ever_late = 1;
		weir_crew_abort(c);
	}
	if (result == WEIR_ABORTED)
		weir_model_check(weir_crew_aborted(c) > 1, "rank 0 does not abort");
	if (result != WEIR_OK)
		return;
	weir_model_read_all(0, 2 * rank);
	write_and_post(r->state, c, 2 * rank, 2);
	write_and_post(r->state, c, 2 * rank + 1, 1);
}

static const char *refuse_relay(const weir_model_case_run *r)
{
	if (r->c.form == WEIR_MODEL_RELAY && (r->c.threads > 1 || r->c.room || r->c.rounds > 1))
		return "one thread of each rank posts once";
	return NULL;
}

/* The block that aborts: of the first rank or of the last. */
static inline uint32_t aborter(const weir_model_case_run *r)
{
	return r->c.rounds > 1 ? 0 : r->c.blocks - 1;
}

static inline void crew_body(weir_model_case_run *r)
{
	weir_crew c = crew_of(r, rank_of(r, weir_block_id()));
	int closing = r->c.form == WEIR_MODEL_CLOSING;

	if (r->c.form == WEIR_MODEL_RELAY) {
		relay(r, c);
		return;
	}
	for (uint32_t phase = 0; phase <= r->c.rounds; phase++) {
		int is_over = closing && phase == r->c.rounds;

		if (is_over && weir_block_id() == aborter(r)) {
			if (weir_thread_id() == 0)
				weir_crew_abort(c);
			return;
		}
		if (phase > 0) {
			weir_status result = pass(r, c, phase);

			/* An abort may overtake the end of a phase. */
			if (closing && result == WEIR_ABORTED) {
				weir_model_check(weir_crew_aborted(c) ==
				                     aborter(r) / blocks_of_rank(r) + 1,
				                 "the rank that aborts is another one");
				return;
			}
			weir_model_check(result == WEIR_OK && !is_over,
			                 "a wait ends with the wrong result");
		}
		use_data(r, phase);
	}
}

#endif
