/* Simulated devices: sim:NAME is the machine that the simulator makes from the probe of a built-in
 * profile. These devices belong to this program, not to the library. */
#ifndef WEIR_COMMAND_CLI_SIMULATED_H
#define WEIR_COMMAND_CLI_SIMULATED_H

#include <stddef.h>

#include "weir/weir.h"

/* Whether a name has the form of a simulated device's; the device need not exist. NULL has not. */
int weir_simulated_is_name(const char *name);

/* Describes one simulated device for each built-in profile with a probe. Returns 0 past the last. */
int weir_simulated_device(size_t index, weir_device_info *info);

/* The name without "sim:", which is that of the profile. */
const char *weir_simulated_profile_name(const char *name);

#endif
