/* A bar with the time left, in one line of standard error, when that is a terminal. */
#ifndef WEIR_COMMAND_OUTPUT_PROGRESS_H
#define WEIR_COMMAND_OUTPUT_PROGRESS_H

#include <stdio.h>

typedef struct weir_progress {
	const char *what;
	const char *unit; /* "point"; "": the work has no unit that means something to a user */
	double total;
	double done;
	double began;
	double drawn;
	int shown;
	int late; /* begun after Ctrl-C, with nothing left to do */
} weir_progress;

void weir_progress_begin(weir_progress *progress, const char *what, const char *unit, double total);
/* NULL in place of `progress` is fine. */
void weir_progress_add(weir_progress *progress, double work);
void weir_progress_end(weir_progress *progress);

/* After Ctrl-C, how far the work came that it ended: "stopped after 3 of 24 points". Nothing else, and
 * nothing for NULL in place of `text`. */
void weir_progress_say_stopped(FILE *text);

#endif
