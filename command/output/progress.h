/* How far long work is, and the time left, on standard error: a bar on a terminal; elsewhere a line
 * every half minute, so that a log shows that something happens. */
#ifndef WEIR_COMMAND_OUTPUT_PROGRESS_H
#define WEIR_COMMAND_OUTPUT_PROGRESS_H

typedef struct weir_progress {
	const char *what;
	double total; /* in any unit of work */
	double done;
	double began;
	double drawn;
	double every_s; /* from one bar or line to the next; 0 before the work and after it */
	int on_terminal;
} weir_progress;

void weir_progress_begin(weir_progress *progress, const char *what, double total);
/* NULL in place of `progress` is fine. */
void weir_progress_add(weir_progress *progress, double work);
void weir_progress_end(weir_progress *progress);

#endif
