/* The progress bar, and the lines that replace it in a log. */
#include "output/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "cli/stop.h"
#include "output/figure.h"

#define BAR_EVERY_S 0.1
#define FIRST_LINE_S 5.0
#define LINE_EVERY_S 30.0
#define ROW_EVERY_S 5.0
#define LONG_S 300.0

enum {
	BAR_WIDTH = 30, /* if the label leaves room for it, otherwise down to the minimum */
	BAR_LEAST = 10,
	USUAL_COLUMNS = 80,
	MOST_COLUMNS = 512
};

/* The last progress that ended, possibly by Ctrl-C. */
static weir_progress ended;

static double now_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Queried every time, because a window may be resized. */
static int columns(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return USUAL_COLUMNS;
	return size.ws_col < MOST_COLUMNS ? size.ws_col : MOST_COLUMNS;
}

static double share(const weir_progress *progress)
{
	return progress->total > 0 ? fmin(progress->done / progress->total, 1) : 0;
}

/* " 0:10 left", or nothing until something is done. */
static void write_left(char *text, size_t room, double done, double took)
{
	int left = done > 0 ? (int)ceil(took / done - took) : 0;

	*text = 0;
	if (done > 0)
		snprintf(text, room, " %d:%02d left", left / 60, left % 60);
}

/* One line that leaves the last column free, where some terminals wrap: "what [####....]  45% 0:10
 * left". If that does not fit, the bar is shortened, then the label is cut, then both are left
 * out. */
static void write_bar(char *line, size_t room, const weir_progress *progress, double took)
{
	double done = share(progress);
	int width = columns() - 1;
	char time_left[32], label[96];

	write_left(time_left, sizeof time_left, progress->uneven ? 0 : done, took);
	int left = width - (int)strlen(" [] 100%") - (int)strlen(time_left);
	if (left < BAR_LEAST) {
		int length = snprintf(line, room, "%.0f%%%s", done * 100, time_left);
		if (length > width)
			snprintf(line, room, "%.0f%%", done * 100);
		return;
	}
	int text = snprintf(label, sizeof label, "%s%s%s", progress->what,
	                    *progress->row ? " " : "", progress->row);
	if (text > left - BAR_LEAST)
		text = left - BAR_LEAST;
	int bar = left - text < BAR_WIDTH ? left - text : BAR_WIDTH;
	int filled = (int)(done * bar);
	snprintf(line, room, "%.*s [%.*s%.*s] %3.0f%%%s", text, label, filled,
	         "##############################", bar - filled, "..............................",
	         done * 100, time_left);
}

static void draw(weir_progress *progress, double now)
{
	char line[MOST_COLUMNS];

	if (progress->on_terminal) {
		write_bar(line, sizeof line, progress, now - progress->began);
		fprintf(stderr, "\r%s\033[K", line);
	} else {
		write_left(line, sizeof line, progress->uneven ? 0 : share(progress),
		           now - progress->began);
		fprintf(stderr, "weir: %s%s%s: ", progress->what, *progress->row ? " " : "",
		        progress->row);
		if (*progress->unit)
			fprintf(stderr, "%.0f of %s, ", progress->done,
			        weir_count_figure((uint64_t)progress->total, progress->unit).text);
		fprintf(stderr, "%.0f%%%s\n", 100 * share(progress), line);
	}
	fflush(stderr);
	progress->drawn = now;
}

void weir_progress_begin(weir_progress *progress, const char *what, const char *unit, double total)
{
	double now = now_s();
	int on_terminal = isatty(STDERR_FILENO);
	*progress = (weir_progress){.what = what,
	                            .unit = unit,
	                            .total = total,
	                            .began = now,
	                            .drawn = now - (on_terminal ? 0 : LINE_EVERY_S - FIRST_LINE_S),
	                            .every_s = on_terminal ? BAR_EVERY_S : LINE_EVERY_S,
	                            .on_terminal = on_terminal,
	                            .late = weir_stop_asked()};
	if (on_terminal)
		draw(progress, now);
}

void weir_progress_add(weir_progress *progress, double work)
{
	if (!progress)
		return;
	progress->done += work;
	double now = now_s();
	if (progress->every_s > 0 && now - progress->drawn > progress->every_s)
		draw(progress, now);
}

void weir_progress_row(weir_progress *progress, const char *name)
{
	if (!progress)
		return;
	snprintf(progress->row, sizeof progress->row, "%s", name);
	double now = now_s();
	if (progress->every_s > 0 && !progress->on_terminal &&
	    now - progress->began > FIRST_LINE_S && now - progress->drawn > ROW_EVERY_S)
		draw(progress, now);
}

void weir_progress_hide(weir_progress *progress)
{
	if (progress->every_s <= 0 || !progress->on_terminal)
		return;
	fputs("\r\033[K", stderr);
	progress->drawn = 0;
}

void weir_progress_end(weir_progress *progress)
{
	if (progress->every_s > 0 && progress->on_terminal)
		fputs("\r\033[K", stderr);
	progress->every_s = 0;
	if (!progress->late)
		ended = *progress;
}

void weir_progress_warn(FILE *text, double most_s, const char *bounds)
{
	double minutes = ceil(most_s / 60);

	if (!text || !(most_s > LONG_S))
		return;
	if (minutes < 120)
		fprintf(text, "This may take up to %.0f minutes", minutes);
	else
		fprintf(text, "This may take up to %.0f hours", ceil(most_s / 3600));
	fprintf(text, "; %s it, and Ctrl-C prints the results so far.\n", bounds);
}

void weir_progress_say_stopped(FILE *text)
{
	if (!text || !weir_stop_asked())
		return;
	if (ended.unit && *ended.unit)
		fprintf(text, "\nstopped after %.0f of %s: there is no verdict on the rest\n",
		        ended.done, weir_count_figure((uint64_t)ended.total, ended.unit).text);
	else
		fprintf(text,
		        "\nstopped after %.0f%% of the work: there is no verdict on the rest\n",
		        floor(100 * share(&ended)));
}
