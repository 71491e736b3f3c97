/* A barrier: blocks smooth a ring of cells in steps, and no block starts a step before all have
 * finished the previous one. On the host machine, where a kernel is a function and a thread is a
 * pthread. */
#include "check.h"
#include "weir/device.h"

#define BLOCKS 4u
#define THREADS 8u
#define CELLS (BLOCKS * THREADS)
#define STEPS 100u

/* In each step a cell becomes the sum of its own value and its left neighbour's. So cell i after n
 * steps is a sum of binomial coefficients, and the sum of all cells doubles with every step. */
static void add_the_neighbour(void **arguments)
{
	weir_barrier b = *(weir_barrier *)arguments[0];
	uint64_t *cells = *(uint64_t **)arguments[1];
	uint32_t me = weir_block_id() * weir_thread_count() + weir_thread_id();

	for (uint32_t step = 0; step < STEPS; step++) {
		uint64_t sum = cells[me] + cells[(me + CELLS - 1) % CELLS];
		weir_barrier_wait(b); /* all have read */
		cells[me] = sum;
		weir_barrier_wait(b); /* all have written */
	}
}

/* The same with one thread. */
static void expect(uint64_t *cells)
{
	for (uint32_t step = 0; step < STEPS; step++) {
		uint64_t last = cells[CELLS - 1];
		for (uint32_t i = CELLS - 1; i > 0; i--)
			cells[i] += cells[i - 1];
		cells[0] += last;
	}
}

int main(void)
{
	weir_device *device;
	weir_barrier barrier;
	weir_buffer buffer;
	uint64_t cells[CELLS] = {1}, expected[CELLS] = {1};

	CHECK(weir_device_open("host", &device));
	CHECK(weir_barrier_create(device, BLOCKS, NULL, &barrier));
	CHECK(weir_buffer_create(device, sizeof cells, &buffer));
	CHECK(weir_buffer_write(device, buffer, 0, cells, sizeof cells));

	weir_argument arguments[] = {{&barrier, sizeof barrier},
	                             {&buffer.native, sizeof buffer.native}};
	weir_launch launch = {.kernel = {.host = add_the_neighbour},
	                      .grid = {BLOCKS},
	                      .block = {THREADS},
	                      .barrier = &barrier, /* refused if the blocks do not fit */
	                      .arguments = arguments,
	                      .argument_count = 2};
	CHECK(weir_kernel_launch(device, &launch));
	CHECK(weir_device_wait(device, DEADLINE_NS, NULL));
	CHECK(weir_buffer_read(device, buffer, 0, cells, sizeof cells));
	CHECK(weir_device_close(device)); /* also frees the barrier and the buffer */

	expect(expected);
	for (uint32_t i = 0; i < CELLS; i++) {
		if (cells[i] != expected[i]) {
			printf("barrier: cell %u is wrong\n", i);
			return 1;
		}
	}
	printf("barrier: %u blocks of %u threads took %u steps together\n", BLOCKS, THREADS, STEPS);
	return 0;
}
