/* How the program fails: the exit statuses, and one line on standard error. */
#ifndef WEIR_COMMAND_CLI_COMPLAIN_H
#define WEIR_COMMAND_CLI_COMPLAIN_H

#include <stdio.h>

/* Exit statuses. After Ctrl-C the results so far are still printed and written. */
enum weir_exit {
	WEIR_EXIT_OK = 0,
	WEIR_EXIT_FAILED = 1, /* a measurement or a check failed, or its result could not be
	                       * written */
	WEIR_EXIT_USAGE = 2,  /* wrong usage or input */
	WEIR_EXIT_STOPPED = 130
};

/* Prints "weir: ..." as one line on standard error and returns `status`. */
int weir_complain(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same with WEIR_EXIT_USAGE. */
int weir_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same with WEIR_EXIT_FAILED and the library's error text. */
int weir_complain_failed(void);

/* A property that a request must not have, and the error message for it. */
typedef struct weir_refusal {
	int holds;
	const char *why; /* NULL ends the list */
} weir_refusal;

/* Refuses the first property that holds, or returns 0. */
int weir_refuse_any(const weir_refusal *refusals);

/* Returns `pointer`, or ends the program with an error if it is NULL. */
void *weir_need(void *pointer);

/* Appends a name to a comma-separated list for an error message. */
void weir_append_name(char *list, size_t room, const char *name);

#endif
