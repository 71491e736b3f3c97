/* The parameters of every harness kernel: plain integers, the same on the host and on every
 * machine. */
#ifndef HARNESS_PARAMS_H
#define HARNESS_PARAMS_H

#include "weir/device.h"

/* The words of `data` that all kernels share; the rest belongs to the kernel. */
#define HARNESS_ERRORS 0 /* how many checks failed inside the kernel */
#define HARNESS_MOST 1   /* a high-water mark */
#define HARNESS_DATA 32  /* where a kernel's own data starts */

typedef struct harness_params {
	weir_any_config config;
	weir_any_config second; /* of another object in the same words */
	uint32_t without;       /* 1: leave the primitive out; the harness must then fail */
	uint32_t rounds;
	uint32_t base;   /* rounds of earlier launches; where a wrap test starts */
	uint32_t width;  /* plain words that one critical section updates */
	uint32_t value;  /* semaphore: initial value */
	uint32_t length; /* array: mutexes */
	uint32_t hold;   /* pause units inside the critical section */
	uint32_t seed;
} harness_params;

/* Waits for a random time, so that blocks arrive in varying orders. */
WEIR_FN uint32_t harness_shuffle(uint32_t x)
{
	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	if ((x & 7) == 0)
		weir_pause((x >> 8) & 15);
	return x;
}

WEIR_FN uint32_t harness_seed(harness_params params)
{
	return (params.seed + weir_block_id() * 2654435761u + weir_thread_id() * 40503u) | 1;
}

WEIR_FN uint32_t harness_next(uint32_t random)
{
	return random * 1664525u + 1013904223u;
}

/* The data under a lock: plain words that are equal whenever no thread holds it. Adds 1 to each.
 * Returns how many were not equal. */
WEIR_FN uint32_t harness_update(WEIR_GLOBAL uint32_t *under, uint32_t width, uint32_t hold)
{
	uint32_t value = under[0];
	uint32_t errors = 0;

	for (uint32_t i = 1; i < width; i++)
		errors += under[i] != value;
	weir_pause(hold);
	for (uint32_t i = 0; i < width; i++)
		under[i] = value + 1;
	return errors;
}

/* Blocks enter their ids into a list, one at a time: the number of entries, then the ids. */
WEIR_FN void harness_enter(WEIR_GLOBAL uint32_t *data)
{
	WEIR_GLOBAL uint32_t *list = data + HARNESS_DATA;
	uint32_t position = list[0];

	list[1 + position] = weir_block_id();
	list[0] = position + 1;
}

#endif
