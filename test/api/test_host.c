/* Features of only the host machine: kernels that the test can hold and release, and the caller's
 * own threads as blocks. */
#include "api.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/core/device.h"
#include "src/host/run.h"
#include "weir/device.h"
#include "weir/profile.h"

static weir_word flag, entered;

static void hold(void **arguments)
{
	(void)arguments;
	weir_red_add_rel(&entered, 1);                  /* pairs with the acquires of the tests */
	weir_await_eq_acq(&flag, 1, weir_no_backoff()); /* pairs with release_the_held */
}

static const weir_kernel hold_kernel = {NULL, hold};

static void release_the_held(void)
{
	weir_store_rel(&flag, 1); /* pairs with the await in hold */
}

static weir_launch held_launch(uint32_t blocks, uint32_t threads)
{
	weir_launch launch = {.kernel = hold_kernel, .grid = {blocks}, .block = {threads}};
	weir_store_rlx(&flag, 0);    /* relaxed: the launch orders it */
	weir_store_rlx(&entered, 0); /* relaxed: the launch orders it */
	return launch;
}

static void a_kernel_that_does_not_end(void **state)
{
	weir_launch launch = held_launch(2, 2);
	double elapsed = -1;
	uint32_t word;

	(void)state;
	api_ok(weir_kernel_launch(api_device, &launch));
	weir_await_eq_acq(&entered, 4, weir_no_backoff()); /* pairs with the adds in hold */
	for (int i = 0; i < 3; i++)
		api_fails(weir_device_wait(api_device, 5000000, &elapsed), WEIR_TIMED_OUT);
	/* Calls that would have to wait for it give up as well. */
	api_fails(weir_buffer_read(api_device, api_data, 0, &word, sizeof word), WEIR_BUSY);
	api_fails(weir_kernel_launch(api_device, &launch), WEIR_BUSY);
	release_the_held();
	api_ok(weir_device_wait(api_device, API_DEADLINE_NS, &elapsed));
	assert_true(elapsed >= 15.0);
	assert_int_equal(weir_load_rlx(&entered), 4); /* relaxed: the wait orders it */
	api_ok(weir_buffer_read(api_device, api_data, 0, &word, sizeof word));
}

static void closing_under_a_kernel_that_does_not_end(void **state)
{
	weir_device *device;
	weir_launch launch = held_launch(1, 2);

	(void)state;
	api_ok(weir_device_open("host", &device));
	api_ok(weir_kernel_launch(device, &launch));
	api_fails(weir_device_wait(device, 1000000, NULL), WEIR_TIMED_OUT);
	api_ok(weir_device_close(device));
	release_the_held();
}

static void more_blocks_than_run_at_once(void **state)
{
	(void)state;
	weir_mutex m;

	api_clear_data();
	/* Four of these blocks have all the threads that the host runs at once: the fifth waits for its
	 * turn. */
	api_ok(weir_mutex_create(api_device, &(weir_mutex_options){.kind = WEIR_MUTEX_TICKET}, &m));
	api_run_kernel((api_run){"api_mutex",
	                         m.words,
	                         {{.mutex = m.config}, 2, 0},
	                         5,
	                         weir_host_most_threads() / 4,
	                         NULL});
	assert_int_equal(api_datum(0), 10);
	api_ok(weir_mutex_destroy(api_device, &m));
}

struct bad_team {
	uint32_t id, first, threads;
};

/* Only thread 0 makes the bad team. The others wait for it in a good team until the launch ends. */
static void make_bad_team(void **arguments)
{
	const struct bad_team *bad = arguments[0];

	if (weir_thread_id() == 0)
		weir_team_sync(weir_team_named(bad->id, bad->first, bad->threads));
	weir_team_sync(weir_team_named(15, 0, 64));
}

static void bad_teams(void **state)
{
	static const struct bad_team bad[] = {{0, 0, 32}, {16, 0, 32}, {1, 0, 0}, {2, 0, 31},
	                                      {3, 1, 32}, {4, 32, 64}, {5, 0, 96}};
	const weir_kernel kernel = {NULL, make_bad_team};
	char text[64];

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		weir_argument argument = {&bad[i], sizeof bad[i]};
		weir_launch launch = {.kernel = kernel,
		                      .grid = {1},
		                      .block = {64},
		                      .arguments = &argument,
		                      .argument_count = 1};

		api_ok(weir_kernel_launch(api_device, &launch));
		api_fails(weir_device_wait(api_device, API_DEADLINE_NS, NULL), WEIR_LAUNCH_FAILED);
		snprintf(text, sizeof text, "a team %u that is none", bad[i].id);
		assert_non_null(strstr(weir_error_text(), text));
	}
}

#define OWN_THREADS 5
#define OWN_ROUNDS 200

struct own {
	uint32_t id;
	weir_barrier barrier;
	weir_mutex mutex;
	uint32_t *places;
	uint32_t *total;
	int wrong;
};

static void *own_thread(void *argument)
{
	struct own *own = argument;

	weir_host_join(own->id, OWN_THREADS);
	own->wrong = weir_block_id() != own->id || weir_block_count() != OWN_THREADS ||
	             weir_thread_id() != 0 || weir_thread_count() != 1;
	for (uint32_t i = 0; i < OWN_ROUNDS; i++) {
		own->places[own->id] = i;
		weir_barrier_wait(own->barrier);
		for (uint32_t other = 0; other < OWN_THREADS; other++)
			own->wrong += own->places[other] != i;
		weir_mutex_block_lock(own->mutex);
		*own->total += 1;
		weir_mutex_block_unlock(own->mutex);
		weir_barrier_wait(own->barrier);
	}
	return NULL;
}

static void meet(weir_barrier_kind barrier_kind, weir_mutex_kind mutex_kind)
{
	pthread_t threads[OWN_THREADS];
	struct own own[OWN_THREADS];
	uint32_t places[OWN_THREADS] = {0}, total = 0;
	weir_barrier barrier;
	weir_mutex mutex;

	api_ok(weir_barrier_create(api_device, OWN_THREADS,
	                           &(weir_barrier_options){.kind = barrier_kind}, &barrier));
	api_ok(weir_mutex_create(api_device, &(weir_mutex_options){.kind = mutex_kind}, &mutex));
	for (uint32_t i = 0; i < OWN_THREADS; i++) {
		own[i] = (struct own){i, barrier, mutex, places, &total, 0};
		assert_int_equal(pthread_create(&threads[i], NULL, own_thread, &own[i]), 0);
	}
	for (uint32_t i = 0; i < OWN_THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], NULL), 0);
		assert_int_equal(own[i].wrong, 0);
	}
	assert_int_equal(total, OWN_THREADS * OWN_ROUNDS);
	api_ok(weir_barrier_destroy(api_device, &barrier));
	api_ok(weir_mutex_destroy(api_device, &mutex));
}

static void threads_of_the_callers_own(void **state)
{
	(void)state;
	meet(WEIR_BARRIER_ATOMIC, WEIR_MUTEX_TICKET);
	meet(WEIR_BARRIER_XF, WEIR_MUTEX_RING);
}

/* A thread that has not joined, at a barrier of two blocks. */
static void come_as_a_stranger(weir_barrier b, int way)
{
	if (way == 0)
		weir_barrier_wait(b);
	else if (way == 1)
		weir_barrier_arrive(b);
	else if (way == 2)
		weir_barrier_await(b, 0);
	else
		weir_barrier_wait_for(b, 1000000);
}

/* In a child process, which must end with the error text and a signal, and neither pass nor
 * hang. */
static void end_as_a_stranger(weir_barrier b, int way)
{
	char text[256] = "";
	size_t length = 0;
	ssize_t more;
	int ends[2], status = 0;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		struct rlimit no_core = {0, 0};
		setrlimit(RLIMIT_CORE, &no_core);
		signal(SIGABRT, SIG_DFL);
		alarm(30);
		dup2(ends[1], 2);
		come_as_a_stranger(b, way);
		_exit(0);
	}
	close(ends[1]);
	while ((more = read(ends[0], text + length, sizeof text - 1 - length)) > 0)
		length += (size_t)more;
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
	assert_non_null(strstr(text, "weir: a thread that is none of its 2 blocks"));
	assert_non_null(strstr(text, "weir_host_join"));
}

static void strangers_at_a_barrier(void **state)
{
	(void)state;
	for (uint32_t kind = api_next_barrier(0); kind; kind = api_next_barrier(kind)) {
		weir_barrier b;
		api_ok(
		    weir_barrier_create(api_device, 2, &(weir_barrier_options){.kind = kind}, &b));
		for (int way = 0; way < 4; way++)
			end_as_a_stranger(b, way);
		api_ok(weir_barrier_destroy(api_device, &b));
	}
}

static jmp_buf out;
static char heard[256];

static void hear(const char *text)
{
	snprintf(heard, sizeof heard, "%s", text);
	longjmp(out, 1);
}

/* Every way to arrive at a barrier refuses the thread, with these words. */
static void refused_in_a_way(weir_barrier b, const char *words, int way)
{
	*heard = '\0';
	if (setjmp(out) == 0) {
		come_as_a_stranger(b, way);
		fail_msg("a thread passed that should not");
	}
	if (!strstr(heard, words))
		fail_msg("%s", heard);
}

static void refused_at(weir_barrier b, const char *words)
{
	for (int way = 0; way < 4; way++)
		refused_in_a_way(b, words, way);
}

static void join_in_a_kernel(void **arguments)
{
	*(weir_status *)*(void **)arguments[0] = weir_host_join(0, 1);
}

static void joins_that_cannot_be(void **state)
{
	static const uint32_t bad[][2] = {
	    {2, 2}, {0, 0}, {UINT32_MAX, 4}, {UINT32_MAX, UINT32_MAX}};
	weir_status inside = WEIR_OK, *place = &inside;
	weir_argument argument = {&place, sizeof place};
	weir_launch launch = {.kernel = {NULL, join_in_a_kernel},
	                      .grid = {1},
	                      .block = {1},
	                      .arguments = &argument,
	                      .argument_count = 1};

	(void)state;
	api_ok(weir_host_join(1, 3));
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		api_fails(weir_host_join(bad[i][0], bad[i][1]), WEIR_BAD_ARGUMENT);
		api_said("blocks count from 0");
	}
	assert_int_equal(weir_block_id(), 1); /* a refused call changes nothing */
	assert_int_equal(weir_block_count(), 3);
	api_ok(weir_kernel_launch(api_device, &launch));
	api_ok(weir_device_wait(api_device, API_DEADLINE_NS, NULL));
	assert_int_equal(inside, WEIR_BAD_ARGUMENT);
	api_ok(weir_host_join(0, 1));
}

/* Every kind, since some find a block by its number in memory. */
static void joins_that_do_not_fit_a_barrier(void **state)
{
	(void)state;
	weir_host_on_fault(hear);
	for (uint32_t kind = api_next_barrier(0); kind; kind = api_next_barrier(kind)) {
		weir_barrier_options options = {.kind = kind};
		weir_barrier b;

		api_ok(weir_barrier_create(api_device, 4, &options, &b));
		api_ok(weir_host_join(0, 3));
		refused_at(b, "block 0 of 3 came to a barrier of 4: join with the count");
		api_ok(weir_host_join(1, 5));
		refused_at(b, "block 1 of 5 came to a barrier of another number of blocks");
		api_ok(weir_host_join(4, 5));
		refused_at(b, "block 4 of 5 came to a barrier of 4: join with the count");
		api_ok(weir_barrier_destroy(api_device, &b));

		/* A new barrier in the memory of one that this thread has used. */
		weir_buffer buffer;
		api_ok(weir_buffer_create(api_device, 1 << 16, &buffer));
		options.object.memory = buffer.native;
		options.object.memory_bytes = 1 << 16;
		api_ok(weir_barrier_create(api_device, 4, &options, &b));
		api_ok(weir_host_join(1, 4));
		weir_barrier_arrive(b);
		api_ok(weir_barrier_destroy(api_device, &b));
		api_ok(weir_barrier_create(api_device, 2, &options, &b));
		refused_at(b, "block 1 of 4 came to a barrier of another number of blocks");
		api_ok(weir_barrier_destroy(api_device, &b));
		api_ok(weir_buffer_destroy(api_device, &buffer));
	}
	weir_host_on_fault(NULL);
	api_ok(weir_host_join(0, 1));
}

struct first_come {
	weir_barrier barrier;
	uint32_t has_come, may_go_on;
	weir_status joined;
};

static void *come_first(void *argument)
{
	struct first_come *f = argument;
	uint32_t token;

	f->joined = weir_host_join(0, 2);
	token = weir_barrier_arrive(f->barrier);
	__atomic_store_n(&f->has_come, 1, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&f->may_go_on, __ATOMIC_ACQUIRE))
		sched_yield();
	weir_barrier_await(f->barrier, token);
	return NULL;
}

/* The second thread is refused while the first lives. */
static void two_threads_as_one_block(void **state)
{
	(void)state;
	for (uint32_t kind = api_next_barrier(0); kind; kind = api_next_barrier(kind)) {
		struct first_come f = {.has_come = 0};
		pthread_t thread;

		api_ok(weir_barrier_create(api_device, 2, &(weir_barrier_options){.kind = kind},
		                           &f.barrier));
		assert_int_equal(pthread_create(&thread, NULL, come_first, &f), 0);
		while (!__atomic_load_n(&f.has_come, __ATOMIC_ACQUIRE))
			sched_yield();
		weir_host_on_fault(hear);
		api_ok(weir_host_join(0, 2));
		refused_at(f.barrier, "two threads came to a barrier as block 0 of 2");
		weir_host_on_fault(NULL);
		api_ok(weir_host_join(1, 2));
		__atomic_store_n(&f.may_go_on, 1, __ATOMIC_RELEASE);
		weir_barrier_wait(f.barrier);
		assert_int_equal(pthread_join(thread, NULL), 0);
		api_ok(f.joined);
		api_ok(weir_barrier_destroy(api_device, &f.barrier));
	}
	api_ok(weir_host_join(0, 1));
}

/* A handler gets the error text, and may jump out of the operation. */
static void a_fault_that_is_handled(void **state)
{
	weir_mutex_config wrong = {.kind = 17, .pitch = 1};
	weir_word words[4] = {{0}};
	weir_barrier b;

	(void)state;
	api_ok(weir_barrier_create(api_device, 2, &(weir_barrier_options){.kind = WEIR_BARRIER_XF},
	                           &b));
	assert_null(weir_host_on_fault(hear));
	if (setjmp(out) == 0) {
		weir_barrier_wait(b);
		fail_msg("a stranger passed");
	}
	assert_non_null(strstr(heard, "none of its 2 blocks"));
	if (setjmp(out) == 0) {
		weir_mutex_lock(weir_mutex_make(words, wrong));
		fail_msg("locked what is no mutex");
	}
	assert_string_equal(heard, "a mutex of kind 17, which is none");
	assert_ptr_equal(weir_host_on_fault(NULL), hear);
	api_ok(weir_barrier_destroy(api_device, &b));
}

/* A thread that has not joined is a block of its own. */
static void a_thread_that_did_not_join(void **state)
{
	weir_barrier alone;

	(void)state;
	assert_int_equal(weir_block_id(), 0);
	assert_int_equal(weir_block_count(), 1);
	assert_int_equal(weir_thread_count(), 1);
	api_ok(weir_barrier_create(api_device, 1,
	                           &(weir_barrier_options){.kind = WEIR_BARRIER_ATOMIC}, &alone));
	weir_barrier_wait(alone);
	weir_barrier_wait(alone);
	api_ok(weir_barrier_destroy(api_device, &alone));
}

static int never(void *state)
{
	(void)state;
	return 0;
}

/* The same device without 64-bit atomics: not every OpenCL device has them. A kind that needs them
 * is refused, and is not the default whatever the profile says. */
static void no_64_bit_words(void **state)
{
	const weir_backend *whole = api_device->backend;
	weir_backend narrow = *whole;
	weir_profile *profile = api_device->profile;
	weir_profile other = *profile;
	weir_rule rule = *weir_profile_rule(profile, WEIR_PRIMITIVE_SEMAPHORE, WEIR_ANY_COUNT);
	weir_semaphore_kind kind;
	weir_semaphore s;

	(void)state;
	rule.kind = WEIR_SEMAPHORE_PACKED;
	other.rules = &rule;
	other.rule_count = 1;
	api_device->profile = &other;
	api_ok(weir_semaphore_default_kind(api_device, &kind));
	assert_int_equal(kind, WEIR_SEMAPHORE_PACKED);
	narrow.has_word64 = never;
	api_device->backend = &narrow;
	api_fails(weir_semaphore_create(api_device, 1, 1,
	                                &(weir_semaphore_options){.kind = WEIR_SEMAPHORE_PACKED},
	                                &s),
	          WEIR_UNSUPPORTED);
	assert_non_null(strstr(weir_error_text(), "64-bit"));
	api_ok(weir_semaphore_default_kind(api_device, &kind));
	assert_int_equal(kind, WEIR_SEMAPHORE_SLEEPING);
	api_device->profile = profile;
	api_ok(weir_semaphore_create(
	    api_device, 1, 1, &(weir_semaphore_options){.kind = WEIR_SEMAPHORE_SLEEPING}, &s));
	api_ok(weir_semaphore_destroy(api_device, &s));
	api_device->backend = whole;
	api_ok(weir_semaphore_create(api_device, 1, 1,
	                             &(weir_semaphore_options){.kind = WEIR_SEMAPHORE_PACKED}, &s));
	api_ok(weir_semaphore_destroy(api_device, &s));
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_kernel_that_does_not_end),
	    cmocka_unit_test(closing_under_a_kernel_that_does_not_end),
	    cmocka_unit_test(more_blocks_than_run_at_once),
	    cmocka_unit_test(bad_teams),
	    cmocka_unit_test(threads_of_the_callers_own),
	    cmocka_unit_test(strangers_at_a_barrier),
	    cmocka_unit_test(a_fault_that_is_handled),
	    cmocka_unit_test(a_thread_that_did_not_join),
	    cmocka_unit_test(joins_that_cannot_be),
	    cmocka_unit_test(joins_that_do_not_fit_a_barrier),
	    cmocka_unit_test(two_threads_as_one_block),
	    cmocka_unit_test(no_64_bit_words),
	};
	return api_main(argc, argv, tests);
}
