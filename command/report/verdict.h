/* The answer of a report: which kinds to use, how fast they are, and how to get them. */
#ifndef WEIR_COMMAND_REPORT_VERDICT_H
#define WEIR_COMMAND_REPORT_VERDICT_H

#include <stdio.h>

#include "weir/kind.h"
#include "weir/profile.h"

/* A kind that is the default for some counts, in the comparison of these counts that has the most
 * contention: the most blocks of a barrier, the fewest slots of a semaphore. */
typedef struct weir_choice {
	weir_span span;
	weir_comparison at;
	const weir_point *taken; /* NULL: there is no figure of it, and none of the others below */
	const weir_point *next;  /* the fastest of the others */
	const weir_point *slowest; /* of the others */
	const weir_point *fair;    /* the kind that serves in the order of arrival; NULL: none */
} weir_choice;

#define WEIR_CHOICES 16

/* The choices of a primitive, by count: as many as its rules have spans. */
size_t weir_report_choices(const weir_profile *profile, enum weir_primitive primitive,
                           weir_choice choices[WEIR_CHOICES]);

/* What the library takes on that device today, to say what is left to do. */
typedef struct weir_library {
	const weir_profile *profile; /* NULL: it is simulated */
	const char *from;            /* which one that is */
	const char *command;         /* makes the report's kinds its defaults; "": there is none */
	const char *next;            /* which command has figures of all kinds, as a sentence */
} weir_library;

/* The section at the top of the page, and the same as a few lines of text. */
void weir_report_verdict_write(FILE *page, const weir_profile *profile,
                               const weir_library *library);
void weir_report_verdict_print(FILE *text, const weir_profile *profile,
                               const weir_library *library);

#endif
