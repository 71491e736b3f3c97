/* Numbers, and lists that commas separate. */
#ifndef WEIR_COMMAND_CLI_PARSE_H
#define WEIR_COMMAND_CLI_PARSE_H

#include <stdint.h>

/* Each returns 0, or complains and returns WEIR_EXIT_USAGE. `what` names the value in the complaint:
 * "--rounds". */
int weir_parse_count(const char *what, const char *text, uint32_t low, uint32_t high,
                     uint32_t *value);
int weir_parse_seconds(const char *what, const char *text, double *value);

/* As many as there are block counts up to the most of any GPU that we know, and some more. */
typedef struct weir_counts {
	uint32_t values[4096];
	uint32_t count;
} weir_counts;

/* "1,2,10..240:8": in the order given, each between `low` and `high`. A range goes up to its second
 * number, by its step, or by 1. */
int weir_parse_counts(const char *what, const char *text, uint32_t low, uint32_t high,
                      weir_counts *counts);
/* One part of such a list, a number or a range, to the end of `counts`. */
int weir_counts_take(const char *what, const char *part, uint32_t low, uint32_t high,
                     weir_counts *counts);

/* Calls `take` with each part of a list, until one returns another status than 0; returns the last
 * status. */
int weir_parse_list(const char *what, const char *text,
                    int (*take)(const char *part, void *context), void *context);
/* Refuses a value that is in the list, and one too many. */
int weir_counts_add(const char *what, weir_counts *counts, uint32_t value);

#endif
