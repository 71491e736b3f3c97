/* Declares mkdir. */
#define _POSIX_C_SOURCE 200809L
#include "profile_test.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

const char *folder;

void check_ok(weir_status got, const char *call, const char *file, int line)
{
	if (got != WEIR_OK)
		print_error("%s: %s: %s\n", call, weir_status_text(got), weir_error_text());
	_assert_int_equal(got, WEIR_OK, file, line);
}

void check_error(const char *file, int line, ...)
{
	va_list words;
	va_start(words, line);
	for (const char *word = va_arg(words, const char *); word;
	     word = va_arg(words, const char *)) {
		if (!strstr(weir_error_text(), word))
			print_error("'%s' is not in: %s\n", word, weir_error_text());
		_assert_true(strstr(weir_error_text(), word) != NULL, word, file, line);
	}
	va_end(words);
	_assert_true(strchr(weir_error_text(), '\n') == NULL, "one line", file, line);
}

void make_folder(int argc, char **argv)
{
	struct dirent *entry;
	folder = argc > 1 ? argv[1] : "profile_test.files";
	mkdir(folder, 0777);
	DIR *old = opendir(folder);
	while (old && (entry = readdir(old)))
		if (entry->d_name[0] != '.')
			unlink(in_folder(entry->d_name));
	if (old)
		closedir(old);
}

const char *in_folder(const char *name)
{
	static char paths[4][1024];
	static int next;
	next = (next + 1) % 4;
	snprintf(paths[next], sizeof paths[next], "%s/%s", folder, name);
	return paths[next];
}

const char *write_file(const char *name, const char *text)
{
	const char *path = in_folder(name);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
	assert_int_equal(fclose(file), 0);
	return path;
}

char *read_text(const char *path)
{
	size_t room = 1u << 20;
	char *text = calloc(1, room);
	FILE *file = fopen(path, "r");
	assert_non_null(text);
	assert_non_null(file);
	assert_true(fread(text, 1, room - 1, file) < room - 1);
	fclose(file);
	return text;
}

weir_device_info host_info(void)
{
	weir_device *device;
	weir_device_info info;
	ok(weir_device_open("host", &device));
	ok(weir_device_describe(device, &info));
	ok(weir_device_close(device));
	return info;
}

void same_rules(const weir_rule *a, const weir_rule *b, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(a[i].primitive, b[i].primitive);
		assert_int_equal(a[i].up_to, b[i].up_to);
		assert_int_equal(a[i].kind, b[i].kind);
		assert_int_equal(a[i].backoff.min, b[i].backoff.min);
		assert_int_equal(a[i].backoff.max, b[i].backoff.max);
		assert_int_equal(a[i].shape.known, b[i].shape.known);
		assert_int_equal(a[i].shape.shape.bits, b[i].shape.shape.bits);
	}
}

weir_point make_point(enum weir_primitive primitive, uint32_t kind, uint32_t value, uint32_t blocks,
                      double per_second)
{
	int has_pattern = weir_has_patterns(primitive);
	weir_point point = {.primitive = primitive,
	                    .kind = kind,
	                    .initial = has_pattern ? 0 : value,
	                    .pattern = has_pattern ? value : 0,
	                    .blocks = blocks,
	                    .threads = 128,
	                    .rounds = 1000,
	                    .repeats = 5,
	                    .per_second = per_second,
	                    .low = per_second * 0.9,
	                    .high = per_second * 1.1};
	return point;
}

weir_tuning make_tuning(enum weir_primitive primitive, uint32_t kind, uint32_t blocks,
                        double untuned, double tuned)
{
	weir_tuning tuning = {.primitive = primitive,
	                      .kind = kind,
	                      .blocks = blocks,
	                      .threads = 128,
	                      .untuned_per_second = untuned,
	                      .tuned_per_second = tuned};
	return tuning;
}

/* Gives a rule a shape. */
static void add_tuned_barrier(weir_profile *profile)
{
	weir_tuning tuning =
	    make_tuning(WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_COUNTER, 64, 1e6, 2e6);
	weir_point point = make_point(WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_COUNTER, 0, 64, 1e6);
	tuning.shape = (weir_known_shape){1, {.bits = 3}};
	ok(weir_profile_add_tuning(profile, &tuning));
	ok(weir_profile_add_point(profile, &point));
	point.kind = WEIR_BARRIER_XF;
	ok(weir_profile_add_point(profile, &point));
}

weir_profile *full_profile(const weir_device_info *device)
{
	weir_profile *profile = calloc(1, sizeof *profile);
	assert_non_null(profile);
	snprintf(profile->name, sizeof profile->name, "made \"up\"");
	snprintf(profile->commit, sizeof profile->commit, "0123456789abcdef");
	profile->device = *device;
	profile->has_probe = 1;
	profile->probe.blocks = 64;
	profile->probe.threads = 128;
	profile->probe.accesses = 1000;
	for (int i = 0; i < WEIR_ACCESS_COUNT; i++)
		profile->probe.ms[i] = 0.125 * (i + 1);

	weir_point point = make_point(WEIR_PRIMITIVE_SEMAPHORE, WEIR_SEMAPHORE_SPIN, 10, 64, 0);
	point.work = 3;
	point.timed_out = 1;
	point.completed = 1ull << 40;
	ok(weir_profile_add_point(profile, &point));
	point = make_point(WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_RING, 0, 64, 1234567.125);
	point.jain = 0.75;
	point.worst_share = 0.5;
	ok(weir_profile_add_point(profile, &point));
	for (uint32_t pattern = 1; weir_pattern_name(pattern); pattern++) {
		enum weir_primitive of = WEIR_PRIMITIVE_EVENT_ARRAY;
		while (!weir_pattern_is_of(pattern, of))
			of++;
		point = make_point(of, weir_pattern_default(pattern, 64), pattern, 64, pattern);
		ok(weir_profile_add_point(profile, &point));
	}
	weir_tuning tuning = make_tuning(WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_TICKET, 64, 1e6, 2e6);
	tuning.backoff = (weir_backoff){2, 40};
	ok(weir_profile_add_tuning(profile, &tuning));
	add_tuned_barrier(profile);
	ok(weir_profile_make_rules(profile));
	return profile;
}
