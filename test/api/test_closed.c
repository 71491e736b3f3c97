/* Every function that takes a device, with NULL, with a pointer to no device, and with a closed
 * one. */
#include "api.h"

/* Everything else that the calls need, made on the device before it was closed. */
static weir_buffer buffer;
static weir_barrier barrier;
static weir_mutex mutex;
static weir_mutex_array mutex_array;
static weir_event_array event_array;
static weir_semaphore semaphore;
static weir_group group;
static weir_queue queue;
static weir_dispenser dispenser;
static weir_tasks tasks;
static weir_condition condition;
static weir_rwlock rwlock;
static weir_once once;
static weir_combine combine;
static const uint32_t rows[] = {0, 0};
static const weir_graph graph = {.tasks = 1, .first = rows};
static weir_kernel kernel;
static weir_program_text text;

#define CALL(name, ...)                                                                            \
	static weir_status name(weir_device *device)                                               \
	{                                                                                          \
		__VA_ARGS__;                                                                       \
	}
/* An object of this type has the same name here. */
#define RESET_AND_DESTROY(type)                                                                    \
	CALL(type##_reset, return weir_##type##_reset(device, type))                               \
	CALL(type##_destroy, weir_##type copy = type; return weir_##type##_destroy(device, &copy))

RESET_AND_DESTROY(barrier)
RESET_AND_DESTROY(mutex)
RESET_AND_DESTROY(mutex_array)
RESET_AND_DESTROY(event_array)
RESET_AND_DESTROY(semaphore)
RESET_AND_DESTROY(group)
RESET_AND_DESTROY(queue)
RESET_AND_DESTROY(dispenser)
RESET_AND_DESTROY(tasks)
RESET_AND_DESTROY(condition)
RESET_AND_DESTROY(rwlock)
RESET_AND_DESTROY(once)
RESET_AND_DESTROY(combine)

CALL(close, return weir_device_close(device))
CALL(describe, weir_device_info info; return weir_device_describe(device, &info))
/* An open device of another machine has none, which is right, too. */
CALL(cuda, weir_cuda_handles handles; weir_status status = weir_device_cuda(device, &handles);
     return status == WEIR_UNSUPPORTED ? WEIR_OK : status)
CALL(wait, return weir_device_wait(device, API_DEADLINE_NS, NULL))
CALL(buffer_create, weir_buffer b; return weir_buffer_create(device, 4, &b))
CALL(buffer_write, return weir_buffer_write(device, buffer, 0, "abc", 4))
CALL(buffer_read, char to[4]; return weir_buffer_read(device, buffer, 0, to, 4))
CALL(buffer_destroy, weir_buffer b = buffer; return weir_buffer_destroy(device, &b))
CALL(barrier_size, size_t bytes, alignment;
     return weir_barrier_size(device, WEIR_BARRIER_XF, 2, NULL, &bytes, &alignment))
CALL(mutex_size, size_t bytes, alignment;
     return weir_mutex_size(device, WEIR_MUTEX_SPIN, NULL, &bytes, &alignment))
CALL(mutex_array_size, size_t bytes, alignment;
     return weir_mutex_array_size(device, WEIR_MUTEX_SPIN, 2, NULL, &bytes, &alignment))
CALL(event_array_size, size_t bytes, alignment;
     return weir_event_array_size(device, WEIR_EVENT_WORD, 2, NULL, &bytes, &alignment))
CALL(event_array_create, weir_event_array a;
     return weir_event_array_create(device, WEIR_EVENT_WORD, 2, NULL, &a))
CALL(semaphore_size, size_t bytes, alignment;
     return weir_semaphore_size(device, WEIR_SEMAPHORE_SPIN, 2, NULL, &bytes, &alignment))
CALL(barrier_create, weir_barrier b; return weir_barrier_create(device, WEIR_BARRIER_XF, 2, &b))
CALL(barrier_create_with, weir_barrier b;
     return weir_barrier_create_with(device, WEIR_BARRIER_XF, 2, NULL, &b))
CALL(mutex_create, weir_mutex m; return weir_mutex_create(device, WEIR_MUTEX_SPIN, &m))
CALL(mutex_create_with, weir_mutex m;
     return weir_mutex_create_with(device, WEIR_MUTEX_SPIN, NULL, &m))
CALL(mutex_array_create, weir_mutex_array a;
     return weir_mutex_array_create(device, WEIR_MUTEX_SPIN, 2, NULL, &a))
CALL(semaphore_create, weir_semaphore s;
     return weir_semaphore_create(device, WEIR_SEMAPHORE_SPIN, 1, 2, &s))
CALL(semaphore_create_with, weir_semaphore s;
     return weir_semaphore_create_with(device, WEIR_SEMAPHORE_SPIN, 1, 2, NULL, &s))
CALL(group_size, size_t bytes, alignment;
     return weir_group_size(device, WEIR_BARRIER_XF, 2, NULL, &bytes, &alignment))
CALL(group_create, weir_group g; return weir_group_create(device, 2, &g))
CALL(group_create_with, weir_group g;
     return weir_group_create_with(device, WEIR_BARRIER_XF, 2, NULL, &g))
CALL(queue_size, size_t bytes, alignment;
     return weir_queue_size(device, WEIR_QUEUE_LINES, 2, 4, NULL, &bytes, &alignment))
CALL(queue_create, weir_queue q; return weir_queue_create(device, WEIR_QUEUE_LINES, 2, 4, NULL, &q))
CALL(dispenser_size, size_t bytes, alignment;
     return weir_dispenser_size(device, 2, NULL, &bytes, &alignment))
CALL(dispenser_create, weir_dispenser d; return weir_dispenser_create(device, 2, NULL, &d))
CALL(tasks_size, size_t bytes, alignment;
     return weir_tasks_size(device, &graph, NULL, &bytes, &alignment))
CALL(tasks_create, weir_tasks t; return weir_tasks_create(device, &graph, NULL, &t))
CALL(tasks_check, return weir_tasks_check(device, tasks))
CALL(condition_size, size_t bytes, alignment;
     return weir_condition_size(device, NULL, &bytes, &alignment))
CALL(condition_create, weir_condition c; return weir_condition_create(device, NULL, &c))
CALL(rwlock_size, size_t bytes, alignment;
     return weir_rwlock_size(device, WEIR_RWLOCK_FAIR, NULL, &bytes, &alignment))
CALL(rwlock_create, weir_rwlock l; return weir_rwlock_create(device, WEIR_RWLOCK_FAIR, NULL, &l))
CALL(once_size, size_t bytes, alignment; return weir_once_size(device, NULL, &bytes, &alignment))
CALL(once_create, weir_once o; return weir_once_create(device, NULL, &o))
CALL(combine_size, size_t bytes, alignment;
     return weir_combine_size(device, 2, NULL, &bytes, &alignment))
CALL(combine_create, weir_combine c; return weir_combine_create(device, 2, NULL, &c))
CALL(barrier_default, weir_barrier_kind kind; return weir_barrier_default(device, &kind))
CALL(mutex_default, weir_mutex_kind kind; return weir_mutex_default(device, &kind))
CALL(semaphore_default, weir_semaphore_kind kind; return weir_semaphore_default(device, &kind))
CALL(program_create, weir_program *program; return weir_program_create(device, &text, &program))
CALL(resident_blocks, uint32_t blocks; return weir_resident_blocks(device, kernel, 1, 0, &blocks))

static weir_status launch(weir_device *device)
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

static const struct {
	const char *name;
	weir_status (*function)(weir_device *device);
} calls[] = {
#define ROW(name)                                                                                  \
	{                                                                                          \
#name, name                                                                        \
	}
    ROW(close),
    ROW(describe),
    ROW(cuda),
    ROW(wait),
    ROW(buffer_create),
    ROW(buffer_write),
    ROW(buffer_read),
    ROW(buffer_destroy),
    ROW(barrier_size),
    ROW(mutex_size),
    ROW(mutex_array_size),
    ROW(event_array_size),
    ROW(event_array_create),
    ROW(event_array_reset),
    ROW(event_array_destroy),
    ROW(semaphore_size),
    ROW(barrier_create),
    ROW(barrier_create_with),
    ROW(mutex_create),
    ROW(mutex_create_with),
    ROW(mutex_array_create),
    ROW(semaphore_create),
    ROW(semaphore_create_with),
    ROW(barrier_reset),
    ROW(mutex_reset),
    ROW(mutex_array_reset),
    ROW(semaphore_reset),
    ROW(barrier_destroy),
    ROW(mutex_destroy),
    ROW(mutex_array_destroy),
    ROW(semaphore_destroy),
    ROW(group_size),
    ROW(group_create),
    ROW(group_create_with),
    ROW(group_reset),
    ROW(group_destroy),
    ROW(queue_size),
    ROW(queue_create),
    ROW(queue_reset),
    ROW(dispenser_size),
    ROW(dispenser_create),
    ROW(dispenser_reset),
    ROW(tasks_size),
    ROW(tasks_create),
    ROW(tasks_check),
    ROW(tasks_reset),
    ROW(queue_destroy),
    ROW(dispenser_destroy),
    ROW(tasks_destroy),
    ROW(condition_size),
    ROW(condition_create),
    ROW(condition_reset),
    ROW(condition_destroy),
    ROW(rwlock_size),
    ROW(rwlock_create),
    ROW(rwlock_reset),
    ROW(rwlock_destroy),
    ROW(once_size),
    ROW(once_create),
    ROW(once_reset),
    ROW(once_destroy),
    ROW(combine_size),
    ROW(combine_create),
    ROW(combine_reset),
    ROW(combine_destroy),
    ROW(barrier_default),
    ROW(mutex_default),
    ROW(semaphore_default),
    ROW(program_create),
    ROW(resident_blocks),
    ROW(launch),
#undef ROW
};

static void expect_of_all(weir_device *device, weir_status status)
{
	for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
		api_provoke();
		api_check_failed(calls[i].function(device), status, calls[i].name, __FILE__,
		                 __LINE__);
	}
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
	api_ok(weir_barrier_create(device, WEIR_BARRIER_ATOMIC, 1, &barrier));
	api_ok(weir_mutex_create(device, WEIR_MUTEX_TICKET, &mutex));
	api_ok(weir_mutex_array_create(device, WEIR_MUTEX_SPIN, 3, NULL, &mutex_array));
	api_ok(weir_event_array_create(device, WEIR_EVENT_WORD, 3, NULL, &event_array));
	api_ok(weir_semaphore_create(device, WEIR_SEMAPHORE_SPIN, 1, 1, &semaphore));
	api_ok(weir_group_create(device, 2, &group));
	api_ok(weir_queue_create(device, WEIR_QUEUE_LINES, 2, 4, NULL, &queue));
	api_ok(weir_dispenser_create(device, 2, NULL, &dispenser));
	api_ok(weir_tasks_create(device, &graph, NULL, &tasks));
	api_ok(weir_condition_create(device, NULL, &condition));
	api_ok(weir_rwlock_create(device, WEIR_RWLOCK_FAIR, NULL, &rwlock));
	api_ok(weir_once_create(device, NULL, &once));
	api_ok(weir_combine_create(device, 2, NULL, &combine));

	/* While the device is open the same calls work, so that the calls below fail for one reason
	 * only. */
	for (size_t i = 1; i < sizeof calls / sizeof calls[0]; i++)
		if (calls[i].function != buffer_destroy && calls[i].function != barrier_destroy &&
		    calls[i].function != mutex_destroy &&
		    calls[i].function != mutex_array_destroy &&
		    calls[i].function != event_array_destroy &&
		    calls[i].function != semaphore_destroy)
			api_check_ok(calls[i].function(device), calls[i].name, __FILE__, __LINE__);
	api_ok(weir_device_wait(device, API_DEADLINE_NS, NULL));

	api_ok(weir_device_close(device));
	expect_of_all(device, WEIR_CLOSED);
	api_fails(weir_program_kernel(program, "api_linger", &kernel), WEIR_CLOSED);
	api_fails(weir_program_destroy(program), WEIR_CLOSED);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(no_device),
	    cmocka_unit_test(closed_device),
	};
	return api_main(argc, argv, tests);
}
