/* The page of the paper: HTML that is also well-formed XML, with everything it needs inside. */
#ifndef WEIR_COMMAND_PAPER_PAGE_H
#define WEIR_COMMAND_PAPER_PAGE_H

#include <stdio.h>

#include "paper/claims.h"
#include "paper/machines.h"
#include "weir/profile.h"

typedef struct weir_paper_page {
	const weir_profile *profile; /* of this device */
	const char *origin;          /* where its figures are from, a sentence */
	const char *command;         /* how the page was asked for */
	const char *date;            /* of the page: 2020-12-31 */
	int simulated;               /* this device, by weir */
	int stopped;                 /* by Ctrl-C before the end */
	weir_paper_counts counts;
	const weir_paper_machine *machines;
	const weir_paper_claims *claims;
	const char *no_plots; /* why plots are missing, the end of a sentence; NULL: draw them */
} weir_paper_page;

/* Draws the plots, too. */
void weir_paper_page_write(FILE *page, weir_paper_page *paper);

#endif
