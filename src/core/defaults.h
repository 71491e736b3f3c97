/* The defaults of an object that is created without them: kind, backoff and shape. */
#ifndef WEIR_CORE_DEFAULTS_H
#define WEIR_CORE_DEFAULTS_H

#include "weir/kind.h"
#include "weir/weir.h"

/* Loads and frees the profile from which a device's defaults are taken. */
weir_status weir_defaults_load(weir_device *device);
void weir_defaults_drop(weir_device *device);

/* The default kind among the fair ones; and the backoff and the shape of an object that was created
 * without them. */
uint32_t weir_default_fair_kind(const weir_device *device, enum weir_primitive primitive);
weir_backoff weir_default_backoff(const weir_device *device, enum weir_primitive primitive,
                                  uint32_t count, const weir_kind *kind);
weir_shape weir_default_shape(const weir_device *device, uint32_t blocks, const weir_kind *kind);

#endif
