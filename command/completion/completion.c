/* weir completion: the scripts for shells, and the words that they ask for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/kinds.h"
#include "cli/options.h"
#include "cli/simulated.h"
#include "command.h"
#include "doctor/doctor.h"
#include "forms/forms.h"
#include "forms/problems/problem.h"
#include "header/extract.h"
#include "src/model/model.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

/* The scripts next to this file, in the folder WEIR_COMPLETION. */
#define SCRIPT(symbol, file)                                                                       \
	__asm__(".pushsection .rodata\n" #symbol ":\n"                                             \
	        ".incbin \"" WEIR_COMPLETION "/" file "\"\n"                                       \
	        ".byte 0\n"                                                                        \
	        ".popsection\n");                                                                  \
	extern const char symbol[] __attribute__((visibility("hidden")))

SCRIPT(weir_completion_bash_, "weir.bash");
SCRIPT(weir_completion_zsh_, "weir.zsh");

/* ---- the values of options, from the tables that the subcommands themselves use ---- */

/* The command line before the word that is being completed. */
typedef struct weir_typed {
	const char *subcommand; /* "bench", or "bench kernels" */
	const char *operand;    /* the first operand, or NULL */
	const char *primitive;  /* the value of --primitive, or NULL */
} weir_typed;

typedef void (*weir_offer)(const char *word, void *context);

/* How a value continues. */
typedef enum weir_value_form {
	WEIR_VALUE_ANY, /* a number, or a list of numbers: nothing to offer */
	WEIR_VALUE_ONE,
	WEIR_VALUE_LIST, /* words separated by commas */
	WEIR_VALUE_FILE, /* a file, or one of the words that were offered */
} weir_value_form;

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

/* The primitives that the subcommand accepts: weir tune none with patterns, weir predict none
 * without kinds. */
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

/* Finds the primitive on the command line: returns 1, or 0 if there is none. */
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

/* The primitives of the explorer, or with `kinds` the kinds of the named primitive. */
static void offer_cases(const weir_typed *typed, int kinds, weir_offer offer, void *context)
{
	char offered[1024] = " "; /* a primitive has cases with diagnosis and without */
	weir_model_case c;
	int larger;

	for (size_t i = 0; weir_model_case_at(i, &c, &larger) == 0; i++) {
		const char *word = kinds ? c.kind : c.primitive;

		if (kinds && typed->primitive && !weir_is_same_name(typed->primitive, c.primitive))
			continue;
		char between[64];
		size_t used = strlen(offered);

		snprintf(between, sizeof between, " %s ", word);
		if (strstr(offered, between))
			continue;
		offer(word, context);
		snprintf(offered + used, sizeof offered - used, "%s ", word);
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

static void offer_machines(const weir_typed *typed, weir_offer offer, void *context)
{
	(void)typed;
	for (size_t i = 0; weir_extract_machine(i); i++)
		offer(weir_extract_machine(i), context);
}

/* The options that have words to offer. The first matching row applies; NULL matches any
 * subcommand. */
static const struct row {
	const char *subcommand;
	const char *option;
	weir_value_form form;
	void (*offer)(const weir_typed *typed, weir_offer offer, void *context);
} rows[] = {
    {NULL, "device", WEIR_VALUE_ONE, offer_devices},
    {NULL, "profile", WEIR_VALUE_FILE, offer_profiles},
    {"bench kernels", "kernels", WEIR_VALUE_LIST, offer_kernels},
    {NULL, "forms", WEIR_VALUE_LIST, offer_forms},
    {"header", "machine", WEIR_VALUE_LIST, offer_machines},
    {"verify", "primitive", WEIR_VALUE_ONE, offer_model_primitives},
    {"verify", "kind", WEIR_VALUE_ONE, offer_model_kinds},
    {NULL, "primitive", WEIR_VALUE_ONE, offer_primitives},
    {NULL, "kinds", WEIR_VALUE_LIST, offer_kinds},
    {NULL, "patterns", WEIR_VALUE_LIST, offer_patterns},
    {NULL, "case", WEIR_VALUE_ONE, offer_mistakes},
};

/* Offers each value of an option. */
static weir_value_form offer_values(const weir_typed *typed, const weir_option *option,
                                    weir_offer offer, void *context)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct row *row = &rows[i];

		if (strcmp(row->option, option->name) != 0 ||
		    (row->subcommand && strcmp(row->subcommand, typed->subcommand) != 0))
			continue;
		row->offer(typed, offer, context);
		return row->form;
	}
	return strstr(option->value, "FILE") || strcmp(option->value, "DIR") == 0 ? WEIR_VALUE_FILE
	                                                                          : WEIR_VALUE_ANY;
}

/* Offers each first operand of the subcommand. */
static void offer_operands(const weir_typed *typed, weir_offer offer, void *context)
{
	int measures = strcmp(typed->subcommand, "bench") == 0;

	if (strcmp(typed->subcommand, "completion") == 0) {
		offer("bash", context);
		offer("zsh", context);
	}
	if (strcmp(typed->subcommand, "header") == 0)
		for (size_t i = 0; weir_extract_primitive(i); i++)
			offer(weir_extract_primitive(i), context);
	if (measures)
		offer("kernels", context);
	if (measures || strcmp(typed->subcommand, "tune") == 0)
		offer_primitives(typed, offer, context);
}

/* ---- the subcommand ---- */

static const weir_help help = {
    .usage = "weir completion SHELL\n"
	     "weir completion words [WORD]...",
    .what = "Prints the script that makes bash or zsh complete subcommands, options and values.",
    .examples = {{"eval \"$(weir completion bash)\"", "complete in this shell"},
                 {"weir completion words bench --pe", "possible completions of the last word"}}};

static const weir_option options[] = {{.name = NULL}};

/* A word that has been started, and the part of it that stays in front of the offers:
 * "--kinds=spin,". */
struct begun {
	const char *kept;
	size_t kept_bytes;
	const char *part;
};

static void print_word(const char *word, void *context)
{
	const struct begun *begun = context;

	if (strncmp(word, begun->part, strlen(begun->part)) == 0)
		printf("%.*s%s\n", (int)begun->kept_bytes, begun->kept, word);
}

static void complete_subcommand(const char *word)
{
	struct begun begun = {"", 0, word};
	const weir_subcommand *subcommand;

	for (size_t i = 0; (subcommand = weir_subcommand_at(i)); i++)
		print_word(subcommand->name, &begun);
	print_word("help", &begun);
	print_word("--help", &begun);
	print_word("--version", &begun);
}

static void complete_option(const weir_option *rows, const char *word)
{
	struct begun begun = {"--", 2, word + (strncmp(word, "--", 2) == 0 ? 2 : 1)};

	for (; rows->name; rows++)
		if (*rows->name)
			print_word(rows->name, &begun);
	print_word("help", &begun);
}

/* Keeps `word` up to `value`. */
static void complete_value(const weir_typed *typed, const weir_option *option, const char *word,
                           const char *value)
{
	struct begun begun = {word, (size_t)(value - word), value};
	struct begun none = {"", 0, "\n"};
	const char *comma = strrchr(value, ',');
	weir_value_form form = offer_values(typed, option, print_word, &none);

	if (form == WEIR_VALUE_LIST && comma) {
		begun.kept_bytes = (size_t)(comma + 1 - word);
		begun.part = comma + 1;
	}
	offer_values(typed, option, print_word, &begun);
	if (form == WEIR_VALUE_FILE)
		puts(":files");
}

static const weir_option *find_option(const weir_option *rows, const char *word, size_t bytes)
{
	for (; rows->name; rows++)
		if (bytes && strncmp(rows->name, word, bytes) == 0 && strlen(rows->name) == bytes)
			return rows;
	return NULL;
}

/* Reads the words before the last. Returns the option whose value the last word is, or NULL. */
static const weir_option *read_words(const weir_option *table, int count, char **words,
                                     weir_typed *typed)
{
	const weir_option *open = NULL;

	for (int i = 0; i < count; i++) {
		const char *word = words[i];

		if (open) {
			if (strcmp(open->name, "primitive") == 0)
				typed->primitive = word;
			open = NULL;
		} else if (strncmp(word, "--", 2) == 0) {
			size_t bytes = strcspn(word + 2, "=");
			const weir_option *option = find_option(table, word + 2, bytes);
			int has_value = word[2 + bytes] == '=';

			if (option && option->value && !has_value)
				open = option;
			if (option && has_value && strcmp(option->name, "primitive") == 0)
				typed->primitive = word + 2 + bytes + 1;
		} else if (!typed->operand) {
			typed->operand = word;
		}
	}
	return open;
}

static void complete_argument(const weir_subcommand *subcommand, int count, char **words)
{
	char name[64];
	char of_kernels[] = "kernels";
	char help_option[] = "--help";
	int kernels = count > 1 && strcmp(subcommand->name, "bench") == 0 &&
	              strcmp(words[0], of_kernels) == 0;
	char *arguments[] = {name, kernels ? of_kernels : help_option, help_option, NULL};
	weir_typed typed = {.subcommand = kernels ? "bench kernels" : subcommand->name};
	char *word = words[count - 1];

	snprintf(name, sizeof name, "%s", subcommand->name);
	const weir_option *table = weir_options_of(subcommand->run, kernels ? 3 : 2, arguments);
	const weir_option *open = read_words(table, count - 1, words, &typed);
	char *equals = strchr(word, '=');

	if (open) {
		complete_value(&typed, open, word, word);
	} else if (strncmp(word, "--", 2) == 0 && equals) {
		const weir_option *option =
		    find_option(table, word + 2, (size_t)(equals - word) - 2);
		if (option && option->value)
			complete_value(&typed, option, word, equals + 1);
	} else if (word[0] == '-') {
		complete_option(table, word);
	} else {
		struct begun begun = {"", 0, word};
		char *comma = strrchr(word, ',');
		if (comma && strcmp(typed.subcommand, "header") == 0)
			begun = (struct begun){word, (size_t)(comma + 1 - word), comma + 1};
		if (!typed.operand)
			offer_operands(&typed, print_word, &begun);
		if (!typed.operand && strcmp(typed.subcommand, "check") == 0)
			puts(":files");
		complete_option(table, word[0] ? "-/" : "--");
	}
}

static int complete(int count, char **words)
{
	if (count <= 1) {
		complete_subcommand(count ? words[0] : "");
		return WEIR_EXIT_OK;
	}
	const weir_subcommand *subcommand = weir_subcommand_named(words[0]);
	if (subcommand)
		complete_argument(subcommand, count - 1, words + 1);
	else if (strcmp(words[0], "help") == 0 && count == 2)
		complete_subcommand(words[1]);
	return WEIR_EXIT_OK;
}

int weir_command_completion(int argc, char **argv)
{
	weir_common common = {.help = &help, .rows = options};
	const char *what = argc > 1 ? argv[1] : "";

	/* The words may be options of another subcommand. */
	if (strcmp(what, "words") == 0)
		return complete(argc - 2, argv + 2);
	if (!weir_options_read(argc, argv, &common))
		return common.status;
	if (argc != 2 || (strcmp(what, "bash") != 0 && strcmp(what, "zsh") != 0))
		return weir_refuse("a script for bash or zsh? See weir completion --help");
	fputs(strcmp(what, "bash") == 0 ? weir_completion_bash_ : weir_completion_zsh_, stdout);
	return WEIR_EXIT_OK;
}
