#include "sim/sim.h"

#include <string.h>

#include "base/status.h"
#include "sim/bench.h"
#include "sim/paper.h"

/* The tuner climbs; doc/simulator.md says why. */
#define TUNE_GAIN 1.03
#define TUNE_WIDEST 16384
#define FEWEST_ACCESSES 50000
/* With fewer blocks one counter is enough and not worth a search. */
#define TUNE_SHAPE_BLOCKS 350

weir_status weir_sim_machine_make(const weir_probe *probe, weir_sim_machine *machine)
{
	weir_sim_memory memory;
	weir_status status = weir_sim_memory_make(probe, &memory);

	if (status != WEIR_OK)
		return status;
	memset(machine, 0, sizeof *machine);
	machine->probe = *probe;
	machine->threads = probe->threads ? probe->threads : 128;
	machine->accesses = WEIR_SIM_ACCESSES;
	machine->seed = 1;
	machine->tune_step = 2;
	return WEIR_OK;
}

weir_sim_machine weir_sim_plan(const weir_sim_machine *machine, weir_sim_watch watch)
{
	weir_sim_machine plan = *machine;

	plan.watch = watch;
	plan.planning = 1;
	return plan;
}

static int report(void *context, double work)
{
	weir_sim_machine *machine = context;

	machine->reported += work;
	return machine->watch.look(machine->watch.context, work);
}

/* A run with few blocks becomes steady sooner. */
static uint64_t accesses(const weir_sim_machine *machine, uint32_t blocks)
{
	uint64_t most = (uint64_t)machine->block_accesses * blocks;

	if (most == 0)
		return machine->accesses;
	most = most < FEWEST_ACCESSES ? FEWEST_ACCESSES : most;
	return most < machine->accesses ? most : machine->accesses;
}

static void complete(weir_sim_machine *machine, weir_sim_case *c)
{
	c->threads = machine->threads;
	c->seed = machine->seed;
	c->pitch = machine->as_published ? WEIR_PAPER_PITCH : 0;
	c->accesses = accesses(machine, c->blocks);
	if (machine->watch.look)
		c->watch = (weir_sim_watch){.look = report, .context = machine};
}

weir_status weir_sim_machine_memory(const weir_sim_machine *machine, weir_sim_memory *memory)
{
	weir_status status = weir_sim_memory_make(&machine->probe, memory);
	weir_class class_;

	if (status != WEIR_OK)
		return status;
	weir_classify(&machine->probe, &class_);
	memory->batched_loads = machine->batched_loads && class_.hostage;
	return WEIR_OK;
}

weir_status weir_sim_run_case(const weir_sim_machine *machine, const weir_sim_case *c,
                              weir_sim_score *score)
{
	weir_sim_memory memory;
	weir_status status = weir_sim_machine_memory(machine, &memory);

	return status == WEIR_OK ? weir_sim_bench(&memory, c, score) : status;
}

static weir_status run(weir_sim_machine *machine, weir_sim_case *c, weir_sim_score *score)
{
	complete(machine, c);
	return weir_sim_run_case(machine, c, score);
}

weir_sim_use weir_sim_use_of(const weir_point *point)
{
	return (weir_sim_use){point->primitive, point->kind, point->blocks, point->initial,
	                      point->pattern};
}

static int is_same(const weir_sim_use *use, const weir_sim_case *c)
{
	return use->primitive == c->primitive && use->kind == c->kind && use->blocks == c->blocks &&
	       use->initial == c->initial && use->pattern == c->pattern;
}

static int recall(const weir_sim_machine *machine, const weir_sim_case *c, weir_sim_found *found)
{
	for (size_t i = 0; i < machine->known_count; i++)
		if (is_same(&machine->known[i].use, c)) {
			*found = machine->known[i].found;
			return 1;
		}
	return 0;
}

static void remember(weir_sim_machine *machine, const weir_sim_case *c, const weir_sim_found *found)
{
	size_t at = machine->known_count;

	if (at == WEIR_SIM_KNOWN)
		return;
	machine->known[at].use =
	    (weir_sim_use){c->primitive, c->kind, c->blocks, c->initial, c->pattern};
	machine->known[at].found = *found;
	machine->known_count++;
}

static void keep(weir_sim_found *found, const weir_sim_case *c, const weir_sim_score *score)
{
	found->backoff = c->backoff;
	found->shape.shape = c->shape;
	found->per_second = score->per_second;
	found->operations = score->operations;
	found->jain = score->jain;
	found->worst_share = score->worst_share;
}

static weir_backoff widen(const weir_sim_machine *machine, weir_backoff bounds)
{
	uint32_t min = bounds.min ? machine->tune_step * bounds.min : 1;

	return (weir_backoff){min, 2 * min};
}

/* Widens the bounds as long as that improves the rate. Skips bounds with which the blocks do not
 * complete even one round: those are no measurement. */
static weir_status climb(weir_sim_machine *machine, weir_sim_case *c, weir_sim_found *best)
{
	weir_backoff bounds = {0, 0};

	memset(best, 0, sizeof *best);
	while (bounds.max <= TUNE_WIDEST) {
		weir_sim_score score;
		c->backoff = bounds;
		weir_status status = run(machine, c, &score);
		if (status != WEIR_OK)
			return status;
		best->tried++;
		if (score.operations >= c->blocks) {
			if (score.per_second < best->per_second * TUNE_GAIN)
				break;
			keep(best, c, &score);
		}
		bounds = widen(machine, bounds);
	}
	return WEIR_OK;
}

/* Tries the usual bounds if the climb ended below them. */
static weir_status try_default(weir_sim_machine *machine, weir_sim_case *c, weir_sim_found *best)
{
	weir_sim_score score;

	c->backoff = (weir_backoff){WEIR_BACKOFF_MIN, WEIR_BACKOFF_MAX};
	weir_status status = run(machine, c, &score);
	if (status != WEIR_OK)
		return status;
	best->tried++;
	if (score.operations >= c->blocks && score.per_second > best->per_second)
		keep(best, c, &score);
	return WEIR_OK;
}

static weir_status search(weir_sim_machine *machine, weir_sim_case *c, weir_sim_found *best)
{
	weir_status status = climb(machine, c, best);

	if (status == WEIR_OK)
		status = try_default(machine, c, best);
	if (status == WEIR_OK && best->per_second > 0)
		remember(machine, c, best);
	return status;
}

static int has_shape_to_find(const weir_kind *kind, uint32_t blocks)
{
	return kind->shape == WEIR_SHAPE_COUNTERS && blocks >= TUNE_SHAPE_BLOCKS;
}

/* Doubles the shards of a barrier as long as that improves the rate. Each number of blocks has its
 * own shape. */
static weir_status climb_shape(weir_sim_machine *machine, weir_sim_case *c, weir_sim_found *best)
{
	weir_sim_score score;
	weir_status status = run(machine, c, &score);
	int gained = has_shape_to_find(weir_sim_kind(c->primitive, c->kind), c->blocks);

	if (status == WEIR_OK)
		keep(best, c, &score);
	best->tried = 1;
	while (gained && status == WEIR_OK && c->shape.bits < WEIR_SHAPE_BITS_MOST) {
		c->shape.bits++;
		status = run(machine, c, &score);
		best->tried++;
		gained = status == WEIR_OK && score.per_second >= best->per_second * TUNE_GAIN;
		if (gained)
			keep(best, c, &score);
	}
	return status;
}

static weir_sim_case tuning_case(const weir_sim_machine *machine, enum weir_primitive primitive,
                                 uint32_t kind)
{
	weir_sim_case c = {.primitive = primitive,
	                   .kind = kind,
	                   .blocks = machine->probe.blocks,
	                   .initial = primitive == WEIR_PRIMITIVE_SEMAPHORE};
	return c;
}

static int is_to_tune(const weir_sim_machine *machine, enum weir_primitive primitive,
                      const weir_kind *kind)
{
	/* Primitives with patterns poll without a pause, as the library creates them. */
	return kind->pause != WEIR_PAUSE_NONE && !weir_has_patterns(primitive) &&
	       !machine->tuned[primitive][kind->value].known;
}

weir_status weir_sim_tune(weir_sim_machine *machine, enum weir_primitive primitive, uint32_t kind,
                          weir_backoff *backoff)
{
	const weir_kind *row = weir_sim_kind(primitive, kind);
	weir_sim_case c = tuning_case(machine, primitive, kind);
	weir_sim_found best;
	weir_status status = WEIR_OK;

	if (!row || kind >= WEIR_SIM_KINDS)
		return weir_fail(WEIR_BAD_ARGUMENT, "no such kind: %u", kind);
	if (is_to_tune(machine, primitive, row)) {
		status = search(machine, &c, &best);
		machine->tuned[primitive][kind].backoff = best.backoff;
		machine->tuned[primitive][kind].tried = best.tried;
	}
	if (status == WEIR_OK)
		machine->tuned[primitive][kind].known = 1;
	*backoff = machine->tuned[primitive][kind].backoff;
	return status;
}

/* Half the work of a tuning run that improves to the end, which is close to the mean over the kinds
 * on the built-in profiles. */
static double tuning_work(weir_sim_machine *machine, enum weir_primitive primitive, uint32_t kind)
{
	weir_sim_case c = tuning_case(machine, primitive, kind);
	double work = 0;

	complete(machine, &c);
	work = weir_sim_bench_work(&c);
	for (weir_backoff b = {0, 0}; b.max <= TUNE_WIDEST; b = widen(machine, b))
		work += weir_sim_bench_work(&c) / 2;
	return work;
}

/* The work that a question will probably take. */
static double question_work(weir_sim_machine *machine, const weir_kind *kind, weir_sim_case *c)
{
	weir_sim_found known;
	double work = 0;

	if (is_to_tune(machine, c->primitive, kind))
		work = tuning_work(machine, c->primitive, c->kind);
	complete(machine, c);
	if (!recall(machine, c, &known))
		work += weir_sim_bench_work(c) *
		        (has_shape_to_find(kind, c->blocks) ? 1 + WEIR_SHAPE_BITS_MOST : 1);
	return work;
}

/* Marks everything as known that the answer to a question would reveal. */
static void plan(weir_sim_machine *machine, const weir_kind *kind, const weir_sim_case *c)
{
	weir_sim_case tuned = tuning_case(machine, c->primitive, c->kind);
	weir_sim_found found = {0};

	if (is_to_tune(machine, c->primitive, kind) && !recall(machine, &tuned, &found))
		remember(machine, &tuned, &found);
	machine->tuned[c->primitive][c->kind].known = 1;
	if (!recall(machine, c, &found))
		remember(machine, c, &found);
}

static weir_status answer(weir_sim_machine *machine, const weir_kind *kind, weir_sim_case *c,
                          weir_sim_found *found)
{
	weir_sim_score score = {0};
	weir_status status = weir_sim_tune(machine, c->primitive, c->kind, &c->backoff);

	if (status != WEIR_OK || recall(machine, c, found))
		return status;
	if (kind->shape != WEIR_SHAPE_NONE) {
		found->shape.known = 1;
		status = climb_shape(machine, c, found);
	} else {
		status = run(machine, c, &score);
		keep(found, c, &score);
		found->tried = machine->tuned[c->primitive][c->kind].tried;
	}
	if (status == WEIR_OK)
		remember(machine, c, found);
	return status;
}

void weir_sim_publish(weir_sim_machine *machine)
{
	machine->as_published = 1;
	for (int primitive = 0; primitive < WEIR_SIM_PRIMITIVES; primitive++)
		for (uint32_t kind = 0; kind < WEIR_SIM_KINDS; kind++) {
			weir_backoff backoff;
			if (!weir_paper_backoff((enum weir_primitive)primitive, kind, &backoff))
				continue;
			machine->tuned[primitive][kind].known = 1;
			machine->tuned[primitive][kind].backoff = backoff;
		}
}

void weir_sim_fix(weir_sim_machine *machine, weir_backoff backoff)
{
	for (int primitive = 0; primitive < WEIR_SIM_PRIMITIVES; primitive++)
		for (uint32_t kind = 0; kind < WEIR_SIM_KINDS; kind++) {
			if (machine->as_published &&
			    !weir_paper_backs_off((enum weir_primitive)primitive, kind))
				continue;
			machine->tuned[primitive][kind].known = 1;
			machine->tuned[primitive][kind].backoff = backoff;
		}
}

weir_status weir_sim_find(weir_sim_machine *machine, weir_sim_use use, weir_sim_found *found)
{
	const weir_kind *row = weir_sim_kind(use.primitive, use.kind);
	weir_sim_case c = {.primitive = use.primitive,
	                   .kind = use.kind,
	                   .blocks = use.blocks,
	                   .initial = use.initial,
	                   .pattern = use.pattern,
	                   /* A barrier starts with one counter. */
	                   .has_shape = 1};

	memset(found, 0, sizeof *found);
	if (!row || use.kind >= WEIR_SIM_KINDS)
		return weir_fail(WEIR_BAD_ARGUMENT, "no such kind: %u", use.kind);
	double work = question_work(machine, row, &c);
	machine->reported = 0;
	if (machine->planning) {
		plan(machine, row, &c);
		report(machine, work);
		return WEIR_OK;
	}
	weir_status status = answer(machine, row, &c, found);
	if (machine->watch.replan)
		machine->watch.replan(machine->watch.context, machine->reported - work);
	return status;
}

weir_status weir_sim_rate(weir_sim_machine *machine, weir_sim_use use, double *per_second)
{
	weir_sim_found found;
	weir_status status = weir_sim_find(machine, use, &found);

	*per_second = status == WEIR_OK ? found.per_second : 0;
	return status;
}

int weir_sim_competes(const weir_sim_machine *machine, enum weir_primitive primitive,
                      const weir_kind *kind)
{
	uint32_t paper;

	if (!machine->as_published)
		return kind->role == WEIR_FOR_USE;
	for (size_t i = 0; (paper = weir_paper_kind_at(primitive, i)) != 0; i++)
		if (paper == kind->value)
			return 1;
	return 0;
}

weir_status weir_sim_best(weir_sim_machine *machine, enum weir_primitive primitive, uint32_t blocks,
                          uint32_t initial, uint32_t *kind, double *per_second)
{
	double fastest = 0;

	*kind = 0;
	for (uint32_t i = 0; i < WEIR_SIM_KINDS; i++) {
		const weir_kind *row = weir_kind_find(primitive, i);
		int is_rival = row && weir_sim_competes(machine, primitive, row);
		double rate = 0;
		if (row && row->role != WEIR_BY_VENDOR && (is_rival || per_second)) {
			const weir_sim_use use = {primitive, i, blocks, initial, 0};
			weir_status status = weir_sim_rate(machine, use, &rate);
			if (status != WEIR_OK)
				return status;
		}
		if (per_second)
			per_second[i] = rate;
		if (is_rival && rate > fastest) {
			fastest = rate;
			*kind = i;
		}
	}
	return WEIR_OK;
}
