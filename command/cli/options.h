/* The loop over the options of a subcommand, and the options that subcommands share. */
#ifndef WEIR_COMMAND_CLI_OPTIONS_H
#define WEIR_COMMAND_CLI_OPTIONS_H

#include <getopt.h>
#include <stdio.h>

/* The options that subcommands share. The table of a subcommand names those that it takes:
 *
 *   static const struct option options[] = {WEIR_OPTION_DEVICE, WEIR_OPTION_JSON,
 *                                           {"rounds", required_argument, NULL, 'r'},
 *                                           WEIR_OPTION_LAST};
 *
 * Then it goes over the arguments:
 *
 *   weir_common common = {.help = help, .options = options};
 *   for (int c; (c = weir_option_next(argc, argv, &common)) != WEIR_OPTION_END;) {
 *           if (c == WEIR_OPTION_LEAVE)
 *                   return common.status;
 *           ... c is 'r', optarg its value ...
 *   }
 *   ... argv[optind] and on are the operands ...
 */
typedef struct weir_common {
	const char *help; /* what --help prints */
	const struct option *options;
	const char *letters; /* short options as getopt takes them, after ":h"; NULL: -h alone */
	const char *device;  /* NULL: the best one */
	const char *json;    /* a path, "-" for standard output, NULL: no JSON */
	const char *profile; /* the name of a built-in profile or a path */
	int status;          /* to return after WEIR_OPTION_LEAVE */
} weir_common;

#define WEIR_OPTION_DEVICE                                                                         \
	{                                                                                          \
		"device", required_argument, NULL, 1                                               \
	}
#define WEIR_OPTION_JSON                                                                           \
	{                                                                                          \
		"json", required_argument, NULL, 2                                                 \
	}
#define WEIR_OPTION_PROFILE                                                                        \
	{                                                                                          \
		"profile", required_argument, NULL, 3                                              \
	}
#define WEIR_OPTION_LAST                                                                           \
	{"help", no_argument, NULL, 4},                                                            \
	{                                                                                          \
		NULL, 0, NULL, 0                                                                   \
	}

enum {
	WEIR_OPTION_END = -1,
	WEIR_OPTION_LEAVE = -2
};

int weir_option_next(int argc, char **argv, weir_common *common);

/* The table of a subcommand's options: that of the first weir_option_next which it calls with these
 * arguments. It does nothing else. */
const struct option *weir_options_of(int (*run)(int argc, char **argv), int argc, char **argv);

/* Returns 0, or complains about an operand and returns WEIR_EXIT_USAGE. */
int weir_no_operands(int argc, char **argv);

/* The stream for tables and sentences: standard output, or NULL when JSON goes there. */
FILE *weir_text_stream(const weir_common *common);

#endif
