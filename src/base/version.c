/* Refuses code that was compiled with headers of another series. */
#include "base/version.h"

#include <stdio.h>

#include "base/status.h"

weir_status weir_version_check(const char *version)
{
	unsigned int major;
	unsigned int minor;
	unsigned int patch;

	if (!version || sscanf(version, "%u.%u.%u", &major, &minor, &patch) != 3)
		return weir_fail(WEIR_BAD_ARGUMENT, "'%s' is not a version of weir",
		                 version ? version : "NULL");
	if (major == WEIR_VERSION_MAJOR && minor == WEIR_VERSION_MINOR)
		return WEIR_OK;
	return weir_fail(WEIR_OTHER_VERSION,
	                 "the program was compiled with the headers of weir %s, but the library is "
	                 "weir %s: recompile it, or link the library that matches its headers",
	                 version, WEIR_VERSION);
}

weir_status weir_version_check_kernel(uint32_t series)
{
	if (series == 0 || series == WEIR_VERSION_SERIES)
		return WEIR_OK;
	return weir_fail(
	    WEIR_OTHER_VERSION,
	    "the kernel was compiled with the headers of weir %u.%u, but the library is "
	    "weir %s: recompile it with the headers of the library",
	    series / 1000, series % 1000, WEIR_VERSION);
}
