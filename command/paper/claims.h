/* The paper's claims, held against its two machines, simulated. */
#ifndef WEIR_COMMAND_PAPER_CLAIMS_H
#define WEIR_COMMAND_PAPER_CLAIMS_H

#include <stddef.h>
#include <stdio.h>

#include "paper/machines.h"
#include "src/sim/sim.h"
#include "weir/weir.h"

typedef struct weir_paper_claims {
	weir_claim *list;
	weir_verdict *verdicts;
	size_t count;
	size_t judged; /* of the list's first */
} weir_paper_claims;

/* The claims that the program was built with. Returns 0, or complains and returns an exit status. */
int weir_paper_claims_open(weir_paper_claims *claims);
void weir_paper_claims_close(weir_paper_claims *claims);

/* The work of judging the claims about a machine, and the judgement of all. It ends early after
 * Ctrl-C. */
double weir_paper_claims_work(const weir_paper_claims *claims, const weir_paper_machine *machine);
weir_status weir_paper_claims_judge(weir_paper_claims *claims,
                                    weir_paper_machine machines[WEIR_PAPER_MACHINES]);

/* HTML: how many claims are right; and a row for each. */
void weir_paper_score_write(FILE *page, const weir_paper_claims *claims);
void weir_paper_claims_write(FILE *page, const weir_paper_claims *claims);

#endif
