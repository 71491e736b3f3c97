/* For each mistake that the library can notice, a program gets a status and one sentence that says what is wrong. No
 * mistake hangs or accesses wrong memory, which AddressSanitizer also checks. The rows are in misuses.h. */
#define _POSIX_C_SOURCE 200809L
#include "api.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "misuses.h"
#include "weir/device.h"
#include "weir/ranks.h"

enum {
	LEAST_MISUSES = 60,
	LONGEST_SENTENCE = 400
};

/* Where a mistake can be made: on all devices that tests have here, or on the host machine. */
enum {
	ANY,
	HOST,
	NOT_CUDA
};

static weir_device *d, *other, *closed;
static weir_buffer small; /* of 64 bytes */
static weir_buffer ground;
static weir_crew_place place = {.rank = 0, .ranks = 2}; /* whose other rank never comes */
static weir_barrier four, gone, elsewhere;
static weir_event_array private_events, seen_events;
static weir_queue pops;
static weir_launch launch; /* a correct launch of 4 blocks */
static api_run right;
static weir_argument arguments[3];

static const uint32_t cyclic_first[] = {0, 1, 2}, cyclic_successors[] = {1, 0};
static const uint32_t wild_first[] = {0, 1, 1}, wild_successors[] = {7};
static const weir_graph cyclic = {
    .tasks = 2, .first = cyclic_first, .successors = cyclic_successors};
static const weir_graph wild = {.tasks = 2, .first = wild_first, .successors = wild_successors};

/* Where a row's call would store its result. */
static struct {
	weir_device *device;
	weir_buffer buffer;
	weir_barrier barrier;
	weir_mutex mutex;
	weir_mutex_array mutexes;
	weir_semaphore semaphore;
	weir_group group;
	weir_event_array events;
	weir_queue queue;
	weir_dispenser dispenser;
	weir_tasks tasks;
	weir_combiner combiner;
	weir_once once;
	weir_program *program;
	weir_kernel kernel;
	weir_diagnosis report;
	weir_cuda_handles handles;
	weir_crew_link *link;
	struct {
		weir_launch launch;
		uint64_t more;
	} later;
	uint32_t count;
	char bytes[64];
} made;

/* Passes a barrier by its handle. In OpenCL that is two arguments, which here do not even match the kernel's: the
 * handle is first. */
static weir_status pass(const weir_barrier *b)
{
	if (api_info.machine == WEIR_MACHINE_OPENCL) {
		arguments[0] = (weir_argument){&b->words, sizeof b->words};
		arguments[1] = (weir_argument){&b->config, sizeof b->config};
	} else {
		arguments[0] = (weir_argument){b, sizeof *b};
	}
	return weir_kernel_launch(d, &launch);
}

static weir_status run(uint32_t blocks, weir_host_kernel kernel)
{
	weir_launch one = {.kernel = {NULL, kernel}, .grid = {blocks}, .block = {1}};
	weir_status status = weir_kernel_launch(d, &one);

	return status == WEIR_OK ? weir_device_wait(d, API_DEADLINE_NS, NULL) : status;
}

static void use_four(void **unused)
{
	(void)unused;
	weir_barrier_wait(four);
}

static void lock_nothing(void **unused)
{
	(void)unused;
	weir_mutex_lock(weir_mutex_make(four.words, (weir_mutex_config){.kind = 17, .pitch = 1}));
}

static void push_a_large_item(void **unused)
{
	uint32_t item[2] = {1, 2};

	(void)unused;
	weir_queue_push_item(pops, item, 2);
}

static void team_of_none(void **unused)
{
	(void)unused;
	weir_team_sync(weir_team_named(1, 0, 0));
}

/* The waiting thread returns the status of a call made in a kernel. */
static weir_status inside;
static char inside_text[LONGEST_SENTENCE];

static void join_and_keep(void **unused)
{
	(void)unused;
	inside = weir_host_join(0, 1);
	snprintf(inside_text, sizeof inside_text, "%s", weir_error_text());
}

static weir_word flag, entered;

static void hold(void **unused)
{
	(void)unused;
	weir_red_add_rel(&entered, 1); /* pairs with the acquire in under_a_kernel */
	weir_await_eq_acq(&flag, 1, weir_no_backoff()); /* pairs with the release there */
}

static weir_status destroy_four(void)
{
	made.barrier = four;
	return weir_barrier_destroy(d, &made.barrier);
}

static weir_status wait_briefly(void)
{
	return weir_device_wait(d, 1000000, NULL);
}

static weir_status reset_four(void)
{
	wait_briefly(); /* a reset waits for the kernel until it is known to be late */
	return weir_barrier_reset(d, four);
}

static weir_status launch_again(void)
{
	wait_briefly();
	return weir_kernel_launch(d, &launch);
}

static weir_status abort_and_wait(void)
{
	weir_status status = weir_device_abort(d);

	return status == WEIR_OK ? weir_device_wait(d, API_DEADLINE_NS, NULL) : status;
}

/* Makes a mistake while a kernel waits; the kernel ends afterwards. */
static weir_status under_a_kernel(weir_status (*mistake)(void))
{
	weir_launch one = {.kernel = {NULL, hold}, .grid = {1}, .block = {1}};
	char text[LONGEST_SENTENCE];
	weir_status status;

	weir_store_rlx(&flag, 0);    /* relaxed: the launch orders it */
	weir_store_rlx(&entered, 0); /* relaxed: the launch orders it */
	api_ok(weir_kernel_launch(d, &one));
	weir_await_eq_acq(&entered, 1, weir_no_backoff()); /* pairs with the add in hold */
	status = mistake();
	snprintf(text, sizeof text, "%s", weir_error_text());
	weir_store_rel(&flag, 1); /* pairs with the await in hold */
	api_ok(weir_device_wait(d, API_DEADLINE_NS, NULL));
	return weir_error_set(status, "%s", text);
}

static weir_status join_inside_of(void)
{
	api_ok(run(1, join_and_keep));
	return weir_error_set(inside, "%s", inside_text);
}

static jmp_buf out;
static char heard[LONGEST_SENTENCE];

static void hear(const char *text)
{
	snprintf(heard, sizeof heard, "%s", text);
	longjmp(out, 1);
}

struct apart {
	uint32_t block, count;
	weir_status joined;
};

static void *come(void *argument)
{
	struct apart *a = argument;

	if (a->count)
		a->joined = weir_host_join(a->block, a->count);
	if (setjmp(out) == 0)
		weir_barrier_wait(four);
	return NULL;
}

/* In a separate thread, which has joined as one of `count` blocks or not at all. The fault has no status: a
 * handler is told. */
static weir_status come_apart(uint32_t block, uint32_t count)
{
	struct apart a = {block, count, WEIR_OK};
	pthread_t thread;

	*heard = '\0';
	weir_host_on_fault(hear);
	assert_int_equal(pthread_create(&thread, NULL, come, &a), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	weir_host_on_fault(NULL);
	api_ok(a.joined);
	return weir_error_set(*heard ? WEIR_BAD_ARGUMENT : WEIR_OK, "%s", heard);
}

#define DEFINE(name, status, words, where, ...)                                                    \
	static weir_status name(void)                                                              \
	{                                                                                          \
		__VA_ARGS__                                                                        \
	}
MISUSES(DEFINE)

static const struct misuse {
	const char *name;
	weir_status (*make)(void);
	weir_status status;
	const char *words;
	int where;
} misuses[] = {
#define ROW(name, status, words, where, ...) {#name, name, status, words, where},
    MISUSES(ROW)
#undef ROW
};

static void prepare(void)
{
	d = api_device;
	snprintf(place.name, sizeof place.name, "misuse-%d", (int)getpid());
	api_ok(weir_device_open(api_device_name(), &other));
	api_ok(weir_device_open("host", &closed));
	api_ok(weir_device_close(closed));
	api_ok(weir_buffer_create(d, 64, &small));
	api_ok(weir_barrier_create(d, 4, NULL, &four));
	/* In memory that is not freed, so that no later object reuses the barrier's address. */
	api_ok(weir_buffer_create(d, 1 << 16, &ground));
	api_ok(weir_barrier_create(
	    d, 4,
	    &(weir_barrier_options){.object.memory = ground.native, .object.memory_bytes = 1 << 16},
	    &gone));
	made.barrier = gone;
	api_ok(weir_barrier_destroy(d, &made.barrier));
	api_ok(weir_barrier_create(other, 4, NULL, &elsewhere));
	if (api_info.machine != WEIR_MACHINE_HOST)
		return;
	api_ok(weir_event_array_create(d, 3, NULL, &private_events));
	api_ok(weir_event_array_create(d, 3, &(weir_event_array_options){.host_visible = 1},
	                               &seen_events));
	api_ok(
	    weir_queue_create(d, 4, 4, &(weir_queue_options){.host_side = WEIR_HOST_POPS}, &pops));
}

/* One sentence, neither empty nor several lines. */
static int is_one_sentence(const char *text)
{
	return strlen(text) >= 10 && strlen(text) < LONGEST_SENTENCE && !strchr(text, '\n');
}

static int is_wrong(const struct misuse *m)
{
	weir_status status;

	right = (api_run){"api_ids", api_data.native, {.value = 1}, 4, 1, NULL};
	launch = api_launch(&right, arguments);
	api_provoke();
	status = m->make();
	if (status == m->status && is_one_sentence(weir_error_text()) &&
	    strstr(weir_error_text(), m->words))
		return 0;
	print_error("%s: %s: %s\n", m->name, weir_status_text(status), weir_error_text());
	return 1;
}

static void each_has_a_status_and_a_sentence(void **state)
{
	uint32_t tried = 0, wrong = 0;

	(void)state;
	prepare();
	for (size_t i = 0; i < sizeof misuses / sizeof misuses[0]; i++) {
		if ((misuses[i].where == HOST && api_info.machine != WEIR_MACHINE_HOST) ||
		    (misuses[i].where == NOT_CUDA && api_is_cuda()))
			continue;
		tried++;
		wrong += (uint32_t)is_wrong(&misuses[i]);
	}
	print_message("%u misuses, %u wrong\n", tried, wrong);
	assert_int_equal(wrong, 0);
	assert_true(tried >= LEAST_MISUSES);
	/* The device still works. */
	api_clear_data();
	api_run_kernel((api_run){"api_ids", api_data.native, {.value = 5}, 1, 1, NULL});
	assert_int_equal(api_datum(0), 5);
	api_ok(weir_device_close(other));
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(each_has_a_status_and_a_sentence)};

	alarm(300);
	return api_main(argc, argv, tests);
}
