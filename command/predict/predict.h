/* The parts of weir predict. */
#ifndef WEIR_PREDICT_H
#define WEIR_PREDICT_H

#include "cli/output.h"
#include "sim/prediction.h"

typedef struct weir_predict_request {
	weir_common common;
	const char *claims;
	const char *against;
	const char *what_if;
	int map;
	int untuned;
	int has_primitive;
	enum weir_primitive primitive;
	weir_counts blocks;   /* none: up to the profile's maximum */
	weir_counts initials; /* likewise the paper's four */
} weir_predict_request;

/* The primitives that are asked for. */
size_t weir_predict_primitives(const weir_predict_request *request, enum weir_primitive list[3]);
/* A machine from a profile: 0, or a complaint and an exit status. */
int weir_predict_machine(const char *name, weir_profile *profile, const char *what_if,
                         weir_sim_machine *machine);
/* A complaint about what a simulation reported, and its exit status. */
int weir_predict_failed(weir_status status);

/* Moves a bar by the work of a machine, adjusts its total where that was a guess, and ends its simulations after Ctrl-C. */
weir_sim_watch weir_predict_watch(weir_progress *progress);
/* Adds up the work that a plan reports. */
weir_sim_watch weir_predict_sum(double *work);
/* WEIR_OK of what ended because of Ctrl-C. */
weir_status weir_predict_unless_stopped(weir_status status);

/* Each prints and writes its part, and gives the exit status. */
int weir_predict_sweep(const weir_predict_request *request);
int weir_predict_claims(const weir_predict_request *request);
int weir_predict_against(const weir_predict_request *request);
int weir_predict_map(const weir_predict_request *request);

#endif
