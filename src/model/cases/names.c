/* Converts cases and verdicts to text, and cases back. */
#include <stdio.h>
#include <string.h>

#include "model/model.h"

static const char *const forms[] = {
    "",         " collective", " array",  " handoff",   " meet",          " relay",
    " several", " split",      " try",    " giving up", " all giving up", " greedy",
    " enough",  " mixed",      " chosen", " warps",     " named",         " launches",
    " closing", " batches",    " local",  " again",     " made",          " misuse"};

#define FORMS (sizeof forms / sizeof forms[0])

static const char *plural(uint32_t count)
{
	return count == 1 ? "" : "s";
}

void weir_model_case_name(const weir_model_case *c, char *name, size_t room)
{
	char initial[24] = "";
	char past[24] = "";
	char cluster[32] = "";
	char spread[48] = "";
	char group[80] = "";
	char first[32] = "";
	int used = 0;

	if (strcmp(c->primitive, "semaphore") == 0)
		snprintf(initial, sizeof initial, ", initial %u", c->initial);
	if (strcmp(c->primitive, "dispenser") == 0)
		snprintf(initial, sizeof initial, ", %u item%s", c->initial, plural(c->initial));
	if (c->slots)
		snprintf(initial, sizeof initial, ", %u slot%s", c->slots, plural(c->slots));
	if (c->past)
		snprintf(past, sizeof past, ", from %#x", c->past);
	if (c->cluster)
		snprintf(cluster, sizeof cluster, ", clusters of %u", c->cluster);
	if (c->bits)
		snprintf(spread, sizeof spread, ", spread by %u bit%s", c->bits, plural(c->bits));
	if (c->room)
		used = snprintf(group, sizeof group, ", room for %u", c->room);
	if (c->askers)
		used +=
		    snprintf(group + used, sizeof group - (size_t)used, ", %u may ask", c->askers);
	if (c->over[0])
		snprintf(group + used, sizeof group - (size_t)used, ", over %s", c->over);
	if (c->first)
		snprintf(first, sizeof first, ", divided by %u", c->first);
	snprintf(name, room, "%s %s%s %ux%u, %u round%s%s%s%s%s%s%s%s%s", c->primitive, c->kind,
	         forms[c->form], c->blocks, c->threads, c->rounds, plural(c->rounds), cluster,
	         spread, group, initial, past, first, c->aborts ? ", aborted" : "",
	         c->diagnosed ? ", diagnosed" : "");
}

/* A number followed by what it counts. */
static void parse_count(const char *text, weir_model_case *c)
{
	uint32_t count;
	char what[4];

	if (sscanf(text, ", %u %3s", &count, what) != 2)
		return;
	if (strcmp(what, "may") == 0)
		c->askers = count;
	else if (strcmp(what, "ite") == 0)
		c->initial = count;
	else
		c->slots = count;
}

/* The details that may follow the rounds. */
static void parse_details(const char *text, weir_model_case *c)
{
	while ((text = strchr(text, ',')) != NULL) {
		if (sscanf(text, ", initial %u", &c->initial) != 1 &&
		    sscanf(text, ", clusters of %u", &c->cluster) != 1 &&
		    sscanf(text, ", spread by %u", &c->bits) != 1 &&
		    sscanf(text, ", room for %u", &c->room) != 1 &&
		    sscanf(text, ", over %15[a-z_]", c->over) != 1 &&
		    sscanf(text, ", divided by %u", &c->first) != 1 &&
		    sscanf(text, ", from %x", &c->past) != 1)
			parse_count(text, c);
		if (strncmp(text, ", aborted", strlen(", aborted")) == 0)
			c->aborts = 1;
		if (strncmp(text, ", diagnosed", strlen(", diagnosed")) == 0)
			c->diagnosed = 1;
		text++;
	}
}

int weir_model_case_named(const char *name, weir_model_case *c)
{
	char again[128];
	const char *rest;
	int read = 0;

	memset(c, 0, sizeof *c);
	if (sscanf(name, "%15s %31s%n", c->primitive, c->kind, &read) != 2)
		return -1;
	rest = name + read;
	for (size_t form = 1; form < FORMS; form++)
		if (strncmp(rest, forms[form], strlen(forms[form])) == 0) {
			c->form = (weir_model_form)form;
			rest += strlen(forms[form]);
		}
	read = 0;
	if (sscanf(rest, " %ux%u, %u round%n", &c->blocks, &c->threads, &c->rounds, &read) != 3 ||
	    read == 0)
		return -1;
	parse_details(rest + read, c);
	weir_model_case_name(c, again, sizeof again);
	return strcmp(name, again) == 0 ? 0 : -1;
}

void weir_model_case_resize(weir_model_case *c, uint32_t blocks, uint32_t threads, uint32_t rounds)
{
	c->blocks = blocks ? blocks : c->blocks;
	c->threads = threads ? threads : c->threads;
	c->rounds = rounds ? rounds : c->rounds;
	if (c->form == WEIR_MODEL_MEET)
		c->initial = c->blocks;
}

const char *weir_model_verdict_text(weir_model_verdict verdict)
{
	static const char *const texts[] = {"pass",         "race",  "deadlock",
	                                    "lost wake-up", "check", "limit"};

	return (unsigned)verdict < sizeof texts / sizeof texts[0] ? texts[verdict] : "unknown";
}
