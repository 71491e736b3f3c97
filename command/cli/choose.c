/* Opens the devices and profiles named on a command line. */
#include "cli/choose.h"

#include <string.h>

#include "cli/complain.h"
#include "cli/simulated.h"
#include "weir/profile.h"
#include "weir/weir.h"

int weir_choose_device(const char *name, weir_device **device, weir_device_info *info)
{
	if (weir_simulated_is_name(name))
		return weir_refuse("%s is simulated, which only probe, classify, bench, tune and "
		                   "report support; see weir profile --profile",
		                   name);
	if (weir_device_open(name, device) != WEIR_OK)
		return weir_refuse("%s", weir_error_text());
	if (weir_device_describe(*device, info) == WEIR_OK)
		return 0;
	weir_refuse("%s", weir_error_text());
	weir_device_close(*device);
	return WEIR_EXIT_USAGE;
}

static int no_such_profile(const char *name_or_path)
{
	char known[512] = "";
	const char *name;

	for (size_t i = 0; (name = weir_profile_builtin_name(i)); i++)
		weir_append_name(known, sizeof known, name);
	return weir_refuse("there is no profile '%s': no such file, and the built-in ones are %s",
	                   name_or_path, known);
}

int weir_choose_profile(const char *name_or_path, weir_profile **profile)
{
	const char *name;

	for (size_t i = 0; (name = weir_profile_builtin_name(i)); i++)
		if (strcmp(name, name_or_path) == 0)
			break;
	weir_status status = name ? weir_profile_builtin(name_or_path, profile)
	                          : weir_profile_read(name_or_path, profile);
	if (status == WEIR_NOT_FOUND)
		return no_such_profile(name_or_path);
	return status == WEIR_OK ? 0 : weir_refuse("%s", weir_error_text());
}

int weir_no_probe(const char *name, const weir_profile *profile)
{
	const char *device = profile->device.name;

	return weir_refuse("profile %s has no probe; weir probe --device %s measures one, and with "
	                   "--save puts it into the user's profile",
	                   name,
	                   *device                                        ? device
	                   : profile->device.machine == WEIR_MACHINE_HOST ? "host"
	                                                                  : "NAME");
}
