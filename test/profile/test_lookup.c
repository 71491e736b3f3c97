/* Which profile a device gets, and that its objects follow it. */
/* Declares setenv and mkdir. */
#define _POSIX_C_SOURCE 200809L
#include "profile_test.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/backend.h"
#include "core/defaults.h"
#include "core/device.h"
#include "weir/device.h"

static weir_device_info info;

static weir_device_info gpu(const char *description)
{
	weir_device_info device = {.machine = WEIR_MACHINE_CUDA, .is_gpu = 1, .units = 100};
	snprintf(device.description, sizeof device.description, "%s", description);
	return device;
}

static int no_profiles(void **state)
{
	(void)state;
	unsetenv("WEIR_PROFILE");
	setenv("HOME", in_folder("home"), 1);
	setenv("XDG_CONFIG_HOME", in_folder("config"), 1);
	remove(in_folder("config/weir/host.json"));
	return 0;
}

/* A profile of the host with rules that no built-in one has. */
static void write_mine(const char *path)
{
	weir_profile *profile = calloc(1, sizeof *profile);
	const weir_known_shape none = {0};
	weir_rule rules[] = {
	    {WEIR_PRIMITIVE_MUTEX, 0, WEIR_MUTEX_RING, {2, 77}, none},
	    {WEIR_PRIMITIVE_SEMAPHORE, 3, WEIR_SEMAPHORE_SPIN_BACKOFF, {4, 5}, none},
	    {WEIR_PRIMITIVE_SEMAPHORE, 0, WEIR_SEMAPHORE_SPIN, {0, 0}, none},
	    {WEIR_PRIMITIVE_BARRIER, 2, WEIR_BARRIER_XF, {0, 0}, none},
	    {WEIR_PRIMITIVE_BARRIER, 3, WEIR_BARRIER_ATOMIC, {0, 0}, none},
	    {WEIR_PRIMITIVE_BARRIER, 4, WEIR_BARRIER_COUNTER, {0, 0}, none},
	    {WEIR_PRIMITIVE_BARRIER, 5, WEIR_BARRIER_COUNTER, {0, 0}, {1, {2}}},
	    {WEIR_PRIMITIVE_BARRIER, 0, WEIR_BARRIER_ATOMIC, {0, 0}, none},
	};
	weir_tuning tunings[] = {
	    make_tuning(WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_COUNTER, 2, 5, 4),
	    make_tuning(WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_COUNTER, 7, 5, 6),
	};
	assert_non_null(profile);
	tunings[0].shape = (weir_known_shape){1, {1}};
	tunings[1].shape = (weir_known_shape){1, {2}};
	profile->tunings = tunings;
	profile->tuning_count = sizeof tunings / sizeof *tunings;
	profile->device = info;
	profile->rules = rules;
	profile->rule_count = sizeof rules / sizeof *rules;
	ok(weir_profile_write(profile, path));
	free(profile);
}

static void check_objects(weir_device *device)
{
	weir_mutex mutex;
	weir_mutex_array array;
	weir_semaphore semaphore;
	weir_barrier barrier;
	weir_mutex_options wish = {.backoff = {7, 8}};
	const weir_mutex_options none = {.kind = WEIR_MUTEX_RING, .has_backoff = 1};

	ok(weir_mutex_create(device, NULL, &mutex));
	assert_int_equal(mutex.config.kind, WEIR_MUTEX_RING);
	assert_int_equal(mutex.config.backoff.min, 2);
	assert_int_equal(mutex.config.backoff.max, 77);
	ok(weir_mutex_create(device, &wish, &mutex));
	assert_int_equal(mutex.config.backoff.max, 8);
	ok(weir_mutex_create(device, &(weir_mutex_options){.kind = WEIR_MUTEX_RING}, &mutex));
	assert_int_equal(mutex.config.backoff.max, 77);
	ok(weir_mutex_create(device, &none, &mutex));
	assert_int_equal(mutex.config.backoff.max, 0);
	ok(weir_mutex_create(device, &(weir_mutex_options){.kind = WEIR_MUTEX_TICKET}, &mutex));
	assert_int_equal(mutex.config.backoff.max, 0);
	ok(weir_mutex_create(device, &(weir_mutex_options){.kind = WEIR_MUTEX_TTAS}, &mutex));
	assert_int_equal(mutex.config.backoff.max, WEIR_BACKOFF_MAX);
	ok(weir_mutex_create(device, &(weir_mutex_options){.kind = WEIR_MUTEX_SPIN}, &mutex));
	assert_int_equal(mutex.config.backoff.max, 0);
	ok(weir_mutex_array_create(device, 4, NULL, &array));
	assert_int_equal(array.config.kind, WEIR_MUTEX_TICKET);
	ok(weir_semaphore_create(device, 1, 3, NULL, &semaphore));
	assert_int_equal(semaphore.config.kind, WEIR_SEMAPHORE_SPIN_BACKOFF);
	assert_int_equal(semaphore.config.backoff.min, 4);
	ok(weir_semaphore_create(device, 1, 4, NULL, &semaphore));
	assert_int_equal(semaphore.config.kind, WEIR_SEMAPHORE_SPIN);
	ok(weir_barrier_create(device, 2, NULL, &barrier));
	assert_int_equal(barrier.config.kind, WEIR_BARRIER_XF);
	ok(weir_barrier_create(device, 3, NULL, &barrier));
	assert_int_equal(barrier.config.kind, WEIR_BARRIER_ATOMIC);
}

static void shape_is(weir_device *device, weir_barrier_kind kind, uint32_t blocks, uint32_t shards,
                     weir_shape expected)
{
	weir_barrier b;
	ok(weir_barrier_create(device, blocks,
	                       &(weir_barrier_options){.kind = kind, .shards = shards}, &b));
	assert_int_equal(b.config.kind, WEIR_BARRIER_COUNTER);
	assert_int_equal(b.config.shape.bits, expected.bits);
	ok(weir_barrier_destroy(device, &b));
}

static weir_shape untuned(uint32_t blocks)
{
	return weir_untuned_shape(weir_kind_find(WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_COUNTER),
	                          blocks);
}

static void check_shapes(weir_device *device)
{
	weir_barrier_options wish = {.shards = 2};
	weir_barrier b;

	shape_is(device, WEIR_BARRIER_DEFAULT, 4, 0, untuned(4));
	shape_is(device, WEIR_BARRIER_DEFAULT, 5, 0, (weir_shape){2});
	shape_is(device, WEIR_BARRIER_COUNTER, 5, 0, (weir_shape){2});
	shape_is(device, WEIR_BARRIER_DEFAULT, 5, 2, (weir_shape){1});
	shape_is(device, WEIR_BARRIER_DEFAULT, 5, 1, (weir_shape){0});
	/* This is not the default kind there: it takes the tuning at the next larger count, if that
	 * was faster. */
	shape_is(device, WEIR_BARRIER_COUNTER, 2, 0, untuned(2));
	shape_is(device, WEIR_BARRIER_COUNTER, 7, 0, (weir_shape){2});
	/* No more shards than blocks. */
	shape_is(device, WEIR_BARRIER_COUNTER, 3, 0, (weir_shape){1});
	shape_is(device, WEIR_BARRIER_COUNTER, 8, 0, untuned(8));
	/* The default kind has no shape. */
	assert_int_equal(weir_barrier_create(device, 2, &wish, &b), WEIR_BAD_ARGUMENT);
	error_says("a barrier of kind xf has none");
	wish.kind = WEIR_BARRIER_CENTRAL;
	assert_int_equal(weir_barrier_create(device, 2, &wish, &b), WEIR_BAD_ARGUMENT);
	error_says("a barrier of kind central has none");
}

static void check_fair(weir_device *device)
{
	weir_mutex_options fair = {.fair = 1};
	weir_mutex mutex;
	weir_mutex_array array;

	ok(weir_mutex_create(device, &fair, &mutex));
	assert_int_equal(mutex.config.kind, WEIR_MUTEX_RING);
	assert_int_equal(mutex.config.backoff.max, 77);
	ok(weir_mutex_array_create(device, 2, &(weir_mutex_array_options){.fair = 1}, &array));
	assert_int_equal(array.config.kind, WEIR_MUTEX_TICKET);
	fair.kind = WEIR_MUTEX_SPIN;
	assert_int_equal(weir_mutex_create(device, &fair, &mutex), WEIR_BAD_ARGUMENT);
	error_says("kind spin is not fair");
}

static void check_defaults(weir_device *device)
{
	weir_mutex_kind mutex;
	weir_semaphore_kind semaphore;
	weir_barrier_kind barrier;
	ok(weir_mutex_default_kind(device, &mutex));
	ok(weir_semaphore_default_kind(device, &semaphore));
	ok(weir_barrier_default_kind(device, &barrier));
	assert_int_equal(mutex, WEIR_MUTEX_RING);
	assert_int_equal(semaphore, WEIR_SEMAPHORE_SPIN);
	assert_int_equal(barrier, WEIR_BARRIER_ATOMIC);
}

/* Opens the host. The origin of its defaults must contain all these words. */
static weir_device *open_host(const char *from, const char *and)
{
	weir_device *device;
	ok(weir_device_open("host", &device));
	if (!strstr(weir_device_defaults_from(device), from) ||
	    !strstr(weir_device_defaults_from(device), and))
		fail_msg("defaults from %s", weir_device_defaults_from(device));
	return device;
}

static void builtin_for_host(void **state)
{
	weir_mutex mutex;
	weir_semaphore semaphore;
	(void)state;
	weir_device *device = open_host("built-in profile cpu", "");
	assert_string_equal(weir_device_defaults_from(device), "built-in profile cpu");
	ok(weir_mutex_create(device, NULL, &mutex));
	assert_int_equal(mutex.config.kind, WEIR_MUTEX_SPIN_BACKOFF);
	assert_int_equal(mutex.config.backoff.min, WEIR_BACKOFF_MIN);
	assert_int_equal(mutex.config.backoff.max, WEIR_BACKOFF_MAX);
	ok(weir_semaphore_create(device, 1, 1, NULL, &semaphore));
	assert_int_equal(semaphore.config.kind, WEIR_SEMAPHORE_SLEEPING);
	const weir_mutex_options fair = {.fair = 1};
	ok(weir_mutex_create(device, &fair, &mutex));
	assert_true(weir_kind_find(WEIR_PRIMITIVE_MUTEX, mutex.config.kind)->fair);
	ok(weir_device_close(device));
	assert_string_equal(weir_device_defaults_from(device), "");
	assert_string_equal(weir_device_defaults_from(NULL), "");
}

static void by_environment(void **state)
{
	(void)state;
	const char *path = in_folder("mine.json");
	write_mine(path);
	setenv("WEIR_PROFILE", path, 1);
	weir_device *device = open_host("mine.json", "");
	assert_null(strstr(weir_device_defaults_from(device), "built-in"));
	check_objects(device);
	check_shapes(device);
	check_fair(device);
	check_defaults(device);
	ok(weir_device_close(device));
}

static void by_config_folder(void **state)
{
	char path[1024];
	(void)state;
	ok(weir_profile_path(&info, path, sizeof path));
	assert_string_equal(path, in_folder("config/weir/host.json"));
	ok(weir_profile_make_folders(path));
	ok(weir_profile_make_folders(path));
	write_mine(path);
	weir_device *device = open_host("config/weir/host.json", "");
	check_objects(device);
	ok(weir_device_close(device));
	/* The other variable takes precedence, even if it leads nowhere. */
	setenv("WEIR_PROFILE", in_folder("nowhere.json"), 1);
	device = open_host("built-in profile cpu", "nowhere.json");
	ok(weir_device_close(device));
	/* An empty variable is ignored. */
	setenv("WEIR_PROFILE", "", 1);
	device = open_host("config/weir/host.json", "");
	ok(weir_device_close(device));
}

/* If it has rules only for mutexes, the rest is taken from the built-in profile. */
static void completed(void **state)
{
	weir_profile *profile;
	char path[1024];
	(void)state;
	snprintf(path, sizeof path, "%s", in_folder("part.json"));
	write_mine(path);
	ok(weir_profile_read(path, &profile));
	profile->rule_count = 1;
	ok(weir_profile_write(profile, path));
	weir_profile_destroy(profile);
	setenv("WEIR_PROFILE", path, 1);
	weir_device *device = open_host("part.json", "built-in profile cpu");
	weir_mutex_kind mutex;
	weir_semaphore_kind semaphore;
	ok(weir_mutex_default_kind(device, &mutex));
	ok(weir_semaphore_default_kind(device, &semaphore));
	assert_int_equal(mutex, WEIR_MUTEX_RING);
	assert_int_equal(semaphore, WEIR_SEMAPHORE_SLEEPING);
	ok(weir_device_close(device));
}

static void passed_over(void **state)
{
	weir_device *device;
	weir_profile *profile;
	weir_mutex_kind mutex;
	char path[1024];
	char before[1024];

	(void)state;
	snprintf(path, sizeof path, "%s", in_folder("bad.json"));
	setenv("WEIR_PROFILE", path, 1);
	write_file("bad.json", "{\n]");
	weir_device_open("toaster", &device);
	snprintf(before, sizeof before, "%s", weir_error_text());
	device = open_host("built-in profile cpu (passed over ", "bad.json:2: not JSON");
	assert_string_equal(weir_error_text(), before);
	ok(weir_mutex_default_kind(device, &mutex));
	assert_int_equal(mutex, WEIR_MUTEX_SPIN_BACKOFF);
	ok(weir_device_close(device));

	write_mine(path);
	ok(weir_profile_read(path, &profile));
	profile->device.units++;
	ok(weir_profile_write(profile, path));
	device = open_host("built-in profile cpu (passed over ", "units");
	ok(weir_device_close(device));
	snprintf(profile->device.description, sizeof profile->device.description, "another CPU");
	ok(weir_profile_write(profile, path));
	device = open_host("built-in profile cpu (passed over ", "made on 'another CPU'");
	ok(weir_device_close(device));

	/* An older weir wrote shapes with other members. */
	write_file("bad.json", "{\"weir_profile\": 1, \"rules\": [{\"shape\": "
	                       "{\"shard_bits\": 2, \"copy_bits\": 0, \"first_pause\": 54}}]}");
	device = open_host("built-in profile cpu (passed over ",
	                   "made by an older weir: recreate it with weir profile --save");
	ok(weir_device_close(device));
	weir_profile_destroy(profile);
}

static void paths(void **state)
{
	char path[1024];
	weir_device_info device = gpu("NVIDIA H200 (rev. 2)/PCIe");
	(void)state;
	ok(weir_profile_path(&device, path, sizeof path));
	assert_string_equal(path, in_folder("config/weir/cuda-nvidia-h200-rev-2-pcie.json"));
	device.machine = WEIR_MACHINE_OPENCL;
	setenv("XDG_CONFIG_HOME", "relative", 1);
	ok(weir_profile_path(&device, path, sizeof path));
	assert_string_equal(path,
	                    in_folder("home/.config/weir/opencl-nvidia-h200-rev-2-pcie.json"));
	assert_int_equal(weir_profile_path(&device, path, 8), WEIR_BAD_ARGUMENT);
	unsetenv("HOME");
	assert_int_equal(weir_profile_path(&device, path, sizeof path), WEIR_NOT_FOUND);
	error_says("XDG_CONFIG_HOME");
	assert_int_equal(weir_profile_make_folders("/dev/null/a/b.json"), WEIR_DRIVER_ERROR);
	error_says("/dev/null/a");
}

static void matching(void **state)
{
	weir_profile *profile;
	weir_device_info device = gpu("NVIDIA H200");
	(void)state;
	ok(weir_profile_builtin("h200", &profile));
	device.units = profile->device.units;
	ok(weir_profile_matches(profile, &device));
	device.units = 0;
	ok(weir_profile_matches(profile, &device));
	device.units = 114;
	assert_int_equal(weir_profile_matches(profile, &device), WEIR_BAD_ARGUMENT);
	error_says("132 units", "114");
	device = gpu("NVIDIA H200 NVL");
	assert_int_equal(weir_profile_matches(profile, &device), WEIR_BAD_ARGUMENT);
	error_says("'NVIDIA H200'", "'NVIDIA H200 NVL'");
	device.machine = WEIR_MACHINE_OPENCL;
	assert_int_equal(weir_profile_matches(profile, &device), WEIR_BAD_ARGUMENT);
	error_says("cuda", "opencl");
	weir_profile_destroy(profile);
}

/* Rules that name kinds that GPU kernels do not have. */
static weir_profile *gpu_profile(void)
{
	weir_profile *profile = calloc(1, sizeof *profile);
	const weir_known_shape none = {0};
	const weir_rule rules[] = {
	    {WEIR_PRIMITIVE_MUTEX, 0, WEIR_MUTEX_RING, {2, 77}, none},
	    {WEIR_PRIMITIVE_SEMAPHORE, 3, WEIR_SEMAPHORE_PACKED, {4, 5}, none},
	    {WEIR_PRIMITIVE_SEMAPHORE, 0, WEIR_SEMAPHORE_SLEEPING, {6, 7}, none},
	    {WEIR_PRIMITIVE_BARRIER, 5, WEIR_BARRIER_XF, {0, 0}, none},
	    {WEIR_PRIMITIVE_BARRIER, 9, WEIR_BARRIER_CENTRAL, {0, 0}, none},
	    {WEIR_PRIMITIVE_BARRIER, 0, WEIR_BARRIER_COUNTER, {0, 0}, {1, {4}}},
	};
	weir_tuning shape = make_tuning(WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_COUNTER, 4, 5, 6);
	weir_tuning backoff = make_tuning(WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_SPIN_BACKOFF, 100, 5, 6);
	assert_non_null(profile);
	shape.shape = (weir_known_shape){1, {2}};
	backoff.backoff = (weir_backoff){3, 9};
	ok(weir_profile_add_tuning(profile, &shape));
	ok(weir_profile_add_tuning(profile, &backoff));
	profile->device = gpu("a GPU");
	profile->rules = malloc(sizeof rules);
	assert_non_null(profile->rules);
	memcpy(profile->rules, rules, sizeof rules);
	profile->rule_count = sizeof rules / sizeof *rules;
	return profile;
}

static void gpu_has(const weir_device *device, enum weir_primitive primitive, uint32_t count,
                    uint32_t kind)
{
	assert_int_equal(weir_default_kind(device, primitive, count), kind);
}

static int has_word64(void *state)
{
	(void)state;
	return 1;
}

static int no_word64(void *state)
{
	(void)state;
	return 0;
}

/* The text of a GPU's default includes the tuning of that kind. */
static void kinds_of_a_gpu(void **state)
{
	const weir_backend backend = {0};
	const weir_backend narrow = {.has_word64 = no_word64};
	weir_device device = {.backend = &backend, .profile = gpu_profile()};
	const weir_kind *counter = weir_kind_find(WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_COUNTER);
	const weir_kind *spin = weir_kind_find(WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_SPIN_BACKOFF);
	(void)state;
	/* A CPU follows the rules. */
	gpu_has(&device, WEIR_PRIMITIVE_MUTEX, 1, WEIR_MUTEX_RING);
	gpu_has(&device, WEIR_PRIMITIVE_SEMAPHORE, 4, WEIR_SEMAPHORE_SLEEPING);
	gpu_has(&device, WEIR_PRIMITIVE_BARRIER, 5, WEIR_BARRIER_XF);
	device.info = device.profile->device;
	gpu_has(&device, WEIR_PRIMITIVE_MUTEX, 1, WEIR_MUTEX_SPIN_BACKOFF);
	gpu_has(&device, WEIR_PRIMITIVE_MUTEX_ARRAY, 1, WEIR_MUTEX_SPIN_BACKOFF);
	gpu_has(&device, WEIR_PRIMITIVE_SEMAPHORE, 3, WEIR_SEMAPHORE_PACKED);
	gpu_has(&device, WEIR_PRIMITIVE_SEMAPHORE, 4, WEIR_SEMAPHORE_PACKED);
	gpu_has(&device, WEIR_PRIMITIVE_BARRIER, 5, WEIR_BARRIER_COUNTER);
	gpu_has(&device, WEIR_PRIMITIVE_BARRIER, 9, WEIR_BARRIER_CENTRAL);
	gpu_has(&device, WEIR_PRIMITIVE_BARRIER, 10, WEIR_BARRIER_COUNTER);
	weir_backoff found = weir_default_backoff(&device, WEIR_PRIMITIVE_MUTEX, 1, spin);
	assert_int_equal(found.min, 3);
	assert_int_equal(found.max, 9);
	assert_int_equal(weir_default_shape(&device, 4, counter).bits, 2);
	assert_int_equal(weir_default_shape(&device, 5, counter).bits, 0);
	assert_int_equal(weir_default_shape(&device, 10, counter).bits, 3);
	assert_int_equal(weir_default_shape(&device, 16, counter).bits, 4);
	device.backend = &narrow;
	gpu_has(&device, WEIR_PRIMITIVE_SEMAPHORE, 3, WEIR_SEMAPHORE_SLEEPING);
	weir_profile_destroy(device.profile);
}

/* First come, first served: a waiter's turn is certain, and a pause would only make it late. So by
 * default no waiter pauses without a limit set by its place in the queue. */
static void waiters_in_turn(void **state)
{
	static const enum weir_primitive primitives[] = {WEIR_PRIMITIVE_MUTEX,
	                                                 WEIR_PRIMITIVE_SEMAPHORE};
	const weir_kind *kind;
	(void)state;
	for (size_t p = 0; p < sizeof primitives / sizeof *primitives; p++)
		for (size_t i = 0; (kind = weir_kind_at(primitives[p], i)); i++)
			if (kind->fair == WEIR_FAIR && kind->pause != WEIR_PAUSE_BY_PLACE)
				assert_int_equal(weir_untuned_backoff(kind).max, 0);
	kind = weir_kind_find(WEIR_PRIMITIVE_SEMAPHORE, WEIR_SEMAPHORE_SLEEPING);
	assert_int_equal(weir_untuned_backoff(kind).max, 0);
	kind = weir_kind_find(WEIR_PRIMITIVE_EVENT_ARRAY, WEIR_EVENT_WORD);
	assert_int_equal(weir_untuned_backoff(kind).max, 0);
	kind = weir_kind_find(WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_SPIN_BACKOFF);
	assert_int_equal(weir_untuned_backoff(kind).max, WEIR_BACKOFF_MAX);
}

/* The advice about faster kinds: only where both were measured. */
static void faster_kinds(void **state)
{
	weir_profile *profile = gpu_profile();
	(void)state;
	char *text = weir_profile_faster_text(profile);
	assert_string_equal(text, "");
	free(text);
	weir_point mutex = make_point(WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_SPIN_BACKOFF, 0, 9, 1);
	weir_point barrier = make_point(WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_COUNTER, 0, 9, 1);
	ok(weir_profile_add_point(profile, &mutex));
	ok(weir_profile_add_point(profile, &barrier));
	text = weir_profile_faster_text(profile);
	assert_string_equal(
	    text,
	    "barrier: xf is faster here for 1 to 5 blocks than the default, counter; create "
	    "objects of "
	    "that kind, and compile kernels with -DWEIR_BARRIER_KIND=WEIR_BARRIER_XF\n"
	    "mutex: ring is faster here than the default, spin_backoff; create objects of that "
	    "kind, and compile kernels with -DWEIR_MUTEX_KIND=WEIR_MUTEX_RING\n");
	free(text);
	/* A span on its own names its unit. */
	profile->rules[3].kind = profile->rules[4].kind = WEIR_BARRIER_COUNTER;
	profile->rules[5].kind = WEIR_BARRIER_XF;
	text = weir_profile_faster_text(profile);
	assert_non_null(strstr(text, "barrier: xf is faster here for more than 9 blocks than "));
	free(text);
	profile->device.is_gpu = 0;
	text = weir_profile_faster_text(profile);
	assert_string_equal(text, "");
	free(text);
	weir_profile_destroy(profile);
}

/* The best on an H200, by number of blocks; and never more shards than blocks. */
static void untuned_shapes(void **state)
{
	static const struct {
		uint32_t blocks, bits;
	} best[] = {{1, 0},   {132, 0},  {350, 0},  {396, 2},       {700, 2},
	            {792, 3}, {1400, 3}, {1584, 4}, {UINT32_MAX, 4}};
	(void)state;
	for (size_t i = 0; i < sizeof best / sizeof *best; i++)
		assert_int_equal(untuned(best[i].blocks).bits, best[i].bits);
	for (uint32_t blocks = 1; blocks < 5000; blocks++)
		assert_true(blocks >> untuned(blocks).bits != 0);
}

/* The objects that a kernel makes without the library match the library's on an H200, or on a GPU
 * that it does not know. */
static void made_in_kernels(void **state)
{
	static const uint32_t blocks[] = {1, 2, 132, 264, 528, 1056, 2112};
	static const uint32_t slots[] = {1, 2, 3, 10, 11, 1000};
	const weir_backend backend = {.has_word64 = has_word64};
	weir_device device = {.backend = &backend, .info = gpu("a GPU of tomorrow")};
	const weir_kind *packed = weir_kind_find(WEIR_PRIMITIVE_SEMAPHORE, WEIR_SEMAPHORE_PACKED);
	const weir_kind *counter = weir_kind_find(WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_COUNTER);
	const weir_kind *spin = weir_kind_find(WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_SPIN_BACKOFF);
	weir_word words[2];
	weir_mutex m = weir_mutex_in(words);
	weir_backoff found;
	(void)state;
	ok(weir_defaults_load(&device));
	gpu_has(&device, WEIR_PRIMITIVE_MUTEX, 1, m.config.kind);
	found = weir_default_backoff(&device, WEIR_PRIMITIVE_MUTEX, 1, spin);
	assert_int_equal(found.min, m.config.backoff.min);
	assert_int_equal(found.max, m.config.backoff.max);
	for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
		weir_semaphore s = weir_semaphore_in(words, slots[i]);
		gpu_has(&device, WEIR_PRIMITIVE_SEMAPHORE, slots[i], s.config.kind);
		found = weir_default_backoff(&device, WEIR_PRIMITIVE_SEMAPHORE, slots[i], packed);
		assert_int_equal(found.min, s.config.backoff.min);
	}
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
		weir_barrier b = weir_barrier_in(words, blocks[i]);
		gpu_has(&device, WEIR_PRIMITIVE_BARRIER, blocks[i], b.config.kind);
		assert_int_equal(weir_default_shape(&device, blocks[i], counter).bits,
		                 b.config.shape.bits);
		assert_in_range(weir_barrier_words(b.config), 1, WEIR_BARRIER_WORDS(blocks[i]));
	}
	weir_defaults_drop(&device);
}

static void nearest_is(const weir_device_info *device, const char *name)
{
	weir_profile *profile;
	char origin[1024];
	ok(weir_profile_for(device, &profile, origin, sizeof origin));
	assert_string_equal(profile->name, name);
	assert_non_null(strstr(origin, name));
	weir_profile_destroy(profile);
}

static void nearest(void **state)
{
	weir_device_info device;
	(void)state;
	device = gpu("NVIDIA H200 NVL");
	nearest_is(&device, "h200");
	device.machine = WEIR_MACHINE_OPENCL;
	nearest_is(&device, "h200");
	device = gpu("GeForce GTX 580");
	nearest_is(&device, "gf100");
	device = gpu("a GPU of tomorrow");
	nearest_is(&device, "h200");
	device.machine = WEIR_MACHINE_OPENCL;
	device.is_gpu = 0;
	nearest_is(&device, "cpu");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(builtin_for_host, no_profiles),
	    cmocka_unit_test_setup(by_environment, no_profiles),
	    cmocka_unit_test_setup(by_config_folder, no_profiles),
	    cmocka_unit_test_setup(completed, no_profiles),
	    cmocka_unit_test_setup(passed_over, no_profiles),
	    cmocka_unit_test_setup(paths, no_profiles),
	    cmocka_unit_test_setup(matching, no_profiles),
	    cmocka_unit_test_setup(nearest, no_profiles),
	    cmocka_unit_test(kinds_of_a_gpu),
	    cmocka_unit_test(waiters_in_turn),
	    cmocka_unit_test(faster_kinds),
	    cmocka_unit_test(untuned_shapes),
	    cmocka_unit_test_setup(made_in_kernels, no_profiles),
	};
	make_folder(argc, argv);
	info = host_info();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
