/* The program's own threads as blocks. Each states which block it is, and then uses the objects as
 * a kernel does. There is no launch to wait for, so the alarm serves as the deadline. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <unistd.h>

#include "check.h"
#include "weir/device.h"

#define THREADS 4u
#define ROUNDS 1000u

struct worker {
	pthread_t thread;
	uint32_t id;
	weir_barrier barrier;
	weir_mutex mutex;
	uint32_t *total;
	uint32_t seen; /* the total that it saw after all had counted */
};

static void *work(void *argument)
{
	struct worker *me = argument;

	if (weir_host_join(me->id, THREADS) != WEIR_OK)
		return NULL;
	for (uint32_t i = 0; i < ROUNDS; i++) {
		weir_mutex_lock(me->mutex);
		*me->total += 1;
		weir_mutex_unlock(me->mutex);
	}
	weir_barrier_wait(me->barrier);
	me->seen = *me->total;
	return NULL;
}

int main(void)
{
	weir_device *device;
	weir_barrier barrier;
	weir_mutex mutex;
	struct worker workers[THREADS];
	uint32_t total = 0;
	int right = 1;

	alarm(20);
	CHECK(weir_device_open("host", &device));
	CHECK(weir_barrier_create(device, THREADS, NULL, &barrier));
	CHECK(weir_mutex_create(device, NULL, &mutex));
	for (uint32_t i = 0; i < THREADS; i++) {
		workers[i] =
		    (struct worker){.id = i, .barrier = barrier, .mutex = mutex, .total = &total};
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
			return 1;
	}
	for (uint32_t i = 0; i < THREADS; i++) {
		pthread_join(workers[i].thread, NULL);
		right = right && workers[i].seen == THREADS * ROUNDS;
	}
	CHECK(weir_barrier_destroy(device, &barrier));
	CHECK(weir_mutex_destroy(device, &mutex));
	CHECK(weir_device_close(device));
	if (!right)
		printf("own_threads: wrong totals\n");
	else
		printf("own_threads: %u threads counted to %u and all saw it\n", THREADS, total);
	return !right;
}
