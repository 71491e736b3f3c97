/* The parts of `weir crew`: what is asked for, the processes of the ranks, a rank while it runs, and the
 * simulation. */
#ifndef WEIR_COMMAND_CREW_CREW_H
#define WEIR_COMMAND_CREW_CREW_H

#include <stdint.h>

#include "cli/options.h"
#include "cli/parse.h"
#include "kernels/crew_params.h"
#include "src/sim/sim.h"
#include "weir/ranks.h"
#include "weir/weir.h"

/* ---- what a rank does, and what it tells ---- */

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
extern const char *const crew_form_names[CREW_FORMS];

/* Runs all trials, or decodes, as the rank of that place. */
void crew_run(const crew_request *request, const weir_crew_place *place, crew_result *result);

/* ---- the ranks as processes of this host ---- */

/* How a rank has ended. */
typedef struct crew_ended {
	int has_started;
	int has_ended;
	int signal; /* that ended it, or 0 */
	int status; /* else what it returned */
	int has_result;
	crew_result result;
} crew_ended;

/* With `program`, starts that; else the trials. `ended` has a place for each rank. Returns an exit
 * status. When one rank has failed, the others have `seconds` more, twice over. */
int crew_launch(const crew_request *request, char **program, crew_ended *ended);

/* ---- one rank while it runs: its devices, its crew, and how it fails ---- */

/* Of a rank that failed because another one did. */
#define CREW_TEXT_ABORTED "another rank has aborted the crew\n"

typedef struct crew_rank {
	const crew_request *request;
	crew_result *result;
	weir_device *host;
	weir_device *device; /* where the kernels run: the host, or another one */
	weir_program *program;
	weir_crew_link *link;
	weir_crew meeting; /* the crew in the host's memory */
	weir_crew crew;    /* as kernels use it */
} crew_rank;

/* Joins the crew, and makes the program. 0, or -1 with the text in the result; so for all below. */
int crew_rank_open(crew_rank *r, const weir_crew_place *place, const weir_crew_options *options,
                   const weir_program_text *text);
void crew_rank_close(crew_rank *r);

int crew_rank_has_fault(const crew_rank *r, crew_fault fault);

/* The first text counts. */
int crew_rank_fail(crew_rank *r, const char *text);

/* Fails with the library's text unless the status is WEIR_OK. */
int crew_rank_need(crew_rank *r, weir_status status);

/* Says who did not come, and ends the waits of all ranks. Returns -1. */
int crew_rank_report(crew_rank *r, double waited);

/* Waits for the kernel. From time to time it looks whether all ranks live. */
int crew_rank_watch(crew_rank *r);

/* Fails when the wait of a kernel ended so. */
int crew_rank_judge(crew_rank *r, uint32_t result);

/* Sleeps for a while, if the rank is to be late. */
void crew_rank_be_late(const crew_rank *r);

/* The mistakes that a rank makes where it stops coming: it is killed, or waits until others abort the crew. */
int crew_rank_stop_coming(crew_rank *r);

/* ---- --decode: one token through a transformer whose weights are divided over the ranks ---- */

/* Why so many ranks cannot divide the model of that device; NULL: they can. */
const char *crew_decode_refuses(const crew_request *request);

/* Checks and measures each form as the rank of that place. crew_rank_close follows. */
void crew_decode_run(crew_rank *rank, const weir_crew_place *place);

/* ---- --simulate: barriers and events over more GPUs than there are here ---- */

/* "8,600,0.76,2700,10": the GPUs of a domain, then the latency and the gap inside it, and those between
 * domains. Returns 0, or complains. */
int crew_parse_links(const char *text, weir_sim_links *links);

/* On links of the user's, or, for NULL, on the systems of the simulator. Returns an exit status. */
int crew_simulate(const weir_common *common, const weir_counts *ranks, const weir_sim_links *links);

#endif
