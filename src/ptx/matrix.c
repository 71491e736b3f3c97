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
	double a[16][MOST_K], b[8][MOST_K], c[16][8]; /* b is transposed */
} tiles;

static void gather(const ptx_mma *mma, weir_ptx_thread *const lane[PTX_WARP], tiles *t)
{
	unsigned each_a = in_register(mma->a), each_b = in_register(mma->b),
		 each_c = in_register(mma->c);

	for (unsigned l = 0; l < PTX_WARP; l++) {
		const uint64_t *f = lane[l]->frame;
		const uint16_t *in = lane[l]->waiting->input + 4;
		for (unsigned i = 0; i < mma->a_count * each_a; i++) {
			spot s = spot_of(l, i / each_a, i % each_a, each_a, mma->m == 16);
			unsigned bits = weir_ptx_types[mma->a].bits;
			t->a[s.row][s.k] = value_of(
			    mma->a, f[in[i / each_a]] >> (i % each_a * bits) & ptx_low(bits));
		}
		in += mma->a_count;
		for (unsigned i = 0; i < mma->b_count * each_b; i++) {
			spot s = spot_of(l, i / each_b, i % each_b, each_b, false);
			unsigned bits = weir_ptx_types[mma->b].bits;
			t->b[s.row][s.k] = value_of(
			    mma->b, f[in[i / each_b]] >> (i % each_b * bits) & ptx_low(bits));
		}
		in += mma->b_count;
		for (unsigned i = 0; i < mma->m / 4u; i++) {
			unsigned bits = weir_ptx_types[mma->c].bits;
			t->c[l / 4 + i / 2 * 8][l % 4 * 2 + i % 2] = value_of(
			    mma->c, f[in[i / each_c]] >> (i % each_c * bits) & ptx_low(bits));
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
		for (unsigned i = 0; i < mma->m / 4u; i++)
			results[l][i / each] |=
			    element(mma, &t, l / 4 + i / 2 * 8, l % 4 * 2 + i % 2)
			    << (i % each * bits % 64);
	}
}
