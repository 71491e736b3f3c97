/* Shapes of counter barriers, and kinds of events. */
#ifndef WEIR_PROFILE_SHAPE_H
#define WEIR_PROFILE_SHAPE_H

#include "weir/kind.h"
#include "weir/weir.h"

/* NULL, or what is wrong with the shape for a barrier of `blocks` blocks; 0: their number is
 * unknown. */
const char *weir_shape_fault(weir_shape shape, uint32_t blocks);

/* The shape, with fewer bits if it has more shards than blocks. */
weir_shape weir_shape_fit(weir_shape shape, uint32_t blocks);

/* The default kind of event for these numbers of blocks that signal one and that wait for one. */
uint32_t weir_event_kind_for(uint32_t signallers, uint32_t waiters);

#endif
