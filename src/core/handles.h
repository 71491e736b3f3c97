/* The objects that a launch passes to its kernel. */
#ifndef WEIR_CORE_HANDLES_H
#define WEIR_CORE_HANDLES_H

#include "core/backend.h"

/* Refuses a launch with the handle of an object that was destroyed or belongs to another device. On
 * devices that list what a kernel contains, it also refuses a launch that the kernel itself would
 * end. Such a kernel lacks an object's kind, gets a barrier with more shards than a block has
 * threads, or has no accesses at system scope although the host uses the events. */
weir_status weir_handles_check(weir_device *device, const weir_checked_launch *launch);

#endif
