/* Whether headers match the library, which those of the same series do (weir/version.h). */
#ifndef WEIR_BASE_VERSION_H
#define WEIR_BASE_VERSION_H

#include "weir/weir.h"

/* Both return WEIR_OTHER_VERSION with a message that names the versions. weir_version_check checks
 * the headers of a program by their WEIR_VERSION, and returns WEIR_BAD_ARGUMENT if the string is
 * not a version. */
weir_status weir_version_check(const char *version);
/* Checks the headers of a kernel by their WEIR_VERSION_SERIES; 0 means unknown and passes. */
weir_status weir_version_check_kernel(uint32_t series);

#endif
