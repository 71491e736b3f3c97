/* One rank of `weir crew` while it runs: its devices, its crew, and how it fails. */
#ifndef WEIR_COMMAND_CREW_RANK_H
#define WEIR_COMMAND_CREW_RANK_H

#include "trial.h"
#include "weir/ranks.h"
#include "weir/weir.h"

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

#endif
