/* WEIR_COUNTER_FIXED_BITS: this unit is compiled for counter barriers of four shards. A barrier that has them works, and
 * any other ends the launch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "weir/device.h"
#include "weir/weir.h"

#define BLOCKS 8u
#define ROUNDS 20u
#define LIMIT_NS UINT64_C(60000000000)

static uint32_t arrived[BLOCKS];
static uint32_t early;

static void kernel(void **arguments)
{
	weir_barrier b = *(weir_barrier *)arguments[0];

	for (uint32_t round = 1; round <= ROUNDS; round++) {
		arrived[weir_block_id()] = round;
		weir_barrier_wait(b);
		for (uint32_t i = 0; i < BLOCKS; i++)
			if (arrived[i] != round)
				__atomic_store_n(&early, 1, __ATOMIC_RELAXED);
		weir_barrier_wait(b);
	}
}

static weir_status run(weir_device *device, uint32_t shards)
{
	weir_barrier_options options = {.kind = WEIR_BARRIER_COUNTER, .shards = shards};
	weir_barrier b;
	weir_argument argument = {&b, sizeof b};
	weir_launch launch = {.kernel = {.host = kernel},
	                      .grid = {BLOCKS},
	                      .block = {1},
	                      .barrier = &b,
	                      .arguments = &argument,
	                      .argument_count = 1};
	weir_status status = weir_barrier_create(device, BLOCKS, &options, &b);

	assert_int_equal(status, WEIR_OK);
	status = weir_kernel_launch(device, &launch);
	if (status == WEIR_OK)
		status = weir_device_wait(device, LIMIT_NS, NULL);
	return status;
}

static void only_fixed_shards_work(void **state)
{
	weir_device *device;

	(void)state;
	assert_int_equal(weir_device_open("host", &device), WEIR_OK);
	assert_int_equal(run(device, 4), WEIR_OK);
	assert_int_equal(early, 0);
	assert_int_equal(arrived[BLOCKS - 1], ROUNDS);
	assert_int_equal(run(device, 1), WEIR_LAUNCH_FAILED);
	weir_device_close(device);
}

/* A kernel that makes its handle gets the same number of shards, and enough memory for them. */
static void handles_in_kernels_have_them(void **state)
{
	static weir_word words[WEIR_BARRIER_WORDS(BLOCKS)];

	(void)state;
	assert_true(WEIR_BARRIER_WORDS(BLOCKS) > 3 * WEIR_COUNTER_APART);
	assert_int_equal(weir_barrier_in(words, BLOCKS).config.shape.bits, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(only_fixed_shards_work),
	    cmocka_unit_test(handles_in_kernels_have_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
