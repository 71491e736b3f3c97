/* The loop over the options of a subcommand. */
#include "cli/options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/complain.h"

/* What is wrong with a long option: getopt_long leaves the value of one that it knows in optopt. */
static const char *wrong_name(const char *name, const struct option *table)
{
	size_t fits = 0;

	if (optopt)
		return "takes no value";
	for (; table->name; table++)
		fits += strncmp(table->name, name, strcspn(name, "=")) == 0;
	return fits > 1 ? "fits several options" : "is not an option";
}

static int wrong_option(char **argv, weir_common *common, int c)
{
	const char *why = "is not an option";
	const char *argument = argv[optind - 1];
	char letter[] = {'-', (char)optopt, 0};

	/* Inside a group of letters getopt_long has not moved on. */
	if (strncmp(argument, "--", 2) != 0)
		argument = letter;
	else
		why = wrong_name(argument + 2, common->options);
	if (c == ':')
		why = "needs a value";
	common->status =
	    weir_complain(WEIR_EXIT_USAGE, "%s %s; see weir %s --help", argument, why, argv[0]);
	return WEIR_OPTION_LEAVE;
}

/* Where weir_options_of wants the table; NULL: it is not asking. */
static const struct option **asked_table;

const struct option *weir_options_of(int (*run)(int argc, char **argv), int argc, char **argv)
{
	static const struct option none[] = {WEIR_OPTION_LAST};
	const struct option *table = none;

	asked_table = &table;
	run(argc, argv);
	asked_table = NULL;
	return table;
}

int weir_option_next(int argc, char **argv, weir_common *common)
{
	if (asked_table) {
		*asked_table = common->options;
		common->status = WEIR_EXIT_OK;
		return WEIR_OPTION_LEAVE;
	}
	for (;;) {
		opterr = 0;
		int c = getopt_long(argc, argv, common->letters ? common->letters : ":h",
		                    common->options, NULL);
		switch (c) {
		case 1:
			common->device = optarg;
			break;
		case 2:
			common->json = optarg;
			break;
		case 3:
			common->profile = optarg;
			break;
		case 4:
		case 'h':
			fputs(common->help, stdout);
			common->status = WEIR_EXIT_OK;
			return WEIR_OPTION_LEAVE;
		case ':':
		case '?':
			return wrong_option(argv, common, c);
		default:
			return c;
		}
	}
}

int weir_no_operands(int argc, char **argv)
{
	if (optind >= argc)
		return 0;
	return weir_complain(WEIR_EXIT_USAGE, "unexpected '%s'; see weir %s --help", argv[optind],
	                     argv[0]);
}

FILE *weir_text_stream(const weir_common *common)
{
	return common->json && strcmp(common->json, "-") == 0 ? NULL : stdout;
}
