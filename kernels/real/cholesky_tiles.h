/* What a block does with tiles of CHOLESKY_TILE x CHOLESKY_TILE floats, stored column by column.
 *
 *   cholesky_factor   stores L in the lower triangle of a tile a, where L * L^T = a. The upper
 *                     triangle has no meaning afterwards
 *   cholesky_solve    stores the x with x * L^T = a in the tile a
 *   cholesky_update   subtracts a * b^T from the tile c
 *
 * All threads of the block call them. A weir_block_sync must precede a function on another tile, and
 * the reading of a result by others: that of weir_tasks_block_next or of a barrier. */
#ifndef WEIR_REAL_CHOLESKY_TILES_H
#define WEIR_REAL_CHOLESKY_TILES_H

#include "real.h"
#include "sizes.h"

#ifdef __CUDACC__

/* Blocks of CHOLESKY_THREADS threads. A thread has 8 x 8 elements of a tile: rows 4r to 4r + 3 and
 * the same rows plus 64, where r is cholesky_row(), and 8 columns. A warp has 8 values of r and 4
 * of cholesky_column(), so that it reads and writes whole lines. */
#define CHOLESKY_STEP 16  /* columns of a and b in shared memory at once */
#define CHOLESKY_PANEL 32 /* columns eliminated at once */
#define CHOLESKY_QUADS (CHOLESKY_TILE / 4)

WEIR_FN uint32_t cholesky_row(void)
{
	return threadIdx.x % 8 + threadIdx.x / 32 % 2 * 8;
}

WEIR_FN uint32_t cholesky_column(void)
{
	return threadIdx.x % 32 / 8 + threadIdx.x / 64 * 4;
}

/* Two steps of a and of b; or two panels. */
WEIR_FN float *cholesky_shared(void)
{
	__shared__ __align__(16) float shared[4 * CHOLESKY_STEP * CHOLESKY_TILE];

	return shared;
}

/* 1 / the diagonal elements of a panel. */
WEIR_FN float *cholesky_inverses(void)
{
	__shared__ float inverses[CHOLESKY_PANEL];

	return inverses;
}

/* The thread's 8 elements of a column. */
WEIR_FN void cholesky_load(float part[8], const float *column)
{
	const float4 *from = (const float4 *)column + cholesky_row();
	float4 low = from[0], high = from[CHOLESKY_QUADS / 2];

	part[0] = low.x;
	part[1] = low.y;
	part[2] = low.z;
	part[3] = low.w;
	part[4] = high.x;
	part[5] = high.y;
	part[6] = high.z;
	part[7] = high.w;
}

WEIR_FN void cholesky_store(float *column, const float part[8])
{
	float4 *to = (float4 *)column + cholesky_row();

	to[0] = make_float4(part[0], part[1], part[2], part[3]);
	to[CHOLESKY_QUADS / 2] = make_float4(part[4], part[5], part[6], part[7]);
}

/* ---- c -= a * b^T: the thread has columns 4 * cholesky_column() to + 3, and those + 64 ---- */

WEIR_FN void cholesky_multiply(float part[8][8], const float *a, const float *b)
{
#pragma unroll 8
	for (uint32_t k = 0; k < CHOLESKY_STEP; k++) {
		const float4 *row = (const float4 *)(b + k * CHOLESKY_TILE) + cholesky_column();
		float4 low = row[0], high = row[CHOLESKY_QUADS / 2];
		float right[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
		float left[8];

		cholesky_load(left, a + k * CHOLESKY_TILE);
#pragma unroll
		for (uint32_t i = 0; i < 8; i++) {
#pragma unroll
			for (uint32_t j = 0; j < 8; j++)
				part[i][j] -= left[j] * right[i];
		}
	}
}

WEIR_FN float *cholesky_own_column(float *c, uint32_t i)
{
	return c + (i / 4 * (CHOLESKY_TILE / 2) + 4 * cholesky_column() + i % 4) * CHOLESKY_TILE;
}

/* A step has 2 quads of a for each thread, and 2 of b. */
#define CHOLESKY_STEP_QUADS (CHOLESKY_STEP * CHOLESKY_QUADS)

WEIR_FN void cholesky_fetch(float4 next[4], const float *a, const float *b, uint32_t step)
{
	const float4 *left = (const float4 *)a + step * CHOLESKY_STEP_QUADS + threadIdx.x;
	const float4 *right = (const float4 *)b + step * CHOLESKY_STEP_QUADS + threadIdx.x;

	next[0] = left[0];
	next[1] = left[CHOLESKY_STEP_QUADS / 2];
	next[2] = right[0];
	next[3] = right[CHOLESKY_STEP_QUADS / 2];
}

WEIR_FN void cholesky_share(float4 next[4], uint32_t step)
{
	float4 *shared = (float4 *)cholesky_shared() + step % 2 * 2 * CHOLESKY_STEP_QUADS;

#pragma unroll
	for (uint32_t i = 0; i < 4; i++)
		shared[threadIdx.x + i * (CHOLESKY_STEP_QUADS / 2)] = next[i];
}

WEIR_FN void cholesky_update(float *c, const float *a, const float *b)
{
	const uint32_t steps = CHOLESKY_TILE / CHOLESKY_STEP;
	float part[8][8];
	float4 next[4];

	cholesky_fetch(next, a, b, 0);
#pragma unroll
	for (uint32_t i = 0; i < 8; i++)
		cholesky_load(part[i], cholesky_own_column(c, i));
	cholesky_share(next, 0);
	__syncthreads();
#pragma unroll 1
	for (uint32_t step = 0; step < steps; step++) {
		float *shared = cholesky_shared() + step % 2 * 2 * CHOLESKY_STEP * CHOLESKY_TILE;

		if (step + 1 < steps)
			cholesky_fetch(next, a, b, step + 1);
		cholesky_multiply(part, shared, shared + CHOLESKY_STEP * CHOLESKY_TILE);
		if (step + 1 < steps)
			cholesky_share(next, step + 1);
		__syncthreads();
	}
#pragma unroll
	for (uint32_t i = 0; i < 8; i++)
		cholesky_store(cholesky_own_column(c, i), part[i]);
}

/* ---- x * L^T = a, panel by panel; factoring a tile is the same with the L it computes ----
 *
 * The first half of shared memory has a panel of x, the second half the same columns of L. A thread
 * has columns cholesky_column() + 16 * i: as many of each panel as any other. */

/* Finds L for the 32 x 32 elements on the diagonal. One warp, with a row for each lane. */
WEIR_FN void cholesky_factor_panel(float *panel)
{
	uint32_t lane = threadIdx.x;
	float x[CHOLESKY_PANEL];
	float square;

#pragma unroll
	for (uint32_t i = 0; i < CHOLESKY_PANEL; i++)
		x[i] = panel[i * CHOLESKY_TILE + lane];
	square = __shfl_sync(0xffffffffu, x[0], 0);
#pragma unroll
	for (uint32_t i = 0; i < CHOLESKY_PANEL; i++) {
		float *column = panel + i * CHOLESKY_TILE;
		float inverse = rsqrtf(square);

		x[i] *= inverse;
		column[lane] = x[i];
		if (lane == i)
			cholesky_inverses()[i] = inverse;
		/* The next column first, because everything after depends on it. */
		if (i + 1 < CHOLESKY_PANEL)
			square = __shfl_sync(0xffffffffu, x[(i + 1) % CHOLESKY_PANEL] - x[i] * x[i],
			                     (int)i + 1);
		__syncwarp();
#pragma unroll
		for (uint32_t j = i + 1; j < CHOLESKY_PANEL; j++)
			x[j] -= x[i] * column[j];
	}
}

/* One thread solves a row of the panel of x. `diagonal` is L's panel from its diagonal on. */
WEIR_FN void cholesky_solve_row(float *panel, const float *diagonal, uint32_t row)
{
	float x[CHOLESKY_PANEL];

#pragma unroll
	for (uint32_t i = 0; i < CHOLESKY_PANEL; i++)
		x[i] = panel[i * CHOLESKY_TILE + row];
#pragma unroll
	for (uint32_t i = 0; i < CHOLESKY_PANEL; i++) {
		x[i] *= cholesky_inverses()[i];
#pragma unroll
		for (uint32_t j = i + 1; j < CHOLESKY_PANEL; j++)
			x[j] -= x[i] * diagonal[i * CHOLESKY_TILE + j];
	}
#pragma unroll
	for (uint32_t i = 0; i < CHOLESKY_PANEL; i++)
		panel[i * CHOLESKY_TILE + row] = x[i];
}

/* Subtracts the panel from the thread's next `count` columns, in its elements from `first` on.
 * `below` is the panel of L, starting at the row of these columns. */
WEIR_FN void cholesky_take_panel(float part[8][8], const float *panel, const float *below,
                                 uint32_t count, uint32_t first)
{
#pragma unroll 4
	for (uint32_t k = 0; k < CHOLESKY_PANEL; k++) {
		float left[8];

		cholesky_load(left, panel + k * CHOLESKY_TILE);
#pragma unroll
		for (uint32_t i = 0; i < count; i++) {
			float right = below[k * CHOLESKY_TILE + cholesky_column() + 16 * i];
#pragma unroll
			for (uint32_t j = first; j < 8; j++)
				part[2 + i][j] -= left[j] * right;
		}
	}
}

/* The same for all columns after panel `number`. A tile that is factored only needs rows below the
 * panel: from the second panel on, those in the lower half. */
WEIR_FN void cholesky_take(float part[8][8], const float *panel, const float *below,
                           uint32_t number, int is_factored)
{
	if (number == 0)
		cholesky_take_panel(part, panel, below, 6, 0);
	else if (number == 1 && is_factored)
		cholesky_take_panel(part, panel, below, 4, 4);
	else if (number == 1)
		cholesky_take_panel(part, panel, below, 4, 0);
	else if (number == 2 && is_factored)
		cholesky_take_panel(part, panel, below, 2, 4);
	else if (number == 2)
		cholesky_take_panel(part, panel, below, 2, 0);
#pragma unroll
	for (uint32_t i = 0; i < 6; i++) {
#pragma unroll
		for (uint32_t j = 0; j < 8; j++)
			part[i][j] = part[i + 2][j];
	}
}

/* A panel has 4 quads for each thread. */
WEIR_FN void cholesky_get_panel(float4 quads[4], const float *from)
{
#pragma unroll
	for (uint32_t i = 0; i < 4; i++)
		quads[i] = ((const float4 *)from)[threadIdx.x + CHOLESKY_THREADS * i];
}

WEIR_FN void cholesky_put_panel(float *to, const float4 quads[4])
{
#pragma unroll
	for (uint32_t i = 0; i < 4; i++)
		((float4 *)to)[threadIdx.x + CHOLESKY_THREADS * i] = quads[i];
}

/* Eliminates panel `number`, which is in shared memory. */
WEIR_FN void cholesky_eliminate_panel(uint32_t number, int is_factored)
{
	float *panel = cholesky_shared();
	float *diagonal =
	    panel + (is_factored ? 0 : CHOLESKY_PANEL * CHOLESKY_TILE) + number * CHOLESKY_PANEL;

	__syncthreads();
	if (threadIdx.x < CHOLESKY_PANEL) {
		if (is_factored)
			cholesky_factor_panel(diagonal);
		else
			cholesky_inverses()[threadIdx.x] =
			    1.0f / diagonal[threadIdx.x * (CHOLESKY_TILE + 1)];
	}
	__syncthreads();
	if (threadIdx.x < CHOLESKY_TILE &&
	    (!is_factored || threadIdx.x >= (number + 1) * CHOLESKY_PANEL))
		cholesky_solve_row(panel, diagonal, threadIdx.x);
	__syncthreads();
}

WEIR_FN void cholesky_eliminate(float *a, const float *l, int is_factored)
{
	const uint32_t size = CHOLESKY_PANEL * CHOLESKY_TILE;
	float *panel = cholesky_shared(), *other = panel + (is_factored ? 0 : size);
	float part[8][8];
	float4 quads[4];

	if (!is_factored)
		cholesky_get_panel(quads, l);
#pragma unroll
	for (uint32_t i = 0; i < 8; i++)
		cholesky_load(part[i], a + (cholesky_column() + 16 * i) * CHOLESKY_TILE);
#pragma unroll 1
	for (uint32_t number = 0; number < CHOLESKY_TILE / CHOLESKY_PANEL; number++) {
		if (!is_factored)
			cholesky_put_panel(other, quads);
		cholesky_store(panel + cholesky_column() * CHOLESKY_TILE, part[0]);
		cholesky_store(panel + (cholesky_column() + 16) * CHOLESKY_TILE, part[1]);
		cholesky_eliminate_panel(number, is_factored);
		cholesky_get_panel(quads, panel);
		cholesky_put_panel(a + number * size, quads);
		if (!is_factored && number < 3) /* it arrives while the threads compute */
			cholesky_get_panel(quads, l + (number + 1) * size);
		cholesky_take(part, panel, other + (number + 1) * CHOLESKY_PANEL, number,
		              is_factored);
		__syncthreads();
	}
}

WEIR_FN void cholesky_factor(float *a)
{
	cholesky_eliminate(a, a, 1);
}

WEIR_FN void cholesky_solve(float *a, const float *l)
{
	cholesky_eliminate(a, l, 0);
}

#else

#if defined(__OPENCL_VERSION__)
#define cholesky_sqrt sqrt
#elif defined(WEIR_MACHINE_HIP_H)
#define cholesky_sqrt __builtin_sqrtf
#else
#include <math.h>
#define cholesky_sqrt sqrtf
#endif

/* The threads divide the rows or the columns of a tile. One thread factors. */

WEIR_FN void cholesky_solve_row(WEIR_GLOBAL float *a, WEIR_GLOBAL const float *l, uint32_t row,
                                uint32_t columns)
{
	for (uint32_t i = 0; i < columns; i++) {
		float x = a[i * CHOLESKY_TILE + row];

		for (uint32_t k = 0; k < i; k++)
			x -= a[k * CHOLESKY_TILE + row] * l[k * CHOLESKY_TILE + i];
		a[i * CHOLESKY_TILE + row] = x / l[i * CHOLESKY_TILE + i];
	}
}

WEIR_FN void cholesky_factor(WEIR_GLOBAL float *a)
{
	for (uint32_t row = 0; weir_thread_id() == 0 && row < CHOLESKY_TILE; row++) {
		float square = a[row * CHOLESKY_TILE + row];

		cholesky_solve_row(a, a, row, row);
		for (uint32_t k = 0; k < row; k++)
			square -= a[k * CHOLESKY_TILE + row] * a[k * CHOLESKY_TILE + row];
		a[row * CHOLESKY_TILE + row] = cholesky_sqrt(square);
	}
}

WEIR_FN void cholesky_solve(WEIR_GLOBAL float *a, WEIR_GLOBAL const float *l)
{
	for (uint32_t row = weir_thread_id(); row < CHOLESKY_TILE; row += weir_thread_count())
		cholesky_solve_row(a, l, row, CHOLESKY_TILE);
}

WEIR_FN void cholesky_update(WEIR_GLOBAL float *c, WEIR_GLOBAL const float *a,
                             WEIR_GLOBAL const float *b)
{
	for (uint32_t i = weir_thread_id(); i < CHOLESKY_TILE; i += weir_thread_count()) {
		for (uint32_t k = 0; k < CHOLESKY_TILE; k++) {
			float right = b[k * CHOLESKY_TILE + i];

			for (uint32_t row = 0; row < CHOLESKY_TILE; row++)
				c[i * CHOLESKY_TILE + row] -= a[k * CHOLESKY_TILE + row] * right;
		}
	}
}

#endif

#endif
