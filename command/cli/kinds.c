/* Primitives and kinds by their names. */
#include "cli/kinds.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/parse.h"
#include "src/sim/sim.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

weir_counts weir_all_kinds(enum weir_primitive primitive)
{
	weir_counts kinds = {0};
	const weir_kind *row;

	if (primitive == WEIR_PRIMITIVE_MUTEX_ARRAY || primitive == WEIR_PRIMITIVE_GROUP ||
	    primitive == WEIR_PRIMITIVE_BUFFER)
		return kinds;
	for (size_t i = 0; (row = weir_kind_at(primitive, i)) != NULL; i++)
		if (row->role != WEIR_BY_VENDOR)
			kinds.values[kinds.count++] = row->value;
	if (kinds.count == 0)
		kinds.count = 1; /* no kinds: 0 stands for the only one */
	return kinds;
}

const char *weir_kind_name(enum weir_primitive primitive, uint32_t kind)
{
	const weir_kind *row = weir_kind_find(primitive, kind);

	return row ? row->name : kind == 0 ? "default" : "unknown";
}

static void print_role(FILE *text, enum weir_primitive primitive, const weir_counts *kinds,
                       int role, const char *label)
{
	const char *before = label;

	for (uint32_t i = 0; i < kinds->count; i++) {
		const weir_kind *kind = weir_kind_find(primitive, kinds->values[i]);
		if (!kind || kind->role != role)
			continue;
		fprintf(text, "%s%s", before, kind->name);
		before = ", ";
	}
	if (before != label)
		fputc('\n', text);
}

void weir_print_roles(FILE *text, enum weir_primitive primitive, const weir_counts *kinds)
{
	print_role(text, primitive, kinds, WEIR_AS_PUBLISHED, "as published, for comparison: ");
	print_role(text, primitive, kinds, WEIR_BY_VENDOR, "by the vendor, for comparison: ");
}

static int no_such_kind(enum weir_primitive primitive, const weir_counts *all, const char *name)
{
	char known[512] = "";

	for (uint32_t i = 0; i < all->count; i++)
		weir_append_name(known, sizeof known, weir_kind_name(primitive, all->values[i]));
	return weir_refuse("there is no %s of kind '%s'; there are %s",
	                   weir_primitive_id(primitive), name, known);
}

struct kind_list {
	enum weir_primitive primitive;
	weir_counts *kinds;
};

static int take_kind(const char *part, void *context)
{
	struct kind_list *list = context;
	weir_counts all = weir_all_kinds(list->primitive);

	const weir_kind *kind = weir_kind_named(list->primitive, part);

	if (kind)
		return weir_counts_add("--kinds", list->kinds, kind->value);
	return no_such_kind(list->primitive, &all, part);
}

int weir_parse_kinds(const char *text, enum weir_primitive primitive, weir_counts *kinds)
{
	struct kind_list list = {primitive, kinds};
	kinds->count = 0;
	return weir_parse_list("--kinds", text, take_kind, &list);
}

weir_counts weir_all_patterns(enum weir_primitive primitive, int simulated)
{
	weir_counts patterns = {0};

	for (uint32_t pattern = 1; weir_pattern_name(pattern); pattern++)
		if (weir_pattern_is_of(pattern, primitive) &&
		    (!simulated || weir_sim_has_pattern(pattern)))
			patterns.values[patterns.count++] = pattern;
	return patterns;
}

static int take_pattern(const char *part, void *context)
{
	struct kind_list *list = context;
	char known[256] = "";
	uint32_t pattern = weir_pattern_named(list->primitive, part);

	if (pattern)
		return weir_counts_add("--patterns", list->kinds, pattern);
	for (pattern = 1; weir_pattern_name(pattern); pattern++)
		if (weir_pattern_is_of(pattern, list->primitive))
			weir_append_name(known, sizeof known, weir_pattern_name(pattern));
	return weir_refuse("there is no pattern '%s' of a benchmark of %s; there are %s", part,
	                   weir_primitive_id(list->primitive), known);
}

int weir_parse_patterns(const char *text, enum weir_primitive primitive, weir_counts *patterns)
{
	struct kind_list list = {primitive, patterns};

	patterns->count = 0;
	return weir_parse_list("--patterns", text, take_pattern, &list);
}

int weir_check_simulated(const weir_counts *patterns)
{
	for (uint32_t i = 0; i < patterns->count; i++)
		if (!weir_sim_has_pattern(patterns->values[i]))
			return weir_refuse("--patterns: %s cannot be simulated",
			                   weir_pattern_name(patterns->values[i]));
	return 0;
}

int weir_benchmarked(size_t index, enum weir_primitive *primitive)
{
	static const enum weir_primitive all[] = {
	    WEIR_PRIMITIVE_BARRIER,     WEIR_PRIMITIVE_MUTEX,   WEIR_PRIMITIVE_SEMAPHORE,
	    WEIR_PRIMITIVE_EVENT_ARRAY, WEIR_PRIMITIVE_QUEUE,   WEIR_PRIMITIVE_DISPENSER,
	    WEIR_PRIMITIVE_TASKS,       WEIR_PRIMITIVE_RWLOCK,  WEIR_PRIMITIVE_CONDITION,
	    WEIR_PRIMITIVE_ONCE,        WEIR_PRIMITIVE_COMBINER};

	if (index >= sizeof all / sizeof all[0])
		return 0;
	*primitive = all[index];
	return 1;
}

static size_t singular_length(const char *name)
{
	size_t length = strlen(name);

	return length > 1 && name[length - 1] == 's' ? length - 1 : length;
}

int weir_is_same_name(const char *one, const char *other)
{
	size_t length = singular_length(one);

	return length == singular_length(other) && strncmp(one, other, length) == 0;
}

int weir_is_benchmarked(const char *text, enum weir_primitive *primitive)
{
	for (size_t i = 0; weir_benchmarked(i, primitive); i++)
		if (weir_is_same_name(text, weir_primitive_id(*primitive)))
			return 1;
	return 0;
}

int weir_parse_primitive(const char *text, enum weir_primitive *primitive)
{
	if (weir_is_benchmarked(text, primitive))
		return 0;
	return weir_refuse(
	    "'%s' is not barrier, mutex, semaphore, event, queue, dispenser, tasks, rwlock, "
	    "condition, once or combiner",
	    text);
}
