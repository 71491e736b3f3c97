/* Diagnosis of conditions, reader-writer locks, onces and combiners: no findings about correct kernels,
 * and findings about hangs and misuse. weir doctor makes the mistakes that are not made here. This
 * program is compiled with WEIR_DIAGNOSE. */
#define _POSIX_C_SOURCE 200809L
#include "reports.h"

#define BLOCKS 4
#define THREADS 32      /* a warp calls a combiner */
#define SLOW 30000      /* pause units: a hundred polls take long, and still end in time */
#define PLACE (1 << 17) /* bytes for an object; the kernels' own words are first */

/* The objects of a test, in one memory. The parameters of the kernels have members with the same names. */
#define OBJECTS(X)                                                                                 \
	X(mutex, first)                                                                            \
	X(mutex, second)                                                                           \
	X(condition, filled)                                                                       \
	X(rwlock, table)                                                                           \
	X(once, setup)                                                                             \
	X(combiner, counter)                                                                       \
	X(combiner, desk)

#define OBJECT(type, name) static weir_##type name;
OBJECTS(OBJECT)
#undef OBJECT
#define ONE_MORE(type, name) +1
enum {
	PLACES = 1 OBJECTS(ONE_MORE)
};
#undef ONE_MORE

static weir_buffer memory;
static api_locks params;

/* The options that all objects in that place share. */
static weir_object_options placed(uint32_t place, const char *name)
{
	return (weir_object_options){.memory = memory.native,
	                             .memory_offset = place * PLACE,
	                             .memory_bytes = PLACE,
	                             .name = name,
	                             .diagnose = 1};
}

/* The words from the start of the memory to an object. On OpenCL they are in the object's own
 * offset. */
static uint32_t words_before(const weir_word *words, uint32_t offset)
{
	return (uint32_t)(words - (const weir_word *)memory.native) + offset;
}

/* A device of its own, with all objects. */
static void renew(weir_rwlock_kind kind)
{
	weir_mutex_options mutex = {.kind = WEIR_MUTEX_TICKET};
	weir_combiner_options combiner = {.words = 0};

	renew_device();
	api_ok(weir_buffer_create(api_device, PLACES * PLACE, &memory));
	mutex.object = placed(1, "accounts");
	api_ok(weir_mutex_create(api_device, &mutex, &first));
	mutex.object = placed(2, "log");
	api_ok(weir_mutex_create(api_device, &mutex, &second));
	api_ok(weir_condition_create(
	    api_device, &(weir_condition_options){.object = placed(3, "filled")}, &filled));
	api_ok(weir_rwlock_create(
	    api_device, &(weir_rwlock_options){.object = placed(4, "table"), .kind = kind},
	    &table));
	api_ok(weir_once_create(api_device, &(weir_once_options){.object = placed(5, "setup")},
	                        &setup));
	combiner.object = placed(6, "counter");
	api_ok(weir_combiner_create(api_device, BLOCKS, &combiner, &counter));
	combiner.object = placed(7, "desk");
	combiner.served = 1;
	api_ok(weir_combiner_create(api_device, BLOCKS, &combiner, &desk));
#define TELL(type, name)                                                                           \
	params.name = name.config;                                                                 \
	params.name.offset = words_before(name.words, name.config.offset);
	OBJECTS(TELL)
#undef TELL
}

static weir_launch launch_of(const char *kernel, uint32_t value, weir_argument *arguments)
{
	weir_launch launch = {.kernel = api_kernel(kernel),
	                      .grid = {BLOCKS},
	                      .block = {THREADS},
	                      .cooperative = 1,
	                      .arguments = arguments,
	                      .argument_count = 3};

	params.value = value;
	arguments[0] = (weir_argument){&memory.native, sizeof memory.native};
	arguments[1] = (weir_argument){&api_data.native, sizeof api_data.native};
	arguments[2] = (weir_argument){&params, sizeof params};
	return launch;
}

static void run(const char *kernel, uint32_t value)
{
	weir_argument arguments[3];
	weir_launch launch = launch_of(kernel, value, arguments);

	api_ok(weir_kernel_launch(api_device, &launch));
	api_ok(weir_device_wait(api_device, API_DEADLINE_NS, NULL));
}

static void hang(const char *kernel, uint32_t value, const char *const *words, const char *json)
{
	weir_argument arguments[3];
	weir_launch launch = launch_of(kernel, value, arguments);

	hang_in(&launch, words, json);
}

/* After an abort the objects work again. */
static void recover(void)
{
	const uint32_t zero = 0;

	api_ok(weir_mutex_reset(api_device, first));
	api_ok(weir_condition_reset(api_device, filled));
	api_ok(weir_rwlock_reset(api_device, table));
	api_ok(weir_once_reset(api_device, setup));
	api_ok(weir_combiner_reset(api_device, counter));
	api_ok(weir_combiner_reset(api_device, desk));
	api_ok(weir_buffer_write(api_device, memory, 0, &zero, sizeof zero));
	api_clear_data();
	run("api_lock_condition", API_LOCK_MEET);
	run("api_lock_right", 0);
	run("api_combine_right", 0);
}

/* Several launches, which need no reset, of every kind. */
static void right(void **state)
{
	(void)state;
	for (uint32_t kind = 1; weir_rwlock_kind_name(kind); kind++) {
		renew(kind);
		for (uint32_t i = 1; i <= 3; i++) {
			run("api_lock_condition", API_LOCK_MEET);
			run("api_lock_right", 0);
			run("api_lock_together", 0);
			run("api_combine_right", 0);
			assert_int_equal(api_datum(0), i * BLOCKS);
			assert_int_equal(api_datum(1), 2 * i * BLOCKS);
			assert_true(api_datum(2) <= 1);
			/* The kernel reports whether it also made calls with deadlines. */
			assert_int_equal(api_datum(3), i * BLOCKS * (1 + api_datum(4)));
			expect_nothing();
		}
	}
}

static void conditions(void **state)
{
	(void)state;
	renew(WEIR_RWLOCK_FAIR);
	hang("api_lock_condition", API_LOCK_WAIT,
	     WORDS("condition: block 1 waits for condition 'filled' with mutex 'accounts' since ",
	           " in lock_kernels.h:", ". A signal is missing, ",
	           "block 1 has waited for 'filled' in lock_kernels.h:"),
	     "\"mutex\": \"accounts\"");
	recover();
	expect_nothing();
	renew(WEIR_RWLOCK_FAIR);
	hang("api_lock_condition", API_LOCK_EARLY,
	     WORDS("lost_signal: blocks 0, 2, 3 wait for condition 'filled' with mutex 'accounts', "
	           "the first "
	           "of them since ",
	           " It was signalled 3 times while no block waited, by block 1. ",
	           "no block will signal again"),
	     "\"kind\": \"lost_signal\"");
	recover();
	renew(WEIR_RWLOCK_FAIR);
	run("api_lock_condition", API_LOCK_BROADCAST);
	expect(1, "signals_without_mutex: block 1 signals condition 'filled' in lock_kernels.h:");
	expect(1, " without having mutex 'accounts', with which others wait: ");
}

static void readers(void **state)
{
	(void)state;
	renew(WEIR_RWLOCK_SPREAD);
	hang(
	    "api_lock_read", API_LOCK_READ,
	    WORDS("held: 3 blocks wait for reader-writer lock 'table', the first of them block 0 (",
	          "Block 1 reads since lock_kernels.h:", "it did so without an unlock.",
	          "block 2 has waited to write 'table' in lock_kernels.h:"),
	    "\"operation\": \"write\"");
	recover();
	expect_nothing();
	renew(WEIR_RWLOCK_FAIR);
	hang(
	    "api_lock_read", API_LOCK_READ_TWICE,
	    WORDS("locked_twice: block 1 waits to read 'table' and reads it already: a writer came "
	          "between"),
	    "\"operation\": \"read\"");
	recover();
	expect_nothing();
}

static void writers(void **state)
{
	(void)state;
	renew(WEIR_RWLOCK_FAIR);
	hang("api_lock_write", API_LOCK_WRITE_TWICE,
	     WORDS("locked_twice: block 1 locks reader-writer lock 'table' in lock_kernels.h:",
	           ", which it has since lock_kernels.h:", "it waits for itself. Unlock it first."),
	     "\"kind\": \"locked_twice\"");
	recover();
	renew(WEIR_RWLOCK_FAIR);
	hang("api_lock_crossed", API_LOCK_CROSSED,
	     WORDS("deadlock: block 0 waits for reader-writer lock 'table' (",
	           ", which block 1 locked in ", "block 1 waits for mutex 'accounts' ("),
	     "\"kind\": \"deadlock\"");
	recover();
}

static void unlocks(void **state)
{
	(void)state;
	renew(WEIR_RWLOCK_FAIR);
	run("api_lock_read", API_LOCK_AS_WRITER);
	expect(1, "wrong_unlock: block 1 unlocks as a writer in lock_kernels.h:");
	expect(1, " what it has as a reader, reader-writer lock 'table': ");
	renew(WEIR_RWLOCK_FAIR);
	run("api_lock_write", API_LOCK_DOWNGRADE);
	expect(1, "wrong_unlock: block 1 downgrades in lock_kernels.h:");
	expect(1, " what it does not have, reader-writer lock 'table': ");
	renew(WEIR_RWLOCK_FAIR);
	run("api_lock_once", API_LOCK_END);
	expect(1, "unlocked_by_stranger: block 1 ended once 'setup' in lock_kernels.h:");
	expect(1, " without having begun it: others continue before it is done.");
}

/* A later launch finds the locks that an earlier launch kept. */
static void kept(void **state)
{
	(void)state;
	renew(WEIR_RWLOCK_FAIR);
	run("api_lock_write", API_LOCK_KEEP);
	expect_nothing();
	hang("api_lock_write", API_LOCK_KEEP,
	     WORDS("ended_holding: block 1 of an earlier launch locked reader-writer lock 'table' "
	           "in "),
	     "\"operation\": \"write\"");
	recover();
	renew(WEIR_RWLOCK_FAIR);
	run("api_lock_once", API_LOCK_BEGIN);
	expect_nothing();
	hang("api_lock_once", API_LOCK_BEGIN,
	     WORDS("ended_holding: block 1 of an earlier launch began once 'setup' in ",
	           " and ended with it: a block that uses it now waits forever."),
	     "\"operation\": \"begin\"");
	recover();
	renew(WEIR_RWLOCK_FAIR);
	run("api_combine", API_COMBINE_KEEP);
	expect_nothing();
	hang("api_combine", API_COMBINE_KEEP,
	     WORDS("ended_holding: block 1 of an earlier launch had combiner 'counter' in "),
	     "\"operation\": \"combine\"");
	recover();
}

static void combiners(void **state)
{
	weir_argument arguments[3];
	weir_launch launch;

	(void)state;
	renew(WEIR_RWLOCK_FAIR);
	hang("api_combine", API_COMBINE_CALL,
	     WORDS("no_server: block 1 waits for an operation of 'desk' since ",
	           "no block of the launch serves",
	           "block 1 has waited for an operation of 'desk' in lock_kernels.h:"),
	     "\"primitive\": \"combiner\"");
	recover();
	expect_nothing();
	renew(WEIR_RWLOCK_FAIR);
	run("api_combine", API_COMBINE_LEAVE);
	expect_nothing();
	run("api_combine", API_COMBINE_LEAVE);
	expect(1, "not_left: block 1 uses combiner 'desk' in lock_kernels.h:");
	renew(WEIR_RWLOCK_FAIR);
	launch = launch_of("api_combine", API_COMBINE_LARGE, arguments);
	end_in(&launch, "an operation of 2 words for a combiner");
	expect(1,
	       "large_operation: block 1 publishes an operation of 2 words for combiner 'counter'");
	expect(1, ", which has room for 1. The launch ended there.");
	recover();
}

/* A block with long pauses is late to note that its wait is long. The first report with a finding
 * names it nevertheless. */
static void slow_caller(void **state)
{
	weir_argument arguments[3];
	weir_diagnosis report = {0};
	weir_launch launch;

	(void)state;
	renew(WEIR_RWLOCK_FAIR);
	params.desk.backoff = (weir_backoff){SLOW, SLOW};
	launch = launch_of("api_combine", API_COMBINE_CALL, arguments);
	api_ok(weir_kernel_launch(api_device, &launch));
	for (int i = 0; i < 60000 && report.findings == 0; i++) {
		nanosleep(&(struct timespec){0, 1000000}, NULL);
		weir_diagnosis_destroy(&report);
		api_ok(weir_device_diagnose(api_device, &report));
	}
	if (!report.text || !strstr(report.text, "no_server: block 1 waits for an operation of"))
		print_error("no caller in: %s\n", report.text ? report.text : "no report");
	assert_non_null(strstr(report.text, "no_server: block 1 waits for an operation of"));
	weir_diagnosis_destroy(&report);
	api_ok(weir_device_abort(api_device));
	api_fails(weir_device_wait(api_device, API_DEADLINE_NS, NULL), WEIR_ABORTED);
}

static void destroyed(void **state)
{
	(void)state;
	renew(WEIR_RWLOCK_FAIR);
	api_ok(weir_once_destroy(api_device, &setup));
	run("api_lock_once", API_LOCK_END);
	expect(2, "used_after_destroy: block 1 uses 'setup' in lock_kernels.h:");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(right),     cmocka_unit_test(conditions),  cmocka_unit_test(readers),
	    cmocka_unit_test(writers),   cmocka_unit_test(unlocks),     cmocka_unit_test(kept),
	    cmocka_unit_test(combiners), cmocka_unit_test(slow_caller), cmocka_unit_test(destroyed),
	};
	return api_main(argc, argv, tests);
}
