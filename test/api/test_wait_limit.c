/* Kernels that were compiled with a limit on every wait: a wait that exceeds it ends the launch
 * with an error instead of a hang. This program is compiled with WEIR_WAIT_LIMIT_NS. */
#include "api.h"

/* No thread ever makes the word 1. There are several blocks and several threads: all must leave. */
static void a_wait_past_its_limit(void **state)
{
	api_run run = {"api_await", api_data.native, {.value = 1}, 3, 4, NULL};
	weir_argument arguments[3];
	uint32_t word;

	(void)state;
	weir_launch launch = api_launch(&run, arguments);
	api_ok(weir_kernel_launch(api_device, &launch));
	api_fails(weir_device_wait(api_device, API_DEADLINE_NS, NULL), WEIR_LAUNCH_FAILED);
	if (api_is_cuda())
		/* The trap has broken the context for this process. */
		assert_int_not_equal(weir_buffer_read(api_device, api_data, 0, &word, sizeof word),
		                     WEIR_OK);
}

/* Runs a kernel whose waits end, with zeros in its data. On a busy computer a wait may still exceed the
 * limit, which ends the launch; the run is then repeated. */
enum {
	TRIES = 100
};

static void runs_in_the_end(weir_status (*reset)(void *), void *object, api_run run)
{
	weir_argument arguments[3];
	weir_launch launch = api_launch(&run, arguments);
	weir_status status = WEIR_LAUNCH_FAILED;

	for (int i = 0; i < TRIES && status == WEIR_LAUNCH_FAILED; i++) {
		api_ok(reset(object));
		api_clear_data();
		api_ok(weir_kernel_launch(api_device, &launch));
		status = weir_device_wait(api_device, API_DEADLINE_NS, NULL);
	}
	api_ok(status);
}

static weir_status reset_barrier(void *barrier)
{
	return weir_barrier_reset(api_device, *(weir_barrier *)barrier);
}

static weir_status reset_mutex(void *mutex)
{
	return weir_mutex_reset(api_device, *(weir_mutex *)mutex);
}

static void block_left_at_a_barrier(void **state)
{
	weir_barrier two;

	(void)state;
	/* A barrier for two blocks in a launch of one: the second block never arrives. */
	api_ok(weir_barrier_create(api_device, 2, NULL, &two));
	api_run run = {"api_barrier", two.words, {{.barrier = two.config}, 1, 0}, 1, 4, NULL};
	weir_argument arguments[3];
	weir_launch launch = api_launch(&run, arguments);
	api_ok(weir_kernel_launch(api_device, &launch));
	api_fails(weir_device_wait(api_device, API_DEADLINE_NS, NULL), WEIR_LAUNCH_FAILED);
	api_ok(weir_device_wait(api_device, API_DEADLINE_NS, NULL));

	/* After a reset it works again. */
	runs_in_the_end(
	    reset_barrier, &two,
	    (api_run){"api_barrier", two.words, {{.barrier = two.config}, 9, 0}, 2, 4, &two});
	assert_int_equal(api_datum(0), 0);
	assert_int_equal(api_datum(2), 9);
	api_ok(weir_barrier_destroy(api_device, &two));
}

/* The wait after several launches reports that one of them failed, even if it was not the last. */
static void a_failed_launch_before_a_good_one(void **state)
{
	api_run bad = {"api_await", api_data.native, {.value = 1}, 1, 1, NULL};
	api_run good = {"api_ids", api_data.native, {.value = 5}, 1, 1, NULL};
	weir_argument bad_arguments[3], good_arguments[3];

	(void)state;
	api_clear_data();
	weir_launch first = api_launch(&bad, bad_arguments);
	weir_launch second = api_launch(&good, good_arguments);
	api_ok(weir_kernel_launch(api_device, &first));
	api_ok(weir_kernel_launch(api_device, &second));
	api_fails(weir_device_wait(api_device, API_DEADLINE_NS, NULL), WEIR_LAUNCH_FAILED);
	assert_int_equal(api_datum(0), 5);
}

/* A mutex that is never unlocked: the next block that wants it gives up, and the device still
 * works. */
static void a_mutex_that_is_kept(void **state)
{
	weir_mutex m;

	(void)state;
	api_ok(weir_mutex_create(api_device, &(weir_mutex_options){.kind = WEIR_MUTEX_TICKET}, &m));
	api_run_kernel((api_run){"api_mutex", m.words, {{.mutex = m.config}, 1, 1}, 1, 1, NULL});
	api_run run = {"api_mutex", m.words, {{.mutex = m.config}, 1, 0}, 2, 2, NULL};
	weir_argument arguments[3];
	weir_launch launch = api_launch(&run, arguments);
	api_ok(weir_kernel_launch(api_device, &launch));
	api_fails(weir_device_wait(api_device, API_DEADLINE_NS, NULL), WEIR_LAUNCH_FAILED);
	runs_in_the_end(reset_mutex, &m,
	                (api_run){"api_mutex", m.words, {{.mutex = m.config}, 10, 0}, 4, 2, NULL});
	assert_int_equal(api_datum(0), 40);
	api_ok(weir_mutex_destroy(api_device, &m));
}

/* After a trap a CUDA device can only be closed. */
static int close_only(void **state)
{
	(void)state;
	api_ok(weir_device_close(api_device));
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest on_the_host[] = {
	    cmocka_unit_test(block_left_at_a_barrier),
	    cmocka_unit_test(a_failed_launch_before_a_good_one),
	    cmocka_unit_test(a_mutex_that_is_kept),
	    cmocka_unit_test(a_wait_past_its_limit),
	    cmocka_unit_test(block_left_at_a_barrier),
	};
	const struct CMUnitTest on_a_gpu[] = {cmocka_unit_test(a_wait_past_its_limit)};

	if (api_begin(argc, argv))
		return API_SKIPPED;
	if (api_is_cuda())
		return cmocka_run_group_tests(on_a_gpu, api_setup, close_only);
	return cmocka_run_group_tests(on_the_host, api_setup, api_teardown);
}
