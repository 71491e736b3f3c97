/* Handles of an unknown kind or, in a program that was compiled for fixed kinds, of another kind:
 * every operation ends the launch. Each runs in its own process where that breaks more than the
 * launch: a trap breaks the context of a GPU, and the process of a CPU under OpenCL. */
#include "api.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WEIR_MUTEX_KIND
#define WRONG_KIND 1 /* spin, atomic: the program is compiled for other kinds */
#define SAID "which the kernel was not compiled for"
#else
#define WRONG_KIND 17
#define SAID "of kind 17, which is none"
#endif

static int is_pocl(void)
{
	return api_info.machine == WEIR_MACHINE_OPENCL;
}

static void operate(uint32_t operation, uint32_t kind)
{
	api_run run = {
	    "api_operate", NULL, {{.object = {.kind = kind, .pitch = 1}}, 1, operation}, 1, 2,
	    NULL};
	weir_argument arguments[3];
	weir_launch launch;

	if (is_pocl()) /* PoCL takes long to compile the other */
		run.kernel = "api_mutex";
	run.words = api_data.native;
	launch = api_launch(&run, arguments);
	api_ok(weir_kernel_launch(api_device, &launch));
	api_fails(weir_device_wait(api_device, API_DEADLINE_NS, NULL), WEIR_LAUNCH_FAILED);
}

/* On the host only the launch is lost, and its error says which kind it was. */
static void every_operation(void **state)
{
	(void)state;
	for (uint32_t operation = 0; operation < API_OPERATIONS; operation++) {
		api_clear_data();
		operate(operation, WRONG_KIND);
		if (!strstr(weir_error_text(), SAID))
			print_error("operation %u: %s\n", operation, weir_error_text());
		assert_non_null(strstr(weir_error_text(), SAID));
		assert_non_null(
		    strstr(weir_error_text(), operation <= API_MUTEX_LOCK_FOR       ? "mutex"
		                              : operation <= API_SEMAPHORE_WAIT_FOR ? "semaphore"
		                              : operation <= API_BARRIER_WAIT_FOR   ? "barrier"
		                                                                    : "event"));
		assert_int_equal(api_datum(0), 0);
		api_run_kernel((api_run){"api_ids", NULL, {.value = 5}, 1, 1, NULL});
		assert_int_equal(api_datum(0), 5);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest all[] = {cmocka_unit_test(every_operation)};
	void *state = NULL;
	int failed = 0;

	if (api_begin(argc, argv))
		return API_SKIPPED;
	if (api_info.machine == WEIR_MACHINE_HOST)
		return cmocka_run_group_tests(all, api_setup, api_teardown);
	if (argc > 2) { /* not under cmocka, which would catch the signal */
		api_setup(&state);
		operate((uint32_t)atoi(argv[2]), WRONG_KIND);
		return 0;
	}
	for (uint32_t operation = 0; operation < (is_pocl() ? 1u : API_OPERATIONS); operation++)
		failed += api_fails_apart(argv, operation, is_pocl() ? SIGILL : 0);
	printf("%d failed\n", failed);
	return failed != 0;
}
