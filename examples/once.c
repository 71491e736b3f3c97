/* A once on any device: a table that the first block builds, and that stays for later launches until the
 * host resets the once.
 *
 *   example_once [DEVICE]    "host" by default */
#include "once_kernels.h"
#include "run.h"

#define BLOCKS 6u
#define THREADS 4u
#define LAUNCHES 3u
#define LENGTH 50u
#define WORDS (ONCE_SUM + BLOCKS)

extern const void *const example_once_cuda_image;
extern const void *const example_once_hip_image;
extern const char *const example_once_opencl_text;

static weir_device *device;
static weir_program *program;
static weir_once once;
static weir_buffer data;

/* The same without a table. */
static uint32_t expected_sum(uint32_t block, uint32_t polynomial)
{
	uint32_t sum = ~0u;

	for (uint32_t i = 0; i < LENGTH; i++)
		for (uint32_t shift = 0; shift < 32; shift += 8)
			sum = sum >> 8 ^
			      once_entry((sum ^ ONCE_WORD(block, i) >> shift) & 255, polynomial);
	return ~sum;
}

/* Launches several times. Returns the number of wrong checksums, plus one if the table was not
 * built `builds` times in all. */
static uint32_t run(uint32_t polynomial, uint32_t builds)
{
	const once_params params = {once.config, polynomial, LENGTH};
	uint32_t result[WORDS];
	uint32_t wrong = 0;

	for (uint32_t i = 0; i < LAUNCHES; i++) {
		run_launch(device, program, "checksum", BLOCKS, THREADS,
		           &(run_arguments){once.words, data.native, &params, sizeof params});
		CHECK(weir_device_wait(device, DEADLINE_NS, NULL));
		CHECK(weir_buffer_read(device, data, 0, result, sizeof result));
		for (uint32_t block = 0; block < BLOCKS; block++)
			wrong += result[ONCE_SUM + block] != expected_sum(block, polynomial);
		wrong += result[ONCE_BUILDS] != builds;
	}
	printf("once: %u launches of %u blocks, built %u times so far, %u wrong\n", LAUNCHES,
	       BLOCKS, result[ONCE_BUILDS], wrong);
	return wrong;
}

int main(int argc, char **argv)
{
	static const weir_host_entry entries[] = {{"checksum", checksum_entry}};
	const weir_program_text text = {.cuda_image = example_once_cuda_image,
	                                .hip_image = example_once_hip_image,
	                                .opencl_text = example_once_opencl_text,
	                                .host_entries = entries,
	                                .host_entry_count = 1};
	const uint32_t none[WORDS] = {0};
	uint32_t wrong;

	device = run_open(argc, argv);
	CHECK(weir_program_create(device, &text, &program));
	CHECK(weir_once_create(device, NULL, &once));
	CHECK(weir_buffer_create(device, sizeof none, &data));
	CHECK(weir_buffer_write(device, data, 0, none, sizeof none));
	wrong = run(0xedb88320u, 1);
	CHECK(weir_once_reset(device, once)); /* the next block rebuilds it */
	wrong += run(0x82f63b78u, 2);
	CHECK(weir_program_destroy(program));
	CHECK(weir_device_close(device)); /* also frees the once and the buffer */
	return wrong != 0;
}
