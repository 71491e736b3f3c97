/* weir/weir_compat.h: a program written for weir 0.1, with its names for operations, results and host calls. Only
 * creations have their new form. It is compiled both with WEIR_COMPAT_0_1 and with the header included. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "weir/device.h"
#include "weir/profile.h"
#include "weir/ranks.h"
#include "weir/weir.h"

#ifndef WEIR_COMPAT_0_1
#include "weir/weir_compat.h"
#endif

#define BLOCKS 4u
#define ROUNDS 10u

typedef struct shared {
	weir_mutex mutex;
	weir_semaphore semaphore;
	weir_rwlock rwlock;
	weir_event_array events;
	weir_combine combine;
	uint32_t count;
	uint32_t busy;
	uint32_t in_order[BLOCKS];
} shared;

static uint32_t add(weir_combine c, uint32_t *total, uint32_t operation)
{
	weir_combine_call call = weir_combine_publish(c, operation);

	while (weir_combine_wait(c, &call)) {
		while (weir_combine_next(c, &call))
			WEIR_COMBINE_EACH(i, &call)
		weir_combine_answer(&call, i, *total += weir_combine_operation(&call, i));
		weir_combine_release(c, &call);
	}
	return weir_combine_result(&call);
}

static void count_in_turn(shared *s)
{
	weir_sequence turns =
	    weir_sequence_of(weir_event_at(s->events, 0), BLOCKS, weir_event_round(s->events));

	weir_sequence_enter(turns, weir_block_id());
	s->in_order[weir_block_id()] = s->count++;
	weir_sequence_leave(turns);
}

static void kernel(void **arguments)
{
	shared *s = *(shared **)arguments[0];

	for (uint32_t i = 0; i < ROUNDS; i++) {
		weir_result result = weir_mutex_trylock(s->mutex);

		if (result == WEIR_ACQUIRED)
			weir_mutex_unlock(s->mutex);
		if (weir_semaphore_trywait(s->semaphore) == WEIR_ACQUIRED)
			weir_semaphore_post(s->semaphore);
		if (weir_semaphore_trywait_n(s->semaphore, 2) == WEIR_ACQUIRED)
			weir_semaphore_post_n(s->semaphore, 2);
		if (weir_rwlock_try_read(s->rwlock) == WEIR_ACQUIRED)
			weir_rwlock_read_unlock(s->rwlock);
		if (weir_rwlock_try_write(s->rwlock) == WEIR_ACQUIRED)
			weir_rwlock_write_unlock(s->rwlock);
	}
	count_in_turn(s);
	weir_event_signal(weir_event_at(s->events, 1), 1);
	weir_event_wait_all(s->events, 1, 1, BLOCKS);
	(void)weir_event_leave(s->events);
}

static void held(void **arguments)
{
	shared *s = *(shared **)arguments[0];

	weir_mutex_lock(s->mutex);
	s->busy = weir_mutex_trylock(s->mutex) == WEIR_BUSY;
	weir_mutex_unlock(s->mutex);
}

static void run(weir_device *device, weir_host_kernel entry, uint32_t blocks, shared *s)
{
	weir_argument argument = {&s, sizeof s};
	weir_launch launch = {.kernel = {NULL, entry},
	                      .grid = {blocks},
	                      .block = {1},
	                      .arguments = &argument,
	                      .argument_count = 1};
	uint32_t fit = 0;

	assert_int_equal(weir_resident_blocks(device, launch.kernel, 1, 0, &fit), WEIR_OK);
	assert_true(fit >= blocks);
	assert_int_equal(weir_kernel_launch(device, &launch), WEIR_OK);
	assert_int_equal(weir_device_wait(device, 60000000000u, NULL), WEIR_OK);
}

static void names_of_0_1(void **state)
{
	weir_device *device;
	weir_mutex_kind mutex_kind;
	weir_cuda_handles handles;
	static shared s;
	uint32_t total = 0;

	(void)state;
	assert_int_equal(weir_device_open("host", &device), WEIR_OK);
	assert_int_equal(weir_mutex_default(device, &mutex_kind), WEIR_OK);
	assert_int_equal(weir_device_cuda(device, &handles), WEIR_UNSUPPORTED);
	assert_int_equal(weir_mutex_create(device, NULL, &s.mutex), WEIR_OK);
	assert_int_equal(weir_semaphore_create(device, 3, 3, NULL, &s.semaphore), WEIR_OK);
	assert_int_equal(weir_rwlock_create(device, NULL, &s.rwlock), WEIR_OK);
	assert_int_equal(weir_event_array_create(device, 2, NULL, &s.events), WEIR_OK);
	assert_int_equal(weir_combiner_create(device, 1, NULL, &s.combine), WEIR_OK);
	run(device, kernel, BLOCKS, &s);
	for (uint32_t i = 0; i < BLOCKS; i++)
		assert_int_equal(s.in_order[i], i);
	run(device, held, 1, &s);
	assert_true(s.busy);
	assert_int_equal(weir_host_join(0, 1), WEIR_OK);
	assert_int_equal(add(s.combine, &total, 7), 7);
	assert_int_equal(weir_combine_reset(device, s.combine), WEIR_OK);
	assert_int_equal(weir_combine_destroy(device, &s.combine), WEIR_OK);
	assert_int_equal(weir_device_close(device), WEIR_OK);
	weir_diagnosis_clear(NULL);
	weir_profile_free(NULL);
}

static void a_crew_of_one(void **state)
{
	const weir_crew_place place = {.rank = 0, .ranks = 1, .name = "compat"};
	weir_device *device;
	weir_crew_link *link;
	weir_crew crew;
	weir_crew_report report;

	(void)state;
	assert_int_equal(weir_device_open("host", &device), WEIR_OK);
	assert_int_equal(weir_crew_join(device, &place, NULL, &link), WEIR_OK);
	assert_int_equal(weir_crew_handle(link, &crew), WEIR_OK);
	assert_int_equal(weir_host_join(0, 1), WEIR_OK);
	assert_int_equal(weir_crew_barrier(crew), WEIR_ACQUIRED);
	assert_int_equal(weir_crew_diagnose(link, 0, &report), WEIR_OK);
	weir_crew_report_clear(&report);
	assert_int_equal(weir_crew_stop(link), WEIR_OK);
	assert_int_equal(weir_crew_leave(link), WEIR_OK);
	assert_int_equal(weir_device_close(device), WEIR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(names_of_0_1),
	    cmocka_unit_test(a_crew_of_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
