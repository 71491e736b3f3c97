/* Long work shows its progress where standard error is not a terminal: a line after five seconds and
 * every half minute, one as a row of results finishes unless there was one just before, none for
 * shorter work, and none after the end. It warns of work that may take
 * long. The test has its own clock. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "output/progress.h"

static double now_s = 1000;

/* Replaces the system's. */
int clock_gettime(clockid_t clock, struct timespec *now)
{
	(void)clock;
	now->tv_sec = (time_t)now_s;
	now->tv_nsec = (long)((now_s - (double)now->tv_sec) * 1e9);
	return 0;
}

/* A hundred steps of that many seconds each, and more work than planned at the end. */
static void work(double step_s, const char *unit)
{
	weir_progress progress = {0};

	weir_progress_add(&progress, 1); /* before it begins */
	weir_progress_begin(&progress, "simulating", unit, 100);
	for (int i = 0; i < 100; i++) {
		now_s += step_s;
		weir_progress_add(&progress, 1);
	}
	weir_progress_end(&progress);
	now_s += 1000;
	weir_progress_add(&progress, 1);
	weir_progress_end(&progress);
}

/* Rows of ten steps, of 0.4 seconds each. */
static void work_on_rows(void)
{
	weir_progress progress = {0};

	weir_progress_row(NULL, "mutex spin");
	weir_progress_begin(&progress, "measuring", "point", 40);
	for (int i = 0; i < 40; i++) {
		char name[16];
		snprintf(name, sizeof name, "mutex %c", 'a' + i / 10);
		if (i % 10 == 0)
			weir_progress_row(&progress, name);
		now_s += 0.4;
		weir_progress_add(&progress, 1);
	}
	weir_progress_end(&progress);
}

int main(void)
{
	static const char wanted[] = "weir: simulating: 6% 1:34 left\n"
				     "weir: simulating: 37% 1:03 left\n"
				     "weir: simulating: 68% 0:32 left\n"
				     "weir: simulating: 99% 0:01 left\n"
				     "weir: simulating: 51 of 100 points, 51% 0:05 left\n"
				     "weir: measuring mutex b: 13 of 40 points, 32% 0:11 left\n"
				     "weir: measuring mutex d: 30 of 40 points, 75% 0:04 left\n"
				     "This may take up to 6 minutes; --limit bounds it, and Ctrl-C "
				     "prints the results so far.\n"
				     "This may take up to 3 hours; --limit bounds it, and Ctrl-C "
				     "prints the results so far.\n";
	char text[1024];
	FILE *file = tmpfile();

	if (!file || dup2(fileno(file), STDERR_FILENO) < 0)
		return 2;
	work(0.04, "");
	work(1, "");
	work(0.1, "point");
	work_on_rows();
	weir_progress_warn(stderr, 300, "--limit bounds");
	weir_progress_warn(stderr, 301, "--limit bounds");
	weir_progress_warn(stderr, 7201, "--limit bounds");
	weir_progress_warn(NULL, 7201, "--limit bounds");
	rewind(file);
	size_t bytes = fread(text, 1, sizeof text - 1, file);
	text[bytes] = '\0';
	if (strcmp(text, wanted) == 0)
		return 0;
	printf("standard error has\n%s\nand not\n%s", text, wanted);
	return 1;
}
