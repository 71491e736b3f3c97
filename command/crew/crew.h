/* The parts of `weir crew`: the request, the processes of the ranks, a running rank, and the
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

/* ---- what a rank does, and what it reports ---- */

/* What a rank does wrong, on purpose. */
typedef enum crew_fault {
	CREW_NO_FAULT,
	CREW_KILL,   /* its process ends in the middle */
	CREW_STAY,   /* it stops arriving, but stays alive */
	CREW_LATE,   /* it arrives late */
	CREW_ABSENT, /* it never starts */
	CREW_HASTY   /* it does not wait while the ranks decode */
} crew_fault;

typedef struct crew_request {
	uint32_t ranks;
	uint32_t blocks; /* of each rank; 0: when decoding, its share of the multiprocessors */
	uint32_t radix;  /* 0: the default */
	uint32_t rounds;
	const char *device; /* for the kernels; NULL: the host */
	double seconds;     /* the deadline of each wait */
	crew_fault fault;
	uint32_t fault_rank;
	int decodes;     /* the ranks decode a token together instead of running the trials */
	uint32_t layers; /* of the model; 0: the default */
	uint32_t repeats;
	const char *nccl; /* the NCCL library to compare with; NULL: none */
} crew_request;

/* How the ranks decode. */
typedef enum crew_form {
	CREW_FORM_EVENTS, /* one launch, with the events of the crew */
	CREW_FORM_EVENTS_GRAPH,
	CREW_FORM_LAUNCHES, /* one launch for each part and for each sum over the ranks */
	CREW_FORM_LAUNCHES_GRAPH,
	CREW_FORM_NCCL, /* one launch for each part, with NCCL in between */
	CREW_FORM_NCCL_GRAPH,
	CREW_FORMS
} crew_form;

/* Microseconds per token; all 0: not measured. */
typedef struct crew_figure {
	double median, lowest, highest;
} crew_figure;

#define CREW_CANNOT_RUN 127 /* the status of a rank whose program cannot be run, as in shells */

/* What a rank reports to the launcher: short enough for one atomic write to a pipe. */
typedef struct crew_result {
	uint32_t rank;
	uint32_t status; /* of the program */
	uint32_t radix;
	uint32_t blocks;
	uint32_t errors;
	uint32_t done;            /* trials completed */
	uint64_t ns[CREW_TRIALS]; /* for each round */
	crew_figure forms[CREW_FORMS];
	char model[64];  /* the model that the ranks decode with */
	char note[512];  /* why NCCL was not measured */
	char text[2048]; /* why it failed */
} crew_result;

extern const char *const crew_trial_names[CREW_TRIALS];
extern const char *const crew_form_names[CREW_FORMS];

/* Runs all trials, or decodes, as the rank given by that place. */
void crew_run(const crew_request *request, const weir_crew_place *place, crew_result *result);

/* ---- the ranks as processes of this host ---- */

/* How a rank ended. */
typedef struct crew_ended {
	int has_started;
	int has_ended;
	int signal; /* the signal that ended it, or 0 */
	int status; /* otherwise its exit status */
	int has_result;
	crew_result result;
} crew_ended;

/* Starts `program` if given, otherwise the trials. `ended` has room for each rank. Returns an exit
 * status. When one rank has failed, the others have `seconds` more, twice over. */
int crew_launch(const crew_request *request, char **program, crew_ended *ended);

/* ---- a running rank: its devices, its crew, and how it fails ---- */

/* The text of a rank that failed because another rank did. */
#define CREW_TEXT_ABORTED "another rank has aborted the crew\n"

typedef struct crew_rank {
	const crew_request *request;
	crew_result *result;
	weir_device *host;
	weir_device *device; /* where the kernels run: the host or another device */
	weir_program *program;
	weir_crew_link *link;
	weir_crew meeting; /* the crew in the host's memory */
	weir_crew crew;    /* as the kernels use it */
} crew_rank;

/* Joins the crew and creates the program. Returns 0, or -1 with the message in the result, like all
 * functions below. */
int crew_rank_open(crew_rank *r, const weir_crew_place *place, const weir_crew_options *options,
                   const weir_program_text *text);
void crew_rank_close(crew_rank *r);

int crew_rank_has_fault(const crew_rank *r, crew_fault fault);

/* The first text is kept. */
int crew_rank_fail(crew_rank *r, const char *text);

/* Fails with the library's text unless the status is WEIR_OK. */
int crew_rank_need(crew_rank *r, weir_status status);

/* Reports which ranks did not arrive, and ends the waits of all ranks. Returns -1. */
int crew_rank_report(crew_rank *r, double waited);

/* Waits for the kernel, and checks from time to time whether all ranks are alive. */
int crew_rank_watch(crew_rank *r);

/* Fails if the wait of a kernel ended with that result. */
int crew_rank_judge(crew_rank *r, uint32_t result);

/* Sleeps for a while if the rank is supposed to be late. */
void crew_rank_be_late(const crew_rank *r);

/* The mistakes of a rank that stops arriving: it is killed, or waits until others abort the
 * crew. */
int crew_rank_stop_coming(crew_rank *r);

/* ---- --decode: one token through a transformer whose weights are divided among the ranks ---- */

/* Why this number of ranks cannot divide the model of that device; NULL: they can. */
const char *crew_decode_refuses(const crew_request *request);

/* Checks and measures each form as the rank given by that place. Call crew_rank_close
 * afterwards. */
void crew_decode_run(crew_rank *rank, const weir_crew_place *place);

/* ---- --simulate: barriers and events over more GPUs than this host has ---- */

/* Parses "8,600,0.76,2700,10": the GPUs of a domain, then the latency and the gap inside it, and
 * those between domains. Returns 0, or complains. */
int crew_parse_links(const char *text, weir_sim_links *links);

/* Simulates the user's links, or the built-in systems if they are NULL. Returns an exit status. */
int crew_simulate(const weir_common *common, const weir_counts *ranks, const weir_sim_links *links);

#endif
