/* The values of options, from the tables that the subcommands themselves use. */
#include "completion/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/kinds.h"
#include "cli/simulated.h"
#include "doctor/doctor.h"
#include "forms/forms.h"
#include "forms/problems/problem.h"
#include "src/model/model.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

static void offer_devices(const weir_typed *typed, weir_offer offer, void *context)
{
	static const char *const simulating[] = {"probe", "classify", "bench", "tune", "report"};
	weir_device_info info;
	size_t count = 0;

	if (weir_device_list(NULL, 0, &count) != WEIR_OK)
		return;
	size_t room = count;
	weir_device_info *infos = weir_need(calloc(room + 1, sizeof *infos));
	if (weir_device_list(infos, room, &count) == WEIR_OK)
		for (size_t i = 0; i < count && i < room; i++)
			offer(infos[i].name, context);
	free(infos);
	for (size_t i = 0; i < sizeof simulating / sizeof simulating[0]; i++)
		if (strcmp(typed->subcommand, simulating[i]) == 0)
			for (size_t j = 0; weir_simulated_device(j, &info); j++)
				offer(info.name, context);
}

static void offer_profiles(const weir_typed *typed, weir_offer offer, void *context)
{
	const char *name;

	(void)typed;
	for (size_t i = 0; (name = weir_profile_builtin_name(i)); i++)
		offer(name, context);
}

/* Those that the subcommand takes: weir tune none with patterns, weir predict none without kinds. */
static void offer_primitives(const weir_typed *typed, weir_offer offer, void *context)
{
	int tunes = strcmp(typed->subcommand, "tune") == 0;
	int predicts = strcmp(typed->subcommand, "predict") == 0;
	enum weir_primitive primitive;

	for (size_t i = 0; weir_benchmarked(i, &primitive); i++)
		if (!weir_has_patterns(primitive) || (predicts && weir_kind_at(primitive, 0)) ||
		    (!tunes && !predicts))
			offer(weir_primitive_id(primitive), context);
}

/* The primitive on the command line: 1, or 0 when there is none. */
static int find_primitive(const weir_typed *typed, enum weir_primitive *primitive)
{
	const char *id = typed->primitive ? typed->primitive : typed->operand;

	for (size_t i = 0; id && weir_benchmarked(i, primitive); i++)
		if (weir_is_same_name(id, weir_primitive_id(*primitive)))
			return 1;
	return 0;
}

static void offer_kinds(const weir_typed *typed, weir_offer offer, void *context)
{
	enum weir_primitive primitive;
	const weir_kind *row;

	if (!find_primitive(typed, &primitive))
		return;
	for (size_t i = 0; (row = weir_kind_at(primitive, i)); i++)
		if (row->role != WEIR_BY_VENDOR)
			offer(row->name, context);
}

static void offer_patterns(const weir_typed *typed, weir_offer offer, void *context)
{
	enum weir_primitive primitive;

	if (!find_primitive(typed, &primitive))
		return;
	for (uint32_t i = 1; weir_pattern_name(i); i++)
		if (weir_pattern_is_of(i, primitive))
			offer(weir_pattern_name(i), context);
}

static void offer_mistakes(const weir_typed *typed, weir_offer offer, void *context)
{
	(void)typed;
	for (size_t i = 0; i < weir_mistake_count; i++)
		offer(weir_mistakes[i].name, context);
}

static void offer_kernels(const weir_typed *typed, weir_offer offer, void *context)
{
	(void)typed;
#define ROW(kernel) offer(real_##kernel.name, context);
	REAL_KERNELS(ROW)
#undef ROW
}

static void offer_forms(const weir_typed *typed, weir_offer offer, void *context)
{
	(void)typed;
	for (int i = 0; i < WEIR_FORMS; i++)
		offer(weir_forms[i].name, context);
}

/* The primitives of the explorer, or with `kinds` the kinds of the one that is named. */
static void offer_cases(const weir_typed *typed, int kinds, weir_offer offer, void *context)
{
	char before[64] = "";
	weir_model_case c;
	int larger;

	for (size_t i = 0; weir_model_case_at(i, &c, &larger) == 0; i++) {
		const char *word = kinds ? c.kind : weir_usual_name(c.primitive);

		if (kinds && typed->primitive && !weir_is_same_name(typed->primitive, c.primitive))
			continue;
		if (strcmp(word, before) != 0)
			offer(word, context);
		snprintf(before, sizeof before, "%s", word);
	}
}

static void offer_model_primitives(const weir_typed *typed, weir_offer offer, void *context)
{
	offer_cases(typed, 0, offer, context);
}

static void offer_model_kinds(const weir_typed *typed, weir_offer offer, void *context)
{
	offer_cases(typed, 1, offer, context);
}

/* The first row that fits holds; NULL is any subcommand. A test finds options without a row. */
static const struct row {
	const char *subcommand;
	const char *option;
	weir_value_form form;
	void (*offer)(const weir_typed *typed, weir_offer offer, void *context);
} rows[] = {
    {NULL, "device", WEIR_VALUE_ONE, offer_devices},
    {NULL, "profile", WEIR_VALUE_FILE, offer_profiles},
    {NULL, "json", WEIR_VALUE_FILE, NULL},
    {NULL, "output", WEIR_VALUE_FILE, NULL},
    {NULL, "check", WEIR_VALUE_FILE, NULL},
    {NULL, "trace", WEIR_VALUE_FILE, NULL},
    {NULL, "replay", WEIR_VALUE_FILE, NULL},
    {NULL, "claims", WEIR_VALUE_FILE, NULL},
    {NULL, "against", WEIR_VALUE_FILE, NULL},
    {NULL, "data", WEIR_VALUE_FILE, NULL},
    {NULL, "save-plots", WEIR_VALUE_FILE, NULL},
    {"report", "kernels", WEIR_VALUE_FILE, NULL},
    {"bench kernels", "kernels", WEIR_VALUE_LIST, offer_kernels},
    {NULL, "forms", WEIR_VALUE_LIST, offer_forms},
    {"verify", "primitive", WEIR_VALUE_ONE, offer_model_primitives},
    {"verify", "kind", WEIR_VALUE_ONE, offer_model_kinds},
    {NULL, "primitive", WEIR_VALUE_ONE, offer_primitives},
    {NULL, "kinds", WEIR_VALUE_LIST, offer_kinds},
    {NULL, "patterns", WEIR_VALUE_LIST, offer_patterns},
    {NULL, "case", WEIR_VALUE_ONE, offer_mistakes},
    {NULL, "blocks", WEIR_VALUE_ANY, NULL},
    {NULL, "threads", WEIR_VALUE_ANY, NULL},
    {NULL, "rounds", WEIR_VALUE_ANY, NULL},
    {NULL, "repeats", WEIR_VALUE_ANY, NULL},
    {NULL, "work", WEIR_VALUE_ANY, NULL},
    {NULL, "cluster", WEIR_VALUE_ANY, NULL},
    {NULL, "initial", WEIR_VALUE_ANY, NULL},
    {NULL, "stores", WEIR_VALUE_ANY, NULL},
    {NULL, "uneven", WEIR_VALUE_ANY, NULL},
    {NULL, "limit", WEIR_VALUE_ANY, NULL},
    {NULL, "seconds", WEIR_VALUE_ANY, NULL},
    {NULL, "sizes", WEIR_VALUE_ANY, NULL},
    {NULL, "step", WEIR_VALUE_ANY, NULL},
    {NULL, "what-if", WEIR_VALUE_ANY, NULL},
    {NULL, "backoff", WEIR_VALUE_ANY, NULL},
    {NULL, "bound", WEIR_VALUE_ANY, NULL},
    {NULL, "seed", WEIR_VALUE_ANY, NULL},
    {NULL, "ranks", WEIR_VALUE_ANY, NULL},
    {NULL, "radix", WEIR_VALUE_ANY, NULL},
    {NULL, "fault", WEIR_VALUE_ANY, NULL},
    {NULL, "simulate", WEIR_VALUE_ANY, NULL},
    {NULL, "links", WEIR_VALUE_ANY, NULL},
    {NULL, "layers", WEIR_VALUE_ANY, NULL},
    {NULL, "nccl", WEIR_VALUE_FILE, NULL},
};

weir_value_form weir_offer_values(const weir_typed *typed, const char *option, weir_offer offer,
                                  void *context)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct row *row = &rows[i];

		if (strcmp(row->option, option) != 0 ||
		    (row->subcommand && strcmp(row->subcommand, typed->subcommand) != 0))
			continue;
		if (row->offer)
			row->offer(typed, offer, context);
		return row->form;
	}
	return WEIR_VALUE_UNKNOWN;
}

void weir_offer_operands(const weir_typed *typed, weir_offer offer, void *context)
{
	int measures = strcmp(typed->subcommand, "bench") == 0;

	if (strcmp(typed->subcommand, "completion") == 0) {
		offer("bash", context);
		offer("zsh", context);
	}
	if (measures)
		offer("kernels", context);
	if (measures || strcmp(typed->subcommand, "tune") == 0)
		offer_primitives(typed, offer, context);
}
