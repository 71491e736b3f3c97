/* The paper's tables 1 to 3, with a device beside its two machines. */
#ifndef WEIR_COMMAND_FIGURES_MEMORY_TABLES_H
#define WEIR_COMMAND_FIGURES_MEMORY_TABLES_H

#include <stdio.h>

#include "weir/profile.h"

/* Writes HTML with a title over each table. A machine of the paper stands there once, as the device. */
void weir_report_memory_write(FILE *page, const weir_profile *profile, const char *const titles[3]);

#endif
