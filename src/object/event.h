/* The layout of events. */
#ifndef WEIR_OBJECT_EVENT_H
#define WEIR_OBJECT_EVENT_H

#include "weir/kind.h"
#include "weir/weir.h"

/* Sets the bits and the distance of a kind with copies or shards. `config` has all other members. */
weir_status weir_event_spread(const weir_device *device, const weir_kind *kind,
                              const weir_options *options, weir_event_array_config *config);

#endif
