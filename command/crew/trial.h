/* The part of one rank in `weir crew`: it joins, meets the others, and says who did not come. */
#ifndef WEIR_COMMAND_CREW_TRIAL_H
#define WEIR_COMMAND_CREW_TRIAL_H

#include <stdint.h>

#include "crew_params.h"
#include "weir/ranks.h"

/* What a rank does wrong, on purpose. */
typedef enum crew_fault {
	CREW_NO_FAULT,
	CREW_KILL,  /* its process ends in the middle */
	CREW_STAY,  /* it does not come, and lives */
	CREW_LATE,  /* it comes late */
	CREW_ABSENT /* it never starts */
} crew_fault;

typedef struct crew_request {
	uint32_t ranks;
	uint32_t blocks; /* of each rank */
	uint32_t radix;  /* 0: the default */
	uint32_t rounds;
	const char *device; /* of the kernels; NULL: the host */
	double seconds;     /* the deadline of each wait */
	crew_fault fault;
	uint32_t fault_rank;
} crew_request;

/* What a rank tells the launcher: short enough to be written to a pipe in one piece. */
typedef struct crew_result {
	uint32_t rank;
	uint32_t status; /* of the program */
	uint32_t radix;
	uint32_t errors;
	uint32_t done;            /* trials */
	uint64_t ns[CREW_TRIALS]; /* for each round */
	char text[2048];          /* why it failed */
} crew_result;

extern const char *const crew_trial_names[CREW_TRIALS];

/* Runs all trials as the rank of that place. */
void crew_run(const crew_request *request, const weir_crew_place *place, crew_result *result);

#endif
