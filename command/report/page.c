#include "report/page.h"

#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/kinds.h"
#include "figures/html.h"
#include "figures/memory_tables.h"
#include "output/figure.h"
#include "weir/kind.h"

static void put_title(FILE *page, const weir_profile *profile)
{
	weir_html_put(page, weir_report_short(profile));
	if (weir_report_short(profile) != weir_report_device(profile))
		weir_html_text(page, ": ", weir_report_device(profile), "");
}

static void write_device(FILE *page, const weir_profile *profile, int simulated)
{
	const weir_device_info *device = &profile->device;
	char text[64];
	weir_html_heading(page, "device", "The device", NULL);
	fputs("<div class=\"scroll\">\n<table>\n", page);
	weir_html_row(page, "device", device->name);
	weir_html_row(page, "description", weir_report_device(profile));
	weir_html_row(page, "machine",
	              simulated ? "simulated" : weir_machine_name(device->machine));
	weir_html_row(page, "driver", device->driver);
	snprintf(text, sizeof text, "%u", device->units);
	weir_html_row(page, device->is_gpu ? "multiprocessors" : "cores",
	              device->units ? text : "");
	snprintf(text, sizeof text, "%u", device->resident_blocks_at_128);
	weir_html_row(page, "blocks of 128 threads at once",
	              device->resident_blocks_at_128 ? text : "");
	snprintf(text, sizeof text, "%.3g MiB", (double)device->l2_bytes / 1048576);
	weir_html_row(page, "L2 cache", device->l2_bytes ? text : "");
	fputs("</table>\n</div>\n", page);
}

/* ---- the classification ---- */

static void write_class(FILE *page, const weir_report *report)
{
	const weir_profile *profile = report->profile;
	weir_html_heading(page, "class", "What follows from it", NULL);
	if (!weir_report_probe_is_whole(profile)) {
		fputs("<p class=\"warning\">Without a complete probe this machine has no "
		      "class.</p>\n",
		      page);
		return;
	}
	char *text = weir_need(weir_class_text(profile)), *rest = text;
	for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
		if (!*line)
			continue;
		/* The subject of a line is the part before its first colon. */
		char *colon = strchr(line, ':');
		fputs("<p>", page);
		if (colon) {
			*colon = 0;
			weir_html_text(page, "<strong>", line, ":</strong>");
			line = colon + 1;
		}
		weir_html_put(page, line);
		fputs("</p>\n", page);
	}
	free(text);
}

/* ---- the benchmarks ---- */

/* Of a section that shows throughput. */
static const char *tag_of(const weir_report *report)
{
	return report->case_count == 0 ? NULL : report->simulated ? "simulated" : "measured";
}

/* Returns whether it hit its limit. */
static int put_rate(FILE *page, const weir_point *point, int best)
{
	fprintf(page, "<td%s>", best ? " class=\"best\"" : "");
	fputs(point ? weir_rate_figure(point->per_second).text : "&#8211;", page);
	fprintf(page, "%s</td>", point && point->timed_out ? " &#8224;" : "");
	return point && point->timed_out;
}

/* The figures of a plot: a row for each block count, a column for each kind, the default marked. */
static void write_table(FILE *page, const weir_profile *profile, const weir_case *c, int simulated)
{
	uint32_t kinds[WEIR_CASE_KINDS];
	size_t kind_count = weir_case_kinds(profile, c, kinds);
	uint32_t *rows;
	size_t row_count = weir_case_blocks(profile, c, &rows);
	int stopped = 0;
	char id[64];

	strcpy(id, "table_");
	weir_case_id(c, id + strlen(id), sizeof id - strlen(id));
	weir_html_table(page, id);
	fprintf(page, "<th>blocks of<br/>%s</th>", weir_count_figure(c->threads, "thread").text);
	for (size_t i = 0; i < kind_count; i++) {
		char reign[64];
		weir_case_reign(profile, c, kinds[i], reign, sizeof reign);
		fprintf(page, "<th>%s%s%s</th>", weir_kind_name(c->primitive, kinds[i]),
		        *reign ? "<br/>" : "", reign);
	}
	weir_html_rows(page);
	for (size_t row = 0; row < row_count; row++) {
		fprintf(page, "<tr><td>%u</td>", rows[row]);
		for (size_t i = 0; i < kind_count; i++)
			stopped |= put_rate(page, weir_case_point(profile, c, kinds[i], rows[row]),
			                    kinds[i] == weir_case_default(profile, c, rows[row]));
		fputs("</tr>\n", page);
	}
	weir_html_table_end(page);
	if (stopped)
		fputs(simulated ? "<p class=\"note\">&#8224; nothing was completed</p>\n"
		                : "<p class=\"note\">&#8224; hit the time limit: the rate of the "
		                  "operations completed by then</p>\n",
		      page);
	free(rows);
}

static int any_stopped(const weir_report *report, const weir_case *c)
{
	for (size_t i = 0; i < report->profile->point_count; i++)
		if (weir_case_holds(c, &report->profile->points[i]) &&
		    report->profile->points[i].timed_out)
			return 1;
	return 0;
}

static void write_plot(FILE *page, const weir_report *report, size_t which)
{
	fprintf(page, "%s\n", report->plots[which]);
	if (any_stopped(report, &report->cases[which]))
		fputs(report->simulated
		          ? "<figcaption><p class=\"note\">A point that completed nothing is not "
		            "drawn.</p></figcaption>\n"
		          : "<figcaption><p class=\"note\">A point with a ring hit the time limit: "
		            "its rate is that of the operations completed by then. A point that "
		            "completed nothing is not drawn.</p></figcaption>\n",
		      page);
	fputs("<details>\n<summary>The figures</summary>\n", page);
	write_table(page, report->profile, &report->cases[which], report->simulated);
	fputs("</details>\n", page);
}

static void write_table_alone(FILE *page, const weir_report *report, size_t which)
{
	char title[64];

	weir_case_title(&report->cases[which], title, sizeof title);
	fprintf(page, "<h3>%s, operations per second</h3>\n", title);
	write_table(page, report->profile, &report->cases[which], report->simulated);
}

static void write_plots(FILE *page, const weir_report *report)
{
	weir_html_heading(page, "throughput", "Throughput", tag_of(report));
	if (report->case_count == 0) {
		fputs("<p>There are no benchmark figures of this device, so there is nothing to "
		      "plot.</p>\n",
		      page);
		return;
	}
	fprintf(page,
	        "<p>%s per second of all blocks together, with an empty critical section. A "
	        "barrier that all blocks pass is one operation; a lock with its unlock and a wait "
	        "with its post are one.",
	        report->simulated ? "Simulated operations" : "Operations");
	if (report->no_plots)
		fprintf(page,
		        " The default is the kind that weir uses with these figures."
		        "</p>\n<p class=\"note\">There are tables instead of plots: %s.</p>\n",
		        report->no_plots);
	else
		fprintf(page,
		        " Both axes are logarithmic%s. The broad band marks the kind that weir "
		        "uses by default with these figures, at each number of blocks.</p>\n",
		        report->simulated ? ""
		                          : "; points are medians, bars go from the slowest "
		                            "repeat to the fastest");
	fputs("<div class=\"plots\">\n", page);
	for (size_t i = 0; i < report->case_count; i++) {
		char id[64];
		weir_case_id(&report->cases[i], id, sizeof id);
		fprintf(page, "<figure id=\"plot_%s\">\n", id);
		if (report->plots[i])
			write_plot(page, report, i);
		else
			write_table_alone(page, report, i);
		fputs("</figure>\n", page);
	}
	fputs("</div>\n", page);
}

static void put_spread(FILE *page, const weir_point *point)
{
	if (point->repeats < 2 || !(point->per_second > 0))
		fputs("<td>&#8211;</td>", page);
	else
		fprintf(page, "<td>&#8722;%.1f%% / +%.1f%%</td>",
		        100 * (1 - point->low / point->per_second),
		        100 * (point->high / point->per_second - 1));
}

static void put_fairness(FILE *page, const weir_point *point)
{
	/* No block can overtake at a barrier. */
	if (point->primitive == WEIR_PRIMITIVE_BARRIER || !(point->jain > 0))
		fputs("<td>&#8211;</td><td>&#8211;</td>", page);
	else
		fprintf(page, "<td>%.3f</td><td>%.2f</td>", point->jain, point->worst_share);
}

static void put_point(FILE *page, const weir_point *point, const char *title, int first, int best)
{
	fprintf(page, "<tr class=\"%s%s\">", first ? "first" : "", best ? " best" : "");
	weir_html_cell(page, first ? title : "");
	weir_html_cell(page, weir_kind_name(point->primitive, point->kind));
	fprintf(page, "<td>%u</td><td>%s</td>", point->blocks,
	        weir_rate_figure(point->per_second).text);
	put_spread(page, point);
	put_fairness(page, point);
	fprintf(page, "<td class=\"text wrap\">%s", best ? "default" : "");
	if (point->timed_out)
		fprintf(page, "%sstopped by the time limit after %llu of %llu", best ? "; " : "",
		        (unsigned long long)point->completed,
		        (unsigned long long)point->rounds *
		            (point->primitive == WEIR_PRIMITIVE_BARRIER ? 1 : point->blocks));
	fputs("</td></tr>\n", page);
}

static void write_figures(FILE *page, const weir_report *report)
{
	static const char *const columns[] = {"<primitive",
	                                      "<kind",
	                                      "blocks",
	                                      "operations<br/>per second",
	                                      "slowest / fastest<br/>repeat",
	                                      "Jain&#8217;s<br/>index",
	                                      "worst<br/>share",
	                                      "<",
	                                      NULL};

	if (report->case_count == 0)
		return;
	weir_html_heading(page, "figures", "Figures at the largest block count", tag_of(report));
	weir_html_table(page, NULL);
	weir_html_heads(page, columns);
	weir_html_rows(page);
	for (size_t i = 0; i < report->case_count; i++) {
		const weir_case *c = &report->cases[i];
		uint32_t kinds[WEIR_CASE_KINDS];
		size_t count = weir_case_kinds(report->profile, c, kinds);
		uint32_t usual = weir_case_default(report->profile, c, c->most_blocks);
		char title[64];
		int first = 1;
		weir_case_title(c, title, sizeof title);
		for (size_t k = 0; k < count; k++) {
			const weir_point *point =
			    weir_case_point(report->profile, c, kinds[k], c->most_blocks);
			if (!point)
				continue;
			put_point(page, point, title, first, kinds[k] == usual);
			first = 0;
		}
	}
	weir_html_table_end(page);
	fprintf(
	    page,
	    "<p class=\"note\">Jain&#8217;s index is 1 if all blocks got in equally often, and "
	    "1/blocks if only one did. The worst share is that of the block that got the least, "
	    "relative to an even share. One kind is ahead of another "
	    "when it leads by more than the spread of both, and by more than %g%%. The built-in "
	    "default stays unless another kind is ahead of it. Then the default is the fastest "
	    "kind, or a fair one that the fastest is not ahead of.</p>\n",
	    100 * WEIR_LEAST_LEAD);
}

static void write_map(FILE *page, const weir_report *report)
{
	const weir_profile *profile = report->profile;

	if (report->map)
		weir_report_map_write(page, report->map, &profile->probe, profile->device.is_gpu);
	else if (report->no_map) {
		weir_html_heading(page, "map", "Machines around it", NULL);
		fprintf(page, "<p class=\"note\">%s</p>\n", report->no_map);
	}
}

/* ---- how it was measured ---- */

static void write_sweeps(FILE *page, const weir_report *report)
{
	if (report->simulated)
		return;
	for (size_t i = 0; i < report->case_count; i++) {
		const weir_profile *profile = report->profile;
		uint32_t few = UINT32_MAX, many = 0, rounds = 0;
		char title[64], text[160];
		for (size_t k = 0; k < profile->point_count; k++) {
			const weir_point *point = &profile->points[k];
			if (!weir_case_holds(&report->cases[i], point))
				continue;
			few = point->repeats < few ? point->repeats : few;
			many = point->repeats > many ? point->repeats : many;
			rounds = point->rounds > rounds ? point->rounds : rounds;
		}
		weir_case_title(&report->cases[i], title, sizeof title);
		if (few == many)
			snprintf(text, sizeof text, "%s of each block, %s",
			         weir_count_figure(rounds, "operation").text,
			         weir_count_figure(many, "repeat").text);
		else
			snprintf(text, sizeof text, "%s of each block, %u to %s",
			         weir_count_figure(rounds, "operation").text, few,
			         weir_count_figure(many, "repeat").text);
		weir_html_row(page, title, text);
	}
}

static void write_method(FILE *page, const weir_report *report)
{
	weir_html_heading(page, "method",
	                  report->simulated ? "How it was simulated" : "How it was measured", NULL);
	fputs("<div class=\"scroll\">\n<table>\n", page);
	weir_html_row(page, "figures", report->origin);
	weir_html_row(page, "command", report->command);
	weir_html_row(page, "weir", weir_version());
	weir_html_row(page, "commit", report->profile->commit);
	weir_html_row(page, "driver", report->profile->device.driver);
	write_sweeps(page, report);
	fputs("</table>\n</div>\n", page);
	if (report->simulated)
		fputs("<p class=\"note\">Each point is one run of the shipped algorithms on a "
		      "memory system made from the probe, with the backoff that the "
		      "simulator&#8217;s "
		      "tuner found for its kind; doc/simulator.md says what that leaves out.</p>\n",
		      page);
	else if (report->case_count > 0)
		fputs("<p class=\"note\">Each point has its own warm-up run, and its figure is the "
		      "median of its repeats.</p>\n",
		      page);
}

static const char *known(const char *commit)
{
	return *commit ? commit : "not known";
}

static void write_dates(FILE *page, const weir_report *report)
{
	fprintf(page, " Page of %s by weir %s, commit ", report->date, weir_version());
	weir_html_put(page, known(WEIR_COMMIT));
	if (strcmp(report->profile->commit, WEIR_COMMIT) != 0)
		weir_html_text(page, "; figures of commit ", known(report->profile->commit), "");
	fputs(".</p>\n", page);
}

static void write_sections(FILE *page, const weir_report *report)
{
	static const char *const memory_titles[] = {"Times", "Contentious to noncontentious",
	                                            "Compared with volatile accesses"};

	if (!report->stopped)
		weir_report_verdict_write(page, report->profile, &report->library, tag_of(report));
	write_device(page, report->profile, report->simulated);
	weir_html_heading(page, "memory", "The memory system",
	                  report->profile->has_probe ? "measured" : NULL);
	weir_report_memory_write(page, report->profile, memory_titles);
	write_class(page, report);
	write_plots(page, report);
	write_figures(page, report);
	if (report->kernels)
		weir_report_kernels_write(page, report->kernels);
	write_map(page, report);
	if (report->crews)
		weir_report_crews_write(page, report->crews,
		                        report->case_count == 0 ? report->no_plots : NULL);
	write_method(page, report);
}

void weir_report_write(FILE *page, const weir_report *report)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *sections = weir_need(open_memstream(&text, &bytes));

	weir_html_begin(page);
	fputs("weir report: ", page);
	put_title(page, report->profile);
	weir_html_body(page, "");
	put_title(page, report->profile);
	fputs("</h1>\n<p class=\"note\">Which algorithms to use for synchronization between blocks "
	      "on "
	      "this machine, and why.",
	      page);
	write_dates(page, report);
	if (report->simulated)
		fputs("<p class=\"warning\">Simulated: the memory system&#8217;s figures are those "
		      "of a "
		      "profile, and every throughput on this page is a prediction from them. No "
		      "device "
		      "was measured.</p>\n",
		      page);
	if (report->stopped)
		fputs("<p class=\"warning\">The measurement was stopped early. This page "
		      "shows what was measured until then, and so it has no answer.</p>\n",
		      page);
	write_sections(sections, report);
	if (fclose(sections) != 0)
		weir_need(NULL);
	weir_html_end(page, text);
	free(text);
}

int weir_report_probe_is_whole(const weir_profile *profile)
{
	for (int i = 0; i < WEIR_ACCESS_COUNT; i++)
		if (!(profile->probe.ms[i] > 0))
			return 0;
	return profile->has_probe;
}
