/* What a barrier over more GPUs than there are here would cost, by the simulator. */
#ifndef WEIR_COMMAND_CREW_SIMULATE_H
#define WEIR_COMMAND_CREW_SIMULATE_H

#include "cli/options.h"
#include "cli/parse.h"

/* Returns an exit status. */
int crew_simulate(const weir_common *common, const weir_counts *ranks);

#endif
