/* The layout of events, queues, dispensers, conditions, reader-writer locks and combiners. */
#ifndef WEIR_OBJECT_LAYOUT_H
#define WEIR_OBJECT_LAYOUT_H

#include "weir/kind.h"
#include "weir/weir.h"

/* Sets the bits and the distance of a kind with copies or shards. `config` has all other members. */
weir_status weir_event_spread(const weir_device *device, const weir_kind *kind,
                              const weir_event_array_options *options,
                              weir_event_array_config *config);

/* The default kind for items of `bytes` bytes. */
uint32_t weir_queue_kind_for(const weir_device *device, size_t bytes,
                             const weir_queue_options *options);

/* Sets the members that follow from the kind, the number of items and their size. `config` has all
 * others. */
weir_status weir_queue_lay_out(const weir_kind *kind, uint32_t capacity, size_t item_bytes,
                               const weir_queue_options *options, weir_queue_config *config);

weir_status weir_dispenser_plan(const weir_device *device, uint32_t items,
                                const weir_dispenser_options *options,
                                weir_dispenser_config *config);

/* These set the members that not all objects have. `config` has all others. */
weir_status weir_condition_plan(const weir_device *device, const weir_condition_options *options,
                                weir_condition_config *config);
weir_status weir_rwlock_spread(const weir_rwlock_options *options, weir_rwlock_config *config);
weir_status weir_combiner_plan(const weir_device *device, uint32_t blocks,
                               const weir_combiner_options *options, weir_combiner_config *config);

#endif
