/* The request of weir verify, and its jobs: one for each case, mutant or execution to replay. */
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
	WEIR_VERIFY_MUTANTS,   /* must fail, except for equivalent ones */
	WEIR_VERIFY_REPLAY     /* one execution of any of them */
} weir_verify_part;

typedef struct weir_verify_request {
	weir_common common;
	const char *primitive; /* NULL: all */
	const char *kind;
	uint32_t blocks; /* 0: as in the default cases */
	uint32_t threads;
	uint32_t rounds;
	int diagnosed; /* only cases with diagnosis */
	int mutants;
	int published;
	int random; /* random, from the seed; otherwise all executions, or up to the bound */
	int bounded;
	int verbose;
	uint32_t seed;
	uint32_t bound;
	const char *trace;
	const char *replay;
} weir_verify_request;

typedef struct weir_verify_job {
	weir_verify_part part;
	weir_model_case c; /* for a mutant: the case that killed it */
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

/* Plans the requested jobs. Returns 0, or complains and returns an exit status. */
int weir_verify_plan(const weir_verify_request *request, weir_verify_list *list);
/* Runs the jobs until Ctrl-C, and shows each when it is done. Returns 0, or complains and returns
 * an exit status. */
int weir_verify_run(const weir_verify_request *request, weir_verify_list *list,
                    weir_verify_show *show);
void weir_verify_free(weir_verify_list *list);
/* Adds a job at the end of the list. */
weir_verify_job *weir_verify_add(weir_verify_list *list, weir_verify_part part);

/* Whether nothing was explored, because the model machine cannot hold the case or the choices do
 * not fit. */
int weir_verify_refused(const weir_verify_job *job);
/* Whether the job's result is the required one. */
int weir_verify_good(const weir_verify_job *job);

/* Whether a search without a bound is larger than those that weir makes by default, and so may take
 * hours. */
int weir_verify_is_large(const weir_verify_request *request, const weir_verify_list *list);

/* Prints a row for each kind as it is done; with --verbose or for a single kind, a row for each
 * case. */
weir_verify_show *weir_verify_show_begin(const weir_verify_request *request,
                                         const weir_verify_list *list, FILE *stream);
/* A search is under way: says first that it may take long, if it may. */
void weir_verify_show_busy(weir_verify_show *show);
/* All jobs up to and including `job` have run. `bar` is on the terminal. */
void weir_verify_show_job(weir_verify_show *show, size_t job, weir_progress *bar);
/* Prints the rest: the cases that failed, the traces worth seeing, and the totals. With `nothing`,
 * prints none of it. */
void weir_verify_show_end(weir_verify_show *show, int nothing);

/* The following functions return 0, or complain and return an exit status. */

/* Writes the same as JSON. */
int weir_verify_write_json(const weir_verify_request *request, const weir_verify_list *list);
/* Writes the traces of all failures to a file, with what a replay needs. */
int weir_verify_write_traces(const weir_verify_request *request, const weir_verify_list *list);
/* Adds the executions of such a file. */
int weir_verify_read_traces(const char *path, weir_verify_list *list);

#endif
