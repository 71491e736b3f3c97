#include "report/page.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/stop.h"
#include "figures/html.h"
#include "figures/plot.h"
#include "output/gnuplot.h"

static const uint32_t counts[WEIR_REPORT_CREW_COUNTS] = {8, 16, 32, 72, 144, 256, 512, 1024, 4096};

int weir_report_crews_make(weir_report_crews *crews)
{
	*crews = (weir_report_crews){0};
	for (uint32_t i = 0; i < WEIR_REPORT_CREW_SYSTEMS; i++) {
		weir_report_crew *crew = &crews->crews[i];

		crew->system = weir_sim_system_at(i);
		int status = weir_ranks_hops_make(&crew->system->links, &crew->hops);
		for (int k = 0; k < WEIR_SIM_PATTERNS * WEIR_REPORT_CREW_COUNTS; k++) {
			weir_sim_pattern pattern = k / WEIR_REPORT_CREW_COUNTS;
			int at = k % WEIR_REPORT_CREW_COUNTS;

			if (weir_stop_asked())
				return WEIR_EXIT_STOPPED;
			if (status == 0)
				status = weir_ranks_row_make(&crew->system->links, pattern,
				                             counts[at], &crew->rows[pattern][at]);
		}
		if (status)
			return status;
	}
	return 0;
}

/* ---- plots ---- */

struct drawing {
	const weir_report_crew *crew;
	weir_sim_pattern pattern;
};

static void write_ranges(FILE *script, const weir_ranks_row *rows, weir_sim_pattern pattern)
{
	double low = DBL_MAX, high = 0;

	for (int i = 0; i < WEIR_REPORT_CREW_COUNTS; i++)
		for (weir_sim_form form = 0; form < WEIR_SIM_FORMS; form++)
			if (weir_sim_has_form(pattern, form)) {
				low = fmin(low, rows[i].costs[form].ns * 1e-3);
				high = fmax(high, rows[i].costs[form].ns * 1e-3);
			}
	weir_plot_counts(script, counts[0], counts[WEIR_REPORT_CREW_COUNTS - 1]);
	weir_gnuplot_rates(script, low / 1.5, high * 1.5);
}

static void put_title(char *title, size_t room, const struct drawing *drawing, const char *between)
{
	snprintf(title, room, "%s%s%s", weir_ranks_title(drawing->pattern), between,
	         drawing->crew->system->what);
	title[0] = (char)toupper((unsigned char)title[0]);
}

void weir_report_crew_id(const weir_report_crew *crew, weir_sim_pattern pattern, char *id,
                         size_t room)
{
	static const char *const ids[WEIR_SIM_PATTERNS] = {"barrier", "one_to_all", "all_to_one"};

	snprintf(id, room, "crew_%s_%s", crew->system->name, ids[pattern]);
}

static weir_plot_key key_of(weir_sim_pattern pattern)
{
	weir_plot_key key = {0, 0};

	for (weir_sim_form form = 0; form < WEIR_SIM_FORMS; form++) {
		size_t length = strlen(weir_sim_form_names[form]);
		if (!weir_sim_has_form(pattern, form))
			continue;
		key.entries++;
		key.longest = length > key.longest ? length : key.longest;
	}
	return key;
}

static void write_script(FILE *script, const void *context)
{
	const struct drawing *drawing = context;
	const weir_ranks_row *rows = drawing->crew->rows[drawing->pattern];
	const char *between = "plot ";
	char title[160];

	put_title(title, sizeof title, drawing, ":\\n"); /* two lines */
	weir_plot_key key = key_of(drawing->pattern);
	weir_plot_frame(script, title, "GPUs", "microseconds, simulated", &key);
	write_ranges(script, rows, drawing->pattern);
	for (weir_sim_form form = 0; form < WEIR_SIM_FORMS; form++) {
		if (!weir_sim_has_form(drawing->pattern, form))
			continue;
		fprintf(script, "$form%d << END\n", (int)form);
		for (int i = 0; i < WEIR_REPORT_CREW_COUNTS; i++)
			fprintf(script, "%u %.9g\n", counts[i], rows[i].costs[form].ns * 1e-3);
		fprintf(script, "END\n");
	}
	for (weir_sim_form form = 0; form < WEIR_SIM_FORMS; form++) {
		if (!weir_sim_has_form(drawing->pattern, form))
			continue;
		fprintf(script,
		        "%s$form%d using 1:2 with linespoints pointtype %d pointsize 0.7 "
		        "linewidth 1.8 linecolor rgb \"%s\" title \"%s\"",
		        between, (int)form, weir_plot_shape(form), weir_plot_colour(form),
		        weir_sim_form_names[form]);
		between = ", ";
	}
	fprintf(script, "\n");
}

int weir_report_crews_draw(weir_report_crews *crews)
{
	for (int i = 0; i < WEIR_REPORT_CREW_SYSTEMS; i++)
		for (weir_sim_pattern p = 0; p < WEIR_SIM_PATTERNS; p++) {
			const struct drawing drawing = {&crews->crews[i], p};
			char id[64], title[160];

			weir_report_crew_id(&crews->crews[i], p, id, sizeof id);
			put_title(title, sizeof title, &drawing, ": ");
			weir_plot_key key = key_of(p);
			const weir_picture picture = {id, title, WEIR_PLOT_WIDTH,
			                              weir_plot_height(&key)};
			crews->crews[i].plots[p] =
			    weir_gnuplot_draw(write_script, &drawing, &picture);
			if (!crews->crews[i].plots[p])
				return 0;
		}
	return 1;
}

/* ---- the page ---- */

/* The best form for each system and pattern. */
static void write_best(FILE *page, const weir_report_crews *crews)
{
	fputs("<h3>Which form where</h3>\n", page);
	weir_html_table(page, "crews_best");
	fputs("<th rowspan=\"2\">GPUs</th>", page);
	for (int i = 0; i < WEIR_REPORT_CREW_SYSTEMS; i++)
		fprintf(page, "<th class=\"group\" colspan=\"%d\">%s</th>", WEIR_SIM_PATTERNS,
		        crews->crews[i].system->what);
	fputs("</tr>\n<tr>", page);
	for (int i = 0; i < WEIR_REPORT_CREW_SYSTEMS; i++)
		for (weir_sim_pattern p = 0; p < WEIR_SIM_PATTERNS; p++)
			fprintf(page, "<th class=\"text\">%s</th>", weir_sim_pattern_names[p]);
	weir_html_rows(page);
	for (int k = 0; k < WEIR_REPORT_CREW_COUNTS; k++) {
		fprintf(page, "<tr><td>%u</td>", counts[k]);
		for (int i = 0; i < WEIR_REPORT_CREW_SYSTEMS; i++)
			for (weir_sim_pattern p = 0; p < WEIR_SIM_PATTERNS; p++) {
				const weir_ranks_row *row = &crews->crews[i].rows[p][k];

				fprintf(page, "<td class=\"text\">%s, %.2f us</td>",
				        weir_sim_form_names[row->best],
				        row->costs[row->best].ns * 1e-3);
			}
		fputs("</tr>\n", page);
	}
	weir_html_table_end(page);
}

static void write_table(FILE *page, const weir_ranks_row *rows, weir_sim_pattern pattern)
{
	weir_html_table(page, NULL);
	fputs("<th>GPUs</th>", page);
	for (weir_sim_form form = 0; form < WEIR_SIM_FORMS; form++)
		if (weir_sim_has_form(pattern, form))
			fprintf(page, "<th>%s</th>", weir_sim_form_names[form]);
	weir_html_rows(page);
	for (int i = 0; i < WEIR_REPORT_CREW_COUNTS; i++) {
		fprintf(page, "<tr><td>%u</td>", rows[i].ranks);
		for (weir_sim_form form = 0; form < WEIR_SIM_FORMS; form++)
			if (weir_sim_has_form(pattern, form))
				fprintf(page, "<td%s>%.2f%s</td>",
				        form == rows[i].best ? " class=\"best\"" : "",
				        rows[i].costs[form].ns * 1e-3,
				        rows[i].costs[form].is_computed ? " &#8224;" : "");
		fputs("</tr>\n", page);
	}
	weir_html_table_end(page);
}

static void write_crew(FILE *page, const weir_report_crew *crew)
{
	fprintf(page,
	        "<h3>%c%s</h3>\n<p>One signal takes %.2f us inside a domain, and %.2f us "
	        "between two.</p>\n",
	        toupper((unsigned char)crew->system->what[0]), crew->system->what + 1,
	        crew->hops.near_us, crew->hops.far_us);
	fputs("<div class=\"plots\">\n", page);
	for (weir_sim_pattern p = 0; p < WEIR_SIM_PATTERNS; p++) {
		char id[64];

		weir_report_crew_id(crew, p, id, sizeof id);
		fprintf(page, "<figure id=\"plot_%s\">\n", id);
		if (crew->plots[p])
			fprintf(page,
			        "%s\n<details>\n<summary>The "
			        "figures</summary>\n",
			        crew->plots[p]);
		else
			fprintf(page, "<h4>%c%s, microseconds</h4>\n",
			        toupper((unsigned char)weir_ranks_title(p)[0]),
			        weir_ranks_title(p) + 1);
		write_table(page, crew->rows[p], p);
		fputs(crew->plots[p] ? "</details>\n</figure>\n" : "</figure>\n", page);
	}
	fputs("</div>\n", page);
}

static void write_sources(FILE *page)
{
	static const char *const columns[] = {"<figure", "<taken as", "<source", NULL};
	const weir_sim_figure *figure;

	fputs("<h3>The figures behind it</h3>\n", page);
	weir_html_table(page, "crews_figures");
	weir_html_heads(page, columns);
	weir_html_rows(page);
	for (uint32_t i = 0; (figure = weir_sim_figure_at(i)); i++) {
		fputs("<tr>", page);
		weir_html_cell(page, figure->what);
		weir_html_cell(page, figure->value);
		fprintf(page, "<td class=\"text wrap\">%s",
		        figure->is_guess ? "<strong>a guess.</strong> " : "");
		weir_html_text(page, "", figure->source, "</td></tr>\n");
	}
	weir_html_table_end(page);
	fputs(
	    "<p class=\"note\">doc/crew-cost.md has the addresses. <code>weir crew --simulate 8,72 "
	    "--links "
	    "8,600,0.76,2700,10</code> takes other figures.</p>\n",
	    page);
}

void weir_report_crews_write(FILE *page, const weir_report_crews *crews, const char *no_plots)
{
	weir_html_heading(page, "crews", "Crews of many GPUs", "simulated");
	fprintf(page,
	        "<p class=\"warning\">Simulated from the "
	        "figures at the end of this section, some of which are guesses. Nothing here was "
	        "measured, and nothing here is about this machine.</p>\n<p>The time until the last "
	        "GPU may continue, running the code of weir&#8217;s headers on simulated links. "
	        "Two levels "
	        "and trees are programs over a crew&#8217;s events; flat and rounds are "
	        "<code>weir_crew_lane_wait</code> with a radix. A flat barrier of more than %d "
	        "GPUs (&#8224;) is computed.</p>\n",
	        WEIR_SIM_FLAT_MOST);
	if (no_plots)
		fprintf(page, "<p class=\"note\">There are tables instead of plots: %s.</p>\n",
		        no_plots);
	write_best(page, crews);
	for (int i = 0; i < WEIR_REPORT_CREW_SYSTEMS; i++)
		write_crew(page, &crews->crews[i]);
	write_sources(page);
}

void weir_report_crews_free(weir_report_crews *crews)
{
	for (int i = 0; i < WEIR_REPORT_CREW_SYSTEMS; i++)
		for (weir_sim_pattern p = 0; p < WEIR_SIM_PATTERNS; p++)
			free(crews->crews[i].plots[p]);
}
