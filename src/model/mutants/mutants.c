/* Mutants: the shipped code with one operation or one place changed, while it runs. Runs of the
 * kind's cases along random schedules find the places.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/cases/mutable.h"
#include "model/machine.h"
#include "model/model.h"
#include "model/mutants/equivalent.h"

#define MOST_SITES 512
#define SAMPLES 300
#define START_EXECUTIONS 1000

typedef struct site {
	const weir_model_site *site;
	uint64_t cases;   /* see weir_model_mutant */
	uint8_t followed; /* another access of the same function follows it */
} site;

typedef struct site_list {
	site sites[MOST_SITES];
	uint64_t now; /* the bit of the current case */
	int of_group;
	int of_engine;
	const char *hooks;  /* for code that only a diagnosis has: the primitive; else NULL */
	const char *folder; /* the primitive's folder, if only its own code has mutants; else
	                     * NULL */
	size_t count;
} site_list;

static site *find_site(site_list *list, const weir_model_site *place)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		if (list->sites[i].site == place)
			break;
	if (i == MOST_SITES)
		return &list->sites[MOST_SITES - 1];
	if (i == list->count) {
		list->sites[i] = (site){.site = place};
		list->count++;
	}
	list->sites[i].cases |= list->now;
	return &list->sites[i];
}

static int ends_with(const char *text, const char *end)
{
	size_t all = strlen(text);
	size_t part = strlen(end);

	return all >= part && strcmp(text + all - part, end) == 0;
}

static int starts_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

static int is_sync(const char *operation)
{
	static const char *const syncs[] = {"block_sync", "block_sync_rel", "team_sync",
	                                    "first_sync"};

	for (size_t i = 0; i < sizeof syncs / sizeof syncs[0]; i++)
		if (strcmp(operation, syncs[i]) == 0)
			return 1;
	return 0;
}

/* An operation whose only effect is to order, or to ask for an abort. */
static int is_bare(const char *operation)
{
	return starts_with(operation, "fence") || is_sync(operation) ||
	       strcmp(operation, "poll_acquire") == 0 || strcmp(operation, "acquire_each") == 0 ||
	       strcmp(operation, "wait_aborted") == 0 || strcmp(operation, "wait_result") == 0;
}

/* Only the library's own code, not the cases around it. */
static int is_library_text(const weir_model_site *site)
{
	return strstr(site->file, "include/weir/") != NULL;
}

/* A group's barriers have mutants of their own. Of their code, only the functions that set first
 * states belong to the group. */
static int is_of_group(const weir_model_site *site)
{
	return strstr(site->file, "weir/group/") != NULL ||
	       ends_with(site->function, "_barrier_start");
}

/* A crew over an engine has the mutants of the code for engines. The rest is covered by crews. */
static int is_of_engine(const weir_model_site *site)
{
	static const char *const functions[] = {"weir_crew_event_post", "weir_crew_event_reached_",
	                                        "weir_crew_poll_",      "weir_crew_see_",
	                                        "weir_crew_share",      "weir_crew_reaches",
	                                        "weir_crew_is_direct_"};

	for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
		if (strcmp(site->function, functions[i]) == 0)
			return 1;
	return ends_with(site->file, "weir/crew/engine.h") &&
	       !starts_with(site->function, "weir_crew_first_");
}

/* The queues of tasks, the mutex of a condition, the end of a combiner's launch, and the queues and
 * events of a crew have mutants elsewhere. */
static const char *own_folder(const char *primitive)
{
	return strcmp(primitive, "tasks") == 0       ? "weir/tasks/"
	       : strcmp(primitive, "condition") == 0 ? "weir/condition/"
	       : strcmp(primitive, "combiner") == 0  ? "weir/combiner/"
	       : strcmp(primitive, "crew") == 0      ? "weir/crew/"
	                                             : NULL;
}

/* The hooks of all primitives share this code. */
static int is_shared(const weir_model_site *site)
{
	static const char *const files[] = {"diagnosis/operation.h", "diagnosis/notes.h",
	                                    "machine/area_notes.h", "weir/site.h"};

	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
		if (ends_with(site->file, files[i]))
			return 1;
	return 0;
}

/* Whether the site is in code that diagnosis of this primitive alone uses: its header of hooks, or
 * the hooks in its other headers, which are places. */
static int is_hook(const char *primitive, const weir_model_site *site)
{
	char file[64];

	if (strcmp(primitive, "notes") == 0)
		return is_shared(site);
	snprintf(file, sizeof file, "weir/diagnosis/%s.h", primitive);
	if (ends_with(site->file, file))
		return 1;
	snprintf(file, sizeof file, "include/weir/%s/", primitive);
	return weir_model_is_text_(site) && strstr(site->file, file) != NULL;
}

static int is_in_folder(const site_list *list, const weir_model_site *site)
{
	return !list->folder || strstr(site->file, list->folder) != NULL;
}

static void note_site(void *context, const weir_model_site *site, const weir_model_site *before)
{
	site_list *list = context;

	if (list->hooks ? !is_hook(list->hooks, site)
	                : !is_library_text(site) || !is_in_folder(list, site) ||
	                      (list->of_engine && !is_of_engine(site)) ||
	                      (list->of_group && !is_of_group(site) &&
	                       !strstr(site->file, "mutex/ticket.h")))
		return;
	find_site(list, site);
	if (before && !is_sync(site->operation) && !starts_with(site->operation, "wait_"))
		find_site(list, before)->followed = 1;
}

/* The operations there are recorded by note_site. No case depends on the sizes of objects, so these
 * are left out. */
static void note_text(void *context, const weir_model_site *site, const weir_model_site *before)
{
	site_list *list = context;

	(void)before;
	if (weir_model_is_text_(site) && !weir_model_is_call_(site) &&
	    !ends_with(site->function, "_words") && (!list->of_group || is_of_group(site)) &&
	    (!list->of_engine || is_of_engine(site)) && is_in_folder(list, site))
		find_site(list, site);
}

/* The bit of a case in weir_model_mutant.cases, by its number among those of its kind. */
static uint64_t case_bit(unsigned number)
{
	return (uint64_t)1 << (number < 63 ? number : 63);
}

static int same_kind(const weir_model_case *c, const char *primitive, const char *kind,
                     uint32_t diagnosed)
{
	return c->diagnosed == diagnosed && strcmp(c->primitive, primitive) == 0 &&
	       strcmp(c->kind, kind) == 0;
}

static int find_sites(const char *primitive, const char *kind, uint32_t diagnosed, site_list *list)
{
	weir_model_options options = {0};
	weir_model_outcome outcome;
	weir_model_case c;
	unsigned number = 0;
	int larger;

	list->hooks = diagnosed ? primitive : NULL;
	list->of_group = strcmp(primitive, "group") == 0;
	list->of_engine = strcmp(primitive, "remote") == 0;
	list->folder = own_folder(primitive);
	options.search = WEIR_MODEL_RANDOM;
	options.bound = SAMPLES;
	options.seed = 1;
	options.reached = note_site;
	options.reached_context = list;
	for (size_t i = 0; weir_model_case_at(i, &c, &larger) == 0; i++) {
		if (!same_kind(&c, primitive, kind, diagnosed))
			continue;
		list->now = case_bit(number++);
		if (weir_model_run(&c, &options, &outcome) != 0)
			return -1;
		weir_model_outcome_free(&outcome);
		if (diagnosed)
			continue; /* its code has these places already */
		options.reached = note_text;
		if (weir_model_run_text_(&c, &options, &outcome) != 0)
			return -1;
		weir_model_outcome_free(&outcome);
		options.reached = note_site;
	}
	return 0;
}

/* The order of the source: by file, by line, and within a line by the number of the place. */
static int compare_sites(const weir_model_site *a, const weir_model_site *b)
{
	int files = strcmp(strstr(a->file, "include/weir/"), strstr(b->file, "include/weir/"));
	int operations = strcmp(a->operation, b->operation);

	return files                ? files
	       : a->line != b->line ? a->line - b->line
	       : operations         ? operations
	       : a == b             ? 0
	       : a < b              ? -1
	                            : 1;
}

static void sort_sites(site_list *list)
{
	for (size_t i = 1; i < list->count; i++)
		for (size_t j = i;
		     j > 0 && compare_sites(list->sites[j].site, list->sites[j - 1].site) < 0;
		     j--) {
			site moved = list->sites[j];
			list->sites[j] = list->sites[j - 1];
			list->sites[j - 1] = moved;
		}
}

/* Whether the change makes the operation behave differently. An exchange that acquires takes a
 * value out and uses it. An exchange that does not acquire puts a value in, like a store. A store
 * may move after a block sync. */
static int applies(const site_list *list, size_t index, weir_model_change change)
{
	const char *name = list->sites[index].site->operation;
	int is_exchange = starts_with(name, "xchg");
	int puts = strcmp(name, "xchg_rlx") == 0 || strcmp(name, "xchg_rel") == 0;
	int is_note = starts_with(name, "note_");
	int gets = strcmp(name, "note_get") == 0;
	int swaps = strcmp(name, "note_swap") == 0;
	int is_store = starts_with(name, "store") || puts || (is_note && !gets && !swaps);
	int is_add = starts_with(name, "add") || starts_with(name, "red_add");
	int is_await = starts_with(name, "await");
	int is_poll = strcmp(name, "poll") == 0 || strcmp(name, "poll64") == 0;
	int is_load = starts_with(name, "load") || is_poll || gets;
	int is_wide = strstr(name, "64_") != NULL || strcmp(name, "poll64") == 0;

	/* Only the host notices a late note. */
	if (list->hooks && change == WEIR_MODEL_LATE)
		return 0;
	if (weir_model_is_text_(list->sites[index].site) || change == WEIR_MODEL_TEXT)
		return weir_model_is_text_(list->sites[index].site) && change == WEIR_MODEL_TEXT;
	switch (change) {
	case WEIR_MODEL_TO_RLX:
		return (ends_with(name, "_acq") || ends_with(name, "_rel") || is_poll) &&
		       !is_bare(name);
	case WEIR_MODEL_TO_ACQ:
	case WEIR_MODEL_TO_REL:
		return ends_with(name, "_acq_rel") && !starts_with(name, "fence");
	case WEIR_MODEL_DROP:
		return is_store || starts_with(name, "red_add") || is_bare(name);
	case WEIR_MODEL_VALUE:
	case WEIR_MODEL_LESS:
		return is_store || is_exchange || is_add || is_await;
	case WEIR_MODEL_RESULT:
		return is_load || starts_with(name, "add") || is_exchange ||
		       starts_with(name, "cas") || swaps;
	case WEIR_MODEL_UNSIGNED:
		return starts_with(name, "await_eq") || starts_with(name, "await_ge") ||
		       starts_with(name, "await_high_ge");
	case WEIR_MODEL_LATE:
		return is_store && list->sites[index].followed;
	case WEIR_MODEL_STORE:
		return puts;
	case WEIR_MODEL_HIGH:
		return is_wide && (is_store || is_add);
	case WEIR_MODEL_HIGH_RESULT:
		return is_wide && (is_load || starts_with(name, "add") || starts_with(name, "cas"));
	default:
		return 0;
	}
}

/* The number of the operation among those of the same name in its function, from 1. */
static unsigned ordinal(const site_list *list, size_t index)
{
	const weir_model_site *site = list->sites[index].site;
	unsigned number = 1;

	for (size_t i = 0; i < index; i++)
		if (strcmp(list->sites[i].site->function, site->function) == 0 &&
		    strcmp(list->sites[i].site->operation, site->operation) == 0)
			number++;
	return number;
}

static void name_mutant(weir_model_mutant *mutant, const site_list *list, size_t index)
{
	static const char *const changes[] = {
	    "",
	    "to rlx",
	    "to acq",
	    "to rel",
	    "left out",
	    "value +1",
	    "value -1",
	    "result +1",
	    "unsigned compare",
	    "too late",
	    "as a store",
	    "value +2^32",
	    "result +2^32",
	    "",
	};
	const weir_model_site *site = list->sites[index].site;

	snprintf(mutant->name, sizeof mutant->name, "%s %s: %s %s #%u %s", mutant->primitive,
	         mutant->diagnosed ? "diagnosed" : mutant->kind, site->function, site->operation,
	         ordinal(list, index),
	         mutant->change == WEIR_MODEL_TEXT ? site->word : changes[mutant->change]);
	mutant->equivalent = weir_model_why_equivalent_(mutant->name);
	mutant->uncovered = weir_model_why_uncovered_(mutant->name);
}

int weir_model_mutants(const char *primitive, const char *kind, uint32_t diagnosed,
                       weir_model_mutant **result, size_t *count)
{
	site_list *list = calloc(1, sizeof *list);
	weir_model_mutant *mutants = calloc(MOST_SITES * WEIR_MODEL_CHANGES, sizeof *mutants);
	size_t made = 0;

	if (!list || !mutants ||
	    ((!diagnosed || weir_model_has_hooks_(primitive, kind)) &&
	     find_sites(primitive, kind, diagnosed, list) != 0)) {
		free(list);
		free(mutants);
		return -1;
	}
	sort_sites(list);
	for (size_t i = 0; i < list->count; i++)
		for (int change = WEIR_MODEL_TO_RLX; change < WEIR_MODEL_CHANGES; change++) {
			weir_model_mutant *mutant = &mutants[made];
			if (!applies(list, i, (weir_model_change)change))
				continue;
			snprintf(mutant->primitive, sizeof mutant->primitive, "%s", primitive);
			snprintf(mutant->kind, sizeof mutant->kind, "%s", kind);
			mutant->diagnosed = diagnosed;
			mutant->site = list->sites[i].site;
			mutant->cases = list->sites[i].cases;
			mutant->change = (weir_model_change)change;
			name_mutant(mutant, list, i);
			made++;
		}
	free(list);
	*result = mutants;
	*count = made;
	return 0;
}

/* Runs the cases of the mutant's kind that have a bit in `cases`, until one fails. */
static int run_cases(const weir_model_mutant *mutant, uint64_t cases, uint64_t max_executions,
                     weir_model_case *killer, weir_model_outcome *outcome)
{
	weir_model_options options = {.mutant = mutant, .max_executions = max_executions};
	unsigned number = 0;
	int larger;

	memset(outcome, 0, sizeof *outcome);
	for (size_t i = 0; weir_model_case_at(i, killer, &larger) == 0; i++) {
		if (!same_kind(killer, mutant->primitive, mutant->kind, mutant->diagnosed) ||
		    !(cases & case_bit(number++)))
			continue;
		if (weir_model_run(killer, &options, outcome) != 0)
			return -1;
		if (outcome->verdict != WEIR_MODEL_PASS)
			return 0;
	}
	return 0;
}

/* The start of some case kills almost every mutant. */
int weir_model_try_mutant(const weir_model_mutant *mutant, weir_model_case *killer,
                          weir_model_outcome *outcome)
{
	return run_cases(mutant, mutant->cases, START_EXECUTIONS, killer, outcome);
}

int weir_model_run_mutant(const weir_model_mutant *mutant, uint64_t max_executions,
                          weir_model_case *killer, weir_model_outcome *outcome)
{
	if (weir_model_try_mutant(mutant, killer, outcome) != 0)
		return -1;
	if (outcome->verdict != WEIR_MODEL_PASS)
		return 0;
	return run_cases(mutant, UINT64_MAX, max_executions, killer, outcome);
}
