/* Devices: names, the list, texts, opening and closing. */
/* Declares strnlen. */
#define _POSIX_C_SOURCE 200809L
#include "api.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void names_that_are_none(void **state)
{
	static const char *const names[] = {"",
	                                    "gpu",
	                                    "host:1",
	                                    "host:x",
	                                    "hosts",
	                                    " host",
	                                    "cuda:99",
	                                    "cuda:x",
	                                    "cuda:",
	                                    "cuda:-1",
	                                    "cuda:0x0",
	                                    "CUDA:0",
	                                    "opencl:99",
	                                    "opencl:",
	                                    "opencl0",
	                                    "cuda:4294967296",
	                                    "cuda:99999999999999999999999",
	                                    "host:4294967296"};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		weir_device *device = (weir_device *)&device;
		api_fails(weir_device_open(names[i], &device), WEIR_NO_DEVICE);
		assert_null(device);
	}
	api_fails(weir_device_open("host", NULL), WEIR_BAD_ARGUMENT);
	api_fails(weir_device_open(NULL, NULL), WEIR_BAD_ARGUMENT);
}

static void best_device(void **state)
{
	weir_device *device;
	weir_device_info best, first;
	size_t count;

	(void)state;
	api_ok(weir_device_open(NULL, &device));
	api_ok(weir_device_describe(device, &best));
	api_ok(weir_device_close(device));
	assert_true(best.is_gpu || best.machine == WEIR_MACHINE_HOST);
	api_ok(weir_device_list(&first, 1, &count));
	assert_string_equal(best.name, first.name);
}

/* GPUs, then the host, then CPUs through OpenCL; what is used only by its name comes last. */
static int class_of(const weir_device_info *info)
{
	if (info->machine == WEIR_MACHINE_HIP)
		return 3;
	if (info->machine == WEIR_MACHINE_PTX)
		return 4;
	return info->is_gpu ? 0 : info->machine == WEIR_MACHINE_HOST ? 1 : 2;
}

/* Zeros behind its end, so that two equal infos have equal bytes. */
static void ends_in_zeros(const char *text, size_t room)
{
	size_t length = strnlen(text, room);
	assert_in_range(length, 1, room - 1);
	for (size_t i = length; i < room; i++)
		assert_int_equal(text[i], 0);
}

static void list(void **state)
{
	weir_device_info infos[33];
	size_t all, again;
	int found = 0;

	(void)state;
	api_fails(weir_device_list(NULL, 0, NULL), WEIR_BAD_ARGUMENT);
	api_fails(weir_device_list(infos, 1, NULL), WEIR_BAD_ARGUMENT);
	api_fails(weir_device_list(NULL, 1, &all), WEIR_BAD_ARGUMENT);
	api_ok(weir_device_list(NULL, 0, &all));
	assert_in_range(all, 1, 32);
	memset(infos, 0xa5, sizeof infos);
	api_ok(weir_device_list(infos, 32, &again));
	assert_int_equal(all, again);
	for (size_t i = 0; i < all; i++) {
		/* ptx is listed without parameters. */
		found |= strncmp(infos[i].name, api_info.name, strlen(infos[i].name)) == 0;
		assert_true(infos[i].description[0] && infos[i].driver[0] && infos[i].units > 0);
		assert_in_range(infos[i].max_threads_per_block, 1, 1 << 20);
		ends_in_zeros(infos[i].name, sizeof infos[i].name);
		ends_in_zeros(infos[i].description, sizeof infos[i].description);
		ends_in_zeros(infos[i].driver, sizeof infos[i].driver);
	}
	assert_true(found);
	for (size_t i = 1; i < all; i++) {
		assert_true(class_of(&infos[i - 1]) <= class_of(&infos[i]));
		if (class_of(&infos[i - 1]) == class_of(&infos[i]))
			assert_true(infos[i - 1].machine <= infos[i].machine);
	}

	/* No more is written than fits, and all are counted. */
	memset(infos, 0xa5, sizeof infos);
	api_ok(weir_device_list(infos, 1, &again));
	assert_int_equal(all, again);
	assert_int_equal(((unsigned char *)&infos[1])[0], 0xa5);
}

static void description(void **state)
{
	weir_device_info info;

	(void)state;
	api_fails(weir_device_describe(api_device, NULL), WEIR_BAD_ARGUMENT);
	api_ok(weir_device_describe(api_device, &info));
	assert_string_equal(weir_machine_absence(info.machine), "");
	assert_memory_equal(info.name, weir_machine_name(info.machine),
	                    strlen(weir_machine_name(info.machine)));
	assert_in_range(info.resident_blocks_at_128, 1, 1 << 20);
}

static void machines(void **state)
{
	(void)state;
	assert_string_equal(weir_machine_name(WEIR_MACHINE_CUDA), "cuda");
	assert_string_equal(weir_machine_name(WEIR_MACHINE_HIP), "hip");
	assert_string_equal(weir_machine_name(WEIR_MACHINE_OPENCL), "opencl");
	assert_string_equal(weir_machine_name(WEIR_MACHINE_HOST), "host");
	assert_string_equal(weir_machine_name(WEIR_MACHINE_PTX), "ptx");
	assert_string_equal(weir_machine_name(WEIR_MACHINE_COUNT), "unknown");
	assert_string_equal(weir_machine_name((weir_machine)99), "unknown");
	assert_string_equal(weir_machine_name((weir_machine)-1), "unknown");
	assert_string_equal(weir_machine_absence(WEIR_MACHINE_HOST), "");
	assert_true(strlen(weir_machine_absence(WEIR_MACHINE_COUNT)) > 0);
	assert_true(strlen(weir_machine_absence((weir_machine)-1)) > 0);
	assert_true(strlen(weir_machine_absence((weir_machine)99)) > 0);
}

/* A machine is absent exactly if the list has no device of it, and it then says why. */
static void absences_agree_with_the_list(void **state)
{
	weir_device_info infos[32];
	size_t count;

	(void)state;
	api_ok(weir_device_list(infos, 32, &count));
	for (int machine = 0; machine < WEIR_MACHINE_COUNT; machine++) {
		const char *absence = weir_machine_absence((weir_machine)machine);
		int listed = 0;
		for (size_t i = 0; i < count; i++)
			listed |= infos[i].machine == (weir_machine)machine;
		assert_int_equal(listed, absence[0] == '\0');
		if (listed)
			continue;
		weir_device *device;
		api_fails(weir_device_open(weir_machine_name((weir_machine)machine), &device),
		          WEIR_NO_DEVICE);
		assert_non_null(strstr(weir_error_text(), absence));
	}
}

static void closing(void **state)
{
	weir_device *one, *other;
	weir_device_info info;

	(void)state;
	api_fails(weir_device_close(NULL), WEIR_BAD_ARGUMENT);
	api_fails(weir_device_close((weir_device *)&one), WEIR_BAD_ARGUMENT);
	api_ok(weir_device_open(api_device_name(), &one));
	api_ok(weir_device_open(api_device_name(), &other));
	assert_ptr_not_equal(one, other);
	api_ok(weir_device_close(one));
	api_fails(weir_device_close(one), WEIR_DEVICE_CLOSED);
	api_fails(weir_device_describe(one, &info), WEIR_DEVICE_CLOSED);
	api_ok(weir_device_describe(other, &info));
	api_ok(weir_device_close(other));
}

/* Closing a device destroys the objects that the caller forgot: the leak checker would report
 * them. */
static void closing_with_all_kinds_of_things_left(void **state)
{
	weir_program_text text = api_text();
	weir_device *device;
	weir_buffer buffer;
	weir_mutex mutex;
	weir_program *program;
	weir_kernel kernel;

	(void)state;
	api_ok(weir_device_open(api_device_name(), &device));
	api_ok(weir_buffer_create(device, 64, &buffer));
	api_ok(weir_mutex_create(device, NULL, &mutex));
	api_ok(weir_program_create(device, &text, &program));
	api_ok(weir_program_kernel(program, "api_ids", &kernel));
	api_ok(weir_device_close(device));
	api_fails(weir_program_kernel(program, "api_ids", &kernel), WEIR_DEVICE_CLOSED);
	api_fails(weir_program_destroy(program), WEIR_DEVICE_CLOSED);
	api_fails(weir_program_destroy(program), WEIR_NOT_FOUND);
}

static void cuda_handles(void **state)
{
	weir_cuda_handles handles = {-1, NULL, NULL};

	(void)state;
	api_fails(weir_device_cuda_handles(api_device, NULL), WEIR_BAD_ARGUMENT);
	if (api_info.machine != WEIR_MACHINE_CUDA) {
		api_fails(weir_device_cuda_handles(api_device, &handles), WEIR_UNSUPPORTED);
		assert_int_equal(handles.device, -1);
		return;
	}
	api_ok(weir_device_cuda_handles(api_device, &handles));
	assert_true(handles.device >= 0);
	assert_non_null(handles.context);
	assert_non_null(handles.stream);
}

static void opencl_objects_that_are_none(void **state)
{
	weir_device *device;
	int some;

	(void)state;
	api_fails(weir_device_open_opencl(NULL, &some, &some, &device), WEIR_BAD_ARGUMENT);
	api_fails(weir_device_open_opencl(&some, NULL, &some, &device), WEIR_BAD_ARGUMENT);
	api_fails(weir_device_open_opencl(&some, &some, NULL, &device), WEIR_BAD_ARGUMENT);
	api_fails(weir_device_open_opencl(&some, &some, &some, NULL), WEIR_BAD_ARGUMENT);
}

/* Headers of another series are refused before anything else is checked; headers of another patch
 * version fit. */
static void headers_of_another_version(void **state)
{
	char text[64];
	weir_device *device;
	int some;

	(void)state;
	for (int i = 0; i < 3; i++) {
		snprintf(text, sizeof text, "%d.%d.0", WEIR_VERSION_MAJOR + (i == 0),
		         i == 1 ? 999 : WEIR_VERSION_MINOR + (i == 2));
		api_fails(weir_device_open_for(text, "host", &device), WEIR_OTHER_VERSION);
		assert_null(device);
		assert_non_null(strstr(weir_error_text(), text));
		assert_non_null(strstr(weir_error_text(), "the library is weir " WEIR_VERSION));
		api_fails(weir_device_open_opencl_for(text, &some, &some, &some, &device),
		          WEIR_OTHER_VERSION);
	}
	api_fails(weir_device_open_for("99.0.0", "none", &device), WEIR_OTHER_VERSION);
	api_fails(weir_device_open_for(NULL, "host", &device), WEIR_BAD_ARGUMENT);
	api_fails(weir_device_open_for("", "host", &device), WEIR_BAD_ARGUMENT);
	api_fails(weir_device_open_for("0.1", "host", &device), WEIR_BAD_ARGUMENT);
	api_fails(weir_device_open_for("newest", "host", &device), WEIR_BAD_ARGUMENT);
	snprintf(text, sizeof text, "%d.%d.%d", WEIR_VERSION_MAJOR, WEIR_VERSION_MINOR,
	         WEIR_VERSION_PATCH);
	assert_string_equal(text, WEIR_VERSION);
	snprintf(text, sizeof text, "%d.%d.99", WEIR_VERSION_MAJOR, WEIR_VERSION_MINOR);
	assert_int_equal(weir_device_open_for(text, "host", &device), WEIR_OK);
	assert_int_equal(weir_device_close(device), WEIR_OK);
}

static void texts_of_statuses(void **state)
{
	(void)state;
	for (int i = WEIR_OK; i <= WEIR_NO_RANK; i++) {
		const char *text = weir_status_text((weir_status)i);

		if (i > WEIR_CLOSED && i < WEIR_BAD_ARGUMENT) {
			assert_string_equal(text, "unknown status");
			continue;
		}
		assert_string_not_equal(text, "unknown status");
		for (int j = WEIR_OK; j < i; j++)
			assert_string_not_equal(text, weir_status_text((weir_status)j));
	}
	/* Kernels return these. */
	assert_int_equal(WEIR_OK, 0);
	assert_int_equal(WEIR_BUSY, 1);
	assert_int_equal(WEIR_TIMED_OUT, 2);
	assert_int_equal(WEIR_ABORTED, 3);
	assert_int_equal(WEIR_CLOSED, 4);
	assert_string_equal(weir_status_text((weir_status)(WEIR_NO_RANK + 1)), "unknown status");
	assert_string_equal(weir_status_text((weir_status)-1), "unknown status");
	assert_string_equal(weir_version(), WEIR_VERSION);
}

static void *fail_in_another_thread(void *before)
{
	weir_device *device;
	*(int *)before = weir_error_text()[0];
	weir_device_open("another name", &device);
	return (void *)(uintptr_t)(strstr(weir_error_text(), "another name") != NULL);
}

static void text_of_the_error_is_the_threads_own(void **state)
{
	weir_device *device;
	char mine[1024];
	pthread_t thread;
	void *found;
	int before = 1;

	(void)state;
	api_fails(weir_device_open("my name", &device), WEIR_NO_DEVICE);
	snprintf(mine, sizeof mine, "%s", weir_error_text());
	assert_int_equal(pthread_create(&thread, NULL, fail_in_another_thread, &before), 0);
	assert_int_equal(pthread_join(thread, &found), 0);
	assert_non_null(found);
	assert_int_equal(before, 0);
	assert_string_equal(weir_error_text(), mine);
	api_ok(weir_device_describe(api_device, &api_info));
	assert_string_equal(weir_error_text(), mine);
}

static void text_of_a_callers_error(void **state)
{
	char expected[1024];
	char text[2048];

	(void)state;
	api_fails(weir_error_set(WEIR_NOT_FOUND, "%s of %d", "none", 3), WEIR_NOT_FOUND);
	assert_string_equal(weir_error_text(), "none of 3");
	memset(text, 'x', sizeof text);
	text[sizeof text - 1] = '\0';
	memset(expected, 'x', sizeof expected);
	expected[sizeof expected - 1] = '\0';
	api_fails(weir_error_set(WEIR_BAD_ARGUMENT, "%s", text), WEIR_BAD_ARGUMENT);
	assert_string_equal(weir_error_text(), expected);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(names_that_are_none),
	    cmocka_unit_test(best_device),
	    cmocka_unit_test(list),
	    cmocka_unit_test(description),
	    cmocka_unit_test(machines),
	    cmocka_unit_test(absences_agree_with_the_list),
	    cmocka_unit_test(closing),
	    cmocka_unit_test(closing_with_all_kinds_of_things_left),
	    cmocka_unit_test(cuda_handles),
	    cmocka_unit_test(opencl_objects_that_are_none),
	    cmocka_unit_test(headers_of_another_version),
	    cmocka_unit_test(texts_of_statuses),
	    cmocka_unit_test(text_of_the_error_is_the_threads_own),
	    cmocka_unit_test(text_of_a_callers_error),
	};
	return api_main(argc, argv, tests);
}
