/* The simulated machine of a prediction, and the work on it. */
#ifndef WEIR_COMMAND_PREDICT_MACHINE_H
#define WEIR_COMMAND_PREDICT_MACHINE_H

#include "cli/parse.h"
#include "output/progress.h"
#include "src/sim/sim.h"
#include "weir/profile.h"
#include "weir/weir.h"

/* Makes a machine from a profile. Returns 0, or complains and returns an exit status. */
int weir_predict_machine(const char *name, weir_profile *profile, const char *what_if,
                         weir_sim_machine *machine);
/* Refuses numbers of blocks that do not run at once there: simulated, they would take for ever and mean
 * nothing. */
int weir_predict_check_blocks(const char *name, const weir_sim_machine *machine,
                              const weir_counts *blocks);
/* Complains about what a simulation reported, and returns the exit status. */
int weir_predict_failed(weir_status status);

/* Moves a bar by the work of a machine, adjusts its total where that was a guess, and ends the
 * simulations after Ctrl-C. */
weir_sim_watch weir_predict_watch(weir_progress *progress);
/* Adds up the work that a plan reports. */
weir_sim_watch weir_predict_sum(double *work);
/* The status, but WEIR_OK for a simulation that Ctrl-C ended. */
weir_status weir_predict_unless_stopped(weir_status status);

#endif
