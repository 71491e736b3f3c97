/* Slots for registers: liveness over the control flow of a function, then a scan over the intervals in
 * which registers live. Few slots keep a thread small, and that keeps many threads in the cache. */
#include <stdlib.h>
#include <string.h>

#include "ptx/decode.h"
#include "ptx/exec.h"

#define NONE PTX_NONE
#define MOST_IDLE 64 /* operations that a branch may leave out without any effect */

typedef struct flow {
	ptx_decoder *d;
	uint32_t operations, blocks, words;
	uint32_t *block_of; /* of each operation */
	uint32_t *start;    /* of each block, and one more */
	uint32_t *global;   /* of each register: its bit, or NONE if it lives inside a block only */
	uint32_t *register_of;
	uint32_t globals;
	uint64_t *in, *out, *reads, *kills;
	uint32_t *low, *high, *slot;
	uint8_t *matters; /* registers whose value can change more than the length of a pause */
} flow;

static bool is_jump(uint32_t op)
{
	return op >= PTX_X_JUMP && op <= PTX_X_JUMP_UNLESS;
}

static bool ends_block(const ptx_raw *raw)
{
	return is_jump(raw->op) || raw->op == PTX_X_SWITCH || raw->op == PTX_X_RETURN ||
	       raw->op == PTX_X_EXIT || raw->op == PTX_X_FAIL;
}

static bool falls_through(const ptx_raw *raw)
{
	return raw->guarded || !ends_block(raw) || raw->op == PTX_X_JUMP_IF ||
	       raw->op == PTX_X_JUMP_UNLESS;
}

/* The registers that an operation reads or writes, constants left out: at most PTX_INPUTS + 64. */
typedef struct references {
	uint32_t at[PTX_INPUTS + 64 + 3];
	uint32_t count;
} references;

static void refer(references *r, uint32_t x)
{
	if (x != NONE && !(x & (PTX_CONSTANT | PTX_LOCALS)) &&
	    r->count < sizeof r->at / sizeof *r->at)
		r->at[r->count++] = x;
}

static references reads_of(const ptx_decoder *d, const ptx_raw *raw)
{
	references r;

	r.count = 0;
	refer(&r, raw->a);
	refer(&r, raw->b);
	refer(&r, raw->c);
	for (uint32_t i = 0; i < raw->in_count; i++)
		refer(&r, d->lists.at[raw->in + i]);
	return r;
}

static references writes_of(const ptx_decoder *d, const ptx_raw *raw)
{
	references r;

	r.count = 0;
	refer(&r, raw->d);
	refer(&r, raw->e);
	for (uint32_t i = 0; i < raw->out_count; i++)
		refer(&r, d->lists.at[raw->out + i]);
	return r;
}

/* Under a guard a write may not happen; but a temporary is always written where it is read. */
static bool kills(const flow *f, const ptx_raw *raw, uint32_t x)
{
	return !raw->guarded || (x >= f->d->function->registers && x != f->d->carry);
}

/* --- Blocks ---------------------------------------------------------------------------------------- */

/* Statements to operations, in branches and tables. */
static void resolve_targets(flow *f)
{
	ptx_decoder *d = f->d;
	uint32_t first = d->function->statements;

	for (uint32_t i = 0; i < f->operations; i++) {
		ptx_raw *raw = &d->raw.at[i];
		if (is_jump(raw->op)) {
			raw->x = d->first_raw[raw->x - first];
		} else if (raw->op == PTX_X_SWITCH) {
			uint32_t *table = &d->program->targets.at[raw->x];
			for (uint32_t t = 1; t <= table[0]; t++)
				table[t] = d->first_raw[table[t] - first];
		}
	}
}

static void mark_targets(flow *f, uint8_t *leads)
{
	const ptx_decoder *d = f->d;

	leads[0] = 1;
	for (uint32_t i = 0; i < f->operations; i++) {
		const ptx_raw *raw = &d->raw.at[i];
		if (is_jump(raw->op)) {
			leads[raw->x] = 1;
		} else if (raw->op == PTX_X_SWITCH) {
			const uint32_t *table = &d->program->targets.at[raw->x];
			for (uint32_t t = 1; t <= table[0]; t++)
				leads[table[t]] = 1;
		}
		if (ends_block(raw) && i + 1 < f->operations)
			leads[i + 1] = 1;
	}
}

static bool find_blocks(flow *f)
{
	uint8_t *leads = calloc(f->operations + 1, 1);

	f->block_of = malloc((f->operations + 1) * sizeof *f->block_of);
	f->start = malloc((f->operations + 2) * sizeof *f->start);
	if (leads && f->block_of && f->start) {
		mark_targets(f, leads);
		for (uint32_t i = 0; i < f->operations; i++) {
			if (leads[i])
				f->start[f->blocks++] = i;
			f->block_of[i] = f->blocks - 1;
		}
		f->start[f->blocks] = f->operations;
	}
	free(leads);
	return leads && f->block_of && f->start;
}

/* --- Liveness ---------------------------------------------------------------------------------------- */

/* Registers that a block reads before it writes them have a bit. */
static bool find_globals(flow *f)
{
	const ptx_decoder *d = f->d;
	uint32_t count = d->registers + 1;
	uint32_t *written = malloc(count * sizeof *written); /* in which block last */

	f->global = malloc(count * sizeof *f->global);
	f->register_of = malloc(count * sizeof *f->register_of);
	if (!written || !f->global || !f->register_of) {
		free(written);
		return false;
	}
	memset(written, 0xff, count * sizeof *written);
	memset(f->global, 0xff, count * sizeof *f->global);
	for (uint32_t i = 0; i < f->operations; i++) {
		references r = reads_of(d, &d->raw.at[i]), w = writes_of(d, &d->raw.at[i]);
		for (uint32_t k = 0; k < r.count; k++)
			if (written[r.at[k]] != f->block_of[i] && f->global[r.at[k]] == NONE) {
				f->register_of[f->globals] = r.at[k];
				f->global[r.at[k]] = f->globals++;
			}
		for (uint32_t k = 0; k < w.count; k++)
			if (kills(f, &d->raw.at[i], w.at[k]))
				written[w.at[k]] = f->block_of[i];
	}
	free(written);
	return true;
}

static void set_bit(uint64_t *set, uint32_t bit)
{
	set[bit / 64] |= UINT64_C(1) << (bit % 64);
}

static bool has_bit(const uint64_t *set, uint32_t bit)
{
	return set[bit / 64] >> (bit % 64) & 1;
}

static void summarize(flow *f)
{
	const ptx_decoder *d = f->d;

	for (uint32_t i = 0; i < f->operations; i++) {
		size_t at = (size_t)f->block_of[i] * f->words;
		references r = reads_of(d, &d->raw.at[i]), w = writes_of(d, &d->raw.at[i]);
		for (uint32_t k = 0; k < r.count; k++) {
			uint32_t bit = f->global[r.at[k]];
			if (bit != NONE && !has_bit(f->kills + at, bit))
				set_bit(f->reads + at, bit);
		}
		for (uint32_t k = 0; k < w.count; k++)
			if (f->global[w.at[k]] != NONE && kills(f, &d->raw.at[i], w.at[k]))
				set_bit(f->kills + at, f->global[w.at[k]]);
	}
}

static void join(flow *f, uint64_t *out, uint32_t block)
{
	const uint64_t *in = f->in + (size_t)block * f->words;

	for (uint32_t w = 0; w < f->words; w++)
		out[w] |= in[w];
}

static bool update_block(flow *f, uint32_t block)
{
	const ptx_raw *last = &f->d->raw.at[f->start[block + 1] - 1];
	size_t at = (size_t)block * f->words;
	uint64_t *out = f->out + at;
	bool changed = false;

	if (falls_through(last) && block + 1 < f->blocks)
		join(f, out, block + 1);
	if (is_jump(last->op))
		join(f, out, f->block_of[last->x]);
	if (last->op == PTX_X_SWITCH) {
		const uint32_t *table = &f->d->program->targets.at[last->x];
		for (uint32_t t = 1; t <= table[0]; t++)
			join(f, out, f->block_of[table[t]]);
	}
	for (uint32_t w = 0; w < f->words; w++) {
		uint64_t in = f->reads[at + w] | (out[w] & ~f->kills[at + w]);
		changed |= in != f->in[at + w];
		f->in[at + w] = in;
	}
	return changed;
}

static bool find_live(flow *f)
{
	size_t bytes;

	if (!find_blocks(f) || !find_globals(f))
		return false;
	f->words = f->globals / 64 + 1;
	bytes = (size_t)f->blocks * f->words + 1;
	f->in = calloc(bytes, 8);
	f->out = calloc(bytes, 8);
	f->reads = calloc(bytes, 8);
	f->kills = calloc(bytes, 8);
	if (!f->in || !f->out || !f->reads || !f->kills)
		return false;
	summarize(f);
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t block = f->blocks; block--;)
			changed |= update_block(f, block);
	}
	return true;
}

/* --- Slots ------------------------------------------------------------------------------------------- */

/* Operation i reads at 2i and writes at 2i + 1, so a result may take the slot of an operand. */
static void stretch(flow *f, uint32_t x, uint32_t at)
{
	if (at < f->low[x])
		f->low[x] = at;
	if (at > f->high[x] || f->high[x] == NONE)
		f->high[x] = at;
}

static void find_intervals(flow *f)
{
	const ptx_decoder *d = f->d;

	for (uint32_t i = 0; i < f->operations; i++) {
		references r = reads_of(d, &d->raw.at[i]), w = writes_of(d, &d->raw.at[i]);
		for (uint32_t k = 0; k < r.count; k++)
			stretch(f, r.at[k], 2 * i);
		for (uint32_t k = 0; k < w.count; k++)
			stretch(f, w.at[k], 2 * i + 1);
	}
	for (uint32_t block = 0; block < f->blocks; block++)
		for (uint32_t bit = 0; bit < f->globals; bit++) {
			size_t at = (size_t)block * f->words;
			if (has_bit(f->in + at, bit))
				stretch(f, f->register_of[bit], 2 * f->start[block]);
			if (has_bit(f->out + at, bit))
				stretch(f, f->register_of[bit], 2 * f->start[block + 1] - 1);
		}
}

/* Parameters in registers live from the start, and results to the end. */
static void keep_formals(flow *f)
{
	const ptx_function *function = f->d->function;
	uint32_t first[2] = {function->params, function->returns};
	uint32_t count[2] = {function->param_count, function->return_count};

	for (int list = 0; list < 2; list++)
		for (uint32_t i = 0; i < count[list]; i++) {
			const ptx_variable *v = &f->d->module->variables.at[first[list] + i];
			if (v->in_register) {
				stretch(f, (uint32_t)v->address, 0);
				stretch(f, (uint32_t)v->address, 2 * f->operations - 1);
			}
		}
}

/* `next` threads lists of registers: those that begin at a place, and those that end there. */
static bool scan(flow *f, uint32_t *slots)
{
	uint32_t count = f->d->registers, places = 2 * f->operations + 2, free_count = 0;
	uint32_t *begin = malloc(places * sizeof *begin), *end = malloc(places * sizeof *end);
	uint32_t *next_begin = malloc((count + 1) * sizeof *next_begin);
	uint32_t *next_end = malloc((count + 1) * sizeof *next_end),
		 *spare = malloc((count + 1) * sizeof *spare);
	bool done = begin && end && next_begin && next_end && spare;

	if (done) {
		memset(begin, 0xff, places * sizeof *begin);
		memset(end, 0xff, places * sizeof *end);
	}
	for (uint32_t x = 0; done && x < count; x++) {
		if (f->low[x] == NONE)
			continue;
		next_begin[x] = begin[f->low[x]];
		begin[f->low[x]] = x;
		next_end[x] = end[f->high[x]];
		end[f->high[x]] = x;
	}
	for (uint32_t at = 0; done && at < places; at++) {
		for (uint32_t x = at ? end[at - 1] : NONE; x != NONE; x = next_end[x])
			spare[free_count++] = f->slot[x];
		for (uint32_t x = begin[at]; x != NONE; x = next_begin[x])
			f->slot[x] = free_count ? spare[--free_count] : (*slots)++;
	}
	free(begin);
	free(end);
	free(next_begin);
	free(next_end);
	free(spare);
	return done;
}

static bool give_slots(flow *f, uint32_t *slots)
{
	size_t bytes = (f->d->registers + 1) * sizeof(uint32_t);

	f->low = malloc(bytes);
	f->high = malloc(bytes);
	f->slot = malloc(bytes);
	if (!f->low || !f->high || !f->slot)
		return false;
	memset(f->low, 0xff, bytes);
	memset(f->high, 0xff, bytes);
	memset(f->slot, 0xff, bytes);
	find_intervals(f);
	keep_formals(f);
	*slots = 1 + f->d->constants.count;
	return scan(f, slots);
}

static uint16_t slot_of(const flow *f, uint32_t x)
{
	if (x == NONE)
		return 0;
	if (x == PTX_LOCALS)
		return 0;
	if (x & PTX_CONSTANT)
		return (uint16_t)(1 + (x & ~PTX_CONSTANT));
	return (uint16_t)f->slot[x];
}

/* --- Loops ------------------------------------------------------------------------------------------- */

static bool is_pause(const ptx_decoder *d, const ptx_raw *raw)
{
	return raw->op == PTX_X_EVENT &&
	       d->program->accesses.at[raw->x].operation.kind == WEIR_PTX_PAUSE;
}

/* Whether an operation does nothing but give its results, which may fail for none of its operands. */
static bool only_computes(const ptx_raw *raw)
{
	return raw->op < PTX_PURE_OPS || raw->op == PTX_X_NOP;
}

/* Whether the operations from `first` to before `end` only pass time: what they compute does not matter, and they lead
 * nowhere else than to `end`. */
static bool is_idle(const flow *f, uint32_t first, uint32_t end)
{
	if (end - first > MOST_IDLE)
		return false;
	for (uint32_t i = first; i < end; i++) {
		const ptx_raw *raw = &f->d->raw.at[i];
		references w = writes_of(f->d, raw);
		if (is_jump(raw->op)
		        ? raw->x < first || raw->x > end
		        : !only_computes(raw) && raw->op != PTX_X_CLOCK && !is_pause(f->d, raw))
			return false;
		for (uint32_t k = 0; k < w.count; k++)
			if (f->matters[w.at[k]])
				return false;
	}
	return true;
}

/* A branch around or back to operations that only pass time. */
static bool is_of_pause(const flow *f, uint32_t i)
{
	const ptx_raw *raw = &f->d->raw.at[i];

	if (raw->op != PTX_X_JUMP_IF && raw->op != PTX_X_JUMP_UNLESS)
		return false;
	return raw->x <= i ? is_idle(f, raw->x, i + 1) : is_idle(f, i + 1, raw->x);
}

static bool find_what_matters(flow *f)
{
	const ptx_decoder *d = f->d;

	f->matters = calloc(d->registers + 1, 1);
	if (!f->matters)
		return false;
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t i = f->operations; i--;) {
			const ptx_raw *raw = &d->raw.at[i];
			references r, w;
			bool matters = !only_computes(raw) && !is_pause(d, raw) &&
			               raw->op != PTX_X_CLOCK && !is_of_pause(f, i);

			w = writes_of(d, raw);
			for (uint32_t k = 0; k < w.count && !matters; k++)
				matters = f->matters[w.at[k]];
			if (!matters)
				continue;
			r = reads_of(d, raw);
			for (uint32_t k = 0; k < r.count; k++) {
				changed |= !f->matters[r.at[k]];
				f->matters[r.at[k]] = 1;
			}
		}
	}
	return true;
}

/* The loop with this head, made if it is new: what is live there, and whether it reads a clock. */
static uint32_t loop_at(flow *f, uint32_t head, uint32_t last, uint32_t first_loop, uint32_t entry)
{
	ptx_program *program = f->d->program;
	const uint64_t *in = f->in + (size_t)f->block_of[head] * f->words;
	uint32_t index = first_loop;
	bool idle = is_idle(f, head, last + 1); /* a pause itself ends by what only matters to it */
	ptx_loop *loop;

	while (index < program->loops.count && program->loops.at[index].head != entry + head)
		index++;
	if (index == program->loops.count) {
		loop = ptx_push(program->loops);
		if (!loop)
			return NONE;
		*loop = (ptx_loop){.head = entry + head, .first = program->live.count};
		for (uint32_t bit = 0; bit < f->globals; bit++) {
			uint16_t *live;
			if (!has_bit(in, bit) || !(idle || f->matters[f->register_of[bit]]))
				continue;
			live = ptx_push(program->live);
			if (!live)
				return NONE;
			*live = slot_of(f, f->register_of[bit]);
		}
		loop->count = program->live.count - loop->first;
	}
	for (uint32_t i = head; i <= last; i++)
		program->loops.at[index].clocked |= f->d->raw.at[i].op == PTX_X_CLOCK;
	return index;
}

/* Whether an explorer compares threads that are at this operation: a strong access, or the operation that a thread reaches next
 * after one or in another block. */
static bool is_compared(const flow *f, const ptx_raw *raw, bool *is_first)
{
	const weir_ptx_operation *o;
	bool is_strong, was_first = *is_first;

	if (raw->op < PTX_X_LOAD_GLOBAL_U8 ||
	    (raw->op >= PTX_X_LOAD_LOCAL_U8 && raw->op <= PTX_X_LOAD_LOCAL_S32) ||
	    (raw->op >= PTX_X_STORE_LOCAL_8 && raw->op <= PTX_X_STORE_LOCAL_64))
		return false;
	o = &f->d->program->accesses.at[raw->x].operation;
	is_strong =
	    (o->kind == WEIR_PTX_LOAD || o->kind == WEIR_PTX_STORE || o->kind == WEIR_PTX_RMW) &&
	    o->order != WEIR_PTX_WEAK;
	*is_first = is_strong || o->kind == WEIR_PTX_PAUSE;
	return is_strong || was_first;
}

static bool push_live(flow *f, uint32_t x)
{
	uint16_t *live;

	if (!f->matters[x])
		return true;
	live = ptx_push(f->d->program->live);
	if (live)
		*live = slot_of(f, x);
	return live != NULL;
}

/* What is live before operation `at`: a walk backwards from the end of its block. */
static bool find_live_at(flow *f, uint32_t at, ptx_access *access)
{
	const ptx_decoder *d = f->d;
	uint32_t block = f->block_of[at];
	const uint64_t *out = f->out + (size_t)block * f->words;
	uint64_t *live = calloc(d->registers / 64 + 1, 8);
	bool done = live != NULL;

	for (uint32_t bit = 0; done && bit < f->globals; bit++)
		if (has_bit(out, bit))
			set_bit(live, f->register_of[bit]);
	for (uint32_t i = f->start[block + 1]; done && i-- > at;) {
		references r = reads_of(d, &d->raw.at[i]), w = writes_of(d, &d->raw.at[i]);
		for (uint32_t k = 0; k < w.count; k++)
			if (kills(f, &d->raw.at[i], w.at[k]))
				live[w.at[k] / 64] &= ~(UINT64_C(1) << (w.at[k] % 64));
		for (uint32_t k = 0; k < r.count; k++)
			set_bit(live, r.at[k]);
	}
	access->live = d->program->live.count;
	for (uint32_t x = 0; done && x < d->registers; x++)
		done = !has_bit(live, x) || push_live(f, x);
	access->live_count = d->program->live.count - access->live;
	access->has_live = 1;
	free(live);
	return done;
}

/* A loop that only reads a clock and computes is a pause: its clock runs faster. */
static void hasten(const flow *f, uint32_t head, uint32_t last, uint32_t entry)
{
	for (uint32_t i = head; i <= last; i++) {
		uint16_t op = f->d->raw.at[i].op;
		if (op >= PTX_PURE_OPS && op != PTX_X_CLOCK && !is_jump(op))
			return;
	}
	for (uint32_t i = head; i < last; i++)
		if (f->d->raw.at[i].op == PTX_X_CLOCK)
			f->d->program->code.at[entry + i].imm |= PTX_CLOCK_OF_PAUSE;
}

/* --- Code -------------------------------------------------------------------------------------------- */

static void fill_access(const flow *f, const ptx_raw *raw)
{
	const ptx_decoder *d = f->d;
	ptx_access *access = &d->program->accesses.at[raw->x];
	bool load = raw->op >= PTX_X_LOAD_GLOBAL_U8 && raw->op <= PTX_X_LOAD_LOCAL_S32;
	bool store = raw->op >= PTX_X_STORE_GLOBAL_8 && raw->op <= PTX_X_STORE_LOCAL_64;

	if (raw->a != NONE)
		access->address = slot_of(f, raw->a);
	if (load || store) {
		access->inputs = store;
		access->outputs = load;
		access->input[0] = store ? slot_of(f, raw->b) : 0;
		access->output[0] = load ? slot_of(f, raw->d) : 0;
		return;
	}
	if (raw->b != NONE)
		access->source = slot_of(f, raw->b);
	if (raw->c != NONE)
		access->barrier = slot_of(f, raw->c);
	access->inputs = (uint8_t)raw->in_count;
	access->outputs = (uint8_t)raw->out_count;
	for (uint32_t i = 0; i < raw->in_count; i++)
		access->input[i] = slot_of(f, d->lists.at[raw->in + i]);
	for (uint32_t i = 0; i < raw->out_count; i++)
		access->output[i] = slot_of(f, d->lists.at[raw->out + i]);
}

static void fill_call(const flow *f, const ptx_raw *raw)
{
	ptx_call *call = &f->d->program->calls.at[raw->x];

	for (uint32_t i = 0; i < call->argument_count; i++)
		if (call->arguments[i].from_slot)
			call->arguments[i].from =
			    slot_of(f, f->d->lists.at[raw->in + call->arguments[i].from]);
	for (uint32_t i = 0; i < call->result_count; i++)
		if (call->results[i].to_slot)
			call->results[i].to =
			    slot_of(f, f->d->lists.at[raw->out + call->results[i].to]);
}

static bool emit_code(flow *f, uint32_t entry)
{
	ptx_decoder *d = f->d;
	ptx_program *program = d->program;
	uint32_t first_loop = program->loops.count;
	bool is_first = false;

	for (uint32_t i = 0; i < f->operations; i++) {
		const ptx_raw *raw = &d->raw.at[i];
		ptx_code *code = ptx_push(program->code);
		uint32_t *statement = ptx_push(program->statement);

		is_first |= f->start[f->block_of[i]] == i;
		if (!code || !statement)
			return false;
		*statement = raw->statement;
		*code = (ptx_code){.d = slot_of(f, raw->d),
		                   .a = slot_of(f, raw->a),
		                   .b = slot_of(f, raw->b),
		                   .c = slot_of(f, raw->c),
		                   .e = slot_of(f, raw->e),
		                   .op = raw->op,
		                   .x = raw->x,
		                   .imm = raw->imm};
		if (is_jump(raw->op)) {
			code->x = raw->x - i;
			if (raw->x <= i) {
				uint32_t loop = loop_at(f, raw->x, i, first_loop, entry);
				if (loop == NONE)
					return false;
				code->op = (uint16_t)(raw->op - PTX_X_JUMP + PTX_X_BACK);
				code->imm = loop;
				hasten(f, raw->x, i, entry);
			}
		} else if (raw->op == PTX_X_SWITCH) {
			uint32_t *table = &program->targets.at[raw->x];
			for (uint32_t t = 1; t <= table[0]; t++)
				table[t] += entry;
		} else if (raw->op == PTX_X_CALL || raw->op == PTX_X_CALL_BY) {
			fill_call(f, raw);
		} else if (raw->op >= PTX_X_LOAD_GLOBAL_U8) {
			fill_access(f, raw);
			if (is_compared(f, raw, &is_first) &&
			    !find_live_at(f, i, &program->accesses.at[raw->x]))
				return false;
		}
		weir_ptx_link(code);
	}
	return true;
}

/* Where parameters and results lie in the callee. */
static bool fill_formals(const flow *f, uint32_t first, uint32_t count, ptx_formal **formals)
{
	*formals = count ? calloc(count, sizeof **formals) : NULL;
	if (count && !*formals)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		const ptx_variable *v = &f->d->module->variables.at[first + i];
		uint32_t slot = v->in_register ? f->slot[v->address] : 0;
		(*formals)[i] =
		    (ptx_formal){v->in_register, v->in_register ? slot : f->d->local_of[first + i],
		                 v->in_register ? 8 : (uint32_t)v->bytes};
	}
	return true;
}

static bool fill_routine(flow *f, uint32_t slots)
{
	ptx_decoder *d = f->d;
	ptx_routine *routine = &d->program->routines.at[d->routine];
	uint32_t entry = d->program->code.count;

	routine->entry = entry;
	routine->slots = slots;
	routine->constants = d->constants.count;
	routine->local_bytes = d->locals;
	routine->constant = malloc((d->constants.count + 1) * sizeof *routine->constant);
	if (!routine->constant)
		return false;
	if (d->constants.count)
		memcpy(routine->constant, d->constants.at,
		       d->constants.count * sizeof *routine->constant);
	if (!d->function->entry) {
		routine->param_count = d->function->param_count;
		routine->return_count = d->function->return_count;
		if (!fill_formals(f, d->function->params, d->function->param_count,
		                  &routine->params) ||
		    !fill_formals(f, d->function->returns, d->function->return_count,
		                  &routine->returns))
			return false;
	}
	if (!emit_code(f, entry))
		return false;
	d->program->routines.at[d->routine].end = d->program->code.count;
	return true;
}

bool weir_ptx_place_slots(ptx_decoder *d)
{
	flow f = {.d = d, .operations = d->raw.count};
	uint32_t slots = 0;
	bool done;

	resolve_targets(&f);
	done = find_live(&f) && find_what_matters(&f) && give_slots(&f, &slots);
	for (uint32_t i = 0; done && i < f.operations; i++)
		d->program->clock_matters |= d->raw.at[i].op == PTX_X_CLOCK &&
		                             (d->raw.at[i].imm & 0xff) != PTX_S_CLOCK_HI &&
		                             f.matters[d->raw.at[i].d];
	if (done && slots > UINT16_MAX - 1) {
		/* More registers than a frame can have: the function fails when it is called. */
		d->raw.count = f.operations = 1;
		d->raw.at[0] = (ptx_raw){.op = PTX_X_FAIL,
		                         .d = NONE,
		                         .e = NONE,
		                         .a = NONE,
		                         .b = NONE,
		                         .c = NONE,
		                         .statement = d->function->statements,
		                         .imm = WEIR_PTX_UNSUPPORTED};
		d->constants.count = 0;
		slots = 1;
	}
	done = done && fill_routine(&f, slots);
	free(f.block_of);
	free(f.start);
	free(f.global);
	free(f.register_of);
	free(f.in);
	free(f.out);
	free(f.reads);
	free(f.kills);
	free(f.low);
	free(f.high);
	free(f.slot);
	free(f.matters);
	return done;
}
