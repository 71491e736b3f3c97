/* Fast Fourier transforms of complex floats, by Stockham's method: stages of radix 4 between two
 * buffers, and a last one of radix 2 if the logarithm of the length is odd.
 *
 *   size   the logarithm of the number of points, at least 2; transforms of that length, of at
 *          most 2^29 points together
 *   data   two buffers with the points of all transforms, one transform after the other; then
 *          exp(-2 pi i k / points) for k < points / 4. Even stages read the first buffer and write
 *          the second. A point is its real and its imaginary part. */
#ifndef WEIR_REAL_FFT_H
#define WEIR_REAL_FFT_H

#include "real.h"

/* A point is loaded and stored as a whole if the machine can. */
#if defined(__CUDACC__) || defined(__OPENCL_VERSION__)
typedef float2 fft_point;
#else
typedef struct fft_point {
	float x, y;
} fft_point;
#endif

WEIR_FN fft_point fft_add(fft_point a, fft_point b)
{
	a.x += b.x;
	a.y += b.y;
	return a;
}

WEIR_FN fft_point fft_subtract(fft_point a, fft_point b)
{
	a.x -= b.x;
	a.y -= b.y;
	return a;
}

WEIR_FN fft_point fft_multiply(fft_point a, fft_point b)
{
	fft_point product;

	product.x = a.x * b.x - a.y * b.y;
	product.y = a.x * b.y + a.y * b.x;
	return product;
}

/* -i a */
WEIR_FN fft_point fft_turn(fft_point a)
{
	fft_point turned;

	turned.x = a.y;
	turned.y = -a.x;
	return turned;
}

/* Splits each of `groups` interleaved transforms into four. */
WEIR_FN void fft_radix_4(WEIR_GLOBAL const fft_point *from, WEIR_GLOBAL fft_point *to,
                         WEIR_GLOBAL const fft_point *factors, uint32_t log_points, uint32_t count,
                         uint32_t groups)
{
	uint32_t quarter = 1u << (log_points - 2);

	for (uint32_t i = real_thread(); i < count * quarter; i += real_threads()) {
		uint32_t within = i & (quarter - 1);
		uint32_t first = 4 * (i - within); /* of this transform */
		uint32_t group = within & (groups - 1);
		WEIR_GLOBAL const fft_point *in = from + first + within;
		WEIR_GLOBAL fft_point *out = to + first + 4 * (within - group) + group;
		fft_point a = in[0];
		fft_point b = in[quarter];
		fft_point c = in[2 * quarter];
		fft_point d = in[3 * quarter];
		fft_point factor = factors[within - group];
		fft_point square = fft_multiply(factor, factor);
		fft_point cube = fft_multiply(square, factor);
		fft_point even = fft_add(a, c);
		fft_point odd = fft_add(b, d);
		fft_point even_difference = fft_subtract(a, c);
		fft_point odd_difference = fft_turn(fft_subtract(b, d));

		out[0] = fft_add(even, odd);
		out[groups] = fft_multiply(factor, fft_add(even_difference, odd_difference));
		out[2 * groups] = fft_multiply(square, fft_subtract(even, odd));
		out[3 * groups] = fft_multiply(cube, fft_subtract(even_difference, odd_difference));
	}
}

/* The last stage: all factors are 1. */
WEIR_FN void fft_radix_2(WEIR_GLOBAL const fft_point *from, WEIR_GLOBAL fft_point *to,
                         uint32_t log_points, uint32_t count)
{
	uint32_t middle = 1u << (log_points - 1);

	for (uint32_t i = real_thread(); i < count * middle; i += real_threads()) {
		uint32_t within = i & (middle - 1);
		uint32_t at = 2 * (i - within) + within;
		fft_point a = from[at];
		fft_point b = from[at + middle];

		to[at] = fft_add(a, b);
		to[at + middle] = fft_subtract(a, b);
	}
}

WEIR_FN void fft_stage(WEIR_GLOBAL uint32_t *data, uint32_t log_points, uint32_t count,
                       uint32_t stage)
{
	WEIR_GLOBAL fft_point *points = (WEIR_GLOBAL fft_point *)data;
	uint32_t length = count << log_points;
	WEIR_GLOBAL const fft_point *from = points + (stage % 2) * length;
	WEIR_GLOBAL fft_point *to = points + (1 - stage % 2) * length;

	if (2 * stage + 1 < log_points)
		fft_radix_4(from, to, points + 2 * length, log_points, count, 1u << (2 * stage));
	else
		fft_radix_2(from, to, log_points, count);
}

WEIR_KERNEL(fft, real_params)
{
	REAL_BARRIER(words, params);

	for (uint32_t stage = 0; stage < (params.size[0] + 1) / 2; stage++) {
		fft_stage(data, params.size[0], params.size[1], stage);
		REAL_MEET(); /* the next stage reads what other blocks wrote */
	}
}

WEIR_KERNEL(fft_once, real_params)
{
	(void)words;
	REAL_PART();
	fft_stage(data, params.size[0], params.size[1], params.part);
}

#endif
