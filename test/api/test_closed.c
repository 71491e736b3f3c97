/* Every function that takes a device, with NULL, with a pointer that is not a device, and with a
 * closed device. */
#include "api.h"

#include <stdio.h>

#include "subjects.h"

/* Everything else that the calls need, made on the device before it was closed. */
static weir_buffer buffer;
static api_any objects[API_SUBJECTS];
static weir_kernel kernel;
static weir_program_text text;

static weir_status check_tasks(weir_device *device)
{
	const api_subject *tasks = api_subject_of(WEIR_PRIMITIVE_TASKS);

	return weir_tasks_check(device, objects[tasks - api_subjects].tasks);
}

/* An open device of another machine has none, which is also right. */
static weir_status ask_cuda(weir_device *device)
{
	weir_cuda_handles handles;
	weir_status status = weir_device_cuda_handles(device, &handles);

	return status == WEIR_UNSUPPORTED ? WEIR_OK : status;
}

static weir_status launch_kernel(weir_device *device)
{
	api_params params = {.rounds = 0};
	weir_argument arguments[3] = {{&buffer.native, sizeof buffer.native},
	                              {&buffer.native, sizeof buffer.native},
	                              {&params, sizeof params}};
	weir_launch order = {.kernel = kernel,
	                     .grid = {1},
	                     .block = {1},
	                     .arguments = arguments,
	                     .argument_count = 3};
	return weir_kernel_launch(device, &order);
}

/* Functions of a device; the functions that every primitive has are in subjects.c. */
#define CALLS(X)                                                                                   \
	X(close, return weir_device_close(device))                                                 \
	X(describe, weir_device_info info; return weir_device_describe(device, &info))             \
	X(cuda, return ask_cuda(device))                                                           \
	X(wait, return weir_device_wait(device, API_DEADLINE_NS, NULL))                            \
	X(buffer_create, weir_buffer b; return weir_buffer_create(device, 4, &b))                  \
	X(buffer_write, return weir_buffer_write(device, buffer, 0, "abc", 4))                     \
	X(buffer_read, char to[4]; return weir_buffer_read(device, buffer, 0, to, 4))              \
	X(buffer_destroy, weir_buffer b = buffer; return weir_buffer_destroy(device, &b))          \
	X(barrier_create, weir_barrier b; return weir_barrier_create(device, 2, NULL, &b))         \
	X(mutex_create, weir_mutex m; return weir_mutex_create(device, NULL, &m))                  \
	X(semaphore_create, weir_semaphore s;                                                      \
	  return weir_semaphore_create(device, 1, 2, NULL, &s))                                    \
	X(group_create, weir_group g; return weir_group_create(device, 2, NULL, &g))               \
	X(tasks_check, return check_tasks(device))                                                 \
	X(barrier_default, weir_barrier_kind k; return weir_barrier_default_kind(device, &k))      \
	X(mutex_default, weir_mutex_kind k; return weir_mutex_default_kind(device, &k))            \
	X(semaphore_default, weir_semaphore_kind k;                                                \
	  return weir_semaphore_default_kind(device, &k))                                          \
	X(program_create, weir_program *p; return weir_program_create(device, &text, &p))          \
	X(resident_blocks, uint32_t n;                                                             \
	  return weir_kernel_resident_blocks(device, kernel, 1, 0, &n))                            \
	X(launch, return launch_kernel(device))

#define CALL(name, ...)                                                                            \
	static weir_status call_##name(weir_device *device)                                        \
	{                                                                                          \
		__VA_ARGS__;                                                                       \
	}
CALLS(CALL)

static const struct {
	const char *name;
	weir_status (*function)(weir_device *device);
} calls[] = {
#define ROW(name, ...) {#name, call_##name},
    CALLS(ROW)
#undef ROW
};

static void expect(weir_status got, weir_status want, const char *name, const char *phrase)
{
	char call[64];

	snprintf(call, sizeof call, "%s of %s", name, phrase);
	if (want == WEIR_OK)
		api_check_ok(got, call, __FILE__, __LINE__);
	else
		api_check_failed(got, want, call, __FILE__, __LINE__);
}

/* The functions that every primitive has. */
static void expect_of(weir_device *device, size_t subject, weir_status status)
{
	const api_subject *s = &api_subjects[subject];
	size_t bytes, alignment;
	api_any object;

	api_provoke();
	expect(s->size(device, NULL, &bytes, &alignment), status, "size", s->phrase);
	api_provoke();
	expect(s->create(device, NULL, &object), status, "creation", s->phrase);
	api_provoke();
	expect(s->reset(device, objects[subject]), status, "reset", s->phrase);
	if (status == WEIR_OK)
		return;
	api_provoke();
	object = objects[subject];
	expect(s->destroy(device, &object), status, "destruction", s->phrase);
}

static void expect_of_all(weir_device *device, weir_status status)
{
	for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
		api_provoke();
		api_check_failed(calls[i].function(device), status, calls[i].name, __FILE__,
		                 __LINE__);
	}
	for (size_t i = 0; i < API_SUBJECTS; i++)
		expect_of(device, i, status);
}

static void no_device(void **state)
{
	static char not_a_device[4096];

	(void)state;
	expect_of_all(NULL, WEIR_BAD_ARGUMENT);
	expect_of_all((weir_device *)not_a_device, WEIR_BAD_ARGUMENT);
}

static void closed_device(void **state)
{
	weir_device *device;
	weir_program *program;

	(void)state;
	text = api_text();
	api_ok(weir_device_open(api_device_name(), &device));
	api_ok(weir_program_create(device, &text, &program));
	api_ok(weir_program_kernel(program, "api_linger", &kernel));
	api_ok(weir_buffer_create(device, 64, &buffer));
	for (size_t i = 0; i < API_SUBJECTS; i++)
		api_ok(api_subjects[i].create(device, NULL, &objects[i]));

	/* While the device is open the same calls work, so the calls below can fail for only one
	 * reason. */
	for (size_t i = 1; i < sizeof calls / sizeof calls[0]; i++)
		if (calls[i].function != call_buffer_destroy)
			api_check_ok(calls[i].function(device), calls[i].name, __FILE__, __LINE__);
	for (size_t i = 0; i < API_SUBJECTS; i++)
		expect_of(device, i, WEIR_OK);
	api_ok(weir_device_wait(device, API_DEADLINE_NS, NULL));

	api_ok(weir_device_close(device));
	expect_of_all(device, WEIR_DEVICE_CLOSED);
	api_fails(weir_program_kernel(program, "api_linger", &kernel), WEIR_DEVICE_CLOSED);
	api_fails(weir_program_destroy(program), WEIR_DEVICE_CLOSED);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(no_device),
	    cmocka_unit_test(closed_device),
	};
	return api_main(argc, argv, tests);
}
