#include "exact.h"

#include <string.h>

const format formats[FORMATS] = {
    {"f16", 16, 11, -14}, {"bf16", 16, 8, -126}, {"f32", 32, 24, -126}, {"f64", 64, 53, -1022}};
const char *const mode_names[MODES] = {"rn", "rz", "rm", "rp"};

typedef unsigned __int128 bits128;

/* 2^n: the exponent of a number of 113 bits lies above its 112 stored ones. */
static exact power(int n)
{
	bits128 bits = (bits128)(unsigned)(n + 16383) << 112;
	exact x;

	memcpy(&x, &bits, sizeof x);
	return x;
}

static int exponent_of(exact x)
{
	bits128 bits;

	memcpy(&bits, &x, sizeof bits);
	return (int)(bits >> 112 & 0x7fff) - 16383;
}

static int exponent_bits(int f)
{
	return formats[f].bits - formats[f].precision;
}

value decode(int f, uint64_t bits)
{
	int fraction = formats[f].precision - 1, all = (1 << exponent_bits(f)) - 1;
	int exponent = (int)(bits >> fraction) & all;
	uint64_t mantissa = bits & ((UINT64_C(1) << fraction) - 1);
	value v = {.negative = bits >> (formats[f].bits - 1) & 1};

	if (exponent == all) {
		v.nan = mantissa != 0;
		v.infinite = !mantissa;
		return v;
	}
	if (exponent)
		mantissa |= UINT64_C(1) << fraction;
	v.x = (exact)mantissa * power((exponent ? exponent : 1) - 1 + formats[f].lowest - fraction);
	if (v.negative)
		v.x = -v.x;
	return v;
}

bool is_nan(int f, uint64_t bits)
{
	return decode(f, bits).nan;
}

value of_integer(int64_t x)
{
	return (value){.x = (exact)x, .negative = x < 0};
}

value of_unsigned(uint64_t x)
{
	return (value){.x = (exact)x};
}

/* Rounds a magnitude to a whole number; `rest` says on which side of the magnitude the missing part
 * lies. */
static exact whole(exact x, int rest, mode m, bool negative)
{
	exact down = (exact)(bits128)x, left = x - down;
	bool up;

	if (left == 0 && rest < 0) {
		if (m == RN || m == (negative ? RM : RP))
			return down;
		return down - 1;
	}
	if (left == 0 && rest == 0)
		return down;
	if (m == RN) {
		exact half = (exact)0.5;
		bool odd = (bits128)x & 1;
		up = left > half || (left == half && (rest > 0 || (rest == 0 && odd)));
	} else {
		up = m == (negative ? RM : RP);
	}
	return up ? down + 1 : down;
}

uint64_t encode(int f, value v, mode m)
{
	int fraction = formats[f].precision - 1, all = (1 << exponent_bits(f)) - 1,
	    exponent = formats[f].lowest;
	uint64_t sign = (uint64_t)v.negative << (formats[f].bits - 1), mantissa;
	exact x = v.negative ? -v.x : v.x;
	int rest = v.negative ? -v.rest : v.rest;

	if (v.nan)
		return ((uint64_t)1 << (formats[f].bits - 1)) - 1;
	if (v.infinite)
		return sign | (uint64_t)all << fraction;
	if (x != 0 && exponent_of(x) > exponent)
		exponent = exponent_of(x);
	if (x == power(exponent) && rest < 0 && exponent > formats[f].lowest)
		exponent--; /* just below a power of two the steps are half as large */
	x = exponent > 1 - formats[f].lowest
	        ? x
	        : whole(x * power(fraction - exponent), rest, m, v.negative);
	if (exponent <= 1 - formats[f].lowest && x >= power(fraction + 1)) {
		x /= 2;
		exponent++;
	}
	if (exponent > 1 - formats[f].lowest) { /* too large */
		bool infinite = m == RN || m == (v.negative ? RM : RP);
		return sign |
		       (infinite ? (uint64_t)all << fraction : ((uint64_t)all << fraction) - 1);
	}
	mantissa = (uint64_t)x;
	if (mantissa >> fraction)
		mantissa += (uint64_t)(exponent - formats[f].lowest) << fraction;
	return sign | mantissa;
}

value negate(value a)
{
	a.x = -a.x;
	a.rest = -a.rest;
	a.negative = !a.negative;
	return a;
}

value add(value a, value b, mode m)
{
	value v = {.x = a.x + b.x};
	exact part, lost;

	if (a.nan || b.nan || (a.infinite && b.infinite && a.negative != b.negative))
		return (value){.nan = true};
	if (a.infinite || b.infinite)
		return a.infinite ? a : b;
	part = v.x - a.x;
	lost = (a.x - (v.x - part)) + (b.x - part);
	v.rest = lost > 0 ? 1 : lost < 0 ? -1 : 0;
	v.negative = v.x < 0;
	if (v.x == 0)
		v.negative = a.negative == b.negative ? a.negative : m == RM;
	return v;
}

value multiply(value a, value b)
{
	value v = {.x = a.x * b.x, .negative = a.negative != b.negative};

	if (a.nan || b.nan || (a.infinite && b.x == 0 && !b.infinite) ||
	    (b.infinite && a.x == 0 && !a.infinite))
		return (value){.nan = true};
	v.infinite = a.infinite || b.infinite;
	if (v.infinite)
		v.x = 0;
	return v;
}

value divide(value a, value b)
{
	value v = {.negative = a.negative != b.negative};
	bool zero_a = a.x == 0 && !a.infinite, zero_b = b.x == 0 && !b.infinite;

	if (a.nan || b.nan || (a.infinite && b.infinite) || (zero_a && zero_b))
		return (value){.nan = true};
	v.infinite = a.infinite || zero_b;
	if (!v.infinite && !b.infinite)
		v.x = a.x / b.x;
	return v;
}

value square_root(value a)
{
	exact low, high;

	if (a.nan || (a.negative && (a.x != 0 || a.infinite)))
		return (value){.nan = true};
	if (a.infinite || a.x == 0)
		return a;
	/* Newton's method from above ends within the last bits of 113. */
	low = a.x > 1 ? a.x : 1;
	for (int k = 0; k < 1200; k++) {
		high = (low + a.x / low) / 2;
		if (high >= low)
			break;
		low = high;
	}
	return (value){.x = low, .rest = low * low > a.x ? -1 : low * low < a.x ? 1 : 0};
}

value to_integral(value v, mode m)
{
	exact x = v.negative ? -v.x : v.x;

	if (v.nan || v.infinite)
		return v;
	if (x < power(110))
		x = whole(x, 0, m, v.negative);
	v.x = v.negative ? -x : x;
	v.rest = 0;
	return v;
}

uint64_t to_integer(value v, mode m, int bits, bool is_signed)
{
	uint64_t most = is_signed    ? (UINT64_C(1) << (bits - 1)) - 1
	                : bits == 64 ? UINT64_MAX
	                             : (UINT64_C(1) << bits) - 1;
	uint64_t least = is_signed ? ~most : 0;

	v = to_integral(v, m);
	if (v.negative)
		return v.infinite || v.x <= (exact)(int64_t)least ? least : (uint64_t)(int64_t)v.x;
	return v.infinite || v.x >= (exact)most ? most : (uint64_t)v.x;
}
