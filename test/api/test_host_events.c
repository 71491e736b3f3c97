/* Events that the host uses while a kernel runs: it feeds and watches a persistent kernel. Bad
 * input to these functions and to the memory that host and kernels share is refused. */
#include "api.h"

#include <pthread.h>
#include <string.h>

#define ITEMS 100u
#define BLOCKS 4u
#define THREADS 33u
#define AHEAD 7u /* items that are fed before their answers are read */
#define SHORT_NS 2000000u
#define ITEM(i) (0x9e3779b9u * ((i) + 1))

static const weir_event_array_options visible = {.host_visible = 1};

/* OpenCL has neither such events nor such memory, and says so. */
static int has_shared_memory(void)
{
	weir_event_array a;
	weir_buffer buffer;

	if (api_info.machine != WEIR_MACHINE_OPENCL)
		return 1;
	memset(&a, 0xa5, sizeof a);
	api_fails(weir_event_array_create(api_device, 1, &visible, &a), WEIR_UNSUPPORTED);
	assert_non_null(strstr(weir_error_text(), "while a kernel runs"));
	assert_null(a.words);
	api_fails(weir_buffer_create_shared(api_device, 4, &buffer), WEIR_UNSUPPORTED);
	return 0;
}

static weir_event_array make(uint32_t length)
{
	weir_event_array a;

	api_ok(weir_event_array_create(api_device, length, &visible, &a));
	assert_int_equal(a.config.kind, WEIR_EVENT_WORD);
	return a;
}

static void options(void **state)
{
	weir_event_array_options with = {.host_visible = 1, .waiters = 1056, .signallers = 1056};
	weir_event_array a;

	(void)state;
	if (!has_shared_memory())
		return;
	api_ok(weir_event_array_create(api_device, 1, &with, &a));
	assert_int_equal(a.config.kind, WEIR_EVENT_WORD);
	api_ok(weir_event_array_destroy(api_device, &a));
	with = visible;
	with.object.compact = 1;
	api_ok(weir_event_array_create(api_device, 5, &with, &a));
	api_ok(weir_event_host_post(api_device, a, 4, 1));
	api_ok(weir_event_array_destroy(api_device, &a));
	api_fails(weir_event_array_create(api_device, 1, api_of_kind(with, WEIR_EVENT_COPIES), &a),
	          WEIR_UNSUPPORTED);
	assert_null(a.words);
	api_fails(weir_event_array_create(api_device, 1, api_of_kind(with, WEIR_EVENT_SHARDS), &a),
	          WEIR_UNSUPPORTED);
	with = visible;
	with.object.memory = api_data.native;
	with.object.memory_bytes = 4096;
	api_fails(weir_event_array_create(api_device, 1, &with, &a), WEIR_UNSUPPORTED);
	with = visible;
	with.object.diagnose = 1;
	api_fails(weir_event_array_create(api_device, 1, &with, &a), WEIR_UNSUPPORTED);
}

/* All three functions refuse the array or the index, and change nothing. */
static void all_refuse(weir_device *device, weir_event_array a, uint32_t index, weir_status status)
{
	uint32_t count = 77;

	api_fails(weir_event_host_count(device, a, index, &count), status);
	assert_int_equal(count, 77);
	api_fails(weir_event_host_post(device, a, index, 1), status);
	api_fails(weir_event_host_wait(device, a, index, 0, SHORT_NS), status);
}

static void bad_input(void **state)
{
	weir_event_array a, hidden, gone, none;
	weir_device *other;
	weir_buffer buffer;
	uint32_t count;

	(void)state;
	if (!has_shared_memory())
		return;
	a = make(3);
	all_refuse(api_device, a, 3, WEIR_BAD_ARGUMENT);
	assert_non_null(strstr(weir_error_text(), "event 3 of an array of 3"));
	all_refuse(api_device, a, UINT32_MAX, WEIR_BAD_ARGUMENT);
	api_fails(weir_event_host_count(api_device, a, 0, NULL), WEIR_BAD_ARGUMENT);
	api_fails(weir_event_host_post(api_device, a, 0, 0), WEIR_BAD_ARGUMENT);
	api_fails(weir_event_host_post(api_device, a, 0, (1u << 31) + 1), WEIR_BAD_ARGUMENT);
	api_fails(weir_event_host_post(api_device, a, 0, UINT32_MAX), WEIR_BAD_ARGUMENT);
	api_ok(weir_event_host_count(api_device, a, 0, &count));
	assert_int_equal(count, 0);
	all_refuse(NULL, a, 0, WEIR_BAD_ARGUMENT);

	api_ok(weir_event_array_create(api_device, 3, NULL, &hidden));
	all_refuse(api_device, hidden, 0, WEIR_BAD_ARGUMENT);
	assert_non_null(strstr(weir_error_text(), "host_visible"));
	api_ok(weir_event_array_destroy(api_device, &hidden));

	memset(&none, 0, sizeof none);
	all_refuse(api_device, none, 0, WEIR_NOT_FOUND);
	api_ok(weir_device_open(api_device_name(), &other));
	all_refuse(other, a, 0, WEIR_NOT_FOUND);
	api_ok(weir_device_close(other));
	all_refuse(other, a, 0, WEIR_DEVICE_CLOSED);
	api_fails(weir_buffer_create_shared(other, 4, &buffer), WEIR_DEVICE_CLOSED);

	gone = a;
	api_ok(weir_event_array_destroy(api_device, &a));
	all_refuse(api_device, gone, 0, WEIR_NOT_FOUND);
}

static void buffers(void **state)
{
	uint32_t value = 0;
	weir_buffer buffer, gone;

	(void)state;
	api_fails(weir_buffer_create_shared(api_device, 4, NULL), WEIR_BAD_ARGUMENT);
	api_fails(weir_buffer_create_shared(api_device, 0, &buffer), WEIR_BAD_ARGUMENT);
	api_fails(weir_buffer_create_shared(NULL, 4, &buffer), WEIR_BAD_ARGUMENT);
	if (!has_shared_memory())
		return;
	api_ok(weir_buffer_create_shared(api_device, 64, &buffer));
	assert_int_equal(((uint32_t *)buffer.native)[15], 0);
	((uint32_t *)buffer.native)[15] = 12;
	api_ok(weir_buffer_read(api_device, buffer, 60, &value, sizeof value));
	assert_int_equal(value, 12);
	value = 34;
	api_ok(weir_buffer_write(api_device, buffer, 60, &value, sizeof value));
	assert_int_equal(((uint32_t *)buffer.native)[15], 34);
	api_fails(weir_buffer_write(api_device, buffer, 61, &value, sizeof value),
	          WEIR_BAD_ARGUMENT);
	api_fails(weir_buffer_read(api_device, buffer, 64, &value, sizeof value),
	          WEIR_BAD_ARGUMENT);
	gone = buffer;
	api_ok(weir_buffer_destroy(api_device, &buffer));
	api_fails(weir_buffer_destroy(api_device, &gone), WEIR_NOT_FOUND);
	api_fails(weir_buffer_read(api_device, gone, 0, &value, sizeof value), WEIR_NOT_FOUND);
}

static uint32_t count_of(weir_event_array a, uint32_t index)
{
	uint32_t count;

	api_ok(weir_event_host_count(api_device, a, index, &count));
	return count;
}

/* Only the host: counts, targets at the wrap, time-outs, reset. */
static void counts(void **state)
{
	weir_event_array a;

	(void)state;
	if (!has_shared_memory())
		return;
	a = make(2);
	api_fails(weir_event_host_wait(api_device, a, 1, 1, SHORT_NS), WEIR_TIMED_OUT);
	assert_non_null(strstr(weir_error_text(), "event 1 is at 0 and not yet at 1"));
	api_ok(weir_event_host_wait(api_device, a, 1, 0, SHORT_NS));
	api_ok(weir_event_host_post(api_device, a, 1, 5));
	assert_int_equal(count_of(a, 1), 5);
	assert_int_equal(count_of(a, 0), 0);
	api_ok(weir_event_host_wait(api_device, a, 1, 5, 0));
	api_fails(weir_event_host_wait(api_device, a, 1, 6, 1), WEIR_TIMED_OUT);
	api_ok(weir_event_host_post(api_device, a, 1, 1u << 31));
	api_ok(weir_event_host_post(api_device, a, 1, 0x7ffffff8u));
	assert_int_equal(count_of(a, 1), 0xfffffffdu);
	api_fails(weir_event_host_wait(api_device, a, 1, 2, SHORT_NS), WEIR_TIMED_OUT);
	api_ok(weir_event_host_post(api_device, a, 1, 5));
	api_ok(weir_event_host_wait(api_device, a, 1, 2, SHORT_NS));
	assert_int_equal(count_of(a, 1), 2);
	api_ok(weir_event_array_reset(api_device, a));
	assert_int_equal(count_of(a, 1), 0);
	api_ok(weir_event_host_post(api_device, a, 1, 1));
	api_ok(weir_event_array_destroy(api_device, &a));
}

/* Events continue from a launch to the host, and across a reset. */
static void with_launches(void **state)
{
	weir_event_array a;

	(void)state;
	if (!has_shared_memory())
		return;
	a = make(3);
	for (uint32_t i = 1; i <= 2; i++) {
		api_clear_data();
		api_run_kernel(
		    (api_run){"api_event", a.words, {{.event_array = a.config}, 1, 4}, 1, 1, NULL});
		assert_int_equal(api_datum(0), 4 * i);
		assert_int_equal(count_of(a, 2), 4 * i);
	}
	api_ok(weir_event_array_reset(api_device, a));
	assert_int_equal(count_of(a, 2), 0);
	api_ok(weir_event_array_destroy(api_device, &a));
}

struct feed {
	weir_event_array events;
	weir_buffer data;
	api_run run;
	weir_argument arguments[3];
};

static void feed_begin(struct feed *f, uint32_t without)
{
	weir_launch launch;

	f->events = make(1 + BLOCKS);
	api_ok(weir_buffer_create_shared(api_device, 2 * ITEMS * sizeof(uint32_t), &f->data));
	f->run = (api_run){
	    "api_feed", f->events.words, {{.event_array = f->events.config}, ITEMS, without},
	    BLOCKS,     THREADS,         NULL};
	launch = api_launch(&f->run, f->arguments);
	f->arguments[1].value = &f->data.native;
	api_ok(weir_kernel_launch(api_device, &launch));
}

static void feed_end(struct feed *f)
{
	api_ok(weir_event_array_destroy(api_device, &f->events));
	api_ok(weir_buffer_destroy(api_device, &f->data));
}

/* The answer is plain memory, which only the event makes safe to read. */
static uint32_t is_wrong(const struct feed *f, uint32_t item)
{
	return ((const uint32_t *)f->data.native)[ITEMS + item] != API_ANSWER(ITEM(item));
}

static void feed_one(const struct feed *f, uint32_t item)
{
	((uint32_t *)f->data.native)[item] = ITEM(item);
	api_ok(weir_event_host_post(api_device, f->events, 0, 1));
}

static void await_answer(const struct feed *f, uint32_t item)
{
	api_ok(weir_event_host_wait(api_device, f->events, 1 + item % BLOCKS, item / BLOCKS + 1,
	                            API_DEADLINE_NS));
}

/* Blocks work in step with the host: one item at a time, then several. */
static void feeds_and_watches(void **state)
{
	uint32_t wrong = 0, fed = 0, seen = 0;
	struct feed f;

	(void)state;
	if (!has_shared_memory())
		return;
	feed_begin(&f, 0);
	api_fails(weir_event_host_wait(api_device, f.events, 1, 1, SHORT_NS), WEIR_TIMED_OUT);
	for (uint32_t i = 0; i < ITEMS; i++) {
		uint32_t ahead = i < ITEMS / 2 ? 1 : AHEAD;

		while (fed < i + ahead && fed < ITEMS)
			feed_one(&f, fed++);
		await_answer(&f, i);
		wrong += is_wrong(&f, i);
	}
	assert_int_equal(wrong, 0);
	api_ok(weir_device_wait(api_device, API_DEADLINE_NS, NULL));
	for (uint32_t i = 0; i < BLOCKS; i++)
		seen += count_of(f.events, 1 + i);
	assert_int_equal(seen, ITEMS);
	assert_int_equal(count_of(f.events, 0), ITEMS);
	feed_end(&f);
}

/* A kernel that does not wait is noticed. */
static void notices_what_was_not_fed(void **state)
{
	uint32_t wrong = 0;
	struct feed f;

	(void)state;
	if (!has_shared_memory())
		return;
	feed_begin(&f, 1);
	for (uint32_t i = 0; i < ITEMS; i++)
		await_answer(&f, i);
	for (uint32_t i = 0; i < ITEMS; i++) {
		feed_one(&f, i);
		wrong += is_wrong(&f, i);
	}
	assert_int_equal(wrong, ITEMS);
	api_ok(weir_device_wait(api_device, API_DEADLINE_NS, NULL));
	feed_end(&f);
}

static void *post_items(void *given)
{
	const struct feed *f = given;

	for (uint32_t i = 0; i < ITEMS / 2; i++)
		if (weir_event_host_post(api_device, f->events, 0, 1) != WEIR_OK)
			return given;
	return NULL;
}

/* Two host threads post to one event: nothing is lost. */
static void two_threads_post(void **state)
{
	pthread_t other;
	struct feed f;
	void *failed;

	(void)state;
	if (!has_shared_memory())
		return;
	feed_begin(&f, 0);
	assert_int_equal(pthread_create(&other, NULL, post_items, &f), 0);
	failed = post_items(&f);
	assert_null(failed);
	assert_int_equal(pthread_join(other, &failed), 0);
	assert_null(failed);
	api_ok(weir_device_wait(api_device, API_DEADLINE_NS, NULL));
	assert_int_equal(count_of(f.events, 0), ITEMS);
	assert_int_equal(count_of(f.events, 1), ITEMS / BLOCKS);
	feed_end(&f);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(options),
	    cmocka_unit_test(bad_input),
	    cmocka_unit_test(buffers),
	    cmocka_unit_test(counts),
	    cmocka_unit_test(with_launches),
	    cmocka_unit_test(feeds_and_watches),
	    cmocka_unit_test(notices_what_was_not_fed),
	    cmocka_unit_test(two_threads_post),
	};
	return api_main(argc, argv, tests);
}
