/* The search for the setting of a kind: its backoff or its shape. */
#ifndef WEIR_COMMAND_TUNE_SEARCH_H
#define WEIR_COMMAND_TUNE_SEARCH_H

#include <stdint.h>

#include "measure/meter.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

/* One kind at one contention. `point` states the case, `seconds` how long it may take. */
typedef struct weir_tune_case {
	weir_point point;
	double seconds;
} weir_tune_case;

/* Whether a kind has anything to search for. */
int weir_tune_can(enum weir_primitive primitive, uint32_t kind);

/* Searches for about two thirds of the time, coarsely at first, then around the best. Measures the best
 * few anew to choose among them; then the winner and the kind's own default again, in turns. If they
 * differ by less than the spread of both, the result is the default, with both rates equal.
 *
 * Ctrl-C ends the search, not the measuring after it. `tried` gets how many settings were compared. A
 * simulated device takes the search of weir_sim_find instead. */
weir_status weir_tune_search(weir_meter *meter, const weir_tune_case *wanted, weir_tuning *result,
                             uint32_t *tried);

#endif
