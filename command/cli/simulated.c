/* The names of simulated devices. */
#include "cli/simulated.h"

#include <stdio.h>
#include <string.h>

#include "weir/profile.h"
#include "weir/weir.h"

static const char prefix[] = "sim:";

enum {
	/* The maximum threads of a block, for profiles that do not state it: no GPU has more. */
	MOST_THREADS = 1024
};

int weir_simulated_is_name(const char *name)
{
	return name && (strncmp(name, prefix, strlen(prefix)) == 0 || strcmp(name, "sim") == 0);
}

const char *weir_simulated_profile_name(const char *name)
{
	size_t length = strlen(prefix);
	return strncmp(name, prefix, length) == 0 ? name + length : name;
}

static void describe(const char *name, const weir_profile *profile, weir_device_info *info)
{
	*info = profile->device;
	memset(info->name, 0, sizeof info->name);
	memset(info->description, 0, sizeof info->description);
	memset(info->driver, 0, sizeof info->driver);
	snprintf(info->name, sizeof info->name, "%s%.24s", prefix, name);
	snprintf(info->description, sizeof info->description, "%.100s, simulated",
	         profile->device.description);
	snprintf(info->driver, sizeof info->driver, "simulator, profile %.32s", name);
	if (info->max_threads_per_block == 0)
		info->max_threads_per_block = MOST_THREADS;
	if (info->resident_blocks_at_128 == 0)
		info->resident_blocks_at_128 = profile->probe.blocks;
}

int weir_simulated_device(size_t index, weir_device_info *info)
{
	const char *name;
	size_t seen = 0;

	for (size_t i = 0; (name = weir_profile_builtin_name(i)); i++) {
		weir_profile *profile;
		if (weir_profile_builtin(name, &profile) != WEIR_OK)
			continue;
		int found = profile->has_probe && seen++ == index;
		if (found)
			describe(name, profile, info);
		weir_profile_destroy(profile);
		if (found)
			return 1;
	}
	return 0;
}
