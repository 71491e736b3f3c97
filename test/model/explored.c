#include "explored.h"

#include <stdlib.h>
#include <string.h>

#include "model/engine.h"
#include "model/memory.h"
#include "model/program.h"
#include "weir/machine.h"

typedef struct run {
	const small_program *p;
	explored *x;
	int thread_of[WEIR_MODEL_THREADS]; /* the program's, for each of the explorer's; -1: none */
	small_state state;
	int no_memory;
} run;

/* ---- the operations ---- */

static weir_word *word_at(uint32_t word)
{
	return weir_model_memory() + word;
}

static const weir_model_site *site_of(small_type type)
{
	static const weir_model_site sites[] = {
	    {"", "", "ld", "word", 0},     {"", "", "st", "word", 0}, {"", "", "atom", "word", 0},
	    {"", "", "red", "word", 0},    {"", "", "fence", "", 0},  {"", "", "bar.sync", "", 0},
	    {"", "", "bar.arrive", "", 0}, {"", "", "loop", "", 0}};

	return &sites[type < SMALL_SET ? type : SMALL_SET];
}

static uint64_t compute(const weir_model_op *op, uint64_t old)
{
	return small_calculate((small_calc)op->expected, (uint32_t)old, (uint32_t)op->value);
}

static uint32_t operand(const run *r, uint32_t thread, small_value value)
{
	return value.is_register ? r->state.registers[thread][value.value] : value.value;
}

static void make_atomic(weir_model_op *op, const small_op *from, uint32_t a, uint32_t b)
{
	op->value = a;
	if (from->calc == SMALL_EXCH) {
		op->type = WEIR_OP_XCHG;
	} else if (from->calc == SMALL_CAS) {
		op->type = WEIR_OP_CAS;
		op->expected = a;
		op->value = b;
	} else {
		op->type = from->type == SMALL_RED ? WEIR_OP_RED : WEIR_OP_ADD;
		op->compute = compute;
		op->expected = from->calc;
	}
}

static uint32_t access(run *r, uint32_t thread, const small_op *from)
{
	static const weir_model_order orders[] = {WEIR_MODEL_RLX,     WEIR_MODEL_RLX,
	                                          WEIR_MODEL_ACQ,     WEIR_MODEL_REL,
	                                          WEIR_MODEL_ACQ_REL, WEIR_MODEL_SC};
	weir_model_engine *e = weir_model_engine_;
	weir_model_op op = {.order = orders[from->order],
	                    .scope = from->order == SMALL_WEAK
	                                 ? WEIR_MODEL_PLAIN
	                                 : (weir_model_scope)(from->scope + WEIR_MODEL_BLOCK),
	                    .site = site_of(from->type)};
	uint32_t a = operand(r, thread, from->a);

	switch (from->type) {
	case SMALL_LOAD:
		op.type = WEIR_OP_LOAD;
		break;
	case SMALL_STORE:
		op.type = WEIR_OP_STORE;
		op.value = a;
		break;
	case SMALL_FENCE:
		op.type = WEIR_OP_FENCE;
		break;
	case SMALL_SYNC:
	case SMALL_ARRIVE:
		op.type = from->type == SMALL_SYNC ? WEIR_OP_BARRIER : WEIR_OP_BARRIER_ARRIVE;
		op.value = from->word;
		op.expected = from->count;
		for (uint32_t t = 0; t < r->p->threads && from->count == 0; t++)
			op.expected += r->p->thread[t].block == r->p->thread[thread].block;
		break;
	default:
		make_atomic(&op, from, a, operand(r, thread, from->b));
		break;
	}
	if (from->type < SMALL_FENCE)
		op.location = weir_model_location_at(e, word_at(from->word), op.type, 0, op.site);
	return (uint32_t)weir_model_step(e, &op);
}

static int is_loop_head(const small_thread *text, uint32_t number)
{
	for (uint32_t i = number; i < text->ops; i++)
		if ((text->op[i].type == SMALL_BRANCH || text->op[i].type == SMALL_JUMP) &&
		    text->op[i].target == number)
			return 1;
	return 0;
}

/* Returns to the start of a loop whose attempt failed. */
static void again(weir_wait *wait)
{
	if (!weir_model_wait_aborted_(wait, site_of(SMALL_SET)))
		weir_model_wait_again_(wait, site_of(SMALL_SET));
}

static void run_thread(run *r, uint32_t thread)
{
	const small_thread *text = &r->p->thread[thread];
	uint32_t *registers = r->state.registers[thread];
	weir_wait wait = {0};
	uint32_t head = SMALL_OPS;

	for (uint32_t at = 0; at < text->ops;) {
		const small_op *op = &text->op[at];
		uint32_t next = at + 1;
		if (head != at && is_loop_head(text, at)) {
			head = at;
			wait = weir_model_wait_begin_();
		}
		if (op->type == SMALL_SET) {
			registers[op->to] = small_calculate(op->calc, operand(r, thread, op->a),
			                                    operand(r, thread, op->b));
		} else if (op->type == SMALL_JUMP ||
		           (op->type == SMALL_BRANCH &&
		            small_calculate(op->calc, operand(r, thread, op->a),
		                            operand(r, thread, op->b)))) {
			next = op->target;
			if (next <= at)
				again(&wait);
		} else if (op->type != SMALL_BRANCH) {
			uint32_t result = access(r, thread, op);
			if (op->to != SMALL_NOWHERE)
				registers[op->to] = result;
		}
		at = next;
	}
}

/* ---- executions ---- */

static void setup(void *context)
{
	run *r = context;

	for (uint32_t w = 0; w < r->p->words; w++)
		weir_store_rlx(word_at(w), r->p->initial[w]);
	memset(&r->state, 0, sizeof r->state);
	memcpy(r->state.registers, r->p->registers, sizeof r->state.registers);
}

static void body(void *context)
{
	run *r = context;
	uint32_t self =
	    weir_model_block_id_() * weir_model_thread_count_() + weir_model_thread_id_();

	if (r->thread_of[self] >= 0)
		run_thread(r, (uint32_t)r->thread_of[self]);
}

static void complete(void *context)
{
	run *r = context;
	explored *x = r->x;

	for (uint32_t w = 0; w < r->p->words; w++)
		r->state.words[w] = weir_model_final(word_at(w));
	for (uint32_t i = 0; i < x->count; i++)
		if (memcmp(&x->states[i], &r->state, sizeof r->state) == 0)
			return;
	if (x->count == x->room) {
		uint32_t room = x->room ? 2 * x->room : 64;
		small_state *states = realloc(x->states, room * sizeof *states);
		if (!states) {
			r->no_memory = 1;
			return;
		}
		x->states = states;
		x->room = room;
	}
	x->states[x->count++] = r->state;
}

int explored_run(const small_program *p, weir_model_search search, unsigned broken, explored *x)
{
	run r = {.p = p, .x = x};
	weir_model_program program = {
	    .setup = setup, .body = body, .complete = complete, .context = &r, .is_ptx = 1};
	/* A loop may see a value that does not last. */
	small_grid grid;
	weir_model_setting setting = {.search = search, .broken = broken | WEIR_MODEL_BROKEN_WAKES};

	memset(x, 0, sizeof *x);
	grid = small_place(p);
	if (grid.blocks * grid.threads > WEIR_MODEL_THREADS) {
		x->refused = "too many threads in a regular grid";
		return 0;
	}
	program.blocks = grid.blocks;
	program.threads = grid.threads;
	program.cluster = grid.cluster;
	program.device = grid.device / grid.cluster;
	memset(r.thread_of, -1, sizeof r.thread_of);
	for (uint32_t t = 0; t < p->threads; t++)
		r.thread_of[grid.slot[t]] = (int)t;
	if (weir_model_explore(&program, &setting, &x->outcome) != 0 || r.no_memory) {
		explored_free(x);
		return -1;
	}
	return 0;
}

void explored_free(explored *x)
{
	weir_model_outcome_free(&x->outcome);
	free(x->states);
	memset(x, 0, sizeof *x);
}

static int has_state(const explored *x, const small_state *state)
{
	for (uint32_t i = 0; i < x->count; i++)
		if (memcmp(&x->states[i], state, sizeof *state) == 0)
			return 1;
	return 0;
}

const char *explored_compare(const explored *x, const axioms_result *result)
{
	weir_model_verdict verdict = x->outcome.verdict;
	uint32_t found = 0;

	if (result->hangs)
		return verdict == WEIR_MODEL_DEADLOCK ? NULL : "the explorer finds no deadlock";
	if (result->races)
		return verdict == WEIR_MODEL_RACE ? NULL : "the explorer finds no race";
	if (verdict != WEIR_MODEL_PASS)
		return x->outcome.message;
	for (uint32_t i = 0; i < result->count; i++) {
		if (!result->outcomes[i].is_plain)
			continue;
		if (!has_state(x, &result->outcomes[i].state))
			return "the explorer misses an outcome";
		found++;
	}
	return found == x->count ? NULL : "the explorer finds an outcome that is not allowed";
}
