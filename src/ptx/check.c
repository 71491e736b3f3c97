#define _POSIX_C_SOURCE 200809L
#include "ptx/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "ptx/cause.h"
#include "ptx/machine.h"
#include "ptx/steps.h"

#define SCENES 64 /* findings of an execution that have steps */

struct weir_check {
	weir_check_finding **findings;
	size_t count, room;
	char **texts;
	size_t text_count, text_room;
	uint64_t executions, instructions, left_out, repeated_stores;
	int stopped, failed;
	weir_check_finding *supposed; /* its cause, why and fix; NULL: nothing */
};

/* What one execution left behind. */
typedef struct execution {
	weir_check *check;
	const weir_check_setup *setup;
	uint64_t seed;
	unsigned launch; /* the one that was looked at, from 0 on */
	ptx_group groups[PTX_GROUPS];
	unsigned group_count;
	ptx_history history[PTX_GROUPS]; /* of the words that the groups are about */
	int has_history[PTX_GROUPS];
	uint32_t resolved[PTX_GROUPS];
	int has_strong;
	ptx_choices choices;
	char stale[640]; /* the first read of an older value, as a sentence */
	int was_right;   /* after the first launch the contents were as expected */
	ptx_scene scenes[SCENES];
	unsigned scene_count;
} execution;

static void *grown(void *array, size_t count, size_t *room, size_t size)
{
	void *more;

	if (count < *room)
		return array;
	more = realloc(array, (*room ? 2 * *room : 16) * size);
	if (more)
		*room = *room ? 2 * *room : 16;
	return more;
}

const char *weir_check_keep(void *context, const char *text)
{
	weir_check *c = context;
	char **texts;

	for (size_t i = 0; i < c->text_count; i++)
		if (strcmp(c->texts[i], text) == 0)
			return c->texts[i];
	texts = grown(c->texts, c->text_count, &c->text_room, sizeof *texts);
	if (texts)
		c->texts = texts;
	if (!texts || !(c->texts[c->text_count] = strdup(text))) {
		c->failed = 1;
		return "";
	}
	return c->texts[c->text_count++];
}

static int is_same_site(const weir_check_place *a, const weir_check_place *b)
{
	return a->site.line == b->site.line && a->site.source_line == b->site.source_line;
}

static int is_same_line(const weir_check_place *a, const weir_check_place *b)
{
	return a->site.file
	           ? a->site.source_line == b->site.source_line && a->site.file == b->site.file
	           : a->site.line == b->site.line;
}

/* The same cause at the same place: of what should order them, or if there is nothing, of the accesses. */
static int is_same(const weir_check_finding *a, const weir_check_finding *b)
{
	int by_place = a->release.does || a->acquire.does;

	if (a->kind != b->kind || a->cause != b->cause)
		return 0;
	if (a->kind != WEIR_CHECK_RACE)
		return a->kind == WEIR_CHECK_HANG ? is_same_line(&a->access[0], &b->access[0])
		                                  : is_same_site(&a->access[0], &b->access[0]);
	if (by_place && a->access[0].block != a->access[1].block &&
	    b->access[0].block != b->access[1].block && is_same_line(&a->release, &b->release) &&
	    is_same_line(&a->acquire, &b->acquire))
		return 1;
	return (is_same_line(&a->access[0], &b->access[0]) &&
	        is_same_line(&a->access[1], &b->access[1])) ||
	       (is_same_line(&a->access[0], &b->access[1]) &&
	        is_same_line(&a->access[1], &b->access[0]));
}

static void suppose(const weir_check *c, weir_check_finding *f)
{
	if (!c->supposed || f->kind == WEIR_CHECK_INCOMPLETE)
		return;
	f->cause = c->supposed->cause;
	memcpy(f->why, c->supposed->why, sizeof f->why);
	memcpy(f->fix, c->supposed->fix, sizeof f->fix);
}

/* The finding as the check keeps it; NULL if it was known already. */
static weir_check_finding *kept(weir_check *c, weir_check_finding *f)
{
	weir_check_finding **findings;

	suppose(c, f);
	for (size_t i = 0; i < c->count; i++)
		if (is_same(c->findings[i], f)) {
			c->findings[i]->count += f->count;
			/* Once for each pair of instructions, not for each seed. */
			if (c->findings[i]->seed == f->seed)
				c->findings[i]->pairs++;
			return NULL;
		}
	findings = grown(c->findings, c->count, &c->room, sizeof *findings);
	if (findings)
		c->findings = findings;
	if (!findings || !(c->findings[c->count] = malloc(sizeof *f))) {
		c->failed = 1;
		return NULL;
	}
	*c->findings[c->count] = *f;
	return c->findings[c->count++];
}

/* A new finding is a scene of the execution. */
static void add(execution *e, weir_check_finding *f)
{
	weir_check_finding *found = kept(e->check, f);

	if (found && e->scene_count < SCENES)
		e->scenes[e->scene_count++].finding = found;
}

/* ---- one execution ---- */

static int reads_unwritten(const execution *e, uint32_t site)
{
	for (unsigned i = 0; i < e->group_count; i++)
		for (int k = 0; k < 2; k++)
			if (e->groups[i].deed[k].site == site && !e->groups[i].writes[k])
				return 1;
	return 0;
}

static weir_check_finding begin_finding(const execution *e)
{
	weir_check_finding f = {.seed = e->seed, .launch = e->launch + 1};

	return f;
}

static const weir_check_cause *cause_named(const char *name)
{
	for (size_t i = 0; weir_check_cause_at(i); i++)
		if (strcmp(weir_check_cause_at(i)->name, name) == 0)
			return weir_check_cause_at(i);
	return NULL;
}

/* Only a later launch fails, so the state that the first one left behind is at fault. */
static void blame_leftovers(weir_check_finding *f)
{
	size_t used = strlen(f->why);

	f->cause = cause_named("leftover-state")->name;
	snprintf(
	    f->why + used, sizeof f->why - used,
	    "%sLaunch 1 was clean and launch %u with the same arguments was not: the first one "
	    "left counters or flags behind.",
	    used ? " " : "", f->launch);
	snprintf(f->fix, sizeof f->fix,
	         "let the kernel reset its counters at its end, or keep counting from their old "
	         "values (a generation), or clear them before each launch.");
}

static void compare(execution *e, int is_last)
{
	weir_check_finding f = begin_finding(e);
	int is_wrong;

	/* A race explains what it leads to. */
	if (!e->setup->compare || e->group_count)
		return;
	is_wrong = e->setup->compare(e->setup->context, f.what, sizeof f.what);
	if (e->launch == 0)
		e->was_right = !is_wrong;
	if (!is_wrong || !is_last)
		return;
	f.kind = WEIR_CHECK_WRONG;
	f.cause = cause_named("wrong-result")->name;
	f.count = 1;
	snprintf(f.why, sizeof f.why, "%s", e->stale);
	snprintf(f.fix, sizeof f.fix,
	         e->stale[0] ? "order the read after the write: a release after the write of the "
	                       "data and an acquire "
	                       "before its read, or fences; --weak --seed %llu runs it again."
	                     : "compare the expected contents with what the kernel does in this "
	                       "execution; --seed %llu runs it again.",
	         (unsigned long long)e->seed);
	if (e->launch > 0 && e->was_right)
		blame_leftovers(&f);
	add(e, &f);
}

static void take_groups(execution *e, const weir_ptx_machine *m, const ptx_watch *w)
{
	const ptx_namer namer = {e->setup, weir_check_keep, e->check};
	const ptx_group *groups = weir_ptx_watch_groups(w, &e->group_count);

	e->check->left_out += weir_ptx_watch_left_out(w);
	e->check->repeated_stores += weir_ptx_watch_repeated_stores(w);
	e->has_strong = weir_ptx_watch_has_strong(w);
	memcpy(e->groups, groups, e->group_count * sizeof *groups);
	for (unsigned i = 0; i < e->group_count; i++) {
		const ptx_history *h =
		    weir_ptx_watch_history(w, groups[i].space, groups[i].address);
		e->has_history[i] = h != NULL;
		if (h)
			e->history[i] = *h;
		e->resolved[i] = 0;
		weir_ptx_name_object(m, &namer, groups[i].space, groups[i].address,
		                     e->groups[i].object, sizeof e->groups[i].object);
	}
}

static void line_of(const weir_ptx_machine *m, uint32_t site, char *text, size_t bytes)
{
	weir_ptx_site s;

	weir_ptx_operation_site(m, &m->program->accesses.at[site].operation, &s);
	if (s.file)
		snprintf(text, bytes, "%s:%u",
		         strrchr(s.file, '/') ? strrchr(s.file, '/') + 1 : s.file, s.source_line);
	else
		snprintf(text, bytes, "line %u", s.line);
}

/* What an older value explains. */
static void tell_stale(execution *e, const weir_ptx_machine *m, const ptx_watch *w)
{
	const ptx_stale *s = weir_ptx_watch_stale(w);
	const ptx_namer namer = {e->setup, weir_check_keep, e->check};
	char object[96], read[128], write[128], by[192] = "";

	e->stale[0] = 0;
	if (!s)
		return;
	weir_ptx_name_object(m, &namer, s->space, s->address, object, sizeof object);
	line_of(m, s->deed.site, read, sizeof read);
	if (s->write.number) {
		line_of(m, s->write.site, write, sizeof write);
		snprintf(by, sizeof by, " that block %u thread %u wrote (%s)",
		         s->write.thread / m->threads, s->write.thread % m->threads, write);
	}
	snprintf(e->stale, sizeof e->stale,
	         "Block %u thread %u reads the older value %llu of %s (%s) instead of the %llu%s: "
	         "nothing orders the read after that write.",
	         s->deed.thread / m->threads, s->deed.thread % m->threads,
	         (unsigned long long)s->value, object, read, (unsigned long long)s->newest, by);
}

static void take_end(execution *e, const weir_ptx_machine *m, const ptx_watch *w,
                     weir_ptx_result *result)
{
	weir_check_finding f = begin_finding(e);
	const ptx_namer namer = {e->setup, weir_check_keep, e->check};
	uint32_t site;
	uint64_t space;

	if (result->end == WEIR_PTX_STOPPED)
		e->check->stopped = 1;
	if (result->end == WEIR_PTX_DONE) {
		weir_ptx_result unwritten = *result;
		if (!weir_ptx_watch_unwritten(w, &unwritten, &site, &space) ||
		    reads_unwritten(e, site))
			return;
		*result = unwritten;
	}
	weir_ptx_explain_end(m, &namer, w, result, &f);
	if (f.kind == WEIR_CHECK_HANG || f.kind == WEIR_CHECK_FAULT) {
		size_t used = strlen(f.why);
		snprintf(f.why + used, sizeof f.why - used, "%s%s", used && e->stale[0] ? " " : "",
		         e->stale);
	}
	if ((f.kind == WEIR_CHECK_HANG || f.kind == WEIR_CHECK_FAULT) && e->launch > 0)
		blame_leftovers(&f);
	add(e, &f);
}

typedef struct run {
	weir_ptx_machine *machine;
	ptx_watch *watch;
	weir_ptx_result result;
} run;

static weir_status open_run(run *r, weir_ptx_kernel *kernel, const weir_ptx_launch *launch,
                            const unsigned *assumed, unsigned detectors, ptx_group *groups,
                            unsigned count, ptx_choices *choices)
{
	weir_status status = weir_ptx_machine_create(&r->machine, kernel, launch);

	r->watch = NULL;
	if (status != WEIR_OK)
		return status;
	r->watch = weir_ptx_watch_create(r->machine, assumed, detectors, groups, count, choices);
	if (!r->watch) {
		weir_ptx_machine_destroy(r->machine);
		return weir_fail(WEIR_NO_MEMORY, "no memory for a race detector");
	}
	return WEIR_OK;
}

static weir_status begin_run(run *r, weir_ptx_kernel *kernel, const weir_ptx_launch *launch,
                             const unsigned *assumed, unsigned detectors, ptx_group *groups,
                             unsigned count, ptx_choices *choices)
{
	weir_status status =
	    open_run(r, kernel, launch, assumed, detectors, groups, count, choices);

	return status == WEIR_OK
	           ? weir_ptx_machine_run(r->machine, weir_ptx_watch_observer(r->watch), &r->result)
	           : status;
}

static ptx_choices *choices_of(execution *e)
{
	return e->setup->is_weak ? &e->choices : NULL;
}

static void end_run(run *r)
{
	weir_ptx_watch_destroy(r->watch);
	weir_ptx_machine_destroy(r->machine);
}

static void seed_choices(ptx_choices *c, uint64_t seed)
{
	c->random = seed + 1;
	c->rate = 2 + (uint32_t)(seed * 5 % 13);
}

static weir_status first_time(execution *e)
{
	static const unsigned nothing[] = {0};
	weir_ptx_kernel *kernel;
	weir_ptx_launch launch;
	weir_status status = e->setup->begin(e->setup->context, &kernel, &launch);
	int is_over = status != WEIR_OK;

	launch.seed = e->seed;
	seed_choices(&e->choices, e->seed);
	for (e->launch = 0; !is_over; e->launch += !is_over) {
		run r;
		size_t before = e->check->count;

		status = begin_run(&r, kernel, &launch, nothing, 1, NULL, 0, choices_of(e));
		if (status != WEIR_OK)
			break;
		e->check->instructions += r.result.instructions;
		take_groups(e, r.machine, r.watch);
		tell_stale(e, r.machine, r.watch);
		take_end(e, r.machine, r.watch, &r.result);
		is_over = e->group_count > 0 || e->check->count > before ||
		          r.result.end != WEIR_PTX_DONE || e->launch + 1 == e->setup->launches;
		if (r.result.end == WEIR_PTX_DONE)
			compare(e, e->launch + 1 == e->setup->launches);
		end_run(&r);
	}
	if (status == WEIR_OK || e->launch > 0)
		e->setup->end(e->setup->context);
	return status;
}

static void explain_races(execution *e, const weir_ptx_machine *m)
{
	const ptx_namer namer = {e->setup, weir_check_keep, e->check};

	for (unsigned i = 0; i < e->group_count; i++) {
		weir_check_finding f = begin_finding(e);
		weir_ptx_explain_race(m, &namer, &e->groups[i], e->groups, e->group_count,
		                      e->resolved[i], e->has_history[i] ? &e->history[i] : NULL,
		                      &f);
		if (e->launch > 0)
			blame_leftovers(&f);
		add(e, &f);
	}
}

static int is_all_resolved(const execution *e)
{
	for (unsigned i = 0; i < e->group_count; i++)
		if (!e->resolved[i])
			return 0;
	return 1;
}

/* Runs the execution again under assumptions. The last pass explains what was found. */
static weir_status again(execution *e, unsigned pass, int *is_explained)
{
	static const unsigned nothing[] = {0};
	unsigned assumed[PTX_DETECTORS];
	unsigned count = weir_ptx_assumptions(pass, assumed);
	unsigned shift = 16 * pass;
	weir_ptx_kernel *kernel;
	weir_ptx_launch launch;
	weir_status status = e->setup->begin(e->setup->context, &kernel, &launch);

	if (status != WEIR_OK)
		return status;
	/* Where nothing is strong, only the waits for copies are left to try: the last of the first pass. */
	if (!e->has_strong) {
		shift = count - 1;
		assumed[0] = assumed[count - 1];
		count = 1;
	}
	launch.seed = e->seed;
	e->choices.next = 0;
	for (unsigned l = 0; l <= e->launch && status == WEIR_OK; l++) {
		run r;
		int is_last = l == e->launch;

		status = is_last
		             ? begin_run(&r, kernel, &launch, assumed, count, e->groups,
		                         e->group_count, choices_of(e))
		             : begin_run(&r, kernel, &launch, nothing, 1, NULL, 0, choices_of(e));
		if (status != WEIR_OK)
			break;
		for (unsigned i = 0; is_last && i < e->group_count; i++)
			e->resolved[i] |= (e->groups[i].resolved[0] & ((1u << count) - 1)) << shift;
		if (is_last && (pass == 1 || !e->has_strong || is_all_resolved(e))) {
			explain_races(e, r.machine);
			*is_explained = 1;
		}
		end_run(&r);
	}
	e->setup->end(e->setup->context);
	return status;
}

static int trace_run(execution *e, const run *r)
{
	const ptx_namer namer = {e->setup, weir_check_keep, e->check};
	weir_ptx_result result;
	ptx_steps *t = weir_ptx_steps_create(r->machine, weir_ptx_watch_observer(r->watch), &namer,
	                                     e->scenes, e->scene_count);
	int failed =
	    !t ||
	    weir_ptx_machine_run(r->machine, weir_ptx_steps_observer(t), &result) != WEIR_OK ||
	    weir_ptx_steps_end(t) != 0;

	weir_ptx_steps_destroy(t);
	return failed;
}

/* Runs the execution once more for the steps of its findings. */
static weir_status trace(execution *e)
{
	static const unsigned nothing[] = {0};
	weir_ptx_kernel *kernel;
	weir_ptx_launch launch;
	weir_status status = e->setup->begin(e->setup->context, &kernel, &launch);

	if (status != WEIR_OK)
		return status;
	for (unsigned i = 0; i < e->scene_count; i++) {
		const weir_check_finding *f = e->scenes[i].finding;
		const uint64_t events[] = {f->access[0].number, f->access[1].number,
		                           f->release.number, f->acquire.number};
		if (f->kind == WEIR_CHECK_RACE)
			memcpy(e->scenes[i].event, events, sizeof events);
	}
	launch.seed = e->seed;
	e->choices.next = 0;
	for (unsigned l = 0; l <= e->launch && status == WEIR_OK; l++) {
		run r;

		status = open_run(&r, kernel, &launch, nothing, 1, NULL, 0, choices_of(e));
		if (status != WEIR_OK)
			break;
		if (l < e->launch)
			status = weir_ptx_machine_run(r.machine, weir_ptx_watch_observer(r.watch),
			                              &r.result);
		else if (trace_run(e, &r))
			status = weir_fail(WEIR_NO_MEMORY, "no memory for the steps of a finding");
		end_run(&r);
	}
	e->setup->end(e->setup->context);
	return status;
}

weir_status weir_check_execute(weir_check *c, const weir_check_setup *setup, uint64_t seed)
{
	execution *e = calloc(1, sizeof *e);
	weir_status status;
	int is_explained = 0;

	if (!e)
		return weir_fail(WEIR_NO_MEMORY, "no memory for an execution");
	e->check = c;
	e->setup = setup;
	e->seed = seed;
	status = first_time(e);
	c->executions += status == WEIR_OK;
	for (unsigned pass = 0; pass < 2 && status == WEIR_OK && e->group_count && !is_explained;
	     pass++)
		status = again(e, pass, &is_explained);
	if (status == WEIR_OK && setup->has_steps && e->scene_count)
		status = trace(e);
	free(e->choices.at);
	free(e);
	if (status == WEIR_OK && c->failed)
		status = weir_fail(WEIR_NO_MEMORY, "no memory for findings");
	return status;
}

/* ---- a launch of its own ---- */

static void name_place(void *context, uint64_t address, char *text, size_t bytes)
{
	weir_ptx_place place;

	if (weir_ptx_place_find(context, address, &place) != WEIR_OK)
		snprintf(text, bytes, "memory");
	else
		snprintf(text, bytes, "%s + %llu", place.name ? place.name : "an allocation",
		         (unsigned long long)(address - place.start));
}

static void tell_race(weir_check *c, const weir_ptx_machine *m, const ptx_watch *w, char *text,
                      size_t bytes)
{
	const weir_check_setup setup = {.context = m->memory, .name = name_place};
	const ptx_namer namer = {&setup, weir_check_keep, c};
	weir_check_finding *f = calloc(1, sizeof *f);
	ptx_group first;
	unsigned count;
	const ptx_group *groups = weir_ptx_watch_groups(w, &count);

	text[0] = 0;
	if (count && f) {
		first = groups[0];
		weir_ptx_name_object(m, &namer, first.space, first.address, first.object,
		                     sizeof first.object);
		weir_ptx_explain_race(m, &namer, &first, groups, count, 0, NULL, f);
		snprintf(text, bytes, "race: %s", f->what);
	}
	free(f);
}

weir_status weir_ptx_run_checked(weir_ptx_machine *m, int is_weak, weir_ptx_result *result,
                                 char *race, size_t bytes)
{
	static const unsigned nothing[] = {0};
	ptx_choices choices = {0};
	weir_check *c = weir_check_create();
	ptx_watch *w;
	weir_status status;

	seed_choices(&choices, m->launch.seed);
	w = c ? weir_ptx_watch_create(m, nothing, 1, NULL, 0, is_weak ? &choices : NULL) : NULL;
	if (w) {
		status = weir_ptx_machine_run(m, weir_ptx_watch_observer(w), result);
		tell_race(c, m, w, race, bytes);
	} else {
		status = weir_fail(WEIR_NO_MEMORY, "no memory for a race detector");
	}
	weir_ptx_watch_destroy(w);
	weir_check_destroy(c);
	free(choices.at);
	return status;
}

/* ---- the whole ---- */

void weir_check_add(weir_check *c, weir_check_finding *f, const char *cause)
{
	f->cause = cause_named(cause)->name;
	if (!kept(c, f))
		free(f->steps);
}

void weir_check_suppose(weir_check *c, const char *cause, const char *why, const char *fix)
{
	free(c->supposed);
	c->supposed = cause ? calloc(1, sizeof *c->supposed) : NULL;
	if (!c->supposed) {
		c->failed |= cause != NULL;
		return;
	}
	c->supposed->cause = cause_named(cause)->name;
	snprintf(c->supposed->why, sizeof c->supposed->why, "%s", why);
	snprintf(c->supposed->fix, sizeof c->supposed->fix, "%s", fix);
}

void weir_check_add_executions(weir_check *c, uint64_t executions, uint64_t instructions)
{
	c->executions += executions;
	c->instructions += instructions;
}

weir_check *weir_check_create(void)
{
	return calloc(1, sizeof(weir_check));
}

void weir_check_destroy(weir_check *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->count; i++) {
		free(c->findings[i]->steps);
		free(c->findings[i]);
	}
	for (size_t i = 0; i < c->text_count; i++)
		free(c->texts[i]);
	free(c->findings);
	free(c->texts);
	free(c->supposed);
	free(c);
}

size_t weir_check_count(const weir_check *c)
{
	return c->count;
}

const weir_check_finding *weir_check_at(const weir_check *c, size_t index)
{
	return index < c->count ? c->findings[index] : NULL;
}

uint64_t weir_check_executions(const weir_check *c)
{
	return c->executions;
}

uint64_t weir_check_instructions(const weir_check *c)
{
	return c->instructions;
}

uint64_t weir_check_left_out(const weir_check *c)
{
	return c->left_out;
}

uint64_t weir_check_repeated_stores(const weir_check *c)
{
	return c->repeated_stores;
}

int weir_check_stopped(const weir_check *c)
{
	return c->stopped;
}

const char *weir_check_kind_name(weir_check_kind kind)
{
	static const char *const names[] = {"race", "fault", "hang", "wrong result", "incomplete"};

	return names[kind];
}

weir_status weir_check_param_type(weir_ptx_kernel *kernel, unsigned index, char *text, size_t bytes)
{
	const ptx_function *f = &kernel->module->functions.at[kernel->function];
	const ptx_variable *v;

	if (index >= f->param_count)
		return weir_fail(WEIR_BAD_ARGUMENT, "the kernel has %u parameters", f->param_count);
	v = &kernel->module->variables.at[f->params + index];
	if (v->bytes * 8 > weir_ptx_types[v->type].bits)
		snprintf(text, bytes, ".%s[%llu]", weir_ptx_types[v->type].text,
		         (unsigned long long)v->bytes);
	else
		snprintf(text, bytes, ".%s", weir_ptx_types[v->type].text);
	return WEIR_OK;
}
