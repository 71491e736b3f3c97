/* The part of the page about real kernels, from what weir bench kernels --json wrote. */
#ifndef WEIR_COMMAND_REPORT_KERNELS_H
#define WEIR_COMMAND_REPORT_KERNELS_H

#include <jansson.h>
#include <stdio.h>

/* Reads such a file; the caller drops the reference. Returns 0, or complains and returns
 * WEIR_EXIT_USAGE. */
int weir_report_kernels_read(const char *path, json_t **kernels);

/* Writes the default's ratio at every size and grid, then the default against each other form. */
void weir_report_kernels_write(FILE *page, const json_t *kernels);

#endif
