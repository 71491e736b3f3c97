/* The options of a subcommand: one table defines how each is written, where its value goes, what
 * --help prints and what the shell completes. */
#ifndef WEIR_COMMAND_CLI_OPTIONS_H
#define WEIR_COMMAND_CLI_OPTIONS_H

#include <getopt.h> /* optind */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/parse.h"

/* A row for each option. The request of a subcommand is a struct that begins with a weir_common:
 *
 *   struct request {
 *           weir_common common;
 *           uint32_t rounds;
 *           int save;
 *   };
 *   static const weir_option options[] = {
 *       WEIR_GROUP("What to measure"),
 *       WEIR_ROW_DEVICE,
 *       {"rounds", "N", "rounds of each block (20)",
 *        WEIR_TO_NUMBER(struct request, rounds, 1, MOST_ROUNDS)},
 *       WEIR_GROUP("Output"),
 *       {"save", NULL, "keep the result", WEIR_TO_FLAG(struct request, save)},
 *       WEIR_ROW_JSON,
 *       {.name = NULL}};
 *   static const weir_help help = {
 *       .usage = "weir probe [OPTION]...",
 *       .what = "Runs the paper's twelve memory benchmarks.",
 *       .examples = {{"weir probe --device host", "the figures of this computer's CPU"}, ...}};
 *
 *   struct request request = {.common = {.help = &help, .rows = options}};
 *   if (!weir_options_read(argc, argv, &request.common))
 *           return request.common.status;
 *   ... argv[optind] and on are the operands ...
 */

/* Where a value is stored. `at` is the offset of the member in the request. */
typedef struct weir_target {
	enum {
		WEIR_TARGET_FLAG,    /* int, which becomes 1; the option takes no value */
		WEIR_TARGET_TEXT,    /* const char * */
		WEIR_TARGET_NUMBER,  /* uint32_t from `low` to `high` */
		WEIR_TARGET_NUMBERS, /* weir_counts of such numbers */
		WEIR_TARGET_SECONDS, /* double */
		WEIR_TARGET_OWN      /* stored by `take` */
	} form;
	size_t at;
	uint32_t low;
	uint32_t high;
	/* Returns 0, or complains and returns WEIR_EXIT_USAGE. */
	int (*take)(const char *value, void *request);
} weir_target;

#define WEIR_TO_FLAG(request, member)                                                              \
	.target = {.form = WEIR_TARGET_FLAG, .at = WEIR_MEMBER_(request, member, int)}
#define WEIR_TO_TEXT(request, member)                                                              \
	.target = {.form = WEIR_TARGET_TEXT, .at = WEIR_MEMBER_(request, member, const char *)}
#define WEIR_TO_NUMBER(request, member, least, most)                                               \
	.target = {.form = WEIR_TARGET_NUMBER,                                                     \
	           .at = WEIR_MEMBER_(request, member, uint32_t),                                  \
	           .low = least,                                                                   \
	           .high = most}
#define WEIR_TO_NUMBERS(request, member, least, most)                                              \
	.target = {.form = WEIR_TARGET_NUMBERS,                                                    \
	           .at = WEIR_MEMBER_(request, member, weir_counts),                               \
	           .low = least,                                                                   \
	           .high = most}
#define WEIR_TO_SECONDS(request, member)                                                           \
	.target = {.form = WEIR_TARGET_SECONDS, .at = WEIR_MEMBER_(request, member, double)}
#define WEIR_TO(function) .target = {.form = WEIR_TARGET_OWN, .take = function}
/* The offset of a member, which must have that type. */
#define WEIR_MEMBER_(request, member, type)                                                        \
	_Generic(((request *)0)->member, type : offsetof(request, member))

typedef struct weir_option {
	const char *name;  /* "rounds"; "": the row is a group title; NULL ends the table */
	const char *value; /* the placeholder of its value in the help: "N"; NULL: it takes none */
	const char *help;  /* one line, which is folded */
	weir_target target;
	char letter; /* 'n' for -n; 0: none */
} weir_option;

/* The title of the rows below it. */
#define WEIR_GROUP(title)                                                                          \
	{                                                                                          \
		.name = "", .help = title                                                          \
	}

typedef struct weir_example {
	const char *command;
	const char *what; /* what it does or shows */
} weir_example;

/* What --help prints around the options. The manual page contains the rest, from doc/command.md. */
typedef struct weir_help {
	const char *usage; /* one or several lines */
	const char *what;  /* one sentence */
	weir_example examples[3];
} weir_help;

/* The part of a request that all subcommands share. */
typedef struct weir_common {
	const weir_help *help;
	const char *help_end; /* lines that --help prints after the options; NULL: none */
	const weir_option *rows;
	int program_follows; /* the first operand ends the options */
	/* Set by weir_options_read: */
	const char *device;  /* NULL: the best one */
	const char *json;    /* a path, "-" for standard output, NULL: no JSON */
	const char *profile; /* the name of a built-in profile or a path */
	uint64_t given;      /* a bit for each row that was given */
	int status;          /* to return when there is nothing more to do */
} weir_common;

#define WEIR_ROW_DEVICE_SAYING(help)                                                               \
	{                                                                                          \
		"device", "NAME", help, WEIR_TO_TEXT(weir_common, device)                          \
	}
#define WEIR_ROW_DEVICE WEIR_ROW_DEVICE_SAYING("cuda:0, opencl:0, host, ... (the best one here)")
#define WEIR_ROW_PROFILE(help)                                                                     \
	{                                                                                          \
		"profile", "NAME|FILE", help, WEIR_TO_TEXT(weir_common, profile)                   \
	}
#define WEIR_ROW_JSON_SAYING(help)                                                                 \
	{                                                                                          \
		"json", "FILE", help, WEIR_TO_TEXT(weir_common, json)                              \
	}
#define WEIR_ROW_JSON WEIR_ROW_JSON_SAYING("also write JSON to this file; - for standard output")

/* Reads the options into the request that begins with `common`. Returns 1 if the subcommand should
 * continue; 0 after --help or an error: then it must return common->status. */
int weir_options_read(int argc, char **argv, weir_common *common);

/* Prints a title and a line for each example, up to the first without a command. */
void weir_print_examples(FILE *to, const char *title, const weir_example *examples);

/* Whether the command line has the option. */
int weir_option_given(const weir_common *common, const char *name);

/* The rows of a subcommand's options, without --help: those of its call of weir_options_read for
 * these arguments. Has no other effect. */
const weir_option *weir_options_of(int (*run)(int argc, char **argv), int argc, char **argv);

/* Returns 0, or complains about an operand and returns WEIR_EXIT_USAGE. */
int weir_no_operands(int argc, char **argv);

/* The stream for tables and sentences: standard output, folded to its width (cli/fold.h), or NULL
 * if the JSON goes there. */
FILE *weir_text_stream(const weir_common *common);

#endif
