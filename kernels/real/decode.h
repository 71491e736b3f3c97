/* The token of decode_parts.h with a meeting after each part. */
#ifndef WEIR_REAL_DECODE_H
#define WEIR_REAL_DECODE_H

#include "decode_parts.h"

#ifdef __CUDACC__
extern "C" __global__ void __launch_bounds__(DECODE_THREADS)
    decode(weir_word *words, uint32_t *data, real_params params);
extern "C" __global__ void __launch_bounds__(DECODE_THREADS)
    decode_once(weir_word *words, uint32_t *data, real_params params);
#endif

WEIR_KERNEL(decode, real_params)
{
	REAL_BARRIER(words, params);

	for (uint32_t part = 0; part < 5 * params.size[5]; part++) {
		decode_part(data, params, part);
		REAL_MEET(); /* each part reads what all blocks wrote in the previous part */
	}
}

WEIR_KERNEL(decode_once, real_params)
{
	(void)words;
	REAL_PART();
	decode_part(data, params, params.part);
}

#endif
