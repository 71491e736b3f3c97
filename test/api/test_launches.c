/* Launches and waiting for them. */
#define _POSIX_C_SOURCE 200809L
#include "api.h"

#include <string.h>
#include <time.h>

static weir_argument arguments[3];
static api_run run;

/* A correct launch of api_ids; each test makes one part of it wrong. */
static weir_launch good_launch(void)
{
	run = (api_run){"api_ids", api_data.native, {.value = 1}, 2, 3, NULL};
	return api_launch(&run, arguments);
}

#define wrong(change, status)                                                                      \
	do {                                                                                       \
		weir_launch launch = good_launch();                                                \
		change;                                                                            \
		api_fails(weir_kernel_launch(api_device, &launch), status);                        \
	} while (0)

static void bad_launches(void **state)
{
	weir_launch launch = {0};
	uint32_t threads = api_info.max_threads_per_block;

	(void)state;
	api_fails(weir_kernel_launch(api_device, NULL), WEIR_BAD_ARGUMENT);
	api_fails(weir_kernel_launch(api_device, &launch), WEIR_BAD_ARGUMENT);
	wrong(memset(&launch.kernel, 0, sizeof launch.kernel), WEIR_BAD_ARGUMENT);
	wrong(launch.arguments = NULL, WEIR_BAD_ARGUMENT);
	wrong(launch.grid[0] = 0, WEIR_BAD_ARGUMENT);
	wrong(launch.block[0] = 0, WEIR_BAD_ARGUMENT);
	wrong(launch.block[0] = threads + 1, WEIR_BAD_ARGUMENT);
	wrong(launch.block[0] = launch.block[1] = threads, WEIR_BAD_ARGUMENT);
	wrong(launch.block[2] = UINT32_MAX, WEIR_BAD_ARGUMENT);
	wrong(launch.grid[0] = launch.grid[1] = 1 << 16, WEIR_BAD_ARGUMENT);
	wrong(launch.grid[0] = launch.grid[1] = launch.grid[2] = UINT32_MAX, WEIR_BAD_ARGUMENT);
	api_ok(weir_device_wait(api_device, API_DEADLINE_NS, NULL));
}

static void arguments_that_do_not_fit(void **state)
{
	(void)state;
	if (api_info.machine != WEIR_MACHINE_OPENCL) {
		/* These machines do not know the arguments of a kernel; in OpenCL NULL asks for
		 * local memory. */
		wrong(arguments[2].value = NULL, WEIR_BAD_ARGUMENT);
		return;
	}
	wrong(launch.argument_count = 2, WEIR_BAD_ARGUMENT);
	wrong(launch.argument_count = 0, WEIR_BAD_ARGUMENT);
	wrong(arguments[0].bytes = 3, WEIR_BAD_ARGUMENT);
}

/* One block more than can run at once is refused only where all blocks must run at once. */
static void too_many_blocks(void **state)
{
	uint32_t fit;
	uint32_t threads = api_info.max_threads_per_block < 256 ? 1 : 256;

	(void)state;
	api_ok(weir_kernel_resident_blocks(api_device, api_kernel("api_ids"), threads, 0, &fit));
	wrong((launch.grid[0] = fit + 1, launch.block[0] = threads, launch.cooperative = 1),
	      WEIR_TOO_MANY_BLOCKS);
	wrong((launch.grid[1] = fit, launch.block[0] = threads, launch.cooperative = 1),
	      WEIR_TOO_MANY_BLOCKS);

	if (API_SLOW_THREADS)
		return;
	run = (api_run){"api_linger", api_data.native, {.rounds = 1}, fit, threads, NULL};
	weir_launch launch = api_launch(&run, arguments);
	launch.cooperative = 1;
	api_ok(weir_kernel_launch(api_device, &launch));
	launch.cooperative = 0;
	launch.grid[0] = fit + 1;
	if (api_info.machine != WEIR_MACHINE_HOST) /* thousands of threads: test_host.c does it */
		api_ok(weir_kernel_launch(api_device, &launch));
	api_ok(weir_device_wait(api_device, API_DEADLINE_NS, NULL));
}

static void grids_and_barriers(void **state)
{
	weir_barrier two, gone;

	(void)state;
	api_ok(weir_barrier_create(api_device, 2, NULL, &two));
	wrong((launch.grid[0] = 1, launch.barrier = &two), WEIR_BAD_ARGUMENT);
	wrong((launch.grid[0] = 3, launch.barrier = &two), WEIR_BAD_ARGUMENT);
	wrong((launch.grid[0] = 2, launch.grid[1] = 2, launch.barrier = &two), WEIR_BAD_ARGUMENT);

	api_clear_data();
	api_run_kernel(
	    (api_run){"api_barrier", two.words, {{.barrier = two.config}, 20, 0}, 2, 4, &two});
	assert_int_equal(api_datum(0), 0);
	assert_int_equal(api_datum(1), 20);
	assert_int_equal(api_datum(2), 20);
	api_ok(weir_barrier_destroy(api_device, &two));
	gone = two;
	wrong(launch.barrier = &gone, WEIR_BAD_ARGUMENT);
}

/* A barrier may have as many blocks as any kernel could; with more threads, fewer blocks fit. */
static void barrier_too_large_for_the_block(void **state)
{
	weir_kernel kernel = api_kernel("api_barrier");
	uint32_t small, large, threads = api_info.max_threads_per_block;
	weir_barrier b;

	(void)state;
	api_ok(weir_kernel_resident_blocks(api_device, kernel, 1, 0, &small));
	api_ok(weir_kernel_resident_blocks(api_device, kernel, threads, 0, &large));
	if (small == large)
		return; /* OpenCL guarantees one for each unit, whatever its size */
	api_ok(weir_barrier_create(api_device, large + 1,
	                           &(weir_barrier_options){.kind = WEIR_BARRIER_ATOMIC}, &b));
	run = (api_run){"api_barrier", b.words, {{.barrier = b.config}, 1, 0},
	                large + 1,     threads, &b};
	weir_launch launch = api_launch(&run, arguments);
	api_fails(weir_kernel_launch(api_device, &launch), WEIR_TOO_MANY_BLOCKS);
	api_ok(weir_barrier_destroy(api_device, &b));
}

static void ids_are_linear(void **state)
{
	weir_launch launch;

	(void)state;
	api_clear_data();
	launch = good_launch();
	launch.grid[0] = 2, launch.grid[1] = 3, launch.grid[2] = 2;
	launch.block[0] = 2, launch.block[1] = 2, launch.block[2] = 3;
	api_ok(weir_kernel_launch(api_device, &launch));
	api_ok(weir_device_wait(api_device, API_DEADLINE_NS, NULL));
	for (uint32_t i = 0; i < 12 * 12; i++)
		assert_int_equal(api_datum(i), 1 + i / 12 * 1000 + i % 12);
	assert_int_equal(api_datum(12 * 12), 0);
	/* 0 in a later dimension counts as 1. */
	api_clear_data();
	launch = good_launch();
	launch.grid[1] = launch.grid[2] = launch.block[1] = launch.block[2] = 0;
	api_ok(weir_kernel_launch(api_device, &launch));
	api_ok(weir_device_wait(api_device, API_DEADLINE_NS, NULL));
	assert_int_equal(api_datum(5), 1 + 1000 + 2);
	assert_int_equal(api_datum(6), 0);
}

/* Launches follow one another, each with the arguments that it was given. */
static void many_launches_one_wait(void **state)
{
	(void)state;
	api_clear_data();
	for (uint32_t i = 0; i < 20; i++) {
		weir_launch launch = good_launch();
		run.params.value = i;
		api_ok(weir_kernel_launch(api_device, &launch));
		run.params.value = 1000000;
	}
	api_ok(weir_device_wait(api_device, API_DEADLINE_NS, NULL));
	for (uint32_t i = 0; i < 6; i++)
		assert_int_equal(api_datum(i), 190 + 20 * (i / 3 * 1000 + i % 3));
	assert_int_equal(api_datum(6), 0);
}

static void a_read_comes_after_the_launch(void **state)
{
	(void)state;
	api_clear_data();
	weir_launch launch = good_launch();
	api_ok(weir_kernel_launch(api_device, &launch));
	assert_int_equal(api_datum(5), 1 + 1000 + 2);
	api_ok(weir_device_wait(api_device, API_DEADLINE_NS, NULL));
}

static void bad_clusters(void **state)
{
	uint32_t most = api_info.cluster_blocks;

	(void)state;
	if (most == 0) {
		wrong(launch.cluster[0] = 2, WEIR_UNSUPPORTED);
		return;
	}
	wrong(launch.cluster[0] = 3, WEIR_BAD_ARGUMENT);
	wrong(launch.cluster[1] = 2, WEIR_BAD_ARGUMENT);
	wrong(launch.cluster[0] = 4, WEIR_BAD_ARGUMENT);
	wrong(launch.cluster[0] = launch.cluster[1] = launch.cluster[2] = UINT32_MAX,
	      WEIR_BAD_ARGUMENT);
	/* No device has room for this. */
	wrong(launch.grid[0] = launch.cluster[0] = 1 << 14, WEIR_BAD_ARGUMENT);
	/* More blocks than fit, where all must run at once. */
	wrong((launch.grid[0] = 1 << 16, launch.cluster[0] = 2, launch.cooperative = 1),
	      WEIR_TOO_MANY_BLOCKS);
}

/* A launch of api_clusters. Its blocks must have found that the blocks of each cluster have met,
 * and that their numbers are linear. */
static void launch_clusters(const uint32_t grid[3], const uint32_t cluster[3], uint32_t threads)
{
	uint32_t blocks = grid[0] * grid[1] * grid[2];
	uint32_t size = cluster[0] * cluster[1] * cluster[2];
	weir_buffer words;

	api_clear_data();
	api_ok(weir_buffer_create(api_device, blocks * sizeof(weir_word), &words));
	run = (api_run){"api_clusters", words.native, {.value = 7}, grid[0], threads, NULL};
	weir_launch launch = api_launch(&run, arguments);
	memcpy(launch.grid, grid, sizeof launch.grid);
	memcpy(launch.cluster, cluster, sizeof launch.cluster);
	api_ok(weir_kernel_launch(api_device, &launch));
	api_ok(weir_device_wait(api_device, API_DEADLINE_NS, NULL));
	for (uint32_t block = 0; block < blocks; block++) {
		uint32_t at[3] = {block % grid[0], block / grid[0] % grid[1],
		                  block / grid[0] / grid[1]};
		uint32_t id =
		    at[0] / cluster[0] +
		    grid[0] / cluster[0] *
			(at[1] / cluster[1] + grid[1] / cluster[1] * (at[2] / cluster[2]));
		uint32_t rank =
		    at[0] % cluster[0] +
		    cluster[0] * (at[1] % cluster[1] + cluster[1] * (at[2] % cluster[2]));
		assert_int_equal(api_datum(block * API_CLUSTER_WORDS), id);
		assert_int_equal(api_datum(block * API_CLUSTER_WORDS + 1), rank);
		assert_int_equal(api_datum(block * API_CLUSTER_WORDS + 2), size);
		assert_int_equal(api_datum(block * API_CLUSTER_WORDS + 3), 7);
	}
	api_ok(weir_buffer_destroy(api_device, &words));
}

static void clusters(void **state)
{
	(void)state;
	launch_clusters((uint32_t[]){3, 2, 1}, (uint32_t[]){1, 1, 1}, 2);
	if (api_info.cluster_blocks < 4)
		return;
	launch_clusters((uint32_t[]){4, 1, 1}, (uint32_t[]){2, 1, 1}, 1);
	launch_clusters((uint32_t[]){4, 1, 1}, (uint32_t[]){4, 1, 1}, 33);
	launch_clusters((uint32_t[]){4, 3, 2}, (uint32_t[]){2, 1, 2}, 2);
	if (API_SLOW_THREADS)
		return;
	/* On the host only half of these run at once. */
	uint32_t threads = api_info.resident_blocks_at_128 * 128 / 4;
	launch_clusters((uint32_t[]){4, 2, 1}, (uint32_t[]){1, 2, 1},
	                threads < 1024 ? threads : 1024);
}

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* About 16 ms on an idle computer, times `times`. */
static weir_launch long_launch(uint32_t times)
{
	uint32_t rounds = api_info.is_gpu ? 125 : 62;

	if (api_info.machine == WEIR_MACHINE_HOST)
		rounds = 62500;
	run = (api_run){
	    "api_linger", api_data.native, {.rounds = rounds * times, .value = 1000}, 1, 1, NULL};
	return api_launch(&run, arguments);
}

/* Starts a kernel and makes `calls`, which return `wanted` while it is at work. A kernel
 * that ended before them was too short for this computer at this moment: the next one is longer. */
static void while_it_works(weir_status (*calls)(void), weir_status wanted)
{
	weir_status status = WEIR_OK;

	for (uint32_t times = 1; status == WEIR_OK && times <= 4096; times *= 4) {
		weir_launch launch = long_launch(times);
		api_clear_data();
		api_ok(weir_kernel_launch(api_device, &launch));
		status = calls();
		if (status == WEIR_OK)
			api_ok(weir_device_wait(api_device, API_DEADLINE_NS, NULL));
	}
	assert_int_equal(status, wanted);
}

static weir_status short_waits(void)
{
	double elapsed = -1;
	weir_status status = weir_device_wait(api_device, 1000000, &elapsed);

	if (status == WEIR_TIMED_OUT) {
		assert_true(elapsed == 0);
		status = weir_device_wait(api_device, 1, NULL);
	}
	return status;
}

static void waiting(void **state)
{
	double elapsed = -1, begin = seconds(), took;

	(void)state;
	while_it_works(short_waits, WEIR_TIMED_OUT);
	api_ok(weir_device_wait(api_device, API_DEADLINE_NS, &elapsed));
	took = (seconds() - begin) * 1e3;
	assert_true(elapsed > 0);
	assert_true(elapsed < took * 1.01 + 1);
	assert_int_equal(api_datum(0), 1);
	/* With nothing at work it returns at once, even without a time limit. */
	api_ok(weir_device_wait(api_device, 0, NULL));
	api_ok(weir_device_wait(api_device, UINT64_MAX, NULL));
	api_ok(weir_device_wait(api_device, 1000000000, &elapsed));
}

static void waiting_without_end(void **state)
{
	weir_launch launch = long_launch(1);

	(void)state;
	api_clear_data();
	api_ok(weir_kernel_launch(api_device, &launch));
	api_ok(weir_device_wait(api_device, 0, NULL));
	assert_int_equal(api_datum(0), 1);
}

static void waiting_on_a_fresh_device(void **state)
{
	weir_device *device;
	double elapsed = -1;

	(void)state;
	api_ok(weir_device_open(api_device_name(), &device));
	api_ok(weir_device_wait(device, 1000000000, &elapsed));
	assert_true(elapsed == 0);
	api_ok(weir_device_close(device));
}

static weir_status overdue_calls(void)
{
	uint32_t word = 0;
	weir_status status = weir_device_wait(api_device, 1000000, NULL);

	if (status == WEIR_TIMED_OUT)
		status = weir_buffer_read(api_device, api_data, 0, &word, sizeof word);
	if (status == WEIR_BUSY)
		status = weir_buffer_write(api_device, api_data, 0, &word, sizeof word);
	return status;
}

/* After a time-out, calls that would have to wait say so instead of waiting for ever. */
static void calls_while_a_kernel_is_overdue(void **state)
{
	double until = seconds() + API_DEADLINE_NS * 1e-9;
	uint32_t word = 0;
	weir_status status;

	(void)state;
	while_it_works(overdue_calls, WEIR_BUSY);
	while ((status = weir_buffer_read(api_device, api_data, 0, &word, sizeof word)) ==
	           WEIR_BUSY &&
	       seconds() < until)
		nanosleep(&(struct timespec){0, 1000000}, NULL);
	api_ok(status);
	assert_int_equal(word, 1);
	api_ok(weir_device_wait(api_device, API_DEADLINE_NS, NULL));
}

/* Memory that is freed while a kernel uses it stays until the kernel is done. */
static void destroyed_and_closed_under_a_kernel(void **state)
{
	weir_program_text text = api_text();
	weir_device *device;
	weir_program *program;
	weir_kernel kernel;
	weir_buffer first, second;

	(void)state;
	weir_launch launch = long_launch(1);
	api_ok(weir_device_open(api_device_name(), &device));
	api_ok(weir_program_create(device, &text, &program));
	api_ok(weir_program_kernel(program, "api_linger", &kernel));
	api_ok(weir_buffer_create(device, 64, &first));
	api_ok(weir_buffer_create(device, 64, &second));
	launch.kernel = kernel;
	arguments[0].value = arguments[1].value = &first.native;
	api_ok(weir_kernel_launch(device, &launch));
	api_ok(weir_buffer_destroy(device, &first));
	api_ok(weir_device_wait(device, API_DEADLINE_NS, NULL));

	arguments[0].value = arguments[1].value = &second.native;
	api_ok(weir_kernel_launch(device, &launch));
	api_ok(weir_device_close(device));
	api_fails(weir_device_wait(device, API_DEADLINE_NS, NULL), WEIR_DEVICE_CLOSED);
	api_fails(weir_program_destroy(program), WEIR_DEVICE_CLOSED);
	nanosleep(&(struct timespec){0, 800000000}, NULL); /* until the kernel has ended */
}

static void shared_memory_and_streams(void **state)
{
	weir_status status;
	int some;

	(void)state;
	weir_launch launch = good_launch();
	launch.shared_bytes = (size_t)1 << 40;
	status = weir_kernel_launch(api_device, &launch);
	assert_true(status == WEIR_UNSUPPORTED || status == WEIR_BAD_ARGUMENT);
	if (api_info.machine == WEIR_MACHINE_HOST)
		wrong(launch.stream = &some, WEIR_UNSUPPORTED);
	if (!api_is_cuda())
		wrong(launch.shared_bytes = 16, WEIR_UNSUPPORTED);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(bad_launches),
	    cmocka_unit_test(arguments_that_do_not_fit),
	    cmocka_unit_test(too_many_blocks),
	    cmocka_unit_test(grids_and_barriers),
	    cmocka_unit_test(barrier_too_large_for_the_block),
	    cmocka_unit_test(ids_are_linear),
	    cmocka_unit_test(bad_clusters),
	    cmocka_unit_test(clusters),
	    cmocka_unit_test(many_launches_one_wait),
	    cmocka_unit_test(a_read_comes_after_the_launch),
	    cmocka_unit_test(waiting),
	    cmocka_unit_test(waiting_without_end),
	    cmocka_unit_test(waiting_on_a_fresh_device),
	    cmocka_unit_test(calls_while_a_kernel_is_overdue),
	    cmocka_unit_test(destroyed_and_closed_under_a_kernel),
	    cmocka_unit_test(shared_memory_and_streams),
	};
	return api_main(argc, argv, tests);
}
