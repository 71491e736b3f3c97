/* Each instruction on edge values, against a reference in C: a row has the instruction, the types of its
 * registers d, a, b and c, and an expression. Floating-point arithmetic and conversions in all formats
 * and rounding modes are compared with exact arithmetic (exact.h).
 *
 *   ptx_instructions         all rows
 *   ptx_instructions broken  with deliberately wrong references: every row must fail
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact.h"
#include "run.h"

#define BLOCK 256

static unsigned rows, wrong;
static bool broken;

/* --- Running one instruction on many operands --------------------------------------------------------- */

typedef struct reg {
	const char *type; /* of the declaration, and of the load or store: b8 lives in a b16 */
	int bits;
} reg;

static const reg u8 = {"b16", 8}, u16 = {"b16", 16}, u32 = {"b32", 32}, u64 = {"b64", 64},
		 no = {NULL, 0};

/* Writes the source of one kernel into `text`. */
static void make(char *text, size_t bytes, const char *code, reg d, reg a, reg b, reg c)
{
	const reg regs[3] = {a, b, c};
	size_t used = (size_t)snprintf(text, bytes,
	                               ".version 8.0\n.target sm_90\n.address_size 64\n"
	                               ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
	                               ".reg .pred p, q; .reg .b32 i, t, u; .reg .b64 x, y;\n"
	                               ".reg .%s d;\n",
	                               d.type);

	for (int k = 0; k < 3; k++)
		if (regs[k].type)
			used += (size_t)snprintf(text + used, bytes - used, ".reg .%s %c;\n",
			                         regs[k].type, "abc"[k]);
	used +=
	    (size_t)snprintf(text + used, bytes - used,
	                     "mov.u32 i, %%ctaid.x; mov.u32 t, %%ntid.x; mov.u32 u, %%tid.x;\n"
	                     "mad.lo.u32 i, i, t, u; ld.param.u64 x, [in]; ld.param.u64 y, [out];\n"
	                     "mad.wide.u32 x, i, 24, x; mad.wide.u32 y, i, 8, y;\n");
	for (int k = 0; k < 3; k++)
		if (regs[k].type)
			used += (size_t)snprintf(text + used, bytes - used,
			                         "ld.global.b%d %c, [x+%d];\n", regs[k].bits,
			                         "abc"[k], 8 * k);
	snprintf(text + used, bytes - used, "%s\nst.global.b%d [y], d;\nret;\n}\n", code, d.bits);
}

/* Runs the instruction on `count` triples. The caller frees the results. */
static uint64_t *apply(const char *code, reg d, reg a, reg b, reg c, const uint64_t (*triples)[3],
                       size_t count)
{
	size_t padded = (count + BLOCK - 1) / BLOCK * BLOCK;
	uint64_t *results = malloc(count * 8), *in, *out;
	char text[4096];
	run r;

	make(text, sizeof text, code, d, a, b, c);
	run_open(&r, text);
	in = run_buffer(&r, padded * 24);
	out = run_buffer(&r, padded * 8);
	for (size_t i = 0; i < padded; i++)
		memcpy(in + 3 * i, triples[i < count ? i : 0], 24);
	r.params[0] = (uint64_t)(uintptr_t)in;
	r.params[1] = (uint64_t)(uintptr_t)out;
	if (run_kernel(&r, "k", (unsigned)(padded / BLOCK), BLOCK) != WEIR_PTX_DONE)
		fail("%s: %s", code, r.result.text);
	memcpy(results, out, count * 8);
	run_close(&r);
	return results;
}

static uint64_t low(uint64_t x, int bits)
{
	return bits >= 64 ? x : x & ((UINT64_C(1) << bits) - 1);
}

/* All combinations of some values, one for each operand that is used. */
static size_t combine(const uint64_t *values, size_t count, int operands, uint64_t (**triples)[3])
{
	size_t total = operands == 1   ? count
	               : operands == 2 ? count * count
	                               : count * count * count;

	*triples = malloc(total * sizeof **triples);
	for (size_t i = 0; i < total; i++)
		for (int k = 0; k < 3; k++)
			(*triples)[i][k] = values[i /
			                          (k == 0   ? 1
			                           : k == 1 ? count
			                                    : count * count) %
			                          count];
	return total;
}

static void judge(const char *code, size_t bad, size_t count, const char *first)
{
	rows++;
	if (!bad == broken) {
		wrong++;
		printf("%s: %zu of %zu wrong%s\n", code, bad, count, first);
	}
}

/* --- Integers ------------------------------------------------------------------------------------------- */

static const uint64_t integers[] = {0,
                                    1,
                                    2,
                                    3,
                                    7,
                                    8,
                                    15,
                                    16,
                                    17,
                                    31,
                                    32,
                                    33,
                                    63,
                                    64,
                                    127,
                                    128,
                                    255,
                                    0x7fff,
                                    0x8000,
                                    0xffff,
                                    0x12345678,
                                    0x7fffffff,
                                    0x80000000,
                                    0x80000001,
                                    0xfffffffe,
                                    0xffffffff,
                                    0x00ff00ff00ff00ff,
                                    0x123456789abcdef0,
                                    0x7fffffffffffffff,
                                    0x8000000000000000,
                                    0xdeadbeefcafebabe,
                                    UINT64_MAX};
#define INTEGERS (sizeof integers / sizeof *integers)

/* The rows of one instruction while they are compared. */
typedef struct batch {
	const char *code;
	uint64_t (*in)[3], *got;
	size_t count, bad;
	reg d;
	char first[200];
} batch;

static batch begin(const char *code, reg d, reg a, reg b, reg c)
{
	int operands = c.type ? 3 : b.type ? 2 : 1;
	batch t = {.code = code, .d = d};

	t.count = combine(integers, INTEGERS, operands, &t.in);
	t.got = apply(code, d, a, b, c, (const uint64_t(*)[3])t.in, t.count);
	for (size_t i = 0; i < t.count; i++) {
		t.in[i][0] = low(t.in[i][0], a.bits);
		t.in[i][1] = low(t.in[i][1], b.bits);
		t.in[i][2] = low(t.in[i][2], c.bits);
	}
	return t;
}

static void compare(batch *t, size_t i, uint64_t want)
{
	uint64_t got = low(t->got[i], t->d.bits);

	want = low(want ^ broken, t->d.bits);
	if (got != want && !t->bad++)
		snprintf(t->first, sizeof t->first,
		         "; of %#llx, %#llx, %#llx: %#llx instead of %#llx",
		         (unsigned long long)t->in[i][0], (unsigned long long)t->in[i][1],
		         (unsigned long long)t->in[i][2], (unsigned long long)got,
		         (unsigned long long)want);
}

static void end(batch *t)
{
	judge(t->code, t->bad, t->count, t->first);
	free(t->got);
	free(t->in);
}

#define S16(x) ((int64_t)(int16_t)(x))
#define S32(x) ((int64_t)(int32_t)(x))
#define S64(x) ((int64_t)(x))
typedef __int128 wide;
typedef unsigned __int128 uwide;

static uint64_t clamp(wide x, wide least, wide most)
{
	return (uint64_t)(x < least ? least : x > most ? most : x);
}

static uint64_t reverse(uint64_t x, int bits)
{
	uint64_t y = 0;

	for (int i = 0; i < bits; i++)
		y |= (x >> i & 1) << (bits - 1 - i);
	return y;
}

static uint64_t ones(uint64_t x)
{
	uint64_t n = 0;

	for (; x; x &= x - 1)
		n++;
	return n;
}

static uint64_t zeros_above(uint64_t x, int bits)
{
	int n = 0;

	while (n < bits && !(x >> (bits - 1 - n) & 1))
		n++;
	return (uint64_t)n;
}

/* As the manual defines it, bit by bit. */
static uint64_t field(uint64_t a, uint64_t b, uint64_t c, int bits, bool is_signed)
{
	unsigned at = b & 255, length = c & 255, top = at + length > 0 ? at + length - 1 : 0;
	uint64_t x = 0, sign;

	if (top > (unsigned)bits - 1)
		top = (unsigned)bits - 1;
	sign = is_signed && length ? a >> top & 1 : 0;
	for (unsigned i = 0; i < (unsigned)bits; i++)
		x |= (i < length && at + i < (unsigned)bits ? a >> (at + i) & 1 : sign) << i;
	return x;
}

static uint64_t insert(uint64_t a, uint64_t b, unsigned at, unsigned length, unsigned bits)
{
	for (unsigned i = 0; i < length && at + i < bits; i++)
		b = (b & ~(UINT64_C(1) << (at + i))) | (a >> i & 1) << (at + i);
	return b;
}

static uint64_t permute(uint64_t a, uint64_t b, uint64_t c)
{
	unsigned char bytes[8], chosen[4];
	uint64_t x = 0;

	for (int i = 0; i < 8; i++)
		bytes[i] = (unsigned char)((i < 4 ? a : b) >> (8 * (i % 4)));
	for (int i = 0; i < 4; i++) {
		unsigned n = c >> (4 * i) & 15;
		chosen[i] = n & 8 ? bytes[n & 7] & 128 ? 255 : 0 : bytes[n & 7];
		x |= (uint64_t)chosen[i] << (8 * i);
	}
	return x;
}

static uint64_t dot(uint64_t a, uint64_t b, uint64_t c, bool is_signed)
{
	for (int i = 0; i < 4; i++)
		c += is_signed ? (uint64_t)((int8_t)(a >> 8 * i) * (int8_t)(b >> 8 * i))
		               : (a >> 8 * i & 255) * (b >> 8 * i & 255);
	return c;
}

/* The nth set bit from `base` on, downward for a negative n. */
static uint64_t set_bit(uint64_t mask, uint64_t base, int64_t n)
{
	int64_t left = llabs(n);

	if (base > 31)
		return 0xffffffff;
	if (!n)
		return mask >> base & 1 ? base : 0xffffffff;
	for (int64_t at = (int64_t)base; at >= 0 && at<32; at += n> 0 ? 1 : -1) {
		left -= (int64_t)(mask >> at & 1);
		if (!left)
			return (uint64_t)at;
	}
	return 0xffffffff;
}

static float f32_of(uint64_t x)
{
	uint32_t bits = (uint32_t)x;
	float f;

	memcpy(&f, &bits, sizeof f);
	return f;
}

/* The larger or smaller of two numbers; -0 is below 0, and a number above NaN. */
static uint64_t extreme(uint64_t a, uint64_t b, bool max, bool nan)
{
	float x = f32_of(a), y = f32_of(b);

	if (isnan(x) || isnan(y))
		return nan || (isnan(x) && isnan(y)) ? 0x7fffffff : isnan(x) ? b : a;
	if (x == y)
		return (a >> 31) == max ? b : a;
	return (x < y) == max ? b : a;
}

static float half(uint64_t x)
{
	return f32_of(encode(F32, decode(F16, x & 0xffff), RN));
}

static value ref_fma(value a, value b, value c, mode m);

static value wide_fma(uint64_t a, uint64_t b, uint64_t c)
{
	return ref_fma(decode(BF16, a), decode(BF16, b), decode(F32, c), RZ);
}

/* .relu of a half */
static uint64_t positive(uint64_t x)
{
	return is_nan(F16, x) ? 0x7fff : x & 0x8000 ? 0 : x;
}

static uint64_t mixed_dot(uint64_t a, uint64_t b)
{
	uint64_t sum = 0;

	for (int i = 0; i < 4; i++)
		sum += (uint64_t)((int8_t)(a >> 8 * i) * (int64_t)(b >> 8 * i & 255));
	return sum;
}

static uint64_t least(int64_t a, int64_t b)
{
	return (uint64_t)(a < b ? a : b);
}

/* average, distance, greatest, least, greater */
static uint64_t each_byte(uint64_t a, uint64_t b, int what)
{
	uint64_t result = 0;

	for (int i = 0; i < 32; i += 8) {
		uint64_t x = a >> i & 255, y = b >> i & 255;
		uint64_t all[] = {(x + y + 1) / 2, x > y ? x - y : y - x, x > y ? x : y,
		                  x < y ? x : y, x > y};
		result |= all[what] << i;
	}
	return result;
}

/* Floats of 6 and 8 bits: 0 e5m2, 1 e4m3, 2 e2m3, 3 e3m2. */
static const struct {
	int bits, mantissa, bias, greatest; /* greatest: the code of the largest finite one */
} smalls[] = {{8, 2, 15, 0x7b}, {8, 3, 7, 0x7e}, {6, 3, 1, 0x1f}, {6, 2, 3, 0x1f}};

static double of_small(int code, int f)
{
	int fraction = code & ((1 << smalls[f].mantissa) - 1),
	    exponent = code >> smalls[f].mantissa;

	return ldexp(fraction + (exponent ? 1 << smalls[f].mantissa : 0),
	             (exponent ? exponent : 1) - smalls[f].bias - smalls[f].mantissa);
}

/* The nearest by search, with ties to even. */
static uint64_t nearest_small(float x, int f)
{
	uint64_t sign = signbit(x) ? UINT64_C(1) << (smalls[f].bits - 1) : 0;
	double magnitude = fabs((double)x);
	int best = 0;

	if (isnan(x))
		return f < 2 ? 0x7f : 0x1f;
	for (int code = 1; code <= smalls[f].greatest; code++) {
		double far = fabs(of_small(code, f) - magnitude),
		       near = fabs(of_small(best, f) - magnitude);
		if (far < near || (far == near && !(code & 1)))
			best = code;
	}
	return sign |
	       (uint64_t)(magnitude > of_small(smalls[f].greatest, f) ? smalls[f].greatest : best);
}

static uint64_t half_of_small(uint64_t x, int f)
{
	uint64_t sign = x >> (smalls[f].bits - 1) & 1,
		 rest = x & ((UINT64_C(1) << (smalls[f].bits - 1)) - 1);
	float y = (float)of_small((int)rest, f);
	uint32_t bits;

	if ((int)rest > smalls[f].greatest)
		return f || rest != 0x7c ? 0x7fff : 0x7c00 | sign << 15;
	memcpy(&bits, &y, sizeof bits);
	return encode(F16, decode(F32, bits), RN) | sign << 15;
}

static uint64_t half_sum(uint64_t a, uint64_t b)
{
	return encode(F16, add(decode(F16, a & 0xffff), decode(F16, b & 0xffff), RN), RN);
}

/* instruction, registers d a b c, expression of the unsigned a, b and c */
#define ROWS(X)                                                                                    \
	X("add.u16 d, a, b;", u16, u16, u16, no, a + b)                                            \
	X("add.s32 d, a, b;", u32, u32, u32, no, a + b)                                            \
	X("add.sat.s32 d, a, b;", u32, u32, u32, no,                                               \
	  clamp((wide)S32(a) + S32(b), INT32_MIN, INT32_MAX))                                      \
	X("add.s64 d, a, b;", u64, u64, u64, no, a + b)                                            \
	X("sub.s16 d, a, b;", u16, u16, u16, no, a - b)                                            \
	X("sub.u32 d, a, b;", u32, u32, u32, no, a - b)                                            \
	X("sub.sat.s32 d, a, b;", u32, u32, u32, no,                                               \
	  clamp((wide)S32(a) - S32(b), INT32_MIN, INT32_MAX))                                      \
	X("sub.u64 d, a, b;", u64, u64, u64, no, a - b)                                            \
	X("add.u16x2 d, a, b;", u32, u32, u32, no,                                                 \
	  ((a + b) & 0xffff) | ((a >> 16) + (b >> 16)) << 16)                                      \
	X("mul.lo.s16 d, a, b;", u16, u16, u16, no, a *b)                                          \
	X("mul.lo.s32 d, a, b;", u32, u32, u32, no, a *b)                                          \
	X("mul.lo.u64 d, a, b;", u64, u64, u64, no, a *b)                                          \
	X("mul.hi.u16 d, a, b;", u16, u16, u16, no, a *b >> 16)                                    \
	X("mul.hi.s16 d, a, b;", u16, u16, u16, no, (uint64_t)(S16(a) * S16(b) >> 16))             \
	X("mul.hi.u32 d, a, b;", u32, u32, u32, no, a *b >> 32)                                    \
	X("mul.hi.s32 d, a, b;", u32, u32, u32, no, (uint64_t)(S32(a) * S32(b) >> 32))             \
	X("mul.hi.u64 d, a, b;", u64, u64, u64, no, (uint64_t)((uwide)a * b >> 64))                \
	X("mul.hi.s64 d, a, b;", u64, u64, u64, no, (uint64_t)((wide)S64(a) * S64(b) >> 64))       \
	X("mul.wide.u16 d, a, b;", u32, u16, u16, no, a *b)                                        \
	X("mul.wide.s16 d, a, b;", u32, u16, u16, no, (uint64_t)(S16(a) * S16(b)))                 \
	X("mul.wide.u32 d, a, b;", u64, u32, u32, no, a *b)                                        \
	X("mul.wide.s32 d, a, b;", u64, u32, u32, no, (uint64_t)(S32(a) * S32(b)))                 \
	X("mad.lo.s32 d, a, b, c;", u32, u32, u32, u32, a *b + c)                                  \
	X("mad.lo.u64 d, a, b, c;", u64, u64, u64, u64, a *b + c)                                  \
	X("mad.hi.s32 d, a, b, c;", u32, u32, u32, u32, (uint64_t)(S32(a) * S32(b) >> 32) + c)     \
	X("mad.hi.sat.s32 d, a, b, c;", u32, u32, u32, u32,                                        \
	  clamp((S32(a) * S32(b) >> 32) + S32(c), INT32_MIN, INT32_MAX))                           \
	X("mad.wide.u16 d, a, b, c;", u32, u16, u16, u32, a *b + c)                                \
	X("mad.wide.s32 d, a, b, c;", u64, u32, u32, u64, (uint64_t)(S32(a) * S32(b)) + c)         \
	X("mad.wide.u32 d, a, b, c;", u64, u32, u32, u64, a *b + c)                                \
	X("mul24.lo.u32 d, a, b;", u32, u32, u32, no, (a & 0xffffff) * (b & 0xffffff))             \
	X("mul24.hi.u32 d, a, b;", u32, u32, u32, no, (a & 0xffffff) * (b & 0xffffff) >> 16)       \
	X("mul24.lo.s32 d, a, b;", u32, u32, u32, no,                                              \
	  (uint64_t)(((int32_t)(a << 8) >> 8) * (int64_t)((int32_t)(b << 8) >> 8)))                \
	X("mad24.lo.u32 d, a, b, c;", u32, u32, u32, u32, (a & 0xffffff) * (b & 0xffffff) + c)     \
	X("sad.u32 d, a, b, c;", u32, u32, u32, u32, c + (a > b ? a - b : b - a))                  \
	X("sad.s32 d, a, b, c;", u32, u32, u32, u32, c + (uint64_t)llabs(S32(a) - S32(b)))         \
	X("sad.s64 d, a, b, c;", u64, u64, u64, u64, c + (S64(a) > S64(b) ? a - b : b - a))        \
	X("abs.s16 d, a;", u16, u16, no, no, (uint64_t)llabs(S16(a)))                              \
	X("abs.s32 d, a;", u32, u32, no, no, (uint64_t)llabs(S32(a)))                              \
	X("neg.s64 d, a;", u64, u64, no, no, 0 - a)                                                \
	X("min.s16 d, a, b;", u16, u16, u16, no, S16(a) < S16(b) ? a : b)                          \
	X("min.u32 d, a, b;", u32, u32, u32, no, a < b ? a : b)                                    \
	X("max.s32 d, a, b;", u32, u32, u32, no, S32(a) > S32(b) ? a : b)                          \
	X("max.s64 d, a, b;", u64, u64, u64, no, S64(a) > S64(b) ? a : b)                          \
	X("popc.b64 d, a;", u32, u64, no, no, ones(a))                                             \
	X("clz.b32 d, a;", u32, u32, no, no, zeros_above(a, 32))                                   \
	X("clz.b64 d, a;", u32, u64, no, no, zeros_above(a, 64))                                   \
	X("brev.b32 d, a;", u32, u32, no, no, reverse(a, 32))                                      \
	X("brev.b64 d, a;", u64, u64, no, no, reverse(a, 64))                                      \
	X("bfind.u32 d, a;", u32, u32, no, no, a ? 31 - zeros_above(a, 32) : 0xffffffff)           \
	X("bfind.s64 d, a;", u32, u64, no, no,                                                     \
	  (S64(a) < 0 ? ~a : a) ? 63 - zeros_above(S64(a) < 0 ? ~a : a, 64) : 0xffffffff)          \
	X("bfind.shiftamt.u32 d, a;", u32, u32, no, no, a ? zeros_above(a, 32) : 0xffffffff)       \
	X("fns.b32 d, a, b, c;", u32, u32, u32, u32, set_bit(a, b, S32(c)))                        \
	X("bfe.u32 d, a, b, c;", u32, u32, u32, u32, field(a, b, c, 32, false))                    \
	X("bfe.s32 d, a, b, c;", u32, u32, u32, u32, field(a, b, c, 32, true))                     \
	X("bfe.u64 d, a, b, c;", u64, u64, u32, u32, field(a, b, c, 64, false))                    \
	X("bfe.s64 d, a, b, c;", u64, u64, u32, u32, field(a, b, c, 64, true))                     \
	X("bfi.b32 d, a, b, c, 7;", u32, u32, u32, u32, insert(a, b, c & 255, 7, 32))              \
	X("bfi.b32 d, a, b, 3, c;", u32, u32, u32, u32, insert(a, b, 3, c & 255, 32))              \
	X("bfi.b64 d, a, b, c, 33;", u64, u64, u64, u32, insert(a, b, c & 255, 33, 64))            \
	X("szext.wrap.s32 d, a, b;", u32, u32, u32, no,                                            \
	  !(b & 31) ? 0 : (uint64_t)((int32_t)(a << (32 - (b & 31))) >> (32 - (b & 31))))          \
	X("szext.clamp.u32 d, a, b;", u32, u32, u32, no,                                           \
	  b > 31 ? a : a & ((UINT64_C(1) << b) - 1))                                               \
	X("bmsk.clamp.b32 d, a, b;", u32, u32, u32, no,                                            \
	  insert(UINT64_MAX, 0, a > 32 ? 32 : (unsigned)a, b > 32 ? 32 : (unsigned)b, 32))         \
	X("dp4a.u32.u32 d, a, b, c;", u32, u32, u32, u32, dot(a, b, c, false))                     \
	X("dp4a.s32.s32 d, a, b, c;", u32, u32, u32, u32, dot(a, b, c, true))                      \
	X("dp2a.lo.u32.u32 d, a, b, c;", u32, u32, u32, u32,                                       \
	  c + (a & 0xffff) * (b & 255) + (a >> 16) * (b >> 8 & 255))                               \
	X("and.b32 d, a, b;", u32, u32, u32, no, a &b)                                             \
	X("or.b64 d, a, b;", u64, u64, u64, no, a | b)                                             \
	X("xor.b16 d, a, b;", u16, u16, u16, no, a ^ b)                                            \
	X("not.b32 d, a;", u32, u32, no, no, ~a)                                                   \
	X("cnot.b64 d, a;", u64, u64, no, no, a == 0)                                              \
	X("lop3.b32 d, a, b, c, 0xE8;", u32, u32, u32, u32, (a & b) | (b & c) | (a & c))           \
	X("lop3.b32 d, a, b, c, 0x96;", u32, u32, u32, u32, a ^ b ^ c)                             \
	X("setp.ne.u32 p, c, 0; lop3.or.b32 d|q, a, b, c, 0x80, p; selp.b32 d, 1, d, q;", u32,     \
	  u32, u32, u32, (a & b & c) || c ? 1 : 0)                                                 \
	X("shf.l.wrap.b32 d, a, b, c;", u32, u32, u32, u32, (b << 32 | a) << (c & 31) >> 32)       \
	X("shf.r.wrap.b32 d, a, b, c;", u32, u32, u32, u32, (b << 32 | a) >> (c & 31))             \
	X("shf.l.clamp.b32 d, a, b, c;", u32, u32, u32, u32,                                       \
	  c > 31 ? a : (b << 32 | a) << c >> 32)                                                   \
	X("shf.r.clamp.b32 d, a, b, c;", u32, u32, u32, u32, c > 31 ? b : (b << 32 | a) >> c)      \
	X("shl.b16 d, a, b;", u16, u16, u32, no, b > 15 ? 0 : a << b)                              \
	X("shl.b64 d, a, b;", u64, u64, u32, no, b > 63 ? 0 : a << b)                              \
	X("shr.u32 d, a, b;", u32, u32, u32, no, b > 31 ? 0 : a >> b)                              \
	X("shr.s32 d, a, b;", u32, u32, u32, no, (uint64_t)(S32(a) >> (b > 31 ? 31 : b)))          \
	X("shr.s64 d, a, b;", u64, u64, u32, no, (uint64_t)(S64(a) >> (b > 63 ? 63 : b)))          \
	X("prmt.b32 d, a, b, c;", u32, u32, u32, u32, permute(a, b, c))                            \
	X("prmt.b32.f4e d, a, b, c;", u32, u32, u32, u32, (b << 32 | a) >> (8 * (c & 3)))          \
	X("prmt.b32.rc8 d, a, b, c;", u32, u32, u32, u32, (a >> 8 * (c & 3) & 255) * 0x01010101)   \
	X("add.cc.u32 t, a, b; addc.u32 d, c, 0;", u32, u32, u32, u32, c + ((a + b) >> 32))        \
	X("sub.cc.u32 t, a, b; subc.u32 d, c, 0;", u32, u32, u32, u32, c - (a < b))                \
	X("add.cc.u64 x, a, b; addc.u64 d, c, 0;", u64, u64, u64, u64, c + (a + b < a))            \
	X("mad.lo.cc.u32 t, a, b, c; madc.hi.u32 d, a, b, 0;", u32, u32, u32, u32,                 \
	  (a * b + c) >> 32)                                                                       \
	X("setp.lt.s32 p, a, b; selp.u32 d, 7, 9, p;", u32, u32, u32, no, S32(a) < S32(b) ? 7 : 9) \
	X("setp.hi.u32 p, a, b; selp.u32 d, 7, 9, p;", u32, u32, u32, no, a > b ? 7 : 9)           \
	X("setp.ge.and.s64 p|q, a, b, !p; selp.u32 d, 1, 0, p; selp.u32 t, 2, 0, q; add.u32 d, "   \
	  "d, t;",                                                                                 \
	  u32, u64, u64, no, S64(a) >= S64(b) ? 1 : 2)                                             \
	X("set.le.u32.s32 d, a, b;", u32, u32, u32, no, S32(a) <= S32(b) ? 0xffffffff : 0)         \
	X("set.eq.f32.u32 d, a, b;", u32, u32, u32, no, a == b ? 0x3f800000 : 0)                   \
	X("slct.u32.s32 d, a, b, c;", u32, u32, u32, u32, S32(c) >= 0 ? a : b)                     \
	X("slct.u64.f32 d, a, b, c;", u64, u64, u64, u32,                                          \
	  (c << 33 >> 33) > 0x7f800000 || (c >> 31 && c != 0x80000000) ? b : a)                    \
	X("div.u32 d, a, 7;", u32, u32, no, no, a / 7)                                             \
	X("setp.eq.u32 p, b, 0; selp.b32 t, 5, b, p; div.s32 d, a, t;", u32, u32, u32, no,         \
	  (uint64_t)(S32(a) / S32(b ? b : 5)))                                                     \
	X("setp.eq.u64 p, b, 0; selp.b64 x, 5, b, p; rem.u64 d, a, x;", u64, u64, u64, no,         \
	  a % (b ? b : 5))                                                                         \
	X("or.b64 x, b, 1; rem.s64 d, a, x;", u64, u64, u64, no,                                   \
	  (b | 1) == UINT64_MAX ? 0 : (uint64_t)(S64(a) % S64(b | 1)))                             \
	X("min.f32 d, a, b;", u32, u32, u32, no, extreme(a, b, false, false))                      \
	X("max.f32 d, a, b;", u32, u32, u32, no, extreme(a, b, true, false))                       \
	X("min.NaN.f32 d, a, b;", u32, u32, u32, no, extreme(a, b, false, true))                   \
	X("abs.f32 d, a;", u32, u32, no, no, a & 0x7fffffff)                                       \
	X("neg.f64 d, a;", u64, u64, no, no, a ^ 0x8000000000000000)                               \
	X("abs.f16x2 d, a;", u32, u32, no, no, a & 0x7fff7fff)                                     \
	X("copysign.f32 d, a, b;", u32, u32, u32, no, (b & 0x7fffffff) | (a & 0x80000000))         \
	X("testp.finite.f32 p, a; selp.u32 d, 1, 0, p;", u32, u32, no, no, isfinite(f32_of(a)))    \
	X("testp.subnormal.f32 p, a; selp.u32 d, 1, 0, p;", u32, u32, no, no,                      \
	  fpclassify(f32_of(a)) == FP_SUBNORMAL)                                                   \
	X("setp.lt.f32 p, a, b; selp.u32 d, 1, 0, p;", u32, u32, u32, no, f32_of(a) < f32_of(b))   \
	X("setp.ne.f32 p, a, b; selp.u32 d, 1, 0, p;", u32, u32, u32, no,                          \
	  islessgreater(f32_of(a), f32_of(b)))                                                     \
	X("setp.neu.f32 p, a, b; selp.u32 d, 1, 0, p;", u32, u32, u32, no, f32_of(a) != f32_of(b)) \
	X("setp.leu.f32 p, a, b; selp.u32 d, 1, 0, p;", u32, u32, u32, no,                         \
	  !isgreater(f32_of(a), f32_of(b)))                                                        \
	X("setp.equ.f32 p, a, b; selp.u32 d, 1, 0, p;", u32, u32, u32, no,                         \
	  !islessgreater(f32_of(a), f32_of(b)))                                                    \
	X("setp.nan.f32 p, a, b; selp.u32 d, 1, 0, p;", u32, u32, u32, no,                         \
	  isunordered(f32_of(a), f32_of(b)))                                                       \
	X("add.f16x2 d, a, b;", u32, u32, u32, no,                                                 \
	  half_sum(a, b) | half_sum(a >> 16, b >> 16) << 16)                                       \
	X("cvt.rn.f16x2.f32 d, a, b;", u32, u32, u32, no,                                          \
	  encode(F16, decode(F32, b), RN) | encode(F16, decode(F32, a), RN) << 16)                 \
	X("add.ftz.f32 d, a, 0f80000000;", u32, u32, no, no,                                       \
	  isnan(f32_of(a))           ? 0x7fffffff                                                  \
	  : a << 33 >> 33 < 0x800000 ? a & 0x80000000                                              \
	                             : a)                                                          \
	X("mov.b32 d, {a, b};", u32, u16, u16, no, a | b << 16)                                    \
	X("mov.b64 d, {a, b};", u64, u32, u32, no, a | b << 32)                                    \
	X("mov.b64 {t, d}, a;", u32, u64, no, no, a >> 32)                                         \
	X("mov.b64 {_, d}, a;", u32, u64, no, no, a >> 32)                                         \
	X("cvt.u64.u16 d, a;", u64, u16, no, no, a)                                                \
	X("cvt.s64.s16 d, a;", u64, u16, no, no, (uint64_t)S16(a))                                 \
	X("cvt.s64.s8 d, a;", u64, u8, no, no, (uint64_t)(int8_t)a)                                \
	X("cvt.u8.u32 d, a;", u32, u32, no, no, a & 255)                                           \
	X("cvt.s8.s32 d, a;", u32, u32, no, no, (uint64_t)(int8_t)a)                               \
	X("cvt.s32.s64 d, a;", u32, u64, no, no, a)                                                \
	X("cvt.sat.u8.s32 d, a;", u16, u32, no, no, clamp(S32(a), 0, 255))                         \
	X("cvt.sat.s8.s64 d, a;", u16, u64, no, no, clamp(S64(a), -128, 127))                      \
	X("cvt.sat.s16.u32 d, a;", u16, u32, no, no, clamp((wide)a, 0, 32767))                     \
	X("cvt.sat.u32.s64 d, a;", u32, u64, no, no, clamp(S64(a), 0, UINT32_MAX))                 \
	X("cvt.sat.s64.u64 d, a;", u64, u64, no, no, clamp((wide)a, 0, INT64_MAX))                 \
	X("cvt.u32.u64 t, a; cvt.u64.u32 d, t;", u64, u64, no, no, (uint32_t)a)                    \
	X("mul24.hi.s32 d, a, b;", u32, u32, u32, no,                                              \
	  (uint64_t)(((int64_t)((int32_t)(a << 8) >> 8) * ((int32_t)(b << 8) >> 8)) >> 16))        \
	X("dp2a.hi.s32.u32 d, a, b, c;", u32, u32, u32, u32,                                       \
	  c + (uint64_t)(S16(a) * (int64_t)(b >> 16 & 255)) +                                      \
	      (uint64_t)(S16(a >> 16) * (int64_t)(b >> 24)))                                       \
	X("dp4a.s32.u32 d, a, b, c;", u32, u32, u32, u32, c + mixed_dot(a, b))                     \
	X("szext.clamp.s32 d, a, b;", u32, u32, u32, no,                                           \
	  b > 31 ? a                                                                               \
	  : !b   ? 0                                                                               \
	         : (uint64_t)((int32_t)(a << (32 - b)) >> (32 - b)))                                 \
	X("bmsk.wrap.b32 d, a, b;", u32, u32, u32, no, insert(UINT64_MAX, 0, a & 31, b & 31, 32))  \
	X("prmt.b32.b4e d, a, b, c;", u32, u32, u32, u32,                                          \
	  permute(a, b, (uint64_t[]){0x5670, 0x6701, 0x7012, 0x0123}[c & 3]))                      \
	X("prmt.b32.ecl d, a, b, c;", u32, u32, u32, u32,                                          \
	  permute(a, b, (uint64_t[]){0x3210, 0x3211, 0x3222, 0x3333}[c & 3]))                      \
	X("prmt.b32.ecr d, a, b, c;", u32, u32, u32, u32,                                          \
	  permute(a, b, (uint64_t[]){0x0000, 0x1110, 0x2210, 0x3210}[c & 3]))                      \
	X("prmt.b32.rc16 d, a, b, c;", u32, u32, u32, u32, permute(a, b, c & 1 ? 0x3232 : 0x1010)) \
	X("sub.cc.u64 x, a, b; subc.u64 d, c, 0;", u64, u64, u64, u64, c - (a < b))                \
	X("add.cc.u32 t, a, b; addc.cc.u32 t, c, a; addc.u32 d, 0, 0;", u32, u32, u32, u32,        \
	  (c + a + ((a + b) >> 32)) >> 32)                                                         \
	X("mad.lo.cc.u32 t, a, b, c; madc.lo.cc.u32 t, a, c, b; addc.u32 d, 0, 0;", u32, u32, u32, \
	  u32, ((uint32_t)(a * c) + b + (((uint32_t)(a * b) + c) >> 32)) >> 32)                    \
	X("min.relu.s32 d, a, b;", u32, u32, u32, no,                                              \
	  clamp(S32(a) < S32(b) ? S32(a) : S32(b), 0, INT32_MAX))                                  \
	X("max.u16x2 d, a, b;", u32, u32, u32, no,                                                 \
	  ((a & 0xffff) > (b & 0xffff) ? a & 0xffff : b & 0xffff) |                                \
	      ((a >> 16) > (b >> 16) ? a >> 16 : b >> 16) << 16)                                   \
	X("min.relu.s16x2 d, a, b;", u32, u32, u32, no,                                            \
	  clamp(S16(a) < S16(b) ? S16(a) : S16(b), 0, 32767) |                                     \
	      clamp(S16(a >> 16) < S16(b >> 16) ? S16(a >> 16) : S16(b >> 16), 0, 32767) << 16)    \
	X("min.xorsign.abs.f32 d, a, b;", u32, u32, u32, no,                                       \
	  (extreme(a & 0x7fffffff, b & 0x7fffffff, false, false) & 0x7fffffff) |                   \
	      ((a ^ b) & 0x80000000))                                                              \
	X("max.f32 d, a, b, c;", u32, u32, u32, u32,                                               \
	  extreme(extreme(a, b, true, false), c, true, false))                                     \
	X("min.NaN.abs.f32 d, a, b, c;", u32, u32, u32, u32,                                       \
	  extreme(extreme(a & 0x7fffffff, b & 0x7fffffff, false, true), c & 0x7fffffff, false,     \
	          true))                                                                           \
	X("set.lt.f16x2.f16x2 d, a, b;", u32, u32, u32, no,                                        \
	  (half(a) < half(b) ? 0x3c00 : 0) | (half(a >> 16) < half(b >> 16) ? 0x3c000000 : 0))     \
	X("set.geu.u32.f16x2 d, a, b;", u32, u32, u32, no,                                         \
	  (!(half(a) < half(b)) ? 0xffff : 0) |                                                    \
	      (!(half(a >> 16) < half(b >> 16)) ? 0xffff0000 : 0))                                 \
	X("set.ge.bf16x2.bf16x2 d, a, b;", u32, u32, u32, no,                                      \
	  (f32_of(a << 16) >= f32_of(b << 16) ? 0x3f80 : 0) |                                      \
	      (f32_of(a >> 16 << 16) >= f32_of(b >> 16 << 16) ? 0x3f800000 : 0))                   \
	X("set.ne.f16.f16 d, a, b;", u16, u16, u16, no,                                            \
	  half(a) < half(b) || half(a) > half(b) ? 0x3c00 : 0)                                     \
	X("setp.ne.u32 p, c, 0; setp.gt.xor.f16x2 p|q, a, b, p; selp.u32 d, 1, 0, p; selp.u32 t, " \
	  "2, 0, q; add.u32 d, d, t;",                                                             \
	  u32, u32, u32, u32,                                                                      \
	  (unsigned)((half(a) > half(b)) != (c != 0)) +                                            \
	      2 * (unsigned)((half(a >> 16) > half(b >> 16)) != (c != 0)))                         \
	X("setp.lo.u16 p, a, b; selp.u32 d, 1, 0, p;", u32, u16, u16, no, a < b)                   \
	X("setp.num.f64 p, a, b; selp.u32 d, 1, 0, p;", u32, u64, u64, no,                         \
	  !is_nan(F64, a) && !is_nan(F64, b))                                                      \
	X("cvt.pack.sat.s16.s32 d, a, b;", u32, u32, u32, no,                                      \
	  (clamp(S32(a), -32768, 32767) & 0xffff) << 16 | (clamp(S32(b), -32768, 32767) & 0xffff)) \
	X("cvt.pack.sat.u8.s32.b32 d, a, b, c;", u32, u32, u32, u32,                               \
	  c << 16 | clamp(S32(a), 0, 255) << 8 | clamp(S32(b), 0, 255))                            \
	X("cvt.pack.sat.s4.s32.b32 d, a, b, c;", u32, u32, u32, u32,                               \
	  c << 8 | (clamp(S32(a), -8, 7) & 15) << 4 | (clamp(S32(b), -8, 7) & 15))                 \
	X("cvt.pack.sat.u2.s32.b32 d, a, b, c;", u32, u32, u32, u32,                               \
	  c << 4 | clamp(S32(a), 0, 3) << 2 | clamp(S32(b), 0, 3))                                 \
	X("add.f32.f16 d, a, b;", u32, u16, u32, no,                                               \
	  encode(F32, add(decode(F16, a), decode(F32, b), RN), RN))                                \
	X("fma.rz.f32.bf16 d, a, b, c;", u32, u16, u16, u32, encode(F32, wide_fma(a, b, c), RZ))   \
	X("fma.rn.relu.f16 d, a, b, c;", u16, u16, u16, u16,                                       \
	  positive(encode(F16, ref_fma(decode(F16, a), decode(F16, b), decode(F16, c), RN), RN)))  \
	X("fma.rn.oob.f16 d, a, b, c;", u16, u16, u16, u16,                                        \
	  a == 0xffff || b == 0xffff                                                               \
	      ? 0                                                                                  \
	      : encode(F16, ref_fma(decode(F16, a), decode(F16, b), decode(F16, c), RN), RN))      \
	X("cvt.rna.tf32.f32 d, a;", u32, u32, no, no,                                              \
	  isnan(f32_of(a))   ? 0x7fffffff                                                          \
	  : isinf(f32_of(a)) ? a                                                                   \
	                     : (a + 0x1000) & 0xffffe000)                                          \
	X("cvt.rn.satfinite.e4m3x2.f32 d, a, b;", u16, u32, u32, no,                               \
	  nearest_small(f32_of(a), 1) << 8 | nearest_small(f32_of(b), 1))                          \
	X("cvt.rn.satfinite.e5m2x2.f32 d, a, b;", u16, u32, u32, no,                               \
	  nearest_small(f32_of(a), 0) << 8 | nearest_small(f32_of(b), 0))                          \
	X("cvt.rn.satfinite.relu.e2m3x2.f32 d, a, b;", u16, u32, u32, no,                          \
	  nearest_small(f32_of(a) > 0 || isnan(f32_of(a)) ? f32_of(a) : 0, 2) << 8 |               \
	      nearest_small(f32_of(b) > 0 || isnan(f32_of(b)) ? f32_of(b) : 0, 2))                 \
	X("cvt.rn.satfinite.e3m2x2.f32 d, a, b;", u16, u32, u32, no,                               \
	  nearest_small(f32_of(a), 3) << 8 | nearest_small(f32_of(b), 3))                          \
	X("cvt.rn.f16x2.e4m3x2 d, a;", u32, u16, no, no,                                           \
	  half_of_small(a & 255, 1) | half_of_small(a >> 8, 1) << 16)                              \
	X("cvt.rn.f16x2.e5m2x2 d, a;", u32, u16, no, no,                                           \
	  half_of_small(a & 255, 0) | half_of_small(a >> 8, 0) << 16)                              \
	X("cvt.rn.relu.f16x2.e2m3x2 d, a;", u32, u16, no, no,                                      \
	  positive(half_of_small(a & 63, 2)) | positive(half_of_small(a >> 8 & 63, 2)) << 16)      \
	X("vadd.s32.u32.s32.sat d, a, b;", u32, u32, u32, no,                                      \
	  clamp((wide)a + S32(b), INT32_MIN, INT32_MAX))                                           \
	X("vadd.u32.u32.u32 d, a.b1, b.h1;", u32, u32, u32, no, (a >> 8 & 255) + (b >> 16))        \
	X("vsub.s32.s32.s32.add d, a, b.b3, c;", u32, u32, u32, u32,                               \
	  a - (uint64_t)(int8_t)(b >> 24) + c)                                                     \
	X("vsub.u32.u32.u32.sat d.b2, a, b, c;", u32, u32, u32, u32,                               \
	  (c & 0xff00ffff) | clamp((wide)a - (wide)b, 0, 255) << 16)                               \
	X("vabsdiff.u32.s32.u32.max d, a, b, c;", u32, u32, u32, u32,                              \
	  (uint32_t)llabs(S32(a) - (int64_t)b) > c ? (uint32_t)llabs(S32(a) - (int64_t)b) : c)     \
	X("vmin.s32.s32.u32 d, a, b;", u32, u32, u32, no, S32(a) < (int64_t)b ? a : b)             \
	X("vmax.s32.s32.s32.min d, a.h0, b.h1, c;", u32, u32, u32, u32,                            \
	  least(S16(a) > S16(b >> 16) ? S16(a) : S16(b >> 16), S32(c)))                            \
	X("vshl.u32.u32.u32.clamp d, a, b;", u32, u32, u32, no, b > 31 ? 0 : a << b)               \
	X("vshr.s32.s32.u32.wrap d, a, b;", u32, u32, u32, no, (uint64_t)(S32(a) >> (b & 31)))     \
	X("vset.s32.u32.lt.add d, a, b, c;", u32, u32, u32, u32, c + (S32(a) < (int64_t)b))        \
	X("vmad.u32.u32.u32.shr7 d, a, b, c;", u32, u32, u32, u32, (a * b + c) >> 7)               \
	X("vmad.s32.s32.s32.sat.shr15 d, a, -b, c;", u32, u32, u32, u32,                           \
	  clamp((S32(c) - S32(a) * (wide)S32(b)) >> 15, INT32_MIN, INT32_MAX))                     \
	X("vmad.u32.u32.u32.po d, a.b0, b.h0, c;", u32, u32, u32, u32,                             \
	  (a & 255) * (b & 0xffff) + c + 1)                                                        \
	X("vadd2.u32.u32.u32.sat d, a, b, c;", u32, u32, u32, u32,                                 \
	  clamp((wide)(a & 0xffff) + (wide)(b & 0xffff), 0, 65535) |                               \
	      clamp((wide)(a >> 16) + (wide)(b >> 16), 0, 65535) << 16)                            \
	X("vsub2.s32.s32.s32.add d, a.h01, b, c;", u32, u32, u32, u32,                             \
	  c + (uint64_t)(S16(a >> 16) - S16(b)) + (uint64_t)(S16(a) - S16(b >> 16)))               \
	X("vavrg4.u32.u32.u32 d, a, b, c;", u32, u32, u32, u32, each_byte(a, b, 0))                \
	X("vabsdiff4.u32.u32.u32 d, a, b, c;", u32, u32, u32, u32, each_byte(a, b, 1))             \
	X("vmax4.u32.u32.u32 d, a, b, c;", u32, u32, u32, u32, each_byte(a, b, 2))                 \
	X("vmin4.u32.u32.u32 d.b30, a, b, c;", u32, u32, u32, u32,                                 \
	  (each_byte(a, b, 3) & 0xff0000ff) | (c & 0x00ffff00))                                    \
	X("vset4.u32.u32.gt.add d, a, b, c;", u32, u32, u32, u32, c + ones(each_byte(a, b, 4)))    \
	X("@!p mov.b32 d, 1; setp.eq.u32 p, a, 0; @p mov.b32 d, 2; @!p mov.b32 d, 3;", u32, u32,   \
	  no, no, a ? 3 : 2)

static void check_integers(void)
{
#define X(text, d, ra, rb, rc, expression)                                                         \
	{                                                                                          \
		batch t = begin(text, d, ra, rb, rc);                                              \
		for (size_t i = 0; i < t.count; i++) {                                             \
			uint64_t a = t.in[i][0], b = t.in[i][1], c = t.in[i][2];                   \
			(void)a, (void)b, (void)c;                                                 \
			compare(&t, i, (uint64_t)(expression));                                    \
		}                                                                                  \
		end(&t);                                                                           \
	}
	ROWS(X)
#undef X
}

/* --- Floating point --------------------------------------------------------------------------------------- */

static reg of_format(int f)
{
	return formats[f].bits == 16 ? u16 : formats[f].bits == 32 ? u32 : u64;
}

/* Edge values of a format, and some ordinary ones. */
static size_t edges(int f, uint64_t *values)
{
	int fraction = formats[f].precision - 1;
	uint64_t one = (UINT64_C(1) << fraction), sign = UINT64_C(1) << (formats[f].bits - 1);
	uint64_t all = (sign - 1) >> fraction << fraction, half = (all >> fraction) / 2 * one;
	uint64_t some[] = {0,
	                   1,
	                   2,
	                   one - 1,
	                   one,
	                   one + 1,
	                   half,
	                   half + 1,
	                   half - 1,
	                   half + one,
	                   half + one / 2,
	                   half - one,
	                   all - 1,
	                   all,
	                   all + 1,
	                   half + 3 * one / 4,
	                   half + 10 * one,
	                   half + one * 7 / 5,
	                   half - 3 * one + 5,
	                   half + (uint64_t)fraction * one,
	                   half + (uint64_t)(fraction + 1) * one,
	                   half - 12 * one + one / 3,
	                   all - 3 * one + 77 % one};
	size_t count = 0;

	for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
		values[count++] = low(some[i], formats[f].bits);
		values[count++] = low(some[i] ^ sign, formats[f].bits);
	}
	return count;
}

typedef value float_reference(value a, value b, value c, mode m);

static value ref_add(value a, value b, value c, mode m)
{
	(void)c;
	return add(a, b, m);
}

static value ref_sub(value a, value b, value c, mode m)
{
	(void)c;
	return add(a, b.nan ? b : negate(b), m);
}

static value ref_mul(value a, value b, value c, mode m)
{
	(void)c, (void)m;
	return multiply(a, b);
}

static value ref_fma(value a, value b, value c, mode m)
{
	value product = multiply(a, b);

	return product.nan || c.nan ? (value){.nan = true} : add(product, c, m);
}

static value ref_div(value a, value b, value c, mode m)
{
	(void)c, (void)m;
	return divide(a, b);
}

static value ref_rcp(value a, value b, value c, mode m)
{
	(void)b, (void)c, (void)m;
	return divide((value){.x = 1}, a);
}

static value ref_sqrt(value a, value b, value c, mode m)
{
	(void)b, (void)c, (void)m;
	return square_root(a);
}

static const struct {
	const char *name;
	int operands, halves; /* halves: also of f16 and bf16, which round to nearest only */
	float_reference *expect;
} float_ops[] = {{"add", 2, 1, ref_add},  {"sub", 2, 1, ref_sub}, {"mul", 2, 1, ref_mul},
                 {"fma", 3, 1, ref_fma},  {"div", 2, 0, ref_div}, {"rcp", 1, 0, ref_rcp},
                 {"sqrt", 1, 0, ref_sqrt}};

/* NaN of f64 may have any bits. */
static bool same(int f, uint64_t got, uint64_t want)
{
	return got == want || (f == F64 && is_nan(f, got) && is_nan(f, want));
}

static void check_float(size_t op, int f, mode m)
{
	uint64_t values[64], (*triples)[3], *got;
	size_t count = combine(values, edges(f, values), float_ops[op].operands, &triples), bad = 0;
	int n = float_ops[op].operands;
	reg r = of_format(f);
	char code[100], first[200] = "";

	snprintf(code, sizeof code, "%s.%s.%s d, a%s%s;", float_ops[op].name, mode_names[m],
	         formats[f].name, n > 1 ? ", b" : "", n > 2 ? ", c" : "");
	got =
	    apply(code, r, r, n > 1 ? r : no, n > 2 ? r : no, (const uint64_t(*)[3])triples, count);
	for (size_t i = 0; i < count; i++) {
		const uint64_t *t = triples[i];
		uint64_t want = encode(
		    f, float_ops[op].expect(decode(f, t[0]), decode(f, t[1]), decode(f, t[2]), m),
		    m);
		uint64_t have = low(got[i], formats[f].bits);
		if (!same(f, have, want ^ (uint64_t)broken) && !bad++)
			snprintf(first, sizeof first,
			         "; of %#llx, %#llx, %#llx: %#llx instead of %#llx",
			         (unsigned long long)t[0], (unsigned long long)t[1],
			         (unsigned long long)t[2], (unsigned long long)have,
			         (unsigned long long)want);
	}
	judge(code, bad, count, first);
	free(got);
	free(triples);
}

static void check_floats(void)
{
	for (size_t op = 0; op < sizeof float_ops / sizeof *float_ops; op++)
		for (int f = 0; f < FORMATS; f++)
			for (mode m = RN; m < MODES; m++)
				if (f >= F32 || (float_ops[op].halves && m == RN))
					check_float(op, f, m);
}

/* --- Conversions -------------------------------------------------------------------------------------------- */

static void check_conversion(const char *code, reg d, reg a, const uint64_t *values, size_t count,
                             uint64_t (*expect)(uint64_t, int, int, mode), int to, int from, mode m,
                             bool floats)
{
	uint64_t(*triples)[3], *got;
	size_t bad = 0;
	char first[200] = "";

	count = combine(values, count, 1, &triples);
	got = apply(code, d, a, no, no, (const uint64_t(*)[3])triples, count);
	for (size_t i = 0; i < count; i++) {
		uint64_t want = low(expect(triples[i][0], to, from, m) ^ (uint64_t)broken, d.bits),
			 have = low(got[i], d.bits);
		bool nan = floats && to == F64 && is_nan(F64, have) && is_nan(F64, want);
		if (have != want && !nan && !bad++)
			snprintf(first, sizeof first, "; of %#llx: %#llx instead of %#llx",
			         (unsigned long long)triples[i][0], (unsigned long long)have,
			         (unsigned long long)want);
	}
	judge(code, bad, count, first);
	free(got);
	free(triples);
}

static uint64_t float_to_float(uint64_t x, int to, int from, mode m)
{
	return encode(to, decode(from, x), m);
}

static uint64_t float_to_whole(uint64_t x, int to, int from, mode m)
{
	(void)to;
	return encode(from, to_integral(decode(from, x), m), RN);
}

/* Integer types: 8 << n bits, + 4 if signed. */
static const char *const int_names[] = {"u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64"};

static uint64_t float_to_int(uint64_t x, int to, int from, mode m)
{
	int bits = 8 << (to & 3);
	value v = decode(from, x);

	if (v.nan)
		return bits < 64 && from != F64 ? 0 : UINT64_C(1) << (bits - 1);
	return to_integer(v, m, bits, to & 4);
}

static uint64_t int_to_float(uint64_t x, int to, int from, mode m)
{
	int bits = 8 << (from & 3);

	x = low(x, bits);
	if ((from & 4) && x >> (bits - 1))
		x |= bits < 64 ? ~UINT64_C(0) << bits : 0;
	return encode(to, from & 4 ? of_integer((int64_t)x) : of_unsigned(x), m);
}

static reg of_int(int type)
{
	return (type & 3) == 0 ? u8 : (type & 3) == 1 ? u16 : (type & 3) == 2 ? u32 : u64;
}

static void check_conversions(void)
{
	static const char *const integral[] = {"rni", "rzi", "rmi", "rpi"};
	uint64_t values[64];
	char code[100];

	for (int from = 0; from < FORMATS; from++) {
		size_t count = edges(from, values);
		for (mode m = RN; m < MODES; m++) {
			for (int to = 0; to < FORMATS; to++) {
				bool exact_one = formats[to].precision > formats[from].precision &&
				                 formats[to].lowest <= formats[from].lowest;
				if (to == from || (exact_one && m != RN))
					continue;
				snprintf(code, sizeof code, "cvt%s%s.%s.%s d, a;",
				         exact_one ? "" : ".", exact_one ? "" : mode_names[m],
				         formats[to].name, formats[from].name);
				check_conversion(code, of_format(to), of_format(from), values,
				                 count, float_to_float, to, from, m, true);
			}
			snprintf(code, sizeof code, "cvt.%s.%s.%s d, a;", integral[m],
			         formats[from].name, formats[from].name);
			check_conversion(code, of_format(from), of_format(from), values, count,
			                 float_to_whole, from, from, m, true);
			for (int to = 0; to < 8; to++) {
				snprintf(code, sizeof code, "cvt.%s.%s.%s d, a;", integral[m],
				         int_names[to], formats[from].name);
				check_conversion(code, of_int(to), of_format(from), values, count,
				                 float_to_int, to, from, m, false);
			}
		}
	}
	for (int from = 0; from < 8; from++)
		for (int to = 0; to < FORMATS; to++)
			for (mode m = RN; m < MODES; m++) {
				snprintf(code, sizeof code, "cvt.%s.%s.%s d, a;", mode_names[m],
				         formats[to].name, int_names[from]);
				check_conversion(code, of_format(to), of_int(from), integers,
				                 INTEGERS, int_to_float, to, from, m, true);
			}
}

/* --- Approximations: within the error that the manual states ------------------------------------------ */

static double two_to(double x)
{
	return exp2(x);
}

static double inverse(double x)
{
	return 1 / x;
}

static double minus_inverse(double x)
{
	return -1 / x;
}

static double inverse_root(double x)
{
	return 1 / sqrt(x);
}

/* Largest relative error, or absolute where `absolute` is not 0, over the range from `low` to `high`. */
static const struct {
	const char *code;
	double (*expect)(double);
	double low, high, relative, absolute;
} approximations[] = {{"ex2.approx.f32 d, a;", two_to, -120, 120, 0x1p-22, 0},
                      {"lg2.approx.f32 d, a;", log2, 0.0001, 1000, 0, 0x1p-21},
                      {"sin.approx.f32 d, a;", sin, -3.14, 3.14, 0, 0x1p-20},
                      {"cos.approx.f32 d, a;", cos, -3.14, 3.14, 0, 0x1p-20},
                      {"rcp.approx.f32 d, a;", inverse, 0.001, 1000, 0x1p-23, 0},
                      {"sqrt.approx.f32 d, a;", sqrt, 0, 1e6, 0x1p-23, 0},
                      {"rsqrt.approx.f32 d, a;", inverse_root, 1e-6, 1e6, 0x1p-22, 0},
                      {"tanh.approx.f32 d, a;", tanh, -5, 5, 0x1p-11, 0},
                      {"ex2.approx.ftz.f32 d, a;", two_to, -125, 127, 0x1p-22, 0},
                      {"lg2.approx.ftz.f32 d, a;", log2, 0.5, 2, 0, 0x1p-22},
                      {"rcp.approx.ftz.f32 d, a;", inverse, -1e30, -1e20, 0x1p-23, 0},
                      {"div.full.f32 d, 0f3F800000, a;", inverse, 1e-30, 1e-20, 0x1p-22, 0},
                      {"div.approx.f32 d, 0f3F800000, a;", inverse, 1e10, 1e20, 0x1p-22, 0},
                      {"div.approx.ftz.f32 d, 0fBF800000, a;", minus_inverse, 0.1, 10, 0x1p-22, 0},
                      {"sin.approx.ftz.f32 d, a;", sin, -6.28, 6.28, 0, 0x1p-20}};

static void check_approximation(size_t row)
{
	enum {
		POINTS = 1000
	};
	uint64_t in[POINTS][3] = {{0}}, *got;
	size_t bad = 0;

	for (int i = 0; i < POINTS; i++) {
		float x =
		    (float)(approximations[row].low +
		            (approximations[row].high - approximations[row].low) * i / POINTS);
		memcpy(&in[i][0], &x, sizeof x);
	}
	got = apply(approximations[row].code, u32, u32, no, no, (const uint64_t(*)[3])in, POINTS);
	for (int i = 0; i < POINTS; i++) {
		double want =
		    approximations[row].expect((double)f32_of(in[i][0])) * (broken ? 1.01 : 1) +
		    (broken ? 0.01 : 0);
		double error = fabs((double)f32_of(got[i]) - want);
		bad += !(error <=
		         fabs(want) * approximations[row].relative + approximations[row].absolute);
	}
	judge(approximations[row].code, bad, POINTS, "");
	free(got);
}

/* --- Products of matrices ------------------------------------------------------------------------------ */

static const struct {
	const char *shape, *types; /* of d, a, b and c */
	int m, k, bits;            /* of an element of a and b */
	char of; /* its kind: f f16, b bf16, t f32 as tf32, 8 e4m3, d f64, s and u integers, x b1 */
	char to; /* of c and d: h f16, t f32, d f64, i s32 */
} products[] = {{"m16n8k8", "f16.f16.f16.f16", 16, 8, 16, 'f', 'h'},
                {"m16n8k8", "f32.f16.f16.f32", 16, 8, 16, 'f', 't'},
                {"m16n8k16", "f16.f16.f16.f16", 16, 16, 16, 'f', 'h'},
                {"m16n8k16", "f32.f16.f16.f32", 16, 16, 16, 'f', 't'},
                {"m16n8k8", "f32.bf16.bf16.f32", 16, 8, 16, 'b', 't'},
                {"m16n8k16", "f32.bf16.bf16.f32", 16, 16, 16, 'b', 't'},
                {"m16n8k4", "f32.tf32.tf32.f32", 16, 4, 32, 't', 't'},
                {"m16n8k8", "f32.tf32.tf32.f32", 16, 8, 32, 't', 't'},
                {"m16n8k32", "f32.e4m3.e4m3.f32", 16, 32, 8, '8', 't'},
                {"m8n8k4", "f64.f64.f64.f64", 8, 4, 64, 'd', 'd'},
                {"m16n8k4", "f64.f64.f64.f64", 16, 4, 64, 'd', 'd'},
                {"m16n8k16", "f64.f64.f64.f64", 16, 16, 64, 'd', 'd'},
                {"m8n8k16", "s32.s8.s8.s32", 8, 16, 8, 's', 'i'},
                {"m16n8k16", "s32.u8.u8.s32", 16, 16, 8, 'u', 'i'},
                {"m16n8k32", "s32.s8.s8.s32", 16, 32, 8, 's', 'i'},
                {"m8n8k32", "s32.s4.s4.s32", 8, 32, 4, 's', 'i'},
                {"m16n8k64", "s32.u4.u4.s32", 16, 64, 4, 'u', 'i'},
                {"m16n8k256", "s32.b1.b1.s32.and.popc", 16, 256, 1, 'x', 'i'}};

static uint64_t code_of(char kind, int x)
{
	switch (kind) {
	case 'f':
	case 'h':
		return encode(F16, of_integer(x), RN);
	case 'b':
		return encode(BF16, of_integer(x), RN);
	case 't':
		return encode(F32, of_integer(x), RN);
	case '8':
		return nearest_small((float)x, 1);
	case 'd':
		return encode(F64, of_integer(x), RN);
	default:
		return (uint64_t)(int64_t)x;
	}
}

/* Element i of the fragments of a lane, as the manual's figures have them. */
static void fragment(int lane, int i, int each, bool tall, int *row, int *column)
{
	int reg = i / each;

	*row = lane / 4 + (tall && reg % 2 ? 8 : 0);
	*column = lane % 4 * each + i % each + (tall ? reg / 2 : reg) * 4 * each;
}

static void check_product(size_t p)
{
	int m = products[p].m, k = products[p].k, bits = products[p].bits,
	    each = bits < 32 ? 32 / bits : 1;
	int wide = products[p].to == 'd' ? 64 : 32, c_each = products[p].to == 'h' ? 2 : 1;
	int a_count = m * k / 32 / each, b_count = k / 4 / each, c_count = m / 4 / c_each,
	    count = 0;
	int low_value = products[p].of == 'u' || products[p].of == 'x' ? 0 : -7,
	    range = products[p].of == 'x' ? 2 : 8;
	static int a[16][256], b[256][8], c[16][8];
	char text[4096], name[100], lists[4][200] = {"", "", "", ""};
	const int counts[4] = {c_count, a_count, b_count, c_count};
	uint64_t *in, *out;
	size_t used, bad = 0;
	run r;

	for (int i = 0; i < 256; i++)
		for (int j = 0; j < 16; j++)
			a[j][i] = low_value + (i * 7 + j * 5) % range;
	for (int i = 0; i < 256; i++)
		for (int j = 0; j < 8; j++)
			b[i][j] = low_value + (i * 3 + j * 11) % range;
	for (int i = 0; i < 16; i++)
		for (int j = 0; j < 8; j++)
			c[i][j] = i * 3 - j;
	used = (size_t)snprintf(
	    text, sizeof text,
	    ".version 8.4\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 in, "
	    ".param .u64 out) { .reg .b%d r<32>; .reg .b32 t; .reg .b64 x, y; mov.u32 t, %%tid.x; "
	    "ld.param.u64 x, [in]; ld.param.u64 y, [out]; mad.wide.u32 x, t, 256, x; mad.wide.u32 "
	    "y, t, 64, y;\n",
	    wide);
	for (int list = 0; list < 4; list++)
		for (int i = 0; i < counts[list]; i++, count++) {
			snprintf(lists[list] + strlen(lists[list]), 20, "%sr%d", i ? ", " : "",
			         count);
			if (list)
				used += (size_t)snprintf(text + used, sizeof text - used,
				                         "ld.global.b%d r%d, [x+%d];\n", wide,
				                         count, 8 * count);
		}
	snprintf(name, sizeof name, "mma.sync.aligned.%s.row.col.%s", products[p].shape,
	         products[p].types);
	used += (size_t)snprintf(text + used, sizeof text - used, "%s {%s}, {%s}, {%s}, {%s};\n",
	                         name, lists[0], lists[1], lists[2], lists[3]);
	for (int i = 0; i < c_count; i++)
		used += (size_t)snprintf(text + used, sizeof text - used,
		                         "st.global.b%d [y+%d], r%d;\n", wide, 8 * i, i);
	snprintf(text + used, sizeof text - used, "ret; }\n");
	run_open(&r, text);
	in = run_buffer(&r, 32 * 256);
	out = run_buffer(&r, 32 * 64);
	for (int lane = 0; lane < 32; lane++) {
		uint64_t *at = in + lane * 32 + c_count;
		int row, column;
		for (int i = 0; i < a_count * each; i++) {
			fragment(lane, i, each, m == 16, &row, &column);
			at[i / each] |= low(code_of(products[p].of, a[row][column]), bits)
			                << i % each * bits;
		}
		at += a_count;
		for (int i = 0; i < b_count * each; i++) {
			fragment(lane, i, each, false, &row, &column);
			at[i / each] |= low(code_of(products[p].of, b[column][row]), bits)
			                << i % each * bits;
		}
		at += b_count;
		for (int i = 0; i < c_count * c_each; i++)
			at[i / c_each] |=
			    low(code_of(products[p].to,
			                c[lane / 4 + i / 2 * 8][lane % 4 * 2 + i % 2]),
			        wide / c_each)
			    << i % c_each * 16;
	}
	r.params[0] = (uint64_t)(uintptr_t)in;
	r.params[1] = (uint64_t)(uintptr_t)out;
	if (run_kernel(&r, "k", 1, 32) != WEIR_PTX_DONE)
		fail("%s: %s", name, r.result.text);
	for (int lane = 0; lane < 32; lane++)
		for (int i = 0; i < c_count * c_each; i++) {
			int row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2,
			    sum = c[row][column];
			for (int n = 0; n < k; n++)
				sum += a[row][n] * b[n][column];
			bad +=
			    low(out[lane * 8 + i / c_each] >> i % c_each * 16, wide / c_each) !=
			    (low(code_of(products[p].to, sum), wide / c_each) ^ (uint64_t)broken);
		}
	judge(name, bad, (size_t)(m * 8), "");
	run_close(&r);
}

int main(int count, char **arguments)
{
	broken = count > 1 && !strcmp(arguments[1], "broken");
	check_integers();
	check_floats();
	check_conversions();
	for (size_t i = 0; i < sizeof approximations / sizeof *approximations; i++)
		check_approximation(i);
	for (size_t p = 0; p < sizeof products / sizeof *products; p++)
		check_product(p);
	printf("%u instructions, %u %s\n", rows, wrong,
	       broken ? "passed although their reference is wrong" : "wrong");
	return wrong != 0;
}
