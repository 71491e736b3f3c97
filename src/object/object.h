/* Objects of all primitives: creation, reset, destruction. */
#ifndef WEIR_OBJECT_OBJECT_H
#define WEIR_OBJECT_OBJECT_H

#include "object/order.h"

/* A handle of any primitive. */
typedef struct weir_handle {
	weir_word *words;
	weir_any_config config;
} weir_handle;

/* `out` is the caller's place for the handle. `made` is the new handle, all zeros after a
 * failure. */
weir_status weir_object_create(weir_device *device, const weir_order *order, const void *out,
                               weir_handle *made);

weir_status weir_object_size(weir_device *device, weir_order order, size_t *bytes,
                             size_t *alignment);

weir_status weir_object_reset(weir_device *device, enum weir_primitive primitive,
                              const weir_word *words, size_t offset);

/* Clears the handle when the object is gone. */
weir_status weir_object_destroy(weir_device *device, enum weir_primitive primitive,
                                const weir_word *words, size_t offset, void *handle,
                                size_t handle_bytes);

#endif
