#include "ptx/float.h"

#include <fenv.h>

#include "ptx/table.h"

/* x to a multiple of 2^(e - precision + 1), where e is its exponent, or emin if that is larger. */
static double quantize(double x, int precision, int emin, ptx_rounding mode)
{
	int exponent;

	if (x == 0 || !isfinite(x))
		return x;
	exponent = ilogb(x);
	exponent = (exponent < emin ? emin : exponent) - (precision - 1);
	return copysign(ldexp(weir_ptx_round(ldexp(x, -exponent), mode), exponent), x);
}

/* Whether a result that is too large becomes infinite, rather than the largest finite number. */
static int overflows(double x, ptx_rounding mode)
{
	return mode == PTX_RN || mode == PTX_RNA || (mode == PTX_RP && x > 0) ||
	       (mode == PTX_RM && x < 0);
}

static double limit(double x, double largest, ptx_rounding mode)
{
	if (fabs(x) <= largest || isnan(x) || isinf(x))
		return x;
	return copysign(overflows(x, mode) ? INFINITY : largest, x);
}

uint16_t weir_ptx_to_f16(double x, ptx_rounding mode)
{
	double y = limit(quantize(x, 11, -14, mode), 65504, mode);
	uint32_t bits;

	if (isnan(y))
		return 0x7fff;
	if (fabs(y) < 0x1p-14)
		return (uint16_t)((signbit(y) ? 0x8000 : 0) | (int)(fabs(y) * 0x1p24));
	bits = ptx_f32_bits((float)y);
	if (isinf(y))
		return (uint16_t)(bits >> 16 & 0x8000) | 0x7c00;
	return (uint16_t)((bits >> 16 & 0x8000) | ((bits & 0x7fffffff) - 0x38000000) >> 13);
}

uint16_t weir_ptx_to_bf16(double x, ptx_rounding mode)
{
	double y = limit(quantize(x, 8, -126, mode), 0x1.fep127, mode);

	return isnan(y) ? 0x7fff : (uint16_t)(ptx_f32_bits((float)y) >> 16);
}

float weir_ptx_to_f32(double x, ptx_rounding mode)
{
	double y = limit(quantize(x, 24, -126, mode), 0x1.fffffep127, mode);

	return ptx_canonical((float)y);
}

uint32_t weir_ptx_to_tf32(float x, ptx_rounding mode)
{
	double y = limit(quantize(x, 11, -126, mode), 0x1.ffcp127, mode);

	return isnan(y) ? 0x7fffffff : ptx_f32_bits((float)y);
}

typedef struct small {
	int bias, mantissa;
	double largest;
	int sign;    /* the bit of the sign */
	uint8_t nan; /* what a NaN becomes */
} small;

static small format_of(int type)
{
	switch (type) {
	case PTX_E5M2:
		return (small){15, 2, 57344, 7, 0x7f};
	case PTX_E2M3:
		return (small){1, 3, 7.5, 5, 0x1f};
	case PTX_E3M2:
		return (small){3, 2, 28, 5, 0x1f};
	case PTX_E2M1:
		return (small){1, 1, 6, 3, 0x7};
	default:
		return (small){7, 3, 448, 7, 0x7f};
	}
}

uint8_t weir_ptx_to_small(double x, int type)
{
	small f = format_of(type);
	double y = quantize(x, f.mantissa + 1, 1 - f.bias, PTX_RN);
	uint8_t sign = (uint8_t)((signbit(x) ? 1 : 0) << f.sign);
	int exponent;

	if (isnan(x))
		return f.nan;
	y = fabs(y) > f.largest ? f.largest : fabs(y);
	if (y == 0)
		return sign;
	exponent = ilogb(y);
	if (exponent < 1 - f.bias) /* subnormal */
		return sign | (uint8_t)ldexp(y, f.bias - 1 + f.mantissa);
	return (uint8_t)(sign | (exponent + f.bias) << f.mantissa |
	                 ((int)ldexp(y, f.mantissa - exponent) & ((1 << f.mantissa) - 1)));
}

float weir_ptx_from_small(uint8_t x, int type)
{
	small f = format_of(type);
	int magnitude = x & ((1 << f.sign) - 1), exponent = magnitude >> f.mantissa,
	    rest = magnitude & ((1 << f.mantissa) - 1);
	double y;

	if (type == PTX_E5M2 && exponent == 31)
		y = rest ? NAN : INFINITY;
	else if (type == PTX_E4M3 && magnitude == 0x7f)
		y = NAN;
	else if (!exponent)
		y = ldexp(rest, 1 - f.bias - f.mantissa);
	else
		y = ldexp((1 << f.mantissa) + rest, exponent - f.bias - f.mantissa);
	return isnan(y) ? ptx_f32(0x7fffffff) : (float)(x >> f.sign & 1 ? -y : y);
}

/* The sum with the bits that are lost or-ed into the last place: rounding it once more is right. */
static double add_to_odd(double a, double b)
{
	double sum = a + b, part = sum - a, lost = (a - (sum - part)) + (b - part);
	uint64_t bits;

	if (lost == 0 || !isfinite(sum))
		return sum;
	bits = ptx_f64_bits(sum);
	if (bits & 1)
		return sum;
	/* towards the exact sum */
	return ptx_f64((sum > 0) == (lost > 0) ? bits + 1 : bits - 1);
}

uint16_t weir_ptx_fma_f16(uint16_t a, uint16_t b, uint16_t c)
{
	return weir_ptx_to_f16(
	    add_to_odd((double)ptx_from_f16(a) * ptx_from_f16(b), ptx_from_f16(c)), PTX_RN);
}

uint16_t weir_ptx_fma_bf16(uint16_t a, uint16_t b, uint16_t c)
{
	return weir_ptx_to_bf16(
	    add_to_odd((double)ptx_from_bf16(a) * ptx_from_bf16(b), ptx_from_bf16(c)), PTX_RN);
}

/* --- Other rounding modes --------------------------------------------------------------------- */

static int fe_mode(ptx_rounding mode)
{
	static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD,
	                            FE_TONEAREST};

	return modes[mode];
}

/* The operands are volatile so that no compiler computes outside the change of mode. */
#define OPERATE(T, fma, sqrt)                                                                      \
	volatile T x = a, y = b, z = c, r = 0;                                                     \
	int before = fegetround();                                                                 \
	fesetround(fe_mode(mode));                                                                 \
	switch (op) {                                                                              \
	case PTX_ADD:                                                                              \
		r = x + y;                                                                         \
		break;                                                                             \
	case PTX_SUB:                                                                              \
		r = x - y;                                                                         \
		break;                                                                             \
	case PTX_MUL:                                                                              \
		r = x * y;                                                                         \
		break;                                                                             \
	case PTX_FMA:                                                                              \
		r = fma(x, y, z);                                                                  \
		break;                                                                             \
	case PTX_DIV:                                                                              \
		r = x / y;                                                                         \
		break;                                                                             \
	case PTX_SQRT:                                                                             \
		r = sqrt(x);                                                                       \
		break;                                                                             \
	}                                                                                          \
	fesetround(before)

float weir_ptx_f32_op(ptx_float_op op, float a, float b, float c, ptx_rounding mode)
{
	OPERATE(float, fmaf, sqrtf);
	return ptx_canonical(r);
}

double weir_ptx_f64_op(ptx_float_op op, double a, double b, double c, ptx_rounding mode)
{
	OPERATE(double, fma, sqrt);
	return r;
}

double weir_ptx_round(double x, ptx_rounding mode)
{
	switch (mode) {
	case PTX_RZ:
		return trunc(x);
	case PTX_RM:
		return floor(x);
	case PTX_RP:
		return ceil(x);
	case PTX_RNA:
		return round(x);
	default:
		return nearbyint(x);
	}
}

double weir_ptx_int_to_odd(uint64_t x, int is_signed)
{
	int negative = is_signed && x >> 63;
	uint64_t magnitude = negative ? -x : x;
	double value;

	if (magnitude >> 53) /* the bits that do not fit are or-ed into the last one that does */
		magnitude = (magnitude >> 11 | ((magnitude & 0x7ff) != 0)) << 11;
	value = (double)(magnitude >> 11) * 2048 + (double)(magnitude & 0x7ff);
	return negative ? -value : value;
}

float weir_ptx_int_to_f32(uint64_t x, int is_signed, ptx_rounding mode)
{
	return weir_ptx_to_f32(weir_ptx_int_to_odd(x, is_signed), mode);
}

double weir_ptx_int_to_f64(uint64_t x, int is_signed, ptx_rounding mode)
{
	volatile uint64_t u = x;
	volatile double result;
	int before = fegetround();

	fesetround(fe_mode(mode));
	if (is_signed) {
		volatile int64_t s = (int64_t)x;
		result = (double)s;
	} else {
		/* Compilers convert 64 bits in two halves, which rounds once only this way. */
		result = (double)(uint32_t)(u >> 32) * 0x1p32;
		result = result + (double)(uint32_t)u;
	}
	fesetround(before);
	return result;
}

uint64_t weir_ptx_to_int(double x, int bits, int is_signed, int from_f64, ptx_rounding mode)
{
	double y, low, high;

	if (isnan(x))
		return bits < 64 && !from_f64 ? 0 : UINT64_C(1) << (bits - 1);
	y = weir_ptx_round(x, mode);
	low = is_signed ? -ldexp(1, bits - 1) : 0;
	high = ldexp(1, is_signed ? bits - 1 : bits); /* one too many */
	if (y <= low)
		return is_signed ? -(UINT64_C(1) << (bits - 1)) : 0;
	if (y >= high)
		return is_signed    ? (UINT64_C(1) << (bits - 1)) - 1
		       : bits == 64 ? UINT64_MAX
		                    : (UINT64_C(1) << bits) - 1;
	return is_signed ? (uint64_t)(int64_t)y : (uint64_t)y;
}

/* --- Approximations --------------------------------------------------------------------------- */

float weir_ptx_approx(int what, float x)
{
	switch (what) {
	case PTX_OP_rcp:
		return ptx_canonical(1 / x);
	case PTX_OP_sqrt:
		return ptx_canonical(sqrtf(x));
	case PTX_OP_rsqrt:
		return ptx_canonical((float)(1 / sqrt((double)x)));
	case PTX_OP_sin:
		return ptx_canonical((float)sin((double)x));
	case PTX_OP_cos:
		return ptx_canonical((float)cos((double)x));
	case PTX_OP_lg2:
		return ptx_canonical((float)log2((double)x));
	case PTX_OP_ex2:
		return ptx_canonical((float)exp2((double)x));
	default:
		return ptx_canonical((float)tanh((double)x));
	}
}

/* Subnormal operands count as 0, and the lower half of the result is 0. */
double weir_ptx_approx_f64(int what, double x)
{
	double y;

	if (fabs(x) < 0x1p-1022)
		x = copysign(0, x);
	y = what == PTX_OP_rcp ? 1 / x : 1 / sqrt(x);
	if (isnan(y))
		return ptx_f64(0x7fffffff00000000);
	if (fabs(y) < 0x1p-1022)
		y = copysign(0, y);
	return ptx_f64(ptx_f64_bits(y) & 0xffffffff00000000);
}

float weir_ptx_div_approx(float a, float b)
{
	float magnitude = fabsf(b);

	if (magnitude > 0x1p126f && magnitude <= 0x1.fffffep127f)
		return isinf(a) || isnan(a) ? ptx_f32(0x7fffffff)
		                            : copysignf(0, a) * copysignf(1, b);
	return ptx_canonical(a / b);
}
