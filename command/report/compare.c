/* Two profiles side by side, as text and as a page. */
#include "report/compare.h"

#include <stddef.h>
#include <stdlib.h>

#include "cli/complain.h"
#include "cli/kinds.h"
#include "figures/case.h"
#include "figures/html.h"
#include "output/figure.h"
#include "output/probe_tables.h"
#include "output/table.h"
#include "report/page.h"
#include "weir/kind.h"

static const enum weir_primitive primitives[] = {WEIR_PRIMITIVE_BARRIER, WEIR_PRIMITIVE_MUTEX,
                                                 WEIR_PRIMITIVE_SEMAPHORE};

/* ---- what both have measured ---- */

/* The default of each at a count that both have; `of` is NULL where a profile has no figure of its
 * default. */
typedef struct duel {
	weir_case cases[2];
	uint32_t blocks;
	const weir_point *of[2];
} duel;

static int find_case(const weir_profile *profile, const weir_case *like, weir_case *found)
{
	weir_case cases[WEIR_CASES];
	size_t count = weir_cases(profile, cases);

	for (size_t i = 0; i < count; i++) {
		if (cases[i].primitive != like->primitive || cases[i].initial != like->initial ||
		    cases[i].pattern != like->pattern)
			continue;
		*found = cases[i];
		return 1;
	}
	return 0;
}

/* The next larger count that both have the figure of their default at. */
static int next_duel(const weir_compared *compared, duel *at)
{
	uint32_t *counts, before = at->blocks;
	size_t count = weir_case_blocks(compared->profiles[0], &at->cases[0], &counts);
	int found = 0;

	for (size_t i = 0; i < count && !found; i++) {
		if (counts[i] <= before)
			continue;
		found = 1;
		at->blocks = counts[i];
		for (int side = 0; side < 2; side++) {
			const weir_profile *profile = compared->profiles[side];
			const weir_case *c = &at->cases[side];
			at->of[side] = weir_case_point(
			    profile, c, weir_case_default(profile, c, counts[i]), counts[i]);
			found = found && at->of[side] && at->of[side]->per_second > 0;
		}
	}
	free(counts);
	return found;
}

/* Calls `write` for each such figure, in order. Returns how many there are. */
static size_t each_duel(const weir_compared *compared, void (*write)(void *to, const duel *at),
                        void *to)
{
	weir_case cases[WEIR_CASES];
	size_t count = weir_cases(compared->profiles[0], cases), duels = 0;

	for (size_t i = 0; i < count; i++) {
		duel at = {.cases = {cases[i]}};
		if (!find_case(compared->profiles[1], &cases[i], &at.cases[1]))
			continue;
		for (; next_duel(compared, &at); duels++)
			write(to, &at);
	}
	return duels;
}

static double ratio_of(const duel *at)
{
	return at->of[1]->per_second / at->of[0]->per_second;
}

static const char nothing[] = "No count of blocks has figures of both profiles' defaults.";

/* The ratios that decide which kinds are fast. */
static const struct {
	const char *title;
	size_t at;
} ratios[] = {
    {"atomic to volatile reads, contended", offsetof(weir_class, atomic_to_volatile)},
    {"atomic to volatile writes, contended", offsetof(weir_class, atomic_to_volatile_write)},
    {"contended to uncontended reads", offsetof(weir_class, contention)},
    {"contended to uncontended writes", offsetof(weir_class, contention_write)},
};

enum {
	RATIOS = sizeof ratios / sizeof ratios[0]
};

static weir_figure ratio_figure(const weir_profile *profile, int which)
{
	weir_figure figure = {"-"};
	weir_class found;

	if (!weir_report_probe_is_whole(profile))
		return figure;
	weir_classify(&profile->probe, &found);
	snprintf(figure.text, sizeof figure.text, "%.3g",
	         *(const double *)((const char *)&found + ratios[which].at));
	return figure;
}

/* ---- text ---- */

static void print_duel(void *to, const duel *at)
{
	char title[64];

	weir_case_title(&at->cases[0], title, sizeof title);
	weir_table_cells(to, "%s\t%u\t%s\t%s\t%s\t%s\t%.2f", title, at->blocks,
	                 weir_kind_name(at->of[0]->primitive, at->of[0]->kind),
	                 weir_rate_figure(at->of[0]->per_second).text,
	                 weir_kind_name(at->of[1]->primitive, at->of[1]->kind),
	                 weir_rate_figure(at->of[1]->per_second).text, ratio_of(at));
}

void weir_report_compare_print(FILE *text, const weir_compared *compared)
{
	char left[80], right[80];
	snprintf(left, sizeof left, "<%s", compared->names[0]);
	snprintf(right, sizeof right, "<%s", compared->names[1]);
	const char *const uses[] = {"<", left, right, NULL};
	const char *const rates[] = {"<default of each",  "blocks", left,
	                             "per second",        right,    "per second",
	                             "second over first", NULL};
	weir_table *table = weir_table_make(uses);

	weir_table_cells(table, "device\t%s\t%s", weir_report_device(compared->profiles[0]),
	                 weir_report_device(compared->profiles[1]));
	for (int i = 0; i < 3; i++) {
		weir_table_cell(table, "%s", weir_primitive_name(primitives[i]));
		for (int side = 0; side < 2; side++) {
			char *rules = weir_need(
			    weir_profile_default_text(compared->profiles[side], primitives[i]));
			weir_table_cell(table, "%s", *rules ? rules : "no rule");
			free(rules);
		}
	}
	for (int i = 0; i < RATIOS; i++)
		weir_table_cells(table, "%s\t%s\t%s", ratios[i].title,
		                 ratio_figure(compared->profiles[0], i).text,
		                 ratio_figure(compared->profiles[1], i).text);
	weir_table_end(table, text);
	fputc('\n', text);
	table = weir_table_make(rates);
	if (each_duel(compared, print_duel, table) == 0)
		fprintf(text, "%s\n", nothing);
	weir_table_end(table, text);
}

/* ---- the page ---- */

static void put_duel(void *to, const duel *at)
{
	FILE *page = to;
	char title[64];

	weir_case_title(&at->cases[0], title, sizeof title);
	fputs("<tr>", page);
	weir_html_cell(page, title);
	fprintf(page, "<td>%u</td>", at->blocks);
	for (int side = 0; side < 2; side++) {
		weir_html_cell(page, weir_kind_name(at->of[side]->primitive, at->of[side]->kind));
		fprintf(page, "<td>%s</td>", weir_rate_figure(at->of[side]->per_second).text);
	}
	fprintf(page, "<td>%.2f&#215;</td></tr>\n", ratio_of(at));
}

static void write_uses(FILE *page, const weir_compared *compared)
{
	weir_html_heading(page, "verdict", "Use these", NULL);
	for (int i = 0; i < 3; i++) {
		fputs("<div class=\"verdict pair\">\n", page);
		for (int side = 0; side < 2; side++) {
			fputs("<div class=\"card\">\n<p class=\"note\">", page);
			weir_html_put(page, compared->names[side]);
			fputs("</p>\n", page);
			weir_report_chart_write(page, compared->profiles[side], primitives[i]);
			if (compared->profiles[side]->point_count == 0)
				fputs("<p class=\"note\">This profile describes only the memory "
				      "system: "
				      "no kind was measured.</p>\n",
				      page);
			fputs("</div>\n", page);
		}
		fputs("</div>\n", page);
	}
}

static void write_head(FILE *page, const weir_compared *compared)
{
	weir_html_table(page, NULL);
	fputs("<th class=\"text\"></th>", page);
	for (int side = 0; side < 2; side++)
		weir_html_text(page, "<th class=\"text\">", compared->names[side], "</th>");
	weir_html_rows(page);
}

static void write_row(FILE *page, const char *title, const char *left, const char *right)
{
	weir_html_text(page, "<tr><th class=\"text\">", title, "</th>");
	weir_html_text(page, "<td class=\"text wrap\">", left, "</td>");
	weir_html_text(page, "<td class=\"text wrap\">", right, "</td></tr>\n");
}

static void write_devices(FILE *page, const weir_compared *compared)
{
	const weir_profile *left = compared->profiles[0], *right = compared->profiles[1];

	weir_html_heading(page, "device", "The devices", NULL);
	write_head(page, compared);
	write_row(page, "device", weir_report_device(left), weir_report_device(right));
	write_row(page, "driver", left->device.driver, right->device.driver);
	write_row(page, "figures of commit", left->commit, right->commit);
	for (int i = 0; i < RATIOS; i++)
		write_row(page, ratios[i].title, ratio_figure(left, i).text,
		          ratio_figure(right, i).text);
	weir_html_table_end(page);
}

static void write_times(FILE *page, const weir_compared *compared)
{
	const double *left = compared->profiles[0]->probe.ms,
		     *right = compared->profiles[1]->probe.ms;

	weir_html_heading(page, "memory", "The memory system", NULL);
	fputs("<p>Milliseconds of the probe. Machines ran it with as many blocks as they hold at "
	      "once, so compare ratios between them, not times.</p>\n",
	      page);
	write_head(page, compared);
	for (int i = 0; i < WEIR_ACCESS_COUNT; i++) {
		char title[96], times[2][32] = {"-", "-"};
		snprintf(title, sizeof title, "%s, %s", weir_access_titles[i / 2],
		         i % 2 ? "writes" : "reads");
		if (left[i] > 0)
			snprintf(times[0], sizeof times[0], "%.4g", left[i]);
		if (right[i] > 0)
			snprintf(times[1], sizeof times[1], "%.4g", right[i]);
		write_row(page, title, times[0], times[1]);
	}
	weir_html_table_end(page);
}

static void write_rates(FILE *page, const weir_compared *compared)
{
	char *rows = NULL;
	size_t bytes;
	FILE *to = weir_need(open_memstream(&rows, &bytes));
	size_t count = each_duel(compared, put_duel, to);

	if (fclose(to) != 0)
		weir_need(NULL);
	weir_html_heading(page, "throughput", "Throughput of the defaults", NULL);
	if (count == 0) {
		weir_html_text(page, "<p>", nothing, "</p>\n");
	} else {
		fputs("<p>Operations per second with empty critical sections, where both have "
		      "figures.</p>\n",
		      page);
		weir_html_table(page, "rates");
		fputs("<th class=\"text\">primitive</th><th>blocks</th>", page);
		for (int side = 0; side < 2; side++)
			weir_html_text(page, "<th class=\"text\">", compared->names[side],
			               "</th><th>per second</th>");
		fputs("<th>second<br/>over first</th>", page);
		weir_html_rows(page);
		fputs(rows, page);
		weir_html_table_end(page);
	}
	free(rows);
}

void weir_report_compare_write(FILE *page, const weir_compared *compared)
{
	char *text = NULL;
	size_t bytes;
	FILE *sections = weir_need(open_memstream(&text, &bytes));

	weir_html_begin(page);
	weir_html_text(page, "weir report: ", compared->names[0], " and ");
	weir_html_put(page, compared->names[1]);
	weir_html_body(page, ".verdict.pair { margin-bottom: 1rem; }\n");
	weir_html_text(page, "", compared->names[0], " and ");
	weir_html_put(page, compared->names[1]);
	fprintf(page,
	        "</h1>\n<p class=\"note\">Two profiles side by side; nothing was measured for this "
	        "page. Page of %s by weir %s, commit %s.</p>\n",
	        compared->date, weir_version(), *WEIR_COMMIT ? WEIR_COMMIT : "not known");
	write_uses(sections, compared);
	write_devices(sections, compared);
	write_times(sections, compared);
	write_rates(sections, compared);
	if (fclose(sections) != 0)
		weir_need(NULL);
	weir_html_end(page, text);
	free(text);
}
