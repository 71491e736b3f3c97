/* Multiplication of small matrices by a warp. */
#include "ptx/machine.h"

#define MOST_K 256

/* Where the manual's fragments have an element: register i of lane `lane`, element e of that register. */
typedef struct spot {
	unsigned row, k;
} spot;

static unsigned in_register(ptx_type type)
{
	return weir_ptx_types[type].bits < 32 ? 32u / weir_ptx_types[type].bits : 1;
}

/* Rows alternate between the upper and the lower half of a matrix of 16 rows. */
static spot spot_of(unsigned lane, unsigned i, unsigned e, unsigned each, bool tall)
{
	unsigned column = tall ? i >> 1 : i;

	return (spot){lane / 4 + (tall ? (i & 1) * 8 : 0), lane % 4 * each + e + column * 4 * each};
}

static double value_of(ptx_type type, uint64_t bits)
{
	switch (type) {
	case PTX_F16:
		return ptx_from_f16((uint16_t)bits);
	case PTX_BF16:
		return ptx_from_bf16((uint16_t)bits);
	case PTX_TF32: /* the lower bits of a tf32 are ignored */
		return ptx_f32((uint32_t)bits & 0xffffe000);
	case PTX_E4M3:
	case PTX_E5M2:
		return weir_ptx_from_small((uint8_t)bits, type);
	case PTX_F32:
		return ptx_f32((uint32_t)bits);
	case PTX_F64:
		return ptx_f64(bits);
	case PTX_S8:
		return (int8_t)bits;
	case PTX_S4:
		return (int8_t)(bits << 4) >> 4;
	case PTX_S32:
		return (int32_t)bits;
	default:
		return (double)bits;
	}
}

static uint64_t bits_of(ptx_type type, double x)
{
	switch (type) {
	case PTX_F16:
		return weir_ptx_to_f16(x, PTX_RN);
	case PTX_F32:
		return ptx_f32_bits(ptx_canonical((float)x));
	default:
		return ptx_f64_bits(x);
	}
}

typedef struct tiles {
	double a[32][MOST_K], b[32][MOST_K], c[32][32]; /* b is transposed */
} tiles;

static uint64_t part_of(const uint64_t *f, const uint16_t *in, ptx_type type, unsigned i)
{
	unsigned each = in_register(type), bits = weir_ptx_types[type].bits;

	return f[in[i / each]] >> (i % each * bits) & ptx_low(bits);
}

/* Where element i of a lane's accumulators is. */
static spot place_of(const ptx_mma *mma, unsigned lane, unsigned i)
{
	unsigned all = mma->m * mma->n / PTX_WARP;

	if (mma->linear)
		return (spot){(lane * all + i) / mma->n, (lane * all + i) % mma->n};
	return (spot){lane / 4 + i / 2 * 8, lane % 4 * 2 + i % 2};
}

static void gather_linear(const ptx_mma *mma, unsigned lane, const uint64_t *f, const uint16_t *in,
                          tiles *t)
{
	unsigned a = mma->m * mma->k / PTX_WARP, b = mma->k * mma->n / PTX_WARP;

	for (unsigned i = 0; i < a; i++)
		t->a[(lane * a + i) / mma->k][(lane * a + i) % mma->k] =
		    value_of(mma->a, part_of(f, in, mma->a, i));
	in += mma->a_count;
	for (unsigned i = 0; i < b; i++)
		t->b[(lane * b + i) % mma->n][(lane * b + i) / mma->n] =
		    value_of(mma->b, part_of(f, in, mma->b, i));
}

static void gather_fragments(const ptx_mma *mma, unsigned lane, const uint64_t *f,
                             const uint16_t *in, tiles *t)
{
	unsigned each_a = in_register(mma->a), each_b = in_register(mma->b);

	for (unsigned i = 0; i < mma->a_count * each_a; i++) {
		spot s = spot_of(lane, i / each_a, i % each_a, each_a, mma->m == 16);
		t->a[s.row][s.k] = value_of(mma->a, part_of(f, in, mma->a, i));
	}
	in += mma->a_count;
	for (unsigned i = 0; i < mma->b_count * each_b; i++) {
		spot s = spot_of(lane, i / each_b, i % each_b, each_b, false);
		t->b[s.row][s.k] = value_of(mma->b, part_of(f, in, mma->b, i));
	}
}

static void gather(const ptx_mma *mma, weir_ptx_thread *const lane[PTX_WARP], tiles *t)
{
	for (unsigned l = 0; l < PTX_WARP; l++) {
		const uint64_t *f = lane[l]->frame;
		const uint16_t *in = lane[l]->waiting->input + 4;
		(mma->linear ? gather_linear : gather_fragments)(mma, l, f, in, t);
		in += mma->a_count + mma->b_count;
		for (unsigned i = 0; i < mma->m * mma->n / PTX_WARP; i++) {
			spot s = place_of(mma, l, i);
			t->c[s.row][s.k] = value_of(mma->c, part_of(f, in, mma->c, i));
		}
	}
}

/* Integers are exact in a double, and so are the products of narrow floats. */
static uint64_t element(const ptx_mma *mma, const tiles *t, unsigned row, unsigned column)
{
	double sum = mma->a == PTX_F64 ? t->c[row][column] : 0, total;

	for (unsigned k = 0; k < mma->k; k++) {
		double a = t->a[row][k], b = t->b[column][k];
		if (mma->a == PTX_F64)
			sum = fma(a, b, sum);
		else if (mma->bits_op)
			sum += mma->bits_op == 'x' ? a != b : a * b;
		else
			sum += a * b;
	}
	if (mma->a == PTX_F64)
		return bits_of(PTX_F64, sum);
	total = sum + t->c[row][column];
	if (mma->d != PTX_S32)
		return bits_of(mma->d, total);
	if (mma->saturates)
		total = total > INT32_MAX ? INT32_MAX : total < INT32_MIN ? INT32_MIN : total;
	return (uint32_t)(int64_t)total;
}

void weir_ptx_multiply(const ptx_mma *mma, weir_ptx_thread *const lane[PTX_WARP],
                       uint64_t (*results)[PTX_LANE_RESULTS])
{
	unsigned each = in_register(mma->d), bits = weir_ptx_types[mma->d].bits;
	tiles t;

	gather(mma, lane, &t);
	for (unsigned l = 0; l < PTX_WARP; l++) {
		for (unsigned i = 0; i < PTX_LANE_RESULTS; i++)
			results[l][i] = 0;
		for (unsigned i = 0; i < mma->m * mma->n / PTX_WARP; i++) {
			spot s = place_of(mma, l, i);
			results[l][i / each] |= element(mma, &t, s.row, s.k)
			                        << (i % each * bits % 64);
		}
	}
}
