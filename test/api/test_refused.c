/* Objects of kinds that a kernel contains only if its author names them. A CUDA kernel that lacks
 * them is not launched, and the device stays usable. With WEIR_MUTEX_WITH the same kernels run. Host
 * kernels contain all kinds.
 *
 *   PROGRAM DEVICE           runs the tests
 *   PROGRAM DEVICE around    passes an object that the library does not know: the kernel ends the
 *                            launch, after which the device can only be closed */
#include "api.h"

#include <string.h>

#define BLOCKS 8u
#define ROUNDS 5u

/* Whether the host can look for the kinds of a kernel. */
static int is_listed(void)
{
	return api_is_cuda() || api_info.machine == WEIR_MACHINE_HIP;
}

/* What a launch returns for an object of a kind that these kernels may lack. */
static weir_status for_kinds(void)
{
#ifdef WEIR_MUTEX_WITH
	return WEIR_OK;
#else
	return is_listed() ? WEIR_NOT_FOUND : WEIR_OK;
#endif
}

/* The same for an object that the host uses, too: the scope of these kernels is the device. */
static weir_status for_scope(void)
{
	return is_listed() ? WEIR_BAD_ARGUMENT : WEIR_OK;
}

/* Returns whether it ran. */
static int runs_or_is_refused(api_run run, weir_status wanted, const char *said)
{
	weir_argument arguments[3];
	weir_launch launch = api_launch(&run, arguments);

	api_clear_data();
	if (wanted == WEIR_OK) {
		api_run_kernel(run);
		return 1;
	}
	api_fails(weir_kernel_launch(api_device, &launch), wanted);
	if (!strstr(weir_error_text(), said))
		print_error("%s\n", weir_error_text());
	assert_non_null(strstr(weir_error_text(), said));
	assert_int_equal(api_datum(0), 0);
	return 0;
}

/* A kernel runs with the default kind after other kinds were refused. */
static void default_still_runs(void)
{
	weir_mutex m;

	api_ok(weir_mutex_create(api_device, NULL, &m));
	api_clear_data();
	api_run_kernel(
	    (api_run){"api_mutex", m.words, {{.mutex = m.config}, ROUNDS, 0}, BLOCKS, 32, NULL});
	assert_int_equal(api_datum(0), BLOCKS * ROUNDS);
	api_ok(weir_mutex_destroy(api_device, &m));
}

static void mutexes(void **state)
{
	weir_mutex_array a;
	weir_mutex m;

	(void)state;
	api_ok(weir_mutex_create(api_device, &(weir_mutex_options){.kind = WEIR_MUTEX_TICKET}, &m));
	if (runs_or_is_refused(
		(api_run){"api_mutex", m.words, {{.mutex = m.config}, ROUNDS, 0}, BLOCKS, 32, NULL},
		for_kinds(), "a mutex of kind ticket"))
		assert_int_equal(api_datum(0), BLOCKS * ROUNDS);
	api_ok(weir_mutex_destroy(api_device, &m));

	api_ok(weir_mutex_array_create(api_device, 3,
	                               &(weir_mutex_array_options){.kind = WEIR_MUTEX_TICKET}, &a));
	if (runs_or_is_refused((api_run){"api_mutex_array",
	                                 a.words,
	                                 {{.mutex_array = a.config}, 1, 0},
	                                 BLOCKS,
	                                 32,
	                                 NULL},
	                       for_kinds(), "an array of mutexes of kind ticket"))
		assert_int_equal(api_datum(2), BLOCKS);
	api_ok(weir_mutex_array_destroy(api_device, &a));
	default_still_runs();
}

static void semaphores(void **state)
{
	weir_semaphore s;

	(void)state;
	api_ok(weir_semaphore_create(
	    api_device, 2, 2, &(weir_semaphore_options){.kind = WEIR_SEMAPHORE_SLEEPING}, &s));
	if (runs_or_is_refused((api_run){"api_semaphore",
	                                 s.words,
	                                 {{.semaphore = s.config}, ROUNDS, API_WAIT | API_POST},
	                                 BLOCKS,
	                                 32,
	                                 NULL},
	                       for_kinds(), "a semaphore of kind sleeping"))
		assert_int_equal(api_datum(0), ROUNDS);
	api_ok(weir_semaphore_destroy(api_device, &s));
	default_still_runs();
}

static void barriers(void **state)
{
	weir_barrier_options options = {.kind = WEIR_BARRIER_COUNTER, .shards = 1u << 3};
	int is_cuda = api_is_cuda();
	weir_barrier b;

	(void)state;
	api_ok(weir_barrier_create(api_device, BLOCKS,
	                           &(weir_barrier_options){.kind = WEIR_BARRIER_ATOMIC}, &b));
	api_run run = {"api_barrier", b.words, {{.barrier = b.config}, ROUNDS, 0}, BLOCKS, 16, &b};
	if (runs_or_is_refused(run, for_kinds(), "a barrier of kind atomic"))
		assert_int_equal(api_datum(BLOCKS), ROUNDS);
	api_ok(weir_barrier_destroy(api_device, &b));

	api_ok(weir_barrier_create(api_device, BLOCKS, &options, &b));
	run.words = b.words;
	run.params.config.barrier = b.config;
	run.threads = 7;
	if (runs_or_is_refused(run, is_cuda ? WEIR_BAD_ARGUMENT : WEIR_OK,
	                       "8 shards for blocks of 7 threads"))
		assert_int_equal(api_datum(BLOCKS), ROUNDS);
	run.threads = 16;
	runs_or_is_refused(run, WEIR_OK, "");
	assert_int_equal(api_datum(BLOCKS), ROUNDS);
	api_ok(weir_barrier_destroy(api_device, &b));
	default_still_runs();
}

static void events_of_the_host(void **state)
{
	const weir_event_array_options options = {.host_visible = 1};
	weir_event_array a;

	(void)state;
	api_ok(weir_event_array_create(api_device, 1, &options, &a));
	api_run run = {"api_event", a.words, {{.event_array = a.config}, 1, 5}, 1, 32, NULL};
	if (runs_or_is_refused(run, for_scope(), "define WEIR_SYSTEM_SCOPE"))
		assert_int_equal(api_datum(0), 5);
	api_ok(weir_event_array_destroy(api_device, &a));
	default_still_runs();
}

/* The kernel need not use the queue that it gets. */
static void queues_of_the_host(void **state)
{
	const weir_queue_options options = {.host_side = WEIR_HOST_PUSHES};
	weir_queue q;

	(void)state;
	api_ok(weir_queue_create(api_device, 4, 4, &options, &q));
	api_run run = {"api_linger", q.words, {{.queue = q.config}, 1, 0}, 1, 32, NULL};
	if (runs_or_is_refused(
		run, for_scope(),
		"a queue that is host_visible for a kernel whose scope is the device"))
		assert_int_equal(api_datum(0), 1);
	api_ok(weir_queue_destroy(api_device, &q));
	default_still_runs();
}

static int around(void)
{
	api_run run = {"api_mutex", NULL, {{.mutex = {.pitch = 1}}, 1, 0}, 1, 32, NULL};
	weir_argument arguments[3];
	weir_launch launch;
	weir_status status;

	api_ok(weir_device_open(api_device_name(), &api_device));
	weir_program_text text = api_text();
	api_ok(weir_program_create(api_device, &text, &api_program));
	api_ok(weir_buffer_create(api_device, API_DATA_WORDS * sizeof(uint32_t), &api_data));
	run.words = api_data.native;
	run.params.config.mutex.kind = WEIR_MUTEX_TICKET;
	launch = api_launch(&run, arguments);
	api_ok(weir_kernel_launch(api_device, &launch));
	status = weir_device_wait(api_device, API_DEADLINE_NS, NULL);
	print_message("%s: %s\n", weir_status_text(status), weir_error_text());
	return status != WEIR_LAUNCH_FAILED;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest all[] = {
	    cmocka_unit_test(mutexes),
	    cmocka_unit_test(semaphores),
	    cmocka_unit_test(barriers),
	    cmocka_unit_test(events_of_the_host),
	    cmocka_unit_test(queues_of_the_host),
	};

	if (argc > 2 && strcmp(argv[2], "around") == 0)
		return api_begin(argc, argv) ? API_SKIPPED : around();
	return api_main(argc, argv, all);
}
