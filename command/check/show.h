/* What weir check prints and writes. */
#ifndef WEIR_COMMAND_CHECK_SHOW_H
#define WEIR_COMMAND_CHECK_SHOW_H

#include <stdio.h>

#include "check/plan.h"

typedef struct weir_check_report {
	const weir_check_plan *plan;
	const weir_check *check;
	double seconds;
	int stopped;
	int is_explored;
	weir_explore_result explored;
} weir_check_report;

/* "clean", "race", "fault", "hang", "wrong result" or "incomplete": of the findings the one that counts most. */
const char *weir_check_verdict(const weir_check_report *report, int *status);
void weir_check_show(const weir_check_report *report, FILE *to);
/* The last line: how many findings, and what was run. */
void weir_check_show_counts(const weir_check_report *report, FILE *to);
/* These return 0, or complain and return WEIR_EXIT_FAILED. A NULL path: nothing. */
int weir_check_write_json(const weir_check_report *report, const char *path);
int weir_check_write_sarif(const weir_check_report *report, const char *path);
int weir_check_write_page(const weir_check_report *report, const char *path);

#endif
