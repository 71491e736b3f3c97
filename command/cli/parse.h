/* Parses numbers and comma-separated lists. */
#ifndef WEIR_COMMAND_CLI_PARSE_H
#define WEIR_COMMAND_CLI_PARSE_H

#include <stdint.h>

/* Each returns 0, or complains and returns WEIR_EXIT_USAGE. `what` names the value in the error
 * message: "--rounds". */
int weir_parse_count(const char *what, const char *text, uint32_t low, uint32_t high,
                     uint32_t *value);
int weir_parse_seconds(const char *what, const char *text, double *value);

/* More than the number of block counts up to the maximum of any GPU that we know. */
typedef struct weir_counts {
	uint32_t values[4096];
	uint32_t count;
} weir_counts;

/* Parses "1,2,10..240:8": in the order given, each number between `low` and `high`. A range goes up
 * to its second number in steps of 1, or of its step. */
int weir_parse_counts(const char *what, const char *text, uint32_t low, uint32_t high,
                      weir_counts *counts);
/* Appends one part of such a list, a number or a range, to `counts`. */
int weir_counts_take(const char *what, const char *part, uint32_t low, uint32_t high,
                     weir_counts *counts);

/* Calls `take` with each part of a list until it returns nonzero; returns the last status. */
int weir_parse_list(const char *what, const char *text,
                    int (*take)(const char *part, void *context), void *context);
/* Refuses a value that is already in the list, or one too many. */
int weir_counts_add(const char *what, weir_counts *counts, uint32_t value);

#endif
