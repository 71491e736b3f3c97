/* The paper's two machines, simulated: the throughput of every kind over block counts. */
#ifndef WEIR_COMMAND_PAPER_MACHINES_H
#define WEIR_COMMAND_PAPER_MACHINES_H

#include <stdint.h>

#include "output/progress.h"
#include "src/sim/sim.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

#define WEIR_PAPER_MACHINES 2
#define WEIR_PAPER_INITIALS 4

/* The initial values of the paper's figure 3. */
extern const uint32_t weir_paper_initials[WEIR_PAPER_INITIALS];

/* The block counts to simulate. Each kind of the paper has 1 to 8 and then the multiples of `step`,
 * as far as the paper's figure goes. Every kind has the powers of two, and as many blocks as fit. */
typedef struct weir_paper_counts {
	uint32_t step;
	int quick; /* a few counts alone, and short runs */
} weir_paper_counts;

/* The kernels of one origin on a machine, and their rates. */
typedef struct weir_paper_curves {
	weir_sim_machine sim;
	weir_profile *profile; /* with the points that were simulated */
} weir_paper_curves;

typedef struct weir_paper_machine {
	const char *name;         /* of its profile */
	const char *title;        /* for people */
	weir_paper_curves papers; /* the paper's kinds, as it wrote them; claims are about these */
	weir_paper_curves all;    /* all kinds, as weir has them */
} weir_paper_machine;

/* Makes both machines. Returns 0, or complains and returns an exit status. */
int weir_paper_machines_make(weir_paper_machine machines[WEIR_PAPER_MACHINES],
                             const weir_paper_counts *counts);
void weir_paper_machines_free(weir_paper_machine machines[WEIR_PAPER_MACHINES]);

/* Whether the device of that name is one of the two, simulated. */
int weir_paper_has(const char *device);

/* The work of the simulation, and the simulation. It ends early after Ctrl-C. */
double weir_paper_work(const weir_paper_machine *machine, const weir_paper_counts *counts);
weir_status weir_paper_simulate(weir_paper_machine *machine, const weir_paper_counts *counts);

/* Whether the paper's figures have a kind. */
int weir_paper_has_kind(enum weir_primitive primitive, uint32_t kind);
/* The largest number of blocks that a figure of the paper has of a kind. XF needs so many registers
 * that six blocks fit on a multiprocessor; the paper leaves out what is slow on GT200. */
uint32_t weir_paper_shown(const char *profile, enum weir_primitive primitive, uint32_t kind);
/* The largest number of blocks that run at once with a kind. */
uint32_t weir_paper_fit(const char *profile, enum weir_primitive primitive, uint32_t kind);

#endif
