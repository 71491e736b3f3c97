/* sanitized synced|raced: blocks of four threads count under a mutex, and pass values on through block
 * syncs, through syncs of warps and blocks, and through a barrier of all blocks. `raced`: without the
 * syncs. */
#include <stdio.h>
#include <string.h>

#include "weir/device.h"
#include "weir/weir.h"

enum {
	BLOCKS = 4,
	THREADS = 4,
	ROUNDS = 20
};

typedef struct shared {
	uint32_t sums[THREADS];
	uint32_t passed[BLOCKS][THREADS];
	uint32_t wrong;
	uint32_t is_synced;
} shared;

static void count(weir_mutex m, shared *s)
{
	if (s->is_synced)
		weir_mutex_block_lock(m);
	else if (weir_thread_id() == 0)
		weir_mutex_lock(m); /* the other threads go on without it */
	s->sums[weir_thread_id()]++;
	if (s->is_synced)
		weir_mutex_block_unlock(m);
	else if (weir_thread_id() == 0)
		weir_mutex_unlock(m);
}

/* Each thread reads a value written by another thread of its block, and then one of another
 * block. */
static void pass_on(weir_barrier b, shared *s, uint32_t round)
{
	uint32_t block = weir_block_id();
	uint32_t thread = weir_thread_id();
	uint32_t before, after;

	s->passed[block][thread] = round;
	if (s->is_synced)
		weir_team_sync(round % 2 ? weir_team_warp() : weir_team_block());
	before = s->passed[block][(thread + 1) % THREADS];
	if (s->is_synced)
		weir_barrier_wait(b);
	after = s->passed[(block + 1) % BLOCKS][thread];
	if (s->is_synced && (before != round || after != round))
		s->wrong = 1;
	if (s->is_synced)
		weir_barrier_wait(b);
}

static void work(void **arguments)
{
	weir_mutex m = **(weir_mutex **)arguments[0];
	weir_barrier b = **(weir_barrier **)arguments[1];
	shared *s = *(shared **)arguments[2];

	for (uint32_t round = 0; round < ROUNDS; round++) {
		count(m, s);
		pass_on(b, s, round);
	}
}

int main(int argc, char **argv)
{
	static shared s;
	static weir_mutex m;
	static weir_barrier b;
	weir_mutex *mutex = &m;
	weir_barrier *barrier = &b;
	shared *data = &s;
	weir_device *device;
	weir_argument arguments[] = {
	    {&mutex, sizeof mutex}, {&barrier, sizeof barrier}, {&data, sizeof data}};
	weir_launch launch = {.kernel = {NULL, work},
	                      .grid = {BLOCKS},
	                      .block = {THREADS},
	                      .arguments = arguments,
	                      .argument_count = 3};

	s.is_synced = argc > 1 && strcmp(argv[1], "synced") == 0;
	if (weir_device_open("host", &device) != WEIR_OK ||
	    weir_mutex_create(device, NULL, &m) != WEIR_OK ||
	    weir_barrier_create(device, BLOCKS, NULL, &b) != WEIR_OK ||
	    weir_kernel_launch(device, &launch) != WEIR_OK ||
	    weir_device_wait(device, 0, NULL) != WEIR_OK) {
		printf("%s\n", weir_error_text());
		return 2;
	}
	for (uint32_t i = 0; s.is_synced && i < THREADS; i++)
		s.wrong |= s.sums[i] != BLOCKS * ROUNDS;
	weir_device_close(device);
	return s.wrong ? 1 : 0;
}
