/* What a kernel costs on a device. */
#ifndef WEIR_COMMAND_DRIVER_COST_H
#define WEIR_COMMAND_DRIVER_COST_H

#include <stdint.h>

#include "weir/weir.h"

typedef struct weir_cost {
	uint32_t resident;  /* blocks that run at once on the device; 0: not even one block fits */
	uint32_t registers; /* of a thread; 0: unknown, here and below */
	uint64_t code;      /* bytes */
} weir_cost;

/* `image` is the uncompressed fatbin of the kernel. */
weir_status weir_kernel_cost(weir_device *device, const weir_device_info *info, const void *image,
                             const char *name, weir_kernel kernel, uint32_t threads,
                             weir_cost *cost);

#endif
