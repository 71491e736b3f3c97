/* Primitives and kinds by their names. */
#include "cli/kinds.h"

#include <stdint.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/parse.h"
#include "weir/kind.h"
#include "weir/weir.h"

weir_counts weir_all_kinds(enum weir_primitive primitive)
{
	weir_counts kinds = {0};
	const weir_kind *kind;

	for (size_t i = 0; (kind = weir_kind_at(primitive, i)) != NULL; i++)
		kinds.values[kinds.count++] = kind->value;
	return kinds;
}

const char *weir_kind_name(enum weir_primitive primitive, uint32_t kind)
{
	const weir_kind *row = weir_kind_find(primitive, kind);

	return row ? row->name : kind == 0 ? "default" : "unknown";
}

static int no_such_kind(enum weir_primitive primitive, const weir_counts *all, const char *name)
{
	char known[512] = "";

	for (uint32_t i = 0; i < all->count; i++)
		weir_append_name(known, sizeof known, weir_kind_name(primitive, all->values[i]));
	return weir_complain(WEIR_EXIT_USAGE, "there is no %s of kind '%s'; there are %s",
	                     weir_primitive_name(primitive), name, known);
}

struct kind_list {
	enum weir_primitive primitive;
	weir_counts *kinds;
};

static int take_kind(const char *part, void *context)
{
	struct kind_list *list = context;
	weir_counts all = weir_all_kinds(list->primitive);

	for (uint32_t i = 0; i < all.count; i++)
		if (strcmp(part, weir_kind_name(list->primitive, all.values[i])) == 0)
			return weir_counts_add("--kinds", list->kinds, all.values[i]);
	return no_such_kind(list->primitive, &all, part);
}

int weir_parse_kinds(const char *text, enum weir_primitive primitive, weir_counts *kinds)
{
	struct kind_list list = {primitive, kinds};
	kinds->count = 0;
	return weir_parse_list("--kinds", text, take_kind, &list);
}

int weir_parse_primitive(const char *text, enum weir_primitive *primitive)
{
	static const enum weir_primitive all[] = {WEIR_PRIMITIVE_BARRIER, WEIR_PRIMITIVE_MUTEX,
	                                          WEIR_PRIMITIVE_SEMAPHORE};
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
		if (strcmp(text, weir_primitive_name(all[i])) == 0) {
			*primitive = all[i];
			return 0;
		}
	}
	return weir_complain(WEIR_EXIT_USAGE, "'%s' is not barrier, mutex or semaphore", text);
}
