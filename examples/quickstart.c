/* The README's example on the host machine, which runs anywhere, even without a GPU. */
#include <stdio.h>
#include <weir/device.h>
#include <weir/weir.h>

static unsigned total, seen;

static void count_blocks(void **arguments)
{
	weir_barrier b = *(weir_barrier *)arguments[0];
	weir_mutex m = *(weir_mutex *)arguments[1];

	weir_mutex_block_lock(m); /* one block at a time */
	if (weir_thread_id() == 0)
		total += 1;
	weir_mutex_block_unlock(m);
	weir_barrier_wait(b); /* now all blocks have counted */
	if (weir_block_id() == 0 && weir_thread_id() == 0)
		seen = total;
}

int main(void)
{
	weir_device *device;
	weir_barrier b;
	weir_mutex m;

	if (weir_device_open("host", &device) != WEIR_OK ||
	    weir_barrier_create(device, 8, NULL, &b) != WEIR_OK ||
	    weir_mutex_create(device, NULL, &m) != WEIR_OK)
		return puts(weir_error_text()), 1;
	weir_argument arguments[] = {{&b, sizeof b}, {&m, sizeof m}};
	weir_launch launch = {.kernel = {.host = count_blocks},
	                      .grid = {8},
	                      .block = {4},
	                      .barrier = &b,
	                      .arguments = arguments,
	                      .argument_count = 2};
	if (weir_kernel_launch(device, &launch) != WEIR_OK ||
	    weir_device_wait(device, 10000000000, NULL) != WEIR_OK)
		return puts(weir_error_text()), 1;
	printf("%u blocks of 4 threads counted themselves\n", seen);
	if (weir_device_close(device) != WEIR_OK)
		return puts(weir_error_text()), 1;
	return seen != 8;
}
