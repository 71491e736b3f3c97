/* The builds of the real kernels for the host machine. */
#ifndef WEIR_COMMAND_BUILDS_HOST_H
#define WEIR_COMMAND_BUILDS_HOST_H

#include <stddef.h>

#include "weir/weir.h"

typedef struct weir_host_build {
	const weir_host_entry *entries;
	size_t count;
} weir_host_build;

extern const weir_host_build weir_host_default;
extern const weir_host_build weir_host_fixed;

#endif
