/* The mistakes that weir doctor makes, and how a case of them went. */
#ifndef WEIR_COMMAND_DOCTOR_H
#define WEIR_COMMAND_DOCTOR_H

#include <jansson.h>
#include <stdio.h>

#include "weir/weir.h"

typedef struct weir_mistake {
	const char *name;
	const char *what;    /* for people */
	const char *kernel;  /* NULL: nothing is ever launched */
	int hangs;           /* ends by an abort alone */
	const char *finding; /* the kind that a report must have ... */
	const char *object;  /* ... that names this object and block 1 */
	int host_only;       /* where threads are counted */
} weir_mistake;

extern const weir_mistake weir_mistakes[];
extern const size_t weir_mistake_count;

typedef enum weir_verdict {
	WEIR_VERDICT_NAMED,
	WEIR_VERDICT_MISSED,
	WEIR_VERDICT_SKIPPED
} weir_verdict;

typedef struct weir_case {
	weir_verdict verdict;
	char why[256];  /* what went otherwise than it should */
	char *text;     /* the report, or the library's refusal */
	json_t *report; /* NULL: there is none */
	double seconds; /* from the launch to its end */
} weir_case;

/* On a device of its own; opens and closes it. */
void weir_doctor_run(const char *device, const weir_mistake *mistake, weir_case *result);
void weir_case_clear(weir_case *result);

#define WEIR_COST_REPEATS_MOST 99

/* How to measure what a diagnosis costs. */
typedef struct weir_cost {
	uint32_t blocks;
	uint32_t threads;
	uint32_t repeats; /* WEIR_COST_REPEATS_MOST at the most */
	uint32_t maximum; /* of semaphores */
} weir_cost;

/* A row for each kind into the table on `text`, if that is not NULL, and into `rows`, until Ctrl-C. The
 * exit status. */
int weir_doctor_cost(const char *device, const weir_cost *cost, FILE *text, json_t *rows);

#endif
