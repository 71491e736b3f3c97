/* Conditions on any device, compared with semaphores: a bounded buffer and a pool of resources.
 *
 *   example_conditions [DEVICE]    "host" by default */
#include "conditions_kernels.h"
#include "place.h"
#include "run.h"

#define BLOCKS 6u /* half producers, half consumers */
#define THREADS 4u
#define ROUNDS 200u
#define ITEMS (BLOCKS / 2 * ROUNDS)
#define WORDS (BUFFER_SEEN + ITEMS)

/* The objects, all in one buffer. */
enum {
	MUTEX,
	HAS_ROOM,
	HAS_ITEMS,
	ROOM,
	ITEMS_THERE,
	OBJECTS
};

extern const void *const example_conditions_cuda_image;
extern const void *const example_conditions_hip_image;
extern const char *const example_conditions_opencl_text;

static weir_device *device;
static weir_program *program;
static weir_buffer memory;

static weir_condition_config make_condition(uint32_t number)
{
	const weir_condition_options options = {.object = place_object(memory, number),
	                                        .waiters = BLOCKS};
	weir_condition condition;

	CHECK(weir_condition_create(device, &options, &condition));
	condition.config.offset = place_offset(number);
	return condition.config;
}

static weir_semaphore_config make_semaphore(uint32_t number, uint32_t initial)
{
	const weir_semaphore_options options = {.object = place_object(memory, number)};
	weir_semaphore semaphore;

	CHECK(weir_semaphore_create(device, initial, BUFFER_SLOTS, &options, &semaphore));
	semaphore.config.offset = place_offset(number);
	return semaphore.config;
}

static conditions_params make_objects(void)
{
	weir_mutex_options options = {.has_backoff = 0};
	weir_mutex mutex;
	conditions_params params = {.rounds = ROUNDS};

	CHECK(weir_buffer_create(device, (size_t)OBJECTS * PLACE_BYTES, &memory));
	options.object = place_object(memory, MUTEX);
	CHECK(weir_mutex_create(device, &options, &mutex));
	params.mutex = mutex.config;
	params.mutex.offset = place_offset(MUTEX);
	params.has_room = make_condition(HAS_ROOM);
	params.has_items = make_condition(HAS_ITEMS);
	params.room = make_semaphore(ROOM, BUFFER_SLOTS);
	params.items = make_semaphore(ITEMS_THERE, 0);
	return params;
}

/* Runs a kernel on these first words, and stores what it leaves in `result`. */
static void run(const char *name, const conditions_params *params, uint32_t *result)
{
	weir_buffer data;

	CHECK(weir_buffer_create(device, WORDS * sizeof *result, &data));
	CHECK(weir_buffer_write(device, data, 0, result, WORDS * sizeof *result));
	run_together(device, program, name, BLOCKS, THREADS,
	             &(run_arguments){memory.native, data.native, params, sizeof *params});
	CHECK(weir_device_wait(device, DEADLINE_NS, NULL));
	CHECK(weir_buffer_read(device, data, 0, result, WORDS * sizeof *result));
	CHECK(weir_buffer_destroy(device, &data));
}

/* Every item was taken once. */
static uint32_t run_buffer(const char *name, const conditions_params *params)
{
	uint32_t result[WORDS] = {0};
	uint32_t wrong;

	run(name, params, result);
	wrong = result[BUFFER_PUT] != result[BUFFER_TAKEN];
	for (uint32_t i = 0; i < ITEMS; i++)
		wrong += result[BUFFER_SEEN + i] != 1;
	printf("%s: %u items through %u slots, %u wrong\n", name, ITEMS, BUFFER_SLOTS, wrong);
	return wrong;
}

/* Every resource is there once, and no use was lost. */
static uint32_t run_pool(const char *name, const conditions_params *params)
{
	uint32_t result[WORDS] = {[POOL_FREE] = POOL_SIZE};
	uint32_t wanted = 0, used = 0, there = 0, wrong;

	for (uint32_t i = 0; i < POOL_SIZE; i++)
		result[POOL_LIST + i] = i;
	run(name, params, result);
	for (uint32_t i = 0; i < BLOCKS * ROUNDS; i++)
		wanted += POOL_WANTED(i / ROUNDS, i % ROUNDS);
	for (uint32_t i = 0; i < POOL_SIZE; i++) {
		used += result[POOL_USES + i];
		there |= 1u << result[POOL_LIST + i] % 32;
	}
	wrong =
	    (result[POOL_FREE] != POOL_SIZE) + (there != (1u << POOL_SIZE) - 1) + (used != wanted);
	printf("%s: %u resources used %u times, %u wrong\n", name, POOL_SIZE, used, wrong);
	return wrong;
}

int main(int argc, char **argv)
{
	static const weir_host_entry entries[] = {
	    {"buffer_by_conditions", buffer_by_conditions_entry},
	    {"buffer_by_semaphores", buffer_by_semaphores_entry},
	    {"pool_by_condition", pool_by_condition_entry},
	    {"pool_by_semaphore", pool_by_semaphore_entry}};
	const weir_program_text text = {.cuda_image = example_conditions_cuda_image,
	                                .hip_image = example_conditions_hip_image,
	                                .opencl_text = example_conditions_opencl_text,
	                                .host_entries = entries,
	                                .host_entry_count = 4};
	conditions_params params;
	uint32_t wrong;

	device = run_open(argc, argv);
	CHECK(weir_program_create(device, &text, &program));
	params = make_objects();
	wrong = run_buffer("buffer_by_conditions", &params);
	wrong += run_buffer("buffer_by_semaphores", &params);
	wrong += run_pool("pool_by_condition", &params);
	wrong += run_pool("pool_by_semaphore", &params);
	CHECK(weir_program_destroy(program));
	CHECK(weir_device_close(device)); /* also frees the objects and buffers */
	return wrong != 0;
}
