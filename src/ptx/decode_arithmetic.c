/* Decoders of integer and floating-point arithmetic. */
#include "ptx/decode.h"

#define NONE PTX_NONE

/* Operations that differ by type only: at the place of the type. */
typedef struct by_type {
	ptx_op u16, u32, u64, s16, s32, s64;
} by_type;

#define BY_INT(name)                                                                               \
	{                                                                                          \
		PTX_X_##name##_U16, PTX_X_##name##_U32, PTX_X_##name##_U64, PTX_X_##name##_S16,    \
		    PTX_X_##name##_S32, PTX_X_##name##_S64                                         \
	}
#define BY_SIZE(name)                                                                              \
	{                                                                                          \
		PTX_X_##name##_16, PTX_X_##name##_32, PTX_X_##name##_64, PTX_X_##name##_16,        \
		    PTX_X_##name##_32, PTX_X_##name##_64                                           \
	}

static ptx_op pick(ptx_decoder *d, by_type ops, ptx_type type)
{
	switch (type) {
	case PTX_U16:
	case PTX_B16:
		return ops.u16;
	case PTX_U32:
	case PTX_B32:
		return ops.u32;
	case PTX_U64:
	case PTX_B64:
		return ops.u64;
	case PTX_S16:
		return ops.s16;
	case PTX_S32:
		return ops.s32;
	case PTX_S64:
		return ops.s64;
	default:
		weir_ptx_refuse(d, "this type is not supported");
		return PTX_X_NOP;
	}
}

static bool is_float(ptx_type type)
{
	return weir_ptx_types[type].class == 'f';
}

/* --- Packed types: the same operation on each part --------------------------------------------- */

typedef void scalar(ptx_decoder *d, ptx_type type, uint32_t to, const uint32_t *in);

static ptx_type part_type(ptx_type type)
{
	switch (type) {
	case PTX_F16X2:
		return PTX_F16;
	case PTX_BF16X2:
		return PTX_BF16;
	case PTX_U16X2:
		return PTX_U16;
	case PTX_S16X2:
		return PTX_S16;
	case PTX_F32X2:
		return PTX_F32;
	default:
		return type;
	}
}

/* add.f32.f16 and the like: all operands but the last are halves. */
static bool widen(ptx_decoder *d, unsigned count, uint32_t *in)
{
	ptx_type half = d->s->types[1];

	if (weir_ptx_type(d) != PTX_F32 || (half != PTX_F16 && half != PTX_BF16))
		return weir_ptx_refuse(d, "these types are not supported");
	for (unsigned i = 0; i + 1 < count; i++) {
		uint32_t wide = weir_ptx_temp(d);
		weir_ptx_emit(d, half == PTX_F16 ? PTX_X_F32_F16 : PTX_X_F32_BF16, wide, in[i],
		              NONE, NONE);
		in[i] = wide;
	}
	return true;
}

/* Operands 1 and on are the `count` inputs. */
static bool by_parts(ptx_decoder *d, unsigned count, scalar *emit)
{
	ptx_type type = weir_ptx_type(d), part = part_type(type);
	unsigned bits = weir_ptx_types[part].bits;
	uint32_t to, in[3] = {NONE, NONE, NONE}, parts[3] = {NONE, NONE, NONE}, results[2];

	if (!weir_ptx_count(d, count + 1, count + 1))
		return false;
	for (unsigned i = 0; i < count; i++)
		in[i] = weir_ptx_in(d, i + 1, type);
	to = weir_ptx_out(d, 0);
	if (d->why || (d->s->type_count == 2 && !widen(d, count, in)))
		return false;
	if (part == type) {
		emit(d, type, to, in);
		return !d->why;
	}
	for (unsigned half = 0; half < 2; half++) {
		for (unsigned i = 0; i < count; i++) {
			parts[i] = weir_ptx_temp(d);
			weir_ptx_emit_imm(d, PTX_X_FIELD, parts[i], in[i], NONE, NONE,
			                  (int64_t)(half * bits | bits << 8));
		}
		results[half] = weir_ptx_temp(d);
		emit(d, part, results[half], parts);
	}
	weir_ptx_emit_imm(d, PTX_X_JOIN, to, results[0], results[1], NONE, bits);
	return !d->why;
}

/* --- Floating point ------------------------------------------------------------------------------ */

static uint32_t flushed(ptx_decoder *d, ptx_type type, uint32_t x)
{
	uint32_t to;

	if (x == NONE || !ptx_has(d->s, PTX_M_FTZ) || (type != PTX_F32 && type != PTX_F16))
		return x;
	to = weir_ptx_temp(d);
	weir_ptx_emit(d, type == PTX_F32 ? PTX_X_FTZ : PTX_X_FTZ_F16, to, x, NONE, NONE);
	return to;
}

/* What follows an operation: flushing, .sat, .relu. The result goes to `to`. */
static void finish(ptx_decoder *d, ptx_type type, uint32_t to, uint32_t x)
{
	x = flushed(d, type, x);
	if (ptx_has(d->s, PTX_M_SAT)) {
		ptx_op op = type == PTX_F32   ? PTX_X_SAT_F32
		            : type == PTX_F64 ? PTX_X_SAT_F64
		                              : PTX_X_SAT_F16;
		if (type == PTX_BF16)
			weir_ptx_refuse(d, "this modifier is not supported");
		weir_ptx_emit(d, op, to, x, NONE, NONE);
	} else if (ptx_has(d->s, PTX_M_RELU)) {
		uint32_t zero = weir_ptx_number(d, 0);
		ptx_op op = type == PTX_F16    ? PTX_X_MAXNAN_F16
		            : type == PTX_BF16 ? PTX_X_MAXNAN_BF16
		            : type == PTX_F32  ? PTX_X_MAXNAN_F32
		            : type == PTX_S16  ? PTX_X_MAX_S16
		                               : PTX_X_MAX_S32;
		weir_ptx_emit(d, op, to, x, zero, NONE);
	} else {
		weir_ptx_emit(d, PTX_X_MOV, to, x, NONE, NONE);
	}
}

static bool finishes(const ptx_decoder *d, ptx_type type)
{
	return ptx_has(d->s, PTX_M_SAT) || ptx_has(d->s, PTX_M_RELU) ||
	       (ptx_has(d->s, PTX_M_FTZ) && (type == PTX_F32 || type == PTX_F16));
}

static ptx_op nearest(ptx_type type, ptx_float_op op, bool ftz)
{
	static const ptx_op ops[5][6] = {
	    {PTX_X_ADD_F32, PTX_X_SUB_F32, PTX_X_MUL_F32, PTX_X_FMA_F32, PTX_X_DIV_F32,
	     PTX_X_SQRT_F32},
	    {PTX_X_ADD_F64, PTX_X_SUB_F64, PTX_X_MUL_F64, PTX_X_FMA_F64, PTX_X_DIV_F64,
	     PTX_X_SQRT_F64},
	    {PTX_X_ADD_F16, PTX_X_SUB_F16, PTX_X_MUL_F16, PTX_X_FMA_F16, PTX_X_NOP, PTX_X_NOP},
	    {PTX_X_ADD_BF16, PTX_X_SUB_BF16, PTX_X_MUL_BF16, PTX_X_FMA_BF16, PTX_X_NOP, PTX_X_NOP},
	    {PTX_X_ADD_FTZ, PTX_X_SUB_FTZ, PTX_X_MUL_FTZ, PTX_X_FMA_FTZ, PTX_X_NOP, PTX_X_NOP},
	};
	int row = type == PTX_F32 ? ftz ? 4 : 0 : type == PTX_F64 ? 1 : type == PTX_F16 ? 2 : 3;

	return ops[row][op];
}

static void float_op(ptx_decoder *d, ptx_type type, ptx_float_op op, uint32_t to,
                     const uint32_t *in)
{
	ptx_rounding mode = weir_ptx_rounding(d->s);
	bool ftz = ptx_has(d->s, PTX_M_FTZ),
	     sat = ptx_has(d->s, PTX_M_SAT) || ptx_has(d->s, PTX_M_RELU);
	uint32_t a = in[0], b = in[1], c = in[2], result = to;
	ptx_op nearest_op;

	if (type == PTX_F32 && ftz && mode == PTX_RN && op <= PTX_FMA) {
		if (sat)
			result = weir_ptx_temp(d);
		weir_ptx_emit(d, nearest(type, op, true), result, a, b, c);
		if (sat)
			finish(d, type, to, result);
		return;
	}
	a = flushed(d, type, a);
	b = flushed(d, type, b);
	c = flushed(d, type, c);
	if (finishes(d, type))
		result = weir_ptx_temp(d);
	nearest_op = nearest(type, op, false);
	if (nearest_op == PTX_X_NOP || (mode != PTX_RN && type != PTX_F32 && type != PTX_F64))
		weir_ptx_refuse(d, "this type is not supported");
	if (mode == PTX_RN) {
		weir_ptx_emit(d, nearest_op, result, a, b, c);
	} else {
		uint32_t zero = weir_ptx_number(d, 0);
		weir_ptx_emit_imm(d, type == PTX_F32 ? PTX_X_OP_F32 : PTX_X_OP_F64, result, a,
		                  b == NONE ? zero : b, c == NONE ? zero : c,
		                  (int64_t)op << 8 | mode);
	}
	if (result != to)
		finish(d, type, to, result);
}

/* --- Integers ------------------------------------------------------------------------------------ */

static uint32_t carry_of(ptx_decoder *d)
{
	if (d->carry == NONE)
		d->carry = weir_ptx_temp(d);
	return d->carry;
}

/* a + b + carry or a - b - borrow; the carry out goes to CC.CF if the instruction has .cc. */
static void carried(ptx_decoder *d, bool wide, bool minus, uint32_t to, uint32_t a, uint32_t b,
                    uint32_t in)
{
	ptx_op sum = minus  ? wide ? PTX_X_SUBC_64 : PTX_X_SUBC_32
	             : wide ? PTX_X_ADDC_64
	                    : PTX_X_ADDC_32;
	ptx_op out = minus  ? wide ? PTX_X_BORROW_64 : PTX_X_BORROW_32
	             : wide ? PTX_X_CARRY_64
	                    : PTX_X_CARRY_32;
	uint32_t result = weir_ptx_temp(d);

	weir_ptx_emit(d, sum, result, a, b, in);
	if (ptx_has(d->s, PTX_M_CC))
		weir_ptx_emit(d, out, carry_of(d), a, b, in);
	weir_ptx_emit(d, PTX_X_MOV, to, result, NONE, NONE);
}

static bool is_wide_type(ptx_type type)
{
	return weir_ptx_types[type].bits == 64;
}

static void emit_add(ptx_decoder *d, ptx_type type, uint32_t to, const uint32_t *in)
{
	static const by_type add = BY_SIZE(ADD), sub = BY_SIZE(SUB);
	bool minus = d->s->opcode == PTX_OP_sub;

	if (is_float(type))
		float_op(d, type, minus ? PTX_SUB : PTX_ADD, to, in);
	else if (ptx_has(d->s, PTX_M_CC))
		carried(d, is_wide_type(type), minus, to, in[0], in[1], weir_ptx_number(d, 0));
	else if (ptx_has(d->s, PTX_M_SAT))
		weir_ptx_emit(d, minus ? PTX_X_SUBSAT_S32 : PTX_X_ADDSAT_S32, to, in[0], in[1],
		              NONE);
	else
		weir_ptx_emit(d, pick(d, minus ? sub : add, type), to, in[0], in[1], NONE);
}

bool weir_ptx_decode_add(ptx_decoder *d)
{
	return by_parts(d, 2, emit_add);
}

bool weir_ptx_decode_addc(ptx_decoder *d)
{
	ptx_type type = weir_ptx_type(d);
	uint32_t a, b, to;

	if (!weir_ptx_count(d, 3, 3))
		return false;
	a = weir_ptx_in(d, 1, type);
	b = weir_ptx_in(d, 2, type);
	to = weir_ptx_out(d, 0);
	if (!d->why)
		carried(d, is_wide_type(type), d->s->opcode == PTX_OP_subc, to, a, b, carry_of(d));
	return !d->why;
}

static void emit_mul(ptx_decoder *d, ptx_type type, uint32_t to, const uint32_t *in)
{
	static const by_type low = BY_SIZE(MUL), high = BY_INT(MULHI);
	static const by_type wide = {PTX_X_MULW_U16, PTX_X_MULW_U32, PTX_X_NOP,
	                             PTX_X_MULW_S16, PTX_X_MULW_S32, PTX_X_NOP};
	const by_type *ops = ptx_has(d->s, PTX_M_WIDE) ? &wide
	                     : ptx_has(d->s, PTX_M_HI) ? &high
	                                               : &low;

	if (is_float(type))
		float_op(d, type, PTX_MUL, to, in);
	else
		weir_ptx_emit(d, pick(d, *ops, type), to, in[0], in[1], NONE);
}

bool weir_ptx_decode_mul(ptx_decoder *d)
{
	return by_parts(d, 2, emit_mul);
}

static void emit_mad(ptx_decoder *d, ptx_type type, uint32_t to, const uint32_t *in)
{
	static const by_type low = BY_SIZE(MAD), add = BY_SIZE(ADD);
	static const by_type wide = {PTX_X_MADW_U16, PTX_X_MADW_U32, PTX_X_NOP,
	                             PTX_X_MADW_S16, PTX_X_MADW_S32, PTX_X_NOP};
	bool carry = d->s->opcode == PTX_OP_madc, high = ptx_has(d->s, PTX_M_HI);
	uint32_t product;

	if (is_float(type)) {
		float_op(d, type, PTX_FMA, to, in);
		return;
	}
	if (!high && !carry && !ptx_has(d->s, PTX_M_CC)) {
		weir_ptx_emit(d, pick(d, ptx_has(d->s, PTX_M_WIDE) ? wide : low, type), to, in[0],
		              in[1], in[2]);
		return;
	}
	product = weir_ptx_temp(d);
	emit_mul(d, type, product, in);
	if (carry || ptx_has(d->s, PTX_M_CC))
		carried(d, is_wide_type(type), false, to, product, in[2],
		        carry ? carry_of(d) : weir_ptx_number(d, 0));
	else if (ptx_has(d->s, PTX_M_SAT))
		weir_ptx_emit(d, PTX_X_ADDSAT_S32, to, product, in[2], NONE);
	else
		weir_ptx_emit(d, pick(d, add, type), to, product, in[2], NONE);
}

bool weir_ptx_decode_mad(ptx_decoder *d)
{
	return by_parts(d, 3, emit_mad);
}

bool weir_ptx_decode_mul24(ptx_decoder *d)
{
	bool mad = d->s->opcode == PTX_OP_mad24, s32 = weir_ptx_type(d) == PTX_S32;
	bool high = ptx_has(d->s, PTX_M_HI);
	uint32_t a, b, to, product;

	if (!weir_ptx_count(d, mad ? 4 : 3, mad ? 4 : 3))
		return false;
	a = weir_ptx_in(d, 1, PTX_U32);
	b = weir_ptx_in(d, 2, PTX_U32);
	to = weir_ptx_out(d, 0);
	product = mad ? weir_ptx_temp(d) : to;
	weir_ptx_emit(d,
	              s32    ? high ? PTX_X_MUL24HI_S32 : PTX_X_MUL24LO_S32
	              : high ? PTX_X_MUL24HI_U32
	                     : PTX_X_MUL24LO_U32,
	              product, a, b, NONE);
	if (mad)
		weir_ptx_emit(d, ptx_has(d->s, PTX_M_SAT) ? PTX_X_ADDSAT_S32 : PTX_X_ADD_32, to,
		              product, weir_ptx_in(d, 3, PTX_U32), NONE);
	return !d->why;
}

/* d = op(a, b, c), of the same type. */
static bool by_int(ptx_decoder *d, const by_type *ops, unsigned inputs)
{
	ptx_type type = weir_ptx_type(d);
	uint32_t in[3] = {NONE, NONE, NONE}, to;

	if (!weir_ptx_count(d, inputs + 1, inputs + 1))
		return false;
	for (unsigned i = 0; i < inputs; i++)
		in[i] = weir_ptx_in(d, i + 1, type);
	to = weir_ptx_out(d, 0);
	weir_ptx_emit(d, pick(d, *ops, type), to, in[0], in[1], in[2]);
	return !d->why;
}

bool weir_ptx_decode_sad(ptx_decoder *d)
{
	static const by_type ops = BY_INT(SAD);
	return by_int(d, &ops, 3);
}

bool weir_ptx_decode_rem(ptx_decoder *d)
{
	static const by_type ops = BY_INT(REM);
	return by_int(d, &ops, 2);
}

static void emit_div(ptx_decoder *d, ptx_type type, uint32_t to, const uint32_t *in)
{
	bool approx = ptx_has(d->s, PTX_M_APPROX);
	uint32_t result;

	if (!approx && !ptx_has(d->s, PTX_M_FULL)) {
		float_op(d, type, PTX_DIV, to, in);
		return;
	}
	result = finishes(d, type) ? weir_ptx_temp(d) : to;
	weir_ptx_emit(d, approx ? PTX_X_DIV_APPROX : PTX_X_DIV_F32, result, flushed(d, type, in[0]),
	              flushed(d, type, in[1]), NONE);
	if (result != to)
		finish(d, type, to, result);
}

bool weir_ptx_decode_div(ptx_decoder *d)
{
	static const by_type ops = BY_INT(DIV);

	return is_float(weir_ptx_type(d)) ? by_parts(d, 2, emit_div) : by_int(d, &ops, 2);
}

static void emit_abs(ptx_decoder *d, ptx_type type, uint32_t to, const uint32_t *in)
{
	static const by_type abs_ops = BY_SIZE(ABS), neg_ops = BY_SIZE(NEG);
	bool abs = d->s->opcode == PTX_OP_abs;

	if (type == PTX_F32)
		weir_ptx_emit(d, abs ? PTX_X_ABS_F32 : PTX_X_NEG_F32, to, flushed(d, type, in[0]),
		              NONE, NONE);
	else if (type == PTX_F64)
		weir_ptx_emit(d, abs ? PTX_X_ABS_F64 : PTX_X_NEG_F64, to, in[0], NONE, NONE);
	else if (is_float(type))
		weir_ptx_emit(d, abs ? PTX_X_ABS_H : PTX_X_NEG_H, to, flushed(d, type, in[0]), NONE,
		              NONE);
	else
		weir_ptx_emit(d, pick(d, abs ? abs_ops : neg_ops, type), to, in[0], NONE, NONE);
}

bool weir_ptx_decode_abs(ptx_decoder *d)
{
	return by_parts(d, 1, emit_abs);
}

static ptx_op float_min(ptx_type type, bool max, bool nan)
{
	switch (type) {
	case PTX_F32:
		return nan   ? max ? PTX_X_MAXNAN_F32 : PTX_X_MINNAN_F32
		       : max ? PTX_X_MAX_F32
		             : PTX_X_MIN_F32;
	case PTX_F64:
		return max ? PTX_X_MAX_F64 : PTX_X_MIN_F64;
	case PTX_F16:
		return nan   ? max ? PTX_X_MAXNAN_F16 : PTX_X_MINNAN_F16
		       : max ? PTX_X_MAX_F16
		             : PTX_X_MIN_F16;
	default:
		return nan   ? max ? PTX_X_MAXNAN_BF16 : PTX_X_MINNAN_BF16
		       : max ? PTX_X_MAX_BF16
		             : PTX_X_MIN_BF16;
	}
}

/* The sign of the result is the exclusive or of the operands' signs. */
static void emit_xorsign(ptx_decoder *d, ptx_type type, uint32_t to, ptx_op op, uint32_t a,
                         uint32_t b)
{
	ptx_op absolute = type == PTX_F32 ? PTX_X_ABS_F32 : PTX_X_ABS_H;
	uint32_t x = weir_ptx_temp(d), y = weir_ptx_temp(d), result = weir_ptx_temp(d);

	if (type == PTX_F64)
		weir_ptx_refuse(d, "this modifier is not supported");
	weir_ptx_emit(d, absolute, x, a, NONE, NONE);
	weir_ptx_emit(d, absolute, y, b, NONE, NONE);
	weir_ptx_emit(d, op, result, x, y, NONE);
	weir_ptx_emit(d, type == PTX_F32 ? PTX_X_XORSIGN_F32 : PTX_X_XORSIGN_H, to, result, a, b);
}

static void emit_min(ptx_decoder *d, ptx_type type, uint32_t to, const uint32_t *in)
{
	static const by_type min = BY_INT(MIN), max_ops = BY_INT(MAX);
	bool max = d->s->opcode == PTX_OP_max;
	bool finish_it = finishes(d, type);
	uint32_t result = finish_it ? weir_ptx_temp(d) : to;
	ptx_op op = is_float(type) ? float_min(type, max, ptx_has(d->s, PTX_M_NAN))
	                           : pick(d, max ? max_ops : min, type);

	if (ptx_has(d->s, PTX_M_XORSIGN))
		emit_xorsign(d, type, result, op, flushed(d, type, in[0]), flushed(d, type, in[1]));
	else
		weir_ptx_emit(d, op, result, flushed(d, type, in[0]), flushed(d, type, in[1]),
		              NONE);
	if (finish_it)
		finish(d, type, to, result);
}

bool weir_ptx_decode_min(ptx_decoder *d)
{
	ptx_type part = part_type(weir_ptx_type(d));
	uint32_t first, extra = NONE, in[3];

	if (d->s->operands != 4 || !is_float(part))
		return by_parts(d, 2, emit_min);
	/* three inputs: min(min(a, b), c) */
	first = weir_ptx_temp(d);
	extra = weir_ptx_in(d, 3, part);
	if (part != weir_ptx_type(d))
		return weir_ptx_refuse(d, "three operands of a packed type are not supported");
	if (part != PTX_F32)
		return weir_ptx_refuse(d, "three operands are of type f32");
	in[0] = weir_ptx_in(d, 1, part);
	in[1] = weir_ptx_in(d, 2, part);
	in[2] = extra;
	for (unsigned i = 0; i < 3 && ptx_has(d->s, PTX_M_ABS); i++) {
		uint32_t magnitude = weir_ptx_temp(d);
		weir_ptx_emit(d, PTX_X_ABS_F32, magnitude, in[i], NONE, NONE);
		in[i] = magnitude;
	}
	extra = in[2];
	emit_min(d, part, first, in);
	emit_min(d, part, weir_ptx_out(d, 0), (uint32_t[3]){first, extra, NONE});
	return !d->why;
}

bool weir_ptx_decode_bits(ptx_decoder *d)
{
	static const by_type popc = {PTX_X_NOP, PTX_X_POPC_32, PTX_X_POPC_64,
	                             PTX_X_NOP, PTX_X_NOP,     PTX_X_NOP};
	static const by_type clz = {PTX_X_NOP, PTX_X_CLZ_32, PTX_X_CLZ_64,
	                            PTX_X_NOP, PTX_X_NOP,    PTX_X_NOP};
	static const by_type brev = {PTX_X_NOP, PTX_X_BREV_32, PTX_X_BREV_64,
	                             PTX_X_NOP, PTX_X_NOP,     PTX_X_NOP};

	return by_int(d,
	              d->s->opcode == PTX_OP_popc  ? &popc
	              : d->s->opcode == PTX_OP_clz ? &clz
	                                           : &brev,
	              1);
}

bool weir_ptx_decode_bfind(ptx_decoder *d)
{
	static const by_type ops = {PTX_X_NOP, PTX_X_BFIND_U32, PTX_X_BFIND_U64,
	                            PTX_X_NOP, PTX_X_BFIND_S32, PTX_X_BFIND_S64};

	if (!by_int(d, &ops, 1))
		return false;
	d->raw.at[d->raw.count - 1].imm = ptx_has(d->s, PTX_M_SHIFTAMT);
	return true;
}

bool weir_ptx_decode_fns(ptx_decoder *d)
{
	static const by_type ops = {PTX_X_NOP, PTX_X_FNS, PTX_X_NOP,
	                            PTX_X_NOP, PTX_X_NOP, PTX_X_NOP};
	return by_int(d, &ops, 3);
}

bool weir_ptx_decode_bfe(ptx_decoder *d)
{
	static const by_type ops = {PTX_X_NOP, PTX_X_BFE_U32, PTX_X_BFE_U64,
	                            PTX_X_NOP, PTX_X_BFE_S32, PTX_X_BFE_S64};
	return by_int(d, &ops, 3);
}

/* bfi d, a, b, c, l: the low l bits of a go to bit c of b. */
bool weir_ptx_decode_bfi(ptx_decoder *d)
{
	ptx_type type = weir_ptx_type(d);
	bool wide = type == PTX_B64;
	uint32_t a, b, at, length, to, mask = weir_ptx_temp(d), moved = weir_ptx_temp(d);

	if (!weir_ptx_count(d, 5, 5))
		return false;
	a = weir_ptx_in(d, 1, type);
	b = weir_ptx_in(d, 2, type);
	at = weir_ptx_in(d, 3, PTX_U32);
	length = weir_ptx_in(d, 4, PTX_U32);
	to = weir_ptx_out(d, 0);
	weir_ptx_emit(d, wide ? PTX_X_MASK_64 : PTX_X_MASK_32, mask, at, length, NONE);
	weir_ptx_emit(d, PTX_X_SHLBY, moved, a, at, NONE);
	weir_ptx_emit(d, PTX_X_MERGE, to, moved, b, mask);
	return !d->why;
}

static bool with_imm(ptx_decoder *d, ptx_op op, unsigned inputs, int64_t imm)
{
	uint32_t in[3] = {NONE, NONE, NONE}, to;

	if (!weir_ptx_count(d, inputs + 1, inputs + 1))
		return false;
	for (unsigned i = 0; i < inputs; i++)
		in[i] = weir_ptx_in(d, i + 1, PTX_U32);
	to = weir_ptx_out(d, 0);
	weir_ptx_emit_imm(d, op, to, in[0], in[1], in[2], imm);
	return !d->why;
}

bool weir_ptx_decode_szext(ptx_decoder *d)
{
	return with_imm(d, weir_ptx_type(d) == PTX_S32 ? PTX_X_SZEXT_S32 : PTX_X_SZEXT_U32, 2,
	                ptx_has(d->s, PTX_M_WRAP));
}

bool weir_ptx_decode_bmsk(ptx_decoder *d)
{
	return with_imm(d, PTX_X_BMSK, 2, ptx_has(d->s, PTX_M_WRAP));
}

bool weir_ptx_decode_dp4a(ptx_decoder *d)
{
	int64_t kinds = (d->s->types[0] == PTX_S32) | (d->s->types[1] == PTX_S32) << 1 |
	                ptx_has(d->s, PTX_M_HI) << 2;

	if (d->s->type_count != 2)
		return weir_ptx_refuse(d, "it needs two types");
	return with_imm(d, d->s->opcode == PTX_OP_dp4a ? PTX_X_DP4A : PTX_X_DP2A, 3, kinds);
}

/* --- Floating point ------------------------------------------------------------------------------ */

/* .oob: a product with the mark of what lies outside a tensor is 0. */
static void emit_fma(ptx_decoder *d, ptx_type type, uint32_t to, const uint32_t *in)
{
	uint32_t result = weir_ptx_temp(d), outside = weir_ptx_temp(d), clamped = weir_ptx_temp(d);

	if (!ptx_has(d->s, PTX_M_OOB)) {
		float_op(d, type, PTX_FMA, to, in);
		return;
	}
	if (type != PTX_F16 && type != PTX_BF16)
		weir_ptx_refuse(d, "this modifier is not supported");
	float_op(d, type, PTX_FMA, result, in);
	for (unsigned i = 0; i < 2; i++) {
		weir_ptx_emit(d, PTX_X_EQ_U16, outside, in[i], weir_ptx_number(d, 0xffff), NONE);
		weir_ptx_emit(d, PTX_X_SELECT, i ? to : clamped, weir_ptx_number(d, 0),
		              i ? clamped : result, outside);
	}
}

bool weir_ptx_decode_fma(ptx_decoder *d)
{
	return by_parts(d, 3, emit_fma);
}

static void emit_approx(ptx_decoder *d, ptx_type type, uint32_t to, const uint32_t *in)
{
	uint32_t x = flushed(d, type, in[0]), result = weir_ptx_temp(d);
	ptx_op from = type == PTX_F16 ? PTX_X_F32_F16 : PTX_X_F32_BF16;

	if (type != PTX_F32) {
		uint32_t wide = weir_ptx_temp(d);
		weir_ptx_emit(d, from, wide, x, NONE, NONE);
		x = wide;
	}
	weir_ptx_emit_imm(d, PTX_X_APPROX_F32, result, x, NONE, NONE, d->s->opcode);
	if (type != PTX_F32) {
		uint32_t narrow = weir_ptx_temp(d);
		weir_ptx_emit(d, type == PTX_F16 ? PTX_X_F16_F32 : PTX_X_BF16_F32, narrow, result,
		              NONE, NONE);
		result = narrow;
	}
	finish(d, type, to, result);
}

bool weir_ptx_decode_approx(ptx_decoder *d)
{
	return by_parts(d, 1, emit_approx);
}

static void emit_root(ptx_decoder *d, ptx_type type, uint32_t to, const uint32_t *in)
{
	uint32_t one =
	    weir_ptx_number(d, type == PTX_F32 ? 0x3f800000 : UINT64_C(0x3ff0000000000000));

	if (type == PTX_F64 && (ptx_has(d->s, PTX_M_APPROX) || d->s->opcode == PTX_OP_rsqrt))
		weir_ptx_emit_imm(d, PTX_X_APPROX_F64, to, in[0], NONE, NONE, d->s->opcode);
	else if (ptx_has(d->s, PTX_M_APPROX))
		emit_approx(d, type, to, in);
	else if (d->s->opcode == PTX_OP_rcp)
		float_op(d, type, PTX_DIV, to, (uint32_t[3]){one, in[0], NONE});
	else
		float_op(d, type, PTX_SQRT, to, in);
}

bool weir_ptx_decode_root(ptx_decoder *d)
{
	return by_parts(d, 1, emit_root);
}

bool weir_ptx_decode_testp(ptx_decoder *d)
{
	static const ptx_modifier kinds[] = {PTX_M_FINITE,     PTX_M_INFINITE, PTX_M_NUMBER,
	                                     PTX_M_NOTANUMBER, PTX_M_NORMAL,   PTX_M_SUBNORMAL};
	ptx_type type = weir_ptx_type(d);
	int kind = weir_ptx_which(d->s, kinds, 6);

	if (!weir_ptx_count(d, 2, 2) || kind < 0)
		return weir_ptx_refuse(d, "it does not say what to test");
	weir_ptx_emit_imm(d, type == PTX_F64 ? PTX_X_TESTP_F64 : PTX_X_TESTP_F32,
	                  weir_ptx_out(d, 0), weir_ptx_in(d, 1, type), NONE, NONE, kind);
	return !d->why;
}

static void emit_copysign(ptx_decoder *d, ptx_type type, uint32_t to, const uint32_t *in)
{
	weir_ptx_emit(d, type == PTX_F64 ? PTX_X_COPYSIGN_F64 : PTX_X_COPYSIGN_F32, to, in[0],
	              in[1], NONE);
}

bool weir_ptx_decode_copysign(ptx_decoder *d)
{
	return by_parts(d, 2, emit_copysign);
}
