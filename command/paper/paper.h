/* weir report --paper: the tables, figures and claims of the paper, with a device beside its two machines. */
#ifndef WEIR_COMMAND_PAPER_PAPER_H
#define WEIR_COMMAND_PAPER_PAPER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "figures/case.h"
#include "src/sim/sim.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

/* ---- the paper's two machines, simulated: the throughput of every kind over block counts ---- */

#define WEIR_PAPER_MACHINES 2
#define WEIR_PAPER_INITIALS 4

/* The initial values of the paper's figure 3. */
extern const uint32_t weir_paper_initials[WEIR_PAPER_INITIALS];

/* The block counts to simulate. Each kind of the paper has 1 to 8 and then the multiples of `step`,
 * as far as the paper's figure goes. Every kind has the powers of two, and the number of blocks
 * that fit. */
typedef struct weir_paper_counts {
	uint32_t step;
	int quick; /* only a few counts, and short runs */
} weir_paper_counts;

/* The kernels of one origin on a machine, and their rates. */
typedef struct weir_paper_curves {
	weir_sim_machine sim;
	weir_profile *profile; /* with the points that were simulated */
} weir_paper_curves;

typedef struct weir_paper_machine {
	const char *name;         /* of its profile */
	const char *title;        /* for people */
	weir_paper_curves papers; /* the paper's kinds, as the paper wrote them; claims are about
	                           * these */
	weir_paper_curves all;    /* all kinds, as in weir */
} weir_paper_machine;

/* Makes both machines. Returns 0, or complains and returns an exit status. */
int weir_paper_machines_make(weir_paper_machine machines[WEIR_PAPER_MACHINES],
                             const weir_paper_counts *counts);
void weir_paper_machines_free(weir_paper_machine machines[WEIR_PAPER_MACHINES]);

/* Whether the device of that name is one of the two simulated machines. */
int weir_paper_has(const char *device);

/* The amount of work in the simulation; and the simulation itself, which ends early after
 * Ctrl-C. */
double weir_paper_work(const weir_paper_machine *machine, const weir_paper_counts *counts);
weir_status weir_paper_simulate(weir_paper_machine *machine, const weir_paper_counts *counts);

/* Whether the paper's figures show a kind. */
int weir_paper_has_kind(enum weir_primitive primitive, uint32_t kind);
/* The largest number of blocks for which a figure of the paper shows a kind. XF needs many
 * registers, so only six blocks fit on a multiprocessor; the paper omits kinds that are slow on
 * GT200. */
uint32_t weir_paper_shown(const char *profile, enum weir_primitive primitive, uint32_t kind);
/* The largest number of blocks that run at once with a kind. */
uint32_t weir_paper_fit(const char *profile, enum weir_primitive primitive, uint32_t kind);

/* ---- the paper's claims, compared with its machines ---- */

typedef struct weir_paper_claims {
	weir_claim *list;
	weir_verdict *verdicts;
	size_t count;
	size_t judged; /* how many of the list have been judged */
} weir_paper_claims;

/* Reads the claims that were built into the program. Returns 0, or complains and returns an exit
 * status. */
int weir_paper_claims_open(weir_paper_claims *claims);
void weir_paper_claims_close(weir_paper_claims *claims);

/* The amount of work in judging the claims about a machine; and the judgement of all claims, which
 * ends early after Ctrl-C. */
double weir_paper_claims_work(const weir_paper_claims *claims, const weir_paper_machine *machine);
weir_status weir_paper_claims_judge(weir_paper_claims *claims,
                                    weir_paper_machine machines[WEIR_PAPER_MACHINES]);

/* HTML: how many claims are right, and a row for each. */
void weir_paper_score_write(FILE *page, const weir_paper_claims *claims);
void weir_paper_claims_write(FILE *page, const weir_paper_claims *claims);

/* ---- the page: HTML that is also well-formed XML and self-contained ---- */

typedef struct weir_paper_page {
	const weir_profile *profile; /* of this device */
	const char *origin;          /* where its figures come from, a sentence */
	const char *command;         /* the command that made the page */
	const char *date;            /* of the page: 2020-12-31 */
	int simulated;               /* this device, by weir */
	int stopped;                 /* ended early by Ctrl-C */
	weir_paper_counts counts;
	const weir_paper_machine *machines;
	const weir_paper_claims *claims;
	const char *no_plots; /* why plots are missing, as the end of a sentence; NULL: draw them */
} weir_paper_page;

/* A kind's name, followed by the paper's if that differs: "ticket (FA)". */
void weir_paper_put_kind(FILE *page, enum weir_primitive primitive, uint32_t kind);

/* The paper's figures 1 to 3 and its table 5. If plots cannot be drawn, sets `no_plots` and writes
 * tables instead. */
void weir_paper_figure_write(FILE *page, weir_paper_page *paper, enum weir_primitive primitive);
void weir_paper_best_write(FILE *page, const weir_paper_page *paper);

/* "NVIDIA H200, measured", in characters that need no quoting anywhere. */
void weir_paper_device(const weir_paper_page *paper, char *text, size_t room);

/* ---- one panel of a figure: a primitive on one machine ---- */

typedef struct weir_panel {
	const weir_profile *profile; /* whose points it shows */
	const char *machine;         /* its name in the title */
	const char *id;
	weir_case c;
	int all; /* all kinds of weir; otherwise only the paper's, as far as its figure goes */
} weir_panel;

/* The kinds that it shows, by number. */
size_t weir_panel_kinds(const weir_panel *panel, uint32_t kinds[WEIR_CASE_KINDS]);
int weir_panel_shows(const weir_panel *panel, const weir_point *point);
/* Whether one of its points was cut short by the time limit, but completed something. */
int weir_panel_any_stopped(const weir_panel *panel);

/* The SVG, to be freed. NULL after an error message. */
char *weir_panel_draw(const weir_panel *panel);

/* HTML: what the curves of these kinds look like. */
void weir_panel_key(FILE *page, enum weir_primitive primitive, const uint32_t *kinds, size_t count);
/* HTML: the figures at the counts that all kinds have. */
void weir_panel_table(FILE *page, const weir_panel *panel);

/* ---- all of it ---- */

typedef struct weir_paper_request {
	const weir_profile *profile; /* of the device */
	const char *origin;
	const char *command;
	const char *date;
	const char *output; /* "-": standard output */
	weir_paper_counts counts;
} weir_paper_request;

/* The step between simulated block counts where curves are smooth: a fifth of the counts that the
 * paper plots, so that the page takes minutes. */
#define WEIR_PAPER_STEP 8

/* Simulates the paper's machines and writes the page. Returns the exit status. */
int weir_paper_report(const weir_paper_request *request);

#endif
