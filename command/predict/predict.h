/* The request of weir predict, and its parts. */
#ifndef WEIR_COMMAND_PREDICT_PREDICT_H
#define WEIR_COMMAND_PREDICT_PREDICT_H

#include <stddef.h>

#include "cli/options.h"
#include "cli/parse.h"
#include "output/progress.h"
#include "src/sim/sim.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

typedef struct weir_predict_request {
	weir_common common;
	const char *claims;
	const char *against;
	const char *what_if;
	int map;
	int counts;
	int untuned;
	int published;
	int has_backoff;
	weir_backoff backoff; /* instead of what the tuner finds */
	int has_primitive;
	enum weir_primitive primitive;
	const char *kinds_text;
	weir_counts kinds;    /* of that primitive; empty: all */
	weir_counts blocks;   /* empty: up to the profile's maximum */
	weir_counts initials; /* empty: the paper's four */
	const char *patterns_text;
	weir_counts patterns; /* of that primitive; empty: all */
} weir_predict_request;

/* Each prints and writes its part, and returns the exit status. `machine` is that of the profile
 * named in the request. */
int weir_predict_rates(const weir_predict_request *request, const weir_profile *profile,
                       weir_sim_machine *machine);
int weir_predict_map(const weir_predict_request *request, const weir_profile *profile,
                     weir_sim_machine *machine);
int weir_predict_counts(const weir_predict_request *request, const weir_profile *profile,
                        weir_sim_machine *machine);
int weir_predict_against(const weir_predict_request *request, const weir_profile *profile,
                         weir_sim_machine *machine);
int weir_predict_claims(const weir_predict_request *request);

#define WEIR_PREDICT_PRIMITIVES 5

/* Writes the requested primitives and returns their number. Excludes events and queues if the
 * question is about the paper. */
size_t weir_predict_primitives(const weir_predict_request *request,
                               enum weir_primitive list[WEIR_PREDICT_PRIMITIVES]);

/* Makes the machine of a profile, with the change of a what-if or NULL. Returns 0, or complains and
 * returns an exit status. */
int weir_predict_machine(const char *name, const weir_profile *profile, const char *what_if,
                         weir_sim_machine *machine);
/* Refuses numbers of blocks that do not run at once there: simulating them would take forever and
 * mean nothing. */
int weir_predict_check_blocks(const char *name, const weir_sim_machine *machine,
                              const weir_counts *blocks);
/* Prints the error of a simulation, and returns the exit status. */
int weir_predict_failed(weir_status status);

/* Advances a bar by the work of a machine, adjusts its total where that was an estimate, and ends
 * the simulations after Ctrl-C. */
weir_sim_watch weir_predict_watch(weir_progress *progress);
/* Sums the work that a plan reports. */
weir_sim_watch weir_predict_sum(double *work);
/* Returns the status, but WEIR_OK for a simulation that Ctrl-C ended. */
weir_status weir_predict_unless_stopped(weir_status status);

#endif
