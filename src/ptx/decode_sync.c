/* Decoders of barriers, warp operations and control. */
#include <string.h>

#include "ptx/decode.h"

#define NONE PTX_NONE

static ptx_access *new_event(ptx_decoder *d, weir_ptx_kind kind, unsigned what)
{
	static ptx_access none;
	ptx_access *access = ptx_push(d->program->accesses);

	if (!access) {
		d->no_memory = true;
		return &none;
	}
	access->statement = (uint32_t)(d->s - d->module->statements.at);
	access->address = access->source = access->barrier = PTX_NO_SLOT;
	access->operation =
	    (weir_ptx_operation){.kind = kind,
	                         .what = (uint8_t)what,
	                         .type = (uint8_t)weir_ptx_type(d),
	                         .line = d->s->line,
	                         .index = d->program->accesses.count - 1,
	                         .flags = ptx_has(d->s, PTX_M_ALIGNED) ? WEIR_PTX_ALIGNED : 0};
	return access;
}

static bool emit_event(ptx_decoder *d, const uint32_t *in, uint32_t in_count, const uint32_t *out,
                       uint32_t out_count)
{
	uint32_t first_in, first_out;
	ptx_raw *raw;

	weir_ptx_list(d, in, in_count, &first_in);
	weir_ptx_list(d, out, out_count, &first_out);
	raw = weir_ptx_emit(d, PTX_X_EVENT, NONE, NONE, NONE, NONE);
	raw->x = d->program->accesses.count - 1;
	raw->in = first_in;
	raw->in_count = in_count;
	raw->out = first_out;
	raw->out_count = out_count;
	return !d->why;
}

/* --- Barriers ------------------------------------------------------------------------------------- */

static bool cluster_barrier(ptx_decoder *d)
{
	bool wait = ptx_has(d->s, PTX_M_WAIT);
	ptx_access *access =
	    new_event(d, wait ? WEIR_PTX_CLUSTER_WAIT : WEIR_PTX_CLUSTER_ARRIVE, 0);

	access->operation.order = wait                           ? WEIR_PTX_ACQUIRE
	                          : ptx_has(d->s, PTX_M_RELAXED) ? WEIR_PTX_RELAXED
	                                                         : WEIR_PTX_RELEASE;
	access->operation.scope = WEIR_PTX_SCOPE_CLUSTER;
	return emit_event(d, NULL, 0, NULL, 0);
}

/* bar.sync a{, b}; bar.arrive a, b; bar.red.op d, a{, b}, p. The inputs are a, b (0 for all) and p. */
bool weir_ptx_decode_bar(ptx_decoder *d)
{
	bool red = ptx_has(d->s, PTX_M_RED), arrive = ptx_has(d->s, PTX_M_ARRIVE);
	unsigned at = red ? 1 : 0, left;
	uint32_t in[3], out[1], result = NONE;
	ptx_bar_red what = PTX_BAR_PLAIN;
	ptx_access *access;

	if (ptx_has(d->s, PTX_M_CLUSTER))
		return cluster_barrier(d);
	if (ptx_has(d->s, PTX_M_WARP)) {
		in[0] = weir_ptx_in(d, 0, PTX_B32);
		access = new_event(d, WEIR_PTX_WARP_SYNC, PTX_WARP_BARRIER);
		access->operation.flags |= WEIR_PTX_HAS_MASK;
		in[1] = in[2] = weir_ptx_number(d, 0);
		return emit_event(d, (uint32_t[4]){in[1], in[1], in[1], in[0]}, 4, NULL, 0);
	}
	if (d->s->operands < at + 1 + red)
		return weir_ptx_refuse(d, "an operand is missing");
	left = d->s->operands - at - red;
	in[0] = weir_ptx_in(d, at, PTX_U32);
	in[1] = left > 1 ? weir_ptx_in(d, at + 1, PTX_U32) : weir_ptx_number(d, 0);
	in[2] = red ? weir_ptx_in(d, d->s->operands - 1u, PTX_PRED) : weir_ptx_number(d, 0);
	if (red) {
		result = weir_ptx_out(d, 0);
		what = ptx_has(d->s, PTX_M_POPC)  ? PTX_BAR_POPC
		       : ptx_has(d->s, PTX_M_AND) ? PTX_BAR_AND
		                                  : PTX_BAR_OR;
	}
	out[0] = result;
	access = new_event(d, arrive ? WEIR_PTX_BAR_ARRIVE : WEIR_PTX_BAR_SYNC, what);
	access->operation.flags |= left > 1 ? WEIR_PTX_COUNTED : 0;
	access->operation.flags |= d->s->opcode == PTX_OP_bar ? WEIR_PTX_ALIGNED : 0;
	return emit_event(d, in, 3, out, red ? 1 : 0);
}

/* --- Warp operations ------------------------------------------------------------------------------ */

bool weir_ptx_warp_op(ptx_decoder *d, ptx_exchange what, const uint32_t in[3], uint32_t mask,
                      uint32_t value, uint32_t predicate)
{
	ptx_access *access = new_event(d, WEIR_PTX_WARP_EXCHANGE, what);
	uint32_t zero = weir_ptx_number(d, 0);
	uint32_t all[4] = {in[0] == NONE ? zero : in[0], in[1] == NONE ? zero : in[1],
	                   in[2] == NONE ? zero : in[2], mask == NONE ? zero : mask};
	uint32_t out[2] = {value == NONE ? weir_ptx_temp(d) : value,
	                   predicate == NONE ? weir_ptx_temp(d) : predicate};

	access->operation.flags |= mask == NONE ? 0 : WEIR_PTX_HAS_MASK;
	return emit_event(d, all, 4, out, 2);
}

bool weir_ptx_emit_mma(ptx_decoder *d, const ptx_mma *mma, const uint32_t *in, uint32_t in_count,
                       const uint32_t *out, uint32_t out_count)
{
	ptx_access *access = new_event(d, WEIR_PTX_WARP_EXCHANGE, PTX_MULTIPLY);

	access->operation.flags |= WEIR_PTX_HAS_MASK;
	access->mma = *mma;
	return emit_event(d, in, in_count, out, out_count);
}

static bool has_second(const ptx_decoder *d)
{
	return d->s->operands > 1 && (d->o[1].flags & PTX_F_SECOND);
}

/* shfl.sync.mode.b32 d{|p}, a, b, c, mask */
bool weir_ptx_decode_shfl(ptx_decoder *d)
{
	static const ptx_modifier modes[] = {PTX_M_UP, PTX_M_DOWN, PTX_M_BFLY, PTX_M_IDX};
	int mode = weir_ptx_which(d->s, modes, 4);
	bool sync = ptx_has(d->s, PTX_M_SYNC);
	unsigned at = 1 + has_second(d);
	uint32_t in[3];

	if (mode < 0 || !weir_ptx_count(d, at + 3 + sync, at + 3 + sync))
		return weir_ptx_refuse(d, "this form is not supported");
	for (unsigned i = 0; i < 3; i++)
		in[i] = weir_ptx_in(d, at + i, PTX_B32);
	return weir_ptx_warp_op(d, PTX_SHFL_UP + (unsigned)mode, in,
	                        sync ? weir_ptx_in(d, at + 3, PTX_B32) : NONE, weir_ptx_out(d, 0),
	                        at == 2 ? weir_ptx_out(d, 1) : NONE);
}

/* vote.sync.mode d, p, mask */
bool weir_ptx_decode_vote(ptx_decoder *d)
{
	static const ptx_modifier modes[] = {PTX_M_ALL, PTX_M_ANY, PTX_M_UNI, PTX_M_BALLOT};
	int mode = weir_ptx_which(d->s, modes, 4);
	bool sync = ptx_has(d->s, PTX_M_SYNC);
	uint32_t in[3] = {weir_ptx_in(d, 1, PTX_PRED), NONE, NONE}, to = weir_ptx_out(d, 0);

	if (mode < 0 || !weir_ptx_count(d, 2u + sync, 2u + sync))
		return weir_ptx_refuse(d, "this form is not supported");
	return weir_ptx_warp_op(d, PTX_VOTE_ALL + (unsigned)mode, in,
	                        sync ? weir_ptx_in(d, 2, PTX_B32) : NONE, to, NONE);
}

bool weir_ptx_decode_match(ptx_decoder *d)
{
	bool all = ptx_has(d->s, PTX_M_ALL);
	unsigned at = 1 + has_second(d);
	uint32_t in[3] = {weir_ptx_in(d, at, weir_ptx_type(d)), NONE, NONE};

	if (weir_ptx_type(d) == PTX_B32 && !d->why) {
		uint32_t clean = weir_ptx_temp(d);
		weir_ptx_emit(d, PTX_X_ZX32, clean, in[0], NONE, NONE);
		in[0] = clean;
	}
	return weir_ptx_warp_op(d, all ? PTX_MATCH_ALL : PTX_MATCH_ANY, in,
	                        weir_ptx_in(d, at + 1, PTX_B32), weir_ptx_out(d, 0),
	                        at == 2 ? weir_ptx_out(d, 1) : NONE);
}

bool weir_ptx_decode_redux(ptx_decoder *d)
{
	static const ptx_modifier modes[] = {PTX_M_ADD, PTX_M_MIN, PTX_M_MAX,
	                                     PTX_M_AND, PTX_M_OR,  PTX_M_XOR};
	int mode = weir_ptx_which(d->s, modes, 6);
	uint32_t in[3] = {weir_ptx_in(d, 1, weir_ptx_type(d)), NONE, NONE}, magnitude;

	if (mode < 0 || (weir_ptx_type(d) == PTX_F32 && mode != 1 && mode != 2))
		return weir_ptx_refuse(d, "this form is not supported");
	if (ptx_has(d->s, PTX_M_ABS)) {
		magnitude = weir_ptx_temp(d);
		weir_ptx_emit(d, PTX_X_ABS_F32, magnitude, in[0], NONE, NONE);
		in[0] = magnitude;
	}
	if (ptx_has(d->s, PTX_M_NAN)) /* a NaN in any lane is the result */
		in[1] = weir_ptx_number(d, 1);
	return weir_ptx_warp_op(d, PTX_REDUX_ADD + (unsigned)mode, in, weir_ptx_in(d, 2, PTX_B32),
	                        weir_ptx_out(d, 0), NONE);
}

bool weir_ptx_decode_activemask(ptx_decoder *d)
{
	return weir_ptx_warp_op(d, PTX_ACTIVEMASK, (uint32_t[3]){NONE, NONE, NONE}, NONE,
	                        weir_ptx_out(d, 0), NONE);
}

/* elect.sync d|p, mask */
bool weir_ptx_decode_elect(ptx_decoder *d)
{
	if (!weir_ptx_count(d, 3, 3))
		return false;
	return weir_ptx_warp_op(d, PTX_ELECT, (uint32_t[3]){NONE, NONE, NONE},
	                        weir_ptx_in(d, 2, PTX_B32), weir_ptx_out(d, 0), weir_ptx_out(d, 1));
}

/* --- Control ------------------------------------------------------------------------------------------ */

/* A branch names a label until places are known: x is its statement. */
bool weir_ptx_decode_bra(ptx_decoder *d)
{
	const ptx_statement *s = d->s;
	ptx_op op = s->guard == NONE ? PTX_X_JUMP
	            : s->guard_not   ? PTX_X_JUMP_UNLESS
	                             : PTX_X_JUMP_IF;

	if (!weir_ptx_count(d, 1, 1) || d->o[0].kind != PTX_O_LABEL)
		return weir_ptx_refuse(d, "its target is not a label of the function");
	weir_ptx_emit(d, op, NONE, s->guard, NONE, NONE)->x =
	    d->module->labels.at[d->o[0].id].statement;
	return true;
}

/* brx.idx index, list */
bool weir_ptx_decode_brx(ptx_decoder *d)
{
	const ptx_label *list;
	uint32_t index, table = d->program->targets.count;

	if (!weir_ptx_count(d, 2, 2) || d->o[1].kind != PTX_O_LABEL)
		return weir_ptx_refuse(d, "its list of targets is missing");
	list = &d->module->labels.at[d->o[1].id];
	index = weir_ptx_in(d, 0, PTX_U32);
	for (uint32_t i = 0; i <= list->count; i++) {
		const ptx_operand *o = i ? &d->module->operands.at[list->targets + i - 1] : NULL;
		uint32_t *target = ptx_push(d->program->targets);
		if (!target) {
			d->no_memory = true;
			return false;
		}
		if (o && o->kind != PTX_O_LABEL)
			return weir_ptx_refuse(d, "its target is not a label of the function");
		*target = o ? d->module->labels.at[o->id].statement : list->count;
	}
	weir_ptx_emit(d, PTX_X_SWITCH, NONE, index, NONE, NONE)->x = table;
	return !d->why;
}

bool weir_ptx_decode_ret(ptx_decoder *d)
{
	bool exits = d->s->opcode == PTX_OP_exit || d->function->entry;

	weir_ptx_emit_imm(d, exits ? PTX_X_EXIT : PTX_X_RETURN, NONE, NONE, NONE, NONE,
	                  d->s->opcode == PTX_OP_exit);
	return true;
}

bool weir_ptx_decode_trap(ptx_decoder *d)
{
	weir_ptx_emit_imm(d, PTX_X_FAIL, NONE, NONE, NONE, NONE, WEIR_PTX_TRAP);
	return true;
}

bool weir_ptx_decode_nanosleep(ptx_decoder *d)
{
	uint32_t in = weir_ptx_in(d, 0, PTX_U32);

	new_event(d, WEIR_PTX_PAUSE, 0);
	return emit_event(d, &in, 1, NULL, 0);
}

bool weir_ptx_decode_alloca(ptx_decoder *d)
{
	switch (d->s->opcode) {
	case PTX_OP_alloca:
		if (!weir_ptx_count(d, 2, 3))
			return false;
		weir_ptx_emit(d, PTX_X_STACK_TAKE, weir_ptx_out(d, 0), weir_ptx_in(d, 1, PTX_U64),
		              NONE, NONE);
		break;
	case PTX_OP_stacksave:
		weir_ptx_emit(d, PTX_X_STACK_SAVE, weir_ptx_out(d, 0), NONE, NONE, NONE);
		break;
	default:
		weir_ptx_emit(d, PTX_X_STACK_BACK, NONE, weir_ptx_in(d, 0, PTX_U64), NONE, NONE);
	}
	return !d->why;
}
