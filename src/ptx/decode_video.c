/* Decoder of the video instructions. */
#include <string.h>

#include "ptx/decode.h"
#include "ptx/video.h"

_Static_assert(sizeof(ptx_video) == sizeof(int64_t), "an operation carries a ptx_video");

/* vadd is followed by vsub, ...; vadd2 and vadd4 by the others in the order of table.h. */
static ptx_video_op op_of(unsigned opcode, unsigned *lanes)
{
	static const ptx_video_op scalar[] = {PTX_V_ADD, PTX_V_SUB, PTX_V_ABSDIFF,
	                                      PTX_V_MIN, PTX_V_MAX, PTX_V_SHL,
	                                      PTX_V_SHR, PTX_V_MAD, PTX_V_SET};
	static const ptx_video_op simd[] = {PTX_V_ADD, PTX_V_SUB, PTX_V_AVRG, PTX_V_ABSDIFF,
	                                    PTX_V_MIN, PTX_V_MAX, PTX_V_SET};

	*lanes = opcode >= PTX_OP_vadd4 ? 4 : opcode >= PTX_OP_vadd2 ? 2 : 1;
	return *lanes == 4   ? simd[opcode - PTX_OP_vadd4]
	       : *lanes == 2 ? simd[opcode - PTX_OP_vadd2]
	                     : scalar[opcode - PTX_OP_vadd];
}

/* The register of an operand, whose parts and sign the instruction treats itself. */
static uint32_t whole(ptx_decoder *d, unsigned i, ptx_operand *o)
{
	if (i >= d->s->operands) {
		weir_ptx_refuse(d, "an operand is missing");
		return PTX_NONE;
	}
	*o = d->o[i];
	if (o->kind == PTX_O_REGISTER) {
		ptx_operand plain = *o;
		plain.count = 0;
		plain.flags &= (uint8_t)~PTX_F_NEGATED;
		return weir_ptx_use(d, &plain, PTX_U32);
	}
	return weir_ptx_use(d, o, PTX_U32);
}

/* One part of a register: .b2 or .h1. */
static bool one_part(ptx_decoder *d, const ptx_operand *o, unsigned *part, unsigned *width)
{
	*part = *width = 0;
	if (o->kind != PTX_O_REGISTER || !o->count)
		return true;
	*part = o->count & 7;
	*width = o->count & PTX_PARTS_HALVES ? 2 : 1;
	return (!(o->count >> 12 & 3) && *part < (*width == 2 ? 2u : 4u)) ||
	       weir_ptx_refuse(d, "it takes one byte or half of a register");
}

/* A part of {b, a} for each lane: .h10, .b3210. */
static bool lane_parts(ptx_decoder *d, const ptx_operand *o, unsigned lanes, unsigned otherwise,
                       unsigned *parts)
{
	*parts = otherwise;
	if (o->kind != PTX_O_REGISTER || !o->count)
		return true;
	*parts = o->count & 0xfff;
	return ((o->count >> 12 & 3) + 1u == lanes &&
	        !(o->count & PTX_PARTS_HALVES) == (lanes == 4)) ||
	       weir_ptx_refuse(d, "it takes a part for each of its lanes");
}

/* The lanes that are written: .b310 names three. */
static bool lane_mask(ptx_decoder *d, const ptx_operand *o, unsigned lanes, unsigned *mask)
{
	*mask = (1u << lanes) - 1;
	if (!o->count)
		return true;
	*mask = 0;
	for (unsigned i = 0; i <= (o->count >> 12 & 3u); i++)
		*mask |= 1u << (o->count >> (3 * i) & 7);
	return *mask < 1u << lanes || weir_ptx_refuse(d, "it has no such lane");
}

static bool read_parts(ptx_decoder *d, ptx_video *v, const ptx_operand o[4])
{
	unsigned part[2], width[3] = {0}, mask;
	bool good;

	if (v->lanes == 1) {
		good = one_part(d, &o[0], &mask, &width[2]) &&
		       one_part(d, &o[1], &part[0], &width[0]) &&
		       one_part(d, &o[2], &part[1], &width[1]);
	} else {
		good = lane_mask(d, &o[0], v->lanes, &mask) &&
		       lane_parts(d, &o[1], v->lanes, v->lanes == 2 ? 010 : 03210, &part[0]) &&
		       lane_parts(d, &o[2], v->lanes, v->lanes == 2 ? 032 : 07654, &part[1]);
	}
	if (!good)
		return false;
	v->part_a = part[0] & 0xfff;
	v->part_b = part[1] & 0xfff;
	v->width_a = width[0] & 3;
	v->width_b = width[1] & 3;
	v->width_d = width[2] & 3;
	v->mask = mask & 15;
	return true;
}

static void read_modifiers(const ptx_statement *s, ptx_video *v)
{
	static const ptx_modifier orders[] = {PTX_M_EQ, PTX_M_NE, PTX_M_LT,
	                                      PTX_M_LE, PTX_M_GT, PTX_M_GE};
	static const ptx_modifier ends[] = {PTX_M_ADD, PTX_M_MIN, PTX_M_MAX};

	v->sat = ptx_has(s, PTX_M_SAT);
	v->end = (unsigned)(weir_ptx_which(s, ends, 3) + 1) & 3;
	v->order = (unsigned)(v->op == PTX_V_SET ? weir_ptx_which(s, orders, 6) : 0) & 7;
	v->clamp = !ptx_has(s, PTX_M_WRAP);
	v->plus_one = ptx_has(s, PTX_M_PO);
	v->scale = ptx_has(s, PTX_M_SHR7) ? 7 : ptx_has(s, PTX_M_SHR15) ? 15 : 0;
}

/* vop d, a, b {, c}; vset has the types of a and b only. */
bool weir_ptx_decode_video(ptx_decoder *d)
{
	const ptx_statement *s = d->s;
	ptx_operand o[4] = {{0}}, to;
	ptx_video v = {0};
	unsigned lanes, first;
	uint32_t a, b, c = weir_ptx_number(d, 0), result;
	int64_t code;

	v.op = op_of(s->opcode, &lanes) & 15;
	v.lanes = lanes & 7;
	first = v.op == PTX_V_SET ? 0 : 1;
	if (s->type_count != first + 2u || !weir_ptx_count(d, 3, 4))
		return weir_ptx_refuse(d, "it needs its types, and three or four operands");
	v.signed_d = first ? s->types[0] == PTX_S32 : 0;
	v.signed_a = s->types[first] == PTX_S32;
	v.signed_b = s->types[first + 1] == PTX_S32;
	if (v.op == PTX_V_SET &&
	    weir_ptx_which(
		s,
		(const ptx_modifier[]){PTX_M_EQ, PTX_M_NE, PTX_M_LT, PTX_M_LE, PTX_M_GT, PTX_M_GE},
		6) < 0)
		return weir_ptx_refuse(d, "it does not say what to compare");
	read_modifiers(s, &v);
	o[0] = d->o[0];
	a = whole(d, 1, &o[1]);
	b = whole(d, 2, &o[2]);
	if (s->operands == 4)
		c = whole(d, 3, &o[3]);
	if (d->why || !read_parts(d, &v, o))
		return false;
	if (s->operands == 3 && (v.op == PTX_V_MAD || lanes > 1 || v.end || v.width_d))
		return weir_ptx_refuse(d, "an operand is missing");
	v.negate_a = !!(o[1].flags & PTX_F_NEGATED);
	v.negate_b = !!(o[2].flags & PTX_F_NEGATED);
	v.negate_c = !!(o[3].flags & PTX_F_NEGATED);
	if (v.op != PTX_V_MAD && (v.negate_a || v.negate_b || v.negate_c))
		return weir_ptx_refuse(d, "an operand of this form is not supported");
	to = o[0];
	to.count = 0;
	result = weir_ptx_def(d, &to);
	memcpy(&code, &v, sizeof code);
	weir_ptx_emit_imm(d, PTX_X_VIDEO, result, a, b, c, code);
	return !d->why;
}
