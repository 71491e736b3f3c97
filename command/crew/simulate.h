/* What barriers and events over more GPUs than there are here would cost, by the simulator. */
#ifndef WEIR_COMMAND_CREW_SIMULATE_H
#define WEIR_COMMAND_CREW_SIMULATE_H

#include "cli/options.h"
#include "cli/parse.h"
#include "src/sim/sim.h"

/* "8,600,0.76,2700,10": the GPUs of a domain, then the latency and the gap inside it, and those between
 * domains. Returns 0, or complains. */
int crew_parse_links(const char *text, weir_sim_links *links);

/* On links of the user's, or, for NULL, on the systems of the simulator. Returns an exit status. */
int crew_simulate(const weir_common *common, const weir_counts *ranks, const weir_sim_links *links);

#endif
