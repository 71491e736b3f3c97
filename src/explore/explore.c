#define _POSIX_C_SOURCE 200809L
#include "explore/explore.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/status.h"
#include "explore/parts.h"
#include "model/memory.h"

#define WATCH_EVERY 64 /* executions */

double explore_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void *explore_grown(explorer *x, void *array, uint32_t count, uint32_t *room, size_t size)
{
	uint32_t wanted = *room ? 2 * *room : 16;
	void *more;

	if (count < *room)
		return array;
	more = realloc(array, wanted * size);
	if (more)
		*room = wanted;
	else
		x->no_memory = 1;
	return more;
}

void explore_fail(explorer *x, explore_end end, const char *format, ...)
{
	static const weir_model_verdict verdicts[] = {[EXPLORE_RACE] = WEIR_MODEL_RACE,
	                                              [EXPLORE_FAULT] = WEIR_MODEL_CHECK,
	                                              [EXPLORE_WRONG] = WEIR_MODEL_CHECK,
	                                              [EXPLORE_BOUND] = WEIR_MODEL_LIMIT,
	                                              [EXPLORE_GROWN] = WEIR_MODEL_LIMIT};
	va_list arguments;

	x->end = end;
	va_start(arguments, format);
	vsnprintf(x->text, sizeof x->text, format, arguments);
	va_end(arguments);
	weir_model_fail(x->engine, verdicts[end], "%.200s", x->text);
}

/* ---- an execution ---- */

static void make_locations(explorer *x)
{
	static const weir_model_site site = {"", "", "", "word", 0};
	weir_model_engine *e = x->engine;

	for (uint32_t i = 0; i < x->word_count; i++) {
		const explore_word *w = &x->words[i];
		weir_model_location *location;
		if (w->location == EXPLORE_NONE)
			continue;
		location = &e->locations[weir_model_location_at(e, e->words + 2 * w->location,
		                                                WEIR_OP_LOAD, 1, &site)];
		if (w->space == 0)
			memcpy(&location->messages[0].value, (const void *)(uintptr_t)w->address,
			       w->size);
	}
}

static void begin(void *context)
{
	explorer *x = context;

	x->engine = weir_model_engine_;
	x->execution++;
	x->end = EXPLORE_NOTHING;
	x->launch_number = 0;
	x->ended[0].is_used = 0;
	make_locations(x);
	memset(x->effects_of, 0, x->m->blocks * sizeof *x->effects_of);
	explore_begin_follow(x);
	for (uint32_t i = 0; i < x->agent_count; i++) {
		explore_agent *a = &x->agents[i];
		a->effects = a->block_effects = a->read_count = 0;
		a->is_parked = 0;
		a->read_any = a->read_relaxed = a->read_ever = 0;
		a->has_read_plainly = 0;
		a->poll = NULL;
	}
	explore_begin_launch(x);
}

static const weir_model_message *newest(const weir_model_location *location)
{
	return &location->messages[location->newest];
}

/* Memory as the last writes leave it. */
static void write_back(explorer *x)
{
	for (uint32_t i = 0; i < x->word_count; i++) {
		const explore_word *w = &x->words[i];
		uint8_t *at = (uint8_t *)(uintptr_t)w->address;
		if (w->location == EXPLORE_NONE || w->space)
			continue;
		explore_remember(x, at, w->size);
		memcpy(at, &newest(&x->engine->locations[w->location])->value, w->size);
	}
}

static void count_outcome(explorer *x)
{
	weir_explore_result *r = x->result;
	weir_explore_outcome o = {.executions = 1}, *grown;

	o.number = x->setup->outcome(x->setup->check->context, o.text, sizeof o.text);
	for (size_t i = 0; i < r->outcome_count; i++)
		if (r->outcomes[i].number == o.number) {
			r->outcomes[i].executions++;
			return;
		}
	grown = realloc(r->outcomes, (r->outcome_count + 1) * sizeof *grown);
	if (!grown) {
		x->no_memory = 1;
		return;
	}
	r->outcomes = grown;
	grown[r->outcome_count++] = o;
}

static void complete(void *context)
{
	explorer *x = context;
	char text[sizeof x->text];

	write_back(x);
	if (x->setup->outcome)
		count_outcome(x);
	if (x->setup->check->compare &&
	    x->setup->check->compare(x->setup->check->context, text, sizeof text))
		explore_fail(x, EXPLORE_WRONG, "%s", text);
}

/* Whether all values that the thread has read since it was last at the same place were the newest. */
static int is_stuck(void *context, int thread)
{
	const explorer *x = context;
	const explore_agent *a = &x->agents[thread];

	for (uint32_t i = a->futile_from; i < a->read_count; i++)
		if (a->reads[i].message != x->engine->locations[a->reads[i].location].newest)
			return 0;
	return 1;
}

/* The share of the search that is done, by the choices on its stack. */
static double progress(const weir_model_engine *e)
{
	double done = 0, weight = 1;

	for (uint32_t i = 0; i < e->node_count; i++) {
		const weir_model_node *n = &e->nodes[i];
		double threads = __builtin_popcountll(n->backtrack),
		       choices = n->choices ? n->choices : 1;
		done += weight * (__builtin_popcountll(n->done) * choices + n->choice) /
		        (threads * choices);
		weight /= threads * choices;
	}
	return done + weight;
}

static int has_passed_bound(explorer *x)
{
	const weir_model_engine *e = x->engine;
	const weir_explore_bounds *b = &x->setup->bounds;
	uint64_t executions = e->executions + e->cut;
	const char *what = NULL;

	if (x->setup->watch && executions % WATCH_EVERY == 0)
		x->setup->watch(x->setup->watcher, progress(e));
	if (x->launch.stop && *x->launch.stop)
		x->result->is_stopped = 1;
	else if (b->executions && executions >= b->executions)
		what = "the bound on executions";
	else if (b->seconds > 0 && explore_now() - x->began >= b->seconds)
		what = "the time";
	if (what) {
		snprintf(x->result->bound, sizeof x->result->bound, "%s", what);
		x->result->estimate = (double)executions / progress(e);
	}
	return what || x->result->is_stopped;
}

static int over(void *context)
{
	explorer *x = context;
	weir_model_engine *e = x->engine;

	weir_check_add_executions(x->check, 0, x->m->instructions);
	if (e->verdict != WEIR_MODEL_PASS && x->end != EXPLORE_GROWN)
		explore_show(x);
	explore_free_polls(x);
	explore_restore(x);
	x->m->failed = false;
	return has_passed_bound(x);
}

/* ---- searches ---- */

static void clear_result(weir_explore_result *r)
{
	free(r->outcomes);
	*r = (weir_explore_result){0};
}

/* Words that several threads share. */
static int choose_words(explorer *x)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < x->word_count; i++) {
		explore_word *w = &x->words[i];
		int is_shared = w->is_awaited || (w->is_written && w->is_of_several);
		w->location = is_shared ? count++ : EXPLORE_NONE;
	}
	x->has_new_words = 0;
	if (count <= WEIR_MODEL_LOCATIONS)
		return 1;
	snprintf(x->result->bound, sizeof x->result->bound,
	         "%u words that threads share: at most %d are explored", count,
	         WEIR_MODEL_LOCATIONS);
	return 0;
}

/* It takes two threads, of which one has a read that does not acquire or a write that does not release; or a plain read of
 * a word with strong accesses, which may return even what the thread's own later write leads to. */
static int may_buffer(const explorer *x)
{
	int threads = 0, any = 0, plain = 0;

	for (uint32_t i = 0; i < x->agent_count; i++) {
		threads += x->agents[i].may_buffer;
		any |= x->agents[i].may_buffer_alone;
		plain |= x->agents[i].may_buffer_plainly;
	}
	return plain || (threads > 1 && any);
}

static weir_status search(explorer *x)
{
	weir_model_program program = {.blocks = x->m->blocks,
	                              .setup = begin,
	                              .body = explore_body,
	                              .complete = complete,
	                              .over = over,
	                              .idle = explore_idle,
	                              .is_stuck = is_stuck,
	                              .join_crowd = explore_join_crowd,
	                              .context = x,
	                              .cluster = x->m->cluster_size,
	                              .is_ptx = 1};
	const weir_model_setting setting = {.search = WEIR_MODEL_DPOR};
	weir_model_outcome outcome;

	for (;;) {
		clear_result(x->result);
		if (!choose_words(x) || !explore_choose_agents(x))
			return WEIR_OK;
		program.threads = x->width;
		x->end = EXPLORE_NOTHING;
		if (weir_model_explore(&program, &setting, &outcome) != 0 || x->no_memory)
			return weir_fail(WEIR_NO_MEMORY, "no memory for an exploration");
		x->result->executions = outcome.executions;
		x->result->blocked = outcome.cut;
		x->result->steps = outcome.steps;
		x->result->is_exhaustive = outcome.exhaustive;
		x->result->may_buffer_loads = may_buffer(x);
		weir_model_outcome_free(&outcome);
		if (x->end != EXPLORE_GROWN &&
		    !(x->has_new_words && outcome.verdict == WEIR_MODEL_PASS))
			break;
	}
	if (x->has_clock && x->result->is_exhaustive)
		snprintf(x->result->bound, sizeof x->result->bound,
		         "a clock: the executions in which time runs out are left out");
	weir_check_add_executions(x->check, x->result->executions, 0);
	return WEIR_OK;
}

/* ---- the whole ---- */

static int make_tables(explorer *x)
{
	const ptx_program *p = x->m->program;
	uint32_t accesses = p->accesses.count + 1;

	x->agents = calloc(WEIR_MODEL_AGENTS, sizeof *x->agents);
	x->is_agent = calloc(x->count, 1);
	x->slot_of = calloc(x->count, sizeof *x->slot_of);
	x->followers = calloc(x->count, sizeof *x->followers);
	x->following = calloc((size_t)x->m->blocks * PTX_BLOCK_WORDS, sizeof *x->following);
	x->joins = calloc(EXPLORE_JOINS, sizeof *x->joins);
	x->in_loop = calloc(accesses, 1);
	x->is_single = calloc(accesses, 1);
	x->sites = calloc(accesses, sizeof *x->sites);
	x->known = calloc(EXPLORE_KNOWN, sizeof *x->known);
	x->live_of = calloc(x->m->blocks, sizeof *x->live_of);
	x->effects_of = calloc(x->m->blocks, sizeof *x->effects_of);
	x->barriers = calloc((size_t)x->m->blocks * EXPLORE_BARRIERS, sizeof *x->barriers);
	x->clusters = calloc(2 * (size_t)x->m->blocks, sizeof *x->clusters);
	if (!x->agents || !x->in_loop || !x->is_single || !x->sites || !x->known || !x->live_of ||
	    !x->effects_of || !x->barriers || !x->clusters || !x->is_agent || !x->slot_of ||
	    !x->followers || !x->following || !x->joins)
		return 0;
	for (uint32_t i = 0; i < WEIR_MODEL_AGENTS; i++) {
		x->agents[i].x = x;
		x->agents[i].number = i;
		x->agents[i].visits = calloc(accesses, sizeof *x->agents[i].visits);
		if (!x->agents[i].visits)
			return 0;
	}
	for (uint32_t i = 0; i < accesses; i++)
		x->sites[i] = (weir_model_site){"", "", "access", "word", 0};
	explore_find_loops(x);
	return 1;
}

static void free_tables(explorer *x)
{
	for (uint32_t i = 0; x->agents && i < WEIR_MODEL_AGENTS; i++) {
		free(x->agents[i].visits);
		free(x->agents[i].reads);
	}
	for (uint32_t i = 0; i < x->granule_room; i++)
		free(x->granules[i].records);
	free(x->agents);
	free(x->in_loop);
	free(x->is_single);
	free(x->sites);
	free(x->known);
	free(x->live_of);
	free(x->effects_of);
	free(x->barriers);
	free(x->clusters);
	free(x->words);
	free(x->granules);
	free(x->undo);
	explore_free_follow(x);
}

/* Launches that cannot be explored at all. */
static int is_refused(explorer *x)
{
	weir_explore_result *r = x->result;
	int shape = 0;

	for (int i = 0; i < 3; i++)
		shape += x->m->cluster[i] > 1;
	if (x->count > EXPLORE_ALL_AGENTS && x->m->blocks > WEIR_MODEL_AGENTS / 2)
		snprintf(r->bound, sizeof r->bound,
		         "a launch of %u blocks: at most %d are explored", x->m->blocks,
		         WEIR_MODEL_AGENTS / 2);
	else if (shape && (shape > 1 || x->m->cluster[0] == 1))
		snprintf(r->bound, sizeof r->bound, "clusters of several rows");
	return r->bound[0] != 0;
}

static weir_status explore(explorer *x)
{
	weir_status status = weir_ptx_machine_create(&x->m, x->kernel, &x->launch);

	if (status != WEIR_OK)
		return status;
	x->count = x->m->blocks * x->m->threads;
	x->observer = (weir_ptx_observer){.context = x, .meet = explore_meet};
	x->m->observer = &x->observer;
	if (!is_refused(x)) {
		status = make_tables(x) ? search(x)
		                        : weir_fail(WEIR_NO_MEMORY, "no memory for an exploration");
		free_tables(x);
	}
	weir_ptx_machine_destroy(x->m);
	return status;
}

/* Some executions were left out: that is no pass. */
static void add_bound(explorer *x)
{
	weir_check_finding f = {.kind = WEIR_CHECK_INCOMPLETE, .count = 1, .launch = 1};

	snprintf(f.what, sizeof f.what, "the exploration was ended by: %s", x->result->bound);
	snprintf(
	    f.fix, sizeof f.fix,
	    "a smaller launch, or a larger --time or --bound; the other executions are not shown.");
	weir_check_add(x->check, &f, "not-explored");
}

weir_status weir_explore(weir_check *check, const weir_explore_setup *setup,
                         weir_explore_result *result)
{
	explorer *x = calloc(1, sizeof *x);
	weir_status status;

	*result = (weir_explore_result){0};
	if (!x)
		return weir_fail(WEIR_NO_MEMORY, "no memory for an exploration");
	x->setup = setup;
	x->result = result;
	x->check = check;
	x->began = explore_now();
	status = setup->check->begin(setup->check->context, &x->kernel, &x->launch);
	if (status == WEIR_OK) {
		status = explore(x);
		if (status == WEIR_OK && result->bound[0])
			add_bound(x);
		setup->check->end(setup->check->context);
	}
	free(x);
	return status;
}

void weir_explore_result_free(weir_explore_result *result)
{
	free(result->outcomes);
	result->outcomes = NULL;
	result->outcome_count = 0;
}
