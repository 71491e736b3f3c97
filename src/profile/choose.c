/* Chooses the profile of a device: the user's own, otherwise the built-in one nearest to it. */
/* Declares mkdir. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/status.h"
#include "profile/builtin.h"
#include "weir/profile.h"

const char *weir_profile_builtin_name(size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (!weir_builtin_profiles[i].name)
			return NULL;
	return weir_builtin_profiles[index].name;
}

weir_status weir_profile_builtin(const char *name, weir_profile **profile)
{
	char origin[64];
	*profile = NULL;
	for (const weir_builtin_profile *known = weir_builtin_profiles; known->name; known++) {
		if (strcmp(known->name, name) != 0)
			continue;
		snprintf(origin, sizeof origin, "built-in profile %s", name);
		return weir_profile_parse(known->text, origin, profile);
	}
	return weir_fail(WEIR_NOT_FOUND, "there is no built-in profile '%s'", name);
}

weir_status weir_profile_matches(const weir_profile *profile, const weir_device_info *device)
{
	const weir_device_info *made_on = &profile->device;
	if (made_on->machine != device->machine)
		return weir_fail(WEIR_BAD_ARGUMENT, "made on a %s device, this is a %s device",
		                 weir_machine_name(made_on->machine),
		                 weir_machine_name(device->machine));
	if (strcmp(made_on->description, device->description) != 0)
		return weir_fail(WEIR_BAD_ARGUMENT, "made on '%s', this is '%s'",
		                 made_on->description, device->description);
	if (made_on->units && device->units && made_on->units != device->units)
		return weir_fail(WEIR_BAD_ARGUMENT, "made on '%s' with %u units, this has %u",
		                 made_on->description, made_on->units, device->units);
	return WEIR_OK;
}

/* "cuda", "NVIDIA H200" -> "cuda-nvidia-h200". The host is "host", whatever its description. */
static void slug(const weir_device_info *device, char *to, size_t room)
{
	size_t length = (size_t)snprintf(to, room, "%s", weir_machine_name(device->machine));
	if (device->machine == WEIR_MACHINE_HOST)
		return;
	for (const char *from = device->description; *from && length + 2 < room; from++) {
		if (!isalnum((unsigned char)*from))
			continue;
		if (from == device->description || !isalnum((unsigned char)from[-1]))
			to[length++] = '-';
		to[length++] = (char)tolower((unsigned char)*from);
	}
	to[length] = '\0';
}

static const char *from_environment(const char *name)
{
	const char *value = getenv(name);
	return value && *value ? value : NULL;
}

weir_status weir_profile_path(const weir_device_info *device, char *path, size_t room)
{
	char name[160];
	const char *file = from_environment("WEIR_PROFILE");
	const char *config = from_environment("XDG_CONFIG_HOME");
	const char *home = from_environment("HOME");
	int length;

	slug(device, name, sizeof name);
	/* The XDG specification says to ignore a relative path. */
	if (file)
		length = snprintf(path, room, "%s", file);
	else if (config && *config == '/')
		length = snprintf(path, room, "%s/weir/%s.json", config, name);
	else if (home)
		length = snprintf(path, room, "%s/.config/weir/%s.json", home, name);
	else
		return weir_fail(
		    WEIR_NOT_FOUND,
		    "no place for profiles: set WEIR_PROFILE, XDG_CONFIG_HOME or HOME");
	if (length < 0 || (size_t)length >= room)
		return weir_fail(WEIR_BAD_ARGUMENT, "the path of the profile is too long");
	return WEIR_OK;
}

weir_status weir_profile_make_folders(const char *path)
{
	size_t bytes = strlen(path) + 1;
	char *folder = malloc(bytes);
	if (!folder)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a path");
	weir_status status = WEIR_OK;
	memcpy(folder, path, bytes);
	for (char *at = strchr(folder + 1, '/'); at && status == WEIR_OK;
	     at = strchr(at + 1, '/')) {
		*at = '\0';
		if (mkdir(folder, 0777) != 0 && errno != EEXIST)
			status = weir_fail(WEIR_DRIVER_ERROR, "cannot make the folder %s: %s",
			                   folder, strerror(errno));
		*at = '/';
	}
	free(folder);
	return status;
}

weir_status weir_profile_nearest(const weir_device_info *device, weir_profile **profile)
{
	for (const weir_builtin_profile *known = weir_builtin_profiles; known->name; known++) {
		weir_status status = weir_profile_builtin(known->name, profile);
		if (status != WEIR_OK)
			return status;
		const weir_device_info *made_on = &(*profile)->device;
		if (made_on->is_gpu == device->is_gpu && *made_on->description &&
		    strstr(device->description, made_on->description))
			return WEIR_OK;
		weir_profile_destroy(*profile);
	}
	return weir_profile_builtin(
	    device->is_gpu || device->machine == WEIR_MACHINE_PTX ? "h200" : "cpu", profile);
}

/* Adds the rules of `other` for the primitives for which `profile` has none. `*added` tells whether
 * it added any. */
static weir_status complete(weir_profile *profile, const weir_profile *other, int *added)
{
	size_t own = profile->rule_count;
	*added = 0;
	weir_rule *rules = realloc(profile->rules, (own + other->rule_count) * sizeof *rules);
	if (!rules)
		return weir_fail(WEIR_NO_MEMORY, "no memory for the rules of a profile");
	profile->rules = rules;
	for (size_t i = 0; i < other->rule_count; i++) {
		size_t j = 0;
		while (j < own && rules[j].primitive != other->rules[i].primitive)
			j++;
		if (j < own)
			continue;
		rules[profile->rule_count++] = other->rules[i];
		*added = 1;
	}
	return WEIR_OK;
}

/* The user's profile, if it exists, is complete, and is of this device. Otherwise NULL; `note` says
 * why it was ignored, or is "" if there is none. */
static weir_profile *users_own(const weir_device_info *device, char *path, size_t path_room,
                               char *note, size_t note_room)
{
	weir_profile *profile = NULL;
	*note = '\0';
	if (weir_profile_path(device, path, path_room) != WEIR_OK)
		return NULL;
	weir_status status = weir_profile_read(path, &profile);
	if (status == WEIR_NOT_FOUND && !from_environment("WEIR_PROFILE"))
		return NULL;
	if (status != WEIR_OK) {
		snprintf(note, note_room, "%s", weir_error_text());
		return NULL;
	}
	if (weir_profile_matches(profile, device) == WEIR_OK)
		return profile;
	snprintf(note, note_room, "%.440s: %.440s", path, weir_error_text());
	weir_profile_destroy(profile);
	return NULL;
}

weir_status weir_profile_complete(weir_profile *profile)
{
	weir_profile *builtin;
	int added;
	weir_status status = weir_profile_nearest(&profile->device, &builtin);
	if (status != WEIR_OK)
		return status;
	status = complete(profile, builtin, &added);
	weir_profile_destroy(builtin);
	return status;
}

weir_status weir_profile_for(const weir_device_info *device, weir_profile **profile, char *origin,
                             size_t room)
{
	char path[1024];
	char note[900];
	weir_profile *builtin;
	int added = 0;

	*profile = users_own(device, path, sizeof path, note, sizeof note);
	weir_status status = weir_profile_nearest(device, &builtin);
	if (status == WEIR_OK && *profile)
		status = complete(*profile, builtin, &added);
	if (status != WEIR_OK) {
		weir_profile_destroy(*profile);
		weir_profile_destroy(builtin);
		*profile = NULL;
		return status;
	}
	if (*profile) {
		snprintf(origin, room, "%s%s%s", path,
		         added ? ", and for what it leaves out built-in profile " : "",
		         added ? builtin->name : "");
		weir_profile_destroy(builtin);
	} else {
		snprintf(origin, room, "built-in profile %s%s%s%s", builtin->name,
		         *note ? " (passed over " : "", note, *note ? ")" : "");
		*profile = builtin;
	}
	return WEIR_OK;
}
