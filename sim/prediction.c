#include "prediction.h"

#include <string.h>

#include "bench.h"

/* The climb of the tuner; doc/simulator.md says why it is one. */
#define TUNE_GAIN 1.03
#define TUNE_WIDEST 16384
#define TUNE_MOST_BITS 4
/* With fewer blocks one counter is enough, and not worth a search. */
#define TUNE_SHAPE_BLOCKS 500

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

static void complete(weir_sim_machine *machine, weir_sim_case *c)
{
	c->threads = machine->threads;
	c->seed = machine->seed;
	c->accesses = machine->accesses;
	if (machine->watch.look)
		c->watch = (weir_sim_watch){.look = report, .context = machine};
}

static weir_status run(weir_sim_machine *machine, weir_sim_case *c, weir_sim_score *score)
{
	weir_sim_memory memory;
	weir_status status = weir_sim_memory_make(&machine->probe, &memory);

	complete(machine, c);
	return status == WEIR_OK ? weir_sim_bench(&memory, c, score) : status;
}

static int find(const weir_sim_machine *machine, const weir_sim_case *c, double *per_second)
{
	for (size_t i = 0; i < machine->known_count; i++)
		if (machine->known[i].primitive == c->primitive &&
		    machine->known[i].kind == c->kind && machine->known[i].blocks == c->blocks &&
		    machine->known[i].initial == c->initial) {
			*per_second = machine->known[i].per_second;
			return 1;
		}
	return 0;
}

static void remember(weir_sim_machine *machine, const weir_sim_case *c, double per_second)
{
	size_t at = machine->known_count;

	if (at == WEIR_SIM_KNOWN)
		return;
	machine->known[at].primitive = c->primitive;
	machine->known[at].kind = c->kind;
	machine->known[at].blocks = c->blocks;
	machine->known[at].initial = c->initial;
	machine->known[at].per_second = per_second;
	machine->known_count++;
}

static weir_backoff widen(const weir_sim_machine *machine, weir_backoff bounds)
{
	uint32_t min = bounds.min ? machine->tune_step * bounds.min : 1;

	return (weir_backoff){min, 2 * min};
}

/* Widens the bounds as long as that gains. Bounds with which the blocks do not even get through
 * once are no measurement, and are passed over. */
static weir_status climb(weir_sim_machine *machine, weir_sim_case *c, weir_backoff *best)
{
	double fastest = 0;
	weir_backoff bounds = {0, 0};

	*best = bounds;
	while (bounds.max <= TUNE_WIDEST) {
		weir_sim_score score;
		c->backoff = bounds;
		weir_status status = run(machine, c, &score);
		if (status != WEIR_OK)
			return status;
		if (score.operations >= c->blocks) {
			if (score.per_second < fastest * TUNE_GAIN)
				break;
			fastest = score.per_second;
			*best = bounds;
		}
		bounds = widen(machine, bounds);
	}
	if (fastest > 0)
		remember(machine, c, fastest);
	return WEIR_OK;
}

/* Doubles the counters of a barrier, or their copies, as long as that gains: each number of blocks has
 * a shape of its own. */
static weir_status climb_shape(weir_sim_machine *machine, weir_sim_case *c, double *per_second)
{
	weir_sim_score score;
	weir_status status;
	int gained = 1;

	status = run(machine, c, &score);
	*per_second = status == WEIR_OK ? score.per_second : 0;
	while (status == WEIR_OK && gained) {
		const weir_shape from = c->shape;
		weir_shape best = from;
		gained = 0;
		for (uint32_t more = 0; status == WEIR_OK && more < 2; more++) {
			c->shape = (weir_shape){from.shard_bits + (more == 0),
			                        from.copy_bits + (more == 1), 0};
			if (c->shape.shard_bits + c->shape.copy_bits > TUNE_MOST_BITS)
				continue;
			status = run(machine, c, &score);
			if (status != WEIR_OK || score.per_second < *per_second * TUNE_GAIN)
				continue;
			gained = 1;
			best = c->shape;
			*per_second = score.per_second;
		}
		c->shape = best;
	}
	return status;
}

/* The point at which a kind is tuned. */
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
	return kind->backs_off && !machine->tuned[primitive][kind->value].known;
}

weir_status weir_sim_tune(weir_sim_machine *machine, enum weir_primitive primitive, uint32_t kind,
                          weir_backoff *backoff)
{
	const weir_kind *row = weir_kind_find(primitive, kind);
	weir_sim_case c = tuning_case(machine, primitive, kind);
	weir_status status = WEIR_OK;

	if (!row || kind >= WEIR_SIM_KINDS)
		return weir_fail(WEIR_BAD_ARGUMENT, "no such kind: %u", kind);
	if (is_to_tune(machine, primitive, row))
		status = climb(machine, &c, &machine->tuned[primitive][kind].backoff);
	if (status == WEIR_OK)
		machine->tuned[primitive][kind].known = 1;
	*backoff = machine->tuned[primitive][kind].backoff;
	return status;
}

static int has_shape_to_find(const weir_kind *kind, uint32_t blocks)
{
	return kind->shaped == WEIR_SHAPED_BY_COUNTERS && blocks >= TUNE_SHAPE_BLOCKS;
}

/* The work of half the runs that tuning takes if it gains to the end. The mean over the kinds on the
 * built-in profiles is near that. */
static double tuning_work(weir_sim_machine *machine, enum weir_primitive primitive, uint32_t kind)
{
	weir_sim_case c = tuning_case(machine, primitive, kind);
	double work = 0;

	complete(machine, &c);
	for (weir_backoff b = {0, 0}; b.max <= TUNE_WIDEST; b = widen(machine, b))
		work += weir_sim_bench_work(&c) / 2;
	return work;
}

/* What a question is likely to take. */
static double question_work(weir_sim_machine *machine, const weir_kind *kind, weir_sim_case *c)
{
	double known;
	double work = 0;

	if (is_to_tune(machine, c->primitive, kind))
		work = tuning_work(machine, c->primitive, c->kind);
	complete(machine, c);
	if (!find(machine, c, &known))
		work += weir_sim_bench_work(c) *
		        (has_shape_to_find(kind, c->blocks) ? 1 + TUNE_MOST_BITS : 1);
	return work;
}

/* Marks as known what the answer to a question would make known. */
static void plan(weir_sim_machine *machine, const weir_kind *kind, const weir_sim_case *c)
{
	weir_sim_case tuned = tuning_case(machine, c->primitive, c->kind);
	double rate;

	if (is_to_tune(machine, c->primitive, kind) && !find(machine, &tuned, &rate))
		remember(machine, &tuned, 0);
	machine->tuned[c->primitive][c->kind].known = 1;
	if (!find(machine, c, &rate))
		remember(machine, c, 0);
}

static weir_status answer(weir_sim_machine *machine, const weir_kind *kind, weir_sim_case *c,
                          double *per_second)
{
	weir_sim_score score = {0};
	weir_status status = weir_sim_tune(machine, c->primitive, c->kind, &c->backoff);

	if (status != WEIR_OK || find(machine, c, per_second))
		return status;
	if (has_shape_to_find(kind, c->blocks)) {
		status = climb_shape(machine, c, per_second);
	} else {
		status = run(machine, c, &score);
		*per_second = score.per_second;
	}
	if (status == WEIR_OK)
		remember(machine, c, *per_second);
	return status;
}

weir_status weir_sim_rate(weir_sim_machine *machine, enum weir_primitive primitive, uint32_t kind,
                          uint32_t blocks, uint32_t initial, double *per_second)
{
	const weir_kind *row = weir_kind_find(primitive, kind);
	weir_sim_case c = {.primitive = primitive,
	                   .kind = kind,
	                   .blocks = blocks,
	                   .initial = initial,
	                   /* A barrier has one counter and no pause at first. */
	                   .has_shape = 1};

	*per_second = 0;
	if (!row || kind >= WEIR_SIM_KINDS)
		return weir_fail(WEIR_BAD_ARGUMENT, "no such kind: %u", kind);
	double work = question_work(machine, row, &c);
	machine->reported = 0;
	if (machine->planning) {
		plan(machine, row, &c);
		report(machine, work);
		return WEIR_OK;
	}
	weir_status status = answer(machine, row, &c, per_second);
	if (machine->watch.replan)
		machine->watch.replan(machine->watch.context, machine->reported - work);
	return status;
}

weir_status weir_sim_best(weir_sim_machine *machine, enum weir_primitive primitive, uint32_t blocks,
                          uint32_t initial, uint32_t *kind, double *per_second)
{
	double fastest = 0;

	*kind = 0;
	for (uint32_t i = 0; i < WEIR_SIM_KINDS; i++) {
		double rate = 0;
		if (weir_kind_find(primitive, i)) {
			weir_status status =
			    weir_sim_rate(machine, primitive, i, blocks, initial, &rate);
			if (status != WEIR_OK)
				return status;
		}
		if (per_second)
			per_second[i] = rate;
		if (rate > fastest) {
			fastest = rate;
			*kind = i;
		}
	}
	return WEIR_OK;
}
