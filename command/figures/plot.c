#include "figures/plot.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kinds.h"
#include "figures/case.h"
#include "output/figure.h"
#include "output/gnuplot.h"
#include "weir/profile.h"

/* Okabe and Ito's colours, with a grey instead of their black, and one of Tol's. Colour-blind
 * readers can tell them apart, and all are visible on white and on black. Each has its own shape.
 * Indexed by the number of the kind, so that a kind looks the same in all plots of a primitive. */
static const struct {
	const char *colour;
	int shape;
} styles[] = {{"#0072b2", 7},  {"#d55e00", 5},  {"#009e73", 9}, {"#cc79a7", 13},
              {"#e69f00", 11}, {"#56b4e9", 15}, {"#777777", 4}, {"#999933", 8}};

enum {
	STYLES = sizeof styles / sizeof styles[0],
	FONT = 15,
	KEY_SAMPLE = 54, /* and the space around it */
	KEY_LINE = 22,   /* gnuplot leaves out the entries that it has no room for */
	KEY_EDGE = 10,   /* above and below the key */
	AXIS = 60,       /* the numbers and the title below the plot */
	ABOVE = 334      /* the key and its edges */
};

/* The broad line under the curve of the default, and the ring in the key. */
#define BAND "#cfdcea"
#define RING "#808080"

const char *weir_plot_colour(uint32_t kind)
{
	return styles[kind % STYLES].colour;
}

int weir_plot_shape(uint32_t kind)
{
	return styles[kind % STYLES].shape;
}

void weir_plot_counts(FILE *script, uint32_t low, uint32_t high)
{
	uint32_t step = high / low > 256 ? 4 : 2;
	fprintf(script, "set xtics (\"%u\" %u", high, high);
	for (uint64_t at = 1; at * 10 <= (uint64_t)high * 8; at *= step)
		fprintf(script, ", \"%u\" %u", (uint32_t)at, (uint32_t)at);
	fprintf(script, ")\nset xrange [%g:%g]\n", low / 1.15, high * 1.15);
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
	weir_plot_counts(script, fewest, c->most_blocks);
	weir_gnuplot_rates(script, low / 1.5, high * 1.5);
}

/* Writes lines of blocks, median, slowest, fastest, and the median again if the time limit cut the
 * point short. A log scale cannot show a point that completed nothing; the table names it. */
static size_t write_data(FILE *script, const weir_profile *profile, const weir_case *c,
                         uint32_t kind)
{
	size_t count;
	const weir_point **chosen = weir_case_curve(profile, c, kind, &count);
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

/* An arrow without a head from the slowest repeat to the fastest: gnuplot blanks out what is under
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
	/* A thin ring around the point, in its colour and with a gap, so that the curve stays
	 * visible. */
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
		fputs(WEIR_PLOT_NOTHING "\n", script);
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

static void add_entry(weir_plot_key *key, const char *title)
{
	size_t length = strlen(title);
	key->entries++;
	key->longest = length > key->longest ? length : key->longest;
}

static weir_plot_key key_of(const weir_profile *profile, const weir_case *c)
{
	uint32_t kinds[WEIR_CASE_KINDS];
	size_t count = weir_case_kinds(profile, c, kinds);
	weir_plot_key key = {0, 0};

	add_entry(&key, "the default");
	for (size_t i = 0; i < count; i++) {
		char title[96];
		kind_title(profile, c, kinds[i], title, sizeof title);
		add_entry(&key, title);
	}
	if (any_stopped(profile, c))
		add_entry(&key, "cut short by the time limit");
	return key;
}

/* A letter takes up to 0.6 of the font's size. */
static int key_rows(const weir_plot_key *key)
{
	int columns =
	    (int)((WEIR_PLOT_WIDTH - KEY_EDGE) / ((double)key->longest * 0.6 * FONT + KEY_SAMPLE));
	int entries = (int)key->entries;

	columns = columns < 1 ? 1 : columns;
	return (entries + columns - 1) / columns;
}

int weir_plot_height(const weir_plot_key *key)
{
	return ABOVE + key_rows(key) * KEY_LINE + 2 * KEY_EDGE;
}

void weir_plot_frame(FILE *script, const char *title, const char *across, const char *up,
                     const weir_plot_key *key)
{
	int rows = key_rows(key), height = weir_plot_height(key);
	int bottom = rows * KEY_LINE + KEY_EDGE;

	fprintf(script,
	        "set terminal svg size %d,%d dynamic noenhanced font \"sans-serif,%d\" "
	        "background \"white\"\n"
	        "set title \"%s\" font \",16\"\n"
	        "set xlabel \"%s\"\n"
	        "set ylabel \"%s\" offset 1.5\n"
	        "set logscale xy\n"
	        "set grid linecolor rgb \"#dddddd\" linetype 1\n"
	        "set border 3\nset tics nomirror\n"
	        "set lmargin at screen 0.16\nset rmargin at screen 0.97\n"
	        "set bmargin at screen %.4f\n"
	        "set key at screen 0.01, screen %.4f left top vertical Left reverse samplen 2 "
	        "spacing 0.95 width 0 maxrows %d\n",
	        WEIR_PLOT_WIDTH, height, FONT, title, across, up,
	        (double)(bottom + KEY_EDGE + AXIS) / height, (double)bottom / height, rows);
}

static int is_simulated(const weir_profile *profile, const weir_case *c)
{
	for (size_t i = 0; i < profile->point_count; i++)
		if (weir_case_holds(c, &profile->points[i]))
			return profile->points[i].simulated;
	return 0;
}

/* What a script draws. */
struct drawing {
	const weir_profile *profile;
	const weir_case *c;
};

static void write_script(FILE *script, const void *drawing)
{
	const weir_profile *profile = ((const struct drawing *)drawing)->profile;
	const weir_case *c = ((const struct drawing *)drawing)->c;
	char title[64], across[64];
	weir_case_title(c, title, sizeof title);
	snprintf(across, sizeof across, "blocks of %s",
	         weir_count_figure(c->threads, "thread").text);
	weir_plot_key key = key_of(profile, c);
	weir_plot_frame(script, title, across,
	                is_simulated(profile, c) ? "operations per second, simulated"
	                                         : "operations per second",
	                &key);
	write_ranges(script, profile, c);
	write_curves(script, profile, c);
}

char *weir_plot_draw(const weir_profile *profile, const weir_case *c)
{
	const struct drawing drawing = {profile, c};
	char id[64], name[64], title[128];

	weir_case_id(c, id, sizeof id);
	weir_case_title(c, name, sizeof name);
	snprintf(title, sizeof title, "%s: operations per second against blocks", name);
	weir_plot_key key = key_of(profile, c);
	const weir_picture picture = {id, title, WEIR_PLOT_WIDTH, weir_plot_height(&key)};
	return weir_gnuplot_draw(write_script, &drawing, &picture);
}
