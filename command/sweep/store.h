/* The profile in which measurements are stored, and its file. */
#ifndef WEIR_COMMAND_SWEEP_STORE_H
#define WEIR_COMMAND_SWEEP_STORE_H

#include <stddef.h>

#include "measure/meter.h"
#include "weir/profile.h"
#include "weir/weir.h"

/* An empty profile of the device. */
weir_profile *weir_store_empty(const weir_device_info *device);
/* The user's profile of the device, to be extended; an empty one if there is none or it cannot be
 * used. */
weir_profile *weir_store_open(const weir_meter *meter);

/* Checks whether the user's profile of the device could be written, before long work. Returns 0, or
 * complains and returns WEIR_EXIT_FAILED; WEIR_EXIT_USAGE on a simulated device, which has none. */
int weir_store_check(const weir_meter *meter);
/* Recomputes the rules and writes the profile to `path`; NULL: where the library looks for the
 * user's. Returns 0, or complains and returns WEIR_EXIT_FAILED. Stores the path in `written` (may
 * be NULL). */
int weir_store_write(weir_profile *profile, const weir_meter *meter, const char *path,
                     char *written, size_t room);

#endif
