/* The paper's tables 1 to 3, with a device beside the paper's two machines. */
#ifndef WEIR_COMMAND_FIGURES_MEMORY_TABLES_H
#define WEIR_COMMAND_FIGURES_MEMORY_TABLES_H

#include <stdio.h>

#include "weir/profile.h"

/* Writes HTML with a title over each table. If the device is one of the paper's machines, that
 * machine appears only once. */
void weir_report_memory_write(FILE *page, const weir_profile *profile, const char *const titles[3]);

#endif
