/* The device and the profile that a command line names. */
#ifndef WEIR_COMMAND_CLI_CHOOSE_H
#define WEIR_COMMAND_CLI_CHOOSE_H

#include "weir/profile.h"
#include "weir/weir.h"

/* The two functions return 0, or complain and return WEIR_EXIT_USAGE. */

/* Opens a device of the library; NULL: the best one. */
int weir_choose_device(const char *name, weir_device **device, weir_device_info *info);
/* A built-in profile by its name, else a file. */
int weir_choose_profile(const char *name_or_path, weir_profile **profile);

/* Complains of a profile without a probe, and says what has one. Returns WEIR_EXIT_USAGE. */
int weir_no_probe(const char *name, const weir_profile *profile);

#endif
