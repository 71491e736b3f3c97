/* Counts the accesses of operations, from the events of each execution. */
#include "model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/cases/cases.h"
#include "model/engine.h"
#include "model/memory.h"
#include "model/program.h"

typedef struct counting {
	weir_model_case_run run;
	weir_model_count *counts;
	int part[WEIR_MODEL_THREADS];       /* the part that each thread is in */
	int has_failed[WEIR_MODEL_THREADS]; /* it had a failed attempt in that part */
} counting;

/* The notes that end the parts of an operation. */
static const char *const part_ends[WEIR_MODEL_PARTS] = {"has entered", "has left"};

static void setup(void *context)
{
	weir_model_start_(&((counting *)context)->run);
}

static void make_part(counting *job, int part, void (*call)(weir_word *, weir_any_config))
{
	job->part[weir_model_engine_->current] = part;
	job->has_failed[weir_model_engine_->current] = 0;
	call(job->run.words, job->run.config);
	weir_model_note(part_ends[part]);
}

static void body(void *context)
{
	counting *job = context;

	for (uint32_t i = 0; i < job->run.c.rounds; i++) {
		make_part(job, WEIR_MODEL_ENTER, job->run.adapter->enter);
		if (job->run.adapter->leave)
			make_part(job, WEIR_MODEL_LEAVE, job->run.adapter->leave);
	}
}

static int is_atomic(weir_model_op_type type)
{
	return type == WEIR_OP_XCHG || type == WEIR_OP_ADD || type == WEIR_OP_CAS ||
	       type == WEIR_OP_RED || type == WEIR_OP_AWAIT_XCHG_EQ ||
	       type == WEIR_OP_AWAIT_XCHG_NE;
}

static int is_read(weir_model_op_type type)
{
	return type == WEIR_OP_LOAD || (weir_model_is_await(type) && !is_atomic(type));
}

/* A wait repeats the accesses of a failed attempt. */
static void failed(void *context, int thread)
{
	const weir_model_engine *e = weir_model_engine_;
	counting *job = context;
	weir_model_count *count = &job->counts[job->part[thread]];
	const weir_model_attempt *attempt = &e->threads[thread].attempt;

	job->has_failed[thread] = 1;
	for (int i = 0; i < attempt->count; i++) {
		weir_model_op_type type = e->events[attempt->access[i].event].op.type;
		count->more.reads |= is_read(type);
		count->more.atomics |= is_atomic(type);
	}
}

/* The explorer ends an execution early when a wait goes on. A load that it reaches then is one that
 * the wait repeats. */
static void reached(void *context, const weir_model_site *site, const weir_model_site *followed)
{
	counting *job = context;
	int thread = weir_model_engine_->current;

	(void)followed;
	if (job->has_failed[thread] &&
	    (strncmp(site->operation, "load", strlen("load")) == 0 ||
	     strcmp(site->operation, "poll") == 0 || strcmp(site->operation, "poll64") == 0))
		job->counts[job->part[thread]].more.reads = 1;
}

static void add(weir_model_accesses *made, weir_model_count *count, const weir_model_event *event)
{
	weir_model_op_type type = event->op.type;

	if (event->vain)
		return;
	made->reads += is_read(type);
	made->writes += type == WEIR_OP_STORE;
	made->atomics += is_atomic(type);
	if (weir_model_is_await(type)) {
		count->more.reads |= is_read(type);
		count->more.atomics |= is_atomic(type);
	}
}

static void narrow(uint32_t *least, uint32_t *most, uint32_t made, int is_first)
{
	if (is_first || made < *least)
		*least = made;
	if (is_first || made > *most)
		*most = made;
}

static void end_part(weir_model_count *count, weir_model_accesses *made)
{
	int is_first = count->times++ == 0;

	narrow(&count->least.reads, &count->most.reads, made->reads, is_first);
	narrow(&count->least.writes, &count->most.writes, made->writes, is_first);
	narrow(&count->least.atomics, &count->most.atomics, made->atomics, is_first);
	memset(made, 0, sizeof *made);
}

static void complete(void *context)
{
	const weir_model_engine *e = weir_model_engine_;
	const counting *job = context;
	weir_model_accesses made[WEIR_MODEL_THREADS] = {0};
	int part[WEIR_MODEL_THREADS] = {0};

	for (uint32_t i = 1; i <= e->event_count; i++) {
		const weir_model_event *event = &e->events[i];
		int thread = event->thread;
		weir_model_count *count = &job->counts[part[thread]];
		if (event->op.type != WEIR_OP_NOTE) {
			add(&made[thread], count, event);
			continue;
		}
		end_part(count, &made[thread]);
		if (job->run.adapter->leave)
			part[thread] = !part[thread];
	}
}

static int prepare(weir_model_case_run *r, const char *primitive, const char *kind)
{
	snprintf(r->c.primitive, sizeof r->c.primitive, "%s", primitive);
	snprintf(r->c.kind, sizeof r->c.kind, "%s", kind);
	weir_model_find_(r, weir_model_primitives_);
	if (!r->is_shipped)
		return -1;
	weir_model_configure_(r);
	return 0;
}

int weir_model_count_accesses(const char *primitive, const char *kind, uint32_t blocks,
                              uint32_t rounds, uint32_t cluster,
                              weir_model_count counts[WEIR_MODEL_PARTS])
{
	counting job = {.counts = counts};
	weir_model_program program = {.blocks = blocks,
	                              .threads = 1,
	                              .setup = setup,
	                              .body = body,
	                              .complete = complete,
	                              .failed = failed,
	                              .context = &job,
	                              .cluster = cluster};
	const weir_model_setting setting = {
	    .search = WEIR_MODEL_DPOR, .reached = reached, .reached_context = &job};
	weir_model_outcome outcome;

	memset(counts, 0, WEIR_MODEL_PARTS * sizeof *counts);
	job.run.c = (weir_model_case){.form = WEIR_MODEL_SINGLE,
	                              .blocks = blocks,
	                              .threads = 1,
	                              .rounds = rounds,
	                              .initial = 1,
	                              .cluster = cluster};
	if (prepare(&job.run, primitive, kind) != 0)
		return -1;
	if (weir_model_explore(&program, &setting, &outcome) != 0)
		return -1;
	int status = outcome.verdict == WEIR_MODEL_PASS && counts[WEIR_MODEL_ENTER].times ? 0 : -1;
	weir_model_outcome_free(&outcome);
	return status;
}
