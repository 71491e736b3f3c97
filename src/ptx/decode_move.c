/* Decoders of comparisons, logic, moves and conversions. */
#include "ptx/decode.h"

#define NONE PTX_NONE

/* --- Comparisons ------------------------------------------------------------------------------- */

#define INT_ROW(name)                                                                              \
	{                                                                                          \
		PTX_X_##name##_U16, PTX_X_##name##_U32, PTX_X_##name##_U64, PTX_X_##name##_S16,    \
		    PTX_X_##name##_S32, PTX_X_##name##_S64, PTX_X_##name##_F32, PTX_X_##name##_F64 \
	}
#define FLOAT_ROW(name)                                                                            \
	{                                                                                          \
		PTX_X_NOP, PTX_X_NOP, PTX_X_NOP, PTX_X_NOP, PTX_X_NOP, PTX_X_NOP,                  \
		    PTX_X_##name##_F32, PTX_X_##name##_F64                                         \
	}

static const struct {
	ptx_modifier modifier;
	ptx_op ops[8];
} comparisons[] = {
    {PTX_M_EQ, INT_ROW(EQ)},     {PTX_M_NE, INT_ROW(NE)},     {PTX_M_LT, INT_ROW(LT)},
    {PTX_M_LE, INT_ROW(LE)},     {PTX_M_GT, INT_ROW(GT)},     {PTX_M_GE, INT_ROW(GE)},
    {PTX_M_LO, INT_ROW(LT)},     {PTX_M_LS, INT_ROW(LE)},     {PTX_M_HI, INT_ROW(GT)},
    {PTX_M_HS, INT_ROW(GE)},     {PTX_M_EQU, FLOAT_ROW(EQU)}, {PTX_M_NEU, FLOAT_ROW(NEU)},
    {PTX_M_LTU, FLOAT_ROW(LTU)}, {PTX_M_LEU, FLOAT_ROW(LEU)}, {PTX_M_GTU, FLOAT_ROW(GTU)},
    {PTX_M_GEU, FLOAT_ROW(GEU)}, {PTX_M_NUM, FLOAT_ROW(NUM)}, {PTX_M_ISNAN, FLOAT_ROW(NAN)},
};

/* The place of a type in a row. lo, ls, hi and hs compare without signs. */
static int column(ptx_type type)
{
	switch (type) {
	case PTX_U16:
	case PTX_B16:
		return 0;
	case PTX_U32:
	case PTX_B32:
		return 1;
	case PTX_U64:
	case PTX_B64:
		return 2;
	case PTX_S16:
		return 3;
	case PTX_S32:
		return 4;
	case PTX_S64:
		return 5;
	case PTX_F32:
	case PTX_F16:
	case PTX_BF16:
		return 6;
	case PTX_F64:
		return 7;
	default:
		return -1;
	}
}

/* An operand of a comparison: halves become floats, and .ftz flushes. */
static uint32_t compared(ptx_decoder *d, ptx_type type, uint32_t x)
{
	uint32_t to = x;

	if (type == PTX_F16 || type == PTX_BF16) {
		if (type == PTX_F16 && ptx_has(d->s, PTX_M_FTZ)) {
			uint32_t flushed = weir_ptx_temp(d);
			weir_ptx_emit(d, PTX_X_FTZ_F16, flushed, x, NONE, NONE);
			x = flushed;
		}
		to = weir_ptx_temp(d);
		weir_ptx_emit(d, type == PTX_F16 ? PTX_X_F32_F16 : PTX_X_F32_BF16, to, x, NONE,
		              NONE);
	} else if (type == PTX_F32 && ptx_has(d->s, PTX_M_FTZ)) {
		to = weir_ptx_temp(d);
		weir_ptx_emit(d, PTX_X_FTZ, to, x, NONE, NONE);
	}
	return to;
}

static bool compare(ptx_decoder *d, ptx_type type, uint32_t to, uint32_t a, uint32_t b)
{
	int at = column(type);

	for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons && at >= 0; i++) {
		ptx_op op = comparisons[i].ops[at];
		if (!ptx_has(d->s, comparisons[i].modifier))
			continue;
		if (op == PTX_X_NOP)
			break;
		weir_ptx_emit(d, op, to, compared(d, type, a), compared(d, type, b), NONE);
		return true;
	}
	return weir_ptx_refuse(d, "this comparison is not supported");
}

/* .and, .or or .xor with another predicate, if the instruction has one. */
static bool bool_op(const ptx_decoder *d, ptx_op *op)
{
	if (ptx_has(d->s, PTX_M_AND))
		*op = PTX_X_AND;
	else if (ptx_has(d->s, PTX_M_OR))
		*op = PTX_X_OR;
	else if (ptx_has(d->s, PTX_M_XOR))
		*op = PTX_X_XOR;
	else
		return false;
	return true;
}

/* A comparison of operands `at` and on, combined with a predicate behind them; the result is new. */
static uint32_t comparison(ptx_decoder *d, ptx_type type, unsigned at, uint32_t *negated)
{
	uint32_t result = weir_ptx_temp(d), with, combined, inverse;
	uint32_t a = weir_ptx_in(d, at, type), b = weir_ptx_in(d, at + 1, type);
	ptx_op op = PTX_X_NOP;
	bool has_op = bool_op(d, &op);

	if (d->why || !weir_ptx_count(d, at + 2 + has_op, at + 2 + has_op) ||
	    !compare(d, type, result, a, b))
		return NONE;
	inverse = weir_ptx_temp(d);
	if (negated)
		weir_ptx_emit(d, PTX_X_NOTP, inverse, result, NONE, NONE);
	if (has_op) {
		with = weir_ptx_in(d, at + 2, PTX_PRED);
		combined = weir_ptx_temp(d);
		weir_ptx_emit(d, op, combined, result, with, NONE);
		result = combined;
		if (negated) {
			combined = weir_ptx_temp(d);
			weir_ptx_emit(d, op, combined, inverse, with, NONE);
			inverse = combined;
		}
	}
	if (negated)
		*negated = inverse;
	return result;
}

/* The same of both halves of packed operands. */
static bool compare_halves(ptx_decoder *d, ptx_type type, unsigned at, uint32_t results[2])
{
	ptx_type part = type == PTX_F16X2 ? PTX_F16 : PTX_BF16;
	uint32_t in[2] = {weir_ptx_in(d, at, type), weir_ptx_in(d, at + 1, type)}, parts[2];
	ptx_op op = PTX_X_NOP;
	bool has_op = bool_op(d, &op);

	if (d->why || !weir_ptx_count(d, at + 2 + has_op, at + 2 + has_op))
		return false;
	for (unsigned half = 0; half < 2; half++) {
		for (unsigned i = 0; i < 2; i++) {
			parts[i] = weir_ptx_temp(d);
			weir_ptx_emit_imm(d, PTX_X_FIELD, parts[i], in[i], NONE, NONE,
			                  half * 16 | 16 << 8);
		}
		results[half] = weir_ptx_temp(d);
		if (!compare(d, part, results[half], parts[0], parts[1]))
			return false;
		if (has_op) {
			uint32_t combined = weir_ptx_temp(d);
			weir_ptx_emit(d, op, combined, results[half],
			              weir_ptx_in(d, at + 2, PTX_PRED), NONE);
			results[half] = combined;
		}
	}
	return !d->why;
}

/* One comparison into a register, the common case, needs no copy. */
static bool plain_setp(ptx_decoder *d, ptx_type type)
{
	uint32_t a = weir_ptx_in(d, 1, type), b = weir_ptx_in(d, 2, type), to = weir_ptx_out(d, 0);

	return !d->why && compare(d, type, to, a, b);
}

bool weir_ptx_decode_setp(ptx_decoder *d)
{
	ptx_type type = weir_ptx_type(d);
	bool two = d->s->operands > 1 && (d->o[1].flags & PTX_F_SECOND);
	uint32_t result, inverse = PTX_NONE;
	ptx_op op;

	if (type == PTX_F16X2 || type == PTX_BF16X2) {
		uint32_t results[2];
		if (!two)
			return weir_ptx_refuse(d, "it needs a predicate for each half");
		if (!compare_halves(d, type, 2, results))
			return false;
		for (unsigned half = 0; half < 2; half++)
			weir_ptx_emit(d, PTX_X_MOV, weir_ptx_out(d, half), results[half], NONE,
			              NONE);
		return !d->why;
	}
	if (!two && !bool_op(d, &op) && weir_ptx_count(d, 3, 3))
		return plain_setp(d, type);
	result = comparison(d, type, two ? 2 : 1, two ? &inverse : NULL);
	if (d->why)
		return false;
	weir_ptx_emit(d, PTX_X_MOV, weir_ptx_out(d, 0), result, NONE, NONE);
	if (two)
		weir_ptx_emit(d, PTX_X_MOV, weir_ptx_out(d, 1), inverse, NONE, NONE);
	return !d->why;
}

static bool set_halves(ptx_decoder *d, ptx_type to, ptx_type type)
{
	uint64_t yes = to == PTX_F16X2 ? 0x3c00 : to == PTX_BF16X2 ? 0x3f80 : 0xffff;
	uint32_t results[2], halves[2];

	if ((to != type && to != PTX_U32 && to != PTX_S32) || !compare_halves(d, type, 1, results))
		return weir_ptx_refuse(d, "this type is not supported");
	for (unsigned half = 0; half < 2; half++) {
		halves[half] = weir_ptx_temp(d);
		weir_ptx_emit(d, PTX_X_SELECT, halves[half], weir_ptx_number(d, yes),
		              weir_ptx_number(d, 0), results[half]);
	}
	weir_ptx_emit_imm(d, PTX_X_JOIN, weir_ptx_out(d, 0), halves[0], halves[1], NONE, 16);
	return !d->why;
}

/* set.op.type_of_result.type: all ones or 1.0, else 0. */
bool weir_ptx_decode_set(ptx_decoder *d)
{
	ptx_type to = weir_ptx_type(d), type = d->s->types[1];
	uint32_t result;
	uint64_t yes = to == PTX_F32                    ? 0x3f800000
	               : to == PTX_F16                  ? 0x3c00
	               : to == PTX_BF16                 ? 0x3f80
	               : to == PTX_U16 || to == PTX_S16 ? 0xffff
	                                                : 0xffffffff;

	if (d->s->type_count != 2 || weir_ptx_types[to].bits > 32)
		return weir_ptx_refuse(d, "this type is not supported");
	if (type == PTX_F16X2 || type == PTX_BF16X2)
		return set_halves(d, to, type);
	if (weir_ptx_types[to].class == 'p')
		return weir_ptx_refuse(d, "this type is not supported");
	result = comparison(d, type, 1, NULL);
	if (d->why)
		return false;
	weir_ptx_emit(d, PTX_X_SELECT, weir_ptx_out(d, 0), weir_ptx_number(d, yes),
	              weir_ptx_number(d, 0), result);
	return !d->why;
}

bool weir_ptx_decode_selp(ptx_decoder *d)
{
	ptx_type type = weir_ptx_type(d);
	uint32_t a, b, c;

	if (!weir_ptx_count(d, 4, 4))
		return false;
	a = weir_ptx_in(d, 1, type);
	b = weir_ptx_in(d, 2, type);
	c = weir_ptx_in(d, 3, PTX_PRED);
	weir_ptx_emit(d, PTX_X_SELECT, weir_ptx_out(d, 0), a, b, c);
	return !d->why;
}

bool weir_ptx_decode_slct(ptx_decoder *d)
{
	ptx_type type = weir_ptx_type(d), by = d->s->types[1];
	uint32_t a, b, c;

	if (!weir_ptx_count(d, 4, 4) || d->s->type_count != 2 || (by != PTX_S32 && by != PTX_F32))
		return weir_ptx_refuse(d, "this type is not supported");
	a = weir_ptx_in(d, 1, type);
	b = weir_ptx_in(d, 2, type);
	c = compared(d, by, weir_ptx_in(d, 3, by));
	weir_ptx_emit(d, by == PTX_S32 ? PTX_X_SLCT_S32 : PTX_X_SLCT_F32, weir_ptx_out(d, 0), a, b,
	              c);
	return !d->why;
}

/* --- Logic ------------------------------------------------------------------------------------- */

static ptx_op of_size(ptx_type type, ptx_op op16, ptx_op op32, ptx_op op64)
{
	unsigned bits = weir_ptx_types[type].bits;

	return bits == 64 ? op64 : bits == 32 ? op32 : op16;
}

bool weir_ptx_decode_logic(ptx_decoder *d)
{
	ptx_type type = weir_ptx_type(d);
	bool one = d->s->opcode == PTX_OP_not || d->s->opcode == PTX_OP_cnot;
	uint32_t a, b, to;
	ptx_op op;

	if (!weir_ptx_count(d, one ? 2 : 3, one ? 2 : 3))
		return false;
	a = weir_ptx_in(d, 1, type);
	b = one ? NONE : weir_ptx_in(d, 2, type);
	to = weir_ptx_out(d, 0);
	switch (d->s->opcode) {
	case PTX_OP_and:
		op = PTX_X_AND;
		break;
	case PTX_OP_or:
		op = PTX_X_OR;
		break;
	case PTX_OP_xor:
		op = PTX_X_XOR;
		break;
	case PTX_OP_not:
		op = type == PTX_PRED ? PTX_X_NOTP
		                      : of_size(type, PTX_X_NOT_16, PTX_X_NOT_32, PTX_X_NOT_64);
		break;
	default:
		op = of_size(type, PTX_X_CNOT_16, PTX_X_CNOT_32, PTX_X_CNOT_64);
	}
	weir_ptx_emit(d, op, to, a, b, NONE);
	return !d->why;
}

/* lop3.b32 d, a, b, c, table; or lop3.and.b32 d|p, a, b, c, table, q. */
bool weir_ptx_decode_lop3(ptx_decoder *d)
{
	ptx_op op;
	bool combined = bool_op(d, &op);
	unsigned at = combined ? 2 : 1;
	uint32_t a, b, c, q, result, differs, to, p;

	if (!weir_ptx_count(d, combined ? 7 : 5, combined ? 7 : 5))
		return false;
	a = weir_ptx_in(d, at, PTX_B32);
	b = weir_ptx_in(d, at + 1, PTX_B32);
	c = weir_ptx_in(d, at + 2, PTX_B32);
	if (d->o[at + 3].kind != PTX_O_INTEGER)
		return weir_ptx_refuse(d, "its table must be a number");
	to = weir_ptx_out(d, 0);
	if (!combined) {
		weir_ptx_emit_imm(d, PTX_X_LOP3, to, a, b, c, d->o[at + 3].value & 255);
		return !d->why;
	}
	p = weir_ptx_out(d, 1);
	q = weir_ptx_in(d, at + 4, PTX_PRED);
	result = weir_ptx_temp(d);
	differs = weir_ptx_temp(d);
	weir_ptx_emit_imm(d, PTX_X_LOP3, result, a, b, c, d->o[at + 3].value & 255);
	weir_ptx_emit(d, PTX_X_NE_U32, differs, result, weir_ptx_number(d, 0), NONE);
	weir_ptx_emit(d, op, p, differs, q, NONE);
	weir_ptx_emit(d, PTX_X_MOV, to, result, NONE, NONE);
	return !d->why;
}

bool weir_ptx_decode_shf(ptx_decoder *d)
{
	bool left = ptx_has(d->s, PTX_M_L), wrap = ptx_has(d->s, PTX_M_WRAP);
	uint32_t a, b, c;

	if (!weir_ptx_count(d, 4, 4))
		return false;
	a = weir_ptx_in(d, 1, PTX_B32);
	b = weir_ptx_in(d, 2, PTX_B32);
	c = weir_ptx_in(d, 3, PTX_U32);
	weir_ptx_emit(d,
	              left   ? wrap ? PTX_X_SHFL_WRAP : PTX_X_SHFL_CLAMP
	              : wrap ? PTX_X_SHFR_WRAP
	                     : PTX_X_SHFR_CLAMP,
	              weir_ptx_out(d, 0), a, b, c);
	return !d->why;
}

bool weir_ptx_decode_shift(ptx_decoder *d)
{
	ptx_type type = weir_ptx_type(d);
	uint32_t a, b;
	ptx_op op;

	if (!weir_ptx_count(d, 3, 3))
		return false;
	a = weir_ptx_in(d, 1, type);
	b = weir_ptx_in(d, 2, PTX_U32);
	if (d->s->opcode == PTX_OP_shl)
		op = of_size(type, PTX_X_SHL_16, PTX_X_SHL_32, PTX_X_SHL_64);
	else if (weir_ptx_types[type].class == 's')
		op = of_size(type, PTX_X_SHR_S16, PTX_X_SHR_S32, PTX_X_SHR_S64);
	else
		op = of_size(type, PTX_X_SHR_U16, PTX_X_SHR_U32, PTX_X_SHR_U64);
	weir_ptx_emit(d, op, weir_ptx_out(d, 0), a, b, NONE);
	return !d->why;
}

bool weir_ptx_decode_prmt(ptx_decoder *d)
{
	static const ptx_modifier modes[] = {PTX_M_F4E, PTX_M_B4E, PTX_M_RC8,
	                                     PTX_M_ECL, PTX_M_ECR, PTX_M_RC16};
	uint32_t a, b, c;

	if (!weir_ptx_count(d, 4, 4))
		return false;
	a = weir_ptx_in(d, 1, PTX_B32);
	b = weir_ptx_in(d, 2, PTX_B32);
	c = weir_ptx_in(d, 3, PTX_U32);
	weir_ptx_emit_imm(d, PTX_X_PRMT, weir_ptx_out(d, 0), a, b, c,
	                  weir_ptx_which(d->s, modes, 6) + 1);
	return !d->why;
}

/* --- Moves ------------------------------------------------------------------------------------- */

static bool move_wide(ptx_decoder *d)
{
	const ptx_operand *to = &d->o[0], *from = &d->o[1];

	for (unsigned half = 0; half < 2; half++) {
		uint32_t a, b;
		const ptx_operand *x = from, *y = to;
		if (from->kind == PTX_O_VECTOR && from->count == 2)
			x = &d->module->operands.at[from->id + half];
		if (to->kind == PTX_O_VECTOR && to->count == 2)
			y = &d->module->operands.at[to->id + half];
		a = weir_ptx_use(d, x, PTX_B64);
		b = weir_ptx_def(d, y);
		if (d->why)
			return false;
		a += x == from && x->kind == PTX_O_REGISTER ? half : 0;
		b += y == to && y->kind == PTX_O_REGISTER ? half : 0;
		weir_ptx_emit(d, PTX_X_MOV, b, a, NONE, NONE);
	}
	return true;
}

static bool pack(ptx_decoder *d, ptx_type type)
{
	const ptx_operand *from = &d->o[1];
	unsigned bits = weir_ptx_types[type].bits / from->count;
	uint32_t sum = NONE;

	for (unsigned i = 0; i < from->count; i++) {
		uint32_t part = weir_ptx_use(d, &d->module->operands.at[from->id + i], PTX_B64), to;
		uint32_t clean = weir_ptx_temp(d);
		if (d->why)
			return false;
		weir_ptx_emit_imm(d, PTX_X_FIELD, clean, part, NONE, NONE, bits << 8);
		to = i + 1 == from->count ? weir_ptx_out(d, 0) : weir_ptx_temp(d);
		if (i)
			weir_ptx_emit_imm(d, PTX_X_JOIN, to, sum, clean, NONE, i * bits);
		sum = i ? to : clean;
	}
	return !d->why;
}

static bool unpack(ptx_decoder *d, ptx_type type)
{
	const ptx_operand *to = &d->o[0];
	unsigned bits = weir_ptx_types[type].bits / to->count;
	uint32_t from = weir_ptx_in(d, 1, type), copy = weir_ptx_temp(d);

	if (d->why)
		return false;
	weir_ptx_emit(d, PTX_X_MOV, copy, from, NONE, NONE);
	for (unsigned i = 0; i < to->count; i++) {
		uint32_t part = weir_ptx_def(d, &d->module->operands.at[to->id + i]);
		weir_ptx_emit_imm(d, PTX_X_FIELD, part, copy, NONE, NONE, i * bits | bits << 8);
	}
	return !d->why;
}

/* mov.v4.u32 {...}, %tid: the components, then 0. */
static bool move_special(ptx_decoder *d)
{
	ptx_operand one = d->o[1];

	for (unsigned i = 0; i < d->o[0].count; i++) {
		uint32_t to = weir_ptx_def(d, &d->module->operands.at[d->o[0].id + i]);
		one.value = i;
		weir_ptx_emit(d, PTX_X_MOV, to,
		              i < weir_ptx_specials[one.id].components
		                  ? weir_ptx_use(d, &one, PTX_U32)
		                  : weir_ptx_number(d, 0),
		              NONE, NONE);
	}
	return !d->why;
}

bool weir_ptx_decode_mov(ptx_decoder *d)
{
	ptx_type type = weir_ptx_type(d);
	bool packs, unpacks;
	uint32_t from, to;

	if (!weir_ptx_count(d, 2, 2))
		return false;
	if (d->o[0].kind == PTX_O_VECTOR && d->o[1].kind == PTX_O_SPECIAL && d->o[0].count > 1)
		return move_special(d);
	packs = d->o[1].kind == PTX_O_VECTOR && d->o[1].count > 1;
	unpacks = d->o[0].kind == PTX_O_VECTOR && d->o[0].count > 1;
	if (type == PTX_B128)
		return move_wide(d);
	if (packs && unpacks) {
		if (d->o[0].count != d->o[1].count)
			return weir_ptx_refuse(d, "vectors of different lengths");
		for (unsigned i = 0; i < d->o[0].count; i++)
			weir_ptx_emit(
			    d, PTX_X_MOV, weir_ptx_def(d, &d->module->operands.at[d->o[0].id + i]),
			    weir_ptx_use(d, &d->module->operands.at[d->o[1].id + i], type), NONE,
			    NONE);
		return !d->why;
	}
	if (packs)
		return pack(d, type);
	if (unpacks)
		return unpack(d, type);
	if (d->o[1].kind == PTX_O_SPECIAL) { /* straight into the register */
		uint32_t first = d->raw.count;
		to = weir_ptx_out(d, 0);
		weir_ptx_in(d, 1, type);
		if (!d->why && first < d->raw.count)
			d->raw.at[first].d = to;
		return !d->why;
	}
	from = weir_ptx_in(d, 1, type);
	to = weir_ptx_out(d, 0);
	weir_ptx_emit(d, PTX_X_MOV, to, from, NONE, NONE);
	return !d->why;
}

/* --- Conversions --------------------------------------------------------------------------------- */

static ptx_op extension(ptx_type type)
{
	switch (type) {
	case PTX_S8:
		return PTX_X_SX8;
	case PTX_S16:
		return PTX_X_SX16;
	case PTX_S32:
		return PTX_X_SX32;
	case PTX_B8:
	case PTX_U8:
		return PTX_X_ZX8;
	case PTX_B16:
	case PTX_U16:
		return PTX_X_ZX16;
	case PTX_B32:
	case PTX_U32:
		return PTX_X_ZX32;
	default:
		return PTX_X_MOV;
	}
}

/* An integer's value in 64 bits. */
static uint32_t extended(ptx_decoder *d, ptx_type type, uint32_t x)
{
	uint32_t to = weir_ptx_temp(d);

	weir_ptx_emit(d, extension(type), to, x, NONE, NONE);
	return to;
}

static void int_to_int(ptx_decoder *d, ptx_type to_type, ptx_type type, uint32_t to, uint32_t x)
{
	bool from_signed = weir_ptx_types[type].class == 's';
	int64_t kind =
	    weir_ptx_types[to_type].bits | (weir_ptx_types[to_type].class == 's' ? 256 : 0);

	if (!ptx_has(d->s, PTX_M_SAT)) {
		if (weir_ptx_types[type].bits < weir_ptx_types[to_type].bits)
			weir_ptx_emit(d, extension(type), to, x, NONE, NONE);
		else
			weir_ptx_emit(d, extension(to_type), to, x, NONE, NONE);
		return;
	}
	weir_ptx_emit_imm(d, from_signed ? PTX_X_CLAMP_S : PTX_X_CLAMP_U, to, extended(d, type, x),
	                  NONE, NONE, kind);
}

static void float_result(ptx_decoder *d, ptx_type type, uint32_t to, uint32_t x);

static void int_to_float(ptx_decoder *d, ptx_type to_type, ptx_type type, uint32_t to, uint32_t x)
{
	bool from_signed = weir_ptx_types[type].class == 's';
	ptx_rounding mode = weir_ptx_rounding(d->s);
	int64_t imm = mode | from_signed << 8;
	uint32_t result = weir_ptx_temp(d);

	if (to_type == PTX_F32 && mode == PTX_RN && weir_ptx_types[type].bits == 32) {
		weir_ptx_emit(d, from_signed ? PTX_X_F32_S32 : PTX_X_F32_U32, result, x, NONE,
		              NONE);
	} else if (to_type == PTX_F32) {
		weir_ptx_emit_imm(d, PTX_X_F32_INT, result, extended(d, type, x), NONE, NONE, imm);
	} else if (to_type == PTX_F64) {
		weir_ptx_emit_imm(d, PTX_X_F64_INT, result, extended(d, type, x), NONE, NONE, imm);
	} else {
		uint32_t odd = weir_ptx_temp(d);
		weir_ptx_emit_imm(d, PTX_X_ODD_INT, odd, extended(d, type, x), NONE, NONE, imm);
		weir_ptx_emit_imm(d, to_type == PTX_F16 ? PTX_X_F16_F64_R : PTX_X_BF16_F64_R,
		                  result, odd, NONE, NONE, mode);
	}
	float_result(d, to_type, to, result);
}

/* A float of any type as a double, flushed if asked for. */
static uint32_t as_double(ptx_decoder *d, ptx_type type, uint32_t x)
{
	uint32_t single = x, to;

	if (type == PTX_F64)
		return x;
	if (type == PTX_F16 || type == PTX_BF16 || ptx_has(d->s, PTX_M_FTZ))
		single = compared(d, type, x);
	to = weir_ptx_temp(d);
	weir_ptx_emit(d, PTX_X_F64_F32, to, single, NONE, NONE);
	return to;
}

static void float_to_int(ptx_decoder *d, ptx_type to_type, ptx_type type, uint32_t to, uint32_t x)
{
	static const ptx_modifier modes[] = {PTX_M_RNI, PTX_M_RZI, PTX_M_RMI, PTX_M_RPI};
	int mode = weir_ptx_which(d->s, modes, 4);
	unsigned bits = weir_ptx_types[to_type].bits;
	bool is_signed = weir_ptx_types[to_type].class == 's';
	uint32_t result;

	if (mode < 0) {
		weir_ptx_refuse(d, "it needs a rounding to integers, such as .rzi");
		return;
	}
	if (to_type == PTX_S32 && type == PTX_F32 && mode == PTX_RZ && !ptx_has(d->s, PTX_M_FTZ)) {
		weir_ptx_emit(d, PTX_X_S32_F32, to, x, NONE, NONE);
		return;
	}
	result = weir_ptx_temp(d);
	weir_ptx_emit_imm(d, PTX_X_INT_F64, result, as_double(d, type, x), NONE, NONE,
	                  mode | (int64_t)bits << 8 | is_signed << 16 | (type == PTX_F64) << 17);
	weir_ptx_emit(d, extension(to_type), to, result, NONE, NONE);
}

/* What .sat, .satfinite and .relu make of a result. */
static void float_result(ptx_decoder *d, ptx_type type, uint32_t to, uint32_t x)
{
	uint32_t next;

	if (ptx_has(d->s, PTX_M_SATFINITE) && (type == PTX_F16 || type == PTX_BF16)) {
		next = weir_ptx_temp(d);
		weir_ptx_emit(d, type == PTX_F16 ? PTX_X_FINITE_F16 : PTX_X_FINITE_BF16, next, x,
		              NONE, NONE);
		x = next;
	}
	if (ptx_has(d->s, PTX_M_RELU)) {
		next = weir_ptx_temp(d);
		weir_ptx_emit(d,
		              type == PTX_F16    ? PTX_X_MAXNAN_F16
		              : type == PTX_BF16 ? PTX_X_MAXNAN_BF16
		                                 : PTX_X_MAXNAN_F32,
		              next, x, weir_ptx_number(d, 0), NONE);
		x = next;
	}
	if (ptx_has(d->s, PTX_M_SAT)) {
		next = weir_ptx_temp(d);
		weir_ptx_emit(d,
		              type == PTX_F64   ? PTX_X_SAT_F64
		              : type == PTX_F32 ? PTX_X_SAT_F32
		                                : PTX_X_SAT_F16,
		              next, x, NONE, NONE);
		x = next;
	}
	if (type == PTX_F32 && ptx_has(d->s, PTX_M_FTZ)) {
		next = weir_ptx_temp(d);
		weir_ptx_emit(d, PTX_X_FTZ, next, x, NONE, NONE);
		x = next;
	}
	weir_ptx_emit(d, PTX_X_MOV, to, x, NONE, NONE);
}

static void float_to_float(ptx_decoder *d, ptx_type to_type, ptx_type type, uint32_t to, uint32_t x)
{
	static const ptx_modifier integral[] = {PTX_M_RNI, PTX_M_RZI, PTX_M_RMI, PTX_M_RPI};
	ptx_rounding mode = weir_ptx_rounding(d->s);
	uint32_t result = weir_ptx_temp(d), from;

	if (to_type == PTX_TF32) {
		weir_ptx_emit_imm(d, PTX_X_TF32_F32, result, x, NONE, NONE, mode);
		float_result(d, PTX_F32, to, result);
		return;
	}
	if (to_type == type && weir_ptx_which(d->s, integral, 4) < 0) {
		weir_ptx_emit(d, PTX_X_MOV, result, type == PTX_F32 ? compared(d, type, x) : x,
		              NONE, NONE);
		float_result(d, to_type, to, result);
		return;
	}
	from = as_double(d, type, x);
	if (weir_ptx_which(d->s, integral, 4) >= 0) {
		uint32_t whole = weir_ptx_temp(d);
		weir_ptx_emit_imm(d, PTX_X_ROUND_F64, whole, from, NONE, NONE, mode);
		from = whole;
		mode = PTX_RN;
	}
	if (to_type == PTX_F64)
		weir_ptx_emit(d, PTX_X_MOV, result, from, NONE, NONE);
	else if (to_type == PTX_F32 && mode == PTX_RN)
		weir_ptx_emit(d, PTX_X_F32_F64, result, from, NONE, NONE);
	else
		weir_ptx_emit_imm(d,
		                  to_type == PTX_F32   ? PTX_X_F32_F64_R
		                  : to_type == PTX_F16 ? PTX_X_F16_F64_R
		                                       : PTX_X_BF16_F64_R,
		                  result, from, NONE, NONE, mode);
	float_result(d, to_type, to, result);
}

/* The type of each half of a packed one, or PTX_NO_TYPE. */
static ptx_type half_of(ptx_type type)
{
	switch (type) {
	case PTX_F16X2:
		return PTX_F16;
	case PTX_BF16X2:
		return PTX_BF16;
	case PTX_E4M3X2:
		return PTX_E4M3;
	case PTX_E5M2X2:
		return PTX_E5M2;
	case PTX_E2M3X2:
		return PTX_E2M3;
	case PTX_E3M2X2:
		return PTX_E3M2;
	case PTX_E2M1X2:
		return PTX_E2M1;
	default:
		return PTX_NO_TYPE;
	}
}

/* A half of a packed conversion: from f32. */
static uint32_t narrowed(ptx_decoder *d, ptx_type half, uint32_t x)
{
	uint32_t to = weir_ptx_temp(d), positive = x;

	if (half == PTX_F16 || half == PTX_BF16) {
		float_to_float(d, half, PTX_F32, to, x);
		return to;
	}
	if (ptx_has(d->s, PTX_M_RELU)) {
		positive = weir_ptx_temp(d);
		weir_ptx_emit(d, PTX_X_MAXNAN_F32, positive, x, weir_ptx_number(d, 0), NONE);
	}
	weir_ptx_emit_imm(d, PTX_X_F8_F32, to, positive, NONE, NONE, half);
	return to;
}

/* A half of a packed operand, as f32. */
static uint32_t widened(ptx_decoder *d, ptx_type half, unsigned which, uint32_t both)
{
	/* the parts of e2m3x2 and e3m2x2 lie in bytes */
	unsigned bits = half == PTX_F16 || half == PTX_BF16 ? 16 : half == PTX_E2M1 ? 4 : 8;
	uint32_t part = weir_ptx_temp(d), to = weir_ptx_temp(d);

	weir_ptx_emit_imm(d, PTX_X_FIELD, part, both, NONE, NONE, which * bits | bits << 8);
	weir_ptx_emit_imm(d,
	                  half == PTX_F16    ? PTX_X_F32_F16
	                  : half == PTX_BF16 ? PTX_X_F32_BF16
	                                     : PTX_X_F32_F8,
	                  to, part, NONE, NONE, half);
	return to;
}

static bool cvt_packed(ptx_decoder *d, ptx_type to_type, ptx_type type)
{
	ptx_type half = half_of(to_type), from = half_of(type);
	unsigned bits = half == PTX_F16 || half == PTX_BF16 ? 16 : half == PTX_E2M1 ? 4 : 8;
	uint32_t parts[2], both;

	if (bits == 8 &&
	    weir_ptx_which(d->s, (const ptx_modifier[]){PTX_M_RZ, PTX_M_RM, PTX_M_RP}, 3) >= 0)
		return weir_ptx_refuse(d, "this rounding is not supported");
	if (type == PTX_F32) { /* cvt d, a, b: a becomes the upper half */
		if (!weir_ptx_count(d, 3, 3))
			return false;
		parts[1] = weir_ptx_in(d, 1, type);
		parts[0] = weir_ptx_in(d, 2, type);
	} else {
		if (!weir_ptx_count(d, 2, 2) || from == PTX_NO_TYPE ||
		    (bits == 16) == (from == PTX_F16 || from == PTX_BF16))
			return weir_ptx_refuse(d, "this conversion is not supported");
		both = weir_ptx_in(d, 1, type);
		parts[0] = widened(d, from, 0, both);
		parts[1] = widened(d, from, 1, both);
	}
	parts[0] = narrowed(d, half, parts[0]);
	parts[1] = narrowed(d, half, parts[1]);
	weir_ptx_emit_imm(d, PTX_X_JOIN, weir_ptx_out(d, 0), parts[0], parts[1], NONE, bits);
	return !d->why;
}

/* cvt.pack.sat.type.s32{.b32} d, a, b{, c}: a and b, clamped, below the low bits of c. */
static bool cvt_pack(ptx_decoder *d, ptx_type to_type)
{
	unsigned bits = weir_ptx_types[to_type].bits;
	bool has_rest = d->s->type_count == 3;
	int64_t kind = bits | (weir_ptx_types[to_type].class == 's' ? 256 : 0);
	uint32_t both, parts[2];

	if (d->s->types[1] != PTX_S32 || bits > 16 || has_rest == (bits == 16) ||
	    (has_rest && d->s->types[2] != PTX_B32) || weir_ptx_types[to_type].class == 'f' ||
	    !weir_ptx_count(d, 3 + has_rest, 3 + has_rest))
		return weir_ptx_refuse(d, "this conversion is not supported");
	for (unsigned i = 0; i < 2; i++) {
		parts[i] = weir_ptx_temp(d);
		weir_ptx_emit_imm(d, PTX_X_CLAMP_S, parts[i],
		                  extended(d, PTX_S32, weir_ptx_in(d, 2 - i, PTX_S32)), NONE, NONE,
		                  kind);
		weir_ptx_emit_imm(d, PTX_X_FIELD, parts[i], parts[i], NONE, NONE, bits << 8);
	}
	both = weir_ptx_temp(d);
	weir_ptx_emit_imm(d, PTX_X_JOIN, both, parts[0], parts[1], NONE, bits);
	if (has_rest)
		weir_ptx_emit_imm(d, PTX_X_JOIN, both, both, weir_ptx_in(d, 3, PTX_B32), NONE,
		                  2 * bits);
	weir_ptx_emit(d, PTX_X_ZX32, weir_ptx_out(d, 0), both, NONE, NONE);
	return !d->why;
}

static bool is_float(ptx_type type)
{
	return weir_ptx_types[type].class == 'f' || type == PTX_TF32;
}

bool weir_ptx_decode_cvt(ptx_decoder *d)
{
	ptx_type to_type = weir_ptx_type(d), type = d->s->types[1];
	uint32_t x, to;

	if (ptx_has(d->s, PTX_M_PACK) && d->s->type_count > 1)
		return cvt_pack(d, to_type);
	if (d->s->type_count != 2)
		return weir_ptx_refuse(d, "this conversion is not supported");
	if (weir_ptx_types[to_type].bits > 64 || weir_ptx_types[type].bits > 64)
		return weir_ptx_refuse(d, "this type is not supported");
	if (half_of(to_type) != PTX_NO_TYPE)
		return cvt_packed(d, to_type, type);
	if (half_of(type) != PTX_NO_TYPE || weir_ptx_types[to_type].bits < 8 ||
	    weir_ptx_types[type].bits < 8 || !weir_ptx_count(d, 2, 2))
		return weir_ptx_refuse(d, "this conversion is not supported");
	x = weir_ptx_in(d, 1, type);
	to = weir_ptx_out(d, 0);
	if (d->why)
		return false;
	if (is_float(type))
		(is_float(to_type) ? float_to_float : float_to_int)(d, to_type, type, to, x);
	else
		(is_float(to_type) ? int_to_float : int_to_int)(d, to_type, type, to, x);
	return !d->why;
}

/* --- Addresses ----------------------------------------------------------------------------------- */

/* Global, constant and parameter addresses are generic as they are. */
bool weir_ptx_decode_cvta(ptx_decoder *d)
{
	bool shared = ptx_has(d->s, PTX_M_SHARED) || ptx_has(d->s, PTX_M_SHARED_CTA) ||
	              ptx_has(d->s, PTX_M_SHARED_CLUSTER);
	bool local = ptx_has(d->s, PTX_M_LOCAL), to_space = ptx_has(d->s, PTX_M_TO);
	uint64_t window = shared ? PTX_SHARED_WINDOW : local ? PTX_LOCAL_WINDOW : 0;
	uint32_t from, to, low;

	if (!weir_ptx_count(d, 2, 2))
		return false;
	if (weir_ptx_type(d) == PTX_U32 && !to_space)
		return weir_ptx_refuse(d, "generic addresses have 64 bits");
	from = weir_ptx_in(d, 1, PTX_U64);
	to = weir_ptx_out(d, 0);
	if (!window) {
		weir_ptx_emit(d, PTX_X_MOV, to, from, NONE, NONE);
	} else if (to_space) {
		/* An address of another space stays wrong: the access will say so. */
		weir_ptx_emit(d, PTX_X_XOR, to, from, weir_ptx_number(d, window), NONE);
	} else {
		low = weir_ptx_temp(d);
		weir_ptx_emit(d, PTX_X_ZX32, low, from, NONE, NONE);
		weir_ptx_emit(d, PTX_X_OR, to, low, weir_ptx_number(d, window), NONE);
	}
	return !d->why;
}

bool weir_ptx_decode_isspacep(ptx_decoder *d)
{
	int64_t space = ptx_has(d->s, PTX_M_GLOBAL)           ? WEIR_PTX_GLOBAL
	                : ptx_has(d->s, PTX_M_SHARED_CLUSTER) ? WEIR_PTX_SHARED
	                : ptx_has(d->s, PTX_M_SHARED) || ptx_has(d->s, PTX_M_SHARED_CTA)
	                    ? WEIR_PTX_SHARED | 16
	                : ptx_has(d->s, PTX_M_LOCAL) ? WEIR_PTX_LOCAL
	                : ptx_has(d->s, PTX_M_CONST) ? WEIR_PTX_CONST
	                                             : WEIR_PTX_PARAM;

	if (!weir_ptx_count(d, 2, 2))
		return false;
	weir_ptx_emit_imm(d, PTX_X_ISSPACE, weir_ptx_out(d, 0), weir_ptx_in(d, 1, PTX_U64), NONE,
	                  NONE, space);
	return !d->why;
}

/* mapa d, a, rank; getctarank d, a. Without .shared::cluster addresses are generic. */
bool weir_ptx_decode_mapa(ptx_decoder *d)
{
	bool map = d->s->opcode == PTX_OP_mapa, generic = !ptx_has(d->s, PTX_M_SHARED_CLUSTER);
	uint32_t a, to;

	if (!weir_ptx_count(d, map ? 3 : 2, map ? 3 : 2))
		return false;
	a = weir_ptx_in(d, 1, PTX_U64);
	to = weir_ptx_out(d, 0);
	weir_ptx_emit_imm(d, map ? PTX_X_MAPA : PTX_X_RANK, to, a,
	                  map ? weir_ptx_in(d, 2, PTX_U32) : NONE, NONE, generic);
	return !d->why;
}
