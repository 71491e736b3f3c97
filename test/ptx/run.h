/* Runs kernels of PTX source in tests. */
#ifndef WEIR_TEST_PTX_RUN_H
#define WEIR_TEST_PTX_RUN_H

#include <stdint.h>

#include "ptx/ptx.h"

typedef struct run {
	weir_ptx_memory *memory;
	weir_ptx_module *module;
	weir_ptx_kernel *kernel;
	weir_ptx_launch launch;
	weir_ptx_result result;
	uint64_t params[16];
	char printed[1024];
} run;

/* Loads a module. If that fails, ends the test with the reason. */
void run_open(run *r, const char *text);
void run_close(run *r);
/* A buffer of device memory, zero-filled and written. */
void *run_buffer(run *r, size_t bytes);
/* Launches a kernel whose parameters are r->params, 8 bytes each, and returns how it ended. */
weir_ptx_end run_kernel(run *r, const char *name, unsigned grid, unsigned block);
void fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#endif
