/* The predicted throughput of every kind over block counts. */
#include "predict/predict.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/kinds.h"
#include "cli/options.h"
#include "cli/parse.h"
#include "cli/stop.h"
#include "measure/pattern.h"
#include "output/figure.h"
#include "output/json.h"
#include "output/progress.h"
#include "output/table.h"
#include "src/sim/sim.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

typedef struct prediction {
	const weir_predict_request *request;
	weir_sim_machine *machine;
	weir_sim_machine *without; /* without the requested change; NULL: none was requested */
	weir_counts blocks;
	weir_progress progress;
	FILE *stream;
	json_t *points;
	json_t *winners;
} prediction;

/* Evenly spaced by ratio, up to the number that fits. */
static weir_counts default_blocks(uint32_t most)
{
	const int steps = 11;
	weir_counts blocks = {0};

	for (int i = 0; i <= steps; i++) {
		uint32_t count = (uint32_t)lround(pow(most, (double)i / steps));
		if (blocks.count == 0 || blocks.values[blocks.count - 1] < count)
			blocks.values[blocks.count++] = count;
	}
	return blocks;
}

/* A semaphore's initial value, or the pattern. */
static void set_case(json_t *object, const weir_point *at)
{
	if (at->primitive == WEIR_PRIMITIVE_SEMAPHORE)
		json_object_set_new(object, "initial", json_integer(at->initial));
	if (weir_has_patterns(at->primitive))
		json_object_set_new(object, "pattern", json_string(weir_pattern_name(at->pattern)));
}

static void add_point(prediction *p, const weir_point *at, double rate, const double *without)
{
	json_t *point = weir_need(json_object());

	json_object_set_new(point, "primitive", json_string(weir_primitive_id(at->primitive)));
	json_object_set_new(point, "kind", json_string(weir_kind_name(at->primitive, at->kind)));
	set_case(point, at);
	json_object_set_new(point, "blocks", json_integer(at->blocks));
	json_object_set_new(point, "per_second", json_real(rate));
	if (without)
		json_object_set_new(point, "without", json_real(*without));
	json_array_append_new(p->points, point);
}

/* The winner of a row, and its lead over the next. */
static void add_winner(prediction *p, weir_table *table, const weir_point *at, uint32_t best,
                       const double *rates)
{
	enum weir_primitive primitive = at->primitive;
	json_t *winner = weir_need(json_object());
	double second = 0;

	for (uint32_t i = 0; i < WEIR_SIM_KINDS; i++)
		if (i != best && rates[i] > second &&
		    weir_sim_competes(p->machine, primitive, weir_kind_find(primitive, i)))
			second = rates[i];
	double margin = second > 0 ? rates[best] / second : 0;
	weir_table_cell(table, "%s", best ? weir_kind_name(primitive, best) : "none");
	weir_table_cell(table, margin > 0 ? "%.2f" : "-", margin);
	json_object_set_new(winner, "primitive", json_string(weir_primitive_id(primitive)));
	set_case(winner, at);
	json_object_set_new(winner, "blocks", json_integer(at->blocks));
	json_object_set_new(winner, "kind",
	                    best ? json_string(weir_kind_name(primitive, best)) : json_null());
	json_object_set_new(winner, "margin", margin > 0 ? json_real(margin) : json_null());
	json_array_append_new(p->winners, winner);
}

/* A table keeps the array of its titles. */
typedef const char *titles[WEIR_SIM_KINDS + 4];

static weir_table *make_table(enum weir_primitive primitive, const weir_counts *kinds,
                              const char *winner, const char *last, titles columns)
{
	uint32_t used = 0;

	columns[used++] = "blocks";
	for (uint32_t i = 0; i < kinds->count && i < WEIR_SIM_KINDS; i++)
		columns[used++] = weir_kind_name(primitive, kinds->values[i]);
	columns[used++] = winner;
	columns[used++] = last;
	columns[used] = NULL;
	return weir_table_make(columns);
}

static weir_counts kinds_of(const prediction *p, enum weir_primitive primitive)
{
	return p->request->kinds.count ? p->request->kinds : weir_all_kinds(primitive);
}

/* The rates of the requested kinds, and the fastest competing kind; 0 if none completes anything.
 * `at` has everything except the kind. */
static weir_status rate_kinds(const prediction *p, weir_sim_machine *machine, weir_point at,
                              uint32_t *best, double *rates)
{
	weir_counts kinds = kinds_of(p, at.primitive);
	double fastest = 0;

	*best = 0;
	memset(rates, 0, WEIR_SIM_KINDS * sizeof *rates);
	for (uint32_t i = 0; i < kinds.count; i++) {
		at.kind = kinds.values[i];
		if (!weir_point_fits(&at, WEIR_MACHINE_CUDA))
			continue;
		weir_status status = weir_sim_rate(machine, weir_sim_use_of(&at), &rates[at.kind]);
		if (status != WEIR_OK)
			return status;
		if (rates[at.kind] > fastest &&
		    weir_sim_competes(machine, at.primitive,
		                      weir_kind_find(at.primitive, at.kind))) {
			fastest = rates[at.kind];
			*best = at.kind;
		}
	}
	return WEIR_OK;
}

/* A row of the effect of a change: each kind's rate relative to that without the change. */
static weir_status add_effect(const prediction *p, weir_table *effect, const weir_point *at,
                              const double *rates, double *without)
{
	weir_counts kinds = kinds_of(p, at->primitive);
	uint32_t best;
	weir_status status = rate_kinds(p, p->without, *at, &best, without);

	if (status != WEIR_OK)
		return status;
	weir_table_cell(effect, "%u", at->blocks);
	for (uint32_t i = 0; i < kinds.count; i++) {
		double before = without[kinds.values[i]];
		weir_table_cell(effect, before > 0 ? "%.2f" : "-", rates[kinds.values[i]] / before);
	}
	weir_table_cell(effect, "%s", best ? weir_kind_name(at->primitive, best) : "none");
	return WEIR_OK;
}

static weir_status predict_row(prediction *p, weir_point at, weir_table *table, weir_table *effect)
{
	weir_counts kinds = kinds_of(p, at.primitive);
	double rates[WEIR_SIM_KINDS];
	double without[WEIR_SIM_KINDS];
	uint32_t best;
	weir_status status = rate_kinds(p, p->machine, at, &best, rates);

	if (status == WEIR_OK && p->without)
		status = add_effect(p, effect, &at, rates, without);
	if (status != WEIR_OK)
		return status;
	weir_table_cell(table, "%u", at.blocks);
	for (uint32_t i = 0; i < kinds.count; i++) {
		at.kind = kinds.values[i];
		if (!weir_point_fits(&at, WEIR_MACHINE_CUDA)) {
			weir_table_cell(table, "-");
			continue;
		}
		weir_table_cell(table, "%s", weir_rate_figure(rates[at.kind]).text);
		add_point(p, &at, rates[at.kind], p->without ? &without[at.kind] : NULL);
	}
	add_winner(p, table, &at, best, rates);
	return WEIR_OK;
}

static void print_title(const prediction *p, const weir_point *at, const char *what)
{
	if (p->stream && at->primitive == WEIR_PRIMITIVE_SEMAPHORE)
		fprintf(p->stream, "\nsemaphore, initial value %u, %s\n", at->initial, what);
	else if (p->stream && weir_has_patterns(at->primitive))
		fprintf(p->stream, "\n%s, %s, %s\n", weir_primitive_id(at->primitive),
		        weir_pattern_find(at->pattern)->title, what);
	else if (p->stream)
		fprintf(p->stream, "\n%s, %s\n", weir_primitive_id(at->primitive), what);
}

/* Where the kinds are compared: a primitive, with this initial value or pattern. */
static weir_point place(const prediction *p, enum weir_primitive primitive, uint32_t value,
                        uint32_t blocks)
{
	weir_point at = {.primitive = primitive, .blocks = blocks, .threads = p->machine->threads};

	weir_point_vary(&at, value);
	return at;
}

static weir_status predict_case(prediction *p, enum weir_primitive primitive, uint32_t value)
{
	const weir_point any = place(p, primitive, value, 0);
	weir_counts kinds = kinds_of(p, primitive);
	titles columns;
	titles effects;
	weir_table *table = make_table(primitive, &kinds, "<winner", "times the next", columns);
	weir_table *effect = make_table(primitive, &kinds, "<winner without it", NULL, effects);
	weir_status status = WEIR_OK;

	for (uint32_t b = 0; b < p->blocks.count && status == WEIR_OK && !weir_stop_asked(); b++)
		status =
		    predict_row(p, place(p, primitive, value, p->blocks.values[b]), table, effect);
	int is_empty = weir_table_is_empty(table);
	if (!is_empty)
		print_title(p, &any, "operations per second");
	weir_table_end(table, p->stream);
	if (p->stream && !is_empty)
		weir_print_roles(p->stream, primitive, &kinds);
	if (p->without && !is_empty)
		print_title(p, &any, "times the rate without the change");
	weir_table_end(effect, p->without ? p->stream : NULL);
	return weir_predict_unless_stopped(status);
}

/* Waits for events and in queues do not pause. */
static int has_bounds(enum weir_primitive primitive, const weir_kind *kind)
{
	return kind && kind->pause != WEIR_PAUSE_NONE && !weir_has_patterns(primitive);
}

static json_t *tunings(const prediction *p, enum weir_primitive primitive)
{
	weir_counts kinds = kinds_of(p, primitive);
	json_t *all = weir_need(json_object());

	for (uint32_t i = 0; i < kinds.count; i++) {
		const weir_kind *kind = weir_kind_find(primitive, kinds.values[i]);
		weir_backoff backoff;
		if (has_bounds(primitive, kind) &&
		    weir_sim_tune(p->machine, primitive, kind->value, &backoff) == WEIR_OK)
			json_object_set_new(
			    all, kind->name,
			    weir_need(json_pack("{s:I, s:I}", "min", (json_int_t)backoff.min, "max",
			                        (json_int_t)backoff.max)));
	}
	return all;
}

static void print_tuning(prediction *p, enum weir_primitive primitive)
{
	weir_counts kinds = kinds_of(p, primitive);

	for (uint32_t i = 0; p->stream && i < kinds.count; i++) {
		const weir_kind *kind = weir_kind_find(primitive, kinds.values[i]);
		weir_backoff backoff;
		if (!has_bounds(primitive, kind) ||
		    weir_sim_tune(p->machine, primitive, kind->value, &backoff) != WEIR_OK)
			continue;
		if (backoff.max == 0)
			fprintf(p->stream, "%s polls without a pause\n", kind->name);
		else
			fprintf(p->stream, "%s backs off %u to %s\n", kind->name, backoff.min,
			        weir_count_figure(backoff.max, "unit").text);
	}
}

/* The initial values of semaphores, or the patterns; otherwise a single 0. */
static weir_counts initials_of(const prediction *p, enum weir_primitive primitive)
{
	static const weir_counts none = {{0}, 1};
	static const weir_counts usual = {{1, 2, 10, 120}, 4};

	if (weir_has_patterns(primitive))
		return p->request->patterns.count ? p->request->patterns
		                                  : weir_all_patterns(primitive, 1);
	if (primitive != WEIR_PRIMITIVE_SEMAPHORE)
		return none;
	return p->request->initials.count ? p->request->initials : usual;
}

static weir_status predict_primitive(prediction *p, enum weir_primitive primitive, json_t *tuned)
{
	weir_counts initials = initials_of(p, primitive);
	weir_status status = WEIR_OK;

	for (uint32_t i = 0; i < initials.count && status == WEIR_OK && !weir_stop_asked(); i++)
		status = predict_case(p, primitive, initials.values[i]);
	if (status == WEIR_OK && !weir_stop_asked()) {
		print_tuning(p, primitive);
		json_object_set_new(tuned, weir_primitive_id(primitive), tunings(p, primitive));
	}
	return status;
}

static double work(const prediction *p, const enum weir_primitive *list, size_t count)
{
	double sum = 0;
	weir_sim_machine plan = weir_sim_plan(p->machine, weir_predict_sum(&sum));

	for (size_t i = 0; i < count; i++) {
		weir_counts initials = initials_of(p, list[i]);
		for (uint32_t k = 0; k < initials.count * p->blocks.count; k++) {
			uint32_t best;
			double rates[WEIR_SIM_KINDS];
			rate_kinds(p, &plan,
			           place(p, list[i], initials.values[k / p->blocks.count],
			                 p->blocks.values[k % p->blocks.count]),
			           &best, rates);
		}
	}
	return p->without ? 2 * sum : sum;
}

static int predict(prediction *p, const char *name)
{
	json_t *json = weir_output_document("predict");
	json_t *tuned = weir_need(json_object());
	enum weir_primitive list[WEIR_PREDICT_PRIMITIVES];
	size_t count = weir_predict_primitives(p->request, list);
	weir_status status = WEIR_OK;

	p->points = weir_need(json_array());
	p->winners = weir_need(json_array());
	if (p->stream)
		fprintf(p->stream, "predicted for %s%s%s\n", name,
		        p->request->what_if ? " with " : "",
		        p->request->what_if ? p->request->what_if : "");
	weir_progress_begin(&p->progress, "predicting", "", work(p, list, count));
	p->machine->watch = weir_predict_watch(&p->progress);
	if (p->without)
		p->without->watch = p->machine->watch;
	for (size_t i = 0; i < count && status == WEIR_OK && !weir_stop_asked(); i++)
		status = predict_primitive(p, list[i], tuned);
	weir_progress_end(&p->progress);
	weir_progress_say_stopped(p->stream);
	json_object_set_new(json, "profile", json_string(name));
	json_object_set_new(json, "probe", weir_output_probe(&p->machine->probe));
	json_object_set_new(json, "points", p->points);
	json_object_set_new(json, "winners", p->winners);
	json_object_set_new(json, "backoff", tuned);
	if (status == WEIR_OK)
		return weir_finish_json(p->request->common.json, json);
	json_decref(json);
	return weir_predict_failed(status);
}

/* Applies the request's settings other than the change of the profile. */
static void adjust(const weir_predict_request *request, weir_sim_machine *machine)
{
	if (request->published)
		weir_sim_publish(machine);
	if (request->has_backoff)
		weir_sim_fix(machine, request->backoff);
}

int weir_predict_rates(const weir_predict_request *request, const weir_profile *profile,
                       weir_sim_machine *machine)
{
	const char *name = request->common.profile;
	weir_sim_machine without;
	prediction p = {.request = request,
	                .machine = machine,
	                .without = request->what_if ? &without : NULL,
	                .blocks = request->blocks,
	                .stream = weir_text_stream(&request->common)};
	int status = 0;

	adjust(request, machine);
	if (p.without)
		status = weir_predict_machine(name, profile, NULL, &without);
	if (status)
		return status;
	if (p.without)
		adjust(request, &without);
	status = weir_predict_check_blocks(name, machine, &p.blocks);
	if (!p.blocks.count)
		p.blocks = default_blocks(machine->probe.blocks);
	return status ? status : predict(&p, profile->name);
}
