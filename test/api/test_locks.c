/* Conditions, reader-writer locks, onces and combiners: bad input, sizes, placement, reset, destruction
 * and mistakes in kernels.
 *
 *   PROGRAM DEVICE            runs the tests
 *   PROGRAM DEVICE MISTAKE    makes one mistake, after which a GPU can only be closed */
#include "api.h"

#include "subjects.h"

#define NO_KIND 99
#define SEATS 5 /* of a combiner in which a mistake is made */

static const struct lock {
	enum weir_primitive primitive;
	uint32_t kind;
	const char *kernel;
	/* The sizes of an object with 64 slots, 2^4 counts and operations of 3 words: fields, cache
	 * lines apart, and the words after the last of them. */
	size_t fields, words;
} locks[] = {
    {WEIR_PRIMITIVE_CONDITION, 0, "api_condition", 1, 1 + 64 / 32},
    {WEIR_PRIMITIVE_RWLOCK, WEIR_RWLOCK_FAIR, "api_rwlock", 5, 1},
    {WEIR_PRIMITIVE_RWLOCK, WEIR_RWLOCK_SPREAD, "api_rwlock", 3 + 2 * 16, 1},
    {WEIR_PRIMITIVE_ONCE, 0, "api_once", 0, 1},
    {WEIR_PRIMITIVE_COMBINER, 0, "api_combine", 2, 32 * (2 + 2)},
};

#define LOCKS (sizeof locks / sizeof locks[0])
#define LINE_BYTES 128

static weir_any_options of_kind(const struct lock *lock)
{
	weir_any_options options = {.object.compact = 0};

	if (lock->kind)
		options.of_kind.kind = lock->kind;
	return options;
}

static weir_any_options sized(const struct lock *lock)
{
	weir_any_options options = of_kind(lock);

	if (lock->primitive == WEIR_PRIMITIVE_CONDITION)
		options.condition.waiters = 40;
	else if (lock->primitive == WEIR_PRIMITIVE_COMBINER)
		options.combiner.words = 3;
	else if (lock->kind == WEIR_RWLOCK_SPREAD)
		options.rwlock.reader_counts = 16;
	return options;
}

static weir_status create(const struct lock *lock, const weir_any_options *options, api_any *object)
{
	return api_subject_of(lock->primitive)->create(api_device, options, object);
}

static void refused(size_t lock, weir_any_options options, const char *said)
{
	api_any object;

	if (locks[lock].kind)
		options.of_kind.kind = locks[lock].kind;
	api_refused(create(&locks[lock], &options, &object), WEIR_BAD_ARGUMENT, object.all);
	api_said(said);
}

static void too_many(void **state)
{
	weir_rwlock l;
	weir_combiner c;

	(void)state;
	refused(0, (weir_any_options){.condition.waiters = (1u << 20) + 1},
	        "waiters is 1048577 for a condition: the most is 1048576");
	refused(1, (weir_any_options){.rwlock.reader_counts = 2},
	        "reader_counts is 2, but a reader-writer lock of kind fair has none: it is for the "
	        "kind spread");
	refused(2, (weir_any_options){.rwlock.reader_counts = 65},
	        "reader_counts is 65: the most is 64");
	refused(4, (weir_any_options){.combiner.words = 5},
	        "operations of 5 words for a combiner: the most is 4");
	api_fails(weir_rwlock_create(api_device,
	                             &(weir_rwlock_options){.kind = (weir_rwlock_kind)NO_KIND}, &l),
	          WEIR_BAD_ARGUMENT);
	assert_non_null(strstr(weir_error_text(), "kind 99"));
	assert_null(l.words);
	api_fails(weir_combiner_create(api_device, 0, NULL, &c), WEIR_BAD_ARGUMENT);
	assert_string_equal(weir_error_text(), "a combiner for 0 blocks: from 1 to 1048576");
	api_fails(weir_combiner_create(api_device, (1u << 20) + 1, NULL, &c), WEIR_BAD_ARGUMENT);
	assert_string_equal(weir_error_text(), "a combiner for 1048577 blocks: from 1 to 1048576");
	assert_null(c.words);
}

/* The members of a configuration, by default and with options. */
static void members(void **state)
{
	static const uint32_t slots[][2] = {{1, 32}, {32, 32}, {33, 64}, {1u << 20, 1u << 20}};
	const weir_rwlock_options none = {.kind = WEIR_RWLOCK_SPREAD, .reader_counts = 1};
	const weir_rwlock_options most = {.kind = WEIR_RWLOCK_SPREAD, .reader_counts = 33};
	const weir_combiner_options served = {.words = 4, .served = 7};
	api_any a;

	(void)state;
	for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++) {
		const weir_condition_options options = {.waiters = slots[i][0]};

		api_ok(weir_condition_create(api_device, &options, &a.condition));
		assert_int_equal(a.condition.config.slots, slots[i][1]);
		api_ok(weir_condition_destroy(api_device, &a.condition));
	}
	api_ok(weir_condition_create(api_device, NULL, &a.condition));
	assert_true(a.condition.config.slots >= 32);
	assert_int_equal(a.condition.config.slots & (a.condition.config.slots - 1), 0);
	api_ok(weir_condition_destroy(api_device, &a.condition));
	api_ok(weir_rwlock_create(api_device, NULL, &a.rwlock));
	assert_int_equal(a.rwlock.config.kind, WEIR_RWLOCK_FAIR);
	assert_int_equal(a.rwlock.config.bits, 0);
	api_ok(weir_rwlock_destroy(api_device, &a.rwlock));
	api_ok(weir_rwlock_create(api_device, &(weir_rwlock_options){.kind = WEIR_RWLOCK_SPREAD},
	                          &a.rwlock));
	assert_int_equal(a.rwlock.config.bits, 3);
	api_ok(weir_rwlock_destroy(api_device, &a.rwlock));
	api_ok(weir_rwlock_create(api_device, &none, &a.rwlock));
	assert_int_equal(a.rwlock.config.bits, 0);
	api_ok(weir_rwlock_destroy(api_device, &a.rwlock));
	api_ok(weir_rwlock_create(api_device, &most, &a.rwlock));
	assert_int_equal(a.rwlock.config.bits, 6);
	api_ok(weir_rwlock_destroy(api_device, &a.rwlock));
	api_ok(weir_combiner_create(api_device, 1u << 20, NULL, &a.combiner));
	assert_int_equal(a.combiner.config.words, 1);
	assert_int_equal(a.combiner.config.is_served, 0);
	api_ok(weir_combiner_destroy(api_device, &a.combiner));
	api_ok(weir_combiner_create(api_device, 1, &served, &a.combiner));
	assert_int_equal(a.combiner.config.seats, 1);
	assert_int_equal(a.combiner.config.words, 4);
	assert_int_equal(a.combiner.config.is_served, 1);
	api_ok(weir_combiner_destroy(api_device, &a.combiner));
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
	for (size_t i = 0; i < LOCKS; i++) {
		const api_subject *s = api_subject_of(locks[i].primitive);
		weir_any_options options = sized(&locks[i]);

		api_ok(s->size(api_device, &options, &bytes, &alignment));
		assert_int_equal(bytes, LINE_BYTES * locks[i].fields + 4 * locks[i].words);
		assert_int_equal(alignment, LINE_BYTES);
		options.object.compact = 1;
		api_ok(s->size(api_device, &options, &bytes, &alignment));
		/* The first field of a condition has two words. */
		assert_int_equal(bytes, 4 * (locks[i].fields + locks[i].words + (i == 0)));
		assert_true(alignment == 4 || alignment == 8);
	}
}

/* The count of a kernel that should count to 7. */
static uint32_t counted(const struct lock *lock, api_any object, uint32_t spoils)
{
	api_run run = {lock->kernel,
	               object.all.words,
	               {.rounds = 7, .value = spoils},
	               2,
	               api_is_cuda() ? 32 : 1,
	               NULL};

	memcpy(&run.params.config, &object.all.config, sizeof run.params.config);
	api_clear_data();
	api_run_kernel(run);
	return api_datum(0);
}

static void use(const struct lock *lock, const weir_any_options *options)
{
	const api_subject *s = api_subject_of(lock->primitive);
	api_any object;

	api_ok(create(lock, options, &object));
	assert_int_equal(counted(lock, object, 0), 7);
	if (lock->primitive == WEIR_PRIMITIVE_ONCE) {
		assert_int_equal(counted(lock, object, 0), 0);
		api_ok(s->reset(api_device, object));
	}
	counted(lock, object, 1);
	assert_int_not_equal(counted(lock, object, 0), 7);
	api_ok(s->reset(api_device, object));
	assert_int_equal(counted(lock, object, 0), 7);
	api_ok(s->destroy(api_device, &object));
}

static void use_and_reset(void **state)
{
	(void)state;
	for (size_t i = 0; i < LOCKS; i++) {
		const weir_any_options usual = of_kind(&locks[i]), options = sized(&locks[i]);

		use(&locks[i], &usual);
		use(&locks[i], &options);
	}
}

static void in_memory_of_the_callers(void **state)
{
	size_t bytes, alignment;

	(void)state;
	for (size_t i = 0; i < 2 * LOCKS; i++) {
		const struct lock *lock = &locks[i / 2];
		weir_any_options options = sized(lock);

		options.object.compact = i % 2;
		api_ok(api_subject_of(lock->primitive)
		           ->size(api_device, &options, &bytes, &alignment));
		api_place place = api_place_begin(&options.object, bytes);
		use(lock, &options);
		api_place_end(&place);
	}
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
	const weir_combiner_options options = {.words = 2};
	weir_combiner c;
	api_run run = {"api_combine_mistake", NULL, {.rounds = mistake->words}, mistake->blocks,
	               mistake->threads,      NULL};

	api_ok(weir_combiner_create(api_device, SEATS, &options, &c));
	run.words = c.words;
	run.params.config.combiner = c.config;
	api_end_launch(&run);
	return mistake->said;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(too_many),      cmocka_unit_test(members),
	    cmocka_unit_test(kind_names),    cmocka_unit_test(sizes),
	    cmocka_unit_test(use_and_reset), cmocka_unit_test(in_memory_of_the_callers),
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
