/* The layout of conditions, reader-writer locks and combiners. */
#ifndef WEIR_OBJECT_LOCK_H
#define WEIR_OBJECT_LOCK_H

#include "weir/weir.h"

/* These set the members that not all objects have. `config` has all others. */
weir_status weir_condition_plan(const weir_device *device, const weir_options *options,
                                weir_condition_config *config);
weir_status weir_rwlock_spread(const weir_options *options, weir_rwlock_config *config);
weir_status weir_combine_plan(const weir_device *device, uint32_t blocks,
                              const weir_options *options, weir_combine_config *config);

#endif
