/* What a model of a GPU has: the parameters of the device "ptx". */
#ifndef WEIR_PTX_DEVICE_SHAPE_H
#define WEIR_PTX_DEVICE_SHAPE_H

#include <stddef.h>
#include <stdint.h>

#include "weir/weir.h"

/* A row for each: its name, its default, the least and the greatest value, and what it is. */
#define WEIR_PTX_PARAMETERS(X)                                                                     \
	X(sms, 4, 1, 1024, "multiprocessors")                                                      \
	X(blocks, 8, 1, 64, "resident blocks of a multiprocessor")                                 \
	X(threads, 2048, 32, 65536, "resident threads of a multiprocessor")                        \
	X(registers, 65536, 1024, 1048576, "registers of a multiprocessor")                        \
	X(shared, 228, 1, 65536, "KiB of shared memory of a multiprocessor")                       \
	X(seed, 1, 0, UINT64_MAX, "of the schedule; 0 runs blocks one after another")              \
	X(budget, 0, 0, UINT64_MAX, "instructions of a launch; 0 for no limit")                    \
	X(check, 0, 0, 2, "1: launches with a data race fail; 2: strong reads may be stale as well")

typedef struct ptx_shape {
#define WEIR_ROW_(name, value, least, most, what) uint64_t name;
	WEIR_PTX_PARAMETERS(WEIR_ROW_)
#undef WEIR_ROW_
	char trace[128]; /* trace=FILE: where each instruction is written; "" for nowhere */
} ptx_shape;

/* Reads "sms=4,seed=random". Parameters that are not given have their defaults. */
weir_status weir_ptx_shape_read(const char *text, ptx_shape *shape);
/* Writes those that are no defaults, as weir_ptx_shape_read takes them. */
void weir_ptx_shape_write(const ptx_shape *shape, char *text, size_t bytes);

#endif
