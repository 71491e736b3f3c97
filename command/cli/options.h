/* The command line: options that all subcommands share, numbers, lists, devices and profiles. What
 * is wrong is said in one line on standard error. */
#ifndef WEIR_COMMAND_OPTIONS_H
#define WEIR_COMMAND_OPTIONS_H

#include <getopt.h>
#include <stdint.h>

#include "weir/profile.h"

/* Prints "weir: ..." as one line on standard error and gives `status`. */
int weir_complain(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The options that every subcommand may take; which of them it does take its table says:
 *
 *   static const struct option options[] = {WEIR_OPTION_DEVICE, WEIR_OPTION_JSON,
 *                                           {"rounds", required_argument, NULL, 'r'},
 *                                           WEIR_OPTION_LAST};
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

/* Each gives 0, or complains and gives WEIR_EXIT_USAGE. `what` is how the line names the value:
 * "--rounds". */
int weir_no_operands(int argc, char **argv);
int weir_parse_count(const char *what, const char *text, uint32_t low, uint32_t high,
                     uint32_t *value);
int weir_parse_seconds(const char *what, const char *text, double *value);

typedef struct weir_counts {
	uint32_t values[64];
	uint32_t count;
} weir_counts;

/* "1,2,10": in the order given, each between `low` and `high`. */
int weir_parse_counts(const char *what, const char *text, uint32_t low, uint32_t high,
                      weir_counts *counts);
/* "spin,ticket": numbers of kinds of that primitive. */
int weir_parse_kinds(const char *text, enum weir_primitive primitive, weir_counts *kinds);
/* "barrier", "mutex" or "semaphore". */
int weir_parse_primitive(const char *text, enum weir_primitive *primitive);

/* All kinds of a primitive, in the order of its kinds.h. */
weir_counts weir_all_kinds(enum weir_primitive primitive);
const char *weir_kind_name(enum weir_primitive primitive, uint32_t kind);

/* 0, or a complaint and WEIR_EXIT_USAGE: no such device, no such profile. */
int weir_open_device(const char *name, weir_device **device, weir_device_info *info);
/* A built-in profile by name, else a file. */
int weir_open_profile(const char *name_or_path, weir_profile **profile);

#endif
