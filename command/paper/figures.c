#include "paper/paper.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "figures/html.h"

#define MOST_PANELS (WEIR_PAPER_MACHINES + 1)

void weir_paper_device(const weir_paper_page *paper, char *text, size_t room)
{
	/* A simulated device's description says that it is simulated. */
	snprintf(text, room, "%.60s%s", weir_report_short(paper->profile),
	         paper->simulated ? "" : ", measured");
	for (char *c = text; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr(" ,.:()-+/", *c))
			*c = ' ';
}

/* One row of panels: a primitive on each machine. */
struct row {
	weir_case c; /* threads and blocks differ between machines */
	weir_panel panels[MOST_PANELS];
	char titles[MOST_PANELS][96];
	char ids[MOST_PANELS][64];
	size_t count;
};

static int has_case(const weir_profile *profile, const weir_case *wanted, weir_case *found)
{
	weir_case cases[WEIR_CASES];
	size_t count = weir_cases(profile, cases);

	for (size_t i = 0; i < count; i++)
		if (cases[i].primitive == wanted->primitive &&
		    cases[i].initial == wanted->initial) {
			*found = cases[i];
			return 1;
		}
	return 0;
}

static void add_panel(struct row *row, const weir_profile *profile, const char *name, int all)
{
	weir_panel *panel = &row->panels[row->count];
	char id[48];

	if (!has_case(profile, &row->c, &panel->c))
		return;
	weir_case_id(&row->c, id, sizeof id);
	snprintf(row->ids[row->count], sizeof row->ids[0], "%s_%s%s", name, id, all ? "_all" : "");
	panel->profile = profile;
	panel->machine = row->titles[row->count];
	panel->id = row->ids[row->count];
	panel->all = all;
	row->count++;
}

static void make_row(const weir_paper_page *paper, const weir_case *c, int all, struct row *row)
{
	*row = (struct row){.c = *c};
	for (int i = 0; i < WEIR_PAPER_MACHINES; i++) {
		snprintf(row->titles[row->count], sizeof row->titles[0], "%s, simulated",
		         paper->machines[i].title);
		add_panel(row,
		          all ? paper->machines[i].all.profile : paper->machines[i].papers.profile,
		          paper->machines[i].name, all);
	}
	if (weir_paper_has(paper->profile->device.name))
		return;
	weir_paper_device(paper, row->titles[row->count], sizeof row->titles[0]);
	add_panel(row, paper->profile, "device", all);
}

/* ---- plots and tables ---- */

/* One key for all panels of a row. */
static void write_key(FILE *page, const struct row *row)
{
	uint32_t all[WEIR_SIM_KINDS];
	size_t used = 0;

	for (uint32_t kind = 0; kind < WEIR_SIM_KINDS; kind++) {
		int shown = 0;
		for (size_t i = 0; i < row->count; i++) {
			uint32_t kinds[WEIR_CASE_KINDS];
			size_t count = weir_panel_kinds(&row->panels[i], kinds);
			for (size_t k = 0; k < count; k++)
				shown |= kinds[k] == kind;
		}
		if (shown)
			all[used++] = kind;
	}
	weir_panel_key(page, row->c.primitive, all, used);
}

static void write_plots(FILE *page, weir_paper_page *paper, const weir_case *c, int all)
{
	struct row row;

	make_row(paper, c, all, &row);
	fprintf(page, "<div class=\"%s\">\n", all ? "all" : "papers");
	write_key(page, &row);
	fputs("<div class=\"panels\">\n", page);
	for (size_t i = 0; i < row.count && !paper->no_plots; i++) {
		char *svg = weir_panel_draw(&row.panels[i]);
		if (svg)
			fprintf(page, "<div>%s</div>\n", svg);
		else
			paper->no_plots = "gnuplot did not draw all of them";
		free(svg);
	}
	fputs("</div>\n</div>\n", page);
}

static void write_tables(FILE *page, const weir_paper_page *paper, const weir_case *c)
{
	struct row papers, all;

	make_row(paper, c, 0, &papers);
	make_row(paper, c, 1, &all);
	if (!paper->no_plots)
		fputs("<details>\n<summary>The figures, at the block counts that all kinds "
		      "have: the paper&#8217;s kernels, then weir&#8217;s</summary>\n",
		      page);
	for (size_t i = 0; i < papers.count; i++)
		if (papers.panels[i].profile != paper->profile)
			weir_panel_table(page, &papers.panels[i]);
	for (size_t i = 0; i < all.count; i++)
		weir_panel_table(page, &all.panels[i]);
	if (!paper->no_plots)
		fputs("</details>\n", page);
}

static int any_stopped(const weir_paper_page *paper, const weir_case *c)
{
	struct row row;
	int any = 0;

	make_row(paper, c, 1, &row);
	for (size_t i = 0; i < row.count; i++)
		any |= weir_panel_any_stopped(&row.panels[i]);
	return any;
}

/* A switch that works without scripts: it controls what follows it in the same element. */
static void write_switch(FILE *page, const char *id)
{
	fprintf(page,
	        "<input type=\"checkbox\" class=\"switch\" id=\"all_%s\"/>\n<label "
	        "for=\"all_%s\">all of weir&#8217;s kinds, to the full scale</label>\n",
	        id, id);
}

static void write_case(FILE *page, weir_paper_page *paper, const weir_case *c)
{
	weir_case own;
	char id[64], title[64];

	weir_case_id(c, id, sizeof id);
	weir_case_title(c, title, sizeof title);
	fprintf(page, "<figure id=\"figure_%s\">\n", id);
	if (c->primitive == WEIR_PRIMITIVE_SEMAPHORE)
		fprintf(page, "<h3>%s</h3>\n", title);
	if (!paper->no_plots) {
		write_switch(page, id);
		write_plots(page, paper, c, 0);
		write_plots(page, paper, c, 1);
	}
	if (!weir_paper_has(paper->profile->device.name) && !has_case(paper->profile, c, &own))
		fputs("<p class=\"warning\">Not measured on this device.</p>\n", page);
	write_tables(page, paper, c);
	if (any_stopped(paper, c))
		fputs("<figcaption><p class=\"note\">A point with a ring, or &#8224; in a table, "
		      "hit the time limit: its rate is that of the operations completed by "
		      "then.</p></figcaption>\n",
		      page);
	fputs("</figure>\n", page);
}

void weir_paper_figure_write(FILE *page, weir_paper_page *paper, enum weir_primitive primitive)
{
	int is_semaphore = primitive == WEIR_PRIMITIVE_SEMAPHORE;

	for (int i = 0; i < (is_semaphore ? WEIR_PAPER_INITIALS : 1); i++) {
		const weir_case c = {.primitive = primitive,
		                     .initial = is_semaphore ? weir_paper_initials[i] : 0};
		write_case(page, paper, &c);
	}
}

/* ---- table 5 ---- */

/* Finds the largest number of blocks that all of the paper's kinds reach: "at scale". */
static uint32_t full_scale(const weir_profile *profile, const weir_case *c)
{
	uint32_t kinds[WEIR_CASE_KINDS];
	size_t count = weir_case_kinds(profile, c, kinds);
	uint32_t scale = 0;

	for (uint32_t blocks = c->most_blocks; blocks > 0 && !scale; blocks--) {
		scale = blocks;
		for (size_t i = 0; i < count; i++)
			if (weir_paper_has_kind(c->primitive, kinds[i]) &&
			    !weir_case_point(profile, c, kinds[i], blocks))
				scale = 0;
	}
	return scale;
}

/* The fastest kind, among the paper's only or among all; 0: none. */
static uint32_t fastest(const weir_profile *profile, const weir_case *c, uint32_t blocks, int all)
{
	const weir_comparison comparison = {.primitive = c->primitive,
	                                    .threads = c->threads,
	                                    .blocks = blocks,
	                                    .initial = c->initial};
	double best = 0;
	uint32_t kind = 0;

	for (size_t i = 0; i < profile->point_count; i++) {
		const weir_point *point = &profile->points[i];
		if (point->blocks != blocks || !weir_case_holds(c, point) ||
		    (!all && !weir_paper_has_kind(c->primitive, point->kind)))
			continue;
		double rate = weir_profile_rate(profile, &comparison, point);
		if (rate > best) {
			best = rate;
			kind = point->kind;
		}
	}
	return kind;
}

static void put_kind(FILE *page, enum weir_primitive primitive, uint32_t kind)
{
	fputs("<td class=\"text\">", page);
	weir_paper_put_kind(page, primitive, kind);
	fputs("</td>", page);
}

static void put_best(FILE *page, const weir_profile *profile, const weir_case *wanted, int all)
{
	weir_case c;
	uint32_t blocks = has_case(profile, wanted, &c) ? full_scale(profile, &c) : 0;
	uint32_t kind = blocks ? fastest(profile, &c, blocks, all) : 0;

	if (kind)
		put_kind(page, c.primitive, kind);
	else
		fputs("<td class=\"text\">&#8211;</td>", page);
}

static void put_head(FILE *page, const weir_paper_page *paper)
{
	char device[96];

	weir_paper_device(paper, device, sizeof device);
	fputs("<div class=\"scroll\">\n<table id=\"best_table\">\n<thead>\n<tr><th class=\"text\" "
	      "rowspan=\"2\"></th>",
	      page);
	for (int i = 0; i < WEIR_PAPER_MACHINES; i++)
		fprintf(page, "<th class=\"group\" colspan=\"3\">%s</th>",
		        paper->machines[i].title);
	if (!weir_paper_has(paper->profile->device.name))
		fprintf(page, "<th class=\"group wrap own\" colspan=\"2\">%s</th>", device);
	fputs("</tr>\n<tr>", page);
	for (int i = 0; i < WEIR_PAPER_MACHINES; i++)
		fputs("<th class=\"text\">the paper</th><th class=\"text\">simulated</th><th "
		      "class=\"text\">of all kinds</th>",
		      page);
	if (!weir_paper_has(paper->profile->device.name))
		fputs("<th class=\"text own\">of the paper&#8217;s kinds</th><th class=\"text "
		      "own\">of all kinds</th>",
		      page);
	weir_html_rows(page);
}

void weir_paper_best_write(FILE *page, const weir_paper_page *paper)
{
	static const struct {
		const char *title;
		weir_case c;
		uint32_t paper[WEIR_PAPER_MACHINES]; /* the paper's kind there */
	} rows[] = {
	    {"Best barrier at scale",
	     {.primitive = WEIR_PRIMITIVE_BARRIER},
	     {WEIR_BARRIER_XF, WEIR_BARRIER_XF}},
	    {"Best mutex at scale",
	     {.primitive = WEIR_PRIMITIVE_MUTEX},
	     {WEIR_MUTEX_TICKET, WEIR_MUTEX_SPIN_BACKOFF}},
	    {"Best semaphore at scale (low initial value, 1)",
	     {.primitive = WEIR_PRIMITIVE_SEMAPHORE, .initial = 1},
	     {WEIR_SEMAPHORE_SLEEPING, WEIR_SEMAPHORE_SPIN_EXCHANGE_BACKOFF}},
	    {"Best semaphore at scale (high initial value, 120)",
	     {.primitive = WEIR_PRIMITIVE_SEMAPHORE, .initial = 120},
	     {WEIR_SEMAPHORE_SLEEPING, WEIR_SEMAPHORE_SLEEPING}},
	};

	put_head(page, paper);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		fprintf(page, "<tr><td class=\"text wrap\">%s</td>", rows[i].title);
		for (int k = 0; k < WEIR_PAPER_MACHINES; k++) {
			put_kind(page, rows[i].c.primitive, rows[i].paper[k]);
			put_best(page, paper->machines[k].papers.profile, &rows[i].c, 0);
			put_best(page, paper->machines[k].all.profile, &rows[i].c, 1);
		}
		if (!weir_paper_has(paper->profile->device.name)) {
			put_best(page, paper->profile, &rows[i].c, 0);
			put_best(page, paper->profile, &rows[i].c, 1);
		}
		fputs("</tr>\n", page);
	}
	weir_html_table_end(page);
}
