/* The parts of weir doctor: the mistakes that it makes, and what a diagnosis costs. */
#ifndef WEIR_COMMAND_DOCTOR_DOCTOR_H
#define WEIR_COMMAND_DOCTOR_DOCTOR_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "weir/ranks.h"
#include "weir/weir.h"

/* ---- mistakes ---- */

/* A capability that a mistake needs and not all machines have. */
typedef enum weir_mistake_needs {
	WEIR_MISTAKE_NEEDS_NOTHING,
	WEIR_MISTAKE_NEEDS_COUNTS, /* barriers count the threads that arrive */
	WEIR_MISTAKE_NEEDS_TEAMS,
	WEIR_MISTAKE_NEEDS_WARPS, /* the first threads of a block are a warp */
	WEIR_MISTAKE_NEEDS_CREW,
	WEIR_MISTAKE_NEEDS_RANKS /* a crew of two ranks */
} weir_mistake_needs;

/* Which blocks wait in the end, if a mistake hangs. */
typedef enum weir_mistake_waiters {
	WEIR_MISTAKE_WAITS_NONE,
	WEIR_MISTAKE_WAITS_ONE,
	WEIR_MISTAKE_WAITS_TWO,
	WEIR_MISTAKE_WAITS_OTHERS, /* all but one */
	WEIR_MISTAKE_WAITS_ALL
} weir_mistake_waiters;

typedef struct weir_mistake {
	const char *name;
	const char *what;       /* for people */
	weir_host_entry kernel; /* its name NULL: nothing is launched */
	weir_status ends;       /* WEIR_ABORTED: it hangs, and only an abort ends it */
	weir_mistake_waiters waiters;
	const char *finding; /* the kind of finding that the report must contain ... */
	const char *object;  /* ... naming this object and block 1 */
	weir_mistake_needs needs;
	int twice; /* only a second launch detects it */
} weir_mistake;

extern const weir_mistake weir_mistakes[];
extern const size_t weir_mistake_count;

typedef enum weir_mistake_verdict {
	WEIR_MISTAKE_NAMED,
	WEIR_MISTAKE_MISSED,
	WEIR_MISTAKE_SKIPPED
} weir_mistake_verdict;

typedef struct weir_mistake_result {
	weir_mistake_verdict verdict;
	char why[256];  /* what did not go as expected */
	char *text;     /* the report, or the library's error text */
	json_t *report; /* NULL: none */
	double seconds; /* from the launch to its end */
} weir_mistake_result;

/* Makes the mistake on its own device, which it opens and closes. */
void weir_mistake_run(const char *device, const weir_mistake *mistake, weir_mistake_result *result);
void weir_mistake_result_clear(weir_mistake_result *result);

/* ---- the crew of a mistake: this process is rank 0, and a second rank only joins ---- */

typedef struct doctor_crew {
	weir_device *host;     /* the host device with which it joins, if it is not the device
	                        * itself; else NULL */
	weir_crew_link *first; /* of rank 0 */
	weir_crew_link *other; /* of rank 1; NULL: none */
	weir_crew handle;
} doctor_crew;

/* Joins a diagnosed crew of one or two ranks, in the memory of the device. */
weir_status doctor_crew_join(weir_device *device, uint32_t ranks, const weir_crew_options *options,
                             doctor_crew *crew);
/* Leaves the crew, or as much of it as was created. */
weir_status doctor_crew_leave(doctor_crew *crew);

/* ---- what a diagnosis costs ---- */

#define WEIR_COST_REPEATS_MOST 99

/* How to measure it. */
typedef struct weir_cost_request {
	uint32_t blocks;
	uint32_t threads;
	uint32_t repeats; /* at most WEIR_COST_REPEATS_MOST */
	uint32_t maximum; /* of semaphores */
} weir_cost_request;

/* Adds a row for each kind to the table on `text`, if that is not NULL, and to `rows`, until
 * Ctrl-C. Returns the exit status. */
int weir_doctor_cost(const char *device, const weir_cost_request *cost, FILE *text, json_t *rows);

#endif
