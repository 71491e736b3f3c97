/* The figures of a plot as a table: in the place of one where nothing can draw it. */
#ifndef WEIR_COMMAND_REPORT_TABLE_H
#define WEIR_COMMAND_REPORT_TABLE_H

#include <stdio.h>

#include "figures/case.h"
#include "weir/profile.h"

/* HTML: a row for each block count, a column for each kind, the default of each count marked. */
void weir_report_table_write(FILE *page, const weir_profile *profile, const weir_case *c,
                             int simulated);

#endif
