/* A bar with the time left, in one line of standard error, when that is a terminal. */
#ifndef WEIR_COMMAND_OUTPUT_PROGRESS_H
#define WEIR_COMMAND_OUTPUT_PROGRESS_H

typedef struct weir_progress {
	const char *what;
	double total; /* in any unit of work */
	double done;
	double began;
	double drawn;
	int shown;
} weir_progress;

void weir_progress_begin(weir_progress *progress, const char *what, double total);
/* NULL in place of `progress` is fine. */
void weir_progress_add(weir_progress *progress, double work);
void weir_progress_end(weir_progress *progress);

#endif
