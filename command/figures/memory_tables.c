#include "figures/memory_tables.h"

#include <stdio.h>
#include <string.h>

#include "cli/simulated.h"
#include "figures/html.h"
#include "output/figure.h"
#include "output/probe_tables.h"
#include "weir/profile.h"
#include "weir/weir.h"

/* A column of the tables: this device, or a machine of the paper. */
struct column {
	char title[128];
	const weir_probe *probe;
	int own;
};

struct columns {
	struct column list[3];
	size_t count;
	weir_profile *builtin[2];
};

static void choose_columns(const weir_profile *profile, struct columns *columns)
{
	static const char *const paper[] = {"gt200", "gf100"};
	memset(columns, 0, sizeof *columns);
	struct column *own = &columns->list[columns->count++];
	if (weir_simulated_is_name(profile->name))
		snprintf(own->title, sizeof own->title, "profile %s",
		         weir_simulated_profile_name(profile->name));
	else
		snprintf(own->title, sizeof own->title, "%s", weir_report_short(profile));
	own->probe = &profile->probe;
	own->own = 1;
	for (int i = 0; i < 2; i++) {
		if (strcmp(weir_simulated_profile_name(profile->name), paper[i]) == 0 ||
		    weir_profile_builtin(paper[i], &columns->builtin[i]) != WEIR_OK)
			continue;
		struct column *column = &columns->list[columns->count++];
		snprintf(column->title, sizeof column->title, "%s",
		         i == 0 ? "GT200 (the paper)" : "GF100 (the paper)");
		column->probe = &columns->builtin[i]->probe;
	}
}

static void write_head(FILE *page, const struct columns *columns, const char *unit)
{
	fputs(
	    "<div class=\"scroll\">\n<table>\n<thead>\n<tr><th class=\"text\" rowspan=\"2\"></th>",
	    page);
	for (size_t i = 0; i < columns->count; i++) {
		fprintf(page, "<th class=\"group wrap%s\" colspan=\"2\">",
		        columns->list[i].own ? " own" : "");
		weir_html_put(page, columns->list[i].title);
		fputs("</th>", page);
	}
	fputs("</tr>\n<tr>", page);
	for (size_t i = 0; i < columns->count; i++) {
		const char *own = columns->list[i].own ? " class=\"own\"" : "";
		fprintf(page, "<th%s>reads%s</th><th%s>writes%s</th>", own, unit, own, unit);
	}
	weir_html_rows(page);
}

/* The paper's digits; times of newer machines need more. A time that Ctrl-C prevented is 0. */
static void put_figure(FILE *page, const struct column *column, double value, int is_ratio)
{
	fprintf(page, "<td%s>", column->own ? " class=\"own\"" : "");
	if (!(value > 0))
		fputs("&#8211;", page);
	else if (is_ratio)
		fprintf(page, "%.2f&#215;", value);
	else
		fprintf(page, "%.*f", column->own && value < 0.1 ? 4 : 3, value);
	fputs("</td>", page);
}

/* The milliseconds of `over`, divided by those of `under` unless that is negative. */
static void write_row(FILE *page, const struct columns *columns, const char *title, int over,
                      int under)
{
	weir_html_text(page, "<tr><td class=\"text\">", title, "</td>");
	for (size_t i = 0; i < columns->count; i++)
		for (int way = WEIR_ACCESS_READ; way <= WEIR_ACCESS_WRITE; way++) {
			const double *ms = columns->list[i].probe->ms;
			double value = ms[over + way];
			if (under >= 0)
				value =
				    value > 0 && ms[under + way] > 0 ? value / ms[under + way] : 0;
			put_figure(page, &columns->list[i], value, under >= 0);
		}
	fputs("</tr>\n", page);
}

static void write_tables(FILE *page, const struct columns *columns, const char *const titles[3])
{
	static const char *const kinds[] = {"Volatile", "Atomic", "Volatile preceded by atomic"};

	fprintf(page, "<h3 id=\"times\">%s</h3>\n", titles[0]);
	write_head(page, columns, " (ms)");
	for (int i = 0; i < WEIR_ACCESS_COUNT / 2; i++)
		write_row(page, columns, weir_access_titles[i], 2 * i, -1);
	fprintf(page, "</tbody>\n</table>\n</div>\n<h3 id=\"contention\">%s</h3>\n", titles[1]);
	write_head(page, columns, "");
	for (int kind = 0; kind < 3; kind++)
		write_row(page, columns, kinds[kind], WEIR_ACCESS(kind, WEIR_ACCESS_SAME, 0),
		          WEIR_ACCESS(kind, WEIR_ACCESS_OWN, 0));
	fprintf(page, "</tbody>\n</table>\n</div>\n<h3 id=\"volatile\">%s</h3>\n", titles[2]);
	write_head(page, columns, "");
	for (int i = 2; i < WEIR_ACCESS_COUNT / 2; i++)
		write_row(page, columns, weir_access_titles[i], 2 * i, 2 * (i % 2));
	weir_html_table_end(page);
}

void weir_report_memory_write(FILE *page, const weir_profile *profile, const char *const titles[3])
{
	struct columns columns;
	if (!profile->has_probe) {
		fputs("<p class=\"warning\">The memory system was not probed.</p>\n", page);
		return;
	}
	choose_columns(profile, &columns);
	fprintf(page,
	        "<p>%s by one thread of each of %s, all blocks running. Contentious: "
	        "all on the same word. Noncontentious: each block on its own line. Next to them "
	        "are the "
	        "machines of Stuart and Owens, &#8220;Efficient Synchronization Primitives for "
	        "GPUs&#8221; (GT200 with 240 blocks, GF100 with 128). Compare ratios between "
	        "machines, not times.</p>\n",
	        weir_count_figure(profile->probe.accesses, "access").text,
	        weir_count_figure(profile->probe.blocks, "block").text);
	write_tables(page, &columns, titles);
	for (int i = 0; i < 2; i++)
		if (columns.builtin[i])
			weir_profile_destroy(columns.builtin[i]);
}
