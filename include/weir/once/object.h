/* The handle of a once: something that one block does, and all others wait for. */
#ifndef WEIR_ONCE_OBJECT_H
#define WEIR_ONCE_OBJECT_H

#include "weir/object.h"

typedef struct weir_once_config {
	WEIR_CONFIG_MEMBERS
} weir_once_config;

WEIR_HANDLE_(weir_once)

/* How many words a once takes. */
WEIR_FN uint32_t weir_once_words(weir_once_config config)
{
	(void)config;
	return 1;
}

#endif
