/* Whether headers fit the library: those of the same series do (weir/version.h). */
#ifndef WEIR_BASE_VERSION_H
#define WEIR_BASE_VERSION_H

#include "weir/weir.h"

/* Both return WEIR_OTHER_VERSION with a text that names the versions. The headers of a program, by
 * their WEIR_VERSION; WEIR_BAD_ARGUMENT for a text that is no version. */
weir_status weir_version_check(const char *version);
/* Those of a kernel, by their WEIR_VERSION_SERIES; 0: not known, and not refused. */
weir_status weir_version_check_kernel(uint32_t series);

#endif
