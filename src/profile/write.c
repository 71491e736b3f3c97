/* Writes a profile as JSON, with one line for each member and each array element, so that files
 * with hundreds of points can be read and compared. */
/* Declares open_memstream, mkstemp and fsync. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"
#include "profile/fields.h"

#define NUMBERS (JSON_ENCODE_ANY | WEIR_PROFILE_DIGITS)

static json_t *write_class(const weir_probe *probe)
{
	weir_class class_;
	weir_classify(probe, &class_);
	return json_pack(
	    "{s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:b, s:b, s:b, s:b, s:b}", "name",
	    class_.name, "atomic_to_volatile", class_.atomic_to_volatile,
	    "atomic_to_volatile_write", class_.atomic_to_volatile_write, "atomic_to_volatile_own",
	    class_.atomic_to_volatile_own, "atomic_to_volatile_own_write",
	    class_.atomic_to_volatile_own_write, "contention", class_.contention,
	    "contention_write", class_.contention_write, "hostage_ratio", class_.hostage_ratio,
	    "hostage_ratio_write", class_.hostage_ratio_write, "slow_atomics", class_.slow_atomics,
	    "slow_atomic_writes", class_.slow_atomic_writes, "equal_atomics", class_.equal_atomics,
	    "contended_reads", class_.contended_reads, "hostage", class_.hostage);
}

static json_t *write_array(const weir_field *fields, const void *items, size_t size, size_t count)
{
	json_t *array = json_array();
	for (size_t i = 0; i < count; i++)
		json_array_append_new(array,
		                      weir_fields_write(fields, (const char *)items + i * size));
	if (json_array_size(array) == count)
		return array;
	json_decref(array);
	return NULL;
}

/* Returns 0, or -1 with `root` unusable. */
static int set_members(json_t *root, const weir_profile *profile)
{
	int bad = json_object_set_new(root, "weir_profile", json_integer(WEIR_PROFILE_VERSION)) ||
	          json_object_set_new(root, "name", json_string(profile->name)) ||
	          (*profile->commit &&
	           json_object_set_new(root, "commit", json_string(profile->commit))) ||
	          json_object_set_new(root, "device",
	                              weir_fields_write(weir_device_fields, &profile->device));
	if (profile->has_probe)
		bad = bad ||
		      json_object_set_new(root, "probe", weir_probe_write(&profile->probe)) ||
		      json_object_set_new(root, "classification", write_class(&profile->probe));
	bad = bad ||
	      json_object_set_new(root, "points",
	                          write_array(weir_point_fields, profile->points,
	                                      sizeof(weir_point), profile->point_count)) ||
	      json_object_set_new(root, "tunings",
	                          write_array(weir_tuning_fields, profile->tunings,
	                                      sizeof(weir_tuning), profile->tuning_count)) ||
	      json_object_set_new(root, "rules",
	                          write_array(weir_rule_fields, profile->rules, sizeof(weir_rule),
	                                      profile->rule_count));
	return bad ? -1 : 0;
}

/* `key` may be NULL. */
static void print_member(FILE *to, const char *indent, const char *key, const json_t *value,
                         int is_first)
{
	fprintf(to, "%s%s", is_first ? "\n" : ",\n", indent);
	if (key)
		fprintf(to, "\"%s\": ", key);
	json_dumpf(value, to, NUMBERS);
}

static void print_object(FILE *to, const json_t *object)
{
	const char *key;
	json_t *value;
	int is_first = 1;
	fputc('{', to);
	json_object_foreach((json_t *)object, key, value)
	{
		print_member(to, "    ", key, value, is_first);
		is_first = 0;
	}
	fputs("\n  }", to);
}

static void print_array(FILE *to, const json_t *array)
{
	fputc('[', to);
	for (size_t i = 0; i < json_array_size(array); i++)
		print_member(to, "    ", NULL, json_array_get(array, i), i == 0);
	fputs(json_array_size(array) ? "\n  ]" : "]", to);
}

static void print_root(FILE *to, const json_t *root)
{
	const char *key;
	json_t *value;
	int is_first = 1;
	fputc('{', to);
	json_object_foreach((json_t *)root, key, value)
	{
		fprintf(to, "%s  \"%s\": ", is_first ? "\n" : ",\n", key);
		is_first = 0;
		if (json_is_object(value))
			print_object(to, value);
		else if (json_is_array(value))
			print_array(to, value);
		else
			json_dumpf(value, to, NUMBERS);
	}
	fputs("\n}\n", to);
}

char *weir_profile_text(const weir_profile *profile)
{
	char *text = NULL;
	size_t bytes;
	json_t *root = json_object();

	if (set_members(root, profile) == 0) {
		FILE *to = open_memstream(&text, &bytes);
		if (to) {
			print_root(to, root);
			if (fclose(to) != 0) {
				free(text);
				text = NULL;
			}
		}
	}
	json_decref(root);
	if (!text)
		weir_explain("no memory for the profile, or a number in it is not finite");
	return text;
}

/* Closes the file in any case. */
static int fill(int file, const char *text)
{
	size_t left = strlen(text);
	while (left > 0) {
		ssize_t written = write(file, text, left);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			break;
		text += written;
		left -= (size_t)written;
	}
	int bad = left > 0 || fchmod(file, 0644) != 0 || fsync(file) != 0;
	int error = errno;
	if (close(file) != 0 && !bad) {
		error = errno;
		bad = 1;
	}
	errno = error;
	return bad ? -1 : 0;
}

static weir_status cannot_write(const char *path)
{
	return weir_fail(WEIR_DRIVER_ERROR, "cannot write %s: %s", path, strerror(errno));
}

static weir_status replace(const char *path, const char *text)
{
	size_t room = strlen(path) + sizeof ".XXXXXX";
	char *temporary = malloc(room);
	if (!temporary)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a path");
	snprintf(temporary, room, "%s.XXXXXX", path);
	weir_status status = WEIR_OK;
	int file = mkstemp(temporary);
	if (file < 0) {
		status = cannot_write(path);
	} else if (fill(file, text) != 0 || rename(temporary, path) != 0) {
		status = cannot_write(path);
		unlink(temporary);
	}
	free(temporary);
	return status;
}

weir_status weir_profile_write(const weir_profile *profile, const char *path)
{
	weir_profile *again;
	struct stat there;

	/* The rename would replace a device by a file, or fail on a folder. */
	if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
		return weir_fail(WEIR_DRIVER_ERROR, "cannot write %s: not a regular file", path);
	char *text = weir_profile_text(profile);
	if (!text)
		return WEIR_BAD_ARGUMENT;
	weir_status status = weir_profile_parse(text, "the profile to be written", &again);
	if (status == WEIR_OK) {
		weir_profile_destroy(again);
		status = replace(path, text);
	}
	free(text);
	return status;
}
