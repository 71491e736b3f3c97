/* A queue of large items, pushed and popped in batches. Each thread of a block has an item of five
 * words, and the block claims the slots for all of them with one atomic. On the host machine, where
 * a kernel is a function and a thread is a pthread. */
#include <string.h>

#include "check.h"
#include "weir/device.h"

#define BLOCKS 4u /* half of them push */
#define THREADS 8u
#define ROUNDS 50u
#define WORDS 5u
#define ITEMS (BLOCKS / 2 * THREADS * ROUNDS)

static void make_item(uint32_t number, uint32_t item[WORDS])
{
	for (uint32_t i = 0; i < WORDS; i++)
		item[i] = number * (i + 1);
}

static void push_all(weir_queue q)
{
	uint32_t item[WORDS];

	for (uint32_t round = 0; round < ROUNDS; round++) {
		uint32_t batch = weir_block_id() / 2 * ROUNDS + round;

		make_item(batch * THREADS + weir_thread_id(), item);
		weir_queue_block_push_n(q, THREADS, item, WORDS);
	}
}

/* Counts each item that arrives whole. Each item goes to only one thread. */
static void pop_all(weir_queue q, uint32_t *seen)
{
	uint32_t item[WORDS], wanted[WORDS], found;

	for (uint32_t left = ROUNDS * THREADS; left > 0; left -= found) {
		found = weir_queue_block_pop_some(q, left < THREADS ? left : THREADS, item, WORDS);
		if (weir_thread_id() >= found)
			continue;
		make_item(item[0], wanted);
		if (item[0] < ITEMS && memcmp(item, wanted, sizeof item) == 0)
			seen[item[0]] += 1;
	}
}

static void pass_items(void **arguments)
{
	weir_queue q = *(weir_queue *)arguments[0];
	uint32_t *seen = *(uint32_t **)arguments[1];

	if (weir_block_id() % 2 == 0)
		push_all(q);
	else
		pop_all(q, seen);
}

int main(void)
{
	static uint32_t seen[ITEMS];
	uint32_t *place = seen;
	weir_device *device;
	weir_queue queue;

	CHECK(weir_device_open("host", &device));
	CHECK(weir_queue_create(device, 2 * THREADS, WORDS * sizeof(uint32_t), NULL, &queue));
	weir_argument arguments[] = {{&queue, sizeof queue}, {&place, sizeof place}};
	weir_launch launch = {.kernel = {.host = pass_items},
	                      .grid = {BLOCKS},
	                      .block = {THREADS},
	                      .cooperative = 1, /* blocks that push wait for those that pop */
	                      .arguments = arguments,
	                      .argument_count = 2};
	CHECK(weir_kernel_launch(device, &launch));
	CHECK(weir_device_wait(device, DEADLINE_NS, NULL));
	CHECK(weir_device_close(device)); /* also frees the queue */
	for (uint32_t i = 0; i < ITEMS; i++) {
		if (seen[i] != 1) {
			printf("batches: item %u arrived %u times\n", i, seen[i]);
			return 1;
		}
	}
	printf("batches: %u items of %u words went through a queue of %u, %u at a time\n", ITEMS,
	       WORDS, 2 * THREADS, THREADS);
	return 0;
}
