/* Decoders of loads, stores, atomics, fences, mbarriers and asynchronous copies. */
#include "ptx/decode.h"

#define NONE PTX_NONE

/* The registers of an operand: one, those of a vector, or the two of a b128. */
typedef struct registers {
	uint32_t at[PTX_INPUTS];
	uint32_t count;
} registers;

static bool add_register(ptx_decoder *d, registers *r, const ptx_operand *o, ptx_type type,
                         bool written)
{
	uint32_t x;

	if (r->count + 2 > PTX_INPUTS)
		return weir_ptx_refuse(d, "too many operands");
	x = written ? weir_ptx_def(d, o) : weir_ptx_use(d, o, type);
	r->at[r->count++] = x;
	if (type == PTX_B128) {
		if (written && o->kind == PTX_O_SINK)
			x = weir_ptx_temp(d) - 1;
		r->at[r->count++] = o->flags & PTX_F_WIDE || o->kind == PTX_O_SINK ? x + 1 : x;
		if (!(o->flags & PTX_F_WIDE) && o->kind != PTX_O_SINK)
			return weir_ptx_refuse(d, "a register of 128 bits was expected");
	}
	return !d->why;
}

static bool add_operand(ptx_decoder *d, registers *r, unsigned i, ptx_type type, bool written)
{
	const ptx_operand *o = &d->o[i];

	if (i >= d->s->operands)
		return weir_ptx_refuse(d, "an operand is missing");
	if (o->kind != PTX_O_VECTOR)
		return add_register(d, r, o, type, written);
	for (uint32_t k = 0; k < o->count; k++)
		if (!add_register(d, r, &d->module->operands.at[o->id + k], type, written))
			return false;
	return true;
}

/* --- Orders, scopes and spaces ------------------------------------------------------------------- */

static weir_ptx_scope scope_of(const ptx_statement *s, weir_ptx_scope otherwise)
{
	if (ptx_has(s, PTX_M_CTA))
		return WEIR_PTX_SCOPE_CTA;
	if (ptx_has(s, PTX_M_CLUSTER))
		return WEIR_PTX_SCOPE_CLUSTER;
	if (ptx_has(s, PTX_M_GPU) || ptx_has(s, PTX_M_GL))
		return WEIR_PTX_SCOPE_GPU;
	return ptx_has(s, PTX_M_SYS) ? WEIR_PTX_SCOPE_SYS : otherwise;
}

static weir_ptx_order order_of(const ptx_statement *s, weir_ptx_order otherwise)
{
	if (ptx_has(s, PTX_M_ACQ_REL))
		return WEIR_PTX_ACQ_REL;
	if (ptx_has(s, PTX_M_ACQUIRE))
		return WEIR_PTX_ACQUIRE;
	if (ptx_has(s, PTX_M_RELEASE))
		return WEIR_PTX_RELEASE;
	if (ptx_has(s, PTX_M_RELAXED) || ptx_has(s, PTX_M_VOLATILE) || ptx_has(s, PTX_M_MMIO))
		return WEIR_PTX_RELAXED;
	return ptx_has(s, PTX_M_SC) ? WEIR_PTX_SC : otherwise;
}

static bool is_shared(const ptx_statement *s)
{
	return ptx_has(s, PTX_M_SHARED) || ptx_has(s, PTX_M_SHARED_CTA) ||
	       ptx_has(s, PTX_M_SHARED_CLUSTER);
}

static weir_ptx_space space_of(const ptx_statement *s)
{
	if (is_shared(s))
		return WEIR_PTX_SHARED;
	if (ptx_has(s, PTX_M_GLOBAL))
		return WEIR_PTX_GLOBAL;
	if (ptx_has(s, PTX_M_LOCAL))
		return WEIR_PTX_LOCAL;
	if (ptx_has(s, PTX_M_CONST))
		return WEIR_PTX_CONST;
	return ptx_has(s, PTX_M_PARAM) || ptx_has(s, PTX_M_PARAM_ENTRY) ||
	               ptx_has(s, PTX_M_PARAM_FUNC)
	           ? WEIR_PTX_PARAM
	           : WEIR_PTX_GENERIC;
}

static unsigned elements(const ptx_statement *s)
{
	return ptx_has(s, PTX_M_V8) ? 8 : ptx_has(s, PTX_M_V4) ? 4 : ptx_has(s, PTX_M_V2) ? 2 : 1;
}

/* Creates a ptx_access with the properties that the modifiers give; other code refers to it by its
 * number. */
static ptx_access *new_access(ptx_decoder *d, weir_ptx_kind kind, ptx_type type)
{
	static ptx_access none;
	ptx_access *access = ptx_push(d->program->accesses);
	const ptx_statement *s = d->s;

	if (!access) {
		d->no_memory = true;
		return &none;
	}
	access->statement = (uint32_t)(s - d->module->statements.at);
	access->address = access->source = access->barrier = PTX_NO_SLOT;
	access->is_signed = weir_ptx_types[type].class == 's';
	access->is_wide = type == PTX_B128;
	access->operation =
	    (weir_ptx_operation){.kind = kind,
	                         .order = order_of(s, WEIR_PTX_WEAK),
	                         .space = space_of(s),
	                         .type = (uint8_t)type,
	                         .size = (uint8_t)ptx_bytes(type),
	                         .count = (uint8_t)elements(s),
	                         .line = s->line,
	                         .index = d->program->accesses.count - 1,
	                         .flags = (ptx_has(s, PTX_M_VOLATILE) ? WEIR_PTX_VOLATILE : 0) |
	                                  (ptx_has(s, PTX_M_ALIGNED) ? WEIR_PTX_ALIGNED : 0)};
	if (access->operation.order != WEIR_PTX_WEAK)
		access->operation.scope = scope_of(
		    s, ptx_has(s, PTX_M_VOLATILE) ? WEIR_PTX_SCOPE_SYS : WEIR_PTX_SCOPE_GPU);
	if (access->operation.space == WEIR_PTX_CONST || ptx_has(s, PTX_M_NC))
		access->operation.proxy = WEIR_PTX_PROXY_CONSTANT;
	return access;
}

static uint32_t last_access(const ptx_decoder *d)
{
	return d->program->accesses.count - 1;
}

/* Emits ACCESS or EVENT for the newest access. */
static ptx_raw *emit_access(ptx_decoder *d, ptx_op op, uint32_t address, const registers *in,
                            const registers *out)
{
	ptx_raw *raw;
	uint32_t first_in = 0, first_out = 0;

	if (in)
		weir_ptx_list(d, in->at, in->count, &first_in);
	if (out)
		weir_ptx_list(d, out->at, out->count, &first_out);
	raw = weir_ptx_emit(d, op, NONE, address, NONE, NONE);
	raw->x = last_access(d);
	raw->in = first_in;
	raw->in_count = in ? in->count : 0;
	raw->out = first_out;
	raw->out_count = out ? out->count : 0;
	return raw;
}

/* --- Loads and stores ---------------------------------------------------------------------------- */

static ptx_op fast_load(weir_ptx_space space, const ptx_access *access)
{
	static const ptx_op ops[3][7] = {
#define ROW(name)                                                                                  \
	{PTX_X_LOAD_##name##_U8,  PTX_X_LOAD_##name##_U16, PTX_X_LOAD_##name##_U32,                \
	 PTX_X_LOAD_##name##_U64, PTX_X_LOAD_##name##_S8,  PTX_X_LOAD_##name##_S16,                \
	 PTX_X_LOAD_##name##_S32}
	    ROW(GLOBAL), ROW(SHARED), ROW(LOCAL)
#undef ROW
	};
	unsigned size = access->operation.size;
	unsigned at = size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3;

	return ops[space == WEIR_PTX_SHARED  ? 1
	           : space == WEIR_PTX_LOCAL ? 2
	                                     : 0][access->is_signed && at < 3 ? at + 4 : at];
}

static ptx_op fast_store(weir_ptx_space space, unsigned size)
{
	static const ptx_op ops[3][4] = {
	    {PTX_X_STORE_GLOBAL_8, PTX_X_STORE_GLOBAL_16, PTX_X_STORE_GLOBAL_32,
	     PTX_X_STORE_GLOBAL_64},
	    {PTX_X_STORE_SHARED_8, PTX_X_STORE_SHARED_16, PTX_X_STORE_SHARED_32,
	     PTX_X_STORE_SHARED_64},
	    {PTX_X_STORE_LOCAL_8, PTX_X_STORE_LOCAL_16, PTX_X_STORE_LOCAL_32, PTX_X_STORE_LOCAL_64},
	};

	return ops[space == WEIR_PTX_SHARED  ? 1
	           : space == WEIR_PTX_LOCAL ? 2
	                                     : 0][size == 1   ? 0
	                                          : size == 2 ? 1
	                                          : size == 4 ? 2
	                                                      : 3];
}

/* ld.param of a kernel's own parameter: an operation for each element. */
static bool load_param(ptx_decoder *d, ptx_type type, uint64_t offset, const registers *out)
{
	static const ptx_op unsigned_ops[] = {PTX_X_PARAM_U8, PTX_X_PARAM_U16, PTX_X_PARAM_U32,
	                                      PTX_X_PARAM_U64};
	static const ptx_op signed_ops[] = {PTX_X_PARAM_S8, PTX_X_PARAM_S16, PTX_X_PARAM_S32,
	                                    PTX_X_PARAM_U64};
	unsigned size = type == PTX_B128 ? 8 : ptx_bytes(type);
	unsigned at = size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3;

	for (uint32_t i = 0; i < out->count; i++) {
		if (offset + size > d->function->param_bytes)
			return weir_ptx_refuse(d, "it reads beyond the kernel's parameters");
		weir_ptx_emit_imm(
		    d, weir_ptx_types[type].class == 's' ? signed_ops[at] : unsigned_ops[at],
		    out->at[i], NONE, NONE, NONE, (int64_t)offset);
		offset += size;
	}
	return true;
}

/* Parameters of functions and calls are locals of the frame. */
static bool resolve_param(ptx_decoder *d, const ptx_operand *o, ptx_access *access)
{
	const ptx_operand *inner = &d->module->operands.at[o->id];

	if (access->operation.space != WEIR_PTX_PARAM)
		return true;
	if (inner->kind == PTX_O_VARIABLE) {
		uint32_t base;
		int64_t offset;
		if (!weir_ptx_variable_at(d, inner->id, &base, &offset))
			return false;
		access->operation.space = base == PTX_LOCALS ? WEIR_PTX_LOCAL : WEIR_PTX_PARAM;
	} else if (!d->function->entry) {
		access->operation.space = WEIR_PTX_LOCAL;
	}
	return true;
}

void weir_ptx_emit_load(ptx_decoder *d, ptx_type type, uint32_t address, uint32_t to)
{
	ptx_access *access = new_access(d, WEIR_PTX_LOAD, type);
	weir_ptx_space space = access->operation.space;

	weir_ptx_emit(d, fast_load(space, access), to, address, NONE, NONE)->x = last_access(d);
}

void weir_ptx_emit_store(ptx_decoder *d, ptx_type type, uint32_t address, uint32_t from)
{
	ptx_access *access = new_access(d, WEIR_PTX_STORE, type);
	weir_ptx_space space = access->operation.space;

	weir_ptx_emit(d, fast_store(space, access->operation.size), NONE, address, from, NONE)->x =
	    last_access(d);
}

bool weir_ptx_decode_ld(ptx_decoder *d)
{
	ptx_type type = weir_ptx_type(d);
	registers out = {.count = 0};
	ptx_access *access;
	weir_ptx_space space;
	uint32_t base;
	int64_t offset;

	if (type == PTX_NO_TYPE || d->s->operands < 2 || !add_operand(d, &out, 0, type, true))
		return weir_ptx_refuse(d, "it needs a type, a register and an address");
	if (out.count != elements(d->s) * (type == PTX_B128 ? 2u : 1u))
		return weir_ptx_refuse(d, "the vector has the wrong length");
	if (!weir_ptx_address(d, &d->o[1], &base, &offset))
		return false;
	access = new_access(d, WEIR_PTX_LOAD, type);
	access->offset = offset;
	if (!resolve_param(d, &d->o[1], access))
		return false;
	space = access->operation.space;
	if (space == WEIR_PTX_PARAM && (base & PTX_CONSTANT) &&
	    d->module->operands.at[d->o[1].id].kind == PTX_O_VARIABLE) {
		uint64_t at =
		    d->constants.at[base & ~PTX_CONSTANT] - PTX_PARAM_WINDOW + (uint64_t)offset;
		d->program->accesses.count--;
		return load_param(d, type, at, &out);
	}
	if (access->operation.order == WEIR_PTX_WEAK && out.count == 1 && space != WEIR_PTX_PARAM &&
	    !(space == WEIR_PTX_SHARED && ptx_has(d->s, PTX_M_SHARED_CLUSTER))) {
		ptx_raw *raw = weir_ptx_emit_imm(d, fast_load(space, access), out.at[0], base, NONE,
		                                 NONE, offset);
		raw->x = last_access(d);
		return true;
	}
	emit_access(d, PTX_X_ACCESS, base, NULL, &out);
	return true;
}

static ptx_copy copy_kind(const ptx_decoder *d)
{
	return d->s->opcode == PTX_OP_st ? PTX_COPY_STORE : PTX_COPY_RED;
}

static int rmw_of(const ptx_statement *s)
{
	static const ptx_modifier kinds[] = {PTX_M_ADD,  PTX_M_INC, PTX_M_DEC, PTX_M_MIN,
	                                     PTX_M_MAX,  PTX_M_AND, PTX_M_OR,  PTX_M_XOR,
	                                     PTX_M_EXCH, PTX_M_CAS};
	return weir_ptx_which(s, kinds, 10);
}

/* st.async [a], b, [mbar] and red.async. Those to global memory are ordinary ones that have completed at once. */
static bool async_store(ptx_decoder *d, ptx_type type)
{
	registers in = {.count = 0};
	ptx_access *access;
	uint32_t base, barrier;
	int64_t offset, barrier_offset;
	ptx_raw *raw;

	if (!weir_ptx_count(d, 3, 3) || !ptx_has(d->s, PTX_M_MBARRIER_TX) ||
	    !weir_ptx_address(d, &d->o[0], &base, &offset) ||
	    !weir_ptx_address(d, &d->o[2], &barrier, &barrier_offset) ||
	    !add_operand(d, &in, 1, type, false))
		return weir_ptx_refuse(d, "this form is not supported");
	access = new_access(d, WEIR_PTX_COPY, type);
	access->operation.what = (uint8_t)copy_kind(d);
	access->operation.space = WEIR_PTX_SHARED;
	access->operation.proxy = WEIR_PTX_PROXY_ASYNC;
	access->barrier_space = WEIR_PTX_SHARED;
	access->offset = offset;
	access->barrier_offset = barrier_offset;
	if (copy_kind(d) == PTX_COPY_RED)
		in.at[in.count++] = weir_ptx_number(d, (uint64_t)rmw_of(d->s));
	raw = emit_access(d, PTX_X_EVENT, base, &in, NULL);
	raw->c = barrier;
	return !d->why;
}

bool weir_ptx_decode_st(ptx_decoder *d)
{
	ptx_type type = weir_ptx_type(d);
	registers in = {.count = 0};
	ptx_access *access;
	weir_ptx_space space;
	uint32_t base;
	int64_t offset;

	if (ptx_has(d->s, PTX_M_ASYNC) && !ptx_has(d->s, PTX_M_MMIO))
		return async_store(d, type);
	if (type == PTX_NO_TYPE || d->s->operands < 2 || !add_operand(d, &in, 1, type, false))
		return weir_ptx_refuse(d, "it needs a type, an address and a value");
	if (in.count != elements(d->s) * (type == PTX_B128 ? 2u : 1u))
		return weir_ptx_refuse(d, "the vector has the wrong length");
	if (!weir_ptx_address(d, &d->o[0], &base, &offset))
		return false;
	access = new_access(d, WEIR_PTX_STORE, type);
	access->offset = offset;
	if (!resolve_param(d, &d->o[0], access))
		return false;
	space = access->operation.space;
	if (access->operation.order == WEIR_PTX_WEAK && in.count == 1 && space != WEIR_PTX_PARAM &&
	    space != WEIR_PTX_CONST && !ptx_has(d->s, PTX_M_SHARED_CLUSTER)) {
		ptx_raw *raw = weir_ptx_emit_imm(d, fast_store(space, access->operation.size), NONE,
		                                 base, in.at[0], NONE, offset);
		raw->x = last_access(d);
		return true;
	}
	emit_access(d, PTX_X_ACCESS, base, &in, NULL);
	return true;
}

bool weir_ptx_decode_nothing(ptx_decoder *d)
{
	weir_ptx_emit(d, PTX_X_NOP, NONE, NONE, NONE, NONE);
	return true;
}

bool weir_ptx_decode_policy(ptx_decoder *d)
{
	weir_ptx_emit(d, PTX_X_MOV, weir_ptx_out(d, 0), weir_ptx_number(d, 0), NONE, NONE);
	return !d->why;
}

/* --- Atomics --------------------------------------------------------------------------------------- */

static bool rmw(ptx_decoder *d, bool result)
{
	ptx_type type = weir_ptx_type(d);
	registers in = {.count = 0}, out = {.count = 0};
	unsigned at = result ? 1 : 0;
	int what = rmw_of(d->s);
	ptx_access *access;
	uint32_t base;
	int64_t offset;

	if (what < 0 || type == PTX_NO_TYPE)
		return weir_ptx_refuse(d, "it does not say what to do");
	if (type == PTX_B128 && what != PTX_RMW_CAS && what != PTX_RMW_EXCH)
		return weir_ptx_refuse(d, "this type is not supported");
	if (d->s->operands < at + 2 || !weir_ptx_address(d, &d->o[at], &base, &offset) ||
	    (result && !add_operand(d, &out, 0, type, true)) ||
	    !add_operand(d, &in, at + 1, type, false) ||
	    (what == PTX_RMW_CAS && !add_operand(d, &in, at + 2, type, false)))
		return weir_ptx_refuse(d, "an operand is missing");
	access = new_access(d, WEIR_PTX_RMW, type);
	access->offset = offset;
	access->operation.what = (uint8_t)what;
	access->operation.order = (uint8_t)order_of(d->s, WEIR_PTX_RELAXED);
	access->operation.scope = (uint8_t)scope_of(d->s, WEIR_PTX_SCOPE_GPU);
	access->operation.flags |= result ? 0 : WEIR_PTX_NO_RESULT;
	emit_access(d, PTX_X_ACCESS, base, &in, &out);
	return !d->why;
}

bool weir_ptx_decode_atom(ptx_decoder *d)
{
	return rmw(d, true);
}

bool weir_ptx_decode_red(ptx_decoder *d)
{
	return ptx_has(d->s, PTX_M_ASYNC) && !ptx_has(d->s, PTX_M_MMIO)
	           ? async_store(d, weir_ptx_type(d))
	           : rmw(d, false);
}

bool weir_ptx_decode_fence(ptx_decoder *d)
{
	ptx_access *access = new_access(d, WEIR_PTX_FENCE, PTX_NO_TYPE);
	weir_ptx_operation *o = &access->operation;

	o->space = WEIR_PTX_GENERIC;
	o->order =
	    (uint8_t)order_of(d->s, d->s->opcode == PTX_OP_membar ? WEIR_PTX_SC : WEIR_PTX_ACQ_REL);
	o->scope = (uint8_t)scope_of(d->s, WEIR_PTX_SCOPE_SYS);
	if (ptx_has(d->s, PTX_M_PROXY))
		o->proxy = ptx_has(d->s, PTX_M_ALIAS)   ? WEIR_PTX_PROXY_ALIAS
		           : ptx_has(d->s, PTX_M_ASYNC) ? WEIR_PTX_PROXY_ASYNC
		                                        : WEIR_PTX_PROXY_TENSORMAP;
	if (ptx_has(d->s, PTX_M_GLOBAL))
		o->space = WEIR_PTX_GLOBAL;
	else if (ptx_has(d->s, PTX_M_SHARED_CTA) || ptx_has(d->s, PTX_M_SHARED_CLUSTER))
		o->space = WEIR_PTX_SHARED;
	emit_access(d, PTX_X_EVENT, NONE, NULL, NULL);
	return !d->why;
}

/* --- mbarrier ---------------------------------------------------------------------------------------- */

static bool mbarrier_access(ptx_decoder *d, weir_ptx_kind kind, ptx_mbar what, unsigned address,
                            registers *in, registers *out)
{
	ptx_access *access;
	uint32_t base;
	int64_t offset;

	if (address >= d->s->operands || !weir_ptx_address(d, &d->o[address], &base, &offset))
		return weir_ptx_refuse(d, "an address is missing");
	access = new_access(d, kind, PTX_B64);
	access->offset = offset;
	access->operation.what = (uint8_t)what;
	if (kind == WEIR_PTX_MBAR_ARRIVE || kind == WEIR_PTX_MBAR_TEST) {
		access->operation.order = (uint8_t)order_of(
		    d->s, kind == WEIR_PTX_MBAR_TEST ? WEIR_PTX_ACQUIRE : WEIR_PTX_RELEASE);
		access->operation.scope = (uint8_t)scope_of(d->s, WEIR_PTX_SCOPE_CTA);
	}
	emit_access(d, PTX_X_EVENT, base, in, out);
	return !d->why;
}

static bool mbarrier_arrive(ptx_decoder *d)
{
	bool drop = ptx_has(d->s, PTX_M_ARRIVE_DROP), expect = ptx_has(d->s, PTX_M_EXPECT_TX);
	bool has_state = d->o[0].kind != PTX_O_MEMORY;
	unsigned address = has_state ? 1 : 0;
	registers in = {.count = 0}, out = {.count = 0};

	if (has_state && d->o[0].kind != PTX_O_SINK && !add_operand(d, &out, 0, PTX_B64, true))
		return false;
	if (d->s->operands > address + 1) {
		if (!add_operand(d, &in, address + 1, PTX_U32, false))
			return false;
	} else {
		in.at[in.count++] = weir_ptx_number(d, 1);
	}
	return mbarrier_access(d, WEIR_PTX_MBAR_ARRIVE,
	                       expect ? drop ? PTX_MBAR_DROP_EXPECT : PTX_MBAR_ARRIVE_EXPECT
	                       : drop ? PTX_MBAR_DROP
	                              : PTX_MBAR_ARRIVES,
	                       address, &in, &out);
}

bool weir_ptx_decode_mbarrier(ptx_decoder *d)
{
	registers in = {.count = 0}, out = {.count = 0};

	if (!d->s->operands)
		return weir_ptx_refuse(d, "an operand is missing");
	if (ptx_has(d->s, PTX_M_PENDING_COUNT)) {
		weir_ptx_emit_imm(d, PTX_X_FIELD, weir_ptx_out(d, 0), weir_ptx_in(d, 1, PTX_B64),
		                  NONE, NONE, 20 << 8);
		return !d->why;
	}
	if (ptx_has(d->s, PTX_M_INIT))
		return add_operand(d, &in, 1, PTX_U32, false) &&
		       mbarrier_access(d, WEIR_PTX_MBAR_INIT, PTX_MBAR_ARRIVES, 0, &in, NULL);
	if (ptx_has(d->s, PTX_M_INVAL))
		return mbarrier_access(d, WEIR_PTX_MBAR_INVAL, PTX_MBAR_ARRIVES, 0, NULL, NULL);
	if (ptx_has(d->s, PTX_M_TEST_WAIT) || ptx_has(d->s, PTX_M_TRY_WAIT))
		return add_operand(d, &out, 0, PTX_PRED, true) &&
		       add_operand(d, &in, 2, PTX_B64, false) &&
		       mbarrier_access(d, WEIR_PTX_MBAR_TEST,
		                       ptx_has(d->s, PTX_M_PARITY) ? PTX_MBAR_TEST_PARITY
		                                                   : PTX_MBAR_TEST_STATE,
		                       1, &in, &out);
	if (ptx_has(d->s, PTX_M_ARRIVE) || ptx_has(d->s, PTX_M_ARRIVE_DROP))
		return mbarrier_arrive(d);
	if (ptx_has(d->s, PTX_M_EXPECT_TX) || ptx_has(d->s, PTX_M_COMPLETE_TX))
		return add_operand(d, &in, 1, PTX_U32, false) &&
		       mbarrier_access(d, WEIR_PTX_MBAR_ARRIVE,
		                       ptx_has(d->s, PTX_M_EXPECT_TX) ? PTX_MBAR_EXPECT_TX
		                                                      : PTX_MBAR_COMPLETE_TX,
		                       0, &in, NULL);
	return weir_ptx_refuse(d, "this form is not supported");
}

/* --- Asynchronous copies ------------------------------------------------------------------------------- */

/* How much a cp.async reads: its fourth operand is a number of bytes, or a predicate that says to read
 * none (ignore-src). */
static uint32_t bytes_to_read(ptx_decoder *d, int64_t size)
{
	uint32_t all = weir_ptx_number(d, (uint64_t)size), operand, bytes;

	if (d->s->operands <= 3 + ptx_has(d->s, PTX_M_CACHE_HINT))
		return all;
	operand = weir_ptx_in(d, 3, PTX_U32);
	if (!(d->o[3].flags & PTX_F_PREDICATE))
		return operand;
	bytes = weir_ptx_temp(d);
	weir_ptx_emit(d, PTX_X_SELECT, bytes, weir_ptx_number(d, 0), all, operand);
	return bytes;
}

/* cp.async.ca.shared.global [to], [from], size {, bytes to read or ignore-src} */
static bool copy_small(ptx_decoder *d)
{
	registers in = {.count = 0};
	ptx_access *access;
	uint32_t base, source;
	int64_t offset, source_offset, size = d->s->operands > 2 ? d->o[2].value : 0;
	ptx_raw *raw;

	if (d->s->operands < 3 || d->o[2].kind != PTX_O_INTEGER ||
	    (size != 4 && size != 8 && size != 16))
		return weir_ptx_refuse(d, "it copies 4, 8 or 16 bytes");
	if (!weir_ptx_address(d, &d->o[0], &base, &offset) ||
	    !weir_ptx_address(d, &d->o[1], &source, &source_offset))
		return false;
	in.at[in.count++] = bytes_to_read(d, size);
	access = new_access(d, WEIR_PTX_COPY, PTX_B8);
	access->operation.what = PTX_COPY_PLAIN;
	access->operation.count = (uint8_t)size;
	access->operation.space = WEIR_PTX_SHARED;
	access->offset = offset;
	access->source_space = WEIR_PTX_GLOBAL;
	access->source_offset = source_offset;
	raw = emit_access(d, PTX_X_EVENT, base, &in, NULL);
	raw->b = source;
	return !d->why;
}

/* cp.async.bulk.to.from.completion [to], [from], size {, [mbar]}, and cp.reduce.async.bulk. */
static bool copy_bulk(ptx_decoder *d)
{
	bool reduce = ptx_has(d->s, PTX_M_REDUCE), barrier = ptx_has(d->s, PTX_M_MBARRIER_TX);
	registers in = {.count = 0};
	ptx_type type = reduce ? weir_ptx_type(d) : PTX_B8;
	ptx_access *access;
	uint32_t base, source, mbar = NONE;
	int64_t offset, source_offset, mbar_offset = 0;
	ptx_raw *raw;

	if (d->s->operands < 3u + barrier || type == PTX_NO_TYPE || (reduce && rmw_of(d->s) < 0) ||
	    !weir_ptx_address(d, &d->o[0], &base, &offset) ||
	    !weir_ptx_address(d, &d->o[1], &source, &source_offset) ||
	    (barrier && !weir_ptx_address(d, &d->o[3], &mbar, &mbar_offset)) ||
	    !add_operand(d, &in, 2, PTX_U32, false))
		return weir_ptx_refuse(d, "this form is not supported");
	if (reduce)
		in.at[in.count++] = weir_ptx_number(d, (uint64_t)rmw_of(d->s));
	access = new_access(d, WEIR_PTX_COPY, type);
	access->operation.what = reduce ? PTX_COPY_REDUCE : PTX_COPY_BULK;
	access->operation.proxy = WEIR_PTX_PROXY_ASYNC;
	access->operation.space = barrier ? WEIR_PTX_SHARED : WEIR_PTX_GLOBAL;
	access->source_space =
	    ptx_has(d->s, PTX_M_GLOBAL) && barrier ? WEIR_PTX_GLOBAL : WEIR_PTX_SHARED;
	access->barrier_space = WEIR_PTX_SHARED;
	access->offset = offset;
	access->source_offset = source_offset;
	access->barrier_offset = mbar_offset;
	raw = emit_access(d, PTX_X_EVENT, base, &in, NULL);
	raw->b = source;
	raw->c = mbar;
	return !d->why;
}

/* The same place in another block of the cluster. */
static uint32_t mapped(ptx_decoder *d, uint32_t base, int64_t offset, uint32_t rank)
{
	uint32_t at = weir_ptx_temp(d), to = weir_ptx_temp(d);

	weir_ptx_emit(d, PTX_X_ADD_64, at, base, weir_ptx_number(d, (uint64_t)offset), NONE);
	weir_ptx_emit(d, PTX_X_MAPA, to, at, rank, NONE);
	return to;
}

/* cp.async.bulk.shared::cluster.global.multicast::cluster [to], [from], size, [mbar], mask: a copy to each block that
 * the mask has, all of them at the same place. */
static bool copy_multicast(ptx_decoder *d)
{
	registers in = {.count = 0};
	uint32_t base, source, mbar, mask = weir_ptx_temp(d), skip;
	int64_t offset, source_offset, mbar_offset;

	if (!ptx_has(d->s, PTX_M_MBARRIER_TX) || !ptx_has(d->s, PTX_M_GLOBAL) ||
	    !weir_ptx_count(d, 5, 6) || !weir_ptx_address(d, &d->o[0], &base, &offset) ||
	    !weir_ptx_address(d, &d->o[1], &source, &source_offset) ||
	    !weir_ptx_address(d, &d->o[3], &mbar, &mbar_offset) ||
	    !add_operand(d, &in, 2, PTX_U32, false))
		return weir_ptx_refuse(d, "this form is not supported");
	weir_ptx_emit(d, PTX_X_ZX16, mask, weir_ptx_in(d, 4, PTX_U16), NONE, NONE);
	for (unsigned rank = 0; rank < 16; rank++) {
		uint32_t bit = weir_ptx_temp(d), to, barrier;
		ptx_access *access;
		ptx_raw *raw;

		weir_ptx_emit_imm(d, PTX_X_FIELD, bit, mask, NONE, NONE, rank | 1 << 8);
		skip = d->raw.count;
		weir_ptx_emit(d, PTX_X_SKIP_UNLESS, NONE, bit, NONE, NONE);
		to = mapped(d, base, offset, weir_ptx_number(d, rank));
		barrier = mapped(d, mbar, mbar_offset, weir_ptx_number(d, rank));
		access = new_access(d, WEIR_PTX_COPY, PTX_B8);
		access->operation.what = PTX_COPY_BULK;
		access->operation.proxy = WEIR_PTX_PROXY_ASYNC;
		access->operation.space = access->barrier_space = WEIR_PTX_SHARED;
		access->source_space = WEIR_PTX_GLOBAL;
		access->source_offset = source_offset;
		raw = emit_access(d, PTX_X_EVENT, to, &in, NULL);
		raw->b = source;
		raw->c = barrier;
		d->raw.at[skip].x = d->raw.count - skip;
	}
	return !d->why;
}

bool weir_ptx_decode_cp(ptx_decoder *d)
{
	registers in = {.count = 0};
	bool wait = ptx_has(d->s, PTX_M_WAIT_GROUP);

	if (!ptx_has(d->s, PTX_M_ASYNC))
		return weir_ptx_refuse(d, "this form is not supported");
	if (ptx_has(d->s, PTX_M_PREFETCH))
		return weir_ptx_decode_nothing(d);
	if (ptx_has(d->s, PTX_M_MBARRIER)) {
		in.at[in.count++] = weir_ptx_number(d, 1);
		return mbarrier_access(
		    d, WEIR_PTX_MBAR_ARRIVE,
		    ptx_has(d->s, PTX_M_NOINC) ? PTX_MBAR_ARRIVES : PTX_MBAR_NOINC, 0, &in, NULL);
	}
	if (wait || ptx_has(d->s, PTX_M_WAIT_ALL) || ptx_has(d->s, PTX_M_COMMIT_GROUP)) {
		ptx_access *access = new_access(
		    d,
		    ptx_has(d->s, PTX_M_COMMIT_GROUP) ? WEIR_PTX_COPY_COMMIT : WEIR_PTX_COPY_WAIT,
		    PTX_NO_TYPE);
		access->operation.proxy =
		    ptx_has(d->s, PTX_M_BULK) ? WEIR_PTX_PROXY_ASYNC : WEIR_PTX_PROXY_GENERIC;
		if (wait && !add_operand(d, &in, 0, PTX_U32, false))
			return false;
		emit_access(d, PTX_X_EVENT, NONE, &in, NULL);
		return !d->why;
	}
	if (ptx_has(d->s, PTX_M_MULTICAST))
		return copy_multicast(d);
	return ptx_has(d->s, PTX_M_BULK) ? copy_bulk(d) : copy_small(d);
}

/* clusterlaunchcontrol: blocks are never taken from the launch, which the manual allows. try_cancel [to], [mbar]
 * writes the answer, 16 bytes of zeros, as a st.async does. */
bool weir_ptx_decode_cancel(ptx_decoder *d)
{
	registers in = {.count = 0}, out = {.count = 0};
	uint32_t base, barrier, zero = weir_ptx_number(d, 0);
	int64_t offset, barrier_offset;
	ptx_access *access;

	if (ptx_has(d->s, PTX_M_QUERY_CANCEL)) {
		if (!weir_ptx_count(d, 2, 2) || !add_operand(d, &out, 0, PTX_B32, true))
			return weir_ptx_refuse(d, "this form is not supported");
		for (uint32_t i = 0; i < out.count; i++)
			weir_ptx_emit(d, PTX_X_MOV, out.at[i], zero, NONE, NONE);
		return !d->why;
	}
	if (!ptx_has(d->s, PTX_M_TRY_CANCEL) || ptx_has(d->s, PTX_M_MULTICAST) ||
	    !weir_ptx_count(d, 2, 2) || !weir_ptx_address(d, &d->o[0], &base, &offset) ||
	    !weir_ptx_address(d, &d->o[1], &barrier, &barrier_offset))
		return weir_ptx_refuse(d, "this form is not supported");
	while (in.count < 4)
		in.at[in.count++] = zero;
	access = new_access(d, WEIR_PTX_COPY, PTX_B32);
	access->operation.what = PTX_COPY_STORE;
	access->operation.count = 4;
	access->operation.space = WEIR_PTX_GENERIC;
	access->operation.proxy = WEIR_PTX_PROXY_ASYNC;
	access->barrier_space = WEIR_PTX_GENERIC;
	access->offset = offset;
	access->barrier_offset = barrier_offset;
	/* with .shared::cta addresses may have 32 bits */
	if (is_shared(d->s))
		access->operation.space = access->barrier_space = WEIR_PTX_SHARED;
	emit_access(d, PTX_X_EVENT, base, &in, NULL)->c = barrier;
	return !d->why;
}
