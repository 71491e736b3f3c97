/* Script and picture travel through files without a name, so that nothing is left behind however
 * the program ends. */
#include "report/plot.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/complain.h"
#include "cli/kinds.h"
#include "figures/case.h"
#include "weir/profile.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

/* Okabe and Ito's colours, a grey for their black, and one of Tol's: they differ for colour-blind
 * readers too, each with a shape, and can be seen on white and on black. By the number of the kind,
 * so that a kind looks the same in all plots of a primitive. */
static const struct {
	const char *colour;
	int shape;
} styles[] = {{"#0072b2", 7},  {"#d55e00", 5},  {"#009e73", 9}, {"#cc79a7", 13},
              {"#e69f00", 11}, {"#56b4e9", 15}, {"#777777", 4}, {"#999933", 8}};

enum {
	STYLES = sizeof styles / sizeof styles[0],
	WIDTH = 960,
	HEIGHT = 430,
	FONT = 15,
	KEY_SAMPLE = 90 /* and the space around it */
};

/* The broad line under the curve of the default, and the sample of a ring. */
#define BAND "#cfdcea"
#define RING "#808080"

/* On a dark screen: gnuplot's ink, grid and paper, and the band. */
static const char dark[] = "@media (prefers-color-scheme: dark) {\n"
			   ".plot [fill='black'] { fill: #e6e6e6; }\n"
			   ".plot [stroke='black'] { stroke: #e6e6e6; }\n"
			   ".plot [color='black'] { color: #e6e6e6; }\n"
			   ".plot [fill='#ffffff'] { fill: #17191c; }\n"
			   ".plot [stroke='rgb(221, 221, 221)'] { stroke: #3a3d42; }\n"
			   ".plot [stroke='rgb(207, 220, 234)'] { stroke: #38475a; }\n"
			   "}\n";

const char *weir_plot_colour(uint32_t kind)
{
	return styles[kind % STYLES].colour;
}

/* ---- running it ---- */

/* A plot takes a tenth of a second; what has not ended by now never will. */
#define DEADLINE_SECONDS 10

enum outcome {
	DREW,
	FAILED, /* it could not be run, or was not content */
	LATE    /* it was ended at the deadline */
};

static double now_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* In a process group of its own, so that what it starts can be ended with it. */
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

static const char no_gnuplot[] =
    "there is no gnuplot here that runs (on Debian it is in gnuplot-nox)";
static const char late[] = "gnuplot did not end within " TEXT(DEADLINE_SECONDS) " seconds";

const char *weir_plot_absence(void)
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

/* ---- the script ---- */

/* Powers of two, or of four on a wide range, and the largest count. */
static void write_block_tics(FILE *script, uint32_t low, uint32_t high)
{
	uint32_t step = high / low > 256 ? 4 : 2;
	fprintf(script, "set xtics (\"%u\" %u", high, high);
	for (uint64_t at = 1; at * 10 <= (uint64_t)high * 8; at *= step)
		fprintf(script, ", \"%u\" %u", (uint32_t)at, (uint32_t)at);
	fprintf(script, ")\nset xrange [%g:%g]\n", low / 1.15, high * 1.15);
}

/* A rate of one or two digits: weir_rate_figure would give it three. */
static void write_rate(FILE *script, double rate)
{
	static const char *const prefixes[] = {"", " k", " M", " G", " T"};
	size_t prefix = 0;
	for (; rate >= 1000 && prefix < 4; prefix++)
		rate /= 1000;
	fprintf(script, "\"%.3g%s\"", rate, prefixes[prefix]);
}

/* Decades, and between them where there are few. */
static void write_rate_tics(FILE *script, double low, double high)
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

static void write_ranges(FILE *script, const weir_profile *profile, const weir_case *c)
{
	double low = DBL_MAX, high = 0;
	uint32_t fewest = c->most_blocks;
	for (size_t i = 0; i < profile->point_count; i++) {
		const weir_point *point = &profile->points[i];
		if (!weir_case_holds(c, point))
			continue;
		if (point->blocks < fewest)
			fewest = point->blocks;
		if (point->per_second <= 0)
			continue;
		low = fmin(low, point->low > 0 ? point->low : point->per_second);
		high = fmax(high, fmax(point->high, point->per_second));
	}
	if (high <= 0)
		low = high = 1;
	write_block_tics(script, fewest, c->most_blocks);
	write_rate_tics(script, low / 1.5, high * 1.5);
}

static int by_blocks(const void *left, const void *right)
{
	const weir_point *a = *(const weir_point *const *)left,
			 *b = *(const weir_point *const *)right;
	return (a->blocks > b->blocks) - (a->blocks < b->blocks);
}

/* Lines of blocks, median, slowest, fastest, the median again if the time limit cut the point short.
 * A log scale has no place for a point that completed nothing; the table names it. */
static size_t write_data(FILE *script, const weir_profile *profile, const weir_case *c,
                         uint32_t kind)
{
	size_t count = 0;
	const weir_point **chosen =
	    weir_need(malloc((profile->point_count + 1) * sizeof(const weir_point *)));
	for (size_t i = 0; i < profile->point_count; i++) {
		const weir_point *point = &profile->points[i];
		/* Kind 0 is the default, whatever that is at each count. */
		uint32_t wanted = kind ? kind : weir_case_default(profile, c, point->blocks);
		if (weir_case_holds(c, point) && point->kind == wanted && point->per_second > 0)
			chosen[count++] = point;
	}
	qsort(chosen, count, sizeof chosen[0], by_blocks);
	fprintf(script, "$kind%u << END\n", kind);
	for (size_t i = 0; i < count; i++) {
		const weir_point *point = chosen[i];
		fprintf(script, "%u %.9g %.9g %.9g ", point->blocks, point->per_second,
		        point->low > 0 ? point->low : point->per_second,
		        fmax(point->high, point->per_second));
		if (point->timed_out)
			fprintf(script, "%.9g\n", point->per_second);
		else
			fprintf(script, "NaN\n");
	}
	fprintf(script, "END\n");
	free(chosen);
	return count;
}

static int any_stopped(const weir_profile *profile, const weir_case *c)
{
	for (size_t i = 0; i < profile->point_count; i++)
		if (weir_case_holds(c, &profile->points[i]) && profile->points[i].timed_out &&
		    profile->points[i].per_second > 0)
			return 1;
	return 0;
}

static void kind_title(const weir_profile *profile, const weir_case *c, uint32_t kind, char *text,
                       size_t room)
{
	char reign[64];
	weir_case_reign(profile, c, kind, reign, sizeof reign);
	snprintf(text, room, *reign ? "%s (%s)" : "%s", weir_kind_name(c->primitive, kind), reign);
}

/* From the slowest repeat to the fastest an arrow without a head: gnuplot blanks out what is under
 * the point of an error bar. */
static void write_kind(FILE *script, const weir_profile *profile, const weir_case *c, uint32_t kind)
{
	const char *colour = weir_plot_colour(kind);
	char title[96];
	kind_title(profile, c, kind, title, sizeof title);
	fprintf(script,
	        ", $kind%u using 1:3:(0):($4-$3) with vectors nohead linewidth 1 "
	        "linecolor rgb \"%s\" notitle, $kind%u using 1:2 with linespoints "
	        "pointtype %d pointsize 0.7 linewidth 1.8 linecolor rgb \"%s\" title \"%s\"",
	        kind, colour, kind, styles[kind % STYLES].shape, colour, title);
	/* A ring with air around the point, thin and in its colour, so that the curve stays. */
	fprintf(script,
	        ", $kind%u using 1:5 with points pointtype 6 pointsize 1.3 linewidth 0.7 "
	        "linecolor rgb \"%s\" notitle",
	        kind, colour);
}

static void write_curves(FILE *script, const weir_profile *profile, const weir_case *c)
{
	uint32_t kinds[WEIR_CASE_KINDS];
	size_t count = weir_case_kinds(profile, c, kinds);
	size_t filled = 0;
	for (size_t i = 0; i < count; i++)
		filled += write_data(script, profile, c, kinds[i]);
	if (filled == 0) {
		fprintf(script, "set label \"no operation completed\" at graph 0.5, 0.5 center\n"
		                "plot 1 notitle linecolor rgb \"white\"\n");
		return;
	}
	write_data(script, profile, c, 0);
	fprintf(script,
	        "plot $kind0 using 1:2 with lines linewidth 11 linecolor rgb \"%s\" "
	        "title \"the default\"",
	        BAND);
	for (size_t i = 0; i < count; i++)
		write_kind(script, profile, c, kinds[i]);
	if (any_stopped(profile, c))
		fprintf(script,
		        ", NaN with points pointtype 6 pointsize 1.3 linewidth 0.7 linecolor rgb "
		        "\"%s\" title \"cut short by the time limit\"",
		        RING);
	fprintf(script, "\n");
}

/* The share of the width that the plot may take, so that the longest title fits beside it. A
 * letter takes up to 0.6 of the font's size, and the sample of a line comes before the letters. */
static double right_edge(const weir_profile *profile, const weir_case *c)
{
	uint32_t kinds[WEIR_CASE_KINDS];
	size_t count = weir_case_kinds(profile, c, kinds);
	size_t longest = any_stopped(profile, c) ? strlen("cut short by the time limit") : 0;
	for (size_t i = 0; i < count; i++) {
		char title[96];
		kind_title(profile, c, kinds[i], title, sizeof title);
		longest = strlen(title) > longest ? strlen(title) : longest;
	}
	return 1 - ((double)longest * 0.6 * FONT + KEY_SAMPLE) / WIDTH;
}

static void write_script(FILE *script, const weir_profile *profile, const weir_case *c)
{
	char title[64];
	double edge = right_edge(profile, c);
	weir_case_title(c, title, sizeof title);
	fprintf(script,
	        "set terminal svg size %d,%d dynamic noenhanced font \"sans-serif,%d\" "
	        "background \"white\"\n"
	        "set title \"%s\" font \",17\"\n"
	        "set xlabel \"blocks of %u threads\"\n"
	        "set ylabel \"operations per second\"\n"
	        "set logscale xy\n"
	        "set grid linecolor rgb \"#dddddd\" linetype 1\n"
	        "set border 3\nset tics nomirror\n"
	        "set lmargin at screen 0.1\nset rmargin at screen %.3f\n"
	        "set key at screen %.3f, graph 1 left top Left reverse samplen 3 spacing 1.25 "
	        "maxrows 20\n",
	        WIDTH, HEIGHT, FONT, title, c->threads, edge, edge + 0.02);
	write_ranges(script, profile, c);
	write_curves(script, profile, c);
	rewind(script);
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

/* gnuplot gives all its pictures the same ids; two of them in one page would mix them up. */
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

/* The start tag and a title that a reader who cannot see it hears, in place of gnuplot's. */
static char *finish(const char *svg, const weir_case *c)
{
	char id[64], title[64];
	const char *start = strstr(svg, "<svg"), *drawing = strstr(svg, "<g id=");
	char *text = NULL;
	if (!start || !drawing || !strstr(svg, "</svg>"))
		return NULL;
	weir_case_id(c, id, sizeof id);
	weir_case_title(c, title, sizeof title);
	char *own = own_ids(drawing, id);
	if (asprintf(&text,
	             "<svg xmlns=\"http://www.w3.org/2000/svg\" "
	             "xmlns:xlink=\"http://www.w3.org/1999/xlink\" viewBox=\"0 0 %d %d\" "
	             "role=\"img\" class=\"plot\">\n<title>%s: operations per second against "
	             "blocks</title>\n<style>\n%s</style>\n%s",
	             WIDTH, HEIGHT, title, dark, own) < 0)
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

char *weir_plot_draw(const weir_profile *profile, const weir_case *c)
{
	FILE *script = tmpfile(), *picture = tmpfile(), *errors = tmpfile();
	char *svg = NULL;
	if (script && picture && errors) {
		write_script(script, profile, c);
		/* Without the user's start-up file. */
		enum outcome outcome = run_gnuplot("--default-settings", script, picture, errors);
		char *drawn = read_all(picture), *said = read_all(errors);
		svg = outcome == DREW ? finish(drawn, c) : NULL;
		if (outcome == LATE)
			weir_complain(0, "the page has tables in place of plots: %s", late);
		else if (!svg)
			weir_complain(0, "gnuplot did not draw the plots: %.200s", last_line(said));
		free(drawn);
		free(said);
	} else {
		weir_complain(0, "no room for temporary files");
	}
	if (script)
		fclose(script);
	if (picture)
		fclose(picture);
	if (errors)
		fclose(errors);
	return svg;
}
