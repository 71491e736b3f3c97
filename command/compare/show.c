/* What weir bench --peers prints and writes. */
#include "compare/peers.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "cli/complain.h"
#include "cli/kinds.h"
#include "cli/stop.h"
#include "measure/meter.h"
#include "measure/pattern.h"
#include "output/figure.h"
#include "output/json.h"
#include "output/progress.h"
#include "output/table.h"
#include "weir/kind.h"

/* A ratio below this counts as slower; a smaller difference may be chance. */
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
	weir_table_figure(table, "%.2fx", ratio);
}

static void add_time(weir_table *table, const weir_contender *contender)
{
	const weir_point *result = contender ? &contender->result : NULL;

	if (!result) {
		weir_table_blanks(table, 2);
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

void print_duels(FILE *text, const weir_tournament *tournament)
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

/* Rows are shapes and stores, columns the times for which blocks work. */
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

void print_ratios(FILE *text, const weir_tournament *tournament)
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

static json_t *ratios_json(const weir_tournament *tournament)
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

static const char *const role_names[] = {"default", "kind",  "peer",       "outside",
                                         "floor",   "split", "split peer", "work"};

/* Barriers and events are reported by time, the others by rate. */
static int is_timed(const weir_tournament *tournament)
{
	return tournament->primitive == WEIR_PRIMITIVE_BARRIER ||
	       tournament->primitive == WEIR_PRIMITIVE_EVENT_ARRAY;
}

static int is_split(const weir_contender *contender)
{
	return contender->role >= WEIR_ROLE_SPLIT;
}

static double ratio(const weir_contender *contender, const weir_contender *to)
{
	return contender && to ? contender->result.per_second / to->result.per_second : NAN;
}

static void add_figure(weir_table *table, int timed, const weir_point *result)
{
	if (timed)
		weir_table_cell(table, "%.3f", 1e6 / result->per_second);
	else
		weir_table_cell(table, "%s", weir_rate_figure(result->per_second).text);
}

/* The smallest and largest repeat relative to the median. */
static void add_spread(weir_table *table, int timed, const weir_point *result)
{
	double low = timed ? result->per_second / result->high : result->low / result->per_second;
	double high = timed ? result->per_second / result->low : result->high / result->per_second;

	weir_table_cell(table, "%.1f..%.1f%%", low * 100, high * 100);
}

/* What a kernel costs. Costs are comparable between kernels that differ only in the operation. */
static void add_cost_columns(weir_table *table, const weir_cost *cost)
{
	weir_table_count(table, cost->registers);
	weir_table_cell(table, "%u", cost->resident);
	weir_table_count(table, cost->code);
}

static void add_row(weir_table *table, const weir_tournament *tournament, const weir_match *match,
                    const weir_contender *contender)
{
	const weir_contender *best = weir_match_best(match, WEIR_ROLE_PEER);
	int timed = is_timed(tournament);
	int has_cost = weir_has_patterns(tournament->primitive);
	const weir_point *result = &contender->result;

	weir_table_cell(table, "%s", contender->name);
	if (contender->done == 0) {
		weir_table_blanks(table, has_cost ? timed ? 6 : 7 : timed ? 3 : 4);
		weir_table_cell(table, "%s",
		                *contender->left_out ? contender->left_out : "not measured");
		return;
	}
	add_figure(table, timed, result);
	if (has_cost && !timed)
		weir_table_cell(table, "%.2f", 1e9 / result->per_second);
	add_spread(table, timed, result);
	add_ratio(table, ratio(contender, weir_match_counterpart(match, contender)));
	if (!timed && !has_cost)
		weir_table_figure(table, "%.3f", result->jain > 0 ? result->jain : NAN);
	if (has_cost)
		add_cost_columns(table, &contender->cost);
	weir_table_cell(
	    table, "%s%s", contender == best ? "best peer" : contender->note,
	    result->timed_out ? (*contender->note || contender == best ? "; limit" : "limit") : "");
}

void weir_tournament_show_match(const weir_tournament *tournament, const weir_match *match)
{
	FILE *text = tournament->text;
	static const char *const times[] = {"<subject", "us", "spread", "ratio", "<", NULL};
	static const char *const rates[] = {"<subject", "per second", "spread", "ratio",
	                                    "Jain",     "<",          NULL};
	static const char *const events[] = {"<subject", "us",   "spread", "ratio", "registers",
	                                     "resident", "code", "<",      NULL};
	static const char *const queues[] = {"<subject",  "per second", "ns",   "spread", "ratio",
	                                     "registers", "resident",   "code", "<",      NULL};
	weir_table *table =
	    weir_table_make(tournament->primitive == WEIR_PRIMITIVE_EVENT_ARRAY ? events
	                    : weir_has_patterns(tournament->primitive)          ? queues
	                    : is_timed(tournament)                              ? times
	                                                                        : rates);
	char busy_text[96];

	if (!text || tournament->is_duel) {
		weir_table_end(table, NULL);
		return;
	}
	fprintf(text, "\n%s", weir_count_figure(match->wanted.blocks, "block").text);
	if (weir_has_patterns(match->wanted.primitive))
		fprintf(text, ", %s: %s", weir_pattern_name(match->wanted.pattern),
		        weir_pattern_find(match->wanted.pattern)->title);
	else if (match->wanted.initial)
		fprintf(text, ", initial value %u", match->wanted.initial);
	if (weir_is_busy(match->busy))
		fprintf(text, ", %s", weir_busy_text(match->busy, busy_text));
	fputc('\n', text);
	for (size_t i = 0; i < match->count; i++)
		if (!is_split(&match->contenders[i]))
			add_row(table, tournament, match, &match->contenders[i]);
	weir_table_end(table, text);
}

static void add_summary(weir_table *table, const weir_tournament *tournament,
                        const weir_match *match)
{
	const weir_contender *own = weir_match_find(match, WEIR_ROLE_DEFAULT);
	const weir_contender *kind = weir_match_best(match, WEIR_ROLE_KIND);
	const weir_contender *peer = weir_match_best(match, WEIR_ROLE_PEER);
	int timed = is_timed(tournament);

	if (!own)
		return;
	weir_table_cell(table, "%u", match->wanted.blocks);
	if (weir_has_patterns(match->wanted.primitive))
		weir_table_cell(table, "%s", weir_pattern_name(match->wanted.pattern));
	else if (match->wanted.initial)
		weir_table_cell(table, "%u", match->wanted.initial);
	weir_table_cell(table, "%s", own->name);
	add_figure(table, timed, &own->result);
	add_ratio(table, ratio(own, peer));
	weir_table_cell(table, "%s", peer ? peer->name : "-");
	if (tournament->primitive == WEIR_PRIMITIVE_BARRIER)
		add_ratio(table, weir_match_to_grid_sync(match));
	weir_table_cell(table, "%s", kind ? kind->name : "-");
	add_ratio(table, ratio(kind, peer));
}

static void print_summary(FILE *text, const weir_tournament *tournament)
{
	static const char *const barriers[] = {"blocks",       "<default",   "us",
	                                       "to best peer", "<best peer", "to grid.sync()",
	                                       "<best kind",   "its ratio",  NULL};
	static const char *const mutexes[] = {"blocks",       "<default",   "per second",
	                                      "to best peer", "<best peer", "<best kind",
	                                      "its ratio",    NULL};
	static const char *const semaphores[] = {"blocks",     "initial",      "<default",
	                                         "per second", "to best peer", "<best peer",
	                                         "<best kind", "its ratio",    NULL};
	static const char *const events[] = {"blocks",     "<pattern",     "<default",
	                                     "us",         "to best peer", "<best peer",
	                                     "<best kind", "its ratio",    NULL};
	static const char *const queues[] = {"blocks",     "<pattern",     "<default",
	                                     "per second", "to best peer", "<best peer",
	                                     "<best kind", "its ratio",    NULL};
	weir_table *table =
	    weir_table_make(tournament->primitive == WEIR_PRIMITIVE_BARRIER       ? barriers
	                    : tournament->primitive == WEIR_PRIMITIVE_MUTEX       ? mutexes
	                    : tournament->primitive >= WEIR_PRIMITIVE_QUEUE       ? queues
	                    : tournament->primitive == WEIR_PRIMITIVE_EVENT_ARRAY ? events
	                                                                          : semaphores);

	fputs("\nThe default against the best peer (above 1: faster)\n", text);
	for (size_t i = 0; i < tournament->count; i++)
		add_summary(table, tournament, &tournament->matches[i]);
	weir_table_end(table, text);
}

static void print_split(FILE *text, const weir_tournament *tournament)
{
	static const char *const columns[] = {"blocks",   "work us",   "<subject", "us on top",
	                                      "<subject", "us on top", NULL};
	weir_table *table = weir_table_make(columns);

	fputs("\nSplit barriers: arrive, then work in every thread, then wait\n", text);
	for (size_t i = 0; i < tournament->count; i++) {
		const weir_match *match = &tournament->matches[i];
		const weir_contender *work = weir_match_find(match, WEIR_ROLE_WORK);
		const weir_contender *own = weir_match_find(match, WEIR_ROLE_SPLIT);
		const weir_contender *peer = weir_match_find(match, WEIR_ROLE_SPLIT_PEER);
		if (weir_is_busy(match->busy))
			continue;
		weir_table_cell(table, "%u", match->wanted.blocks);
		weir_table_figure(table, "%.3f", work ? 1e6 / work->result.per_second : NAN);
		weir_table_cell(table, "%s", own ? own->name : "-");
		weir_table_figure(table, "%.3f", weir_split_cost_us(match, own));
		weir_table_cell(table, "%s", peer ? peer->name : "-");
		weir_table_figure(table, "%.3f", weir_split_cost_us(match, peer));
	}
	weir_table_end(table, text);
}

void weir_tournament_show_head(const weir_tournament *tournament)
{
	FILE *text = tournament->text;
	const weir_device_info *info = &tournament->meter->info;
	const weir_sweep *sweep = &tournament->sweep;

	if (!text)
		return;
	fprintf(text, "%s: %s, %s\n", info->name, info->description, info->driver);
	fprintf(text, "defaults from %s\n%s", weir_device_defaults_from(tournament->meter->device),
	        weir_primitive_id(tournament->primitive));
	if (tournament->threads.count == 1)
		fprintf(text, ", %s a block",
		        weir_count_figure(tournament->threads.values[0], "thread").text);
	if (!tournament->is_duel && !weir_has_patterns(tournament->primitive))
		fprintf(text, ", %s of work", weir_count_figure(sweep->work, "word").text);
	fprintf(text, ", medians of %s in turns, at %s\n",
	        weir_count_figure(sweep->repeats, "repeat").text,
	        weir_count_figure(tournament->meter->place_count, "place").text);
	fprintf(text, "%s\n", weir_count_figure(tournament->planned, "comparison").text);
	fflush(text);
}

/* Whether a match has blocks that do nothing before a barrier: only those include split
 * barriers. */
static int has_idle(const weir_tournament *tournament)
{
	for (size_t i = 0; i < tournament->count; i++)
		if (!weir_is_busy(tournament->matches[i].busy))
			return 1;
	return 0;
}

static void print_comparison(FILE *text, const weir_tournament *tournament)
{
	if (tournament->is_duel)
		print_duels(text, tournament);
	weir_progress_say_stopped(text);
	if (weir_stop_asked())
		return;
	if (weir_busy_asked(&tournament->busy))
		print_ratios(text, tournament);
	else
		print_summary(text, tournament);
	if (tournament->primitive == WEIR_PRIMITIVE_BARRIER && !tournament->is_duel &&
	    has_idle(tournament))
		print_split(text, tournament);
}

static void set_real(json_t *object, const char *name, double value)
{
	if (!isnan(value))
		json_object_set_new(object, name, weir_need(json_real(value)));
}

/* 0: unknown. */
static void set_count(json_t *object, const char *name, uint64_t value)
{
	if (value)
		json_object_set_new(object, name, weir_need(json_integer((json_int_t)value)));
}

static json_t *json_runs(const weir_contender *contender)
{
	json_t *runs = weir_need(json_array());

	for (uint32_t i = 0; i < contender->done; i++)
		json_array_append_new(runs,
		                      weir_need(json_real(contender->outcomes[i].per_second)));
	return runs;
}

static json_t *json_settings(enum weir_primitive primitive, const weir_any_config *config)
{
	json_t *object = weir_need(
	    json_pack("{s:s, s:{s:I, s:I}}", "kind", weir_kind_name(primitive, config->object.kind),
	              "backoff", "min", (json_int_t)config->object.backoff.min, "max",
	              (json_int_t)config->object.backoff.max));

	if (primitive == WEIR_PRIMITIVE_BARRIER)
		json_object_set_new(
		    object, "shape",
		    weir_need(json_pack("{s:I}", "bits", (json_int_t)config->barrier.shape.bits)));
	return object;
}

static json_t *json_contender(const weir_match *match, const weir_contender *contender)
{
	const weir_point *result = &contender->result;
	json_t *object = weir_need(
	    json_pack("{s:s, s:s, s:s, s:s, s:I, s:I, s:I}", "subject", contender->name, "role",
	              role_names[contender->role], "note", contender->note, "left_out",
	              contender->left_out, "blocks", (json_int_t)result->blocks, "rounds",
	              (json_int_t)result->rounds, "repeats", (json_int_t)contender->done));

	set_count(object, "registers", contender->cost.registers);
	set_count(object, "resident_blocks", contender->cost.resident);
	set_count(object, "code_bytes", contender->cost.code);
	if (contender->config.object.kind)
		json_object_set_new(object, "settings",
		                    json_settings(result->primitive, &contender->config));
	if (contender->done == 0)
		return object;
	set_real(object, "per_second", result->per_second);
	set_real(object, "us", 1e6 / result->per_second);
	set_real(object, "low", result->low);
	set_real(object, "high", result->high);
	set_real(object, "jain", result->jain > 0 ? result->jain : NAN);
	set_real(object, "worst_share", result->jain > 0 ? result->worst_share : NAN);
	set_real(object, "ratio",
	         is_split(contender) ? NAN
	                             : ratio(contender, weir_match_counterpart(match, contender)));
	if (contender->role != WEIR_ROLE_WORK && is_split(contender))
		set_real(object, "us_on_top", weir_split_cost_us(match, contender));
	json_object_set_new(object, "timed_out", json_boolean(result->timed_out));
	json_object_set_new(object, "runs", json_runs(contender));
	return object;
}

static json_t *json_match(const weir_match *match)
{
	const weir_contender *own = weir_match_find(match, WEIR_ROLE_DEFAULT);
	const weir_contender *peer = weir_match_best(match, WEIR_ROLE_PEER);
	/* For a pattern this is its number, as in the files. */
	uint32_t initial = match->wanted.pattern ? match->wanted.pattern : match->wanted.initial;
	json_t *subjects = weir_need(json_array());
	json_t *object = weir_need(json_pack(
	    "{s:I, s:I, s:I, s:I, s:I, s:I, s:s}", "blocks", (json_int_t)match->wanted.blocks,
	    "threads", (json_int_t)match->wanted.threads, "work", (json_int_t)match->wanted.work,
	    "initial", (json_int_t)initial, "stores", (json_int_t)match->busy.stores, "uneven_us",
	    (json_int_t)match->busy.uneven_us, "best_peer", peer ? peer->name : ""));

	if (weir_has_patterns(match->wanted.primitive))
		json_object_set_new(
		    object, "pattern",
		    weir_need(json_string(weir_pattern_name(match->wanted.pattern))));
	set_real(object, "default_to_best_peer", ratio(own, peer));
	set_real(object, "default_to_grid_sync", weir_match_to_grid_sync(match));
	for (size_t i = 0; i < match->count; i++)
		json_array_append_new(subjects, json_contender(match, &match->contenders[i]));
	json_object_set_new(object, "subjects", subjects);
	return object;
}

int weir_tournament_show(const weir_tournament *tournament, const weir_common *common,
                         const char *command_line, int complete)
{
	FILE *text = tournament->text;
	json_t *json = weir_output_document("bench --peers");
	json_t *matches = weir_need(json_array());
	json_t *ratios = ratios_json(tournament);

	if (text)
		print_comparison(text, tournament);
	for (size_t i = 0; i < tournament->count; i++)
		json_array_append_new(matches, json_match(&tournament->matches[i]));
	json_object_set_new(json, "device", weir_output_device(&tournament->meter->info));
	json_object_set_new(json, "command_line", weir_need(json_string(command_line)));
	json_object_set_new(
	    json, "defaults_from",
	    weir_need(json_string(weir_device_defaults_from(tournament->meter->device))));
	json_object_set_new(json, "primitive",
	                    weir_need(json_string(weir_primitive_id(tournament->primitive))));
	json_object_set_new(json, "matches", matches);
	if (ratios)
		json_object_set_new(json, "to_grid_sync", ratios);
	json_object_set_new(json, "complete", json_boolean(complete));
	return weir_write_json(common->json, json);
}
