/* Mutexes: blocks put values into a small table of buckets, with one mutex for each bucket. */
#include "check.h"
#include "weir/device.h"

#define BLOCKS 8u
#define PUTS 500u
#define BUCKETS 5u

typedef struct bucket {
	uint32_t count;
	uint64_t sum;
} bucket;

static void put_values(void **arguments)
{
	weir_mutex_array mutexes = *(weir_mutex_array *)arguments[0];
	bucket *buckets = *(bucket **)arguments[1];

	for (uint32_t i = 0; i < PUTS; i++) {
		uint32_t value = weir_block_id() * PUTS + i;
		weir_mutex m = weir_mutex_at(mutexes, value % BUCKETS);
		weir_mutex_lock(m);
		buckets[value % BUCKETS].count += 1;
		buckets[value % BUCKETS].sum += value;
		weir_mutex_unlock(m);
	}
}

int main(void)
{
	weir_device *device;
	weir_mutex_array mutexes;
	weir_buffer buffer;
	bucket buckets[BUCKETS];
	uint32_t count = 0;
	uint64_t sum = 0, values = (uint64_t)BLOCKS * PUTS;

	CHECK(weir_device_open("host", &device));
	CHECK(weir_mutex_array_create(
	    device, BUCKETS, &(weir_mutex_array_options){.kind = WEIR_MUTEX_TICKET}, &mutexes));
	CHECK(weir_buffer_create(device, sizeof buckets, &buffer));

	weir_argument arguments[] = {{&mutexes, sizeof mutexes},
	                             {&buffer.native, sizeof buffer.native}};
	weir_launch launch = {.kernel = {.host = put_values},
	                      .grid = {BLOCKS},
	                      .block = {1},
	                      .arguments = arguments,
	                      .argument_count = 2};
	CHECK(weir_kernel_launch(device, &launch));
	CHECK(weir_device_wait(device, DEADLINE_NS, NULL));
	CHECK(weir_buffer_read(device, buffer, 0, buckets, sizeof buckets));
	CHECK(weir_device_close(device)); /* also frees the mutexes and the buffer */

	for (uint32_t i = 0; i < BUCKETS; i++) {
		count += buckets[i].count;
		sum += buckets[i].sum;
	}
	if (count != values || sum != values * (values - 1) / 2) {
		printf("mutex: %u values that make %llu: some were lost\n", count,
		       (unsigned long long)sum);
		return 1;
	}
	printf("mutex: %u blocks put %u values into %u buckets\n", BLOCKS, count, BUCKETS);
	return 0;
}
