/* The default against grid.sync(). */
#include "peers/summary.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/complain.h"
#include "measure/meter.h"
#include "output/figure.h"
#include "output/table.h"
#include "peers/contender.h"
#include "peers/match.h"
#include "peers/tournament.h"
#include "sweep/busy.h"
#include "weir/profile.h"

/* A case counts as slower from here on: less may be chance. */
#define SLOWER 0.99

/* The ratios of all matches that have one. */
struct ratios {
	size_t cases;
	double least;
	const weir_match *least_at;
	double mean; /* geometric */
	size_t below_1;
	size_t slower;
};

static struct ratios compare(const weir_tournament *tournament)
{
	struct ratios all = {0};
	double logarithms = 0;

	for (size_t i = 0; i < tournament->count; i++) {
		double ratio = weir_match_to_grid_sync(&tournament->matches[i]);
		if (isnan(ratio))
			continue;
		if (all.cases == 0 || ratio < all.least) {
			all.least = ratio;
			all.least_at = &tournament->matches[i];
		}
		all.cases++;
		logarithms += log(ratio);
		all.below_1 += ratio < 1;
		all.slower += ratio < SLOWER;
	}
	all.mean = all.cases ? exp(logarithms / (double)all.cases) : 0;
	return all;
}

static int is_same(weir_busy a, weir_busy b)
{
	return a.stores == b.stores && a.uneven_us == b.uneven_us;
}

static void add_ratio(weir_table *table, double ratio)
{
	if (isnan(ratio))
		weir_table_cell(table, "-");
	else
		weir_table_cell(table, "%.2fx", ratio);
}

static void add_time(weir_table *table, const weir_contender *contender)
{
	const weir_point *result = contender ? &contender->result : NULL;

	if (!result) {
		weir_table_cell(table, "-");
		weir_table_cell(table, "-");
		return;
	}
	weir_table_cell(table, "%.3f", 1e6 / result->per_second);
	weir_table_cell(table, "%.1f..%.1f%%", result->per_second / result->high * 100,
	                result->per_second / result->low * 100);
}

/* Why a contender of the match has no result, or "". */
static const char *left_out(const weir_match *match)
{
	for (size_t i = 0; i < match->count; i++)
		if (*match->contenders[i].left_out)
			return match->contenders[i].left_out;
	return "";
}

void weir_duels_print(FILE *text, const weir_tournament *tournament)
{
	static const char *const columns[] = {
	    "blocks",         "threads", "<default", "us", "spread",
	    "grid.sync() us", "spread",  "ratio",    "<",  NULL};
	char busy_text[96];

	for (size_t i = 0; i < tournament->count;) {
		weir_busy busy = tournament->matches[i].busy;
		weir_table *table = weir_table_make(columns);
		fprintf(text, "\n%s\n", weir_busy_text(busy, busy_text));
		for (; i < tournament->count && is_same(tournament->matches[i].busy, busy); i++) {
			const weir_match *match = &tournament->matches[i];
			const weir_contender *own = weir_match_find(match, WEIR_ROLE_DEFAULT);
			weir_table_cell(table, "%u", match->wanted.blocks);
			weir_table_cell(table, "%u", match->wanted.threads);
			weir_table_cell(table, "%s", own ? own->name : "-");
			add_time(table, own);
			add_time(table, weir_match_grid_sync(match));
			add_ratio(table, weir_match_to_grid_sync(match));
			weir_table_cell(table, "%s", left_out(match));
		}
		weir_table_end(table, text);
	}
}

static double ratio_at(const weir_tournament *tournament, const weir_point *shape, weir_busy busy)
{
	for (size_t i = 0; i < tournament->count; i++) {
		const weir_match *match = &tournament->matches[i];
		if (match->wanted.blocks == shape->blocks &&
		    match->wanted.threads == shape->threads && is_same(match->busy, busy))
			return weir_match_to_grid_sync(match);
	}
	return NAN;
}

/* Rows are shapes and stores, columns the times that blocks work. */
static void print_table(FILE *text, const weir_tournament *tournament)
{
	static const weir_counts zero = {{0}, 1};
	const weir_counts *unevens =
	    tournament->busy.unevens.count ? &tournament->busy.unevens : &zero;
	const char *columns[4 + sizeof zero.values / sizeof zero.values[0]] = {"blocks", "threads",
	                                                                       "stores"};
	char titles[sizeof zero.values / sizeof zero.values[0]][16];

	for (uint32_t i = 0; i < unevens->count; i++) {
		snprintf(titles[i], sizeof titles[i], "%u us", unevens->values[i]);
		columns[3 + i] = titles[i];
	}
	weir_table *table = weir_table_make(columns);
	for (size_t i = 0; i < tournament->planned; i++) {
		const weir_match *match = &tournament->matches[i];
		if (match->busy.uneven_us != unevens->values[0])
			continue;
		weir_table_cell(table, "%u", match->wanted.blocks);
		weir_table_cell(table, "%u", match->wanted.threads);
		weir_table_cell(table, "%u", match->busy.stores);
		for (uint32_t j = 0; j < unevens->count; j++) {
			weir_busy busy = {match->busy.stores, unevens->values[j]};
			add_ratio(table, ratio_at(tournament, &match->wanted, busy));
		}
	}
	weir_table_end(table, text);
}

void weir_ratios_print(FILE *text, const weir_tournament *tournament)
{
	struct ratios all = compare(tournament);
	char busy_text[96];

	fputs("\nThe default against grid.sync() (above 1: faster), by what blocks do before a "
	      "barrier\n",
	      text);
	print_table(text, tournament);
	if (all.cases == 0)
		return;
	fprintf(text,
	        "\n%s: geometric mean %.3f, %zu below 1.00, %zu below %.2f\n"
	        "least %.3f: %s of %s, %s\n",
	        weir_count_figure(all.cases, "case").text, all.mean, all.below_1, all.slower,
	        SLOWER, all.least, weir_count_figure(all.least_at->wanted.blocks, "block").text,
	        weir_count_figure(all.least_at->wanted.threads, "thread").text,
	        weir_busy_text(all.least_at->busy, busy_text));
}

json_t *weir_ratios_json(const weir_tournament *tournament)
{
	struct ratios all = compare(tournament);

	if (all.cases == 0)
		return NULL;
	return weir_need(json_pack("{s:I, s:f, s:I, s:I, s:f, s:{s:I, s:I, s:I, s:I}}", "cases",
	                           (json_int_t)all.cases, "geometric_mean", all.mean, "below_1",
	                           (json_int_t)all.below_1, "below_0.99", (json_int_t)all.slower,
	                           "least", all.least, "least_at", "blocks",
	                           (json_int_t)all.least_at->wanted.blocks, "threads",
	                           (json_int_t)all.least_at->wanted.threads, "stores",
	                           (json_int_t)all.least_at->busy.stores, "uneven_us",
	                           (json_int_t)all.least_at->busy.uneven_us));
}
