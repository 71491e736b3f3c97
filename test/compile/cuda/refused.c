/* Which launches weir_kernel_launch refuses for the objects among their arguments, over the fake
 * driver.
 *
 *   refused        the fake driver says which kinds a kernel has
 *   refused old    it cannot say so, and nothing is refused for a kind */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "fake/driver.h"
#include "weir/device.h"
#include "weir/weir.h"

#define BLOCKS 8
#define HAVE(primitive, kind) "_Z18weir_kernels_have_ILi" #primitive "ELi" #kind "EE"

static fake_driver *fake;
static weir_device *device;
static int is_old;
static int failures;

/* The kinds that a kernel lists by default: counter and central, spin_backoff and spin, packed,
 * word, cells. */
static const char *const by_default[] = {HAVE(2, 3), HAVE(2, 4), HAVE(3, 2), HAVE(3, 1),
                                         HAVE(4, 4), HAVE(6, 1), HAVE(9, 1), NULL};
static const char *const with_others[] = {HAVE(2, 2), HAVE(2, 1), HAVE(3, 3), HAVE(4, 3),
                                          HAVE(6, 2), HAVE(9, 2), NULL};
#define HAVE_ROW(primitive, name, NAME, value, ...) HAVE(primitive, value),
#define HAVE_ALL                                                                                   \
	WEIR_BARRIER_KINDS_WITH(HAVE_ROW, 2)                                                       \
	WEIR_MUTEX_KINDS_WITH(HAVE_ROW, 3)                                                         \
	WEIR_SEMAPHORE_KINDS_WITH(HAVE_ROW, 4)                                                     \
	WEIR_EVENT_KINDS_WITH(HAVE_ROW, 6) WEIR_QUEUE_KINDS_WITH(HAVE_ROW, 9)
static const char *const all[] = {HAVE_ALL NULL};
static const char *const all_and_grid[] = {HAVE_ALL HAVE(2, 6), NULL};
static const char *const none[] = {"other", NULL};

#define CHECK(condition)                                                                           \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			printf("line %d: %s\n  (last error: %s)\n", __LINE__, #condition,          \
			       weir_error_text());                                                 \
			failures++;                                                                \
		}                                                                                  \
	} while (0)

static weir_status launch(const weir_barrier *barrier, uint32_t threads, uint32_t count,
                          const weir_argument *arguments)
{
	static const int nothing = 0;
	const weir_argument at_least[] = {{&nothing, sizeof nothing}};
	weir_launch asked = {.kernel = {(void *)0x81, NULL},
	                     .grid = {BLOCKS},
	                     .block = {threads},
	                     .barrier = barrier,
	                     .arguments = count ? arguments : at_least,
	                     .argument_count = count ? count : 1};

	return weir_kernel_launch(device, &asked);
}

/* Passes these bytes between other arguments. */
static weir_status pass(const void *value, size_t bytes)
{
	static const int number = 7;
	const void *const pointer = &number;
	const weir_argument arguments[] = {
	    {&number, sizeof number}, {value, bytes}, {&pointer, sizeof pointer}};

	return launch(NULL, 64, 3, arguments);
}

#define PASS(object) pass(&(object), sizeof(object))

static int launches(void)
{
	return fake->plain + fake->cooperative;
}

/* The launch is refused with the status and the words, or runs if the driver cannot tell. */
#define REFUSED_BY(want, call, one, two, three)                                                    \
	do {                                                                                       \
		int before = launches();                                                           \
		weir_status status = (call);                                                       \
		CHECK(status == (is_old ? WEIR_OK : (want)));                                      \
		CHECK(launches() == before + is_old);                                              \
		CHECK(is_old ||                                                                    \
		      (strstr(weir_error_text(), one) && strstr(weir_error_text(), two) &&         \
		       strstr(weir_error_text(), three)));                                         \
	} while (0)

/* The same for a kind that the kernel lacks. */
#define REFUSED(call, one, two, three) REFUSED_BY(WEIR_NOT_FOUND, call, one, two, three)

/* Refused by every driver: the library itself knows that the object is gone. */
#define GONE(object, words)                                                                        \
	do {                                                                                       \
		int before = launches();                                                           \
		CHECK(PASS(object) == WEIR_NOT_FOUND);                                             \
		CHECK(launches() == before);                                                       \
		CHECK(strstr(weir_error_text(), words) != NULL);                                   \
	} while (0)

#define RUNS(call)                                                                                 \
	do {                                                                                       \
		int before = launches();                                                           \
		CHECK((call) == WEIR_OK);                                                          \
		CHECK(launches() == before + 1);                                                   \
	} while (0)

static void mutexes(void)
{
	/* Its own bounds: no other object's configuration has these bytes. */
	const weir_mutex_options bounds = {.kind = WEIR_MUTEX_TICKET, .backoff = {1, 16}};
	weir_mutex usual, ticket;
	weir_barrier counter;
	struct {
		int number;
		weir_mutex first, second;
	} both;

	CHECK(weir_mutex_create(device, &(weir_mutex_options){.kind = WEIR_MUTEX_SPIN_BACKOFF},
	                        &usual) == WEIR_OK);
	CHECK(weir_mutex_create(device, &bounds, &ticket) == WEIR_OK);
	CHECK(weir_barrier_create(device, BLOCKS,
	                          &(weir_barrier_options){.kind = WEIR_BARRIER_COUNTER},
	                          &counter) == WEIR_OK);
	memset(&both, 0, sizeof both);
	both.first = both.second = usual;

	RUNS(PASS(usual));
	RUNS(PASS(both));
	RUNS(launch(NULL, 64, 0, NULL));
	REFUSED(PASS(ticket), "a mutex of kind ticket",
	        "has spin and spin_backoff:", "WEIR_MUTEX_WITH as (1 << WEIR_MUTEX_TICKET)");
	REFUSED(PASS(ticket), "before weir/device.h", "WEIR_MUTEX_KIND as WEIR_MUTEX_TICKET", "");
	both.second = ticket;
	REFUSED(PASS(both), "ticket", "spin", "");

	const weir_argument apart[] = {{&usual.words, sizeof usual.words},
	                               {&ticket.config, sizeof ticket.config},
	                               {&ticket.words, sizeof ticket.words}};
	REFUSED(launch(NULL, 64, 3, apart), "ticket", "spin", "");
	/* A configuration without the words of its object; the words without a configuration, and
	 * with one of the same number for another primitive. */
	const weir_argument strange[] = {{&counter, sizeof counter},
	                                 {&ticket.words, sizeof ticket.words}};
	RUNS(launch(NULL, 64, 2, apart));
	RUNS(launch(NULL, 64, 1, apart + 2));
	CHECK((uint32_t)WEIR_BARRIER_COUNTER == (uint32_t)WEIR_MUTEX_TICKET);
	RUNS(launch(NULL, 64, 2, strange));

	fake->globals = with_others;
	RUNS(PASS(ticket));
	REFUSED(PASS(usual), "a mutex of kind spin_backoff", "has ticket:", "WEIR_MUTEX_WITH");
	fake->globals = all;
	RUNS(PASS(ticket));
	fake->globals = none;
	RUNS(PASS(ticket));
	fake->globals = by_default;
	fake->module_result = WEIR_CUDA_ERROR_INVALID_HANDLE;
	RUNS(PASS(ticket));
	fake->module_result = WEIR_CUDA_SUCCESS;
	REFUSED(PASS(ticket), "ticket", "spin", "");

	weir_mutex gone = ticket;
	CHECK(weir_mutex_destroy(device, &ticket) == WEIR_OK);
	GONE(gone, "argument 1 is a mutex that was destroyed before");
	CHECK(weir_mutex_destroy(device, &usual) == WEIR_OK);
	CHECK(weir_barrier_destroy(device, &counter) == WEIR_OK);
}

static void other_objects(void)
{
	weir_mutex_array array;
	weir_semaphore semaphore;
	weir_group group;
	weir_event_array copies, word;

	CHECK(weir_event_array_create(device, 5,
	                              &(weir_event_array_options){.kind = WEIR_EVENT_COPIES},
	                              &copies) == WEIR_OK);
	CHECK(weir_event_array_create(device, 5, NULL, &word) == WEIR_OK);
	CHECK(weir_mutex_array_create(device, 5,
	                              &(weir_mutex_array_options){.kind = WEIR_MUTEX_TICKET},
	                              &array) == WEIR_OK);
	CHECK(weir_semaphore_create(device, 1, 2,
	                            &(weir_semaphore_options){.kind = WEIR_SEMAPHORE_SLEEPING},
	                            &semaphore) == WEIR_OK);
	CHECK(weir_group_create(device, BLOCKS, &(weir_group_options){.kind = WEIR_BARRIER_XF},
	                        &group) == WEIR_OK);

	REFUSED(PASS(array), "an array of mutexes of kind ticket", "has spin and spin_backoff",
	        "WEIR_MUTEX_WITH");
	weir_mutex last = weir_mutex_at(array, 4);
	REFUSED(PASS(last), "ticket", "spin", "");
	REFUSED(PASS(semaphore), "a semaphore of kind sleeping",
	        "has packed:", "WEIR_SEMAPHORE_KIND as WEIR_SEMAPHORE_SLEEPING");
	REFUSED(PASS(group), "a group of kind xf",
	        "has counter and central:", "WEIR_BARRIER_WITH as (1 << WEIR_BARRIER_XF)");
	REFUSED(PASS(copies), "an array of events of kind copies",
	        "has word:", "WEIR_EVENT_WITH as (1 << WEIR_EVENT_COPIES)");
	RUNS(PASS(word));
	fake->globals = with_others;
	RUNS(PASS(copies));
	RUNS(PASS(array));
	RUNS(PASS(semaphore));
	RUNS(PASS(group));
	fake->globals = by_default;
	CHECK(weir_event_array_destroy(device, &copies) == WEIR_OK);
	CHECK(weir_event_array_destroy(device, &word) == WEIR_OK);
	CHECK(weir_mutex_array_destroy(device, &array) == WEIR_OK);
	CHECK(weir_semaphore_destroy(device, &semaphore) == WEIR_OK);
	CHECK(weir_group_destroy(device, &group) == WEIR_OK);
}

/* Queues have kinds; dispensers and tasks have none, whether or not they use queues. */
static void queues(void)
{
	const uint32_t first[] = {0, 1, 1};
	const uint32_t successors[] = {1};
	const weir_graph graph = {.tasks = 2, .first = first, .successors = successors};
	weir_queue cells, lines;
	weir_dispenser dispenser;
	weir_tasks tasks;

	CHECK(weir_queue_create(device, 5, 4, NULL, &cells) == WEIR_OK);
	CHECK(weir_queue_create(device, 5, 8, NULL, &lines) == WEIR_OK);
	CHECK(weir_dispenser_create(device, 5, NULL, &dispenser) == WEIR_OK);
	CHECK(weir_tasks_create(device, &graph, NULL, &tasks) == WEIR_OK);
	RUNS(PASS(cells));
	REFUSED(PASS(lines), "a queue of kind lines",
	        "has cells:", "WEIR_QUEUE_KIND as WEIR_QUEUE_LINES");
	RUNS(PASS(dispenser));
	RUNS(PASS(tasks));
	fake->globals = with_others;
	RUNS(PASS(lines));
	REFUSED(PASS(cells), "a queue of kind cells", "has lines:", "");
	fake->globals = by_default;
	CHECK(weir_queue_destroy(device, &cells) == WEIR_OK);
	CHECK(weir_queue_destroy(device, &lines) == WEIR_OK);
	CHECK(weir_dispenser_destroy(device, &dispenser) == WEIR_OK);
	CHECK(weir_tasks_destroy(device, &tasks) == WEIR_OK);
}

static const char *const system_scope[] = {HAVE(6, 1), HAVE(15, 2), NULL};
static const char *const no_events[] = {HAVE(3, 0), NULL};

/* Kernels at device scope are refused, and so is a second side that signals. */
static void events_of_the_host(void)
{
	const weir_event_array_options options = {.host_visible = 1};
	weir_event_array usual, shared;
	weir_buffer buffer;
	uint32_t count = 0;

	CHECK(weir_buffer_create_shared(device, 64, &buffer) == WEIR_OK);
	CHECK(weir_event_array_create(device, 3, NULL, &usual) == WEIR_OK);
	RUNS(PASS(usual));
	CHECK(weir_event_array_create(device, 3, &options, &shared) == WEIR_OK);
	CHECK(fake->pinned == 2);
	REFUSED_BY(WEIR_BAD_ARGUMENT, PASS(shared), "an array of events that is host_visible",
	           "the device", "WEIR_SYSTEM_SCOPE");
	RUNS(PASS(usual));
	RUNS(PASS(buffer));
	fake->globals = no_events;
	RUNS(PASS(shared));
	fake->globals = system_scope;
	RUNS(PASS(shared));
	fake->globals = by_default;

	CHECK(weir_event_host_post(device, shared, 1, 2) == WEIR_OK);
	CHECK(weir_event_host_post(device, shared, 1, 3) == WEIR_OK);
	weir_red_add_rel(weir_event_at(shared, 1).words, 1); /* as a kernel would */
	CHECK(weir_event_host_post(device, shared, 1, 1) == WEIR_UNSUPPORTED);
	CHECK(strstr(weir_error_text(), "event 1 is at 6, of which the host has posted 5"));
	CHECK(weir_event_host_count(device, shared, 1, &count) == WEIR_OK && count == 6);
	CHECK(weir_event_host_post(device, shared, 2, 1) == WEIR_OK);
	CHECK(weir_event_array_reset(device, shared) == WEIR_OK);
	CHECK(weir_event_host_post(device, shared, 1, 4) == WEIR_OK);
	CHECK(weir_event_host_count(device, shared, 1, &count) == WEIR_OK && count == 4);

	weir_event_array gone = shared;
	CHECK(weir_event_array_destroy(device, &shared) == WEIR_OK && fake->pinned == 1);
	GONE(gone, "argument 1 is an array of events that was destroyed before");
	CHECK(weir_event_host_post(device, gone, 1, 1) == WEIR_NOT_FOUND);
	CHECK(weir_buffer_destroy(device, &buffer) == WEIR_OK && fake->pinned == 0);
	CHECK(weir_event_array_destroy(device, &usual) == WEIR_OK);
	/* The device decides. */
	CHECK(weir_event_array_create(device, 3, &options, &shared) == WEIR_OK);
}

static void memory_of_the_caller(void)
{
	weir_buffer buffer;
	weir_mutex mutex;

	CHECK(weir_buffer_create(device, 4096, &buffer) == WEIR_OK);
	weir_mutex_options options = {
	    .kind = WEIR_MUTEX_TICKET, .object.memory = buffer.native, .object.memory_bytes = 4096};
	CHECK(weir_mutex_create(device, &options, &mutex) == WEIR_OK);
	REFUSED(PASS(mutex), "ticket", "spin", "");
	/* A kernel without the configuration takes it for plain memory. */
	RUNS(PASS(buffer.native));
	CHECK(weir_mutex_destroy(device, &mutex) == WEIR_OK);
	CHECK(weir_buffer_destroy(device, &buffer) == WEIR_OK);
}

static void barriers(void)
{
	weir_barrier_options options = {.kind = WEIR_BARRIER_COUNTER, .shards = 1u << 3};
	weir_barrier xf, wide;

	CHECK(weir_barrier_create(device, BLOCKS, &(weir_barrier_options){.kind = WEIR_BARRIER_XF},
	                          &xf) == WEIR_OK);
	CHECK(weir_barrier_create(device, BLOCKS, &options, &wide) == WEIR_OK);
	const weir_argument argument = {&wide, sizeof wide};

	REFUSED(launch(&xf, 64, 0, NULL), "a barrier of kind xf",
	        "has counter and central:", "WEIR_BARRIER_KIND as WEIR_BARRIER_XF");
	REFUSED(PASS(xf), "a barrier of kind xf", "WEIR_BARRIER_WITH", "");
	fake->globals = with_others;
	RUNS(launch(&xf, 64, 0, NULL));
	fake->globals = by_default;

	RUNS(launch(&wide, 8, 1, &argument));
	int before = launches();
	CHECK(launch(&wide, 7, 0, NULL) == WEIR_BAD_ARGUMENT);
	CHECK(strstr(weir_error_text(), "8 shards for blocks of 7 threads") != NULL);
	CHECK(strstr(weir_error_text(), "WEIR_BARRIER_CENTRAL") != NULL);
	CHECK(launch(NULL, 7, 1, &argument) == WEIR_BAD_ARGUMENT);
	CHECK(strstr(weir_error_text(), "8 shards for blocks of 7 threads") != NULL);
	CHECK(launches() == before);
	RUNS(launch(NULL, 7, 0, NULL));
	CHECK(weir_barrier_destroy(device, &wide) == WEIR_OK);
	CHECK(weir_barrier_create(device, BLOCKS,
	                          &(weir_barrier_options){.kind = WEIR_BARRIER_CENTRAL},
	                          &wide) == WEIR_OK);
	RUNS(launch(&wide, 7, 1, &argument));
	CHECK(weir_barrier_destroy(device, &wide) == WEIR_OK);
	CHECK(weir_barrier_destroy(device, &xf) == WEIR_OK);
}

/* The vendor's barrier needs a kernel that asked for it, a cooperative launch and the whole grid. */
static void vendor_barrier(void)
{
	const weir_barrier_options part = {.kind = WEIR_BARRIER_GRID, .part_of_grid = 1};
	weir_barrier grid, none_made;
	weir_group group;

	CHECK(weir_barrier_create(device, BLOCKS,
	                          &(weir_barrier_options){.kind = WEIR_BARRIER_GRID},
	                          &grid) == WEIR_OK);
	const weir_argument argument = {&grid, sizeof grid};

	fake->globals = all;
	REFUSED(launch(&grid, 64, 0, NULL), "a barrier of kind grid",
	        "has atomic, xf, counter, central and two_stage:", "define WEIR_GRID_SYNC, and");
	fake->globals = all_and_grid;
	int before = fake->cooperative;
	RUNS(launch(&grid, 64, 1, &argument));
	CHECK(fake->cooperative == before + 1);
	before = launches();
	CHECK(launch(NULL, 64, 1, &argument) == WEIR_BAD_ARGUMENT);
	CHECK(strstr(weir_error_text(), "not cooperative: set launch.barrier") != NULL);
	CHECK(launches() == before);
	fake->globals = by_default;

	CHECK(weir_barrier_create(device, BLOCKS, &part, &none_made) == WEIR_UNSUPPORTED);
	CHECK(strstr(weir_error_text(), "not for a part") != NULL);
	CHECK(weir_group_create(device, BLOCKS, &(weir_group_options){.kind = WEIR_BARRIER_GRID},
	                        &group) == WEIR_UNSUPPORTED);
	CHECK(strstr(weir_error_text(), "not for a group") != NULL);
	CHECK(weir_barrier_reset(device, grid) == WEIR_OK);
	CHECK(weir_barrier_destroy(device, &grid) == WEIR_OK);
}

/* The abort goes to the modules of the kernels that were launched since the last wait. */
static void aborts(void)
{
	CHECK(weir_device_wait(device, 0, NULL) == WEIR_OK);
	RUNS(launch(NULL, 64, 0, NULL));
	CHECK(weir_device_abort(device) == WEIR_UNSUPPORTED);
	CHECK(strstr(weir_error_text(), "cuda:0 cannot end this kernel's waits: compile it with") !=
	      NULL);
	CHECK(weir_device_wait(device, 0, NULL) == WEIR_OK);

	fake->is_abortable = 1;
	CHECK(weir_device_abort(device) == WEIR_UNSUPPORTED); /* nothing runs */
	RUNS(launch(NULL, 64, 0, NULL));
	CHECK(weir_device_abort(device) == (is_old ? WEIR_UNSUPPORTED : WEIR_OK));
	CHECK(fake->abort_order == !is_old);
	CHECK(weir_device_abort(device) == (is_old ? WEIR_UNSUPPORTED : WEIR_OK));
	CHECK(weir_device_wait(device, 0, NULL) == (is_old ? WEIR_OK : WEIR_ABORTED));
	CHECK(fake->abort_order == 0);
	CHECK(weir_device_wait(device, 0, NULL) == WEIR_OK);

	/* A launch after the end of an aborted launch must not see the abort. */
	RUNS(launch(NULL, 64, 0, NULL));
	weir_device_abort(device);
	RUNS(launch(NULL, 64, 0, NULL));
	CHECK(fake->abort_order == 0);
	CHECK(weir_device_wait(device, 0, NULL) == (is_old ? WEIR_OK : WEIR_ABORTED));
	fake->is_abortable = 0;
}

/* On a device that has not launched anything. */
static void versions(void)
{
	int before = launches();

	fake->series = WEIR_VERSION_SERIES + 1;
	for (int i = 0; i < 2; i++) {
		CHECK(launch(NULL, 64, 0, NULL) == (is_old ? WEIR_OK : WEIR_OTHER_VERSION));
		CHECK(is_old ||
		      strstr(weir_error_text(), "the library is weir " WEIR_VERSION) != NULL);
	}
	CHECK(launches() == before + 2 * is_old);
	fake->series = WEIR_VERSION_SERIES;
	CHECK(launch(NULL, 64, 0, NULL) == WEIR_OK);
	CHECK(launch(NULL, 64, 0, NULL) == WEIR_OK);
	CHECK(launches() == before + 2 + 2 * is_old);
	fake->series = 0;
}

int main(int argc, char **argv)
{
	void *library = dlopen("libcuda.so.1", RTLD_NOW);

	fake = library ? dlsym(library, "fake") : NULL;
	if (!fake) {
		printf("FAILED: libcuda.so.1 is not the fake driver\n");
		return 1;
	}
	is_old = argc > 1 && strcmp(argv[1], "old") == 0;
	CHECK(weir_device_open("cuda:0", &device) == WEIR_OK);
	if (!device)
		return 1;
	versions();
	fake->globals = by_default;
	barriers(); /* before any object of a kind that the kernel lacks exists, except its own */
	vendor_barrier();
	mutexes();
	other_objects();
	queues();
	memory_of_the_caller();
	events_of_the_host();
	aborts();
	CHECK(weir_device_close(device) == WEIR_OK);
	CHECK(fake->pinned == 0);
	CHECK(fake->depth == 0 && fake->misplaced == 0 && fake->hung == 0);
	return failures != 0;
}
