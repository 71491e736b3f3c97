/* Waits that end: a condition that is never signalled, a barrier at which one block does not
 * arrive, and a launch that the host aborts. On the host machine, where a kernel is a function and
 * a thread is a pthread. */
#include "check.h"
#include "weir/device.h"

#define BLOCKS 4u
#define PATIENCE_NS 20000000u

typedef struct shared {
	weir_mutex mutex;
	weir_condition filled;
	weir_barrier barrier;
	uint32_t late;    /* blocks whose wait ended at its deadline */
	uint32_t in_time; /* and the number of the others */
} shared;

static void count(shared *s, weir_status result)
{
	weir_mutex_lock(s->mutex);
	*(result == WEIR_TIMED_OUT ? &s->late : &s->in_time) += 1;
	weir_mutex_unlock(s->mutex);
}

/* After a time-out the block holds the mutex, as after a signal. */
static void wait_for_an_item(void **arguments)
{
	shared *s = *(shared **)arguments[0];
	weir_status result;

	weir_mutex_lock(s->mutex);
	result = weir_condition_wait_for(s->filled, s->mutex, PATIENCE_NS);
	weir_mutex_unlock(s->mutex);
	count(s, result);
}

/* All blocks get the same answer: if one gives up, no other block passes. */
static void meet_all_but_one(void **arguments)
{
	shared *s = *(shared **)arguments[0];

	if (weir_block_id() != 0)
		count(s, weir_barrier_wait_for(s->barrier, PATIENCE_NS));
}

static void meet_without_a_deadline(void **arguments)
{
	shared *s = *(shared **)arguments[0];

	if (weir_block_id() != 0)
		weir_barrier_wait(s->barrier);
}

static void meet(void **arguments)
{
	shared *s = *(shared **)arguments[0];

	count(s, weir_barrier_wait_for(s->barrier, DEADLINE_NS));
}

static weir_status run(weir_device *device, weir_host_kernel kernel, shared *s, uint64_t ns)
{
	weir_argument argument = {&s, sizeof s};
	weir_launch launch = {.kernel = {.host = kernel},
	                      .grid = {BLOCKS},
	                      .block = {1},
	                      .arguments = &argument,
	                      .argument_count = 1};

	s->late = s->in_time = 0;
	CHECK(weir_kernel_launch(device, &launch));
	return weir_device_wait(device, ns, NULL);
}

static int is_right(const char *what, const shared *s, uint32_t late, uint32_t in_time)
{
	if (s->late == late && s->in_time == in_time)
		return 1;
	printf("deadlines: %s: %u late and %u in time\n", what, s->late, s->in_time);
	return 0;
}

int main(void)
{
	weir_device *device;
	shared s;
	int right;

	CHECK(weir_device_open("host", &device));
	CHECK(weir_mutex_create(device, NULL, &s.mutex));
	CHECK(weir_condition_create(device, NULL, &s.filled));
	CHECK(weir_barrier_create(device, BLOCKS, NULL, &s.barrier));

	CHECK(run(device, wait_for_an_item, &s, DEADLINE_NS));
	right = is_right("a condition", &s, BLOCKS, 0);

	CHECK(run(device, meet_all_but_one, &s, DEADLINE_NS));
	right &= is_right("a barrier that lacks a block", &s, BLOCKS - 1, 0);
	CHECK(weir_barrier_reset(device, s.barrier)); /* a barrier that was given up stays broken */
	CHECK(run(device, meet, &s, DEADLINE_NS));
	right &= is_right("the barrier after a reset", &s, 0, BLOCKS);

	/* Without an abort this would wait forever. */
	right &= run(device, meet_without_a_deadline, &s, PATIENCE_NS) == WEIR_TIMED_OUT;
	CHECK(weir_device_abort(device));
	right &= weir_device_wait(device, DEADLINE_NS, NULL) == WEIR_ABORTED;
	CHECK(weir_barrier_reset(device, s.barrier));
	CHECK(run(device, meet, &s, DEADLINE_NS));
	right &= is_right("the barrier after an abort", &s, 0, BLOCKS);

	CHECK(weir_device_close(device)); /* also frees the objects */
	if (right)
		printf("deadlines: every wait ended, and the barrier works again\n");
	return !right;
}
