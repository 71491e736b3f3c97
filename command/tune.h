/* The search for a backoff. */
#ifndef WEIR_COMMAND_TUNE_H
#define WEIR_COMMAND_TUNE_H

#include "measure.h"

/* One kind at one contention. `point` states the case, `seconds` how long it may take. */
typedef struct weir_tune_case {
	weir_point point;
	double seconds;
} weir_tune_case;

/* Searches bounds that are powers of two, coarsely at first, then around the best, for about three
 * quarters of the time, then measures the best and the kind's own default again, in turns. Ctrl-C
 * ends the search, not the measuring after it. `tried` gets how many settings were compared. */
weir_status weir_tune_search(weir_meter *meter, const weir_tune_case *wanted, weir_tuning *result,
                             uint32_t *tried);

#endif
