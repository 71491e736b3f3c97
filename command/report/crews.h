/* The part of the page about crews of many GPUs: what barriers and events cost, simulated. */
#ifndef WEIR_COMMAND_REPORT_CREWS_H
#define WEIR_COMMAND_REPORT_CREWS_H

#include <stddef.h>
#include <stdio.h>

#include "figures/ranks.h"

enum {
	WEIR_REPORT_CREW_COUNTS = 9,
	WEIR_REPORT_CREW_SYSTEMS = 3
};

typedef struct weir_report_crew {
	const weir_sim_system *system;
	weir_ranks_hops hops;
	weir_ranks_row rows[WEIR_SIM_PATTERNS][WEIR_REPORT_CREW_COUNTS];
	char *plots[WEIR_SIM_PATTERNS]; /* an SVG text, or NULL where none was drawn */
} weir_report_crew;

typedef struct weir_report_crews {
	weir_report_crew crews[WEIR_REPORT_CREW_SYSTEMS];
} weir_report_crews;

/* Simulates them. Returns an exit status. Ends early after Ctrl-C, with WEIR_EXIT_STOPPED. */
int weir_report_crews_make(weir_report_crews *crews);
/* Of a plot: what its ids begin with, and the name of its file. */
void weir_report_crew_id(const weir_report_crew *crew, weir_sim_pattern pattern, char *id,
                         size_t room);
/* 0 after a complaint: not all of them were drawn. */
int weir_report_crews_draw(weir_report_crews *crews);
/* `no_plots`: why there are none, where the page has not said so; else NULL. */
void weir_report_crews_write(FILE *page, const weir_report_crews *crews, const char *no_plots);
void weir_report_crews_free(weir_report_crews *crews);

#endif
