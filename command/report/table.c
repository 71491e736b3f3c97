#include "report/table.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/complain.h"
#include "cli/kinds.h"
#include "figures/case.h"
#include "output/figure.h"
#include "weir/profile.h"

static int by_number(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	return (a > b) - (a < b);
}

/* Each count once, in order; to be freed. */
static uint32_t *block_counts(const weir_profile *profile, const weir_case *c, size_t *count)
{
	uint32_t *counts = weir_need(calloc(profile->point_count + 1, sizeof *counts));
	size_t all = 0;

	for (size_t i = 0; i < profile->point_count; i++)
		if (weir_case_holds(c, &profile->points[i]))
			counts[all++] = profile->points[i].blocks;
	qsort(counts, all, sizeof *counts, by_number);
	*count = 0;
	for (size_t i = 0; i < all; i++)
		if (i == 0 || counts[i] != counts[i - 1])
			counts[(*count)++] = counts[i];
	return counts;
}

/* Returns whether it hit its limit. */
static int put_rate(FILE *page, const weir_point *point, int best)
{
	fprintf(page, "<td%s>", best ? " class=\"best\"" : "");
	fputs(point ? weir_rate_figure(point->per_second).text : "&#8211;", page);
	fprintf(page, "%s</td>", point && point->timed_out ? " &#8224;" : "");
	return point && point->timed_out;
}

void weir_report_table_write(FILE *page, const weir_profile *profile, const weir_case *c,
                             int simulated)
{
	uint32_t kinds[WEIR_CASE_KINDS];
	size_t kind_count = weir_case_kinds(profile, c, kinds), row_count;
	uint32_t *rows = block_counts(profile, c, &row_count);
	int stopped = 0;
	char id[64];

	weir_case_id(c, id, sizeof id);
	fprintf(page,
	        "<div class=\"scroll\">\n<table id=\"table_%s\">\n<thead>\n<tr><th>blocks "
	        "of<br/>%s</th>",
	        id, weir_count_figure(c->threads, "thread").text);
	for (size_t i = 0; i < kind_count; i++) {
		char reign[64];
		weir_case_reign(profile, c, kinds[i], reign, sizeof reign);
		fprintf(page, "<th>%s%s%s</th>", weir_kind_name(c->primitive, kinds[i]),
		        *reign ? "<br/>" : "", reign);
	}
	fputs("</tr>\n</thead>\n<tbody>\n", page);
	for (size_t row = 0; row < row_count; row++) {
		fprintf(page, "<tr><td>%u</td>", rows[row]);
		for (size_t i = 0; i < kind_count; i++)
			stopped |= put_rate(page, weir_case_point(profile, c, kinds[i], rows[row]),
			                    kinds[i] == weir_case_default(profile, c, rows[row]));
		fputs("</tr>\n", page);
	}
	fputs("</tbody>\n</table>\n</div>\n", page);
	if (stopped)
		fputs(simulated
		          ? "<p class=\"note\">&#8224; nothing was completed</p>\n"
		          : "<p class=\"note\">&#8224; hit the time limit: the rate of what was "
		            "completed until then</p>\n",
		      page);
	free(rows);
}
