/* How far long work is, and the time left, on standard error: a bar on a terminal; elsewhere a line
 * every half minute, so that a log shows that something happens. */
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
	double every_s; /* from one bar or line to the next; 0 before the work and after it */
	int on_terminal;
	int uneven; /* the units differ so much that their number says nothing about the time left */
	int late;   /* begun after Ctrl-C, with nothing left to do */
} weir_progress;

void weir_progress_begin(weir_progress *progress, const char *what, const char *unit, double total);
/* NULL in place of `progress` is fine. */
void weir_progress_add(weir_progress *progress, double work);
/* Takes the bar off the terminal until the next step, before something is printed there. */
void weir_progress_hide(weir_progress *progress);
void weir_progress_end(weir_progress *progress);

/* After Ctrl-C, says how far the interrupted work got: "stopped after 3 of 24 points". Nothing else, and
 * nothing for NULL in place of `text`. */
void weir_progress_say_stopped(FILE *text);

#endif
