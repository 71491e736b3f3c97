/* Prints tables and JSON of weir bench kernels. */
#include "forms/bench.h"

#include <jansson.h>
#include <math.h>

#include "cli/complain.h"
#include "cli/stop.h"
#include "output/figure.h"
#include "output/json.h"
#include "output/progress.h"
#include "output/table.h"

/* A ratio below this counts as slower. */
#define SLOWER 0.99

/* How often a figure is worse than the other form's, and where it is worst. */
struct excess {
	size_t known; /* cases in which both figures are known */
	size_t worse;
	const weir_shape_case *worst; /* NULL: never worse */
	double own, other;            /* figures in the worst case */
};

struct totals {
	enum weir_form_id own, other;
	size_t cases; /* with both forms measured */
	double mean;  /* geometric mean of the other form's time over this form's: above 1 is
	               * faster */
	double least; /* the smallest of these ratios */
	const weir_shape_case *least_at;
	size_t below; /* ratios below 0.99 */
	/* How many of these are below it even when comparing this form's smallest time with the
	 * other's largest. */
	size_t clearly_below;
	struct excess registers, resident, code; /* including cases that were not measured */
	size_t unfit; /* cases that the other form can run and this form cannot */
};

static void note(struct excess *excess, const weir_shape_case *c, double own, double other,
                 int more_is_worse)
{
	double worse = more_is_worse ? own / other : other / own;
	double worst = more_is_worse ? excess->own / excess->other : excess->other / excess->own;

	/* 0 means unknown, except that 0 resident blocks is a figure. */
	if (!(other > 0) || (!(own > 0) && more_is_worse))
		return;
	excess->known++;
	if (worse <= 1)
		return;
	excess->worse++;
	if (excess->worst && worse <= worst)
		return;
	excess->worst = c;
	excess->own = own;
	excess->other = other;
}

static struct totals compare_forms(const weir_kernels_bench *bench, enum weir_form_id own,
                                   enum weir_form_id other)
{
	struct totals sum = {.own = own, .other = other};
	double logarithms = 0;

	for (size_t i = 0; i < bench->count; i++) {
		const weir_shape_case *c = &bench->cases[i];
		const weir_trial *a = weir_case_find(c, own);
		const weir_trial *b = weir_case_find(c, other);
		if (!a || !b)
			continue;
		note(&sum.registers, c, a->cost.registers, b->cost.registers, 1);
		note(&sum.resident, c, a->cost.resident, b->cost.resident, 0);
		note(&sum.code, c, (double)a->cost.code, (double)b->cost.code, 1);
		sum.unfit += b->done && !a->done;
		if (!(a->median > 0) || !(b->median > 0))
			continue;
		double ratio = b->median / a->median;
		if (sum.cases == 0 || ratio < sum.least) {
			sum.least = ratio;
			sum.least_at = c;
		}
		sum.cases++;
		logarithms += log(ratio);
		sum.below += ratio < SLOWER;
		sum.clearly_below += b->greatest / a->least < SLOWER;
	}
	sum.mean = sum.cases ? exp(logarithms / (double)sum.cases) : 0;
	return sum;
}

/* The comparisons that the summary shows. */
static const enum weir_form_id compared[][2] = {
    {WEIR_FORM_DEFAULT, WEIR_FORM_GRID},      {WEIR_FORM_DEFAULT, WEIR_FORM_LIBCU},
    {WEIR_FORM_DEFAULT, WEIR_FORM_FIXED},     {WEIR_FORM_DEFAULT, WEIR_FORM_HAND},
    {WEIR_FORM_DEFAULT, WEIR_FORM_GRAPH},     {WEIR_FORM_DEFAULT, WEIR_FORM_GRAPH_PDL},
    {WEIR_FORM_EVENTS, WEIR_FORM_DEFAULT},    {WEIR_FORM_EVENTS, WEIR_FORM_GRID},
    {WEIR_FORM_EVENTS, WEIR_FORM_GRAPH_PDL},  {WEIR_FORM_TASKS, WEIR_FORM_DEFAULT},
    {WEIR_FORM_TASKS, WEIR_FORM_GRID},        {WEIR_FORM_TASKS, WEIR_FORM_GRAPH_PDL},
    {WEIR_FORM_TASKS_LOCAL, WEIR_FORM_TASKS}, {WEIR_FORM_QUEUE, WEIR_FORM_DEFAULT},
    {WEIR_FORM_QUEUE, WEIR_FORM_GRID},        {WEIR_FORM_QUEUE, WEIR_FORM_GRAPH_PDL},
    {WEIR_FORM_COMBINE, WEIR_FORM_DEFAULT},   {WEIR_FORM_COMBINE, WEIR_FORM_LIBCU},
    {WEIR_FORM_COMBINE, WEIR_FORM_HAND}};
enum {
	COMPARED = sizeof compared / sizeof compared[0]
};

size_t weir_kernels_done(const weir_kernels_bench *bench)
{
	size_t done = 0;

	for (size_t i = 0; i < bench->count; i++)
		for (size_t j = 0; j < bench->cases[i].count; j++)
			done += bench->cases[i].trials[j].done > 0;
	return done;
}

size_t weir_kernels_wrong(const weir_kernels_bench *bench)
{
	size_t wrong = 0;

	for (size_t i = 0; i < bench->count; i++)
		for (size_t j = 0; j < bench->cases[i].count; j++)
			wrong += *bench->cases[i].trials[j].wrong.text != 0;
	return wrong;
}

static double ratio(const weir_trial *trial, const weir_trial *reference)
{
	return reference && trial->median > 0 ? reference->median / trial->median : NAN;
}

static void add_trial(weir_table *table, const weir_shape_case *c, const weir_trial *trial)
{
	double to = ratio(trial, weir_case_reference(c));

	weir_table_cell(table, "%u", c->threads);
	weir_table_cell(table, "%u", c->blocks);
	weir_table_cell(table, "%s", weir_forms[trial->form].name);
	if (trial->done) {
		weir_table_cell(table, "%.1f", trial->median * 1e3);
		weir_table_cell(table, "%.1f..%.1f%%", trial->least / trial->median * 100,
		                trial->greatest / trial->median * 100);
	} else {
		weir_table_blanks(table, 2);
	}
	weir_table_figure(table, "%.3fx", to);
	weir_table_count(table, trial->cost.registers);
	weir_table_count(table, trial->cost.resident);
	weir_table_count(table, trial->cost.code);
	weir_table_cell(table, "%s%s", *trial->wrong.text ? "WRONG: " : "",
	                *trial->wrong.text ? trial->wrong.text
	                : *trial->left_out ? trial->left_out
	                : trial->done      ? "right"
	                                   : "not measured");
}

static void add_left_out(weir_table *table, const weir_shape_case *c)
{
	weir_table_cell(table, "%u", c->threads);
	weir_table_cell(table, "%u", c->blocks);
	weir_table_blanks(table, 7);
	weir_table_cell(table, "%s", c->left_out);
}

void weir_kernels_print(const weir_kernels_bench *bench, size_t first)
{
	static const char *const columns[] = {"threads", "blocks", "<form",     "us",
	                                      "spread",  "ratio",  "registers", "resident",
	                                      "code",    "<",      NULL};

	const weir_shape_case *c = &bench->cases[first];
	weir_table *table;

	if (!bench->text || first >= bench->count)
		return;
	table = weir_table_make(columns);
	fprintf(bench->text, "\n%s: %s; %s\n", c->kernel->name, c->kernel->what, c->size->name);
	for (size_t i = first; i < bench->count; i++) {
		c = &bench->cases[i];
		if (*c->left_out)
			add_left_out(table, c);
		for (size_t j = 0; !*c->left_out && j < c->count; j++)
			add_trial(table, c, &c->trials[j]);
	}
	weir_table_end(table, bench->text);
	fflush(bench->text);
}

void weir_kernels_print_head(FILE *text, const weir_kernels_bench *bench)
{
	const weir_device_info *info = &bench->builds->info;

	if (text)
		fprintf(text, "%s: %s, %s\n", info->name, info->description, info->driver);
}

static void print_place(FILE *text, const weir_shape_case *c)
{
	fprintf(text, "%s, %s, %s of %s", c->kernel->name, c->size->name,
	        weir_count_figure(c->blocks, "block").text,
	        weir_count_figure(c->threads, "thread").text);
}

static void print_excess(FILE *text, const char *what, const struct excess *excess)
{
	if (!excess->known)
		return;
	fprintf(text, "  %s in %zu of %zu", what, excess->worse, excess->known);
	if (excess->worst) {
		fprintf(text, ", at worst %.0f to %.0f (", excess->own, excess->other);
		print_place(text, excess->worst);
		fputc(')', text);
	}
	fputc('\n', text);
}

static void print_summary(FILE *text, const weir_kernels_bench *bench)
{
	for (size_t i = 0; i < COMPARED; i++) {
		struct totals sum = compare_forms(bench, compared[i][0], compared[i][1]);
		if (!sum.cases)
			continue;
		fprintf(text, "\n%s against %s, %s: %.3fx in the geometric mean\n",
		        weir_forms[sum.own].name, weir_forms[sum.other].name,
		        weir_count_figure(sum.cases, "case").text, sum.mean);
		fprintf(text, "  least %.3fx (", sum.least);
		print_place(text, sum.least_at);
		fprintf(text, ")\n  below 0.99x: %zu; with the spread allowed for: %zu\n",
		        sum.below, sum.clearly_below);
		if (sum.unfit)
			fprintf(text, "  not measured, but the other form was: %zu\n", sum.unfit);
		print_excess(text, "more registers", &sum.registers);
		print_excess(text, "fewer resident blocks", &sum.resident);
		print_excess(text, "more code", &sum.code);
	}
	size_t wrong = weir_kernels_wrong(bench);
	if (wrong)
		fprintf(text, "\n%s\n", weir_count_figure(wrong, "wrong result").text);
}

static json_t *known(uint64_t count)
{
	return count ? json_integer((json_int_t)count) : json_null();
}

static json_t *trial_json(const weir_shape_case *c, const weir_trial *trial)
{
	double to = ratio(trial, weir_case_reference(c));
	json_t *json = weir_need(json_pack(
	    "{s:s, s:o, s:o, s:o, s:b}", "form", weir_forms[trial->form].name, "registers",
	    known(trial->cost.registers), "resident_blocks", known(trial->cost.resident),
	    "code_bytes", known(trial->cost.code), "right", trial->done && !*trial->wrong.text));

	if (*trial->wrong.text)
		json_object_set_new(json, "wrong", json_string(trial->wrong.text));
	if (*trial->left_out)
		json_object_set_new(json, "left_out", json_string(trial->left_out));
	if (!trial->done)
		return json;
	json_t *times = weir_need(json_array());
	for (uint32_t i = 0; i < trial->done; i++)
		json_array_append_new(times, json_real(trial->ms[i] * 1e3));
	json_object_set_new(json, "us", json_real(trial->median * 1e3));
	json_object_set_new(json, "least_us", json_real(trial->least * 1e3));
	json_object_set_new(json, "greatest_us", json_real(trial->greatest * 1e3));
	json_object_set_new(json, "repeats_us", times);
	if (!isnan(to))
		json_object_set_new(json, "ratio", json_real(to));
	return json;
}

static json_t *case_json(const weir_shape_case *c)
{
	json_t *forms = weir_need(json_array());
	json_t *json =
	    weir_need(json_pack("{s:s, s:s, s:b, s:i, s:i, s:s, s:i}", "kernel", c->kernel->name,
	                        "size", c->size->name, "small", c->size->small, "threads",
	                        (int)c->threads, "blocks", (int)c->blocks, "blocks_are",
	                        c->asked == WEIR_BLOCKS_ONE   ? "one"
	                        : c->asked == WEIR_BLOCKS_ALL ? "all"
	                                                      : "given",
	                        "rounds", (int)c->rounds));

	if (c->kernel->uses == REAL_USES_BARRIER)
		json_object_set_new(json, "meetings",
		                    json_integer(c->kernel->meetings(c->size->values)));
	if (*c->left_out)
		json_object_set_new(json, "left_out", json_string(c->left_out));
	for (size_t i = 0; !*c->left_out && i < c->count; i++)
		json_array_append_new(forms, trial_json(c, &c->trials[i]));
	json_object_set_new(json, "forms", forms);
	return json;
}

static json_t *place_json(const weir_shape_case *c)
{
	return weir_need(json_pack("{s:s, s:s, s:i, s:i}", "kernel", c->kernel->name, "size",
	                           c->size->name, "threads", (int)c->threads, "blocks",
	                           (int)c->blocks));
}

static json_t *excess_json(const struct excess *excess)
{
	json_t *json = weir_need(
	    json_pack("{s:i, s:i}", "cases", (int)excess->known, "worse", (int)excess->worse));

	if (excess->worst) {
		json_object_set_new(json, "own", json_real(excess->own));
		json_object_set_new(json, "other", json_real(excess->other));
		json_object_set_new(json, "at", place_json(excess->worst));
	}
	return json;
}

static json_t *summary_json(const weir_kernels_bench *bench)
{
	json_t *array = weir_need(json_array());

	for (size_t i = 0; i < COMPARED; i++) {
		struct totals sum = compare_forms(bench, compared[i][0], compared[i][1]);
		if (!sum.cases)
			continue;
		json_array_append_new(
		    array,
		    weir_need(json_pack(
			"{s:s, s:s, s:i, s:f, s:f, s:o, s:i, s:i, s:i, s:o, s:o, s:o}", "form",
			weir_forms[sum.own].name, "against", weir_forms[sum.other].name, "cases",
			(int)sum.cases, "mean_ratio", sum.mean, "least_ratio", sum.least,
			"least_at", place_json(sum.least_at), "below_0.99", (int)sum.below,
			"below_0.99_beyond_spread", (int)sum.clearly_below, "unfit", (int)sum.unfit,
			"registers", excess_json(&sum.registers), "resident_blocks",
			excess_json(&sum.resident), "code_bytes", excess_json(&sum.code))));
	}
	return array;
}

static json_t *cases_json(const weir_kernels_bench *bench)
{
	json_t *array = weir_need(json_array());

	for (size_t i = 0; i < bench->count; i++)
		json_array_append_new(array, case_json(&bench->cases[i]));
	return array;
}

int weir_kernels_show(const weir_kernels_bench *bench, const char *command_line, int complete)
{
	const weir_device_info *info = &bench->builds->info;
	json_t *json = weir_output_document("bench kernels");

	weir_progress_say_stopped(bench->text);
	if (bench->text && !weir_stop_asked())
		print_summary(bench->text, bench);
	json_object_set_new(json, "command_line", json_string(command_line));
	json_object_set_new(json, "device", weir_output_device(info));
	json_object_set_new(json, "repeats", json_integer(bench->request.repeats));
	json_object_set_new(json, "cases", cases_json(bench));
	json_object_set_new(json, "summary",
	                    weir_stop_asked() ? weir_need(json_array()) : summary_json(bench));
	json_object_set_new(json, "complete", json_boolean(complete));
	return weir_write_json(bench->request.common.json, json);
}
