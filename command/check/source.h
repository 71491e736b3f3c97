/* The lines of a source file that a page shows. */
#ifndef WEIR_COMMAND_CHECK_SOURCE_H
#define WEIR_COMMAND_CHECK_SOURCE_H

#include <stdint.h>

#include "check/plan.h"

/* One file. */
typedef struct weir_check_source {
	const char *name; /* as the PTX names it; NULL: the PTX itself */
	char *text;       /* NULL: it is not here */
	const char **lines;
	uint32_t count;
} weir_check_source;

/* Reads a file where it was compiled, or beside the PTX, or in a folder of --source. */
void weir_check_source_open(const weir_check_plan *plan, const char *name, weir_check_source *s);
void weir_check_source_close(weir_check_source *s);
/* A line, from 1 on; "" beyond the end. `length` is without the line break. */
const char *weir_check_source_line(const weir_check_source *s, uint32_t line, int *length);

#endif
