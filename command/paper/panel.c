#include "paper/paper.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "figures/html.h"
#include "figures/plot.h"
#include "output/figure.h"
#include "output/gnuplot.h"

enum {
	WIDTH = 480,
	HEIGHT = 350,
	COLOURS = 8, /* distinct colours; further kinds reuse them with dashes */
	MARKS = 12,  /* points on a curve, so that they do not hide it */
	WIDE = 256
};

int weir_panel_shows(const weir_panel *panel, const weir_point *point)
{
	if (!weir_case_holds(&panel->c, point))
		return 0;
	return panel->all || (weir_paper_has_kind(point->primitive, point->kind) &&
	                      point->blocks <= weir_paper_shown(panel->profile->name,
	                                                        point->primitive, point->kind));
}

size_t weir_panel_kinds(const weir_panel *panel, uint32_t kinds[WEIR_CASE_KINDS])
{
	size_t count = weir_case_kinds(panel->profile, &panel->c, kinds), kept = 0;

	for (size_t i = 0; i < count; i++)
		if (panel->all || weir_paper_has_kind(panel->c.primitive, kinds[i]))
			kinds[kept++] = kinds[i];
	return kept;
}

int weir_panel_any_stopped(const weir_panel *panel)
{
	for (size_t i = 0; i < panel->profile->point_count; i++) {
		const weir_point *point = &panel->profile->points[i];
		if (weir_panel_shows(panel, point) && point->timed_out && point->per_second > 0)
			return 1;
	}
	return 0;
}

/* ---- the plot ---- */

/* Writes lines of blocks, rate, and the rate again if the time limit cut the point short. Returns
 * their number. */
static size_t write_data(FILE *script, const weir_panel *panel, uint32_t kind)
{
	size_t count, shown = 0;
	const weir_point **points = weir_case_curve(panel->profile, &panel->c, kind, &count);

	fprintf(script, "$kind%u << END\n", kind);
	for (size_t i = 0; i < count; i++) {
		if (!weir_panel_shows(panel, points[i]))
			continue;
		shown++;
		fprintf(script, "%u %.6g ", points[i]->blocks, points[i]->per_second);
		if (points[i]->timed_out)
			fprintf(script, "%.6g\n", points[i]->per_second);
		else
			fputs("NaN\n", script);
	}
	fprintf(script, "END\n");
	free(points);
	return shown;
}

/* Whether the horizontal axis is logarithmic, because points at few blocks would overlap. The
 * paper's is linear. */
static int is_wide(const weir_panel *panel)
{
	return panel->c.most_blocks > WIDE;
}

/* The same whether or not some curves end early, as in the paper. */
static void write_ranges(FILE *script, const weir_panel *panel)
{
	double low = DBL_MAX, high = 0;

	for (size_t i = 0; i < panel->profile->point_count; i++) {
		const weir_point *point = &panel->profile->points[i];
		if (!weir_case_holds(&panel->c, point) || !(point->per_second > 0))
			continue;
		low = fmin(low, point->per_second);
		high = fmax(high, point->per_second);
	}
	if (high <= 0)
		low = high = 1;
	if (is_wide(panel))
		fprintf(script, "set logscale x 2\nset xrange [0.9:%g]\n",
		        panel->c.most_blocks * 1.15);
	else
		fprintf(script, "set xrange [0:%g]\n", panel->c.most_blocks * 1.03);
	weir_gnuplot_rates(script, low / 1.5, high * 1.5);
}

static void write_curves(FILE *script, const weir_panel *panel)
{
	uint32_t kinds[WEIR_CASE_KINDS];
	size_t points[WEIR_CASE_KINDS];
	size_t count = weir_panel_kinds(panel, kinds);
	const char *start = "plot ";

	for (size_t i = 0; i < count; i++)
		points[i] = write_data(script, panel, kinds[i]);
	for (size_t i = 0; i < count; i++) {
		const char *colour = weir_plot_colour(kinds[i]);
		if (points[i] == 0)
			continue;
		fprintf(script,
		        "%s$kind%u using 1:2 with linespoints pointtype %d pointsize 0.5 "
		        "pointinterval %zu linewidth 1.6 dashtype %u linecolor rgb \"%s\", "
		        "$kind%u using 1:3 with points pointtype 6 pointsize 1.1 linewidth 0.7 "
		        "linecolor rgb \"%s\"",
		        start, kinds[i], weir_plot_shape(kinds[i]), points[i] / MARKS + 1,
		        1 + kinds[i] / COLOURS, colour, kinds[i], colour);
		start = ", ";
	}
	if (*start == 'p')
		fputs(WEIR_PLOT_NOTHING, script);
	fprintf(script, "\n");
}

/* No key: the page has one for all panels of a row. */
static void write_script(FILE *script, const void *context)
{
	const weir_panel *panel = context;

	fprintf(script,
	        "set terminal svg size %d,%d dynamic noenhanced font \"sans-serif,14\" "
	        "background \"white\"\n"
	        "set title \"%.60s\" font \",15\"\nset nokey\n"
	        "set xlabel \"blocks of %s%s\"\nset ylabel \"operations per second\" offset 1\n"
	        "set logscale y\nset border 3\nset tics nomirror\n"
	        "set lmargin at screen 0.17\nset rmargin at screen 0.97\n"
	        "set grid linecolor rgb \"#dddddd\" linetype 1\n",
	        WIDTH, HEIGHT, panel->machine, weir_count_figure(panel->c.threads, "thread").text,
	        is_wide(panel) ? ", logarithmic" : "");
	write_ranges(script, panel);
	write_curves(script, panel);
}

char *weir_panel_draw(const weir_panel *panel)
{
	char name[64], title[192];

	weir_case_title(&panel->c, name, sizeof name);
	snprintf(title, sizeof title, "%s on %.60s%s: operations per second against blocks", name,
	         panel->machine, panel->all ? ", all kinds" : "");
	const weir_picture picture = {panel->id, title, WIDTH, HEIGHT};
	return weir_gnuplot_draw(write_script, panel, &picture);
}

/* The character that looks like gnuplot's point of that number. */
static const char *mark(int shape)
{
	static const struct {
		int shape;
		const char *text;
	} marks[] = {{4, "&#9633;"}, {5, "&#9632;"},  {7, "&#9679;"},  {8, "&#9651;"},
	             {9, "&#9650;"}, {11, "&#9660;"}, {13, "&#9670;"}, {15, "&#11039;"}};

	for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
		if (marks[i].shape == shape)
			return marks[i].text;
	return "";
}

void weir_panel_key(FILE *page, enum weir_primitive primitive, const uint32_t *kinds, size_t count)
{
	fputs("<p class=\"key\">", page);
	for (size_t i = 0; i < count; i++) {
		fprintf(page, "<span><b style=\"color: %s\">%s</b> ", weir_plot_colour(kinds[i]),
		        mark(weir_plot_shape(kinds[i])));
		weir_paper_put_kind(page, primitive, kinds[i]);
		fputs(kinds[i] < COLOURS ? "</span> " : ", dashed</span> ", page);
	}
	fputs("</p>\n", page);
}

/* ---- the table ---- */

static int all_have(const weir_panel *panel, uint32_t blocks)
{
	uint32_t kinds[WEIR_CASE_KINDS];
	size_t count = weir_case_kinds(panel->profile, &panel->c, kinds);

	for (size_t i = 0; i < count; i++)
		if (blocks <= weir_paper_fit(panel->profile->name, panel->c.primitive, kinds[i]) &&
		    !weir_case_point(panel->profile, &panel->c, kinds[i], blocks))
			return 0;
	return count > 0;
}

static void write_head(FILE *page, const weir_panel *panel, const uint32_t *kinds, size_t count)
{
	fprintf(page, "<div class=\"scroll\">\n<table id=\"table_%s\">\n<caption>", panel->id);
	weir_html_put(page, panel->machine);
	fputs(panel->all ? ", all kinds" : ", as the paper wrote them", page);
	fprintf(page, "</caption>\n<thead>\n<tr><th>blocks</th>");
	for (size_t i = 0; i < count; i++) {
		fputs("<th>", page);
		weir_paper_put_kind(page, panel->c.primitive, kinds[i]);
		fputs("</th>", page);
	}
	weir_html_rows(page);
}

void weir_panel_table(FILE *page, const weir_panel *panel)
{
	uint32_t kinds[WEIR_CASE_KINDS];
	size_t count = weir_case_kinds(panel->profile, &panel->c, kinds);

	write_head(page, panel, kinds, count);
	for (uint32_t blocks = 1; blocks <= panel->c.most_blocks; blocks++) {
		if (!all_have(panel, blocks))
			continue;
		fprintf(page, "<tr><td>%u</td>", blocks);
		for (size_t i = 0; i < count; i++) {
			const weir_point *point =
			    weir_case_point(panel->profile, &panel->c, kinds[i], blocks);
			fprintf(page, "<td>%s%s</td>",
			        point ? weir_rate_figure(point->per_second).text : "&#8211;",
			        point && point->timed_out ? " &#8224;" : "");
		}
		fputs("</tr>\n", page);
	}
	weir_html_table_end(page);
}
