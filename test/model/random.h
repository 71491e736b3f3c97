/* Random small programs. */
#ifndef WEIR_TEST_RANDOM_H
#define WEIR_TEST_RANDOM_H

#include "small.h"

typedef struct random_source {
	uint64_t state;
} random_source;

uint32_t random_below(random_source *r, uint32_t limit);
/* 2 to 4 threads with a few accesses of all orders and scopes, fences, and barriers that all threads of a
 * block reach. */
void random_program(random_source *r, small_program *p);

#endif
