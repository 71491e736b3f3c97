#include "model/program.h"

#include <stddef.h>

#include "model/engine.h"
#include "model/memory.h"
#include "weir/machine.h"

weir_word *weir_model_memory(void)
{
	return weir_model_engine_->words;
}

static void data_race(weir_model_engine *e, uint32_t slot, uint32_t other, uint32_t event,
                      const char *what)
{
	weir_model_fail(
	    e, WEIR_MODEL_RACE,
	    "data race on data %u: nothing orders this access after the %s by block %u thread "
	    "%u at step %u",
	    slot, what, e->threads[other].block, e->threads[other].thread, event);
}

/* A thread that has seen an abort leaves its case, because the operations of such a launch are left
 * out. */
static void leave_if_aborted(weir_model_engine *e)
{
	weir_model_thread *t = &e->threads[e->current];
	weir_model_op none = {.type = WEIR_OP_NONE, .scope = WEIR_MODEL_DEVICE};

	if (!t->sees_abort || e->in_grace)
		return;
	t->state = WEIR_MODEL_DONE;
	weir_model_step(e, &none);
}

static void access_data(uint32_t slot, weir_model_op_type type)
{
	weir_model_engine *e = weir_model_engine_;
	uint32_t self = (uint32_t)e->current;
	const weir_model_view *now = &e->threads[self].now;
	weir_model_data *data = &e->data[slot];
	weir_model_op op = {.type = type, .scope = WEIR_MODEL_DEVICE, .location = slot};

	if (e->in_grace)
		weir_model_fail(e, WEIR_MODEL_PASS, "the wait is over");
	e->threads[self].fresh = 0;
	if (e->data_count <= slot)
		e->data_count = slot + 1;
	weir_model_record(e, (int)self, &op);
	for (uint32_t u = 0; u < e->thread_count; u++) {
		if (u == self || e->is_aborted)
			continue;
		if (data->last_write[u] > now->clock[u])
			data_race(e, slot, u, data->write_event[u], "write");
		if (type == WEIR_OP_DATA_WRITE && data->last_read[u] > now->clock[u])
			data_race(e, slot, u, data->read_event[u], "read");
	}
	if (type == WEIR_OP_DATA_WRITE) {
		data->last_write[self] = now->clock[self];
		data->write_event[self] = (uint16_t)e->event_count;
	} else {
		data->last_read[self] = now->clock[self];
		data->read_event[self] = (uint16_t)e->event_count;
	}
}

/* A datum of the case. Other slots come from values that an abort left behind. */
static void find_data(uint32_t slot)
{
	weir_model_engine *e = weir_model_engine_;

	if (slot >= WEIR_MODEL_DATA && e->is_aborted)
		e->threads[e->current].sees_abort = 1;
	leave_if_aborted(e);
}

void weir_model_data_read(uint32_t slot)
{
	weir_model_check_outside();
	find_data(slot);
	access_data(slot, WEIR_OP_DATA_READ);
}

void weir_model_data_write(uint32_t slot)
{
	weir_model_check_outside();
	find_data(slot);
	access_data(slot, WEIR_OP_DATA_WRITE);
}

/* The datum that stands for a plain word of the block: that of a thread in the team. For a warp
 * this is its first thread, for a block thread 0, and for a named team, whose number is not a
 * multiple of a warp's threads, thread 1. */
static uint32_t plain_slot(uint32_t place)
{
	const weir_model_engine *e = weir_model_engine_;
	uint32_t thread = place >= WEIR_TEAM_WARP ? place - WEIR_TEAM_WARP : place != 0;

	return WEIR_MODEL_DATA + e->threads[e->current].block * e->program.threads + thread;
}

static uint32_t *plain_word(uint32_t place)
{
	weir_model_engine *e = weir_model_engine_;

	return &e->plain[e->threads[e->current].block][place];
}

void weir_model_plain_put_(uint32_t place, uint32_t value)
{
	access_data(plain_slot(place), WEIR_OP_DATA_WRITE);
	*plain_word(place) = value;
}

uint32_t weir_model_plain_get_(uint32_t place)
{
	access_data(plain_slot(place), WEIR_OP_DATA_READ);
	return *plain_word(place);
}

/* The datum that stands for a word that the first threads of the block share. */
static uint32_t shared_slot(uint32_t place)
{
	const weir_model_engine *e = weir_model_engine_;
	uint32_t block = e->threads[e->current].block;

	if (place >= WEIR_MODEL_SHARED * e->program.first)
		weir_model_fail(weir_model_engine_, WEIR_MODEL_CHECK,
		                "shared word %u is past those of the first threads", place);
	return block * e->program.threads * WEIR_MODEL_SHARED + place;
}

#define SHARED_DATA (WEIR_MODEL_DATA + WEIR_MODEL_AGENTS)

void weir_model_first_word_put_(uint32_t *own, uint32_t place, uint32_t value)
{
	uint32_t slot;

	if (weir_model_first_threads_() == 1) {
		own[place] = value;
		return;
	}
	slot = shared_slot(place);
	access_data(SHARED_DATA + slot, WEIR_OP_DATA_WRITE);
	weir_model_engine_->shared[slot] = value;
}

uint32_t weir_model_first_word_(const uint32_t *own, uint32_t place)
{
	uint32_t slot;

	if (weir_model_first_threads_() == 1)
		return own[place];
	slot = shared_slot(place);
	access_data(SHARED_DATA + slot, WEIR_OP_DATA_READ);
	return weir_model_engine_->shared[slot];
}

/* After an abort, only the ends of waits count. A case that makes its own object computes its size
 * before any execution; the executions check it again. */
void weir_model_check(int holds, const char *what)
{
	weir_model_engine *e = weir_model_engine_;

	if (!e)
		return;
	weir_model_check_outside();
	if (e->current >= 0)
		leave_if_aborted(e);
	if (!holds && !e->is_aborted)
		weir_model_fail(e, WEIR_MODEL_CHECK, "%s", what);
}

void weir_model_check_abort(int says_aborted, int has_acquired)
{
	weir_model_engine *e = weir_model_engine_;
	int sees_abort = e->threads[e->current].sees_abort;

	if (e->in_grace)
		return;
	if (says_aborted && !sees_abort)
		weir_model_fail(e, WEIR_MODEL_CHECK, "an operation says aborted without an abort");
	if (sees_abort && !says_aborted && !has_acquired)
		weir_model_fail(e, WEIR_MODEL_CHECK,
		                "an operation that was aborted does not say so");
}

/* What each thread of the program expects. One OS thread runs all of them. */
static _Thread_local struct {
	jmp_buf place;
	int is_expected;
	uint32_t fault;
	uint32_t detail;
} faults[WEIR_MODEL_AGENTS];

jmp_buf *weir_model_expect_fault(void)
{
	int self = weir_model_engine_->current;

	faults[self].is_expected = 1;
	return &faults[self].place;
}

int weir_model_faulted(uint32_t fault, uint32_t detail)
{
	int self = weir_model_engine_->current;

	/* With notes the operation would have been left out. */
	return faults[self].fault == fault && faults[self].detail == detail &&
	       weir_model_engine_->noted_count == 0;
}

int weir_model_noted_fault(uint32_t fault, uint32_t detail)
{
	faults[weir_model_engine_->current].is_expected = 0;
	return weir_model_note_fault(fault, detail);
}

void weir_model_expect_no_fault(void)
{
	for (uint32_t i = 0; i < WEIR_MODEL_AGENTS; i++)
		faults[i].is_expected = 0;
}

void weir_model_take_fault_(uint32_t fault, uint32_t detail)
{
	int self = weir_model_engine_->current;

	if (!faults[self].is_expected)
		return;
	faults[self].is_expected = 0;
	faults[self].fault = fault;
	faults[self].detail = detail;
	longjmp(faults[self].place, 1);
}

void weir_model_note(const char *what)
{
	weir_model_engine *e = weir_model_engine_;
	weir_model_op op = {.type = WEIR_OP_NOTE, .scope = WEIR_MODEL_DEVICE};

	leave_if_aborted(e);
	if (e->in_grace)
		weir_model_fail(e, WEIR_MODEL_PASS, "the wait is over");
	e->threads[e->current].fresh = 0;
	weir_model_record(e, e->current, &op)->note = what;
}

uint32_t weir_model_clock(void)
{
	return weir_model_known_clock((uint32_t)weir_model_engine_->current);
}

uint32_t weir_model_known_clock(uint32_t thread)
{
	const weir_model_engine *e = weir_model_engine_;

	return e->threads[e->current].now.clock[thread];
}

void weir_model_arrive(void)
{
	weir_model_thread *t = &weir_model_engine_->threads[weir_model_engine_->current];

	t->doorway_open = 1;
	t->doorway_stamp = 0;
}

uint32_t weir_model_arrival(void)
{
	return weir_model_engine_->threads[weir_model_engine_->current].doorway_stamp;
}

int weir_model_was_late(void)
{
	return weir_model_engine_->threads[weir_model_engine_->current].late_now;
}

int weir_model_anybody_late(void)
{
	const weir_model_engine *e = weir_model_engine_;

	for (uint32_t t = 0; t < e->thread_count; t++)
		if (e->threads[t].late_now)
			return 1;
	return 0;
}

void weir_model_result(uint32_t index, uint32_t value)
{
	weir_model_engine_->results[index] = value;
}

uint32_t weir_model_result_of(uint32_t index)
{
	return weir_model_engine_->results[index];
}

uint32_t weir_model_final(const weir_word *w)
{
	const weir_model_engine *e = weir_model_engine_;
	uint32_t index = e->location_of[w - e->words];
	const weir_model_location *location;

	if (index == 0)
		return 0;
	location = &e->locations[index - 1];
	return (uint32_t)location->messages[location->newest].value;
}
