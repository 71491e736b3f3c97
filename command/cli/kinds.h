/* Primitives and kinds by their names. */
#ifndef WEIR_COMMAND_CLI_KINDS_H
#define WEIR_COMMAND_CLI_KINDS_H

#include <stdint.h>
#include <stdio.h>

#include "cli/parse.h"
#include "weir/kind.h"

/* The kinds of a primitive, in the order of its kinds.h, without the vendor's, which not every
 * device has. */
weir_counts weir_all_kinds(enum weir_primitive primitive);

/* Prints "as published, for comparison: two_stage", or nothing if all of the kinds are for use. */
void weir_print_roles(FILE *text, enum weir_primitive primitive, const weir_counts *kinds);
/* Returns "unknown" for a number that is not a kind. */
const char *weir_kind_name(enum weir_primitive primitive, uint32_t kind);

/* The patterns of a primitive; for a simulated device, those that can be simulated. */
weir_counts weir_all_patterns(enum weir_primitive primitive, int simulated);

/* Each returns 0, or complains and returns WEIR_EXIT_USAGE. They parse a list of kinds
 * ("spin,ticket"), a list of patterns ("meet,post"), and the id of a primitive that has a
 * benchmark. */
int weir_parse_kinds(const char *text, enum weir_primitive primitive, weir_counts *kinds);
int weir_parse_patterns(const char *text, enum weir_primitive primitive, weir_counts *patterns);
/* Refuses patterns that cannot be simulated. */
int weir_check_simulated(const weir_counts *patterns);
int weir_parse_primitive(const char *text, enum weir_primitive *primitive);

/* Whether both name the same primitive: singular and plural match, as in "task" and "tasks". */
int weir_is_same_name(const char *one, const char *other);

/* The primitives that have a benchmark, by index; returns 0 past the last. */
int weir_benchmarked(size_t index, enum weir_primitive *primitive);
/* Whether `text` is the id of one of them. */
int weir_is_benchmarked(const char *text, enum weir_primitive *primitive);

#endif
