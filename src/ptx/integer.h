/* Integer operations that C does not have. */
#ifndef WEIR_PTX_INTEGER_H
#define WEIR_PTX_INTEGER_H

#include <math.h>
#include <stdint.h>

static inline uint64_t ptx_mulhi_u64(uint64_t a, uint64_t b)
{
	return (uint64_t)((unsigned __int128)a * b >> 64);
}

static inline int64_t ptx_mulhi_s64(int64_t a, int64_t b)
{
	return (int64_t)((__int128)a * b >> 64);
}

static inline int32_t ptx_sext24(uint32_t a)
{
	return (int32_t)(a << 8) >> 8;
}

static inline int32_t ptx_sat_s32(int64_t a)
{
	return a > INT32_MAX ? INT32_MAX : a < INT32_MIN ? INT32_MIN : (int32_t)a;
}

/* The low bits, all 64 of them for 64 and more. */
static inline uint64_t ptx_low(uint64_t bits)
{
	return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static inline uint64_t ptx_shl(uint64_t a, uint32_t by, uint32_t bits)
{
	return by >= bits ? 0 : a << by;
}

static inline uint64_t ptx_brev(uint64_t a)
{
	a = (a >> 1 & 0x5555555555555555) | (a & 0x5555555555555555) << 1;
	a = (a >> 2 & 0x3333333333333333) | (a & 0x3333333333333333) << 2;
	a = (a >> 4 & 0x0f0f0f0f0f0f0f0f) | (a & 0x0f0f0f0f0f0f0f0f) << 4;
	return __builtin_bswap64(a);
}

/* The position of the highest 1, or how far it must be shifted to the top; ~0 without one. */
static inline uint32_t ptx_bfind(uint64_t a, uint32_t bits, int64_t shift)
{
	uint32_t at;

	if (!a)
		return UINT32_MAX;
	at = 63 - (uint32_t)__builtin_clzll(a);
	return shift ? bits - 1 - at : at;
}

/* The nth set bit from `base` on: upward, downward for negative n, `base` itself for 0. */
static inline uint32_t ptx_fns(uint32_t mask, uint32_t base, int32_t n)
{
	int64_t at = base, step = n < 0 ? -1 : 1;
	uint32_t left = n < 0 ? -(uint32_t)n : (uint32_t)n;

	if (base > 31)
		return UINT32_MAX;
	if (!n)
		return mask >> base & 1 ? base : UINT32_MAX;
	for (; at >= 0 && at < 32; at += step)
		if ((mask >> at & 1) && !--left)
			return (uint32_t)at;
	return UINT32_MAX;
}

/* `b` is the position and `c` the length; only the low 8 bits of each are used. */
static inline uint64_t ptx_bfe(uint64_t a, uint32_t b, uint32_t c, uint32_t bits, int is_signed)
{
	uint32_t at = b & 0xff, length = c & 0xff, top;
	uint64_t field = at >= 64 ? 0 : a >> at, sign;

	if (!length)
		return 0;
	top = at + length - 1 < bits - 1 ? at + length - 1 : bits - 1;
	sign = is_signed ? a >> top & 1 : 0;
	if (at >= bits)
		return sign ? UINT64_MAX : 0;
	if (top - at < 63)
		field = (field & ptx_low(top - at + 1)) | (sign ? ~ptx_low(top - at + 1) : 0);
	return field;
}

static inline uint64_t ptx_bfi_mask(uint32_t b, uint32_t c, uint32_t bits)
{
	uint32_t at = b & 0xff, length = c & 0xff;

	return at >= bits ? 0 : ptx_low(length) << at & ptx_low(bits);
}

static inline uint32_t ptx_szext(uint32_t a, uint32_t b, int64_t wrap, int is_signed)
{
	uint32_t bits = wrap ? b & 31 : b;

	if (bits >= 32)
		return a;
	if (!bits)
		return 0;
	a &= (1u << bits) - 1;
	return is_signed && a >> (bits - 1) ? a | ~((1u << bits) - 1) : a;
}

static inline uint32_t ptx_bmsk(uint32_t a, uint32_t b, int64_t wrap)
{
	uint32_t at = wrap ? a & 31 : a, length = wrap ? b & 31 : b;

	return at >= 32 ? 0 : (uint32_t)(ptx_low(length > 32 ? 32 : length) << at);
}

/* `kinds`: 1 for a signed a, 2 for a signed b, 4 for the upper halves of b (dp2a.hi). */
static inline int32_t ptx_part(uint32_t x, unsigned at, unsigned bits, int is_signed)
{
	uint32_t part = x >> at & (uint32_t)ptx_low(bits);

	return is_signed && part >> (bits - 1) ? (int32_t)part - (1 << bits) : (int32_t)part;
}

static inline uint32_t ptx_dp4a(uint32_t a, uint32_t b, uint32_t c, int64_t kinds)
{
	for (unsigned at = 0; at < 32; at += 8)
		c += (uint32_t)(ptx_part(a, at, 8, (int)(kinds & 1)) *
		                ptx_part(b, at, 8, (int)(kinds >> 1 & 1)));
	return c;
}

static inline uint32_t ptx_dp2a(uint32_t a, uint32_t b, uint32_t c, int64_t kinds)
{
	unsigned from = kinds & 4 ? 16 : 0;

	c += (uint32_t)(ptx_part(a, 0, 16, (int)(kinds & 1)) *
	                ptx_part(b, from, 8, (int)(kinds >> 1 & 1)));
	return c + (uint32_t)(ptx_part(a, 16, 16, (int)(kinds & 1)) *
	                      ptx_part(b, from + 8, 8, (int)(kinds >> 1 & 1)));
}

static inline uint32_t ptx_lop3(uint32_t a, uint32_t b, uint32_t c, unsigned table)
{
	uint32_t result = 0;

	for (unsigned i = 0; i < 8; i++)
		if (table >> i & 1)
			result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
	return result;
}

/* `mode`: 0 for none, 1 to 6 for f4e b4e rc8 ecl ecr rc16. */
static inline uint32_t ptx_prmt(uint32_t a, uint32_t b, uint32_t c, unsigned mode)
{
	static const uint16_t chosen[7][4] = {
	    {0, 0, 0, 0},
	    {0x3210, 0x4321, 0x5432, 0x6543}, /* f4e */
	    {0x5670, 0x6701, 0x7012, 0x0123}, /* b4e */
	    {0x0000, 0x1111, 0x2222, 0x3333}, /* rc8 */
	    {0x3210, 0x3211, 0x3222, 0x3333}, /* ecl */
	    {0x0000, 0x1110, 0x2210, 0x3210}, /* ecr */
	    {0x1010, 0x3232, 0x1010, 0x3232}, /* rc16 */
	};
	uint64_t bytes = (uint64_t)b << 32 | a;
	uint32_t select = mode ? chosen[mode][c & 3] : c, result = 0;

	for (unsigned i = 0; i < 4; i++) {
		unsigned nibble = select >> (4 * i) & 15;
		uint32_t byte = (uint32_t)(bytes >> (8 * (nibble & 7))) & 255;
		if (nibble & 8)
			byte = byte & 128 ? 255 : 0;
		result |= byte << (8 * i);
	}
	return result;
}

/* To the range of a type: `kind` is its bits, + 256 if it is signed. */
static inline uint64_t ptx_clamp_s(int64_t a, unsigned kind)
{
	unsigned bits = kind & 255;
	int64_t low = kind & 256 ? -(int64_t)(ptx_low(bits - 1)) - 1 : 0;
	int64_t high = (int64_t)ptx_low(kind & 256 ? bits - 1 : bits >= 64 ? 63 : bits);

	return (uint64_t)(a < low ? low : a > high ? high : a);
}

static inline uint64_t ptx_clamp_u(uint64_t a, unsigned kind)
{
	uint64_t high = ptx_low(kind & 256 ? (kind & 255) - 1 : kind & 255);

	return a > high ? high : a;
}

/* `what`: 0 to 5 for finite infinite number notanumber normal subnormal. */
static inline uint32_t ptx_class(int kind, unsigned what)
{
	switch (what) {
	case 0:
		return kind != FP_NAN && kind != FP_INFINITE;
	case 1:
		return kind == FP_INFINITE;
	case 2:
		return kind != FP_NAN;
	case 3:
		return kind == FP_NAN;
	case 4:
		return kind == FP_NORMAL;
	default:
		return kind == FP_SUBNORMAL;
	}
}

static inline uint32_t ptx_testp_f32(float a, unsigned what)
{
	return ptx_class(fpclassify(a), what);
}

static inline uint32_t ptx_testp_f64(double a, unsigned what)
{
	return ptx_class(fpclassify(a), what);
}

static inline int32_t ptx_s32_f32(float a)
{
	if (a >= -0x1p31f && a < 0x1p31f)
		return (int32_t)a;
	return a != a ? 0 : a < 0 ? INT32_MIN : INT32_MAX;
}

#endif
