/* weir report --paper: the tables, figures and claims of the paper, with a device beside its two. */
#ifndef WEIR_COMMAND_PAPER_PAPER_H
#define WEIR_COMMAND_PAPER_PAPER_H

#include "paper/machines.h"
#include "weir/profile.h"

typedef struct weir_paper_request {
	const weir_profile *profile; /* of the device */
	const char *origin;
	const char *command;
	const char *date;
	const char *output; /* "-": standard output */
	weir_paper_counts counts;
} weir_paper_request;

/* From one simulated block count to the next, where curves are smooth: a fifth of the counts that the
 * paper plots, so that the page takes minutes. */
#define WEIR_PAPER_STEP 8

/* Simulates the paper's machines and writes the page. Returns the exit status. */
int weir_paper_report(const weir_paper_request *request);

#endif
