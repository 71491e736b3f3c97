/* The device and the profile named on a command line. */
#ifndef WEIR_COMMAND_CLI_CHOOSE_H
#define WEIR_COMMAND_CLI_CHOOSE_H

#include "weir/profile.h"
#include "weir/weir.h"

/* Both functions return 0, or complain and return WEIR_EXIT_USAGE. */

/* Opens a device of the library; NULL: the best one. */
int weir_choose_device(const char *name, weir_device **device, weir_device_info *info);
/* Reads a built-in profile by its name, otherwise a file. */
int weir_choose_profile(const char *name_or_path, weir_profile **profile);

/* Complains about a profile without a probe, and names profiles that have one. Returns
 * WEIR_EXIT_USAGE. */
int weir_no_probe(const char *name, const weir_profile *profile);

#endif
