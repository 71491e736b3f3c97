/* Determines the jobs of a request, and runs them. */
#include "verify/verify.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/kinds.h"
#include "cli/stop.h"
#include "output/figure.h"
#include "output/progress.h"
#include "src/model/model.h"

/* A mutant that this many executions of a case do not kill counts as having survived the case. */
#define MUTANT_EXECUTIONS 3000000

weir_verify_job *weir_verify_add(weir_verify_list *list, weir_verify_part part)
{
	weir_verify_job *job;

	if (list->count == list->room) {
		list->room = list->room ? 2 * list->room : 64;
		list->jobs = weir_need(realloc(list->jobs, list->room * sizeof *list->jobs));
	}
	job = &list->jobs[list->count++];
	memset(job, 0, sizeof *job);
	job->part = part;
	return job;
}

void weir_verify_free(weir_verify_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->jobs[i].choices);
		weir_model_outcome_free(&list->jobs[i].outcome);
	}
	free(list->jobs);
}

static int is_wanted(const weir_verify_request *request, const weir_model_case *c)
{
	return (!request->diagnosed || c->diagnosed) &&
	       (!request->primitive || weir_is_same_name(request->primitive, c->primitive)) &&
	       (!request->kind || strcmp(request->kind, c->kind) == 0);
}

/* Two cases may become identical when they get the same size. */
static void add_case(const weir_verify_request *request, weir_verify_part part,
                     const weir_model_case *c, weir_verify_list *list)
{
	weir_model_case sized = *c;

	weir_model_case_resize(&sized, request->blocks, request->threads, request->rounds);
	for (size_t i = 0; i < list->count; i++)
		if (!list->jobs[i].is_mutant && memcmp(&list->jobs[i].c, &sized, sizeof sized) == 0)
			return;
	weir_verify_add(list, part)->c = sized;
}

static void plan_kinds(const weir_verify_request *request, weir_verify_list *list)
{
	weir_model_case c;
	int larger;

	for (size_t i = 0; weir_model_case_at(i, &c, &larger) == 0; i++)
		if (is_wanted(request, &c))
			add_case(request, WEIR_VERIFY_KINDS, &c, list);
}

static void plan_published(const weir_verify_request *request, weir_verify_part part,
                           weir_verify_list *list)
{
	weir_model_case c;

	for (size_t i = 0; weir_model_published_at(i, &c) == 0; i++)
		if (is_wanted(request, &c))
			add_case(request, part, &c, list);
}

static int add_mutants(const weir_model_case *c, weir_verify_list *list)
{
	weir_model_mutant *mutants;
	size_t count;

	if (weir_model_mutants(c->primitive, c->kind, c->diagnosed, &mutants, &count) != 0)
		return weir_complain(WEIR_EXIT_FAILED, "no memory");
	for (size_t i = 0; i < count; i++) {
		weir_verify_job *job = weir_verify_add(list, WEIR_VERIFY_MUTANTS);
		job->c = *c;
		job->is_mutant = 1;
		job->mutant = mutants[i];
	}
	free(mutants);
	return 0;
}

static int same_kind(const weir_model_case *a, const weir_model_case *b)
{
	return a->diagnosed == b->diagnosed && strcmp(a->kind, b->kind) == 0 &&
	       strcmp(a->primitive, b->primitive) == 0;
}

static int plan_mutants(const weir_verify_request *request, weir_verify_list *list)
{
	weir_model_case c;
	weir_model_case before;
	int larger;

	memset(&before, 0, sizeof before);
	for (size_t i = 0; weir_model_case_at(i, &c, &larger) == 0; i++) {
		if (!same_kind(&c, &before) && is_wanted(request, &c) && add_mutants(&c, list) != 0)
			return WEIR_EXIT_FAILED;
		before = c;
	}
	return 0;
}

/* Appends a name to a comma-separated list, unless it is there already. */
static void append_once(char *names, size_t room, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = names; (at = strstr(at, name)); at += length)
		if ((at == names || at[-1] == ' ') && (!at[length] || at[length] == ','))
			return;
	weir_append_name(names, room, name);
}

/* Complains, and names the primitives or the kinds of the requested one. */
static int complain_of_kind(const weir_verify_request *request)
{
	char primitives[256] = "", kinds[512] = "";
	weir_model_case c;
	int larger;

	for (size_t i = 0; (request->published ? weir_model_published_at(i, &c)
	                                       : weir_model_case_at(i, &c, &larger)) == 0;
	     i++) {
		append_once(primitives, sizeof primitives, c.primitive);
		if (!request->primitive || weir_is_same_name(request->primitive, c.primitive))
			append_once(kinds, sizeof kinds, c.kind);
	}
	if (!*kinds)
		return weir_refuse("--primitive: '%s' is not one of %s", request->primitive,
		                   primitives);
	return weir_refuse("--kind: there is no %s%s'%s'; its kinds are %s",
	                   request->primitive ? request->primitive : "",
	                   request->primitive ? " of kind " : "kind ",
	                   request->kind ? request->kind : "", kinds);
}

int weir_verify_plan(const weir_verify_request *request, weir_verify_list *list)
{
	if (request->replay)
		return weir_verify_read_traces(request->replay, list);
	if (request->published)
		plan_published(request, WEIR_VERIFY_PUBLISHED, list);
	if (request->mutants && plan_mutants(request, list) != 0)
		return WEIR_EXIT_FAILED;
	if (!request->published && !request->mutants) {
		plan_kinds(request, list);
		/* Published code with the name of a shipped kind is judged like that kind. */
		if (list->count == 0)
			plan_published(request, WEIR_VERIFY_KINDS, list);
	}
	return list->count ? 0 : complain_of_kind(request);
}

typedef struct watch {
	weir_progress bar;
	weir_verify_show *show;
	char what[224];
	char name[160];
} watch;

static int show_progress(void *context, uint64_t executions, uint64_t steps)
{
	watch *w = context;

	(void)steps;
	weir_verify_show_busy(w->show);
	snprintf(w->what, sizeof w->what, "%s: %s executions", w->name,
	         weir_rate_figure((double)executions).text);
	weir_progress_add(&w->bar, 0);
	return weir_stop_asked();
}

static int run_case(const weir_verify_request *request, weir_verify_job *job, watch *w)
{
	weir_model_options options = {0};

	options.search = job->part == WEIR_VERIFY_REPLAY ? WEIR_MODEL_REPLAY
	                 : request->random               ? WEIR_MODEL_RANDOM
	                 : request->bounded              ? WEIR_MODEL_PREEMPT
	                                                 : WEIR_MODEL_DPOR;
	options.seed = request->seed;
	options.bound = request->bound;
	options.choices = job->choices;
	options.mutant = job->is_mutant ? &job->mutant : NULL;
	options.progress = show_progress;
	options.progress_context = w;
	return weir_model_run(&job->c, &options, &job->outcome);
}

/* The number of orders in which the blocks of a case can make their rounds one after another: the
 * executions of a plain lock, and an estimate for anything else. */
static double count_orders(const weir_model_case *c)
{
	double orders = 1;

	for (uint32_t i = 0, place = 1; i < c->blocks; i++)
		for (uint32_t round = 1; round <= c->rounds; round++, place++)
			orders *= (double)place / round;
	return orders;
}

#define LARGE_TIMES 10

/* The largest sizes among weir's own cases of a kind. */
typedef struct own_size {
	weir_model_case c; /* one of them */
	uint32_t blocks;
	double orders;
} own_size;

/* One for each kind; their number in `count`. To be freed. */
static own_size *find_own_sizes(size_t *count)
{
	own_size *sizes = NULL;
	weir_model_case c;
	int larger;

	*count = 0;
	for (size_t i = 0; weir_model_case_at(i, &c, &larger) == 0; i++) {
		double orders = count_orders(&c);

		if (*count == 0 || !same_kind(&sizes[*count - 1].c, &c)) {
			sizes = weir_need(realloc(sizes, (*count + 1) * sizeof *sizes));
			sizes[(*count)++] = (own_size){.c = c};
		}
		own_size *size = &sizes[*count - 1];
		size->blocks = c.blocks > size->blocks ? c.blocks : size->blocks;
		size->orders = orders > size->orders ? orders : size->orders;
	}
	return sizes;
}

/* More blocks, or many times as many orders, and small enough to run. */
static int is_large(const weir_model_case *c, const own_size *sizes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (same_kind(c, &sizes[i].c))
			return c->blocks * c->threads <= WEIR_MODEL_THREADS &&
			       (c->blocks > sizes[i].blocks ||
			        count_orders(c) > LARGE_TIMES * sizes[i].orders);
	return 0;
}

int weir_verify_is_large(const weir_verify_request *request, const weir_verify_list *list)
{
	int large = 0;
	size_t count;

	if (request->bounded || request->random ||
	    !(request->blocks || request->threads || request->rounds))
		return 0;
	own_size *sizes = find_own_sizes(&count);
	for (size_t i = 0; i < list->count && !large; i++)
		large = is_large(&list->jobs[i].c, sizes, count);
	free(sizes);
	return large;
}

int weir_verify_run(const weir_verify_request *request, weir_verify_list *list,
                    weir_verify_show *show)
{
	watch w = {.show = show, .what = "verify"};
	int status = 0;

	weir_stop_catch();
	weir_progress_begin(&w.bar, w.what, "case", (double)list->count);
	w.bar.uneven = weir_verify_is_large(request, list);
	for (size_t i = 0; i < list->count && status == 0 && !weir_stop_asked(); i++) {
		weir_verify_job *job = &list->jobs[i];
		if (job->is_mutant)
			snprintf(w.name, sizeof w.name, "%s", job->mutant.name);
		else
			weir_model_case_name(&job->c, w.name, sizeof w.name);
		snprintf(w.what, sizeof w.what, "%s", w.name);
		status = job->part == WEIR_VERIFY_MUTANTS
		             ? weir_model_run_mutant(&job->mutant, MUTANT_EXECUTIONS, &job->c,
		                                     &job->outcome)
		             : run_case(request, job, &w);
		/* A search that Ctrl-C ended proves nothing. */
		job->ran = !weir_stop_asked() || job->outcome.exhaustive ||
		           job->outcome.verdict != WEIR_MODEL_PASS;
		weir_progress_add(&w.bar, job->ran);
		weir_verify_show_job(show, i, &w.bar);
	}
	weir_progress_end(&w.bar);
	return status ? weir_complain(WEIR_EXIT_FAILED, "no memory") : 0;
}

int weir_verify_refused(const weir_verify_job *job)
{
	return job->outcome.verdict == WEIR_MODEL_LIMIT &&
	       (!job->outcome.trace || job->part == WEIR_VERIFY_REPLAY);
}

int weir_verify_good(const weir_verify_job *job)
{
	int passes = job->outcome.verdict == WEIR_MODEL_PASS;
	/* A mutant that never ends is cut off at the explorer's limit. */
	int fails = !passes && (job->outcome.verdict != WEIR_MODEL_LIMIT ||
	                        (job->part == WEIR_VERIFY_MUTANTS && !weir_verify_refused(job)));

	switch (job->part) {
	case WEIR_VERIFY_PUBLISHED:
		return fails;
	case WEIR_VERIFY_MUTANTS:
		return job->mutant.equivalent || job->mutant.uncovered ? passes : fails;
	default:
		return passes;
	}
}
