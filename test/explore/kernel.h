/* Small programs as kernels in PTX, and all their executions. */
#ifndef WEIR_TEST_EXPLORE_KERNEL_H
#define WEIR_TEST_EXPLORE_KERNEL_H

#include "explore/explore.h"
#include "small.h"

typedef struct kernel_result {
	const char *refused; /* why the program is no kernel, or NULL */
	int races, hangs;
	const char *bound; /* what was left out, or NULL */
	small_state *states;
	uint32_t count, room;
	weir_explore_result explored;
} kernel_result;

/* 0, or -1 with a message printed. */
int kernel_run(const small_program *p, kernel_result *result);
void kernel_free(kernel_result *result);

#endif
