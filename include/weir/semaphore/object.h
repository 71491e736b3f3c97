/* The handle of a semaphore. */
#ifndef WEIR_SEMAPHORE_OBJECT_H
#define WEIR_SEMAPHORE_OBJECT_H

#include "weir/object.h"

/** The configuration in the handle of a semaphore. */
typedef struct weir_semaphore_config {
	WEIR_CONFIG_MEMBERS
	uint32_t maximum; /**< slots, free and taken together */
} weir_semaphore_config;

/** The handle of a semaphore. Kernels get it by value; every copy is the same semaphore. */
WEIR_HANDLE_(weir_semaphore)

#endif
