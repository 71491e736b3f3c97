/* Counts in sentences: "1 block", "2 blocks". */
#ifndef WEIR_BASE_COUNT_H
#define WEIR_BASE_COUNT_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

typedef struct weir_count {
	char text[48];
} weir_count;

/* The smallest b for which 2^b is `count` or more. */
static inline uint32_t weir_bits_for(uint32_t count)
{
	uint32_t bits = 0;

	while (bits < 32 && (uint64_t)1 << bits < count)
		bits++;
	return bits;
}

static inline weir_count weir_counted(uint64_t count, const char *noun)
{
	weir_count counted;

	snprintf(counted.text, sizeof counted.text, "%" PRIu64 " %s%s", count, noun,
	         count == 1 ? "" : "s");
	return counted;
}

#endif
