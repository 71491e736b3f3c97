/* All executions of a small launch that the memory model of PTX allows.
 *
 * The search and the memory are the explorer's (src/model); its threads run the kernel's PTX in the interpreter
 * (src/ptx). Strong accesses to words that several threads share are steps of the search. A thread runs everything in
 * between without a choice, and its accesses are checked for races with those of other threads.
 *
 *   explore.c   one search after another, until the set of shared words no longer grows
 *   thread.c    what one thread does: accesses, barriers, exits
 *   poll.c      reads that only lead back to themselves
 *   plain.c     races on words that no thread accesses strongly, and the memory as it was before an execution
 *   show.c      an execution as findings and lines
 */
#ifndef WEIR_EXPLORE_EXPLORE_H
#define WEIR_EXPLORE_EXPLORE_H

#include "../ptx/check.h"

typedef struct weir_explore_bounds {
	uint64_t executions; /* 0: all */
	double seconds;      /* 0: no limit */
} weir_explore_bounds;

/* Final contents, and in how many executions they were reached. */
typedef struct weir_explore_outcome {
	uint64_t number; /* a hash of the contents */
	uint64_t executions;
	char text[256];
} weir_explore_outcome;

typedef struct weir_explore_setup {
	const weir_check_setup *check;
	/* Writes the contents that distinguish outcomes as text, and returns a hash of them. NULL: outcomes are not
	 * distinguished. */
	uint64_t (*outcome)(void *context, char *text, size_t bytes);
	/* Called now and then with an estimate of the share of the search that is done; NULL: nothing is called. */
	void (*watch)(void *watcher, double done);
	void *watcher;
	weir_explore_bounds bounds;
} weir_explore_setup;

typedef struct weir_explore_result {
	uint64_t executions; /* that ran to their end */
	uint64_t blocked;    /* that only repeated what others show */
	uint64_t steps;
	double estimate; /* of all executions, if a bound ended the search; 0: unknown */
	int is_exhaustive;
	int may_buffer_loads; /* PTX allows executions with load buffering, which are left out */
	int is_stopped;
	char bound[256]; /* what ended the search: "the time", ...; empty: nothing */
	weir_explore_outcome *outcomes;
	size_t outcome_count;
} weir_explore_result;

/* Adds what is found to the check. Fails if the launch cannot start. */
weir_status weir_explore(weir_check *check, const weir_explore_setup *setup,
                         weir_explore_result *result);
void weir_explore_result_free(weir_explore_result *result);

#endif
