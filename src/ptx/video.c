/* Video instructions, which work on the bytes and halves of registers. */
#include "ptx/video.h"

#include <string.h>

#include "ptx/integer.h"

static int64_t field(uint64_t from, unsigned part, unsigned bits, int is_signed)
{
	uint64_t x = from >> (part * bits) & ptx_low(bits);

	return is_signed && x >> (bits - 1) ? (int64_t)(x | ~ptx_low(bits)) : (int64_t)x;
}

static unsigned width(unsigned code)
{
	return code == 1 ? 8 : code == 2 ? 16 : 32;
}

static int64_t saturate(int64_t x, unsigned bits, int is_signed)
{
	int64_t low = is_signed ? -(int64_t)ptx_low(bits - 1) - 1 : 0;
	int64_t high = (int64_t)ptx_low(is_signed ? bits - 1 : bits);

	return x < low ? low : x > high ? high : x;
}

static int holds(unsigned order, int64_t a, int64_t b)
{
	switch (order) {
	case PTX_V_EQ:
		return a == b;
	case PTX_V_NE:
		return a != b;
	case PTX_V_LT:
		return a < b;
	case PTX_V_LE:
		return a <= b;
	case PTX_V_GT:
		return a > b;
	default:
		return a >= b;
	}
}

static int64_t operate(const ptx_video *v, int64_t a, int64_t b)
{
	uint32_t by = (uint32_t)b;

	switch (v->op) {
	case PTX_V_ADD:
		return a + b;
	case PTX_V_SUB:
		return a - b;
	case PTX_V_ABSDIFF:
		return a > b ? a - b : b - a;
	case PTX_V_MIN:
		return a < b ? a : b;
	case PTX_V_MAX:
		return a > b ? a : b;
	case PTX_V_AVRG:
		return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1;
	case PTX_V_SHL:
		by = v->clamp ? by > 32 ? 32 : by : by & 31;
		return (int64_t)((uint64_t)a << by);
	case PTX_V_SHR:
		by = v->clamp ? by > 32 ? 32 : by : by & 31;
		return a >> by;
	default:
		return holds(v->order, a, b);
	}
}

static uint32_t multiply_add(const ptx_video *v, int64_t a, int64_t b, uint32_t c)
{
	int flips = v->negate_a ^ v->negate_b;
	int is_signed = v->signed_a || v->signed_b || flips || v->negate_c;
	__int128 sum = (__int128)a * b;
	int64_t result;

	if (!v->plus_one && flips)
		sum = ~sum;
	if (!v->plus_one && !flips && v->negate_c)
		c = ~c;
	sum += is_signed ? (__int128)(int32_t)c : (__int128)c;
	sum += v->plus_one || flips || v->negate_c;
	result = (int64_t)(sum >> v->scale);
	if (v->sat)
		result = is_signed                       ? saturate(result, 32, 1)
		         : (uint64_t)result > UINT32_MAX ? (int64_t)UINT32_MAX
		                                         : result;
	return (uint32_t)result;
}

static uint32_t one(const ptx_video *v, uint32_t a, uint32_t b, uint32_t c)
{
	unsigned bits = width(v->width_d);
	int64_t x = field(a, v->part_a & 7, width(v->width_a), v->signed_a);
	int64_t y = field(b, v->part_b & 7, width(v->width_b), v->signed_b), result;
	int64_t other = v->signed_d ? (int32_t)c : (int64_t)c;

	if (v->op == PTX_V_MAD)
		return multiply_add(v, x, y, c);
	result = operate(v, x, y);
	if (v->sat)
		result = saturate(result, bits, v->signed_d);
	if (v->end != PTX_V_PLAIN) {
		result = v->signed_d ? (int32_t)result : (int64_t)(uint32_t)result;
		result = v->end == PTX_V_SUM     ? result + other
		         : v->end == PTX_V_LEAST ? result < other ? result : other
		                                 : (result > other ? result : other);
	}
	if (v->width_d) {
		uint32_t mask = (uint32_t)(ptx_low(bits) << (v->mask * bits));
		return (c & ~mask) | ((uint32_t)result << (v->mask * bits) & mask);
	}
	return (uint32_t)result;
}

static uint32_t several(const ptx_video *v, uint32_t a, uint32_t b, uint32_t c)
{
	unsigned bits = 32u / v->lanes;
	uint64_t both = (uint64_t)b << 32 | a;
	uint32_t merged = c, sum = c;

	for (unsigned i = 0; i < v->lanes; i++) {
		uint32_t mask = (uint32_t)(ptx_low(bits) << (i * bits));
		int64_t result;
		if (!(v->mask >> i & 1))
			continue;
		result = operate(v, field(both, v->part_a >> (3 * i) & 7, bits, v->signed_a),
		                 field(both, v->part_b >> (3 * i) & 7, bits, v->signed_b));
		sum += (uint32_t)result;
		if (v->sat)
			result = saturate(result, bits, v->signed_d);
		merged = (merged & ~mask) | ((uint32_t)result << (i * bits) & mask);
	}
	return v->end == PTX_V_SUM ? sum : merged;
}

uint32_t weir_ptx_video(uint32_t a, uint32_t b, uint32_t c, int64_t code)
{
	ptx_video v;

	memcpy(&v, &code, sizeof v);
	return v.lanes == 1 ? one(&v, a, b, c) : several(&v, a, b, c);
}
