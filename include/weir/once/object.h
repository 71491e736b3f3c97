/* The handle of a once: something that one block does, and all others wait for. */
#ifndef WEIR_ONCE_OBJECT_H
#define WEIR_ONCE_OBJECT_H

#include "weir/object.h"

/** The configuration in the handle of a once. */
typedef struct weir_once_config {
	WEIR_CONFIG_MEMBERS
} weir_once_config;

/** The handle of a once. Kernels get it by value; every copy is the same once. */
WEIR_HANDLE_(weir_once)

/** The words of a once. */
WEIR_FN uint32_t weir_once_words(weir_once_config config)
{
	(void)config;
	return 1;
}

#endif
