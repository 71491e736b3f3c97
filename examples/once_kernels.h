/* Checksums with a table built by the first block to arrive, in whichever launch. One source for
 * all machines. */
#ifndef EXAMPLE_ONCE_KERNELS_H
#define EXAMPLE_ONCE_KERNELS_H

#include "kernels/kernel.h"

typedef struct once_params {
	weir_once_config config;
	uint32_t polynomial;
	uint32_t length; /* words that each block sums */
} once_params;

/* data: how often the table was built, the table, and the checksum of each block. */
#define ONCE_BUILDS 0
#define ONCE_TABLE 1
#define ONCE_ENTRIES 256u
#define ONCE_SUM (ONCE_TABLE + ONCE_ENTRIES)

/* Word `i` of the data of a block. */
#define ONCE_WORD(block, i) (((block) + 1) * 0x9e3779b9u ^ (i))

/* The checksum of a byte by itself, bit by bit (CRC-32). */
WEIR_FN uint32_t once_entry(uint32_t byte, uint32_t polynomial)
{
	for (uint32_t bit = 0; bit < 8; bit++)
		byte = byte >> 1 ^ (polynomial & (0u - (byte & 1)));
	return byte;
}

/* The checksum of `length` words, using the table. */
WEIR_FN uint32_t once_sum(WEIR_GLOBAL const uint32_t *table, uint32_t block, uint32_t length)
{
	uint32_t sum = ~0u;

	for (uint32_t i = 0; i < length; i++)
		for (uint32_t shift = 0; shift < 32; shift += 8)
			sum = sum >> 8 ^ table[(sum ^ ONCE_WORD(block, i) >> shift) & 255];
	return ~sum;
}

/* One thread acts for its block. With weir_once_block_begin and _end all threads of a block would
 * build the table; OpenCL lacks weir_once_block_begin. */
WEIR_KERNEL(checksum, once_params)
{
	weir_once built = weir_once_make(words, params.config);

	if (weir_thread_id() != 0)
		return;
	if (weir_once_begin(built)) {
		for (uint32_t i = 0; i < ONCE_ENTRIES; i++)
			data[ONCE_TABLE + i] = once_entry(i, params.polynomial);
		data[ONCE_BUILDS] += 1;
		weir_once_end(built);
	}
	data[ONCE_SUM + weir_block_id()] =
	    once_sum(data + ONCE_TABLE, weir_block_id(), params.length);
}

#endif
