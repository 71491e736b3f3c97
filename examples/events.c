/* Events on any device: split-K with a fix-up by the last block, a pipeline of stages, and output in
 * the order of blocks. Each is launched several times without a reset in between.
 *
 *   example_events [DEVICE]    "host" by default */
#include <string.h>

#include "check.h"
#include "events_kernels.h"

#define TILES 3u
#define PARTS 4u
#define TERMS 50u
#define STAGES 4u
#define ITEMS 40u
#define BLOCKS 6u
#define THREADS 8u
#define LAUNCHES 5u
#define WORDS 1024u

extern const void *const example_events_cuda_image;
extern const void *const example_events_hip_image;
extern const char *const example_events_opencl_text;

static weir_device *device;
static weir_program *program;
static uint32_t result[WORDS];

/* Writes the correct first words of the data in that round; returns their number. */
typedef uint32_t expectation(uint32_t round, uint32_t *wanted);

static uint32_t expect_split_k(uint32_t round, uint32_t *wanted)
{
	memset(wanted, 0, TILES * sizeof *wanted);
	for (uint32_t tile = 0; tile < TILES; tile++)
		for (uint32_t k = 0; k < PARTS * THREADS * TERMS; k++)
			wanted[tile] += SPLIT_TERM(tile, k, round);
	return TILES;
}

static uint32_t expect_pipeline(uint32_t round, uint32_t *wanted)
{
	for (uint32_t i = 0; i < ITEMS; i++)
		wanted[i] = i + round;
	for (uint32_t i = ITEMS; i < STAGES * ITEMS; i++)
		wanted[i] = STAGE_OF(i / ITEMS, wanted[i - ITEMS]);
	return STAGES * ITEMS;
}

static uint32_t expect_ordered(uint32_t round, uint32_t *wanted)
{
	uint32_t length = 0;

	for (uint32_t block = 0; block < BLOCKS; block++)
		for (uint32_t i = 0; i < PIECE_LENGTH(block, round); i++)
			wanted[1 + length++] = block;
	wanted[0] = length;
	return 1 + length;
}

/* Returns how many words were wrong. */
static uint32_t run(const char *name, uint32_t events, uint32_t blocks, events_params params,
                    expectation *expect)
{
	weir_event_array array;
	weir_buffer data;
	uint32_t wanted[WORDS];
	uint32_t wrong = 0;

	CHECK(weir_event_array_create(device, events, NULL, &array));
	CHECK(weir_buffer_create(device, sizeof result, &data));
	params.config = array.config;
	const weir_argument arguments[] = {{&array.words, sizeof array.words},
	                                   {&data.native, sizeof data.native},
	                                   {&params, sizeof params}};
	weir_launch launch = {.grid = {blocks},
	                      .block = {THREADS},
	                      .cooperative = 1, /* blocks wait for each other */
	                      .arguments = arguments,
	                      .argument_count = 3};
	CHECK(weir_program_kernel(program, name, &launch.kernel));
	for (uint32_t round = 0; round < LAUNCHES; round++) {
		CHECK(weir_kernel_launch(device, &launch));
		CHECK(weir_device_wait(device, DEADLINE_NS, NULL));
		CHECK(weir_buffer_read(device, data, 0, result, sizeof result));
		for (uint32_t i = expect(round, wanted); i-- > 0;)
			wrong += result[i] != wanted[i];
	}
	CHECK(weir_buffer_destroy(device, &data));
	CHECK(weir_event_array_destroy(device, &array));
	printf("%s: %u launches of %u blocks, %u words wrong\n", name, LAUNCHES, blocks, wrong);
	return wrong;
}

int main(int argc, char **argv)
{
	static const weir_host_entry entries[] = {
	    {"split_k", split_k_entry}, {"pipeline", pipeline_entry}, {"ordered", ordered_entry}};
	const weir_program_text text = {.cuda_image = example_events_cuda_image,
	                                .hip_image = example_events_hip_image,
	                                .opencl_text = example_events_opencl_text,
	                                .host_entries = entries,
	                                .host_entry_count = 3};
	uint32_t wrong = 0;

	if (weir_device_open(argc > 1 ? argv[1] : "host", &device) == WEIR_NO_DEVICE) {
		puts(weir_error_text());
		return 77; /* skipped */
	}
	if (!device)
		return puts(weir_error_text()), 1;
	CHECK(weir_program_create(device, &text, &program));
	wrong += run("split_k", TILES, TILES * PARTS,
	             (events_params){.parts = PARTS, .items = TERMS}, expect_split_k);
	wrong += run("pipeline", STAGES, STAGES, (events_params){.items = ITEMS}, expect_pipeline);
	wrong += run("ordered", 1, BLOCKS, (events_params){.items = 0}, expect_ordered);
	CHECK(weir_program_destroy(program));
	CHECK(weir_device_close(device));
	return wrong != 0;
}
