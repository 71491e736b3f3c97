/* Predictions for a profile, compared with the benchmarks that it contains. */
#include "predict/predict.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/complain.h"
#include "cli/kinds.h"
#include "cli/options.h"
#include "cli/stop.h"
#include "figures/case.h"
#include "output/json.h"
#include "output/progress.h"
#include "output/table.h"
#include "src/sim/sim.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

/* A predicted winner whose measured rate is this close to the real winner's counts as good. */
#define GOOD_ENOUGH 0.9

typedef struct comparison {
	const weir_profile *profile;
	weir_sim_machine machine;
	weir_progress progress;
	double *factors; /* between predicted and measured, for all points so far */
	size_t factor_count;
	int untuned;
} comparison;

/* A case at its full scale. */
typedef struct outcome {
	uint32_t predicted;
	uint32_t measured;
	double share; /* the predicted winner's measured throughput, relative to the measured
	               * winner's */
	double correlation;
	double factor; /* the median over all block counts */
} outcome;

static int by_value(const void *left, const void *right)
{
	double a = *(const double *)left;
	double b = *(const double *)right;
	return (a > b) - (a < b);
}

static double median(double *values, size_t count)
{
	if (count == 0)
		return 0;
	qsort(values, count, sizeof *values, by_value);
	return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* Ties have the mean of their ranks. */
static double rank(const double *values, size_t count, size_t of)
{
	double below = 0;
	double same = 0;

	for (size_t i = 0; i < count; i++) {
		below += values[i] < values[of];
		same += values[i] == values[of];
	}
	return below + (same + 1) / 2;
}

/* Spearman's; 0 if one side has no order. */
static double correlate(const double *a, const double *b, size_t count)
{
	double mean = ((double)count + 1) / 2;
	double ab = 0;
	double aa = 0;
	double bb = 0;

	for (size_t i = 0; i < count; i++) {
		double x = rank(a, count, i) - mean;
		double y = rank(b, count, i) - mean;
		ab += x * y;
		aa += x * x;
		bb += y * y;
	}
	return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}

/* The rate with the backoff that a search found for exactly this point, if there was one, because
 * the predictions are tuned as well. */
static double measured_rate(const comparison *c, const weir_point *point)
{
	double rate = point->per_second;

	for (size_t i = 0; i < c->profile->tuning_count && !c->untuned; i++) {
		const weir_tuning *tuning = &c->profile->tunings[i];
		if (tuning->primitive == point->primitive && tuning->kind == point->kind &&
		    tuning->initial == point->initial && tuning->blocks == point->blocks &&
		    tuning->threads == point->threads && tuning->tuned_per_second > rate)
			rate = tuning->tuned_per_second;
	}
	return rate;
}

static weir_status compare_points(comparison *c, const weir_case *of, double *factor)
{
	double *first = &c->factors[c->factor_count];
	size_t begin = c->factor_count;

	for (size_t i = 0; i < c->profile->point_count && !weir_stop_asked(); i++) {
		const weir_point *point = &c->profile->points[i];
		double rate;
		if (!weir_case_holds(of, point))
			continue;
		weir_status status = weir_sim_rate(&c->machine, weir_sim_use_of(point), &rate);
		if (status != WEIR_OK)
			return status;
		double measured = measured_rate(c, point);
		if (rate > 0 && measured > 0)
			c->factors[c->factor_count++] = fmax(rate / measured, measured / rate);
	}
	*factor = median(first, c->factor_count - begin);
	return WEIR_OK;
}

/* A kind, with all blocks using it. */
static weir_sim_use use_of(const weir_case *c, uint32_t kind)
{
	return (weir_sim_use){c->primitive, kind, c->most_blocks, c->initial, c->pattern};
}

static weir_status compare_case(comparison *c, const weir_case *of, outcome *out)
{
	uint32_t kinds[WEIR_CASE_KINDS];
	double predicted[WEIR_CASE_KINDS] = {0};
	double measured[WEIR_CASE_KINDS] = {0};
	size_t count = weir_case_kinds(c->profile, of, kinds);
	size_t best_predicted = 0;
	size_t best_measured = 0;

	for (size_t i = 0; i < count; i++) {
		const weir_point *point =
		    weir_case_point(c->profile, of, kinds[i], of->most_blocks);
		weir_status status =
		    weir_sim_rate(&c->machine, use_of(of, kinds[i]), &predicted[i]);
		if (status != WEIR_OK)
			return status;
		measured[i] = point ? measured_rate(c, point) : 0;
		best_predicted = predicted[i] > predicted[best_predicted] ? i : best_predicted;
		best_measured = measured[i] > measured[best_measured] ? i : best_measured;
	}
	out->predicted = kinds[best_predicted];
	out->measured = kinds[best_measured];
	out->share =
	    measured[best_measured] > 0 ? measured[best_predicted] / measured[best_measured] : 0;
	out->correlation = correlate(predicted, measured, count);
	return compare_points(c, of, &out->factor);
}

static void add_row(weir_table *table, json_t *rows, const weir_case *of, const outcome *out)
{
	char title[64];
	const char *predicted = weir_kind_name(of->primitive, out->predicted);
	const char *measured = weir_kind_name(of->primitive, out->measured);
	int right = out->share >= GOOD_ENOUGH;
	/* For a pattern this is its number, as in the files. */
	uint32_t initial = of->pattern ? of->pattern : of->initial;

	weir_case_title(of, title, sizeof title);
	weir_table_cells(table, "%s\t%u\t%s\t%s\t%.2f\t%s\t%.2f\t%.2f", title, of->most_blocks,
	                 predicted, measured, out->share, right ? "right" : "wrong",
	                 out->correlation, out->factor);
	json_array_append_new(
	    rows, weir_need(json_pack("{s:s, s:I, s:I, s:s, s:s, s:f, s:b, s:f, s:f}", "primitive",
	                              weir_primitive_name(of->primitive), "initial",
	                              (json_int_t)initial, "blocks", (json_int_t)of->most_blocks,
	                              "predicted", predicted, "measured", measured, "share",
	                              out->share, "right", right, "rank_correlation",
	                              out->correlation, "median_factor", out->factor)));
}

/* The amount of work in the questions that compare_case and compare_points ask. */
static double work(const comparison *c, const weir_case *cases, size_t count)
{
	double sum = 0;
	double rate;
	weir_sim_machine plan = weir_sim_plan(&c->machine, weir_predict_sum(&sum));

	for (size_t i = 0; i < count; i++) {
		uint32_t kinds[WEIR_CASE_KINDS];
		size_t kind_count = weir_case_kinds(c->profile, &cases[i], kinds);
		for (size_t k = 0; k < kind_count; k++)
			weir_sim_rate(&plan, use_of(&cases[i], kinds[k]), &rate);
		for (size_t k = 0; k < c->profile->point_count; k++) {
			const weir_point *point = &c->profile->points[k];
			if (weir_case_holds(&cases[i], point))
				weir_sim_rate(&plan, weir_sim_use_of(point), &rate);
		}
	}
	return sum;
}

/* As wide as any row that will be added. */
static void add_widest(weir_table *table, const weir_case *cases, size_t count)
{
	char title[64];

	for (size_t i = 0; i < count; i++) {
		weir_case_title(&cases[i], title, sizeof title);
		weir_table_cells(table,
		                 "%s\t%u\tspin_exchange_backoff\tspin_exchange_backoff\t0.00\t"
		                 "right\t-0.00\t0.00",
		                 title, cases[i].most_blocks);
	}
}

static int compare(comparison *c, const weir_predict_request *request)
{
	static const char *const columns[] = {"<case",       "blocks",        "<predicted",
	                                      "<measured",   "its share",     "<",
	                                      "correlation", "median factor", NULL};
	FILE *stream = weir_text_stream(&request->common);
	weir_case cases[WEIR_CASES];
	size_t count = weir_cases(c->profile, cases);
	weir_table *table = weir_table_make(columns);
	json_t *rows = weir_need(json_array());
	weir_status status = WEIR_OK;

	add_widest(table, cases, count);
	weir_table_flow(table, stream);
	weir_progress_begin(&c->progress, "predicting", "", work(c, cases, count));
	c->machine.watch = weir_predict_watch(&c->progress);
	for (size_t i = 0; i < count && status == WEIR_OK && !weir_stop_asked(); i++) {
		outcome out = {0};
		status = compare_case(c, &cases[i], &out);
		if (status != WEIR_OK || weir_stop_asked())
			break;
		weir_progress_hide(&c->progress);
		add_row(table, rows, &cases[i], &out);
	}
	weir_progress_end(&c->progress);
	status = weir_predict_unless_stopped(status);
	weir_table_end(table, status == WEIR_OK ? stream : NULL);
	if (status != WEIR_OK) {
		json_decref(rows);
		return weir_predict_failed(status);
	}
	double factor = median(c->factors, c->factor_count);
	weir_progress_say_stopped(stream);
	if (stream && !weir_stop_asked())
		fprintf(stream, "\nmedian factor between predicted and measured: %.2f, of %zu\n",
		        factor, c->factor_count);
	json_t *json = weir_output_document("predict");
	json_object_set_new(json, "profile", json_string(c->profile->name));
	json_object_set_new(json, "cases", rows);
	json_object_set_new(json, "median_factor", json_real(factor));
	return weir_finish_json(request->common.json, json);
}

/* Instead of what the tuner would find: the bounds with which the points of a profile were
 * measured. */
static void leave_untuned(weir_sim_machine *machine)
{
	for (int primitive = 0; primitive < WEIR_SIM_PRIMITIVES; primitive++)
		for (uint32_t kind = 0; kind < WEIR_SIM_KINDS; kind++) {
			const weir_kind *row = weir_kind_find((enum weir_primitive)primitive, kind);
			machine->tuned[primitive][kind].known = 1;
			machine->tuned[primitive][kind].backoff =
			    row ? weir_untuned_backoff(row) : weir_no_backoff();
		}
}

int weir_predict_against(const weir_predict_request *request, const weir_profile *profile,
                         weir_sim_machine *machine)
{
	comparison c = {.profile = profile, .machine = *machine, .untuned = request->untuned};

	if (profile->point_count == 0)
		return weir_refuse("profile %s has no benchmarks", request->against);
	if (request->untuned)
		leave_untuned(&c.machine);
	c.factors = weir_need(calloc(profile->point_count + 1, sizeof *c.factors));
	int status = compare(&c, request);
	free(c.factors);
	return status;
}
