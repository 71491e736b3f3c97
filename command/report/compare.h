/* Two profiles side by side. */
#ifndef WEIR_COMMAND_REPORT_COMPARE_H
#define WEIR_COMMAND_REPORT_COMPARE_H

#include <stdio.h>

#include "weir/profile.h"

typedef struct weir_compared {
	const weir_profile *profiles[2];
	const char *names[2]; /* as they were given */
	const char *date;     /* of the page */
} weir_compared;

/* What each of them recommends and why, and the rates of their defaults where both have figures. */
void weir_report_compare_print(FILE *text, const weir_compared *compared);
void weir_report_compare_write(FILE *page, const weir_compared *compared);

#endif
