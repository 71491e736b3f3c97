/* Floating point by exact arithmetic: values of 113 bits, rounded once to a format. The reference of the
 * tests, which shares no code with src/ptx/float.c. */
#ifndef WEIR_TEST_PTX_EXACT_H
#define WEIR_TEST_PTX_EXACT_H

#include <float.h>
#include <stdbool.h>
#include <stdint.h>

#if LDBL_MANT_DIG == 113
typedef long double exact;
#else
typedef __float128 exact;
#endif

typedef struct format {
	const char *name;
	int bits, precision,
	    lowest; /* precision with the leading 1; the exponent of the smallest normal */
} format;

enum {
	F16,
	BF16,
	F32,
	F64,
	FORMATS
};
extern const format formats[FORMATS];

typedef enum mode {
	RN,
	RZ,
	RM,
	RP,
	MODES
} mode;
extern const char *const mode_names[MODES];

/* A value and the direction of its error: the sign of `rest` says on which side the exact value
 * lies. */
typedef struct value {
	exact x;
	int rest;
	bool nan, infinite, negative; /* negative: also of zeros and infinities */
} value;

value decode(int f, uint64_t bits);
uint64_t encode(int f, value v, mode m);
bool is_nan(int f, uint64_t bits);
value of_integer(int64_t x);
value of_unsigned(uint64_t x);

value add(value a, value b, mode m); /* the mode gives the sign of an exact 0 */
value multiply(value a, value b);
value divide(value a, value b);
value square_root(value a);
value negate(value a);
/* Converts to an integer of this width, clamped. The caller handles NaN. */
uint64_t to_integer(value v, mode m, int bits, bool is_signed);
value to_integral(value v, mode m);

#endif
