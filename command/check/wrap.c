/* Which words count on from launch to launch is seen in a few launches in a row: each raises them by the same number. After
 * m launches they hold m times as much, so all words stay in step with each other.
 *
 * Only in step with whole launches, a counter of a power of two would always wrap between two launches, and a launch of
 * two blocks hides what one of three shows. So launches also begin in the middle of such a step. Whether the kernel can
 * begin there is tried first, with small values that are in step in the same way. */
#include "check/wrap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/stop.h"

#define LAUNCHES 5 /* more than a word that counts modulo 4 goes on evenly */
#define MOST_COUNTERS 4096
#define MOST_STEPS 4 /* different ones, whose counters wrap at different launches */

static uint32_t word_of(const uint8_t *bytes, size_t offset)
{
	uint32_t word = 0;

	if (bytes)
		memcpy(&word, bytes + offset, sizeof word);
	return word;
}

/* ---- counters ---- */

typedef struct search {
	weir_check_plan *plan;
	unsigned launches; /* that have ended */
} search;

static void begin_counters(weir_check_plan *plan)
{
	for (uint32_t i = 0; i < plan->count; i++) {
		const weir_check_argument *a = &plan->arguments[i];
		if (a->form != WEIR_CHECK_BUFFER || a->is_unwritten)
			continue;
		for (size_t at = 0; at + 4 <= a->bytes; at += 4) {
			const uint8_t *own = (const uint8_t *)(uintptr_t)a->address;
			weir_check_counter c = {.argument = i, .offset = at};
			c.first = word_of(a->contents, at);
			c.last = word_of(own, at);
			c.step = c.last - c.first;
			if (c.step && c.step < UINT32_C(1) << 30 &&
			    plan->counter_count < MOST_COUNTERS)
				plan->counters[plan->counter_count++] = c;
		}
	}
}

static void keep_counters(weir_check_plan *plan)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < plan->counter_count; i++) {
		weir_check_counter c = plan->counters[i];
		const weir_check_argument *a = &plan->arguments[c.argument];
		uint32_t now = word_of((const uint8_t *)(uintptr_t)a->address, c.offset);
		int is_even = now - c.last == c.step;
		c.last = now;
		if (is_even)
			plan->counters[kept++] = c;
	}
	plan->counter_count = kept;
}

static weir_status begin(void *context, weir_ptx_kernel **kernel, weir_ptx_launch *launch)
{
	search *s = context;
	const weir_check_setup setup = weir_check_setup_of(s->plan);

	return setup.begin(s->plan, kernel, launch);
}

static void name(void *context, uint64_t address, char *text, size_t bytes)
{
	search *s = context;
	const weir_check_setup setup = weir_check_setup_of(s->plan);

	setup.name(s->plan, address, text, bytes);
}

static void end(void *context)
{
	search *s = context;
	const weir_check_setup setup = weir_check_setup_of(s->plan);

	setup.end(s->plan);
}

/* Called after each launch. */
static int look(void *context, char *text, size_t bytes)
{
	search *s = context;

	(void)text;
	(void)bytes;
	if (s->launches++ == 0)
		begin_counters(s->plan);
	else
		keep_counters(s->plan);
	return 0;
}

/* Leaves the words that count on in the plan. */
static weir_status find_counters(weir_check_plan *plan, uint64_t seed)
{
	search s = {.plan = plan};
	const weir_check_setup setup = {.context = &s,
	                                .begin = begin,
	                                .compare = look,
	                                .name = name,
	                                .end = end,
	                                .launches = LAUNCHES};
	weir_check *scratch = weir_need(weir_check_create());
	weir_status status;

	plan->counters = weir_need(calloc(MOST_COUNTERS, sizeof *plan->counters));
	status = weir_check_execute(scratch, &setup, seed);
	if (s.launches < LAUNCHES || weir_check_count(scratch))
		plan->counter_count = 0;
	weir_check_destroy(scratch);
	return status;
}

/* ---- starts ---- */

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
	while (b) {
		uint32_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

static void start_at(weir_check_plan *plan, uint32_t divisor, uint64_t turn)
{
	for (uint32_t i = 0; i < plan->counter_count; i++) {
		weir_check_counter *c = &plan->counters[i];
		c->start = (uint32_t)(c->first + c->step / divisor * turn);
	}
}

static int is_clean(const weir_check_plan *plan, const weir_check *check)
{
	for (size_t i = 0; i < weir_check_count(check); i++)
		if (!weir_check_silenced(plan, weir_check_at(check, i)))
			return 0;
	return 1;
}

/* The schedules and the exploration from the starts. */
static int run_from(weir_check_plan *plan, weir_check *check, weir_explore_result *explored)
{
	const weir_check_setup setup = weir_check_setup_of(plan);
	weir_explore_setup all;
	weir_explore_result result;

	for (uint32_t i = 0; i < plan->seeds && is_clean(plan, check) && !weir_stop_asked(); i++)
		if (weir_check_execute(check, &setup, plan->seed + i) != WEIR_OK)
			return weir_complain(WEIR_EXIT_USAGE, "%s", weir_error_text());
	if (!(plan->explores || plan->outcomes) || !is_clean(plan, check) || weir_stop_asked())
		return 0;
	weir_check_explore_setup(plan, &setup, &all);
	all.outcome = NULL;
	if (weir_explore(check, &all, &result) != WEIR_OK)
		return weir_complain(WEIR_EXIT_USAGE, "%s", weir_error_text());
	explored->executions += result.executions;
	explored->blocked += result.blocked;
	explored->steps += result.steps;
	explored->is_exhaustive &= result.is_exhaustive;
	explored->is_stopped |= result.is_stopped;
	weir_explore_result_free(&result);
	return 0;
}

/* Whether the kernel can begin there: it is clean with small counters that are in step in the same way. */
static int can_begin(weir_check_plan *plan, uint32_t divisor, uint64_t turn, int *status)
{
	weir_check *scratch;
	weir_explore_result unused = {0};
	int can;

	if (turn % divisor == 0)
		return 1;
	scratch = weir_need(weir_check_create());
	start_at(plan, divisor, turn % divisor);
	*status = run_from(plan, scratch, &unused);
	can = *status == 0 && is_clean(plan, scratch);
	weir_check_destroy(scratch);
	return can;
}

static void place_of(const weir_check_plan *plan, const weir_check_counter *c, char *text,
                     size_t bytes)
{
	const char *buffer = plan->arguments[c->argument].name;

	if (c->offset)
		snprintf(text, bytes, "%s + %zu", buffer, c->offset);
	else
		snprintf(text, bytes, "%s", buffer);
}

static void suppose(const weir_check_plan *plan, weir_check *check)
{
	char why[640], place[96];
	size_t used;

	used = (size_t)snprintf(why, sizeof why,
	                        "With small counters the same schedules are clean. Here they begin "
	                        "as many launches leave "
	                        "them:");
	for (uint32_t i = 0; i < plan->counter_count && i < 4; i++) {
		place_of(plan, &plan->counters[i], place, sizeof place);
		used += (size_t)snprintf(why + used, sizeof why - used, "%s %s at %" PRIu32,
		                         i ? "," : "", place, plan->counters[i].start);
	}
	snprintf(why + used, sizeof why - used, "%s",
	         plan->counter_count > 4 ? ", and others." : ".");
	weir_check_suppose(
	    check, "counter-wrap", why,
	    "compare counters by their difference, (int)(value - target) < 0, or for equality; or "
	    "set them back to 0 before they wrap.");
}

/* From the turns at which counters of this step pass the bound: at the launch's first step, in its middle, and at its
 * last. */
static int run_bound(weir_check_plan *plan, weir_check *check, weir_explore_result *explored,
                     uint32_t divisor, const weir_check_counter *c, uint64_t bound,
                     unsigned *starts)
{
	const uint64_t last = (bound - 1 - c->first) / (c->step / divisor);
	const uint32_t back[] = {0, (divisor - 1) / 2, divisor - 1};
	int status = 0;

	for (int i = 0; i < 3 && status == 0 && is_clean(plan, check) && !weir_stop_asked(); i++) {
		if ((i && back[i] == back[i - 1]) || back[i] > last ||
		    !can_begin(plan, divisor, last - back[i], &status))
			continue;
		start_at(plan, divisor, last - back[i]);
		suppose(plan, check);
		status = run_from(plan, check, explored);
		++*starts;
	}
	return status;
}

static int run_all(weir_check_plan *plan, weir_check *check, weir_explore_result *explored,
                   unsigned *starts)
{
	uint32_t divisor = 0, steps = 0, done[MOST_STEPS];
	int status = 0;

	for (uint32_t i = 0; i < plan->counter_count; i++)
		divisor = common_divisor(divisor, plan->counters[i].step);
	for (uint32_t i = 0; i < plan->counter_count && status == 0 && steps < MOST_STEPS; i++) {
		const weir_check_counter c = plan->counters[i];
		int is_done = 0;
		for (uint32_t k = 0; k < steps; k++)
			is_done |= done[k] == c.step;
		if (is_done)
			continue;
		done[steps++] = c.step;
		for (int power = 31; power <= 32 && status == 0; power++)
			if (c.first < UINT64_C(1) << power)
				status = run_bound(plan, check, explored, divisor, &c,
				                   UINT64_C(1) << power, starts);
	}
	return status;
}

int weir_check_wrap(weir_check_plan *plan, weir_check *check, weir_explore_result *explored)
{
	unsigned starts = 0;
	char place[96];
	int status;

	snprintf(plan->wrapped, sizeof plan->wrapped, "--wrap was not run");
	if (!is_clean(plan, check))
		return 0;
	if (find_counters(plan, plan->seed) != WEIR_OK)
		return weir_complain(WEIR_EXIT_USAGE, "%s", weir_error_text());
	if (!plan->counter_count) {
		snprintf(plan->wrapped, sizeof plan->wrapped,
		         "--wrap: no word counts on from launch to launch");
		return 0;
	}
	plan->has_starts = 1;
	status = run_all(plan, check, explored, &starts);
	plan->has_starts = 0;
	weir_check_suppose(check, NULL, NULL, NULL);
	place_of(plan, &plan->counters[0], place, sizeof place);
	snprintf(plan->wrapped, sizeof plan->wrapped, "%u start%s near the wrap of %s%s", starts,
	         starts == 1 ? "" : "s", place, plan->counter_count > 1 ? " and others" : "");
	return status;
}
