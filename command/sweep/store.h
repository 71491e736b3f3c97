/* The profile that measurements go into, and its file. */
#ifndef WEIR_COMMAND_SWEEP_STORE_H
#define WEIR_COMMAND_SWEEP_STORE_H

#include <stddef.h>

#include "measure/meter.h"
#include "weir/profile.h"
#include "weir/weir.h"

/* A profile of the device with nothing in it. */
weir_profile *weir_store_empty(const weir_device_info *device);
/* The user's profile of the device, to be added to; an empty one when there is none or when it cannot be
 * used. */
weir_profile *weir_store_open(const weir_meter *meter);

/* Whether the user's profile of the device could be written, asked before long work. Returns 0, or
 * complains and returns WEIR_EXIT_FAILED; WEIR_EXIT_USAGE on a simulated device, which has none. */
int weir_store_check(const weir_meter *meter);
/* Makes the rules anew and writes the profile to `path`; NULL: where the library looks for the user's.
 * Returns 0, or complains and returns WEIR_EXIT_FAILED. `written` (may be NULL) gets the path. */
int weir_store_write(weir_profile *profile, const weir_meter *meter, const char *path,
                     char *written, size_t room);

#endif
