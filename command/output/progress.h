/* The progress of long work and the time left, on standard error. On a terminal it is a bar. In a log
 * it is a line after five seconds and then every half minute, and as rows of results finish. */
#ifndef WEIR_COMMAND_OUTPUT_PROGRESS_H
#define WEIR_COMMAND_OUTPUT_PROGRESS_H

#include <stdio.h>

typedef struct weir_progress {
	const char *what;
	const char *unit; /* "point"; "": the unit means nothing to a user */
	char row[48];     /* "mutex ticket"; "": none is named */
	double total;
	double done;
	double began;
	double drawn;
	double every_s; /* interval between bars or lines; 0 before and after the work */
	int on_terminal;
	int uneven; /* the units differ so much that their number does not predict the time left */
	int late;   /* begun after Ctrl-C, with nothing left to do */
} weir_progress;

void weir_progress_begin(weir_progress *progress, const char *what, const char *unit, double total);
/* `progress` may be NULL. */
void weir_progress_add(weir_progress *progress, double work);
/* Names the row of results that is worked on from now on. The one before has finished, so a log gets
 * a line, unless it got one in the last five seconds. `progress` may be NULL. */
void weir_progress_row(weir_progress *progress, const char *name);
/* Removes the bar from the terminal until the next step, so that something else can be printed. */
void weir_progress_hide(weir_progress *progress);
void weir_progress_end(weir_progress *progress);

/* After Ctrl-C, says how far the interrupted work got: "stopped after 3 of 24 points". Otherwise
 * does nothing; `text` may be NULL. */
void weir_progress_say_stopped(FILE *text);

/* Before work of a known length: says that it may take up to that long, and which options bound it
 * ("--limit bounds"). Says nothing if that is a few minutes; `text` may be NULL. */
void weir_progress_warn(FILE *text, double most_s, const char *bounds);

#endif
