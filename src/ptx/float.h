/* Floating point as PTX has it: rounding modes, half precision, NaN that are all the same, flushing. */
#ifndef WEIR_PTX_FLOAT_H
#define WEIR_PTX_FLOAT_H

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef enum ptx_rounding {
	PTX_RN,
	PTX_RZ,
	PTX_RM,
	PTX_RP,
	PTX_RNA
} ptx_rounding;

static inline float ptx_f32(uint32_t bits)
{
	float value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

static inline uint32_t ptx_f32_bits(float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	return bits;
}

static inline double ptx_f64(uint64_t bits)
{
	double value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

static inline uint64_t ptx_f64_bits(double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof bits);
	return bits;
}

/* Every NaN that an f32 operation makes has the same bits. */
static inline float ptx_canonical(float x)
{
	return __builtin_expect(x != x, 0) ? ptx_f32(0x7fffffff) : x;
}

static inline float ptx_ftz(float x)
{
	uint32_t bits = ptx_f32_bits(x);
	return bits & 0x7f800000 ? x : ptx_f32(bits & 0x80000000);
}

/* NaN becomes 0. */
static inline float ptx_sat(float x)
{
	return x > 0 ? x < 1 ? x : 1 : 0;
}

static inline double ptx_sat_f64(double x)
{
	return x > 0 ? x < 1 ? x : 1 : 0;
}

/* The product of two floats is exact in a double. Rounding the sum twice is only wrong where the
 * first rounding ends halfway between two floats, or where the float is subnormal. */
static inline float ptx_fma(float a, float b, float c)
{
	double sum = (double)a * b + c;
	uint64_t bits = ptx_f64_bits(sum);

	if (__builtin_expect((bits & 0x1fffffff) == 0x10000000 || (bits << 1) >> 53 < 900, 0))
		return fmaf(a, b, c);
	return (float)sum;
}

static inline float ptx_min(float a, float b)
{
	if (a != a || b != b)
		return a == a ? a : b == b ? b : ptx_f32(0x7fffffff);
	return a < b || (a == b && (ptx_f32_bits(a) >> 31)) ? a : b;
}

static inline float ptx_max(float a, float b)
{
	if (a != a || b != b)
		return a == a ? a : b == b ? b : ptx_f32(0x7fffffff);
	return a > b || (a == b && !(ptx_f32_bits(a) >> 31)) ? a : b;
}

static inline double ptx_min_f64(double a, double b)
{
	if (a != a || b != b)
		return a == a ? a : b == b ? b : ptx_f64(0x7fffffffffffffff);
	return a < b || (a == b && (ptx_f64_bits(a) >> 63)) ? a : b;
}

static inline double ptx_max_f64(double a, double b)
{
	if (a != a || b != b)
		return a == a ? a : b == b ? b : ptx_f64(0x7fffffffffffffff);
	return a > b || (a == b && !(ptx_f64_bits(a) >> 63)) ? a : b;
}

/* --- Half precision: values of 16 bits -------------------------------------------------------- */

static inline float ptx_from_bf16(uint16_t x)
{
	return ptx_f32((uint32_t)x << 16);
}

static inline float ptx_from_f16(uint16_t x)
{
	uint32_t sign = (uint32_t)(x & 0x8000) << 16, rest = x & 0x7fffu;

	if (rest >= 0x7c00)
		return ptx_f32(sign | 0x7f800000 | (rest & 0x3ff) << 13);
	if (rest < 0x400) /* a subnormal: its mantissa times 2^-24 */
		return ptx_f32(sign | ptx_f32_bits((float)rest * 0x1p-24f));
	return ptx_f32(sign | ((rest << 13) + 0x38000000));
}

/* Rounds once, from a double that may be exact or rounded to odd. */
uint16_t weir_ptx_to_f16(double x, ptx_rounding mode);
uint16_t weir_ptx_to_bf16(double x, ptx_rounding mode);
float weir_ptx_to_f32(double x, ptx_rounding mode);
uint32_t weir_ptx_to_tf32(float x, ptx_rounding mode);
/* Floats of 4, 6 and 8 bits: `type` is the ptx_type. Values beyond the largest finite one become that. */
uint8_t weir_ptx_to_small(double x, int type);
float weir_ptx_from_small(uint8_t x, int type);

static inline uint16_t ptx_f32_to_f16(float x)
{
	uint32_t bits = ptx_f32_bits(x), sign = bits >> 16 & 0x8000, rest = bits & 0x7fffffff;

	if (rest < 0x38800000 || rest >= 0x477ff000) /* subnormal, or may overflow */
		return weir_ptx_to_f16(x, PTX_RN);
	return (uint16_t)(sign | ((rest - 0x38000000 + 0xfff + (rest >> 13 & 1)) >> 13));
}

static inline uint16_t ptx_f32_to_bf16(float x)
{
	uint32_t bits = ptx_f32_bits(x);

	return x != x ? 0x7fff : (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

uint16_t weir_ptx_fma_f16(uint16_t a, uint16_t b, uint16_t c);
uint16_t weir_ptx_fma_bf16(uint16_t a, uint16_t b, uint16_t c);

/* --- Other rounding modes ------------------------------------------------------------------------ */

typedef enum ptx_float_op {
	PTX_ADD,
	PTX_SUB,
	PTX_MUL,
	PTX_FMA,
	PTX_DIV,
	PTX_SQRT
} ptx_float_op;
float weir_ptx_f32_op(ptx_float_op op, float a, float b, float c, ptx_rounding mode);
double weir_ptx_f64_op(ptx_float_op op, double a, double b, double c, ptx_rounding mode);
double weir_ptx_round(double x, ptx_rounding mode); /* to an integral value */
/* Integers of 64 bits: `is_signed` says how to read x. */
float weir_ptx_int_to_f32(uint64_t x, int is_signed, ptx_rounding mode);
double weir_ptx_int_to_f64(uint64_t x, int is_signed, ptx_rounding mode);
double weir_ptx_int_to_odd(uint64_t x, int is_signed); /* a double rounded to odd */
/* To an integer of `bits` bits, clamped; NaN is 0, or 2^63 where the source or target has 64 bits. */
uint64_t weir_ptx_to_int(double x, int bits, int is_signed, int from_f64, ptx_rounding mode);

/* --- Approximations ------------------------------------------------------------------------------ */

float weir_ptx_approx(int what,
                      float x); /* ptx_opcode: rcp, sqrt, rsqrt, sin, cos, lg2, ex2, tanh */
double weir_ptx_approx_f64(int what, double x);
float weir_ptx_div_approx(float a, float b);

#endif
