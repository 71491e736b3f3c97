/* The figures of a plot as a table: in the place of one where nothing can draw it. */
#ifndef WEIR_REPORT_TABLE_H
#define WEIR_REPORT_TABLE_H

#include <stdio.h>

#include "report/case.h"

/* HTML: a row for each block count, a column for each kind, the default of each count marked. */
void weir_report_table_write(FILE *page, const weir_profile *profile, const weir_report_case *c,
                             int simulated);

#endif
