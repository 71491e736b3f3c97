/* The page of a report: HTML that is also well-formed XML, with everything it needs inside. */
#ifndef WEIR_COMMAND_REPORT_PAGE_H
#define WEIR_COMMAND_REPORT_PAGE_H

#include <jansson.h>
#include <stdio.h>

#include "figures/case.h"
#include "report/crews.h"
#include "report/verdict.h"
#include "src/sim/sim.h"
#include "weir/profile.h"

typedef struct weir_report {
	const weir_profile *profile;
	const char *origin;  /* where the figures are from, a sentence */
	const char *command; /* how the page was asked for */
	const char *date;    /* of the page: 2020-12-31 */
	weir_library library;
	int stopped;   /* the measurement was not finished */
	int simulated; /* by weir, from the probe */
	weir_case cases[WEIR_CASES];
	char *plots[WEIR_CASES]; /* an SVG text for each case, or NULL where none was drawn */
	size_t case_count;
	const char *no_plots; /* why plots are missing, the end of a sentence; NULL: they are not */
	const weir_sim_map *map;        /* NULL: none */
	const char *no_map;             /* why, a sentence; NULL: nobody wants one */
	const weir_report_crews *crews; /* NULL: nobody wants them */
	const json_t *kernels;          /* what weir bench kernels wrote; NULL: nothing */
} weir_report;

/* Whether the profile has all times of a probe: a time that Ctrl-C left out is 0. */
int weir_report_probe_is_whole(const weir_profile *profile);

void weir_report_write(FILE *page, const weir_report *report);

#endif
