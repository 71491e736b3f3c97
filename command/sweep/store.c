/* The profile in which measurements are stored. */
#include "sweep/store.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/complain.h"
#include "cli/simulated.h"
#include "cli/stop.h"
#include "measure/meter.h"
#include "output/file.h"
#include "weir/profile.h"
#include "weir/weir.h"

weir_profile *weir_store_empty(const weir_device_info *device)
{
	weir_profile *profile = weir_need(calloc(1, sizeof *profile));
	snprintf(profile->name, sizeof profile->name, "%.*s", (int)sizeof profile->name - 1,
	         weir_simulated_is_name(device->name) ? device->name : device->description);
	profile->device = *device;
	return profile;
}

weir_profile *weir_store_open(const weir_meter *meter)
{
	char path[4096];
	weir_profile *profile = NULL;
	weir_status status = weir_profile_path(&meter->info, path, sizeof path);
	FILE *file = status == WEIR_OK && !meter->sim ? fopen(path, "r") : NULL;

	if (!file)
		return weir_store_empty(&meter->info);
	fclose(file);
	status = weir_profile_read(path, &profile);
	if (status == WEIR_OK)
		status = weir_profile_matches(profile, &meter->info);
	if (status == WEIR_OK)
		return profile;
	weir_complain(0, "%s; not used", weir_error_text());
	weir_profile_destroy(profile);
	return weir_store_empty(&meter->info);
}

int weir_store_check(const weir_meter *meter)
{
	char path[4096];

	if (meter->sim)
		return weir_refuse("%s is simulated: it has no profile to save to",
		                   meter->info.name);
	if (weir_profile_path(&meter->info, path, sizeof path) != WEIR_OK ||
	    weir_profile_make_folders(path) != WEIR_OK)
		return weir_complain_failed();
	return weir_check_writable(path);
}

int weir_store_write(weir_profile *profile, const weir_meter *meter, const char *path,
                     char *written, size_t room)
{
	char own[4096];
	weir_status status = WEIR_OK;

	snprintf(profile->commit, sizeof profile->commit, "%s", WEIR_COMMIT);
	profile->device = meter->info;
	if (!path) {
		status = weir_profile_path(&meter->info, own, sizeof own);
		if (status == WEIR_OK)
			status = weir_profile_make_folders(own);
		path = own;
	}
	/* After Ctrl-C the rules stay: a rule made from some of the kinds would be a verdict on the
	 * others. */
	if (status == WEIR_OK && !weir_stop_asked())
		status = weir_profile_make_rules(profile);
	if (status == WEIR_OK)
		status = weir_profile_write(profile, path);
	if (status != WEIR_OK)
		return weir_complain_failed();
	if (written)
		snprintf(written, room, "%s", path);
	return 0;
}
