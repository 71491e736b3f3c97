/* One kind of a primitive under the explorer: what a case needs to know of it. */
#ifndef WEIR_MODEL_ADAPTER_H
#define WEIR_MODEL_ADAPTER_H

#include <stddef.h>

#include "weir/device.h"

typedef struct weir_model_adapter {
	const char *primitive;
	const char *kind;
	uint32_t value; /* of the enumerator */
	int fair;
	int queue;
	uint32_t (*words)(weir_any_config config);
	void (*start)(weir_word *words, weir_any_config config, uint32_t value, uint32_t past);
	void (*enter)(weir_word *words, weir_any_config config); /* lock, wait; pass the barrier */
	void (*leave)(weir_word *words, weir_any_config config); /* unlock, post */
} weir_model_adapter;

extern const weir_model_adapter weir_model_published_[];
extern const size_t weir_model_published_count_;

#endif
