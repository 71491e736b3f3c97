/* The machine layer over the explorer. */
#include "machine.h"

#include <stddef.h>
#include <string.h>

#include "engine.h"
#include "memory.h"
#include "program.h"

#define UPPER_ONE ((uint64_t)1 << 32)

static weir_model_op make_op(weir_model_op_type type, weir_model_order order, uint32_t location,
                             uint64_t value, uint64_t expected, const weir_model_site *site)
{
	weir_model_op op = {type, order, WEIR_MODEL_DEVICE, location, value, expected, site};

	return op;
}

static void tell_reached(weir_model_engine *e, const weir_model_site *site)
{
	const weir_model_thread *t = &e->threads[e->current];
	const weir_model_site *before = t->op.site;

	if (before && strcmp(before->function, site->function) != 0)
		before = NULL;
	e->setting.reached(e->setting.reached_context, site, before);
}

/* A write cuts off the bits that the location cannot hold. An awaited value has 32 bits. */
static void mutate_value(weir_model_op *op, uint64_t by)
{
	if (weir_model_is_await(op->type))
		op->expected = (uint32_t)(op->expected + by);
	else
		op->value += by;
}

static weir_model_op mutated(const weir_model_engine *e, weir_model_op op)
{
	switch (e->setting.mutant_change) {
	case WEIR_MODEL_TO_RLX:
		op.order = WEIR_MODEL_RLX;
		break;
	case WEIR_MODEL_TO_ACQ:
		op.order = WEIR_MODEL_ACQ;
		break;
	case WEIR_MODEL_TO_REL:
		op.order = WEIR_MODEL_REL;
		break;
	case WEIR_MODEL_VALUE:
		mutate_value(&op, 1);
		break;
	case WEIR_MODEL_LESS:
		mutate_value(&op, (uint64_t)-1);
		break;
	case WEIR_MODEL_HIGH:
		mutate_value(&op, UPPER_ONE);
		break;
	case WEIR_MODEL_UNSIGNED:
		op.type = op.type == WEIR_OP_AWAIT_HIGH_GE ? WEIR_OP_AWAIT_HIGH_GE_UNSIGNED
		                                           : WEIR_OP_AWAIT_GE_UNSIGNED;
		break;
	case WEIR_MODEL_STORE:
		op.type = WEIR_OP_STORE;
		break;
	default:
		break;
	}
	return op;
}

/* Whether a store that was put off goes after this operation, since both are in one function; else
 * it goes before. */
static int flushes_late(const weir_model_thread *t, const weir_model_op *op)
{
	return op->type != WEIR_OP_SYNC && strcmp(t->late.site->function, op->site->function) == 0;
}

/* Only every second thread changes a load: if all did, it might only be another way to count. */
static uint64_t change_of_result(const weir_model_engine *e, const weir_model_op *op)
{
	if (op->type == WEIR_OP_LOAD && e->current % 2 == 0)
		return 0;
	return e->setting.mutant_change == WEIR_MODEL_RESULT        ? 1
	       : e->setting.mutant_change == WEIR_MODEL_HIGH_RESULT ? UPPER_ONE
	                                                            : 0;
}

/* A step of a mutant's thread: the operation may be changed, put off, or come after one that was. */
static uint64_t changed_step(weir_model_engine *e, weir_model_op op, int is_mutant)
{
	weir_model_thread *t = &e->threads[e->current];
	uint64_t result;

	if (is_mutant) {
		weir_model_change change = e->setting.mutant_change;
		op = mutated(e, op);
		if (change == WEIR_MODEL_LATE)
			t->late = op;
		if (change == WEIR_MODEL_LATE || change == WEIR_MODEL_DROP)
			return 0;
	}
	if (t->late.type != WEIR_OP_NONE) {
		weir_model_op late = t->late;
		int after = flushes_late(t, &op);
		t->late.type = WEIR_OP_NONE;
		if (!after)
			weir_model_step(e, &late);
		result = weir_model_step(e, &op);
		if (after)
			weir_model_step(e, &late);
	} else {
		result = weir_model_step(e, &op);
	}
	return is_mutant ? result + change_of_result(e, &op) : result;
}

static inline uint64_t step(weir_model_engine *e, const weir_model_op *op)
{
	int is_mutant = e->setting.mutant_site == op->site;

	if (e->setting.reached)
		tell_reached(e, op->site);
	if (is_mutant || e->threads[e->current].late.type != WEIR_OP_NONE)
		return changed_step(e, *op, is_mutant);
	return weir_model_step(e, op);
}

void weir_model_end_launch_(uint32_t fault, uint32_t kind, const weir_model_site *site)
{
	weir_model_take_fault_(fault, kind);
	weir_model_fail(weir_model_engine_, WEIR_MODEL_CHECK,
	                "%s ends the launch: the kernel has no kind %u", site->function, kind);
}

static uint32_t access_word(weir_model_op_type type, weir_word *w, uint32_t value,
                            uint32_t expected, weir_model_order order, const weir_model_site *site)
{
	weir_model_engine *e = weir_model_engine_;
	weir_model_op op =
	    make_op(type, order, weir_model_location_at(e, w, 0, site), value, expected, site);

	return (uint32_t)step(e, &op);
}

static uint64_t access_word64(weir_model_op_type type, weir_word64 *w, uint64_t value,
                              uint64_t expected, weir_model_order order,
                              const weir_model_site *site)
{
	weir_model_engine *e = weir_model_engine_;
	weir_model_op op =
	    make_op(type, order, weir_model_location_at(e, w, 1, site), value, expected, site);

	return step(e, &op);
}

uint32_t weir_model_load_(weir_word *w, weir_model_order order, weir_model_scope scope,
                          const weir_model_site *site)
{
	weir_model_engine *e = weir_model_engine_;
	weir_model_op op =
	    make_op(WEIR_OP_LOAD, order, weir_model_location_at(e, w, 0, site), 0, 0, site);

	if (e->in_setup)
		return (uint32_t)e->locations[op.location].messages[0].value;
	op.scope = scope;
	return (uint32_t)step(e, &op);
}

void weir_model_store_(weir_word *w, uint32_t value, weir_model_order order, weir_model_scope scope,
                       const weir_model_site *site)
{
	weir_model_engine *e = weir_model_engine_;
	weir_model_op op =
	    make_op(WEIR_OP_STORE, order, weir_model_location_at(e, w, 0, site), value, 0, site);

	if (e->in_setup) {
		e->locations[op.location].messages[0].value = value;
		return;
	}
	op.scope = scope;
	step(e, &op);
}

uint32_t weir_model_xchg_(weir_word *w, uint32_t value, weir_model_order order,
                          const weir_model_site *site)
{
	return access_word(WEIR_OP_XCHG, w, value, 0, order, site);
}

uint32_t weir_model_add_(weir_word *w, uint32_t addend, weir_model_order order,
                         const weir_model_site *site)
{
	return access_word(WEIR_OP_ADD, w, addend, 0, order, site);
}

uint32_t weir_model_cas_(weir_word *w, uint32_t expected, uint32_t value, weir_model_order order,
                         const weir_model_site *site)
{
	return access_word(WEIR_OP_CAS, w, value, expected, order, site);
}

void weir_model_red_(weir_word *w, uint32_t addend, weir_model_order order,
                     const weir_model_site *site)
{
	access_word(WEIR_OP_RED, w, addend, 0, order, site);
}

uint64_t weir_model_load64_(weir_word64 *w, weir_model_order order, const weir_model_site *site)
{
	weir_model_engine *e = weir_model_engine_;

	if (e->in_setup)
		return e->locations[weir_model_location_at(e, w, 1, site)].messages[0].value;
	return access_word64(WEIR_OP_LOAD, w, 0, 0, order, site);
}

void weir_model_store64_(weir_word64 *w, uint64_t value, weir_model_order order,
                         const weir_model_site *site)
{
	weir_model_engine *e = weir_model_engine_;

	if (e->in_setup)
		e->locations[weir_model_location_at(e, w, 1, site)].messages[0].value = value;
	else
		access_word64(WEIR_OP_STORE, w, value, 0, order, site);
}

uint64_t weir_model_add64_(weir_word64 *w, uint64_t addend, weir_model_order order,
                           const weir_model_site *site)
{
	return access_word64(WEIR_OP_ADD, w, addend, 0, order, site);
}

uint64_t weir_model_cas64_(weir_word64 *w, uint64_t expected, uint64_t value,
                           weir_model_order order, const weir_model_site *site)
{
	return access_word64(WEIR_OP_CAS, w, value, expected, order, site);
}

void weir_model_red64_(weir_word64 *w, uint64_t addend, weir_model_order order,
                       const weir_model_site *site)
{
	access_word64(WEIR_OP_RED, w, addend, 0, order, site);
}

void weir_model_fence_(weir_model_order order, const weir_model_site *site)
{
	weir_model_op op = make_op(WEIR_OP_FENCE, order, 0, 0, 0, site);

	if (!weir_model_engine_->in_setup)
		step(weir_model_engine_, &op);
}

void weir_model_block_sync_(const weir_model_site *site)
{
	weir_model_team_sync_(0, weir_model_engine_->program.threads, site);
}

void weir_model_team_sync_(uint32_t first, uint32_t threads, const weir_model_site *site)
{
	weir_model_op op = make_op(WEIR_OP_SYNC, WEIR_MODEL_ACQ_REL, 0, first, threads, site);

	step(weir_model_engine_, &op);
}

void weir_model_await_eq_(weir_word *w, uint32_t value, const weir_model_site *site)
{
	access_word(WEIR_OP_AWAIT_EQ, w, 0, value, WEIR_MODEL_ACQ, site);
}

uint32_t weir_model_await_ge_(weir_word *w, uint32_t value, const weir_model_site *site)
{
	return access_word(WEIR_OP_AWAIT_GE, w, 0, value, WEIR_MODEL_ACQ, site);
}

uint32_t weir_model_await_ge_rlx_(weir_word *w, uint32_t value, const weir_model_site *site)
{
	return access_word(WEIR_OP_AWAIT_GE, w, 0, value, WEIR_MODEL_RLX, site);
}

void weir_model_await_high_ge_(weir_word64 *w, uint32_t value, const weir_model_site *site)
{
	access_word64(WEIR_OP_AWAIT_HIGH_GE, w, 0, value, WEIR_MODEL_ACQ, site);
}

uint32_t weir_model_await_xchg_eq_(weir_word *w, uint32_t put, uint32_t want,
                                   const weir_model_site *site)
{
	return access_word(WEIR_OP_AWAIT_XCHG_EQ, w, put, want, WEIR_MODEL_ACQ, site);
}

uint32_t weir_model_await_xchg_ne_(weir_word *w, uint32_t put, uint32_t avoid,
                                   const weir_model_site *site)
{
	return access_word(WEIR_OP_AWAIT_XCHG_NE, w, put, avoid, WEIR_MODEL_ACQ, site);
}

weir_wait weir_model_wait_begin_(void)
{
	weir_model_engine *e = weir_model_engine_;
	weir_model_attempt *attempt = &e->threads[e->current].attempt;
	weir_wait wait = {0};

	if (e->in_grace)
		weir_model_fail(e, WEIR_MODEL_PASS, "the wait is over");
	e->threads[e->current].overdue = 0;
	attempt->open = 1;
	attempt->count = 0;
	attempt->overflow = 0;
	attempt->opaque = 0;
	return wait;
}

void weir_model_wait_again_(const weir_model_site *site)
{
	weir_model_engine *e = weir_model_engine_;
	weir_model_thread *t = &e->threads[e->current];
	weir_model_op op = make_op(WEIR_OP_AGAIN, WEIR_MODEL_RLX, 0, 0, 0, site);

	if (t->late.type != WEIR_OP_NONE) {
		weir_model_op late = t->late;
		t->late.type = WEIR_OP_NONE;
		weir_model_step(e, &late);
	}
	if (t->overdue)
		weir_model_fail(e, WEIR_MODEL_CHECK, "waits on, though its deadline is over");
	weir_model_step(e, &op);
}

weir_deadline weir_model_deadline_begin_(void)
{
	weir_deadline deadline = {0};

	weir_model_engine_->threads[weir_model_engine_->current].late_now = 0;
	return deadline;
}

uint32_t weir_model_choose_(uint32_t ways, const weir_model_site *site)
{
	weir_model_op op = make_op(WEIR_OP_CHOOSE, WEIR_MODEL_RLX, 0, ways, 0, site);
	uint32_t way = (uint32_t)weir_model_step(weir_model_engine_, &op);

	weir_model_engine_->threads[weir_model_engine_->current].late_now |= way != 0;
	weir_model_engine_->threads[weir_model_engine_->current].overdue |= way != 0;
	return way;
}

uint32_t weir_model_block_id_(void)
{
	const weir_model_engine *e = weir_model_engine_;

	return e->program.first_block + e->threads[e->current].block;
}

uint32_t weir_model_block_count_(void)
{
	return weir_model_engine_->program.blocks;
}

uint32_t weir_model_thread_id_(void)
{
	return weir_model_engine_->threads[weir_model_engine_->current].thread;
}

uint32_t weir_model_thread_count_(void)
{
	return weir_model_engine_->program.threads;
}

uint32_t weir_model_cluster_size_(void)
{
	uint32_t cluster = weir_model_engine_->program.cluster;

	return cluster ? cluster : 1;
}
