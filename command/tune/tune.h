/* The search for the setting of a kind: its backoff or its shape. */
#ifndef WEIR_COMMAND_TUNE_H
#define WEIR_COMMAND_TUNE_H

#include "measure/measure.h"

/* One kind at one contention. `point` states the case, `seconds` how long it may take. */
typedef struct weir_tune_case {
	weir_point point;
	double seconds;
} weir_tune_case;

/* Whether a kind has anything to search for. */
int weir_tune_can(enum weir_primitive primitive, uint32_t kind);

/* Searches, coarsely at first, then around the best, for about two thirds of the time; measures the
 * best few anew to choose among them; then the one that won and the kind's own default again, in
 * turns. If they differ by less than the spread of both, the result is the default, with both rates
 * equal. Ctrl-C ends the search, not the measuring after it. `tried` gets how many settings were
 * compared. On a simulated device it is the search of weir_sim_find instead. */
weir_status weir_tune_search(weir_meter *meter, const weir_tune_case *wanted, weir_tuning *result,
                             uint32_t *tried);

/* ---- what the searches share ---- */

#define WEIR_SEARCH_ROOM 512

typedef struct weir_trial {
	weir_setting setting;
	double per_second;
} weir_trial;

typedef struct weir_search {
	weir_meter *meter;
	const weir_tune_case *wanted;
	double until;
	double limit_s; /* for a trial */
	weir_trial trials[WEIR_SEARCH_ROOM];
	uint32_t tried;
	weir_trial best;
} weir_search;

/* Out of time or room, or Ctrl-C asked for it. */
int weir_search_over(const weir_search *search);
/* Measures a setting, unless the search is over or has tried it before. */
weir_status weir_search_try(weir_search *search, const weir_setting *setting);

/* Both bounds of a backoff, powers of two. */
weir_status weir_search_bounds(weir_search *search);
/* The units for each one ahead, where the pause goes by the place in the line. */
weir_status weir_search_place(weir_search *search);
/* Shards, copies and first pause of a counter barrier. */
weir_status weir_search_shape(weir_search *search);

#endif
