/* Arrays of events: bad input, sizes, kinds, placement, reset, destruction. */
#include "api.h"

#define NO_KIND 99

static weir_status make(uint32_t length, const weir_event_array_options *options,
                        weir_event_array *a)
{
	return weir_event_array_create(api_device, length, options, a);
}

static void bad_input(void **state)
{
	const weir_event_array_options words = {.copies = 1};
	const weir_event_array_options many = {.kind = WEIR_EVENT_COPIES,
	                                       .copies = (1u << WEIR_EVENT_BITS_MOST) + 1};
	weir_event_array a;

	(void)state;
	api_refused(make(0, NULL, &a), WEIR_BAD_ARGUMENT, a);
	assert_string_equal(weir_error_text(), "an array of events of 0 events");
	api_refused(make((1u << 28) + 1, NULL, &a), WEIR_BAD_ARGUMENT, a);
	assert_non_null(strstr(weir_error_text(), "an array of 268435457 events: the most is"));
	api_refused(make(UINT32_MAX, NULL, &a), WEIR_BAD_ARGUMENT, a);
	api_refused(make(1, &words, &a), WEIR_BAD_ARGUMENT, a);
	api_said(
	    "copies is 1, but an array of events of kind word has none: it is for the kind copies");
	api_refused(weir_event_array_create(api_device, 1, &many, &a), WEIR_BAD_ARGUMENT, a);
	api_said("copies is 17: the most is 16");
	api_refused(weir_event_array_create(api_device, 1u << 28,
	                                    &(weir_event_array_options){.kind = WEIR_EVENT_SHARDS},
	                                    &a),
	            WEIR_BAD_ARGUMENT, a);
}

/* The number of users chooses the kind. */
static void kinds(void **state)
{
	weir_event_array_options options = {.waiters = 700, .signallers = 700};
	weir_event_array a;

	(void)state;
	api_ok(make(3, NULL, &a));
	assert_int_equal(a.config.kind, WEIR_EVENT_WORD);
	assert_int_equal(a.config.bits, 0);
	assert_int_equal(a.config.length, 3);
	assert_int_equal(a.config.backoff.max, 0);
	api_ok(weir_event_array_destroy(api_device, &a));
	api_ok(make(3, &options, &a));
	assert_int_equal(a.config.kind, WEIR_EVENT_WORD);
	api_ok(weir_event_array_destroy(api_device, &a));
	options.signallers = 2112;
	api_ok(make(3, &options, &a));
	assert_int_equal(a.config.kind, WEIR_EVENT_SHARDS);
	assert_int_equal(a.config.bits, 3);
	api_ok(weir_event_array_destroy(api_device, &a));
	options.waiters = 1056;
	api_ok(make(3, &options, &a));
	assert_int_equal(a.config.kind, WEIR_EVENT_COPIES);
	assert_int_equal(a.config.bits, 2);
	api_ok(weir_event_array_destroy(api_device, &a));
	assert_string_equal(weir_event_kind_name(WEIR_EVENT_COPIES), "copies");
	assert_string_equal(weir_event_kind_name(0), "default");
	assert_null(weir_event_kind_name(NO_KIND));
}

static size_t bytes_of(weir_event_kind kind, uint32_t length, int compact)
{
	weir_event_array_options options = {.object.compact = compact,
	                                    .copies = kind == WEIR_EVENT_COPIES ? 4 : 0,
	                                    .shards = kind == WEIR_EVENT_SHARDS ? 3 : 0};
	size_t bytes, alignment;

	api_ok(weir_event_array_size(api_device, length, api_of_kind(options, kind), &bytes,
	                             &alignment));
	assert_int_equal(alignment, compact ? 4 : 128);
	return bytes;
}

static void sizes(void **state)
{
	(void)state;
	/* Two words for rounds, and one for each event. */
	assert_int_equal(bytes_of(WEIR_EVENT_WORD, 1, 1), 12);
	assert_int_equal(bytes_of(WEIR_EVENT_WORD, 1000, 1), 4008);
	assert_int_equal(bytes_of(WEIR_EVENT_WORD, 1000, 0), 1001 * 128 + 4);
	/* Four rows, each at least 33 lines, or its own length, from the previous one. */
	assert_int_equal(bytes_of(WEIR_EVENT_COPIES, 1, 0), 3 * 33 * 128 + 2 * 128 + 4);
	assert_int_equal(bytes_of(WEIR_EVENT_SHARDS, 1000, 0), 3 * 1003 * 128 + 1001 * 128 + 4);
	/* The size does not wrap at 2^32 bytes. */
	assert_true(bytes_of(WEIR_EVENT_WORD, 1u << 28, 0) > ((size_t)1 << 35));
}

static uint32_t posted(weir_event_array a, uint32_t value)
{
	api_clear_data();
	api_run_kernel(
	    (api_run){"api_event", a.words, {{.event_array = a.config}, 1, value}, 1, 1, NULL});
	return api_datum(0);
}

/* Events continue from launch to launch until they are reset. */
static void use(const weir_event_array_options *options)
{
	weir_event_array a;

	api_ok(weir_event_array_create(api_device, 9, options, &a));
	assert_int_equal(posted(a, 2), 2);
	assert_int_equal(posted(a, 3), 5);
	api_ok(weir_event_array_reset(api_device, a));
	assert_int_equal(posted(a, 4), 4);
	api_ok(weir_event_array_destroy(api_device, &a));
}

static void placed(weir_event_kind kind)
{
	weir_event_array_options options = {.object.compact = 1,
	                                    .copies = kind == WEIR_EVENT_COPIES ? 2 : 0,
	                                    .shards = kind == WEIR_EVENT_SHARDS ? 2 : 0};
	size_t bytes, alignment;

	api_ok(
	    weir_event_array_size(api_device, 9, api_of_kind(options, kind), &bytes, &alignment));
	api_place place = api_place_begin(&options.object, bytes);
	use(&options);
	api_place_end(&place);
}

static void use_and_reset(void **state)
{
	(void)state;
#define ROW(name, NAME, ...)                                                                       \
	use(&(weir_event_array_options){.kind = WEIR_EVENT_##NAME});                               \
	placed(WEIR_EVENT_##NAME);
	WEIR_EVENT_KINDS(ROW)
#undef ROW
}

/* The largest array, of 32 GiB. Either the device has room for it, or there is no memory. */
static void no_memory(void **state)
{
	weir_event_array a;
	weir_status status;

	(void)state;
	memset(&a, 0xa5, sizeof a);
	status = make(1u << 28, NULL, &a);
	if (status == WEIR_OK) {
		api_ok(weir_event_array_destroy(api_device, &a));
	} else {
		assert_int_equal(status, WEIR_NO_MEMORY);
		assert_null(a.words);
	}
}

/* The host says what was wrong; on other machines a fault ends more than the launch. */
static void a_signal_without_a_result(void **state)
{
	api_run run = {"api_operate", NULL, {.rounds = 1, .value = API_EVENT_SIGNAL}, 1, 1, NULL};
	weir_argument arguments[3];
	weir_event_array a;
	weir_launch launch;

	(void)state;
	if (api_info.machine != WEIR_MACHINE_HOST)
		return;
	api_ok(weir_event_array_create(api_device, 1,
	                               &(weir_event_array_options){.kind = WEIR_EVENT_SHARDS}, &a));
	run.words = a.words;
	run.params.config.event_array = a.config;
	launch = api_launch(&run, arguments);
	api_ok(weir_kernel_launch(api_device, &launch));
	api_fails(weir_device_wait(api_device, API_DEADLINE_NS, NULL), WEIR_LAUNCH_FAILED);
	assert_non_null(strstr(weir_error_text(), "a signal at an event of kind shards"));
	api_ok(weir_event_array_destroy(api_device, &a));
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(bad_input), cmocka_unit_test(kinds),
	    cmocka_unit_test(sizes),     cmocka_unit_test(use_and_reset),
	    cmocka_unit_test(no_memory), cmocka_unit_test(a_signal_without_a_result),
	};
	return api_main(argc, argv, tests);
}
