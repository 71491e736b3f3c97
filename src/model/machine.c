/* The machine layer over the explorer. */
#include "model/machine.h"

#include <stddef.h>
#include <string.h>

#include "model/engine.h"
#include "model/memory.h"
#include "model/program.h"

#define UPPER_ONE ((uint64_t)1 << 32)

static weir_model_op make_op(weir_model_op_type type, weir_model_order order, uint32_t location,
                             uint64_t value, uint64_t expected, const weir_model_site *site)
{
	weir_model_op op = {.type = type,
	                    .order = order,
	                    .scope = WEIR_MODEL_DEVICE,
	                    .location = location,
	                    .value = value,
	                    .expected = expected,
	                    .site = site};

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

/* Writes drop the bits that the location cannot hold. An awaited value has 32 bits. */
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

/* Whether a store that was put off runs after this operation because both are in one function;
 * otherwise it runs before. */
static int flushes_late(const weir_model_thread *t, const weir_model_op *op)
{
	return !weir_model_syncs(op->type) &&
	       strcmp(t->late.site->function, op->site->function) == 0;
}

/* Only every second thread changes a load: if all did, the mutant might only count differently. */
static uint64_t change_of_result(const weir_model_engine *e, const weir_model_op *op)
{
	if (op->type == WEIR_OP_LOAD && e->current % 2 == 0)
		return 0;
	return e->setting.mutant_change == WEIR_MODEL_RESULT        ? 1
	       : e->setting.mutant_change == WEIR_MODEL_HIGH_RESULT ? UPPER_ONE
	                                                            : 0;
}

/* A step of a mutant's thread: the operation may be changed or put off, or a store that was put off
 * may run first. */
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

static inline uint32_t word_index(const weir_model_engine *e, const weir_word *w)
{
	return (uint32_t)(w - e->words);
}

/* Whether the word is plain data of a diagnosis. */
static inline int is_note(const weir_model_engine *e, const weir_word *w, weir_model_op_type type)
{
	uint32_t word = word_index(e, w);

	return word >= WEIR_MODEL_WORDS && word < WEIR_MODEL_ALL_WORDS &&
	       weir_model_note_is_plain(e, word, type);
}

static uint32_t access_note(weir_model_op_type type, const weir_word *w, uint32_t value,
                            uint32_t expected, const weir_model_site *site)
{
	weir_model_engine *e = weir_model_engine_;
	weir_model_op op = make_op(type, WEIR_MODEL_RLX, 0, value, expected, site);
	int is_mutant = e->setting.mutant_site == site;
	uint32_t old;

	if (e->setting.reached)
		tell_reached(e, site);
	if (is_mutant && e->setting.mutant_change == WEIR_MODEL_DROP)
		return 0;
	if (is_mutant)
		op = mutated(e, op);
	old = weir_model_note_access(e, &op, word_index(e, w));
	return is_mutant && e->setting.mutant_change == WEIR_MODEL_RESULT ? old + 1 : old;
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
	weir_model_op op;

	if (is_note(e, w, type))
		return access_note(type, w, value, expected, site);
	op = make_op(type, order, weir_model_location_at(e, w, type, 0, site), value, expected,
	             site);
	return (uint32_t)step(e, &op);
}

static uint64_t access_word64(weir_model_op_type type, weir_word64 *w, uint64_t value,
                              uint64_t expected, weir_model_order order,
                              const weir_model_site *site)
{
	weir_model_engine *e = weir_model_engine_;
	weir_model_op op = make_op(type, order, weir_model_location_at(e, w, type, 1, site), value,
	                           expected, site);

	return step(e, &op);
}

uint32_t weir_model_load_(weir_word *w, weir_model_order order, weir_model_scope scope,
                          const weir_model_site *site)
{
	weir_model_engine *e = weir_model_engine_;
	weir_model_op op;

	if (is_note(e, w, WEIR_OP_LOAD))
		return access_note(WEIR_OP_LOAD, w, 0, 0, site);
	op = make_op(WEIR_OP_LOAD, order, weir_model_location_at(e, w, WEIR_OP_LOAD, 0, site), 0, 0,
	             site);
	if (e->in_setup)
		return (uint32_t)e->locations[op.location].messages[0].value;
	op.scope = scope;
	return (uint32_t)step(e, &op);
}

void weir_model_store_(weir_word *w, uint32_t value, weir_model_order order, weir_model_scope scope,
                       const weir_model_site *site)
{
	weir_model_engine *e = weir_model_engine_;
	weir_model_op op;

	if (is_note(e, w, WEIR_OP_STORE)) {
		access_note(WEIR_OP_STORE, w, value, 0, site);
		return;
	}
	op = make_op(WEIR_OP_STORE, order, weir_model_location_at(e, w, WEIR_OP_STORE, 0, site),
	             value, 0, site);
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
		return e->locations[weir_model_location_at(e, w, WEIR_OP_LOAD, 1, site)]
		    .messages[0]
		    .value;
	return access_word64(WEIR_OP_LOAD, w, 0, 0, order, site);
}

void weir_model_store64_(weir_word64 *w, uint64_t value, weir_model_order order,
                         const weir_model_site *site)
{
	weir_model_engine *e = weir_model_engine_;

	if (e->in_setup)
		e->locations[weir_model_location_at(e, w, WEIR_OP_STORE, 1, site)]
		    .messages[0]
		    .value = value;
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

/* The first threads wait for all. The others only arrive; their next sync is of the whole block. */
void weir_model_block_sync_rel_(const weir_model_site *site)
{
	const weir_model_engine *e = weir_model_engine_;
	uint32_t threads = e->program.threads;
	uint32_t first = weir_model_first_threads_();
	weir_model_op op = make_op(WEIR_OP_SYNC_REL, WEIR_MODEL_ACQ_REL, 0, 0,
	                           first < threads ? first : threads, site);

	if (e->threads[e->current].thread >= first)
		op.type = WEIR_OP_ARRIVE;
	step(weir_model_engine_, &op);
}

void weir_model_team_sync_(uint32_t first, uint32_t threads, const weir_model_site *site)
{
	weir_model_op op = make_op(WEIR_OP_SYNC, WEIR_MODEL_ACQ_REL, 0, first, threads, site);

	step(weir_model_engine_, &op);
}

void weir_model_acquire_each_(weir_word *w, uint32_t apart, uint32_t bits,
                              const weir_model_site *site)
{
	weir_model_engine *e = weir_model_engine_;
	weir_model_op op = make_op(WEIR_OP_ACQUIRE_EACH, WEIR_MODEL_ACQ, 0, 0, 0, site);

	if (e->setting.polls == WEIR_MODEL_POLLS_FENCE) {
		weir_model_fence_(WEIR_MODEL_ACQ, site);
		return;
	}
	if (e->setting.polls == WEIR_MODEL_POLLS_ACQUIRE)
		op.type = WEIR_OP_LOAD;
	for (uint32_t i = 0; i >> bits == 0; i++) {
		op.location = weir_model_location_at(e, &w[i * apart], op.type, 0, site);
		step(e, &op);
	}
}

/* ---- the first threads ---- */

uint32_t weir_model_first_threads_(void)
{
	const weir_model_engine *e = weir_model_engine_;

	return e && e->program.first ? e->program.first
	                             : 1; /* called for sizes before the explorer runs */
}

uint32_t weir_model_first_bits_(void)
{
	return (uint32_t)__builtin_ctz(weir_model_first_threads_());
}

uint32_t weir_model_warp_threads_(void)
{
	uint32_t first = weir_model_first_threads_();

	return first > 2 ? first : 2;
}

uint32_t weir_model_parts_(uint32_t thread, uint32_t count)
{
	uint32_t first = weir_model_first_threads_();

	return thread < count ? (count - thread + first - 1) / first : 0;
}

/* The threads of the caller's warp that share work, by their numbers in the block. */
static void find_first(const weir_model_engine *e, uint32_t *first, uint32_t *count)
{
	uint32_t most = weir_model_first_threads_();
	uint32_t left;

	*first = e->threads[e->current].thread / most * most;
	left = e->program.threads - *first;
	*count = left < most ? left : most;
}

/* The first threads meet. Returns what each of them passed, and their number. */
static const uint32_t *meet(uint32_t value, uint32_t *count, const weir_model_site *site)
{
	weir_model_engine *e = weir_model_engine_;
	int self = e->current;
	uint32_t first;
	weir_model_op op;

	find_first(e, &first, count);
	op = make_op(WEIR_OP_MEET, WEIR_MODEL_RLX, 0, first, *count, site);
	e->threads[self].passes = value;
	if (*count > 1)
		step(e, &op);
	else
		e->met[self] = value;
	return &e->met[e->threads[self].block * e->program.threads + first];
}

uint32_t weir_model_first_value_(uint32_t value, uint32_t bits, const weir_model_site *site)
{
	return bits != 0 ? weir_model_first_get_(value, 0, site) : value;
}

uint32_t weir_model_first_sum_(uint32_t value, const weir_model_site *site)
{
	uint32_t count;
	const uint32_t *met = meet(value, &count, site);
	uint32_t sum = 0;

	for (uint32_t i = 0; i < count; i++)
		sum += met[i];
	return sum;
}

uint32_t weir_model_first_pick_(uint32_t value, uint32_t none, const weir_model_site *site)
{
	uint32_t count;
	const uint32_t *met = meet(value, &count, site);

	for (uint32_t i = 0; i < count; i++)
		if (met[i] != none)
			return met[i];
	return none;
}

uint32_t weir_model_first_ballot_(int condition, const weir_model_site *site)
{
	uint32_t count;
	const uint32_t *met = meet(condition != 0, &count, site);
	uint32_t bits = 0;

	for (uint32_t i = 0; i < count; i++)
		bits |= met[i] << i;
	return bits;
}

uint32_t weir_model_first_get_(uint32_t value, uint32_t thread, const weir_model_site *site)
{
	uint32_t count;
	const uint32_t *met = meet(value, &count, site);

	return met[thread % count];
}

void weir_model_first_sync_(const weir_model_site *site)
{
	uint32_t first;
	uint32_t count;

	find_first(weir_model_engine_, &first, &count);
	if (count > 1)
		weir_model_team_sync_(first, count, site);
}

/* ---- waits ---- */

/* Whether the thread now learns that the launch was aborted. It keeps this knowledge. */
static int sees_abort(weir_model_engine *e, int can_fail, const weir_model_site *site)
{
	weir_model_thread *t = &e->threads[e->current];
	weir_model_op op = make_op(WEIR_OP_CHOOSE, WEIR_MODEL_RLX, 0, 2, 0, site);

	if (!e->program.aborts || t->sees_abort)
		return t->sees_abort;
	if (e->in_grace)
		return e->is_aborted;
	if (weir_model_step(e, &op) == 0)
		return 0;
	t->sees_abort = 1;
	e->is_aborted = 1;
	weir_model_note_abort(can_fail);
	return 1;
}

/* The last attempt of an await that an abort ends. */
static weir_model_op_type as_attempt(weir_model_op_type type)
{
	return type == WEIR_OP_AWAIT_XCHG_EQ || type == WEIR_OP_AWAIT_XCHG_NE ? WEIR_OP_XCHG
	                                                                      : WEIR_OP_LOAD;
}

static uint32_t await(weir_model_op_type type, weir_word *w, uint32_t put, uint32_t want,
                      weir_model_order order, const weir_model_site *site)
{
	weir_model_check_said(site);
	if (sees_abort(weir_model_engine_, 0, site))
		type = as_attempt(type);
	return access_word(type, w, put, want, order, site);
}

void weir_model_await_eq_(weir_word *w, uint32_t value, const weir_model_site *site)
{
	await(WEIR_OP_AWAIT_EQ, w, 0, value, WEIR_MODEL_ACQ, site);
}

uint32_t weir_model_await_ge_(weir_word *w, uint32_t value, const weir_model_site *site)
{
	return await(WEIR_OP_AWAIT_GE, w, 0, value, WEIR_MODEL_ACQ, site);
}

uint32_t weir_model_await_ge_rlx_(weir_word *w, uint32_t value, const weir_model_site *site)
{
	return await(WEIR_OP_AWAIT_GE, w, 0, value, WEIR_MODEL_RLX, site);
}

void weir_model_await_high_ge_(weir_word64 *w, uint32_t value, const weir_model_site *site)
{
	weir_model_op_type type = WEIR_OP_AWAIT_HIGH_GE;

	weir_model_check_said(site);
	if (sees_abort(weir_model_engine_, 0, site))
		type = WEIR_OP_LOAD;
	access_word64(type, w, 0, value, WEIR_MODEL_ACQ, site);
}

uint32_t weir_model_await_xchg_eq_(weir_word *w, uint32_t put, uint32_t want,
                                   const weir_model_site *site)
{
	return await(WEIR_OP_AWAIT_XCHG_EQ, w, put, want, WEIR_MODEL_ACQ, site);
}

uint32_t weir_model_await_xchg_ne_(weir_word *w, uint32_t put, uint32_t avoid,
                                   const weir_model_site *site)
{
	return await(WEIR_OP_AWAIT_XCHG_NE, w, put, avoid, WEIR_MODEL_ACQ, site);
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

void weir_model_wait_again_(weir_wait *wait, const weir_model_site *site)
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
		weir_model_fail(e, WEIR_MODEL_CHECK,
		                "keeps waiting although its deadline has passed");
	if (t->sees_abort)
		weir_model_fail(e, WEIR_MODEL_CHECK,
		                "keeps waiting although the launch was aborted");
	if (!wait->has_asked)
		weir_model_fail(e, WEIR_MODEL_CHECK,
		                "keeps waiting without asking whether the launch was aborted");
	wait->has_asked = 0;
	if (wait->can_fail)
		weir_model_check_reached(site);
	else
		weir_model_check_said(site);
	weir_model_step(e, &op);
}

/* Another thread of the block makes its notes. This is a wait that an abort does not end. */
void weir_model_claim_begin_(void)
{
	weir_model_wait_begin_();
}

void weir_model_claim_again_(const weir_model_site *site)
{
	weir_model_op op = make_op(WEIR_OP_AGAIN, WEIR_MODEL_RLX, 0, 0, 0, site);

	weir_model_step(weir_model_engine_, &op);
}

int weir_model_wait_aborted_(weir_wait *wait, const weir_model_site *site)
{
	weir_model_engine *e = weir_model_engine_;

	if (e->setting.reached)
		tell_reached(e, site);
	if (e->setting.mutant_site == site)
		return 0; /* left out */
	wait->has_asked = 1;
	return sees_abort(e, (int)wait->can_fail, site);
}

int weir_model_wait_failed_(weir_wait *wait, const weir_model_site *site)
{
	if (!wait->can_fail)
		weir_model_fail(weir_model_engine_, WEIR_MODEL_CHECK,
		                "a wait that cannot fail asks for its result");
	return weir_model_wait_aborted_(wait, site);
}

weir_deadline weir_model_deadline_begin_(uint64_t ns)
{
	weir_deadline deadline = {ns == UINT64_MAX};

	weir_model_engine_->threads[weir_model_engine_->current].late_now = 0;
	return deadline;
}

uint32_t weir_model_choose_(uint32_t ways, const weir_model_site *site)
{
	weir_model_op op = make_op(WEIR_OP_CHOOSE, WEIR_MODEL_RLX, 0, ways, 0, site);
	weir_model_engine *e = weir_model_engine_;
	weir_model_thread *t = &e->threads[e->current];
	uint32_t way;

	/* Among threads that share work, only the first one's time counts. */
	if (t->thread % weir_model_first_threads_() != 0)
		return 0;
	way = (uint32_t)weir_model_step(e, &op);
	t->late_now |= way != 0;
	t->overdue |= way != 0;
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
