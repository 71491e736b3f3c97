/* Parses the options of a subcommand. */
#include "cli/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/fold.h"
#include "cli/parse.h"

enum {
	MOST_ROWS = 40,
	FIRST_CODE = 256, /* what getopt_long returns for the first row, above all letters */
	NAME_BYTES = 64
};

/* The rows in getopt_long's format. */
struct getopt_table {
	struct option options[MOST_ROWS + 2];
	char letters[2 * MOST_ROWS + 8];
};

/* What is wrong with a long option. If getopt_long knows the option, it leaves the value in
 * optopt. */
static const char *wrong_name(const char *name, const struct option *table)
{
	size_t fits = 0;

	if (optopt)
		return "takes no value";
	for (; table->name; table++)
		fits += strncmp(table->name, name, strcspn(name, "=")) == 0;
	return fits > 1 ? "fits several options" : "is not an option";
}

static int wrong_option(char **argv, const struct option *table, int c)
{
	const char *why = "is not an option";
	const char *argument = argv[optind - 1];
	char letter[] = {'-', (char)optopt, 0};

	/* Inside a group of letters getopt_long has not advanced. */
	if (strncmp(argument, "--", 2) != 0)
		argument = letter;
	else
		why = wrong_name(argument + 2, table);
	if (c == ':')
		why = "needs a value";
	return weir_refuse("%s %s; see weir %s --help", argument, why, argv[0]);
}

static void make_table(const weir_common *common, struct getopt_table *table)
{
	size_t count = 0;
	char *letter = table->letters;

	letter += sprintf(letter, "%s:h", common->program_follows ? "+" : "");
	for (const weir_option *row = common->rows; row->name; row++) {
		if (!*row->name)
			continue;
		if (count == MOST_ROWS)
			abort();
		table->options[count++] = (struct option){
		    row->name, row->value ? required_argument : no_argument, NULL,
		    row->letter ? row->letter : FIRST_CODE + (int)(row - common->rows)};
		if (row->letter)
			letter += sprintf(letter, "%c%s", row->letter, row->value ? ":" : "");
	}
	table->options[count++] = (struct option){"help", no_argument, NULL, 'h'};
	table->options[count] = (struct option){NULL, 0, NULL, 0};
}

static const weir_option *find_row(const weir_common *common, int code)
{
	const weir_option *row = common->rows;

	if (code >= FIRST_CODE)
		return &row[code - FIRST_CODE];
	while (row->letter != code)
		row++;
	return row;
}

/* "-n, --ranks N". */
static size_t write_name(const weir_option *row, int has_letters, char name[NAME_BYTES])
{
	int used = 0;

	*name = '\0';
	if (row->letter)
		used = snprintf(name, NAME_BYTES, "-%c, ", row->letter);
	else if (has_letters)
		used = snprintf(name, NAME_BYTES, "    ");
	return (size_t)used + (size_t)snprintf(name + used, NAME_BYTES - (size_t)used, "--%s%s%s",
	                                       row->name, row->value ? " " : "",
	                                       row->value ? row->value : "");
}

static void print_options(FILE *to, const weir_option *rows)
{
	static const weir_option help = {.name = "help", .letter = 'h', .help = "print this"};
	char name[NAME_BYTES];
	int has_letters = 1; /* whether --help's row has letters */
	size_t widest = write_name(&help, has_letters, name);

	for (const weir_option *row = rows; row->name; row++) {
		size_t width = *row->name ? write_name(row, has_letters, name) : 0;
		widest = width > widest ? width : widest;
	}
	if (!rows->name || *rows->name)
		fputs("\nOptions:\n", to);
	for (const weir_option *row = rows; row->name; row++) {
		if (!*row->name) {
			fprintf(to, "\n%s:\n", row->help);
			continue;
		}
		write_name(row, has_letters, name);
		fprintf(to, "  %-*s  %s\n", (int)widest, name, row->help);
	}
	write_name(&help, has_letters, name);
	fprintf(to, "  %-*s  %s\n", (int)widest, name, help.help);
}

/* Prints the usage lines one below another, the first after `before`. */
static void print_usage(FILE *to, const char *usage)
{
	const char *before = "usage: ";

	for (int length; *usage; usage += length + (usage[length] == '\n')) {
		length = (int)strcspn(usage, "\n");
		fprintf(to, "%-7s%.*s\n", before, length, usage);
		before = "";
	}
}

void weir_print_examples(FILE *to, const char *title, const weir_example *examples)
{
	size_t widest = 0;

	for (const weir_example *example = examples; example->command; example++) {
		size_t width = strlen(example->command);
		widest = width > widest ? width : widest;
	}
	fprintf(to, "\n%s:\n", title);
	for (const weir_example *example = examples; example->command; example++)
		fprintf(to, "  %-*s  %s\n", (int)widest, example->command, example->what);
}

/* Prints "weir-bench-kernels" for "weir bench kernels [OPTION]...". */
static void print_manual(FILE *to, const char *usage)
{
	fputs("\nMore is in man ", to);
	for (const char *c = usage; *c && strchr(" abcdefghijklmnopqrstuvwxyz", *c); c++)
		if (*c != ' ')
			fputc(*c, to);
		else if (c[1] >= 'a' && c[1] <= 'z')
			fputc('-', to);
	fputs(" and in doc/command.md.\n", to);
}

static void print_help(const weir_common *common)
{
	FILE *to = weir_folded();

	print_usage(to, common->help->usage);
	fprintf(to, "\n%s\n", common->help->what);
	print_options(to, common->rows);
	if (common->help_end)
		fprintf(to, "\n%s", common->help_end);
	weir_print_examples(to, "Examples", common->help->examples);
	print_manual(to, common->help->usage);
}

static int take_value(const weir_option *row, const char *value, weir_common *common)
{
	void *member = (char *)common + row->target.at;
	char name[NAME_BYTES];

	snprintf(name, sizeof name, "--%s", row->name);
	switch (row->target.form) {
	case WEIR_TARGET_FLAG:
		*(int *)member = 1;
		return 0;
	case WEIR_TARGET_TEXT:
		*(const char **)member = value;
		return 0;
	case WEIR_TARGET_NUMBER:
		return weir_parse_count(name, value, row->target.low, row->target.high, member);
	case WEIR_TARGET_NUMBERS:
		return weir_parse_counts(name, value, row->target.low, row->target.high, member);
	case WEIR_TARGET_SECONDS:
		return weir_parse_seconds(name, value, member);
	default:
		return row->target.take(value, common);
	}
}

/* Where weir_options_of wants the rows; NULL: no query is active. */
static const weir_option **asked_rows;

const weir_option *weir_options_of(int (*run)(int argc, char **argv), int argc, char **argv)
{
	static const weir_option none = {.name = NULL};
	const weir_option *rows = &none;

	asked_rows = &rows;
	run(argc, argv);
	asked_rows = NULL;
	return rows;
}

int weir_options_read(int argc, char **argv, weir_common *common)
{
	static struct getopt_table table;

	common->status = WEIR_EXIT_OK;
	if (asked_rows) {
		*asked_rows = common->rows;
		return 0;
	}
	make_table(common, &table);
	opterr = 0;
	for (int c; (c = getopt_long(argc, argv, table.letters, table.options, NULL)) != -1;) {
		if (c == ':' || c == '?') {
			common->status = wrong_option(argv, table.options, c);
			return 0;
		}
		if (c == 'h') {
			print_help(common);
			return 0;
		}
		const weir_option *row = find_row(common, c);
		common->given |= UINT64_C(1) << (row - common->rows);
		common->status = take_value(row, optarg, common);
		if (common->status)
			return 0;
	}
	return 1;
}

int weir_option_given(const weir_common *common, const char *name)
{
	const weir_option *row = common->rows;

	while (strcmp(row->name, name) != 0)
		row++;
	return (common->given >> (row - common->rows) & 1) != 0;
}

int weir_no_operands(int argc, char **argv)
{
	if (optind >= argc)
		return 0;
	return weir_refuse("unexpected '%s'; see weir %s --help", argv[optind], argv[0]);
}

FILE *weir_text_stream(const weir_common *common)
{
	return common->json && strcmp(common->json, "-") == 0 ? NULL : weir_folded();
}
