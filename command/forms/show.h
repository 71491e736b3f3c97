/* The output of weir bench kernels. */
#ifndef WEIR_COMMAND_FORMS_SHOW_H
#define WEIR_COMMAND_FORMS_SHOW_H

#include <stddef.h>
#include <stdio.h>

#include "cli/options.h"
#include "forms/bench.h"

void weir_kernels_print_head(FILE *text, const weir_kernels_bench *bench);
/* Prints the cases from `first` on to bench->text, if that is not NULL. */
void weir_kernels_print(const weir_kernels_bench *bench, size_t first);

/* Prints the summary and writes JSON; returns 0 or the status of a complaint. `complete`: neither Ctrl-C
 * nor a failure ended it. */
int weir_kernels_show(const weir_kernels_bench *bench, const weir_common *common,
                      const char *command_line, int complete);

/* Trials that ran; and those with a wrong result. */
size_t weir_kernels_done(const weir_kernels_bench *bench);
size_t weir_kernels_wrong(const weir_kernels_bench *bench);

#endif
