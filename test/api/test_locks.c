/* Conditions, reader-writer locks, onces and combiners: bad input, sizes, placement, reset, destruction,
 * and mistakes in kernels.
 *
 *   PROGRAM DEVICE            runs the tests
 *   PROGRAM DEVICE MISTAKE    makes one mistake, after which a GPU can only be closed */
#include "api.h"

#include <stdlib.h>
#include <string.h>

#define NO_KIND 99
#define SEATS 5

/* A handle of any of them. */
typedef union any {
	struct {
		weir_word *words;
		weir_object_config config;
	} all;
	weir_condition condition;
	weir_rwlock rwlock;
	weir_once once;
	weir_combine combine;
} any;

/* The functions of a primitive with the same parameters for all. */
#define CALLS(name, type, ...)                                                                     \
	static weir_status name##_create(weir_device *device, const weir_options *options,         \
	                                 any *object)                                              \
	{                                                                                          \
		return weir_##type##_create(device, __VA_ARGS__ options,                           \
		                            object ? &object->type : NULL);                        \
	}                                                                                          \
                                                                                                   \
	static weir_status name##_size(weir_device *device, const weir_options *options,           \
	                               size_t *bytes, size_t *alignment)                           \
	{                                                                                          \
		return weir_##type##_size(device, __VA_ARGS__ options, bytes, alignment);          \
	}                                                                                          \
                                                                                                   \
	static weir_status name##_reset(weir_device *device, any object)                           \
	{                                                                                          \
		return weir_##type##_reset(device, object.type);                                   \
	}                                                                                          \
                                                                                                   \
	static weir_status name##_destroy(weir_device *device, any *object)                        \
	{                                                                                          \
		return weir_##type##_destroy(device, object ? &object->type : NULL);               \
	}

#define NO_MORE
#define KIND(kind) kind,
#define BLOCKS(blocks) blocks,
CALLS(condition, condition, NO_MORE)
CALLS(fair, rwlock, KIND(WEIR_RWLOCK_FAIR))
CALLS(spread, rwlock, KIND(WEIR_RWLOCK_SPREAD))
CALLS(once, once, NO_MORE)
CALLS(combine, combine, BLOCKS(SEATS))

static const struct subject {
	const char *phrase;
	const char *kernel;
	weir_status (*create)(weir_device *, const weir_options *, any *);
	weir_status (*size)(weir_device *, const weir_options *, size_t *, size_t *);
	weir_status (*reset)(weir_device *, any);
	weir_status (*destroy)(weir_device *, any *);
	/* Of an object with 64 slots, 2^4 counts and operations of 3 words: fields, cache lines apart,
	 * and words behind the last of them. */
	size_t fields, words;
} subjects[] = {
#define ROW(name, phrase, kernel, fields, words)                                                   \
	{                                                                                          \
		phrase, kernel, name##_create, name##_size, name##_reset, name##_destroy, fields,  \
		    words                                                                          \
	}
    ROW(condition, "a condition", "api_condition", 1, 1 + 64 / 32),
    ROW(fair, "a reader-writer lock", "api_rwlock", 5, 1),
    ROW(spread, "a reader-writer lock", "api_rwlock", 3 + 2 * 16, 1),
    ROW(once, "a once", "api_once", 0, 1),
    ROW(combine, "a combiner", "api_combine", 2, 32 * (2 + 2)),
#undef ROW
};

#define SUBJECTS (sizeof subjects / sizeof subjects[0])
#define LINE_BYTES 128

/* Options that each subject takes what it knows from. */
static weir_options sized(size_t subject)
{
	weir_options options = {.slots = 40, .words = 3};

	if (subjects[subject].create == spread_create)
		options.shape.bits = 4;
	return options;
}

/* A refused creation leaves a handle without an object. */
static void refused(size_t subject, const weir_options *options, const char *said)
{
	any object;

	memset(&object, 0xa5, sizeof object);
	api_fails(subjects[subject].create(api_device, options, &object), WEIR_BAD_ARGUMENT);
	assert_null(object.all.words);
	assert_int_equal(object.all.config.kind, 0);
	if (!strstr(weir_error_text(), said))
		print_error("%s: %s\n", subjects[subject].phrase, weir_error_text());
	assert_non_null(strstr(weir_error_text(), said));
}

static void bad_options(void **state)
{
	const weir_options fair = {.fair = 1}, backoff = {.backoff = {3, 2}};
	const weir_options visible = {.host_visible = 1};
	size_t bytes, alignment;

	(void)state;
	for (size_t i = 0; i < SUBJECTS; i++) {
		refused(i, &fair, subjects[i].phrase);
		refused(i, &fair, "fair");
		refused(i, &visible, subjects[i].phrase);
		refused(i, &visible, "host_visible");
		refused(i, &backoff, "a backoff from 3 up to 2 units");
		api_fails(subjects[i].create(api_device, NULL, NULL), WEIR_BAD_ARGUMENT);
		api_fails(subjects[i].destroy(api_device, NULL), WEIR_BAD_ARGUMENT);
		api_fails(subjects[i].size(api_device, NULL, NULL, &alignment), WEIR_BAD_ARGUMENT);
		api_fails(subjects[i].size(api_device, NULL, &bytes, NULL), WEIR_BAD_ARGUMENT);
	}
}

static void too_many(void **state)
{
	const weir_options slots = {.slots = (1u << 20) + 1}, words = {.words = 5};
	const weir_options bits = {.shape = {.bits = 7}}, shape = {.has_shape = 1, .shape = {1}};
	weir_rwlock l;
	weir_combine c;

	(void)state;
	refused(0, &slots, "a condition with 1048577 slots: the most is 1048576");
	refused(1, &shape, "a reader-writer lock of kind fair has no shape");
	refused(2, &bits, "a reader-writer lock of 7 bits: the most is 6 bits");
	refused(4, &words, "operations of 5 words for a combiner: the most is 4");
	api_fails(weir_rwlock_create(api_device, (weir_rwlock_kind)NO_KIND, NULL, &l),
	          WEIR_BAD_ARGUMENT);
	assert_non_null(strstr(weir_error_text(), "kind 99"));
	assert_null(l.words);
	api_fails(weir_combine_create(api_device, 0, NULL, &c), WEIR_BAD_ARGUMENT);
	assert_string_equal(weir_error_text(), "a combiner for 0 blocks: from 1 to 1048576");
	api_fails(weir_combine_create(api_device, (1u << 20) + 1, NULL, &c), WEIR_BAD_ARGUMENT);
	assert_string_equal(weir_error_text(), "a combiner for 1048577 blocks: from 1 to 1048576");
	assert_null(c.words);
}

/* The members of a configuration by default, and with options. */
static void members(void **state)
{
	static const uint32_t slots[][2] = {{1, 32}, {32, 32}, {33, 64}, {1u << 20, 1u << 20}};
	const weir_options none = {.has_shape = 1}, most = {.shape = {.bits = 6}};
	const weir_options served = {.words = 4, .served = 7};
	any a;

	(void)state;
	for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++) {
		const weir_options options = {.slots = slots[i][0]};

		api_ok(weir_condition_create(api_device, &options, &a.condition));
		assert_int_equal(a.condition.config.slots, slots[i][1]);
		api_ok(weir_condition_destroy(api_device, &a.condition));
	}
	api_ok(weir_condition_create(api_device, NULL, &a.condition));
	assert_true(a.condition.config.slots >= 32);
	assert_int_equal(a.condition.config.slots & (a.condition.config.slots - 1), 0);
	api_ok(weir_condition_destroy(api_device, &a.condition));
	api_ok(weir_rwlock_create(api_device, WEIR_RWLOCK_DEFAULT, NULL, &a.rwlock));
	assert_int_equal(a.rwlock.config.kind, WEIR_RWLOCK_FAIR);
	assert_int_equal(a.rwlock.config.bits, 0);
	api_ok(weir_rwlock_destroy(api_device, &a.rwlock));
	api_ok(weir_rwlock_create(api_device, WEIR_RWLOCK_SPREAD, NULL, &a.rwlock));
	assert_int_equal(a.rwlock.config.bits, 3);
	api_ok(weir_rwlock_destroy(api_device, &a.rwlock));
	api_ok(weir_rwlock_create(api_device, WEIR_RWLOCK_SPREAD, &none, &a.rwlock));
	assert_int_equal(a.rwlock.config.bits, 0);
	api_ok(weir_rwlock_destroy(api_device, &a.rwlock));
	api_ok(weir_rwlock_create(api_device, WEIR_RWLOCK_SPREAD, &most, &a.rwlock));
	assert_int_equal(a.rwlock.config.bits, 6);
	api_ok(weir_rwlock_destroy(api_device, &a.rwlock));
	api_ok(weir_combine_create(api_device, 1u << 20, NULL, &a.combine));
	assert_int_equal(a.combine.config.words, 1);
	assert_int_equal(a.combine.config.is_served, 0);
	api_ok(weir_combine_destroy(api_device, &a.combine));
	api_ok(weir_combine_create(api_device, 1, &served, &a.combine));
	assert_int_equal(a.combine.config.seats, 1);
	assert_int_equal(a.combine.config.words, 4);
	assert_int_equal(a.combine.config.is_served, 1);
	api_ok(weir_combine_destroy(api_device, &a.combine));
}

static void kind_names(void **state)
{
	(void)state;
#define ROW(name, NAME, ...) assert_string_equal(weir_rwlock_kind_name(WEIR_RWLOCK_##NAME), #name);
	WEIR_RWLOCK_KINDS(ROW)
#undef ROW
	assert_string_equal(weir_rwlock_kind_name(WEIR_RWLOCK_DEFAULT), "default");
	assert_null(weir_rwlock_kind_name(NO_KIND));
}

/* Bytes follow from the fields; a compact object has them next to each other. */
static void sizes(void **state)
{
	size_t bytes, alignment;

	(void)state;
	for (size_t i = 0; i < SUBJECTS; i++) {
		weir_options options = sized(i);

		api_ok(subjects[i].size(api_device, &options, &bytes, &alignment));
		assert_int_equal(bytes, LINE_BYTES * subjects[i].fields + 4 * subjects[i].words);
		assert_int_equal(alignment, LINE_BYTES);
		options.compact = 1;
		api_ok(subjects[i].size(api_device, &options, &bytes, &alignment));
		/* The first field of a condition has two words. */
		assert_int_equal(bytes, 4 * (subjects[i].fields + subjects[i].words + (i == 0)));
		assert_true(alignment == 4 || alignment == 8);
	}
}

/* How far a kernel counts that should count to 7. */
static uint32_t counted(size_t subject, any object, uint32_t spoils)
{
	api_run run = {subjects[subject].kernel,
	               object.all.words,
	               {.rounds = 7, .value = spoils},
	               2,
	               api_info.machine == WEIR_MACHINE_CUDA ? 32 : 1,
	               NULL};

	memcpy(&run.params.config, &object.all.config, sizeof object - sizeof object.all.words);
	api_clear_data();
	api_run_kernel(run);
	return api_datum(0);
}

static void use(size_t subject, const weir_options *options)
{
	any object, gone;

	api_ok(subjects[subject].create(api_device, options, &object));
	assert_int_equal(counted(subject, object, 0), 7);
	if (subjects[subject].create == once_create) {
		assert_int_equal(counted(subject, object, 0), 0);
		api_ok(subjects[subject].reset(api_device, object));
	}
	counted(subject, object, 1);
	assert_int_not_equal(counted(subject, object, 0), 7);
	api_ok(subjects[subject].reset(api_device, object));
	assert_int_equal(counted(subject, object, 0), 7);
	gone = object;
	api_ok(subjects[subject].destroy(api_device, &object));
	assert_null(object.all.words);
	api_fails(subjects[subject].destroy(api_device, &gone), WEIR_NOT_FOUND);
	api_fails(subjects[subject].destroy(api_device, &object), WEIR_NOT_FOUND);
	api_fails(subjects[subject].reset(api_device, gone), WEIR_NOT_FOUND);
}

static void use_and_reset(void **state)
{
	(void)state;
	for (size_t i = 0; i < SUBJECTS; i++) {
		const weir_options options = sized(i);

		use(i, NULL);
		use(i, &options);
	}
}

/* Memory of the caller's that was not zero. */
static void placed(size_t subject, weir_options options)
{
	static unsigned char filler[8192];
	size_t bytes, alignment;
	weir_buffer memory;

	api_ok(subjects[subject].size(api_device, &options, &bytes, &alignment));
	assert_in_range(bytes, 1, sizeof filler - 256);
	api_ok(weir_buffer_create(api_device, bytes + 256, &memory));
	memset(filler, 0xa5, sizeof filler);
	api_ok(weir_buffer_write(api_device, memory, 0, filler, bytes + 256));
	options.memory = memory.native;
	options.memory_offset = 128;
	options.memory_bytes = bytes - 1;
	refused(subject, &options, "bytes, the memory has");
	options.memory_bytes = bytes;
	options.memory_offset = 126;
	refused(subject, &options, "an offset of 126 bytes into the memory");
	options.memory_offset = 128;
	use(subject, &options);
	api_ok(weir_buffer_read(api_device, memory, 0, filler, bytes + 256));
	for (size_t i = 0; i < 128; i++) {
		assert_int_equal(filler[i], 0xa5);
		assert_int_equal(filler[128 + bytes + i], 0xa5);
	}
	api_ok(weir_buffer_destroy(api_device, &memory));
}

static void in_memory_of_the_callers(void **state)
{
	(void)state;
	for (size_t i = 0; i < SUBJECTS; i++) {
		weir_options options = sized(i);

		placed(i, options);
		options.compact = 1;
		placed(i, options);
	}
}

static void on_the_wrong_device(void **state)
{
	weir_device *other;
	any object;

	(void)state;
	api_ok(weir_device_open(api_device_name(), &other));
	for (size_t i = 0; i < SUBJECTS; i++) {
		api_ok(subjects[i].create(other, NULL, &object));
		api_fails(subjects[i].reset(api_device, object), WEIR_NOT_FOUND);
		api_fails(subjects[i].destroy(api_device, &object), WEIR_NOT_FOUND);
		assert_non_null(object.all.words);
		api_ok(subjects[i].destroy(other, &object));
	}
	api_ok(weir_device_close(other));
}

/* The mistakes that end a launch, and what its error then says. */
static const struct mistake {
	uint32_t blocks, threads, words;
	const char *said;
} mistakes[] = {
    {SEATS, 32, 3, "an operation of 3 words for a combiner whose operations are smaller"},
    {SEATS + 1, 32, 2, "a combiner called by block 5, which has no seat"},
    /* Only where the first threads are a warp. */
    {1, 31, 1, "a combiner called by a block of 31 threads: it needs a warp"},
};

#define MISTAKES (sizeof mistakes / sizeof mistakes[0])

static const char *make_mistake(uint32_t number)
{
	const struct mistake *mistake = &mistakes[number];
	const weir_options options = {.words = 2};
	weir_combine c;
	api_run run = {"api_combine_mistake", NULL, {.rounds = mistake->words}, mistake->blocks,
	               mistake->threads,      NULL};

	api_ok(weir_combine_create(api_device, SEATS, &options, &c));
	run.words = c.words;
	run.params.config.combine = c.config;
	api_end_launch(&run);
	return mistake->said;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(bad_options),
	    cmocka_unit_test(too_many),
	    cmocka_unit_test(members),
	    cmocka_unit_test(kind_names),
	    cmocka_unit_test(sizes),
	    cmocka_unit_test(use_and_reset),
	    cmocka_unit_test(in_memory_of_the_callers),
	    cmocka_unit_test(on_the_wrong_device),
	};
	const api_mistakes all = {MISTAKES, MISTAKES - 1, make_mistake};
	int failed;

	if (api_begin(argc, argv))
		return API_SKIPPED;
	if (argc > 2)
		return api_make_mistake(all, argv[2]);
	failed = cmocka_run_group_tests(tests, api_setup, api_teardown);
	failed += api_check_mistakes(all, argv);
	return failed != 0;
}
