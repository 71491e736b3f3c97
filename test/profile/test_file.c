/* The file of a profile: written, read back, and refused if anything is wrong with it. */
/* Declares geteuid and mkdir. */
#define _POSIX_C_SOURCE 200809L
#include "base/name.h"
#include "profile_test.h"

#include <dirent.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int entries(void)
{
	int count = 0;
	struct dirent *entry;
	DIR *listed = opendir(folder);
	assert_non_null(listed);
	while ((entry = readdir(listed)))
		count += entry->d_name[0] != '.';
	closedir(listed);
	return count;
}

static void same_points(const weir_profile *a, const weir_profile *b)
{
	assert_int_equal(a->point_count, b->point_count);
	for (size_t i = 0; i < a->point_count; i++) {
		const weir_point *p = &a->points[i];
		const weir_point *q = &b->points[i];
		assert_int_equal(p->primitive, q->primitive);
		assert_int_equal(p->kind, q->kind);
		assert_int_equal(p->initial, q->initial);
		assert_int_equal(p->pattern, q->pattern);
		assert_int_equal(p->blocks, q->blocks);
		assert_int_equal(p->threads, q->threads);
		assert_int_equal(p->work, q->work);
		assert_int_equal(p->rounds, q->rounds);
		assert_int_equal(p->repeats, q->repeats);
		assert_int_equal(p->timed_out, q->timed_out);
		assert_true(p->completed == q->completed);
		assert_true(fabs(p->per_second - q->per_second) <= 1e-8 * p->per_second);
		assert_true(fabs(p->low - q->low) <= 1e-8 * p->low);
		assert_true(fabs(p->high - q->high) <= 1e-8 * p->high);
		assert_true(p->jain == q->jain && p->worst_share == q->worst_share);
	}
}

static void same_device(const weir_device_info *a, const weir_device_info *b)
{
	assert_int_equal(a->machine, b->machine);
	assert_string_equal(a->name, b->name);
	assert_string_equal(a->description, b->description);
	assert_string_equal(a->driver, b->driver);
	assert_int_equal(a->is_gpu, b->is_gpu);
	assert_int_equal(a->units, b->units);
	assert_int_equal(a->max_threads_per_block, b->max_threads_per_block);
	assert_int_equal(a->resident_blocks_at_128, b->resident_blocks_at_128);
	assert_int_equal(a->l2_bytes, b->l2_bytes);
	assert_int_equal(a->cluster_blocks, b->cluster_blocks);
}

static void same_probe(const weir_probe *a, const weir_probe *b)
{
	assert_int_equal(a->blocks, b->blocks);
	assert_int_equal(a->threads, b->threads);
	assert_int_equal(a->accesses, b->accesses);
	for (int i = 0; i < WEIR_ACCESS_COUNT; i++)
		assert_true(a->ms[i] == b->ms[i]);
}

static void round_trip(void **state)
{
	weir_device_info info = host_info();
	weir_profile *read;

	(void)state;
	info.l2_bytes = 1ull << 40;
	weir_profile *made = full_profile(&info);
	ok(weir_profile_write(made, in_folder("full.json")));
	ok(weir_profile_read(in_folder("full.json"), &read));
	assert_string_equal(read->name, made->name);
	assert_string_equal(read->commit, made->commit);
	same_device(&read->device, &made->device);
	assert_true(read->has_probe);
	same_probe(&read->probe, &made->probe);
	same_points(read, made);
	assert_int_equal(read->tuning_count, 2);
	assert_int_equal(read->tunings[0].backoff.min, 2);
	assert_int_equal(read->tunings[0].backoff.max, 40);
	assert_true(read->tunings[0].tuned_per_second == 2e6);
	assert_true(read->tunings[0].untuned_per_second == 1e6);
	assert_false(read->tunings[0].shape.known);
	assert_true(read->tunings[1].shape.known);
	assert_int_equal(read->tunings[1].shape.shape.bits, 3);
	const weir_rule *rule = weir_profile_rule(read, WEIR_PRIMITIVE_BARRIER, 64);
	assert_true(rule->shape.known);
	assert_int_equal(rule->shape.shape.bits, 3);
	assert_int_equal(read->rule_count, made->rule_count);
	same_rules(read->rules, made->rules, made->rule_count);

	char *once = weir_profile_text(made);
	char *twice = weir_profile_text(read);
	assert_string_equal(once, twice);
	free(once);
	free(twice);
	weir_profile_destroy(read);
	weir_profile_destroy(made);
}

/* A file can hold any name of a CPU or a driver: names of one letter and of 200, and bytes that are
 * not UTF-8. */
static void any_name(void **state)
{
	static const struct {
		const char *given, *kept;
	} names[] = {
	    {"A", "A"},
	    {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
	    {"Latin \xae 1", "Latin ? 1"},
	    {"cut \xe2\x82", "cut ??"},
	    {"long \xc0\x80 half \xed\xa0\x80", "long ?? half ???"},
	};
	char given[201], room[8];

	(void)state;
	for (size_t i = 0; i <= sizeof names / sizeof names[0]; i++) {
		weir_device_info info = host_info();
		weir_profile *read;
		int made_up = i == sizeof names / sizeof names[0];
		memset(given, 'n', 200);
		given[200] = '\0';
		memset(info.description, 'x', sizeof info.description);
		weir_copy_name(info.description, sizeof info.description,
		               made_up ? given : names[i].given);
		if (!made_up)
			assert_string_equal(info.description, names[i].kept);
		assert_null(memchr(info.description, 'x', sizeof info.description));
		weir_profile *made = full_profile(&info);
		ok(weir_profile_write(made, in_folder("named.json")));
		ok(weir_profile_read(in_folder("named.json"), &read));
		same_device(&read->device, &info);
		weir_profile_destroy(read);
		weir_profile_destroy(made);
	}
	weir_copy_name(room, sizeof room, "abcde\xe2\x82\xac");
	assert_memory_equal(room, "abcde\0\0", sizeof room);
}

/* Each shipped file is exactly what the library would write, including its classification. */
static void builtins(void **state)
{
	size_t i = 0;
	const char *name;
	(void)state;
	for (; (name = weir_profile_builtin_name(i)); i++) {
		weir_profile *profile;
		char path[1024];
		ok(weir_profile_builtin(name, &profile));
		assert_string_equal(profile->name, name);
		for (int p = WEIR_PRIMITIVE_BARRIER; p <= WEIR_PRIMITIVE_SEMAPHORE; p++)
			assert_non_null(
			    weir_profile_rule(profile, (enum weir_primitive)p, UINT32_MAX));
		snprintf(path, sizeof path, "%s/%s.json", PROFILES, name);
		char *file = read_text(path);
		char *text = weir_profile_text(profile);
		assert_string_equal(text, file);
		free(file);
		free(text);
		weir_profile_destroy(profile);
	}
	assert_true(i >= 4);
	assert_null(weir_profile_builtin_name(i));
	assert_null(weir_profile_builtin_name(i + 10));
	weir_profile *none;
	assert_int_equal(weir_profile_builtin("voodoo", &none), WEIR_NOT_FOUND);
	error_says("voodoo");
	assert_null(none);
}

/* A good profile with one change, and the resulting error. */
#define DEVICE "\"device\": {\"machine\": \"host\", \"description\": \"d\", \"is_gpu\": false}"
#define HEAD "{\"weir_profile\": 2, " DEVICE ", "
#define POINT "\"primitive\": \"mutex\", \"blocks\": 1, \"threads\": 1, \"rounds\": 1, "
#define EVENT(members)                                                                             \
	HEAD "\"points\": [{\"primitive\": \"event\", \"kind\": \"word\", \"blocks\": 1, "         \
	     "\"threads\": 1, "                                                                    \
	     "\"rounds\": 1, \"per_second\": 1, \"repeats\": 1, \"low\": 1, \"high\": 1" members   \
	     "}]}"
#define MEASURED "\"repeats\": 1, \"low\": 1, \"high\": 1, "
#define WAYS "{\"read\": 1, \"write\": 1}"
#define PLACES "{\"same\": " WAYS ", \"own\": " WAYS "}"
#define COUNTS "\"blocks\": 1, \"threads\": 1, \"accesses\": 1, "
#define PROBE(ms) HEAD "\"probe\": {" COUNTS "\"ms\": " ms "}}"
#define SHAPE(bits) "{\"bits\": " bits "}"
#define BARRIER(kind, shape)                                                                       \
	"{\"primitive\": \"barrier\", \"kind\": \"" kind "\", \"shape\": " shape "}"
#define RULES(rules) HEAD "\"rules\": [" rules "]}"

static const struct {
	const char *text;
	const char *says[3];
} wrong[] = {
    {"", {"wrong.json:1: not JSON"}},
    {"not JSON\n", {"wrong.json:1: not JSON"}},
    {"{\"weir_profile\": 2,\n\n  oops", {"wrong.json:3: not JSON"}},
    {"{\"weir_profile\": 2,", {"not JSON", "end of file"}},
    {"{\"weir_profile\": 2, \"weir_profile\": 1}", {"not JSON", "duplicate"}},
    {HEAD "\"name\": \"a\"} trailing", {"not JSON", "end of file expected"}},
    {"[]", {"not a profile"}},
    {"{}", {"not a profile", "weir_profile"}},
    {"{\"weir_profile\": \"1\"}", {"not a profile"}},
    {"{\"weir_profile\": 3}", {"version 3", "reads version 2"}},
    {"{\"weir_profile\": 1}", {"version 1", "older weir", "weir profile --save"}},
    {"{\"weir_profile\": 2}", {"device must be an object"}},
    {HEAD "\"surprise\": 1}", {"unknown member 'surprise'"}},
    {HEAD "\"name\": 5}", {"name must be a text"}},
    {"{\"weir_profile\": 2, \"device\": {\"machine\": \"host\", \"is_gpu\": true}}",
     {"device.description is missing"}},
    {"{\"weir_profile\": 2, \"device\": {\"machine\": \"abacus\"}}", {"device.machine", "cuda"}},
    {"{\"weir_profile\": 2, \"device\": {\"machine\": \"host\", \"description\": 1}}",
     {"device.description must be a text"}},
    {"{\"weir_profile\": 2, \"device\": {\"machine\": \"host\", \"description\": \"d\", "
     "\"is_gpu\": 1}}",
     {"device.is_gpu must be true or false"}},
    {"{\"weir_profile\": 2, \"device\": {\"machine\": \"host\", \"description\": \"d\", "
     "\"is_gpu\": true, \"units\": -1}}",
     {"device.units", "whole number from 0"}},
    {"{\"weir_profile\": 2, \"device\": {\"machine\": \"host\", \"description\": \"d\", "
     "\"is_gpu\": true, \"units\": 4294967296}}",
     {"device.units", "4294967295"}},
    {"{\"weir_profile\": 2, \"device\": {\"machine\": \"host\", \"description\": \"d\", "
     "\"is_gpu\": true, \"name\": \"a name that is much too long for a device\"}}",
     {"device.name is too long"}},
    {HEAD "\"probe\": 1}", {"probe must be an object"}},
    {HEAD "\"probe\": {}}", {"probe.blocks", "from 1"}},
    {HEAD "\"probe\": {" COUNTS "\"other\": 1}}", {"probe.ms.volatile.same.read is missing"}},
    {PROBE("{\"volatile\": " PLACES ", \"atomic\": " PLACES "}"),
     {"probe.ms.primed.same.read is missing"}},
    {PROBE("{\"volatile\": {\"same\": " WAYS ", \"own\": {\"read\": 1}}}"),
     {"probe.ms.volatile.own.write is missing"}},
    {PROBE("{\"volatile\": {\"same\": {\"read\": 0}}}"),
     {"probe.ms.volatile.same.read", "a nanosecond to a day"}},
    {PROBE("{\"volatile\": {\"same\": {\"read\": -2.5}}}"),
     {"probe.ms.volatile.same.read", "a nanosecond to a day"}},
    {PROBE("{\"volatile\": {\"same\": {\"read\": 1e308}}}"),
     {"probe.ms.volatile.same.read", "from 1e-06 to 86400000"}},
    {PROBE("{\"volatile\": {\"same\": {\"read\": 86400001}}}"),
     {"probe.ms.volatile.same.read", "a nanosecond to a day"}},
    {PROBE("{\"volatile\": {\"same\": {\"read\": 5e-324}}}"),
     {"probe.ms.volatile.same.read", "a nanosecond to a day"}},
    {PROBE("{\"volatile\": {\"same\": {\"read\": \"1\"}}}"),
     {"probe.ms.volatile.same.read", "number"}},
    {PROBE("{\"volatile\": {\"same\": {\"read\": NaN}}}"), {"not JSON"}},
    {PROBE("{\"volatile\": {\"same\": {\"read\": 1e999}}}"), {"not JSON", "overflow"}},
    {HEAD "\"points\": {}}", {"points must be an array"}},
    {HEAD "\"points\": [5]}", {"points[0] must be an object"}},
    {HEAD "\"points\": [{" POINT MEASURED "\"kind\": \"ring\", \"per_second\": 1}, {}]}",
     {"points[1].primitive is missing"}},
    {HEAD "\"points\": [{" POINT MEASURED "\"kind\": \"ring\"}]}",
     {"points[0].per_second is missing"}},
    {HEAD "\"points\": [{" POINT MEASURED "\"kind\": \"sleeping\", \"per_second\": 1}]}",
     {"points[0].kind", "no mutex of kind 'sleeping'"}},
    {HEAD "\"points\": [{" POINT MEASURED "\"kind\": \"default\", \"per_second\": 1}]}",
     {"points[0].kind"}},
    {HEAD "\"points\": [{" POINT MEASURED "\"kind\": \"ring\", \"per_second\": -1}]}",
     {"points[0].per_second", "0 or a number from 1e-06 to 1e+15"}},
    {HEAD "\"points\": [{" POINT MEASURED "\"kind\": \"ring\", \"per_second\": 1e308}]}",
     {"points[0].per_second", "1e+15"}},
    {HEAD "\"points\": [{" POINT MEASURED "\"kind\": \"ring\", \"per_second\": 5e-324}]}",
     {"points[0].per_second", "1e-06"}},
    {HEAD "\"points\": [{" POINT MEASURED "\"kind\": \"ring\", \"per_second\": 0}]}",
     {"points[0].per_second is 0"}},
    {HEAD "\"points\": [{" POINT MEASURED "\"kind\": \"ring\", \"per_second\": 1, \"jain\": 2}]}",
     {"points[0].jain", "from 0 to 1"}},
    {EVENT(""), {"points[0].pattern is missing"}},
    {EVENT(", \"pattern\": \"ring\""), {"points[0].pattern is not a pattern"}},
    {EVENT(", \"pattern\": 2"), {"points[0].pattern is not a pattern"}},
    {EVENT(", \"initial\": 2"), {"points[0].initial is only for semaphores"}},
    {HEAD "\"points\": [{" POINT MEASURED
          "\"kind\": \"ring\", \"per_second\": 1, \"pattern\": \"meet\"}]}",
     {"points[0].pattern is not for barriers"}},
    {HEAD "\"points\": [{\"primitive\": \"array of events\"}]}",
     {"points[0].primitive", "queue, dispenser, tasks, condition, rwlock, once or combiner"}},
    {HEAD "\"tunings\": [{\"primitive\": \"event\"}]}", {"tunings[0].primitive", "semaphore"}},
    {RULES("{\"primitive\": \"event\", \"kind\": \"word\"}"), {"rules[0].primitive", "semaphore"}},
    {HEAD "\"tunings\": [{\"primitive\": \"queue\"}]}", {"tunings[0].primitive", "semaphore"}},
    {RULES("{\"primitive\": \"mutex\", \"kind\": \"ring\", \"backoff\": 5}"),
     {"rules[0].backoff must be an object"}},
    {RULES("{\"primitive\": \"mutex\", \"kind\": \"ring\", \"backoff\": {\"min\": 2}}"),
     {"rules[0].backoff.max is missing"}},
    {RULES("{\"primitive\": \"mutex\", \"kind\": \"ring\", "
           "\"backoff\": {\"min\": 2, \"max\": 1}}"),
     {"rules[0].backoff.min is above its max"}},
    {RULES(BARRIER("counter", "5")), {"rules[0].shape must be an object"}},
    {RULES(BARRIER("counter", "{}")), {"rules[0].shape.bits is missing"}},
    {RULES(BARRIER("counter", SHAPE("\"3\""))), {"rules[0].shape.bits", "whole number"}},
    {RULES(BARRIER("counter", SHAPE("1, \"colour\": 1"))),
     {"rules[0].shape", "unknown member 'colour'"}},
    {RULES(BARRIER("counter", SHAPE("5"))), {"rules[0].shape: ", "4 bits"}},
    {RULES(BARRIER("counter", SHAPE("4000000000"))), {"rules[0].shape: ", "4 bits"}},
    {RULES("{\"primitive\": \"barrier\", \"up_to\": 7, \"kind\": \"counter\", \"shape\": " SHAPE(
	 "3") "}"),
     {"rules[0].shape: ", "as many shards, 2^bits, as blocks"}},
    {RULES(BARRIER("xf", SHAPE("1"))), {"rules[0].shape: ", "kind xf has none"}},
    {RULES(BARRIER("central", SHAPE("0"))), {"rules[0].shape: ", "kind central has none"}},
    {HEAD "\"tunings\": [{\"blocks\": 3, \"threads\": 1, \"untuned_per_second\": 1, "
          "\"tuned_per_second\": 1, \"primitive\": \"barrier\", \"kind\": \"counter\", "
          "\"shape\": " SHAPE("2") "}]}",
     {"tunings[0].shape: ", "as many shards, 2^bits, as blocks"}},
    {HEAD "\"tunings\": [{\"blocks\": 1, \"threads\": 1, \"untuned_per_second\": 1, "
          "\"tuned_per_second\": 1, \"primitive\": \"mutex\", \"kind\": \"ticket\", "
          "\"shape\": " SHAPE("0") "}]}",
     {"tunings[0].shape: ", "kind ticket has none"}},
    {RULES("{\"primitive\": \"mutex\", \"kind\": \"ring\", \"up_to\": 4}"),
     {"rules[0].up_to", "mutex has no count"}},
    {RULES("{\"primitive\": \"barrier\", \"kind\": \"xf\", \"up_to\": 4}"),
     {"rules[0].up_to", "last rule for a barrier"}},
    {RULES("{\"primitive\": \"barrier\", \"kind\": \"xf\"}, "
           "{\"primitive\": \"barrier\", \"kind\": \"atomic\"}"),
     {"rules[0] leaves nothing"}},
};

static void broken(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		weir_profile *profile = (weir_profile *)state;
		const char *path = write_file("wrong.json", wrong[i].text);
		if (weir_profile_read(path, &profile) != WEIR_BAD_ARGUMENT)
			fail_msg("accepted: %s", wrong[i].text);
		assert_null(profile);
		error_says(path);
		for (int j = 0; j < 3 && wrong[i].says[j]; j++)
			error_says(wrong[i].says[j]);
	}
	assert_int_equal(remove(in_folder("wrong.json")), 0);
}

/* Cut off after any number of bytes, a profile is refused. */
static void truncated(void **state)
{
	weir_device_info info = host_info();
	weir_profile *made = full_profile(&info);
	weir_profile *read;
	char *text = weir_profile_text(made);
	(void)state;
	for (size_t length = strlen(text) - 2; length > 0; length -= length < 7 ? length : 7) {
		text[length] = '\0';
		assert_int_equal(weir_profile_parse(text, "cut", &read), WEIR_BAD_ARGUMENT);
		error_says("cut:", "not JSON");
	}
	free(text);
	weir_profile_destroy(made);
}

/* The text of a part is in that of the whole, except for spaces. */
static void part_of(const char *whole, char *part)
{
	char *squeezed = strdup(whole);
	char *to = squeezed;
	int quoted = 0;

	for (const char *from = whole; *from; from++) {
		quoted ^= *from == '"';
		if (quoted || (*from != ' ' && *from != '\n'))
			*to++ = *from;
	}
	*to = '\0';
	assert_non_null(part);
	assert_non_null(strstr(squeezed, part));
	free(squeezed);
	free(part);
}

static void parts(void **state)
{
	weir_device_info info = host_info();
	weir_profile *made = full_profile(&info);
	char *whole = weir_profile_text(made);

	(void)state;
	part_of(whole, weir_device_json(&made->device));
	part_of(whole, weir_probe_json(&made->probe));
	for (size_t i = 0; i < made->point_count; i++)
		part_of(whole, weir_point_json(&made->points[i]));
	for (size_t i = 0; i < made->tuning_count; i++)
		part_of(whole, weir_tuning_json(&made->tunings[i]));
	free(whole);

	/* Times that were not measured are omitted; invalid times give no text. */
	made->probe.ms[3] = 0;
	char *text = weir_probe_json(&made->probe);
	assert_non_null(strstr(text, "\"own\":{\"read\":"));
	free(text);
	made->probe.ms[3] = NAN;
	assert_null(weir_probe_json(&made->probe));
	made->points[0].per_second = NAN;
	assert_null(weir_point_json(&made->points[0]));
	weir_profile_destroy(made);
}

static void unreadable(void **state)
{
	weir_profile *read;
	(void)state;
	assert_int_equal(weir_profile_read(in_folder("nowhere.json"), &read), WEIR_NOT_FOUND);
	error_says("nowhere.json", "No such file");
	assert_int_equal(weir_profile_read(folder, &read), WEIR_DRIVER_ERROR);
	error_says(folder, "directory");
}

/* A profile that cannot be written leaves the old file and no other. */
static void unwritable(void **state)
{
	weir_device_info info = host_info();
	weir_profile *made = full_profile(&info);
	int before;
	(void)state;
	assert_int_equal(weir_profile_write(made, in_folder("no/such/folder.json")),
	                 WEIR_DRIVER_ERROR);
	error_says("cannot write", "folder.json", "No such file");
	assert_int_equal(weir_profile_write(made, "/dev/null"), WEIR_DRIVER_ERROR);
	error_says("/dev/null", "not a regular file");
	assert_int_equal(weir_profile_write(made, folder), WEIR_DRIVER_ERROR);

	write_file("kept.json", "kept");
	before = entries();
	made->probe.ms[3] = NAN;
	assert_int_equal(weir_profile_write(made, in_folder("kept.json")), WEIR_BAD_ARGUMENT);
	error_says("not finite");
	made->probe.ms[3] = -1;
	assert_int_equal(weir_profile_write(made, in_folder("kept.json")), WEIR_BAD_ARGUMENT);
	error_says("to be written", "probe.ms.volatile.own.write");
	char *kept = read_text(in_folder("kept.json"));
	assert_string_equal(kept, "kept");
	free(kept);
	assert_int_equal(entries(), before);
	made->probe.ms[3] = 1;
	ok(weir_profile_write(made, in_folder("kept.json")));
	assert_int_equal(entries(), before);
	weir_profile_destroy(made);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(round_trip), cmocka_unit_test(any_name),  cmocka_unit_test(builtins),
	    cmocka_unit_test(broken),     cmocka_unit_test(truncated), cmocka_unit_test(unreadable),
	    cmocka_unit_test(unwritable), cmocka_unit_test(parts),
	};
	/* As in a program that uses its user's locale: the files must not change. */
	setlocale(LC_NUMERIC, "");
	make_folder(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
