/* The progress bar. */
#include <math.h>
#include <time.h>
#include <unistd.h>

#include "output.h"

enum {
	BAR_WIDTH = 30
};

static double now_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void draw(weir_progress *progress, double now)
{
	double share = progress->total > 0 ? fmin(progress->done / progress->total, 1) : 0;
	double took = now - progress->began;
	int filled = (int)(share * BAR_WIDTH);

	fprintf(stderr, "\r%s [%.*s%.*s] %3.0f%%", progress->what, filled,
	        "##############################", BAR_WIDTH - filled,
	        "..............................", share * 100);
	if (share > 0) {
		int left = (int)ceil(took / share - took);
		fprintf(stderr, " %d:%02d left", left / 60, left % 60);
	}
	fputs("\033[K", stderr);
	fflush(stderr);
	progress->drawn = now;
}

void weir_progress_begin(weir_progress *progress, const char *what, double total)
{
	double now = now_s();
	*progress = (weir_progress){what, total, 0, now, 0, isatty(STDERR_FILENO)};
	if (progress->shown)
		draw(progress, now);
}

void weir_progress_add(weir_progress *progress, double work)
{
	if (!progress)
		return;
	progress->done += work;
	double now = now_s();
	if (progress->shown && now - progress->drawn > 0.1)
		draw(progress, now);
}

void weir_progress_end(weir_progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
	progress->shown = 0;
}
