/* Every kind of barrier, on the device that the command line names. */
#include "harness.h"

#include <stdio.h>

#include "barrier_kernels.h"

static const weir_host_entry entries[] = {{"barrier_start", barrier_start_entry},
                                          {"barrier_phases", barrier_phases_entry}};

struct kind {
	const char *name;
	weir_barrier_kind value;
};

static const struct kind kinds[] = {
#define ROW(name, NAME, value) {#name, WEIR_BARRIER_##NAME},
    WEIR_BARRIER_KINDS(ROW)
#undef ROW
};

struct grid {
	uint32_t x, y, z;
};

static harness_launch phases_launch(const harness *h, const weir_barrier *b, struct grid grid,
                                    uint32_t threads)
{
	uint32_t blocks = grid.x * grid.y * grid.z;
	return (harness_launch){.kernel = "barrier_phases",
	                        .words = b->words,
	                        .params = {.config = b->config,
	                                   .rounds = harness_rounds(h, blocks * threads, 5000),
	                                   .seed = blocks * threads},
	                        .grid = {grid.x, grid.y, grid.z},
	                        .threads = threads,
	                        .together = 1};
}

/* Three launches over one barrier: nothing is reset in between. */
static void phases(harness *h, const struct kind *kind, struct grid grid, uint32_t threads,
                   int without)
{
	weir_barrier b;
	uint32_t blocks = grid.x * grid.y * grid.z;
	int right = 1;

	harness_need(weir_barrier_create(h->device, kind->value, blocks, &b),
	             "weir_barrier_create");
	harness_launch launch = phases_launch(h, &b, grid, threads);
	launch.params.without = without;
	for (int i = 0; i < 3; i++) {
		harness_run(h, &launch, i > 0);
		right = right && h->copy[HARNESS_ERRORS] == 0;
		launch.params.base += launch.params.rounds;
	}
	harness_verdict(h, right, without, "%s: %u x %u x %u blocks of %u, 3 x %u phases",
	                kind->name, grid.x, grid.y, grid.z, threads, launch.params.rounds);
	harness_need(weir_barrier_destroy(h->device, &b), "weir_barrier_destroy");
}

static void across_the_wrap(harness *h, const struct kind *kind, uint32_t blocks, uint32_t threads)
{
	weir_barrier b;

	harness_need(weir_barrier_create(h->device, kind->value, blocks, &b),
	             "weir_barrier_create");
	harness_launch begin = {.kernel = "barrier_start",
	                        .words = b.words,
	                        .params = {.config = b.config, .base = UINT32_MAX - 5},
	                        .grid = {1, 1, 1},
	                        .threads = 1};
	harness_run(h, &begin, 0);
	harness_launch launch = phases_launch(h, &b, (struct grid){blocks, 1, 1}, threads);
	harness_run(h, &launch, 0);
	harness_verdict(h, h->copy[HARNESS_ERRORS] == 0, 0,
	                "%s: %u blocks of %u, %u phases across the wrap", kind->name, blocks,
	                threads, launch.params.rounds);
	harness_need(weir_barrier_destroy(h->device, &b), "weir_barrier_destroy");
}

/* The second barrier lies behind the first one in memory of the test's own. */
static void two_at_once(harness *h, const struct kind *kind, uint32_t blocks, uint32_t threads)
{
	weir_barrier first, second;
	weir_buffer memory;
	size_t bytes, alignment;

	harness_need(weir_barrier_size(h->device, kind->value, blocks, NULL, &bytes, &alignment),
	             "weir_barrier_size");
	size_t step = (bytes + alignment - 1) / alignment * alignment;
	harness_need(weir_buffer_create(h->device, 2 * step, &memory), "weir_buffer_create");
	weir_options options = {.memory = memory.native, .memory_bytes = bytes};
	harness_need(weir_barrier_create_with(h->device, kind->value, blocks, &options, &first),
	             "weir_barrier_create_with");
	options.memory_offset = step;
	harness_need(weir_barrier_create_with(h->device, kind->value, blocks, &options, &second),
	             "weir_barrier_create_with");
	harness_launch launch = phases_launch(h, &first, (struct grid){blocks, 1, 1}, threads);
	launch.words = memory.native;
	launch.params.second = second.config;
	launch.params.second.offset = (uint32_t)(step / sizeof(uint32_t));
	harness_run(h, &launch, 0);
	harness_verdict(h, h->copy[HARNESS_ERRORS] == 0, 0,
	                "%s: two in turn, %u blocks of %u, %u phases", kind->name, blocks, threads,
	                launch.params.rounds);
	harness_need(weir_barrier_destroy(h->device, &first), "weir_barrier_destroy");
	harness_need(weir_barrier_destroy(h->device, &second), "weir_barrier_destroy");
	harness_need(weir_buffer_destroy(h->device, &memory), "weir_buffer_destroy");
}

/* One block more than fits must be refused, not hang. */
static void too_many(harness *h, const struct kind *kind, uint32_t threads)
{
	uint32_t blocks = harness_resident(h, "barrier_phases", threads) + 1;
	weir_barrier b;
	weir_kernel kernel;
	weir_status status = weir_barrier_create(h->device, kind->value, blocks, &b);

	if (status == WEIR_OK) {
		harness_need(weir_program_kernel(h->program, "barrier_phases", &kernel),
		             "barrier_phases");
		weir_launch launch = {
		    .kernel = kernel, .grid = {blocks}, .block = {threads}, .barrier = &b};
		status = weir_kernel_launch(h->device, &launch);
		harness_need(weir_barrier_destroy(h->device, &b), "weir_barrier_destroy");
	}
	harness_verdict(h, status == WEIR_TOO_MANY_BLOCKS, 0, "%s: %u blocks of %u refused",
	                kind->name, blocks, threads);
}

static void test_kind(harness *h, const struct kind *kind)
{
	static const uint32_t thread_counts[] = {1, 33, 128, 1024};
	uint32_t counts[5];

	for (int t = 0; t < 4; t++) {
		uint32_t threads = thread_counts[t];
		uint32_t n = harness_block_counts(h, "barrier_phases", threads, counts);
		for (uint32_t i = 0; i < n; i++)
			phases(h, kind, (struct grid){counts[i], 1, 1}, threads, 0);
		too_many(h, kind, threads);
	}
	uint32_t n = harness_block_counts(h, "barrier_phases", 33, counts);
	uint32_t many = counts[n - 1];
	across_the_wrap(h, kind, many, 33);
	two_at_once(h, kind, many, 33);
	if (many >= 4)
		phases(h, kind, (struct grid){2, many / 2, 1}, 33, 0);
	if (many >= 8)
		phases(h, kind, (struct grid){2, 2, many / 4}, 33, 0);
}

/* The same kernels with the barrier left out must be caught, or the tests above prove nothing. */
static void test_taken_out(harness *h, const struct kind *kind)
{
	uint32_t counts[5];
	uint32_t n = harness_block_counts(h, "barrier_phases", 33, counts);
	for (uint32_t i = 1; i < n; i++)
		phases(h, kind, (struct grid){counts[i], 1, 1}, 33, 1);
}

int main(int argc, char **argv)
{
	harness h;
	int status;

	if (harness_open(&h, argc, argv, "barrier", entries, sizeof entries / sizeof entries[0],
	                 &status))
		return status;
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		test_kind(&h, &kinds[i]);
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && !h.sound_only; i++)
		test_taken_out(&h, &kinds[i]);
	return harness_close(&h);
}
