#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/parts.h"
#include "model/memory.h"
#include "model/scopes.h"
#include "ptx/cause.h"

/* ---- names ---- */

static void object_of(const explorer *x, uint64_t space, uint64_t address, char *text, size_t bytes)
{
	const ptx_namer namer = {x->setup->check, weir_check_keep, x->check};

	weir_ptx_name_object(x->m, &namer, space & UINT32_MAX, address, text, bytes);
}

static const explore_word *word_at(const explorer *x, uint32_t location)
{
	for (uint32_t i = 0; i < x->word_count; i++)
		if (x->words[i].location == location)
			return &x->words[i];
	return NULL;
}

static void name_location(const explorer *x, uint32_t location, char *text, size_t bytes)
{
	const explore_word *w = word_at(x, location);

	if (w)
		object_of(x, w->space, w->address, text, bytes);
	else
		snprintf(text, bytes, "?");
}

static weir_check_place place_of(const explorer *x, uint32_t site, uint32_t thread,
                                 const char *does)
{
	const ptx_access *access = &x->m->program->accesses.at[site];
	const ptx_statement *s = &x->m->program->module->statements.at[access->statement];
	weir_check_place place = {
	    .block = thread / x->m->threads, .thread = thread % x->m->threads, .does = does};

	weir_ptx_operation_site(x->m, &access->operation, &place.site);
	if (place.site.function)
		place.site.function = weir_check_keep(x->check, place.site.function);
	if (place.site.file)
		place.site.file = weir_check_keep(x->check, place.site.file);
	if (place.site.inner_file)
		place.site.inner_file = weir_check_keep(x->check, place.site.inner_file);
	snprintf(place.instruction, sizeof place.instruction, "%.*s", (int)s->name_length,
	         s->name ? s->name : "");
	return place;
}

/* In the grid, of a thread of the search. */
static uint32_t thread_of(const explorer *x, uint32_t agent)
{
	uint32_t block = x->agents[agent].block, first = block * x->m->threads;

	if (x->agents[agent].thread_number != EXPLORE_NONE)
		return x->agents[agent].thread_number;
	for (uint32_t i = first; i < first + x->m->threads; i++)
		if (explore_follows(x, i))
			return i;
	return first;
}

static void line_of(const weir_check_place *place, char *text, size_t bytes)
{
	const char *file = place->site.file;

	if (file)
		snprintf(text, bytes, "%s:%u", strrchr(file, '/') ? strrchr(file, '/') + 1 : file,
		         place->site.source_line);
	else
		snprintf(text, bytes, "line %u", place->site.line);
}

static uint32_t site_of(const explorer *x, const weir_model_op *op)
{
	return (uint32_t)(op->site - x->sites);
}

static int is_access(const explorer *x, const weir_model_op *op)
{
	return op->site >= x->sites && op->site <= x->sites + x->m->program->accesses.count;
}

static const char *does(const weir_model_event *e)
{
	return e->op.type == WEIR_OP_LOAD    ? "reads"
	       : e->op.type == WEIR_OP_STORE ? "writes"
	                                     : "changes";
}

/* ---- the execution ---- */

static size_t append(char *text, size_t used, size_t bytes, const char *line)
{
	if (used + strlen(line) + 1 >= bytes)
		return used;
	memcpy(text + used, line, strlen(line) + 1);
	return used + strlen(line);
}

/* What the thread does, as in "thread 3 writes 1 to flag". `step_of` has the steps of earlier events. */
static void tell_event(const explorer *x, const weir_model_event *event, const uint32_t *step_of,
                       const weir_check_place *place, char *text, size_t bytes)
{
	char object[96], from[64] = "";

	if (event->op.type == WEIR_OP_FENCE) {
		snprintf(text, bytes, "executes %s", place->instruction);
		return;
	}
	name_location(x, event->op.location, object, sizeof object);
	if (event->reads)
		snprintf(from, sizeof from, " of step %u", step_of[event->reads]);
	if (event->op.type == WEIR_OP_STORE)
		snprintf(text, bytes, "writes %llu to %s", (unsigned long long)event->wrote,
		         object);
	else if (event->put)
		snprintf(text, bytes, "changes %s from %llu%s to %llu", object,
		         (unsigned long long)event->result, from, (unsigned long long)event->wrote);
	else
		snprintf(text, bytes, "reads %llu%s from %s", (unsigned long long)event->result,
		         from, object);
}

static void add_step(const explorer *x, weir_check_finding *f, const weir_check_place *place,
                     const char *text, const char *role)
{
	weir_check_step *step;

	if (!f->steps)
		return;
	step = &f->steps[f->step_count++];
	*step = (weir_check_step){.site = place->site,
	                          .block = place->block,
	                          .thread = place->thread,
	                          .threads = 1,
	                          .text = weir_check_keep(x->check, text),
	                          .role = role};
}

static size_t add_line(const explorer *x, weir_check_finding *f, size_t used, uint32_t step,
                       const weir_check_place *place, const char *text, const char *role)
{
	char number[16] = "", at[160], line[512];

	line_of(place, at, sizeof at);
	if (step)
		snprintf(number, sizeof number, "%u: ", step);
	snprintf(line, sizeof line, "%sblock %u thread %u %s (%s)\n", number, place->block,
	         place->thread, text, at);
	add_step(x, f, place, text, role);
	return append(f->trace, used, sizeof f->trace, line);
}

/* The execution as lines, and as the steps of a page. */
static void write_trace(const explorer *x, weir_check_finding *f)
{
	const weir_model_engine *e = x->engine;
	uint32_t step_of[WEIR_MODEL_EVENTS + 1], step = 0;
	char text[256];
	size_t used = 0;

	f->steps = calloc(e->event_count + e->thread_count + 2, sizeof *f->steps);
	for (uint32_t i = 1; i <= e->event_count; i++) {
		const weir_model_event *event = &e->events[i];
		weir_check_place place;
		if (!is_access(x, &event->op))
			continue;
		step_of[i] = ++step;
		place = place_of(x, site_of(x, &event->op), thread_of(x, event->thread), "");
		tell_event(x, event, step_of, &place, text, sizeof text);
		used = add_line(x, f, used, step, &place, text, "");
	}
	for (uint32_t t = 0; t < e->thread_count; t++) {
		const weir_model_thread *thread = &e->threads[t];
		char object[96];
		weir_check_place place;
		if (e->verdict != WEIR_MODEL_DEADLOCK || thread->state != WEIR_MODEL_READY ||
		    !is_access(x, &thread->op))
			continue;
		place = place_of(x, site_of(x, &thread->op), thread_of(x, t), "");
		name_location(x, thread->op.location, object, sizeof object);
		snprintf(text, sizeof text, "reads %llu from %s for ever",
		         (unsigned long long)e->locations[thread->op.location]
		             .messages[e->locations[thread->op.location].newest]
		             .value,
		         object);
		used = add_line(x, f, used, 0, &place, text, "waits");
	}
	if (used && f->trace[used - 1] == '\n')
		f->trace[used - 1] = 0;
}

/* The step of an event of the engine. */
static void give_role(const explorer *x, weir_check_finding *f, const weir_model_event *event,
                      const char *role)
{
	uint32_t step = 0;

	for (const weir_model_event *other = &x->engine->events[1]; other < event; other++)
		step += is_access(x, &other->op) != 0;
	if (f->steps && step < f->step_count)
		f->steps[step].role = role;
}

/* ---- findings ---- */

static void add_race(const explorer *x, weir_check_finding *f, const char *cause)
{
	char line[2][160];

	f->kind = WEIR_CHECK_RACE;
	f->accesses = 2;
	f->pairs = 1;
	for (int k = 0; k < 2; k++)
		line_of(&f->access[k], line[k], sizeof line[k]);
	snprintf(f->what, sizeof f->what,
	         "block %u thread %u %s %s (%s) while block %u thread %u %s it (%s)",
	         f->access[1].block, f->access[1].thread, f->access[1].does, f->object, line[1],
	         f->access[0].block, f->access[0].thread, f->access[0].does, line[0]);
	weir_check_add(x->check, f, cause);
}

static void show_plain_race(const explorer *x, weir_check_finding *f)
{
	int is_inside = x->race_thread[0] / x->m->threads == x->race_thread[1] / x->m->threads;

	for (int k = 0; k < 2; k++)
		f->access[k] = place_of(x, x->race_site[k], x->race_thread[k],
		                        x->race_writes[k] ? "writes" : "reads");
	object_of(x, x->race_space, x->race_address, f->object, sizeof f->object);
	/* Plain accesses are no steps of the search. The later one ends the execution. */
	for (int k = 0; k < 2; k++) {
		char text[160];
		snprintf(text, sizeof text, "%s %s%s", f->access[k].does, f->object,
		         k == 0 ? ", earlier" : "");
		add_step(x, f, &f->access[k], text, k == 0 ? "earlier" : "later");
	}
	snprintf(f->why, sizeof f->why, "Nothing orders the two in the execution below.");
	snprintf(f->fix, sizeof f->fix,
	         is_inside
	             ? "__syncthreads() between them, or a release behind the first one and an "
	               "acquire before the second."
	             : "a release behind the first one, an acquire before the second, and both "
	               "at the scope of the device.");
	add_race(x, f, is_inside ? "missing-block-sync" : "no-sync");
}

/* The earlier access that the last event races with. */
static const weir_model_event *rival_of(const explorer *x, const weir_model_event *last)
{
	const weir_model_engine *e = x->engine;

	for (const weir_model_event *other = last - 1; other > e->events; other--)
		if (is_access(x, &other->op) && other->op.type != WEIR_OP_FENCE &&
		    other->op.location == last->op.location && (other->put || last->put) &&
		    other->clock[other->thread] > last->clock[other->thread] &&
		    !weir_model_is_mutual(e, other->thread, other->op.scope, last->thread,
		                          last->op.scope))
			return other;
	return NULL;
}

static void show_word_race(const explorer *x, weir_check_finding *f)
{
	const weir_model_event *last = &x->engine->events[x->engine->event_count];
	const weir_model_event *rival = rival_of(x, last);
	int is_plain;

	if (!rival)
		rival = last;
	is_plain = last->op.scope == WEIR_MODEL_PLAIN || rival->op.scope == WEIR_MODEL_PLAIN;
	f->access[0] =
	    place_of(x, site_of(x, &rival->op), thread_of(x, rival->thread), does(rival));
	f->access[1] = place_of(x, site_of(x, &last->op), thread_of(x, last->thread), does(last));
	name_location(x, last->op.location, f->object, sizeof f->object);
	give_role(x, f, rival, "earlier");
	give_role(x, f, last, "later");
	snprintf(
	    f->why, sizeof f->why,
	    is_plain
		? "One of the accesses is plain, and nothing orders the two in the execution below."
		: "A scope does not include the other thread, and nothing orders the two in the "
		  "execution below.");
	snprintf(f->fix, sizeof f->fix,
	         is_plain ? "an atomic access, or an order: a release after the first one and an "
	                    "acquire before the second."
	                  : "a scope that includes both threads: .gpu for blocks of a grid.");
	add_race(x, f, is_plain ? "plain-flag" : "scope-too-narrow");
}

/* The thread that the agent stands for, or the first of several that has not ended. */
static const weir_ptx_thread *waiting_thread(const explorer *x, uint32_t t)
{
	uint32_t block = x->agents[t].block;

	if (x->agents[t].thread_number != EXPLORE_NONE)
		return x->agents[t].thread;
	for (uint32_t i = 0; i < x->m->threads; i++) {
		const weir_ptx_thread *own = weir_ptx_thread_at(x->m, block, i);
		if (own && explore_follows(x, block * x->m->threads + i) &&
		    own->state != WEIR_PTX_EXITED)
			return own;
	}
	return NULL;
}

static void say_who_waits(const explorer *x, weir_check_finding *f)
{
	const weir_model_engine *e = x->engine;
	size_t used = (size_t)snprintf(f->what, sizeof f->what, "no thread can go on");

	for (uint32_t t = 0; t < e->thread_count && used + 200 < sizeof f->what; t++) {
		const weir_model_thread *thread = &e->threads[t];
		const weir_ptx_thread *own = waiting_thread(x, t);
		char object[96], line[160], what[200];
		weir_check_place place = {.block = x->agents[t].block,
		                          .thread = thread_of(x, t) % x->m->threads};
		if (thread->state == WEIR_MODEL_DONE)
			continue;
		if (!own) {
			used += (size_t)snprintf(f->what + used, sizeof f->what - used,
			                         "; block %u has not started", place.block);
			t += x->width - 1 - t % x->width;
			continue;
		}
		if (is_access(x, &thread->op)) {
			place = place_of(x, site_of(x, &thread->op), thread_of(x, t), "polls");
			name_location(x, thread->op.location, object, sizeof object);
			snprintf(what, sizeof what, "polls %s", object);
		} else {
			weir_ptx_thread_site(own, &place.site);
			snprintf(what, sizeof what, "%s",
			         thread->state == WEIR_MODEL_FUTILE ? "loops"
			                                            : "waits at a barrier");
			if (place.site.file)
				place.site.file = weir_check_keep(x->check, place.site.file);
			if (place.site.function)
				place.site.function =
				    weir_check_keep(x->check, place.site.function);
			place.site.inner_file = NULL;
			place.does = "waits";
		}
		if (!f->accesses) {
			f->access[0] = place;
			f->accesses = 1;
		}
		line_of(&place, line, sizeof line);
		used += (size_t)snprintf(f->what + used, sizeof f->what - used,
		                         "; block %u thread %u %s (%s)", place.block, place.thread,
		                         what, line);
	}
}

static void show_hang(const explorer *x, weir_check_finding *f)
{
	int has_waiting_blocks = x->next_cluster * x->m->cluster_size < x->m->blocks;

	f->kind = WEIR_CHECK_HANG;
	say_who_waits(x, f);
	snprintf(f->why, sizeof f->why,
	         has_waiting_blocks
	             ? "Blocks wait for others, which cannot start until these end."
	             : "No thread writes the value that is waited for in the execution below.");
	weir_check_add(x->check, f, has_waiting_blocks ? "blocks-not-resident" : "never-signalled");
}

static void show_lost_wake(const explorer *x, weir_check_finding *f)
{
	f->kind = WEIR_CHECK_HANG;
	snprintf(f->what, sizeof f->what, "%s", x->engine->message);
	snprintf(f->why, sizeof f->why,
	         "In the execution below the wait ends in time. Had the thread looked later, the "
	         "value that "
	         "it waits for would have been overwritten.");
	snprintf(
	    f->fix, sizeof f->fix,
	    "reset the word only when all threads have seen it, or keep counting (a generation).");
	weir_check_add(x->check, f, "reset-while-polled");
}

static void show_fault(const explorer *x, weir_check_finding *f)
{
	const ptx_namer namer = {x->setup->check, weir_check_keep, x->check};
	weir_ptx_result result = x->m->result;
	const char *cause;

	weir_ptx_explain_end(x->m, &namer, NULL, &result, f);
	cause = f->cause;
	weir_check_add(x->check, f, cause);
}

void explore_show(explorer *x)
{
	weir_check_finding f = {.count = 1, .launch = x->launch_number + 1};
	weir_model_verdict verdict = x->engine->verdict;

	if (verdict == WEIR_MODEL_LIMIT) {
		snprintf(x->result->bound, sizeof x->result->bound, "%.250s",
		         x->end == EXPLORE_BOUND ? x->text : x->engine->message);
		return;
	}
	write_trace(x, &f);
	if (x->end == EXPLORE_WRONG) {
		f.kind = WEIR_CHECK_WRONG;
		snprintf(f.what, sizeof f.what, "%s", x->text);
		snprintf(f.why, sizeof f.why, "The execution below leads to it.");
		weir_check_add(x->check, &f, "wrong-result");
	} else if (x->end == EXPLORE_FAULT) {
		show_fault(x, &f);
	} else if (verdict == WEIR_MODEL_RACE && x->end == EXPLORE_RACE) {
		show_plain_race(x, &f);
	} else if (verdict == WEIR_MODEL_RACE) {
		show_word_race(x, &f);
	} else if (verdict == WEIR_MODEL_LOST_WAKE) {
		show_lost_wake(x, &f);
	} else {
		show_hang(x, &f);
	}
}
