/* Diagnosis of events: no findings about correct kernels, and findings about hangs and misuse. This
 * program is compiled with WEIR_DIAGNOSE. */
#define _POSIX_C_SOURCE 200809L
#include "reports.h"

#define LENGTH 6
#define BLOCKS 4

static weir_event_array fresh_events(weir_event_kind kind, int compact)
{
	weir_event_array_options options = {
	    .object.diagnose = 1, .object.name = "tiles", .object.compact = compact};
	weir_event_array a;

	renew_device();
	api_ok(weir_event_array_create(api_device, LENGTH, api_of_kind(options, kind), &a));
	return a;
}

static api_run make_run(weir_event_array a, uint32_t what, uint32_t number)
{
	api_run run = {"api_events", a.words, {{.event_array = a.config}, number, what},
	               BLOCKS,       4,       NULL};
	return run;
}

static void run(weir_event_array a, uint32_t what, uint32_t number)
{
	api_run_kernel(make_run(a, what, number));
}

/* All blocks signal and wait for all events. With `twice` block 1 signals once too often. */
static void meet(weir_event_array a, uint32_t twice)
{
	api_run meets = make_run(a, twice, 0);

	meets.kernel = "api_events_meet";
	api_run_kernel(meets);
}

/* The kernel hangs in one wait. */
static void hang_once(api_run hangs, const char *words)
{
	weir_argument arguments[3];
	weir_launch launch = api_launch(&hangs, arguments);

	assert_int_equal(hang_in(&launch, WORDS(words, "in api_kernels.h:"), "\"target\": "), 1);
}

static void hang(weir_event_array a, uint32_t what, uint32_t number, const char *words)
{
	hang_once(make_run(a, what, number), words);
}

static void end_itself(weir_event_array a, uint32_t what, uint32_t number, const char *words)
{
	api_run fails = make_run(a, what, number);
	weir_argument arguments[3];
	weir_launch launch = api_launch(&fails, arguments);

	end_in(&launch, words);
}

/* Several launches, which need no reset, of every kind. */
static void right_kernels(void **state)
{
	(void)state;
	for (uint32_t kind = 1; weir_event_kind_name(kind); kind++)
		for (int compact = 0; compact < 2; compact++) {
			weir_event_array a = fresh_events(kind, compact);
			for (int i = 0; i < 3; i++) {
				meet(a, 0);
				expect_nothing();
			}
			assert_int_equal(api_datum(BLOCKS - 1), 1);
		}
}

/* Block 1 waits for more than the others signal. After a reset the array works again. */
static void waits(void **state)
{
	(void)state;
	for (uint32_t kind = 1; weir_event_kind_name(kind); kind++) {
		weir_event_array a = fresh_events(kind, 0);
		hang(a, API_EVENTS_WAIT, 9,
		     "event: event 'tiles'[1] is at 3, block 1 waits for 9 since ");
		api_ok(weir_event_array_reset(api_device, a));
		meet(a, 0);
		expect_nothing();
	}
}

/* A thread other than the leader waits for event 2, which no block signals, after the leader's own
 * wait has ended. */
static void waits_of_others(void **state)
{
	api_run all = make_run(fresh_events(WEIR_EVENT_WORD, 0), 0, 3);

	(void)state;
	all.kernel = "api_events_all";
	hang_once(all, "event: event 'tiles'[2] is at 0, block 1 waits for 3 since ");
	hang(fresh_events(WEIR_EVENT_WORD, 0), API_EVENTS_WAIT_ANY, 3,
	     "event: event 'tiles'[2] is at 0, block 1 waits for 3 in any of 3 events from it on "
	     "since ");
	if (api_info.machine != WEIR_MACHINE_OPENCL)
		hang(fresh_events(WEIR_EVENT_WORD, 0), API_EVENTS_WAIT_TEAM, 3,
		     "event: event 'tiles'[2] is at 0, block 1 waits for 3 since ");
}

static void last_signals(void **state)
{
	(void)state;
	hang(fresh_events(WEIR_EVENT_WORD, 1), API_EVENTS_WAIT, 9,
	     "; the blocks that signalled it last: 0, 2, 3.");
	hang(fresh_events(WEIR_EVENT_WORD, 1), API_EVENTS_WAIT_ANY, 9,
	     "; no block has signalled it.");
}

/* A target is reported if it is 2^30 or more away. */
static void far_targets(void **state)
{
	weir_event_array a = fresh_events(WEIR_EVENT_WORD, 0);

	(void)state;
	run(a, API_EVENTS_LOOK, 1u << 30);
	run(a, API_EVENTS_LOOK, 3u << 30);
	expect_nothing();
	assert_int_equal(api_datum(0), 1);
	run(a, API_EVENTS_LOOK, (1u << 31) + 1);
	assert_int_equal(api_datum(0), 1);
	expect(1, "far_target: block 1 waits in ");
	expect(1, "until event 'tiles'[1] is at 2147483649. It is at 0: by signed difference "
	          "2147483647 past the target");
	a = fresh_events(WEIR_EVENT_WORD, 0);
	run(a, API_EVENTS_LOOK, 1u << 31);
	assert_int_equal(api_datum(0), 0);
	expect(1, "is at 2147483648. It is at 0: 2147483648 before the target.");
}

/* Nothing is added, and the launch goes on. */
static void amounts(void **state)
{
	weir_event_array a = fresh_events(WEIR_EVENT_COPIES, 0);

	(void)state;
	run(a, API_EVENTS_SIGNAL, 0);
	assert_int_equal(api_datum(0), 0);
	expect(1, "bad_amount: block 1 signals event 'tiles'[1] with 0 in api_kernels.h:");
	run(a, API_EVENTS_SIGNAL, (1u << 31) + 1);
	assert_int_equal(api_datum(0), 0);
	a = fresh_events(WEIR_EVENT_COPIES, 0);
	run(a, API_EVENTS_SIGNAL, 1u << 31);
	assert_true(api_datum(0) == 1u << 31);
	expect_nothing();
}

/* The launch ends, and nothing is written past the array. */
static void indices(void **state)
{
	weir_event_array a = fresh_events(WEIR_EVENT_WORD, 0);

	(void)state;
	end_itself(a, API_EVENTS_WAIT_PAST, 1, "an event 6 past the end of its array");
	expect(1, "past_array: block 1 takes event 6 of 'tiles' in api_kernels.h:");
	expect(1, ", which has 6. The launch ended there.");
	api_ok(weir_event_array_reset(api_device, a));
	meet(a, 0);
}

static void wrong_kinds(void **state)
{
	weir_event_array a = fresh_events(WEIR_EVENT_WORD, 0);

	(void)state;
	a.config.kind = 17;
	end_itself(a, API_EVENTS_SIGNAL, 1, "an event of kind 17, which is none");
	expect(1, "wrong_kind: block 1 uses 'tiles' in api_kernels.h:");
	expect(1, "as an event of kind 17, which is none. The handle was written to");
}

/* One signal too many at each plain event, in the second of three launches. The waits of the third
 * launch then return too early. A reset ends that. */
static void uneven_signals(void **state)
{
	(void)state;
	for (uint32_t kind = 1; weir_event_kind_name(kind); kind++) {
		weir_event_array a = fresh_events(kind, 1);
		meet(a, 0);
		meet(a, 1);
		expect(1, "uneven: event 'tiles'[0] is at 9 after 2 launches. Its waits expect 4 "
		          "signals in every launch, and so a count of 8; the blocks that signalled "
		          "it last: 0, 1, 2, 3.");
		expect(1, " The same is true of 3 more events of the array.");
		meet(a, 0);
		expect(1, "uneven: event 'tiles'[0] is at 13 after 3 launches.");
		api_ok(weir_event_array_reset(api_device, a));
		meet(a, 0);
		expect_nothing();
	}
}

static void counts_that_went_back(void **state)
{
	(void)state;
	for (uint32_t kind = 1; weir_event_kind_name(kind); kind++) {
		weir_event_array a;
		if (kind == WEIR_EVENT_SHARDS) /* the kernel would need to know the shard */
			continue;
		a = fresh_events(kind, 0);
		run(a, API_EVENTS_WRITE, 0);
		expect(1,
		       "went_back: the count of event 'tiles'[1] is 0, and its signals add up to "
		       "2: it went back; the blocks that signalled it last: 1. Something wrote "
		       "to it. Events are never reset.");
		api_ok(weir_event_array_reset(api_device, a));
		expect_nothing();
	}
}

static void destroyed(void **state)
{
	weir_event_array a = fresh_events(WEIR_EVENT_WORD, 0), gone = a;

	(void)state;
	api_ok(weir_event_array_destroy(api_device, &a));
	run(gone, API_EVENTS_SIGNAL, 1);
	expect(1, "used_after_destroy: block 1 uses 'tiles' in api_kernels.h:");
}

/* 64 bytes for each event and 128 before all of them, in whole cache lines. */
static void memory(void **state)
{
	weir_event_array_options options = {.kind = WEIR_EVENT_WORD, .object.compact = 1};
	size_t without, with, alignment;
	static unsigned char filler[4096];
	weir_buffer buffer;
	weir_event_array a;

	(void)state;
	fresh_events(WEIR_EVENT_WORD, 0);
	api_ok(weir_event_array_size(api_device, 9, &options, &without, &alignment));
	options.object.diagnose = 1;
	api_ok(weir_event_array_size(api_device, 9, &options, &with, &alignment));
	assert_int_equal(with, without + 640 + 128);
	assert_in_range(with, 1, sizeof filler - 128);
	memset(filler, 0xa5, sizeof filler);
	api_ok(weir_buffer_create(api_device, sizeof filler, &buffer));
	api_ok(weir_buffer_write(api_device, buffer, 0, filler, sizeof filler));
	options.object.memory = buffer.native;
	options.object.memory_offset = 64;
	options.object.memory_bytes = with - 1;
	api_fails(weir_event_array_create(api_device, 9, &options, &a), WEIR_BAD_ARGUMENT);
	options.object.memory_bytes = with;
	api_ok(weir_event_array_create(api_device, 9, &options, &a));
	meet(a, 0);
	expect_nothing();
	api_ok(weir_event_array_destroy(api_device, &a));
	api_ok(weir_buffer_read(api_device, buffer, 0, filler, sizeof filler));
	for (size_t i = 0; i < 64; i++) {
		assert_int_equal(filler[i], 0xa5);
		assert_int_equal(filler[64 + with + i], 0xa5);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(right_kernels),   cmocka_unit_test(waits),
	    cmocka_unit_test(waits_of_others), cmocka_unit_test(last_signals),
	    cmocka_unit_test(far_targets),     cmocka_unit_test(amounts),
	    cmocka_unit_test(indices),         cmocka_unit_test(wrong_kinds),
	    cmocka_unit_test(uneven_signals),  cmocka_unit_test(counts_that_went_back),
	    cmocka_unit_test(destroyed),       cmocka_unit_test(memory),
	};
	return api_main(argc, argv, tests);
}
