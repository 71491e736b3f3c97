/* A reader-writer lock on any device: a table that is read constantly and rebuilt sometimes, with a lock of
 * each kind.
 *
 *   example_lookup [DEVICE]    "host" by default */
#include "lookup_kernels.h"
#include "run.h"

#define BLOCKS 6u
#define THREADS 8u
#define ROUNDS 600u
#define EVERY 60u
#define WORDS (LOOKUP_WRONG + BLOCKS * THREADS)

extern const void *const example_lookup_cuda_image;
extern const void *const example_lookup_hip_image;
extern const char *const example_lookup_opencl_text;

static weir_device *device;
static weir_program *program;

/* Returns the number of wrong entries, plus one if a version was rebuilt twice or not at all. */
static uint32_t run(weir_rwlock_kind kind)
{
	uint32_t result[WORDS] = {0};
	uint32_t wrong, last = (ROUNDS - 1) / EVERY;
	weir_rwlock rwlock;
	weir_buffer data;

	for (uint32_t i = 0; i < LOOKUP_ENTRIES; i++)
		result[LOOKUP_ENTRY + i] = LOOKUP_VALUE(i, 0);
	CHECK(weir_rwlock_create(device, &(weir_rwlock_options){.kind = kind}, &rwlock));
	CHECK(weir_buffer_create(device, sizeof result, &data));
	CHECK(weir_buffer_write(device, data, 0, result, sizeof result));
	lookup_params params = {rwlock.config, ROUNDS, EVERY};
	run_together(device, program, "lookup", BLOCKS, THREADS,
	             &(run_arguments){rwlock.words, data.native, &params, sizeof params});
	CHECK(weir_device_wait(device, DEADLINE_NS, NULL));
	CHECK(weir_buffer_read(device, data, 0, result, sizeof result));
	CHECK(weir_buffer_destroy(device, &data));
	CHECK(weir_rwlock_destroy(device, &rwlock));
	wrong = (result[LOOKUP_VERSION] != last) + (result[LOOKUP_REBUILDS] != last);
	for (uint32_t i = 0; i < BLOCKS * THREADS; i++)
		wrong += result[LOOKUP_WRONG + i];
	printf("lookup with %s: %u reads by %u blocks, %u rebuilds, %u wrong\n",
	       weir_rwlock_kind_name(kind), ROUNDS, BLOCKS, result[LOOKUP_REBUILDS], wrong);
	return wrong;
}

int main(int argc, char **argv)
{
	static const weir_host_entry entries[] = {{"lookup", lookup_entry}};
	const weir_program_text text = {.cuda_image = example_lookup_cuda_image,
	                                .hip_image = example_lookup_hip_image,
	                                .opencl_text = example_lookup_opencl_text,
	                                .host_entries = entries,
	                                .host_entry_count = 1};
	uint32_t wrong;

	device = run_open(argc, argv);
	CHECK(weir_program_create(device, &text, &program));
	wrong = run(WEIR_RWLOCK_FAIR);
	wrong += run(WEIR_RWLOCK_SPREAD);
	CHECK(weir_program_destroy(program));
	CHECK(weir_device_close(device));
	return wrong != 0;
}
