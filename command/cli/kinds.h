/* Primitives and kinds by their names. */
#ifndef WEIR_COMMAND_CLI_KINDS_H
#define WEIR_COMMAND_CLI_KINDS_H

#include <stdint.h>

#include "cli/parse.h"
#include "weir/kind.h"

/* The kinds of a primitive, in the order of its kinds.h. */
weir_counts weir_all_kinds(enum weir_primitive primitive);
/* "unknown" for a number that is no kind. */
const char *weir_kind_name(enum weir_primitive primitive, uint32_t kind);

/* Each returns 0, or complains and returns WEIR_EXIT_USAGE: a list of kinds ("spin,ticket"), and
 * "barrier", "mutex" or "semaphore". */
int weir_parse_kinds(const char *text, enum weir_primitive primitive, weir_counts *kinds);
int weir_parse_primitive(const char *text, enum weir_primitive *primitive);

#endif
