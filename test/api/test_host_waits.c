/* Waits on the host machine: threads that sleep until a word changes, and what wakes them. */
#define _GNU_SOURCE
#include "api.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "src/host/park.h"
#include "weir/device.h"

enum {
	MANY = 128, /* threads, far more than there are cores */
	SWITCHES = 150
};

static weir_launch launch_of(weir_host_kernel kernel, uint32_t blocks, weir_argument *arguments,
                             uint32_t count)
{
	weir_launch launch = {.kernel = {NULL, kernel},
	                      .grid = {blocks},
	                      .block = {1},
	                      .arguments = arguments,
	                      .argument_count = count};
	return launch;
}

static void run(weir_launch launch)
{
	api_ok(weir_kernel_launch(api_device, &launch));
	api_ok(weir_device_wait(api_device, API_DEADLINE_NS, NULL));
}

static uint64_t switches(void)
{
	struct rusage usage;

	assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
	return (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw;
}

static void discover(void **arguments)
{
	weir_group g = **(weir_group **)arguments[0];
	uint32_t *members = *(uint32_t **)arguments[1];
	weir_member me = weir_group_discover(g);

	members[weir_block_id()] = me.is_member ? me.count : 0;
	if (me.is_member)
		weir_group_wait(g, me);
}

/* Blocks that yield until it is their turn at the lock take the core from the block whose turn it is: each
 * turn costs all of them a switch. */
static void waiting_threads_leave_the_cores(void **state)
{
	weir_group g;
	weir_group *group = &g;
	static uint32_t members[MANY];
	uint32_t *counts = members;
	weir_argument arguments[] = {{&group, sizeof group}, {&counts, sizeof counts}};
	uint32_t found = 0;

	(void)state;
	api_ok(weir_group_create(api_device, MANY, NULL, &g));
	uint64_t before = switches();
	run(launch_of(discover, MANY, arguments, 2));
	uint64_t spent = switches() - before;
	for (uint32_t i = 0; i < MANY; i++)
		found += members[i] != 0;
	for (uint32_t i = 0; i < MANY; i++)
		assert_true(members[i] == 0 || members[i] == found);
	assert_true(found > 0);
	if (spent > MANY * SWITCHES)
		fail_msg("%llu switches between %d threads", (unsigned long long)spent, MANY);
	api_ok(weir_group_destroy(api_device, &g));
}

typedef struct shared {
	weir_mutex ticket;
	weir_barrier barrier;
	weir_rwlock rwlock;
	weir_semaphore semaphore;
	uint32_t count;
	uint32_t rounds;
} shared;

static void use_all(void **arguments)
{
	shared *s = *(shared **)arguments[0];

	for (uint32_t i = 0; i < s->rounds; i++) {
		weir_mutex_lock(s->ticket);
		s->count++;
		weir_mutex_unlock(s->ticket);
		weir_barrier_wait(s->barrier);
		weir_semaphore_wait(s->semaphore);
		weir_semaphore_post(s->semaphore);
		if (i % 4 == weir_block_id() % 4) {
			weir_rwlock_write_lock(s->rwlock);
			s->count++;
			weir_rwlock_write_unlock(s->rwlock);
		} else {
			weir_rwlock_read_lock(s->rwlock);
			weir_rwlock_read_unlock(s->rwlock);
		}
		weir_barrier_wait(s->barrier);
	}
}

/* A sleep also ends by its own timer, which would hide that no writer ends it. A sleeper whose timer ends
 * just before the writer wakes it also counts, so a few such ends are no failure. */
static void writers_wake_sleepers(void **state)
{
	enum {
		BLOCKS = 16,
		ROUNDS = 200
	};
	shared s = {.rounds = ROUNDS};
	shared *shared_of = &s;
	weir_argument arguments[] = {{&shared_of, sizeof shared_of}};

	(void)state;
	if (!weir_host_can_park())
		skip();
	api_ok(weir_mutex_create(api_device, &(weir_mutex_options){.kind = WEIR_MUTEX_TICKET},
	                         &s.ticket));
	api_ok(weir_barrier_create(api_device, BLOCKS, NULL, &s.barrier));
	api_ok(weir_rwlock_create(api_device, &(weir_rwlock_options){.kind = WEIR_RWLOCK_FAIR},
	                          &s.rwlock));
	api_ok(weir_semaphore_create(api_device, 2, 2,
	                             &(weir_semaphore_options){.kind = WEIR_SEMAPHORE_SLEEPING},
	                             &s.semaphore));
	weir_host_sleeps before = weir_host_sleeps_now();
	run(launch_of(use_all, BLOCKS, arguments, 1));
	weir_host_sleeps after = weir_host_sleeps_now();
	assert_int_equal(s.count, ROUNDS * BLOCKS + ROUNDS / 4 * BLOCKS);
	uint32_t slept = after.slept - before.slept;
	uint32_t missed = after.missed - before.missed;
	print_message("%u sleeps, %u missed a write\n", slept, missed);
	assert_true(slept > ROUNDS);
	assert_true(missed <= slept / 10);
	api_ok(weir_semaphore_destroy(api_device, &s.semaphore));
	api_ok(weir_rwlock_destroy(api_device, &s.rwlock));
	api_ok(weir_barrier_destroy(api_device, &s.barrier));
	api_ok(weir_mutex_destroy(api_device, &s.ticket));
}

static weir_word flag, entered;

static void await_flag(void **arguments)
{
	(void)arguments;
	weir_add_rel(&entered, 1);                      /* pairs with the acquire in until_asleep */
	weir_await_eq_acq(&flag, 1, weir_no_backoff()); /* pairs with the stores of the tests */
}

/* Waits until another thread sleeps. A thread that never sleeps would test nothing. */
static void until_asleep(void)
{
	uint32_t before = weir_host_sleeps_now().slept;
	uint64_t begin = weir_clock_ns();

	weir_await_ge_acq(&entered, 1, weir_no_backoff()); /* pairs with the add in await_flag */
	while (weir_host_sleeps_now().slept == before && weir_clock_ns() - begin < 100000000)
		nanosleep(&(struct timespec){0, 1000000}, NULL);
}

static weir_launch waiting_launch(void)
{
	weir_store_rlx(&flag, 0);    /* relaxed: the launch orders it */
	weir_store_rlx(&entered, 0); /* relaxed: the launch orders it */
	return launch_of(await_flag, 1, NULL, 0);
}

/* Writes as another process does, whose writes know nothing of sleepers here. */
static void writes_of_another_process_end_a_sleep(void **state)
{
	weir_launch launch = waiting_launch();

	(void)state;
	api_ok(weir_kernel_launch(api_device, &launch));
	until_asleep();
	__atomic_store_n(&flag.value_, 1, __ATOMIC_RELEASE);
	api_ok(weir_device_wait(api_device, API_DEADLINE_NS, NULL));
}

static void an_abort_ends_a_sleep(void **state)
{
	weir_launch launch = waiting_launch();

	(void)state;
	api_ok(weir_kernel_launch(api_device, &launch));
	until_asleep();
	api_ok(weir_device_abort(api_device));
	api_fails(weir_device_wait(api_device, API_DEADLINE_NS, NULL), WEIR_ABORTED);
	api_said("weir_device_abort ended the kernel's waits");
	api_ok(weir_device_wait(api_device, API_DEADLINE_NS, NULL));
}

static void a_deadline_ends_a_sleep(void **state)
{
	weir_mutex m;
	uint64_t begin;

	(void)state;
	api_ok(
	    weir_mutex_create(api_device, &(weir_mutex_options){.kind = WEIR_MUTEX_PATIENT}, &m));
	weir_host_join(0, 1);
	weir_mutex_lock(m);
	begin = weir_clock_ns();
	assert_int_equal(weir_mutex_lock_for(m, 30000000), WEIR_TIMED_OUT);
	assert_true(weir_clock_ns() - begin >= 30000000);
	assert_int_equal(weir_mutex_lock_for(m, 1), WEIR_TIMED_OUT);
	weir_mutex_unlock(m);
	assert_int_equal(weir_mutex_lock_for(m, UINT64_MAX), WEIR_OK);
	weir_mutex_unlock(m);
	api_ok(weir_mutex_destroy(api_device, &m));
}

static void *store_later(void *unused)
{
	(void)unused;
	nanosleep(&(struct timespec){0, 20000000}, NULL);
	weir_store_rel(&flag, 1); /* pairs with the await in the_child_of_a_fork_sleeps */
	return NULL;
}

/* A fork leaves the sleepers of the parent behind. */
static void the_child_of_a_fork_sleeps(void **state)
{
	weir_launch launch = waiting_launch();
	pthread_t thread;
	int status;

	(void)state;
	api_ok(weir_kernel_launch(api_device, &launch));
	until_asleep();
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		alarm(60);
		weir_store_rlx(&flag, 0); /* relaxed: the thread is started after this store */
		if (pthread_create(&thread, NULL, store_later, NULL) != 0)
			_exit(2);
		weir_await_eq_acq(&flag, 1, weir_no_backoff()); /* pairs with store_later */
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	weir_store_rel(&flag, 1); /* pairs with the await in await_flag */
	api_ok(weir_device_wait(api_device, API_DEADLINE_NS, NULL));
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(waiting_threads_leave_the_cores),
	    cmocka_unit_test(writers_wake_sleepers),
	    cmocka_unit_test(writes_of_another_process_end_a_sleep),
	    cmocka_unit_test(an_abort_ends_a_sleep),
	    cmocka_unit_test(a_deadline_ends_a_sleep),
	    cmocka_unit_test(the_child_of_a_fork_sleeps),
	};
	return api_main(argc, argv, tests);
}
