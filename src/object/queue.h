/* The layout of queues and dispensers. */
#ifndef WEIR_OBJECT_QUEUE_H
#define WEIR_OBJECT_QUEUE_H

#include "weir/kind.h"
#include "weir/weir.h"

/* The default kind for items of `bytes` bytes. */
uint32_t weir_queue_kind_for(const weir_device *device, size_t bytes, const weir_options *options);

/* Sets the members that follow from the kind, the number of items and their size. `config` has all
 * others. */
weir_status weir_queue_lay_out(const weir_kind *kind, uint32_t capacity, size_t item_bytes,
                               const weir_options *options, weir_queue_config *config);

weir_status weir_dispenser_plan(const weir_device *device, uint32_t items,
                                const weir_options *options, weir_dispenser_config *config);

#endif
