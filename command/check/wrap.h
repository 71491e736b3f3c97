/* weir check --wrap: launches that begin with counters near 2^31 and 2^32. */
#ifndef WEIR_COMMAND_CHECK_WRAP_H
#define WEIR_COMMAND_CHECK_WRAP_H

#include "check/plan.h"

/* Finds the counters and runs the plan's schedules, and its exploration, with them near the wrap. What it explores is
 * added to `explored`. Returns 0, or complains and returns an exit status. */
int weir_check_wrap(weir_check_plan *plan, weir_check *check, weir_explore_result *explored);

#endif
