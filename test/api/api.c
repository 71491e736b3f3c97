#include "api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api_kernels.h"
#include "weir/kind.h"
#include "weir/rows.h"

/* API_KERNELS is the name of the embedded kernels. */
#define PASTE_(name, end) name##end
#define PASTE(name, end) PASTE_(name, end)
#define CUDA_IMAGE PASTE(API_KERNELS, _cuda_image)
#define HIP_IMAGE PASTE(API_KERNELS, _hip_image)
#define OPENCL_TEXT PASTE(API_KERNELS, _opencl_text)
extern const void *const CUDA_IMAGE;
extern const void *const HIP_IMAGE;
extern const char *const OPENCL_TEXT;

weir_device *api_device;
weir_device_info api_info;
weir_program *api_program;
weir_buffer api_data;

static const char *name_argument;

static const weir_host_entry entries[] = {
    {"api_ids", api_ids_entry},
#ifdef API_STUCK
    {"api_lock_right", api_lock_right_entry},
    {"api_lock_together", api_lock_together_entry},
    {"api_lock_condition", api_lock_condition_entry},
    {"api_lock_read", api_lock_read_entry},
    {"api_lock_write", api_lock_write_entry},
    {"api_lock_crossed", api_lock_crossed_entry},
    {"api_lock_once", api_lock_once_entry},
    {"api_combine_right", api_combine_right_entry},
    {"api_combine", api_combine_entry},
#elif defined(API_QUEUES)
    {"api_queue_serve", api_queue_serve_entry},
    {"api_queue_pass", api_queue_pass_entry},
    {"api_queue_close", api_queue_close_entry},
    {"api_queue_mistake", api_queue_mistake_entry},
    {"api_dispenser_take", api_dispenser_take_entry},
    {"api_tasks_run", api_tasks_run_entry},
#elif defined(API_CREWS)
    {"api_crew", api_crew_entry},
#elif defined(API_LOCKS)
    {"api_condition", api_condition_entry},
    {"api_rwlock", api_rwlock_entry},
    {"api_once", api_once_entry},
    {"api_combine", api_combine_entry},
    {"api_combine_mistake", api_combine_mistake_entry},
#else
    {"api_clusters", api_clusters_entry},
    {"api_mutex", api_mutex_entry},
    {"api_mutex_array", api_mutex_array_entry},
    {"api_event", api_event_entry},
    {"api_feed", api_feed_entry},
    {"api_semaphore", api_semaphore_entry},
    {"api_barrier", api_barrier_entry},
    {"api_linger", api_linger_entry},
    {"api_await", api_await_entry},
    {"api_company", api_company_entry},
    {"api_after_barrier", api_after_barrier_entry},
    {"api_operate", api_operate_entry},
#endif
#if defined(WEIR_DIAGNOSE) && !defined(API_STUCK) && !defined(API_CREWS)
    {"api_events", api_events_entry},
    {"api_events_all", api_events_all_entry},
    {"api_events_meet", api_events_meet_entry},
    {"api_queue", api_queue_entry},
    {"api_dispenser", api_dispenser_entry},
    {"api_tasks", api_tasks_entry},
#endif
};

weir_program_text api_text(void)
{
	weir_program_text text = {.cuda_image = CUDA_IMAGE,
	                          .hip_image = HIP_IMAGE,
	                          .opencl_text = OPENCL_TEXT,
	                          .host_entries = entries,
	                          .host_entry_count = sizeof entries / sizeof entries[0]};
	return text;
}

void api_check_ok(weir_status got, const char *call, const char *file, int line)
{
	if (got == WEIR_OK)
		return;
	print_error("%s: %s (%s)\n", call, weir_status_text(got), weir_error_text());
	_fail(file, line);
}

static const char provoked[] = "a device that nobody has";

void api_provoke(void)
{
	weir_device *none;
	assert_int_equal(weir_device_open(provoked, &none), WEIR_NO_DEVICE);
}

void api_check_failed(weir_status got, weir_status want, const char *call, const char *file,
                      int line)
{
	const char *text = weir_error_text();

	if (got != want)
		print_error("%s: %s (%s), not: %s\n", call, weir_status_text(got),
		            got == WEIR_OK ? "" : text, weir_status_text(want));
	else if (text[0] == '\0' || strstr(text, provoked))
		print_error("%s: does not say what is wrong\n", call);
	else
		return;
	_fail(file, line);
}

void api_said(const char *words)
{
	if (!strstr(weir_error_text(), words))
		print_error("no '%s' in: %s\n", words, weir_error_text());
	assert_non_null(strstr(weir_error_text(), words));
}

#define FILLER 0x5a

api_place api_place_begin(weir_object_options *options, size_t bytes)
{
	api_place place = {.bytes = bytes};
	size_t all = bytes + 2 * (size_t)API_MARGIN;
	void *filler = malloc(all);

	assert_non_null(filler);
	memset(filler, FILLER, all);
	api_ok(weir_buffer_create(api_device, all, &place.memory));
	api_ok(weir_buffer_write(api_device, place.memory, 0, filler, all));
	free(filler);
	options->memory = place.memory.native;
	options->memory_offset = API_MARGIN;
	options->memory_bytes = bytes;
	return place;
}

void api_place_look(const api_place *place, unsigned char *bytes)
{
	unsigned char sides[2][API_MARGIN];

	for (size_t i = 0; i < 2; i++)
		api_ok(weir_buffer_read(api_device, place->memory, i * (API_MARGIN + place->bytes),
		                        sides[i], API_MARGIN));
	for (size_t i = 0; i < API_MARGIN; i++) {
		assert_int_equal(sides[0][i], FILLER);
		assert_int_equal(sides[1][i], FILLER);
	}
	if (bytes)
		api_ok(
		    weir_buffer_read(api_device, place->memory, API_MARGIN, bytes, place->bytes));
}

void api_place_end(api_place *place)
{
	api_place_look(place, NULL);
	api_ok(weir_buffer_destroy(api_device, &place->memory));
}

const char *api_device_name(void)
{
	const char *name = name_argument ? name_argument : getenv("WEIR_TEST_DEVICE");
	return name ? name : "host";
}

int api_begin(int argc, char **argv)
{
	weir_device *device;

	if (argc > 1)
		name_argument = argv[1];
	weir_status status = weir_device_open(api_device_name(), &device);
	if (status == WEIR_NO_DEVICE) {
		printf("skipped: %s\n", weir_error_text());
		return 1;
	}
	if (status != WEIR_OK)
		return 0; /* api_setup will run into it again and fail */
	weir_device_describe(device, &api_info);
	weir_device_close(device);
	if (api_is_cuda() && !CUDA_IMAGE) {
		printf("skipped: built without nvcc\n");
		return 1;
	}
	if (api_info.machine == WEIR_MACHINE_HIP && !HIP_IMAGE) {
		printf("skipped: built without WEIR_HIP\n");
		return 1;
	}
	return 0;
}

int api_setup(void **state)
{
	weir_program_text text = api_text();

	(void)state;
	api_ok(weir_device_open(api_device_name(), &api_device));
	api_ok(weir_device_describe(api_device, &api_info));
	api_ok(weir_program_create(api_device, &text, &api_program));
	api_ok(weir_buffer_create(api_device, API_DATA_WORDS * sizeof(uint32_t), &api_data));
	return 0;
}

int api_teardown(void **state)
{
	(void)state;
	api_ok(weir_buffer_destroy(api_device, &api_data));
	api_ok(weir_program_destroy(api_program));
	api_ok(weir_device_close(api_device));
	return 0;
}

weir_kernel api_kernel(const char *name)
{
	weir_kernel kernel;
	api_ok(weir_program_kernel(api_program, name, &kernel));
	return kernel;
}

weir_launch api_launch(const api_run *run, weir_argument *arguments)
{
	arguments[0] = (weir_argument){&run->words, sizeof run->words};
	arguments[1] = (weir_argument){&api_data.native, sizeof api_data.native};
	arguments[2] = (weir_argument){&run->params, sizeof run->params};
	weir_launch launch = {.kernel = api_kernel(run->kernel),
	                      .grid = {run->grid},
	                      .block = {run->threads},
	                      .barrier = run->barrier,
	                      .arguments = arguments,
	                      .argument_count = 3};
	return launch;
}

void api_run_kernel(api_run run)
{
	weir_argument arguments[3];

	if (!run.words)
		run.words = api_data.native;
	weir_launch launch = api_launch(&run, arguments);
	api_ok(weir_kernel_launch(api_device, &launch));
	api_ok(weir_device_wait(api_device, API_DEADLINE_NS, NULL));
}

void api_clear_data(void)
{
	static const uint32_t zeros[API_DATA_WORDS];
	api_ok(weir_buffer_write(api_device, api_data, 0, zeros, sizeof zeros));
}

uint32_t api_datum(uint32_t index)
{
	uint32_t value;
	api_ok(weir_buffer_read(api_device, api_data, index * sizeof value, &value, sizeof value));
	return value;
}

int api_fails_apart(char **argv, uint32_t number, int signal)
{
	char text[16];
	int status = 0;
	pid_t child;

	snprintf(text, sizeof text, "%u", number);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		alarm(120);
		execl(argv[0], argv[0], api_device_name(), text, (char *)NULL);
		_exit(127);
	}
	waitpid(child, &status, 0);
	if (signal ? WIFSIGNALED(status) && WTERMSIG(status) == signal
	           : WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	printf("number %u ended with status %x\n", number, (unsigned)status);
	return 1;
}

void api_end_launch(const api_run *run)
{
	weir_argument arguments[3];
	weir_launch launch = api_launch(run, arguments);

	api_clear_data();
	api_ok(weir_kernel_launch(api_device, &launch));
	api_fails(weir_device_wait(api_device, API_DEADLINE_NS, NULL), WEIR_LAUNCH_FAILED);
}

/* The device still works after each of them. */
static void mistakes_in_kernels(void **state)
{
	const api_mistakes *mistakes = *state;

	for (uint32_t i = 0; i < mistakes->on_the_host; i++) {
		const char *said = mistakes->make(i);
		if (!strstr(weir_error_text(), said))
			print_error("mistake %u: %s\n", i, weir_error_text());
		assert_non_null(strstr(weir_error_text(), said));
		assert_int_equal(api_datum(0), 0);
		api_run_kernel((api_run){"api_ids", NULL, {.value = 5}, 1, 1, NULL});
		assert_int_equal(api_datum(0), 5);
	}
}

int api_make_mistake(api_mistakes mistakes, const char *number)
{
	void *state = NULL;

	api_setup(&state);
	mistakes.make((uint32_t)strtoul(number, NULL, 10) % mistakes.count);
	return 0;
}

int api_check_mistakes(api_mistakes mistakes, char **argv)
{
	const struct CMUnitTest on_the_host[] = {
	    cmocka_unit_test_prestate(mistakes_in_kernels, &mistakes)};
	int failed = 0;

	if (api_info.machine == WEIR_MACHINE_HOST)
		return cmocka_run_group_tests(on_the_host, api_setup, api_teardown);
	for (uint32_t i = 0; api_is_cuda() && i < mistakes.count; i++)
		failed += api_fails_apart(argv, i, 0);
	return failed;
}

uint32_t api_next_barrier(uint32_t kind)
{
	const weir_kind *row;

	while ((row = weir_kind_find(WEIR_PRIMITIVE_BARRIER, ++kind)) != NULL)
		if (row->role != WEIR_BY_VENDOR)
			return kind;
	return 0;
}
