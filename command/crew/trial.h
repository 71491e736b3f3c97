/* The part of one rank in `weir crew`: it joins, meets the others, and says who did not come. */
#ifndef WEIR_COMMAND_CREW_TRIAL_H
#define WEIR_COMMAND_CREW_TRIAL_H

#include <stdint.h>

#include "kernels/crew_params.h"
#include "weir/ranks.h"

/* What a rank does wrong, on purpose. */
typedef enum crew_fault {
	CREW_NO_FAULT,
	CREW_KILL,   /* its process ends in the middle */
	CREW_STAY,   /* it does not come, and lives */
	CREW_LATE,   /* it comes late */
	CREW_ABSENT, /* it never starts */
	CREW_HASTY   /* it does not wait, where ranks decode */
} crew_fault;

typedef struct crew_request {
	uint32_t ranks;
	uint32_t blocks; /* of each rank; 0: its part of the multiprocessors, to decode */
	uint32_t radix;  /* 0: the default */
	uint32_t rounds;
	const char *device; /* of the kernels; NULL: the host */
	double seconds;     /* the deadline of each wait */
	crew_fault fault;
	uint32_t fault_rank;
	int decodes;     /* the ranks decode a token together, in place of the trials */
	uint32_t layers; /* of the model; 0: the default */
	uint32_t repeats;
	const char *nccl; /* the library, to be measured beside; NULL: it is not */
} crew_request;

/* How the ranks decode. */
typedef enum crew_form {
	CREW_FORM_EVENTS, /* one launch, with the events of the crew */
	CREW_FORM_EVENTS_GRAPH,
	CREW_FORM_LAUNCHES, /* a launch for each part, and for the sum over the ranks */
	CREW_FORM_LAUNCHES_GRAPH,
	CREW_FORM_NCCL, /* a launch for each part, and NCCL between */
	CREW_FORM_NCCL_GRAPH,
	CREW_FORMS
} crew_form;

/* Microseconds of a token; all 0: not measured. */
typedef struct crew_figure {
	double median, lowest, highest;
} crew_figure;

#define CREW_CANNOT_RUN 127 /* the status of a rank whose program cannot be run, as in shells */

/* What a rank tells the launcher: short enough to be written to a pipe in one piece. */
typedef struct crew_result {
	uint32_t rank;
	uint32_t status; /* of the program */
	uint32_t radix;
	uint32_t blocks;
	uint32_t errors;
	uint32_t done;            /* trials */
	uint64_t ns[CREW_TRIALS]; /* for each round */
	crew_figure forms[CREW_FORMS];
	char model[64];  /* that the ranks decode with */
	char note[512];  /* why NCCL was not measured */
	char text[2048]; /* why it failed */
} crew_result;

extern const char *const crew_trial_names[CREW_TRIALS];

/* Runs all trials, or decodes, as the rank of that place. */
void crew_run(const crew_request *request, const weir_crew_place *place, crew_result *result);

#endif
