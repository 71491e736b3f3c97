/* The page of a report, HTML that is also well-formed XML and self-contained; and its parts. */
#ifndef WEIR_COMMAND_REPORT_PAGE_H
#define WEIR_COMMAND_REPORT_PAGE_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "figures/case.h"
#include "figures/rank_costs.h"
#include "src/sim/sim.h"
#include "weir/profile.h"
#include "weir/weir.h"

/* ---- the answer: which kinds to use, how fast they are, and how to create them ---- */

/* What the library currently chooses on that device, to say what is left to do. */
typedef struct weir_library {
	const weir_profile *profile; /* NULL: it is simulated */
	const char *from;            /* which one that is */
	const char *command;         /* makes the report's kinds its defaults; "": none */
	const char *next;            /* which command gives figures for all kinds, as a sentence */
} weir_library;

/* A line for each primitive: what to use, and whether it matters. */
void weir_report_answer_print(FILE *text, const weir_profile *profile, const weir_library *library);
/* Whether it matters which kind is used, in a few words; to be freed. */
char *weir_report_matter(const weir_profile *profile, const weir_library *library,
                         enum weir_primitive primitive);

/* The title of a primitive's answer, and for each range of counts a bar for each kind that matters. */
void weir_report_chart_write(FILE *page, const weir_profile *profile,
                             enum weir_primitive primitive);

/* The section at the top of the page, with a tag for its heading, and the same as text. */
void weir_report_verdict_write(FILE *page, const weir_profile *profile, const weir_library *library,
                               const char *tag);
void weir_report_verdict_print(FILE *text, const weir_profile *profile,
                               const weir_library *library);

/* ---- real kernels, from what weir bench kernels --json wrote ---- */

/* Reads such a file; the caller drops the reference. Returns 0, or complains and returns
 * WEIR_EXIT_USAGE. */
int weir_report_kernels_read(const char *path, json_t **kernels);

/* Writes the default's ratio at every size and grid, then compares the default with each other
 * form. */
void weir_report_kernels_write(FILE *page, const json_t *kernels);

/* ---- the map ---- */

/* `base` is the probe that the map was made from. */
void weir_report_map_write(FILE *page, const weir_sim_map *map, const weir_probe *base, int is_gpu);

/* ---- crews of many GPUs: the simulated cost of barriers and events ---- */

enum {
	WEIR_REPORT_CREW_COUNTS = 9,
	WEIR_REPORT_CREW_SYSTEMS = 3
};

typedef struct weir_report_crew {
	const weir_sim_system *system;
	weir_ranks_hops hops;
	weir_ranks_row rows[WEIR_SIM_PATTERNS][WEIR_REPORT_CREW_COUNTS];
	char *plots[WEIR_SIM_PATTERNS]; /* an SVG, or NULL if none was drawn */
} weir_report_crew;

typedef struct weir_report_crews {
	weir_report_crew crews[WEIR_REPORT_CREW_SYSTEMS];
} weir_report_crews;

/* Simulates them. Returns an exit status. Ends early after Ctrl-C, with WEIR_EXIT_STOPPED. */
int weir_report_crews_make(weir_report_crews *crews);
/* Of a plot: the prefix of its ids, and the name of its file. */
void weir_report_crew_id(const weir_report_crew *crew, weir_sim_pattern pattern, char *id,
                         size_t room);
/* Returns 0 after an error: not all of them were drawn. */
int weir_report_crews_draw(weir_report_crews *crews);
/* `no_plots`: why there are none, if the page has not said so yet; else NULL. */
void weir_report_crews_write(FILE *page, const weir_report_crews *crews, const char *no_plots);
void weir_report_crews_free(weir_report_crews *crews);

/* ---- the page ---- */

typedef struct weir_report {
	const weir_profile *profile;
	const char *origin;  /* where the figures come from, a sentence */
	const char *command; /* the command that made the page */
	const char *date;    /* of the page: 2020-12-31 */
	weir_library library;
	int stopped;   /* the measurement was not finished */
	int simulated; /* by weir, from the probe */
	weir_case cases[WEIR_CASES];
	char *plots[WEIR_CASES]; /* an SVG for each case, or NULL if none was drawn */
	size_t case_count;
	const char *no_plots;    /* why plots are missing, as the end of a sentence; NULL: they are
	                       * not */
	const weir_sim_map *map; /* NULL: none */
	const char *no_map;      /* why there is none, a sentence; NULL: none was
	                                 * requested */
	const weir_report_crews *crews; /* NULL: not requested */
	const json_t *kernels;          /* the output of weir bench kernels; NULL: none */
} weir_report;

/* Whether the profile has all times of a probe: a time that Ctrl-C prevented is 0. */
int weir_report_probe_is_whole(const weir_profile *profile);

void weir_report_write(FILE *page, const weir_report *report);

#endif
