/* Conjugate gradients: solves A x = b, like the CUDA sample conjugateGradientMultiBlockCG. An
 * iteration has three meetings: after q = A p with the product p.q, after the new x and r with the
 * square r.r, and after the new p.
 *
 *   size   the matrix: 0 (-1 2 -1 on three diagonals) or 1 (Poisson's on a square grid, five
 *          points); unknowns; iterations; the grid's side, for matrix 1
 *   data   floats: the vectors b, x, r, p and q; a partial sum for each of GRADIENT_BLOCKS blocks
 *          of p.q, then of r.r after even and after odd counts of iterations; a float for each of
 *          GRADIENT_THREADS threads, which CUDA does not use
 *
 * Grids have at most GRADIENT_BLOCKS blocks and GRADIENT_THREADS threads. Each block stores its part
 * of a product in its own slot. After the meeting every block adds up all slots in the same order,
 * so that all blocks get the same bits, even in different runs. */
#ifndef WEIR_REAL_GRADIENT_H
#define WEIR_REAL_GRADIENT_H

#include "real.h"

#define GRADIENT_BLOCKS 4096u
#define GRADIENT_THREADS (1u << 20)

typedef struct gradient_system {
	uint32_t matrix, unknowns, side;
	WEIR_GLOBAL const float *b;
	WEIR_GLOBAL float *x;
	WEIR_GLOBAL float *r;
	WEIR_GLOBAL float *p;
	WEIR_GLOBAL float *q;
	WEIR_GLOBAL float *products; /* p.q */
	WEIR_GLOBAL float *squares;  /* r.r, even counts, then odd */
	WEIR_GLOBAL float *scratch;
} gradient_system;

WEIR_FN gradient_system gradient_make(WEIR_GLOBAL uint32_t *data, real_params params)
{
	gradient_system s;

	s.matrix = params.size[0];
	s.unknowns = params.size[1];
	s.side = params.size[3];
	s.b = (WEIR_GLOBAL const float *)data;
	s.x = (WEIR_GLOBAL float *)data + s.unknowns;
	s.r = s.x + s.unknowns;
	s.p = s.r + s.unknowns;
	s.q = s.p + s.unknowns;
	s.products = s.q + s.unknowns;
	s.squares = s.products + GRADIENT_BLOCKS;
	s.scratch = s.squares + 2 * GRADIENT_BLOCKS;
	return s;
}

/* The slots of r.r after `count` iterations. */
WEIR_FN WEIR_GLOBAL float *gradient_squares(gradient_system s, uint32_t count)
{
	return s.squares + (count % 2) * GRADIENT_BLOCKS;
}

/* A thread's share of a product, by Kahan's summation: `lost` is the excess added by rounding. The
 * sample uses doubles, which not every machine has. */
typedef struct gradient_share {
	float sum, lost;
} gradient_share;

WEIR_FN gradient_share gradient_no_share(void)
{
	gradient_share share;

	share.sum = 0;
	share.lost = 0;
	return share;
}

WEIR_FN gradient_share gradient_add(gradient_share share, float value)
{
	float wanted = value - share.lost;
	float sum = share.sum + wanted;

	share.lost = (sum - share.sum) - wanted;
	share.sum = sum;
	return share;
}

/* All threads call it, with their shares. */
WEIR_FN void gradient_store(gradient_system s, WEIR_GLOBAL float *slots, gradient_share share)
{
	float sum = real_block_sum(share.sum, s.scratch);

	if (weir_thread_id() == 0)
		slots[weir_block_id()] = sum;
}

/* The sum over all blocks, returned to every thread. On CUDA each warp adds up all slots, so that
 * the warps need not wait for each other. */
#ifdef __CUDACC__
WEIR_FN float gradient_total(const float *slots)
{
	float sum = 0;

	for (uint32_t i = weir_thread_id() % 32; i < weir_block_count(); i += 32)
		sum += slots[i];
	for (uint32_t lanes = 16; lanes != 0; lanes /= 2)
		sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
	return sum;
}
#else
WEIR_FN float gradient_total(WEIR_GLOBAL const float *slots)
{
	float sum = 0;

	for (uint32_t i = 0; i < weir_block_count(); i++)
		sum += slots[i];
	return sum;
}
#endif

/* x = 0, r = p = b; returns the share of r.r. */
WEIR_FN gradient_share gradient_start(gradient_system s)
{
	gradient_share share = gradient_no_share();

	for (uint32_t i = real_thread(); i < s.unknowns; i += real_threads()) {
		float b = s.b[i];

		s.x[i] = 0;
		s.r[i] = b;
		s.p[i] = b;
		share = gradient_add(share, b * b);
	}
	return share;
}

/* q = A p; returns the share of p.q. */
WEIR_FN gradient_share gradient_multiply(gradient_system s)
{
	WEIR_GLOBAL const float *p = s.p;
	gradient_share share = gradient_no_share();

	if (s.matrix == 0) {
		for (uint32_t i = real_thread(); i < s.unknowns; i += real_threads()) {
			float left = i > 0 ? p[i - 1] : 0;
			float right = i + 1 < s.unknowns ? p[i + 1] : 0;
			float here = p[i];
			float q = 2 * here - (left + right);

			s.q[i] = q;
			share = gradient_add(share, here * q);
		}
	} else {
		for (uint32_t i = real_thread(); i < s.unknowns; i += real_threads()) {
			uint32_t column = i % s.side;
			float left = column > 0 ? p[i - 1] : 0;
			float right = column + 1 < s.side ? p[i + 1] : 0;
			float up = i >= s.side ? p[i - s.side] : 0;
			float down = i + s.side < s.unknowns ? p[i + s.side] : 0;
			float here = p[i];
			float q = 4 * here - ((left + right) + (up + down));

			s.q[i] = q;
			share = gradient_add(share, here * q);
		}
	}
	return share;
}

/* x += alpha p, r -= alpha q; returns the share of r.r. */
WEIR_FN gradient_share gradient_advance(gradient_system s, float alpha)
{
	gradient_share share = gradient_no_share();

	for (uint32_t i = real_thread(); i < s.unknowns; i += real_threads()) {
		float x = s.x[i] + alpha * s.p[i];
		float r = s.r[i] - alpha * s.q[i];

		s.x[i] = x;
		s.r[i] = r;
		share = gradient_add(share, r * r);
	}
	return share;
}

/* p = r + beta p. */
WEIR_FN void gradient_turn(gradient_system s, float beta)
{
	for (uint32_t i = real_thread(); i < s.unknowns; i += real_threads())
		s.p[i] = s.r[i] + beta * s.p[i];
}

/* The work of a part, up to the sum over the block. Recomputes r.r, which the kernel with one
 * launch keeps in a register. */
WEIR_FN gradient_share gradient_work(gradient_system s, uint32_t part)
{
	uint32_t count;
	float square;

	if (part == 0)
		return gradient_start(s);
	if (part % 3 == 1)
		return gradient_multiply(s);
	count = (part - 1) / 3;
	square = gradient_total(gradient_squares(s, count));
	if (part % 3 == 2)
		return gradient_advance(s, square / gradient_total(s.products));
	gradient_turn(s, gradient_total(gradient_squares(s, count + 1)) / square);
	return gradient_no_share();
}

/* The destination of a part's sums. A part that updates p has none, and needs no p.q. */
WEIR_FN WEIR_GLOBAL float *gradient_slots(gradient_system s, uint32_t part)
{
	if (part == 0 || part % 3 == 2)
		return gradient_squares(s, (part + 1) / 3);
	return s.products;
}

#ifdef __OPENCL_VERSION__
/* One sum and one meeting in the source: with several, PoCL compiles for minutes. */
WEIR_KERNEL(gradient, real_params)
{
	REAL_BARRIER(words, params);
	gradient_system s = gradient_make(data, params);

	for (uint32_t part = 0; part < 1 + 3 * params.size[2]; part++) {
		gradient_share share = gradient_work(s, part);
		gradient_store(s, gradient_slots(s, part), share);
		REAL_MEET(); /* each part reads what all blocks wrote in the previous part */
	}
}
#else
WEIR_KERNEL(gradient, real_params)
{
	REAL_BARRIER(words, params);
	gradient_system s = gradient_make(data, params);
	float square;

	gradient_store(s, gradient_squares(s, 0), gradient_start(s));
	REAL_MEET(); /* p and all parts of r.r have been written */
	square = gradient_total(gradient_squares(s, 0));
	for (uint32_t count = 0; count < params.size[2]; count++) {
		float alpha, next;

		gradient_store(s, s.products, gradient_multiply(s));
		REAL_MEET(); /* all parts of p.q have been written */
		alpha = square / gradient_total(s.products);
		gradient_store(s, gradient_squares(s, count + 1), gradient_advance(s, alpha));
		REAL_MEET(); /* all parts of r.r have been written */
		next = gradient_total(gradient_squares(s, count + 1));
		gradient_turn(s, next / square);
		square = next;
		REAL_MEET(); /* no block reads a p that is still being written */
	}
}
#endif

WEIR_KERNEL(gradient_once, real_params)
{
	gradient_system s = gradient_make(data, params);
	gradient_share share;

	(void)words;
	REAL_PART();
	share = gradient_work(s, params.part);
	if (params.part == 0 || params.part % 3 != 0)
		gradient_store(s, gradient_slots(s, params.part), share);
}

#endif
