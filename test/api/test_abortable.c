/* weir_device_abort and kernels without diagnosed objects. The host machine ends any wait. CUDA ends the waits of
 * kernels compiled with WEIR_ABORTABLE, as these are; for other kernels it says that it cannot. */
#include "api.h"
#include "weir/kind.h"

static int can_end(void)
{
	return api_info.machine == WEIR_MACHINE_HOST || api_is_cuda();
}

/* Launches a kernel that never ends, and ends it. The device still works afterwards. */
static void end(api_run run)
{
	weir_argument arguments[3];
	weir_launch launch = api_launch(&run, arguments);

	api_ok(weir_kernel_launch(api_device, &launch));
	api_fails(weir_device_wait(api_device, 20000000, NULL), WEIR_TIMED_OUT);
	api_ok(weir_device_abort(api_device));
	api_fails(weir_device_wait(api_device, API_DEADLINE_NS, NULL), WEIR_ABORTED);
	api_said("weir_device_abort ended the kernel's waits");
	api_ok(weir_device_wait(api_device, API_DEADLINE_NS, NULL)); /* reported once */
	api_clear_data();
	api_run_kernel((api_run){"api_ids", api_data.native, {.value = 5}, 1, 1, NULL});
	assert_int_equal(api_datum(0), 5);
}

static void a_word_that_nobody_writes(void **state)
{
	(void)state;
	if (!can_end())
		return;
	api_clear_data();
	end((api_run){"api_await", api_data.native, {.value = 1}, 3, 64, NULL});
	end((api_run){"api_await", api_data.native, {.value = 1}, 3, 64, NULL});
}

static void a_mutex_that_is_kept(void **state)
{
	weir_mutex m;

	(void)state;
	if (!can_end())
		return;
	const weir_kind *kind = weir_kind_at(WEIR_PRIMITIVE_MUTEX, 0);
	for (size_t k = 0; kind; kind = weir_kind_at(WEIR_PRIMITIVE_MUTEX, ++k)) {
		if (weir_mutex_create(api_device, &(weir_mutex_options){.kind = kind->value}, &m) !=
		    WEIR_OK)
			continue; /* not on this device */
		api_clear_data();
		api_run_kernel(
		    (api_run){"api_mutex", m.words, {{.mutex = m.config}, 1, 1}, 1, 1, NULL});
		end((api_run){"api_mutex", m.words, {{.mutex = m.config}, 1, 0}, 2, 64, NULL});
		api_ok(weir_mutex_reset(api_device, m));
		api_clear_data();
		api_run_kernel(
		    (api_run){"api_mutex", m.words, {{.mutex = m.config}, 3, 0}, 4, 64, NULL});
		assert_int_equal(api_datum(0), 12);
		api_ok(weir_mutex_destroy(api_device, &m));
	}
}

/* One block of two: the other never arrives. */
static void a_barrier_that_lacks_a_block(void **state)
{
	weir_barrier b;

	(void)state;
	if (!api_is_cuda())
		return; /* the host machine notices that the grid is too small */
	api_ok(weir_barrier_create(api_device, 2, NULL, &b));
	api_clear_data();
	end((api_run){"api_barrier", b.words, {{.barrier = b.config}, 1, 0}, 1, 64, NULL});
	api_ok(weir_barrier_destroy(api_device, &b));
}

static void what_cannot_be_ended(void **state)
{
	api_run run = {"api_ids", api_data.native, {.value = 5}, 1, 1, NULL};

	(void)state;
	api_run_kernel(run);
	if (can_end())
		return;
	api_fails(weir_device_abort(api_device), WEIR_UNSUPPORTED);
	api_said("cannot end this kernel's waits: only those for objects with object.diagnose");
	api_ok(weir_device_wait(api_device, API_DEADLINE_NS, NULL));
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_word_that_nobody_writes),
	    cmocka_unit_test(a_mutex_that_is_kept),
	    cmocka_unit_test(a_barrier_that_lacks_a_block),
	    cmocka_unit_test(what_cannot_be_ended),
	};
	return api_main(argc, argv, tests);
}
