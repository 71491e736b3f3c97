/* The paper's three tables of a probe: times, contentious to noncontentious, to volatile. */
#ifndef WEIR_COMMAND_OUTPUT_PROBE_TABLES_H
#define WEIR_COMMAND_OUTPUT_PROBE_TABLES_H

#include <stdio.h>

#include "weir/profile.h"

void weir_print_probe(FILE *stream, const weir_probe *probe);

/* The titles of the rows of the first table: "Contentious volatile", ... */
extern const char *const weir_access_titles[WEIR_ACCESS_COUNT / 2];

#endif
