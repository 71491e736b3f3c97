/* The script and the picture are passed in unnamed files, so that nothing is left behind however
 * the program ends. */
#include "output/gnuplot.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/complain.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

/* For a dark screen: gnuplot's ink, grid and paper, and the band of a report's default kind. */
static const char dark[] = "@media (prefers-color-scheme: dark) {\n"
			   ".plot [fill='black'] { fill: #e6e6e6; }\n"
			   ".plot [stroke='black'] { stroke: #e6e6e6; }\n"
			   ".plot [color='black'] { color: #e6e6e6; }\n"
			   ".plot [fill='#ffffff'] { fill: #17191c; }\n"
			   ".plot [stroke='rgb(221, 221, 221)'] { stroke: #3a3d42; }\n"
			   ".plot [stroke='rgb(207, 220, 234)'] { stroke: #38475a; }\n"
			   "}\n";

/* ---- running it ---- */

/* A plot takes a tenth of a second; one that takes longer than this will never end. */
#define DEADLINE_SECONDS 10

enum outcome {
	DREW,
	FAILED, /* it could not be run, or reported an error */
	LATE    /* it was killed at the deadline */
};

static double now_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* In its own process group, so that its children can be killed with it. */
static int start_gnuplot(const char *option, FILE *script, FILE *picture, FILE *errors,
                         pid_t *child)
{
	char *arguments[] = {"gnuplot", (char *)option, NULL};
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;

	if (posix_spawn_file_actions_init(&files))
		return -1;
	if (posix_spawnattr_init(&attributes)) {
		posix_spawn_file_actions_destroy(&files);
		return -1;
	}
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
	posix_spawnattr_setpgroup(&attributes, 0);
	posix_spawn_file_actions_adddup2(&files, fileno(script), 0);
	posix_spawn_file_actions_adddup2(&files, fileno(picture), 1);
	posix_spawn_file_actions_adddup2(&files, fileno(errors), 2);
	int failed = posix_spawnp(child, arguments[0], &files, &attributes, arguments, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	return failed ? -1 : 0;
}

static enum outcome run_gnuplot(const char *option, FILE *script, FILE *picture, FILE *errors)
{
	const struct timespec nap = {0, 5000000};
	double until = now_s() + DEADLINE_SECONDS;
	pid_t child, ended;
	int status = 0;

	if (start_gnuplot(option, script, picture, errors, &child))
		return FAILED;
	while ((ended = waitpid(child, &status, WNOHANG)) == 0 && now_s() < until)
		nanosleep(&nap, NULL);
	if (ended == child)
		return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? DREW : FAILED;
	kill(-child, SIGKILL);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return LATE;
}

static const char no_gnuplot[] = "no working gnuplot was found (on Debian: gnuplot-nox)";
static const char late[] = "gnuplot did not end within " TEXT(DEADLINE_SECONDS) " seconds";

const char *weir_gnuplot_absence(void)
{
	FILE *none = tmpfile(), *answer = tmpfile();
	enum outcome outcome =
	    none && answer ? run_gnuplot("--version", none, answer, answer) : FAILED;
	if (none)
		fclose(none);
	if (answer)
		fclose(answer);
	return outcome == DREW ? NULL : outcome == LATE ? late : no_gnuplot;
}

/* ---- the axis ---- */

/* A rate with one or two digits, where weir_rate_figure would give three. */
static void write_rate(FILE *script, double rate)
{
	static const char *const prefixes[] = {"", " k", " M", " G", " T"};
	size_t prefix = 0;
	for (; rate >= 1000 && prefix < 4; prefix++)
		rate /= 1000;
	fprintf(script, "\"%.3g%s\"", rate, prefixes[prefix]);
}

/* Tics at decades, and between them if there are few. */
void weir_gnuplot_rates(FILE *script, double low, double high)
{
	double decades = log10(high / low);
	const char *between = "";
	fprintf(script, "set yrange [%g:%g]\nset ytics (", low, high);
	for (int power = (int)floor(log10(low)); power <= (int)floor(log10(high)); power++) {
		static const double steps[] = {1, 1.5, 2, 3, 5, 7};
		for (int i = 0; i < 6; i++) {
			double at = pow(10, power) * steps[i];
			int wanted = i == 0 || decades < 0.8 ||
			             (decades < 2.5 && (steps[i] == 2 || steps[i] == 5));
			if (!wanted || at < low || at > high)
				continue;
			fputs(between, script);
			write_rate(script, at);
			fprintf(script, " %.9g", at);
			between = ", ";
		}
	}
	fprintf(script, ")\n");
}

/* ---- the picture ---- */

static char *read_all(FILE *file)
{
	char *text = NULL;
	size_t bytes = 0;
	char part[4096];
	FILE *whole = weir_need(open_memstream(&text, &bytes));
	rewind(file);
	for (size_t got; (got = fread(part, 1, sizeof part, file)) > 0;)
		fwrite(part, 1, got, whole);
	fclose(whole);
	return weir_need(text);
}

/* gnuplot gives all its pictures the same ids, which would conflict within one page. */
static char *own_ids(const char *svg, const char *id)
{
	static const char *const before[] = {" id='", " id=\"", "href='#", "href=\"#", "url(#"};
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = weir_need(open_memstream(&text, &bytes));
	while (*svg) {
		size_t length = 0;
		for (size_t i = 0; i < sizeof before / sizeof before[0] && length == 0; i++)
			if (strncmp(svg, before[i], strlen(before[i])) == 0)
				length = strlen(before[i]);
		if (length > 0)
			fprintf(out, "%.*s%s_", (int)length, svg, id);
		else
			fputc(*svg, out);
		svg += length > 0 ? length : 1;
	}
	fclose(out);
	return weir_need(text);
}

/* Replaces gnuplot's start tag and title by ones that a screen reader reads out. */
static char *finish(const char *svg, const weir_picture *picture)
{
	const char *start = strstr(svg, "<svg"), *drawing = strstr(svg, "<g id=");
	char *text = NULL;
	if (!start || !drawing || !strstr(svg, "</svg>"))
		return NULL;
	char *own = own_ids(drawing, picture->id);
	if (asprintf(&text,
	             "<svg xmlns=\"http://www.w3.org/2000/svg\" "
	             "xmlns:xlink=\"http://www.w3.org/1999/xlink\" viewBox=\"0 0 %d %d\" "
	             "role=\"img\" class=\"plot\">\n<title>%s</title>\n<style>\n%s</style>\n%s",
	             picture->width, picture->height, picture->title, dark, own) < 0)
		text = NULL;
	free(own);
	return weir_need(text);
}

/* gnuplot's message is the last of several lines. */
static const char *last_line(char *text)
{
	size_t length = strlen(text);
	while (length > 0 && strchr(" \n", text[length - 1]))
		text[--length] = 0;
	char *line = strrchr(text, '\n');
	line = line ? line + 1 : text;
	return line + strspn(line, " \t");
}

char *weir_gnuplot_draw(void (*write)(FILE *script, const void *context), const void *context,
                        const weir_picture *picture)
{
	FILE *script = tmpfile(), *drawing = tmpfile(), *errors = tmpfile();
	char *svg = NULL;
	if (script && drawing && errors) {
		write(script, context);
		rewind(script);
		/* Without the user's start-up file. */
		enum outcome outcome = run_gnuplot("--default-settings", script, drawing, errors);
		char *drawn = read_all(drawing), *said = read_all(errors);
		svg = outcome == DREW ? finish(drawn, picture) : NULL;
		if (outcome == LATE)
			weir_complain(0, "the page has tables instead of plots: %s", late);
		else if (!svg)
			weir_complain(0, "gnuplot did not draw the plots: %.200s", last_line(said));
		free(drawn);
		free(said);
	} else {
		weir_complain(0, "cannot create temporary files");
	}
	if (script)
		fclose(script);
	if (drawing)
		fclose(drawing);
	if (errors)
		fclose(errors);
	return svg;
}
