/* The objects that a launch passes to its kernel. */
#ifndef WEIR_CORE_HANDLES_H
#define WEIR_CORE_HANDLES_H

#include "core/backend.h"

/* Refuses a launch with the handle of an object that was destroyed or belongs to another device. On
 * devices that report it, also refuses a launch that its kernel would end: with an object of a kind
 * that the kernel lacks, with a barrier that has more shards than a block has threads, or with
 * events that the host uses if the kernel has no accesses at system scope. */
weir_status weir_handles_check(weir_device *device, const weir_checked_launch *launch);

#endif
