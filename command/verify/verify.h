/* What weir verify is asked for, and its jobs: one for each case, mutant or execution to replay. */
#ifndef WEIR_COMMAND_VERIFY_VERIFY_H
#define WEIR_COMMAND_VERIFY_VERIFY_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/options.h"
#include "output/progress.h"
#include "src/model/model.h"

typedef enum weir_verify_part {
	WEIR_VERIFY_KINDS,     /* must pass */
	WEIR_VERIFY_PUBLISHED, /* must fail */
	WEIR_VERIFY_MUTANTS,   /* must fail, but for those that are no fault */
	WEIR_VERIFY_REPLAY     /* one execution of any of them */
} weir_verify_part;

typedef struct weir_verify_request {
	weir_common common;
	const char *primitive; /* NULL: all */
	const char *kind;
	uint32_t blocks; /* 0: those of the default cases */
	uint32_t threads;
	uint32_t rounds;
	int diagnosed; /* only cases with diagnosis */
	int mutants;
	int published;
	int random; /* from the seed; else all, or up to the bound */
	int bounded;
	int verbose;
	uint32_t seed;
	uint32_t bound;
	const char *trace;
	const char *replay;
} weir_verify_request;

typedef struct weir_verify_job {
	weir_verify_part part;
	weir_model_case c; /* of a mutant: the one that killed it */
	int is_mutant;
	weir_model_mutant mutant;
	char *choices; /* to replay */
	int ran;
	weir_model_outcome outcome;
} weir_verify_job;

typedef struct weir_verify_show weir_verify_show;

typedef struct weir_verify_list {
	weir_verify_job *jobs;
	size_t count;
	size_t room;
} weir_verify_list;

/* Plans the jobs that the request asks for. Returns 0, or complains and returns an exit status. */
int weir_verify_plan(const weir_verify_request *request, weir_verify_list *list);
/* Runs the jobs until Ctrl-C, and shows each when it is done. Returns 0, or complains and returns an
 * exit status. */
int weir_verify_run(const weir_verify_request *request, weir_verify_list *list,
                    weir_verify_show *show);
void weir_verify_free(weir_verify_list *list);
/* A new job at the end of the list. */
weir_verify_job *weir_verify_add(weir_verify_list *list, weir_verify_part part);

/* Whether nothing was explored: the machine of the model cannot hold it, or the choices do not
 * fit. */
int weir_verify_refused(const weir_verify_job *job);
/* Whether the job came out as it must. */
int weir_verify_good(const weir_verify_job *job);

/* Whether a search is larger than those that weir makes unasked, without a bound: it may take hours. */
int weir_verify_is_large(const weir_verify_request *request, const weir_verify_list *list);

/* Prints a row for each kind, or with --verbose and for one kind alone a row for each case, when it is
 * done. */
weir_verify_show *weir_verify_show_begin(const weir_verify_request *request,
                                         const weir_verify_list *list, FILE *stream);
/* A search is under way: says first that it may take long, if it may. */
void weir_verify_show_busy(weir_verify_show *show);
/* Up to and with this job all have run. `bar` is on the terminal. */
void weir_verify_show_job(weir_verify_show *show, size_t job, weir_progress *bar);
/* Prints what is left: the cases that went wrong, the traces that a reader wants to see, and the
 * totals; with `nothing`, none of it. */
void weir_verify_show_end(weir_verify_show *show, int nothing);

/* These return 0, or complain and return an exit status. */

/* Writes the same as JSON. */
int weir_verify_write_json(const weir_verify_request *request, const weir_verify_list *list);
/* Writes the traces of all failures to a file, with what a replay needs. */
int weir_verify_write_traces(const weir_verify_request *request, const weir_verify_list *list);
/* Adds the executions of such a file. */
int weir_verify_read_traces(const char *path, weir_verify_list *list);

#endif
