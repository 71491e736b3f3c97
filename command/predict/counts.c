/* The accesses that each operation of every kind makes: by a single block, in all executions of a
 * few blocks, and with many blocks on a simulated machine. */
#include "predict/predict.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/complain.h"
#include "cli/options.h"
#include "cli/stop.h"
#include "output/figure.h"
#include "output/json.h"
#include "output/progress.h"
#include "output/table.h"
#include "src/model/model.h"
#include "src/sim/sim.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/rows.h"
#include "weir/weir.h"

enum {
	EXPLORED_BLOCKS = 2,
	EXPLORED_ROUNDS = 2,
	EXPLORED_CLUSTER = 2,
	ALONE_ACCESSES = 1000 /* a single block repeats itself */
};

typedef struct counting {
	const weir_predict_request *request;
	weir_sim_machine machine;
	uint32_t blocks;
	weir_progress progress;
	weir_table *table;
	json_t *rows;
	unsigned disagreements;
} counting;

/* One kind, with or without clusters. */
typedef struct subject {
	enum weir_primitive primitive;
	const weir_kind *kind;
	uint32_t cluster;
	int absent; /* supported by neither the explorer nor the simulator */
	weir_model_count alone[WEIR_MODEL_PARTS];
	weir_model_count few[WEIR_MODEL_PARTS];
	weir_sim_part simulated_alone[WEIR_SIM_PARTS];
	weir_sim_part many[WEIR_SIM_PARTS];
} subject;

static const char *part_name(enum weir_primitive primitive, int part)
{
	if (primitive == WEIR_PRIMITIVE_MUTEX)
		return part == WEIR_SIM_ENTER ? "lock" : "unlock";
	if (primitive == WEIR_PRIMITIVE_SEMAPHORE)
		return part == WEIR_SIM_ENTER ? "wait" : "post";
	return "wait";
}

static weir_status simulate(const counting *c, const subject *s, uint32_t blocks, uint64_t accesses,
                            weir_sim_score *score)
{
	const weir_sim_case run = {.primitive = s->primitive,
	                           .kind = s->kind->value,
	                           .blocks = blocks,
	                           .threads = c->machine.threads,
	                           .initial = s->primitive == WEIR_PRIMITIVE_SEMAPHORE,
	                           .backoff = weir_untuned_backoff(s->kind),
	                           .has_shape = 1,
	                           .seed = c->machine.seed,
	                           .accesses = accesses,
	                           .watch = c->machine.watch};

	return weir_sim_run_case(&c->machine, &run, score);
}

static weir_status count_subject(const counting *c, subject *s)
{
	const char *primitive = weir_primitive_name(s->primitive);
	weir_sim_score score;
	weir_status status;

	if (weir_model_count_accesses(primitive, s->kind->name, 1, 1, s->cluster, s->alone) != 0 ||
	    weir_model_count_accesses(primitive, s->kind->name, EXPLORED_BLOCKS, EXPLORED_ROUNDS,
	                              s->cluster, s->few) != 0)
		s->absent = 1;
	if (s->absent || s->cluster)
		return WEIR_OK; /* the simulator has no clusters */
	status = simulate(c, s, 1, ALONE_ACCESSES, &score);
	for (int part = 0; part < WEIR_SIM_PARTS; part++)
		s->simulated_alone[part] = score.parts[part];
	if (status == WEIR_OK)
		status = simulate(c, s, c->blocks, c->machine.accesses, &score);
	for (int part = 0; part < WEIR_SIM_PARTS; part++)
		s->many[part] = score.parts[part];
	return status;
}

static int agree(const weir_model_count *explored, const weir_sim_part *simulated)
{
	uint64_t times = simulated->times;

	return times > 0 && explored->least.reads == explored->most.reads &&
	       explored->least.reads * times == simulated->sum.reads &&
	       explored->least.writes * times == simulated->sum.writes &&
	       explored->least.atomics * times == simulated->sum.atomics;
}

static void put_range(weir_table *table, uint32_t least, uint32_t most, int more)
{
	if (least == most)
		weir_table_cell(table, "%u%s", least, more ? "+" : "");
	else
		weir_table_cell(table, "%u to %u%s", least, most, more ? "+" : "");
}

static void put_mean(weir_table *table, uint64_t sum, uint64_t times)
{
	double mean = times ? (double)sum / (double)times : NAN;

	weir_table_figure(table, mean < 100 ? "%.3g" : "%.0f", mean);
}

static void put_row(const counting *c, const subject *s, int part)
{
	const weir_model_count *alone = &s->alone[part];
	const weir_model_count *few = &s->few[part];
	const weir_sim_part *many = &s->many[part];
	weir_table *table = c->table;

	weir_table_cell(table, "%s", weir_primitive_name(s->primitive));
	weir_table_cell(table, s->cluster ? "%s, clusters of %u" : "%s", s->kind->name, s->cluster);
	weir_table_cell(table, "%s", part_name(s->primitive, part));
	if (s->absent) {
		weir_table_blanks(table, 9);
		return;
	}
	weir_table_cells(table, "%u\t%u\t%u", alone->least.reads, alone->least.writes,
	                 alone->least.atomics);
	put_range(table, few->least.reads, few->most.reads, few->more.reads);
	put_range(table, few->least.writes, few->most.writes, 0);
	put_range(table, few->least.atomics, few->most.atomics, few->more.atomics);
	put_mean(table, many->sum.reads, many->times);
	put_mean(table, many->sum.writes, many->times);
	put_mean(table, many->sum.atomics, many->times);
}

static json_t *range(uint32_t least, uint32_t most, int more)
{
	return weir_need(json_pack("{s:i, s:i, s:b}", "least", (int)least, "most", (int)most,
	                           "unbounded", more));
}

static json_t *mean(uint64_t sum, uint64_t times)
{
	return weir_need(times ? json_real((double)sum / (double)times) : json_null());
}

static json_t *describe(const subject *s, int part)
{
	const weir_model_count *alone = &s->alone[part];
	const weir_model_count *few = &s->few[part];
	const weir_sim_part *many = &s->many[part];

	return weir_need(json_pack(
	    "{s:s, s:s, s:i, s:s, s:{s:i, s:i, s:i}, s:{s:o, s:o, s:o}, s:{s:o, s:o, s:o}}",
	    "primitive", weir_primitive_name(s->primitive), "kind", s->kind->name, "cluster",
	    (int)s->cluster, "part", part_name(s->primitive, part), "alone", "reads",
	    (int)alone->least.reads, "writes", (int)alone->least.writes, "atomics",
	    (int)alone->least.atomics, "few", "reads",
	    range(few->least.reads, few->most.reads, few->more.reads), "writes",
	    range(few->least.writes, few->most.writes, 0), "atomics",
	    range(few->least.atomics, few->most.atomics, few->more.atomics), "many", "reads",
	    mean(many->sum.reads, many->times), "writes", mean(many->sum.writes, many->times),
	    "atomics", mean(many->sum.atomics, many->times)));
}

static weir_status add_subject(counting *c, enum weir_primitive primitive, const weir_kind *kind,
                               uint32_t cluster)
{
	subject s = {.primitive = primitive, .kind = kind, .cluster = cluster};
	int parts = primitive == WEIR_PRIMITIVE_BARRIER ? 1 : WEIR_SIM_PARTS;
	weir_status status = count_subject(c, &s);

	for (int part = 0; part < parts && status == WEIR_OK; part++) {
		put_row(c, &s, part);
		if (s.absent)
			continue;
		json_array_append_new(c->rows, describe(&s, part));
		if (cluster == 0 && !agree(&s.alone[part], &s.simulated_alone[part])) {
			c->disagreements++;
			weir_complain(
			    WEIR_EXIT_FAILED, "the simulator counts another %s of a %s %s alone",
			    part_name(primitive, part), weir_primitive_name(primitive), kind->name);
		}
	}
	return status;
}

static weir_status count_primitive(counting *c, enum weir_primitive primitive)
{
	const weir_kind *kind;
	weir_status status = WEIR_OK;

	for (size_t i = 0; (kind = weir_kind_at(primitive, i)) && !weir_stop_asked(); i++) {
		status = add_subject(c, primitive, kind, 0);
		if (status == WEIR_OK && kind->queue == WEIR_QUEUE_CLUSTER)
			status = add_subject(c, primitive, kind, EXPLORED_CLUSTER);
		if (status != WEIR_OK)
			break;
	}
	return weir_predict_unless_stopped(status);
}

/* The amount of work in the simulations with many blocks; the rest is negligible. */
static double work(const counting *c, const enum weir_primitive *list, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; weir_kind_at(list[i], k); k++) {
			const weir_sim_case run = {.primitive = list[i],
			                           .blocks = c->blocks,
			                           .threads = c->machine.threads,
			                           .accesses = c->machine.accesses};
			sum += weir_sim_bench_work(&run);
		}
	return sum;
}

static int count_all(counting *c, const char *name)
{
	static const char *const columns[] = {
	    "<primitive", "<kind",      "<part",  "alone: reads", "writes",
	    "atomics",    "few: reads", "writes", "atomics",      "many: reads",
	    "writes",     "atomics",    NULL};
	FILE *stream = weir_text_stream(&c->request->common);
	enum weir_primitive list[WEIR_PREDICT_PRIMITIVES];
	size_t count = weir_predict_primitives(c->request, list);
	weir_status status = WEIR_OK;

	c->table = weir_table_make(columns);
	c->rows = weir_need(json_array());
	weir_progress_begin(&c->progress, "counting", "", work(c, list, count));
	c->machine.watch = weir_predict_watch(&c->progress);
	for (size_t i = 0; i < count && status == WEIR_OK && !weir_stop_asked(); i++)
		status = count_primitive(c, list[i]);
	weir_progress_end(&c->progress);
	if (stream && status == WEIR_OK && !weir_table_is_empty(c->table))
		fprintf(stream,
		        "Accesses of one operation of a block; an atomic is a read-modify-write.\n"
		        "alone: counted by the explorer and the simulator\n"
		        "few:   least to most in all executions of %s, semaphores with one "
		        "permit;\n"
		        "       + goes on for as long as the block waits\n"
		        "many:  the mean with %s on %s, simulated, with untuned backoff\n\n",
		        weir_count_figure(EXPLORED_BLOCKS, "block").text,
		        weir_count_figure(c->blocks, "block").text, name);
	weir_table_end(c->table, status == WEIR_OK ? stream : NULL);
	weir_progress_say_stopped(status == WEIR_OK ? stream : NULL);
	if (status != WEIR_OK) {
		json_decref(c->rows);
		return weir_predict_failed(status);
	}
	json_t *json = weir_output_document("predict");
	json_object_set_new(json, "profile", json_string(name));
	json_object_set_new(json, "blocks", json_integer(c->blocks));
	json_object_set_new(json, "counts", c->rows);
	return weir_finish_json(c->request->common.json, json);
}

int weir_predict_counts(const weir_predict_request *request, const weir_profile *profile,
                        weir_sim_machine *machine)
{
	const weir_counts *blocks = &request->blocks;
	counting c = {.request = request,
	              .machine = *machine,
	              .blocks = blocks->count ? blocks->values[0] : profile->probe.blocks};
	int status = weir_predict_check_blocks(request->common.profile, machine, blocks);

	if (!status)
		status = count_all(&c, profile->name);
	return c.disagreements && (!status || status == WEIR_EXIT_STOPPED) ? WEIR_EXIT_FAILED
	                                                                   : status;
}
