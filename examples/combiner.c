/* Combiners on any device: a counter and a free list whose operations are shipped to another block, and the
 * free list with a block that serves.
 *
 *   example_combiner [DEVICE]    "host" by default */
#include "combiner_kernels.h"
#include "run.h"

#define BLOCKS 4u
#define THREADS 32u /* CUDA needs a warp */
#define ROUNDS 200u
#define LAUNCHES 2u
#define WORDS (COUNTER_SEEN + BLOCKS * ROUNDS)

extern const void *const example_combiner_cuda_image;
extern const void *const example_combiner_hip_image;
extern const char *const example_combiner_opencl_text;

static weir_device *device;
static weir_program *program;

/* Launches a kernel on these first words, several times if it leaves them unchanged; stores the
 * last words in `result`. */
static void run(const char *name, weir_combiner combiner, uint32_t launches, uint32_t *result)
{
	const combine_params params = {combiner.config, ROUNDS};
	weir_buffer data;

	CHECK(weir_buffer_create(device, WORDS * sizeof *result, &data));
	CHECK(weir_buffer_write(device, data, 0, result, WORDS * sizeof *result));
	for (uint32_t i = 0; i < launches; i++) {
		run_together(device, program, name, BLOCKS, THREADS,
		             &(run_arguments){combiner.words, data.native, &params, sizeof params});
		CHECK(weir_device_wait(device, DEADLINE_NS, NULL));
	}
	CHECK(weir_buffer_read(device, data, 0, result, WORDS * sizeof *result));
	CHECK(weir_buffer_destroy(device, &data));
}

/* Each number was handed out once. */
static uint32_t run_counter(weir_combiner combiner)
{
	uint32_t result[WORDS] = {0};
	uint32_t wrong;

	run("counter", combiner, 1, result);
	wrong = result[COUNTER_COUNT] != BLOCKS * ROUNDS;
	for (uint32_t i = 0; i < BLOCKS * ROUNDS; i++)
		wrong += result[COUNTER_SEEN + i] != 1;
	printf("counter: %u operations of %u blocks, %u wrong\n", BLOCKS * ROUNDS, BLOCKS, wrong);
	return wrong;
}

/* All entries are in the list, each once, and no use was lost. */
static uint32_t run_list(const char *name, weir_combiner combiner, uint32_t workers)
{
	uint32_t result[WORDS] = {[LIST_FIRST] = 1};
	uint32_t used = 0, length = 0, there = 0, wrong;

	for (uint32_t i = 0; i + 1 < LIST_ENTRIES; i++)
		result[LIST_NEXT + i] = i + 2;
	run(name, combiner, LAUNCHES, result);
	for (uint32_t i = 0; i < LIST_ENTRIES + BLOCKS; i++)
		used += result[LIST_USES + i]; /* and the misses behind them */
	for (uint32_t at = result[LIST_FIRST]; at != 0 && at <= LIST_ENTRIES;
	     at = result[LIST_NEXT + at - 1]) {
		there |= 1u << (at - 1);
		if (++length > LIST_ENTRIES)
			break; /* the list has a cycle */
	}
	wrong = (used != LAUNCHES * workers * ROUNDS) + (length != LIST_ENTRIES) +
	        (there != (1u << LIST_ENTRIES) - 1);
	printf("%s: %u takes of %u entries, %u wrong\n", name, used, LIST_ENTRIES, wrong);
	return wrong;
}

int main(int argc, char **argv)
{
	static const weir_host_entry entries[] = {{"counter", counter_entry},
	                                          {"free_list", free_list_entry},
	                                          {"free_list_served", free_list_served_entry}};
	const weir_program_text text = {.cuda_image = example_combiner_cuda_image,
	                                .hip_image = example_combiner_hip_image,
	                                .opencl_text = example_combiner_opencl_text,
	                                .host_entries = entries,
	                                .host_entry_count = 3};
	const weir_combiner_options is_served = {.served = 1};
	weir_combiner combiner, served;
	weir_status status;
	uint32_t wrong;

	device = run_open(argc, argv);
	status = weir_combiner_create(device, BLOCKS, NULL, &combiner);
	if (status == WEIR_UNSUPPORTED) {
		puts(weir_error_text());
		return SKIPPED;
	}
	CHECK(status);
	CHECK(weir_combiner_create(device, BLOCKS, &is_served, &served));
	CHECK(weir_program_create(device, &text, &program));
	wrong = run_counter(combiner);
	wrong += run_list("free_list", combiner, BLOCKS);
	wrong += run_list("free_list_served", served, BLOCKS - 1);
	CHECK(weir_program_destroy(program));
	CHECK(weir_device_close(device)); /* also frees the combiners */
	return wrong != 0;
}
