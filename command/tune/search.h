/* The search for the setting of a kind: its backoff or its shape. */
#ifndef WEIR_COMMAND_TUNE_SEARCH_H
#define WEIR_COMMAND_TUNE_SEARCH_H

#include <stdint.h>

#include "measure/meter.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

/* One kind at one contention. `point` gives the case, `seconds` the time that it may take. */
typedef struct weir_tune_case {
	weir_point point;
	double seconds;
} weir_tune_case;

/* Whether a kind has settings to search for. */
int weir_tune_can(enum weir_primitive primitive, uint32_t kind);

/* Searches for about two thirds of the time, coarsely at first, then around the best. Measures the
 * best few again to choose among them; then measures the winner and the kind's own default once
 * more, alternately. If they differ by less than the spread of both, the result is the default,
 * with both rates equal.
 *
 * Ctrl-C ends the search, not the measurements after it. Stores in `tried` how many settings were
 * compared. On a simulated device this is weir_sim_find's search instead. */
weir_status weir_tune_search(weir_meter *meter, const weir_tune_case *wanted, weir_tuning *result,
                             uint32_t *tried);

#endif
