/* Every kind of barrier, on the device that the command line names. */
#include "harness.h"

#include <stdio.h>

#include "barrier_kernels.h"
#include "weir/kind.h"

static const weir_host_entry entries[] = {{"barrier_start", barrier_start_entry},
                                          {"barrier_phases", barrier_phases_entry},
                                          {"barrier_split", barrier_split_entry}};

struct kind {
	const char *name;
	weir_barrier_kind value;
	int shape;
	int role;
	uint32_t most_rounds;
	weir_options options;
};

static const struct kind kinds[] = {
#define ROW(name, NAME, value, shape, role)                                                        \
	{#name, WEIR_BARRIER_##NAME, shape, role, 5000, {.slots = 0}},
    WEIR_BARRIER_KINDS(ROW) WEIR_BARRIER_KINDS_OF_VENDOR_(WEIR_ROW_ALONE_, ROW)
#undef ROW
};

struct grid {
	uint32_t x, y, z;
};

static void create(harness *h, const struct kind *kind, uint32_t blocks, weir_barrier *b)
{
	harness_need(weir_barrier_create_with(h->device, kind->value, blocks, &kind->options, b),
	             "weir_barrier_create_with");
}

/* In each phase every thread comes, and every block reads the words of all. A thread of a CPU gets
 * a core only after many others. */
static uint32_t rounds_for(const harness *h, const struct kind *kind, uint32_t blocks,
                           uint32_t threads)
{
	uint32_t others = blocks / (h->info.is_gpu ? 64 : 16);

	return harness_rounds(h, blocks * (threads + others), kind->most_rounds);
}

static harness_launch phases_launch(const harness *h, const struct kind *kind,
                                    const weir_barrier *b, struct grid grid, uint32_t threads)
{
	uint32_t blocks = grid.x * grid.y * grid.z;
	return (harness_launch){.kernel = "barrier_phases",
	                        .words = b->words,
	                        .params = {.config.barrier = b->config,
	                                   .rounds = rounds_for(h, kind, blocks, threads),
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

	create(h, kind, blocks, &b);
	harness_launch launch = phases_launch(h, kind, &b, grid, threads);
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

	create(h, kind, blocks, &b);
	harness_launch begin = {.kernel = "barrier_start",
	                        .words = b.words,
	                        .params = {.config.barrier = b.config, .base = UINT32_MAX - 5},
	                        .grid = {1, 1, 1},
	                        .threads = threads};
	harness_run(h, &begin, 0);
	harness_launch launch = phases_launch(h, kind, &b, (struct grid){blocks, 1, 1}, threads);
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

	weir_options options = kind->options;
	harness_need(
	    weir_barrier_size(h->device, kind->value, blocks, &options, &bytes, &alignment),
	    "weir_barrier_size");
	size_t step = (bytes + alignment - 1) / alignment * alignment;
	harness_need(weir_buffer_create(h->device, 2 * step, &memory), "weir_buffer_create");
	options.memory = memory.native;
	options.memory_bytes = bytes;
	harness_need(weir_barrier_create_with(h->device, kind->value, blocks, &options, &first),
	             "weir_barrier_create_with");
	options.memory_offset = step;
	harness_need(weir_barrier_create_with(h->device, kind->value, blocks, &options, &second),
	             "weir_barrier_create_with");
	harness_launch launch =
	    phases_launch(h, kind, &first, (struct grid){blocks, 1, 1}, threads);
	launch.words = first.words;
	launch.params.second.barrier = second.config;
	launch.params.second.object.offset = (uint32_t)(step / sizeof(uint32_t));
	harness_run(h, &launch, 0);
	harness_verdict(h, h->copy[HARNESS_ERRORS] == 0, 0,
	                "%s: two in turn, %u blocks of %u, %u phases", kind->name, blocks, threads,
	                launch.params.rounds);
	harness_need(weir_barrier_destroy(h->device, &first), "weir_barrier_destroy");
	harness_need(weir_barrier_destroy(h->device, &second), "weir_barrier_destroy");
	harness_need(weir_buffer_destroy(h->device, &memory), "weir_buffer_destroy");
}

/* Three launches with the barrier in two halves. The count of blocks that have left lies behind the
 * barrier in memory of the test's own. */
static void split(harness *h, const struct kind *kind, uint32_t blocks, uint32_t threads,
                  int without)
{
	weir_barrier b;
	weir_buffer memory;
	weir_options options = kind->options;
	size_t bytes, alignment;
	uint32_t most = harness_resident(h, "barrier_split", threads);
	int right = 1;

	if (blocks > most)
		blocks = most; /* the kernel is larger than the one that the counts are for */
	harness_need(
	    weir_barrier_size(h->device, kind->value, blocks, &options, &bytes, &alignment),
	    "weir_barrier_size");
	size_t step = (bytes + alignment - 1) / alignment * alignment;
	harness_need(weir_buffer_create(h->device, step + alignment, &memory),
	             "weir_buffer_create");
	options.memory = memory.native;
	options.memory_bytes = bytes;
	harness_need(weir_barrier_create_with(h->device, kind->value, blocks, &options, &b),
	             "weir_barrier_create_with");
	harness_launch launch = phases_launch(h, kind, &b, (struct grid){blocks, 1, 1}, threads);
	launch.kernel = "barrier_split";
	launch.params.without = without;
	/* The first block of an XF barrier gathers in its await: only the work of that block holds
	 * up the others. */
	launch.params.value = kind->value == WEIR_BARRIER_XF && blocks > 1;
	launch.params.second.object.offset = (uint32_t)(step / sizeof(uint32_t)) - HARNESS_LEAD;
	for (int i = 0; i < 3; i++) {
		harness_run(h, &launch, i > 0);
		right = right && h->copy[HARNESS_ERRORS] == 0;
		launch.params.base += launch.params.rounds;
	}
	harness_verdict(h, right, without, "%s: in two, %u blocks of %u, 3 x %u phases", kind->name,
	                blocks, threads, launch.params.rounds);
	harness_need(weir_barrier_destroy(h->device, &b), "weir_barrier_destroy");
	harness_need(weir_buffer_destroy(h->device, &memory), "weir_buffer_destroy");
}

/* One block more than fits must be refused, not hang. */
static void too_many(harness *h, const struct kind *kind, uint32_t threads)
{
	uint32_t blocks = harness_resident(h, "barrier_phases", threads) + 1;
	weir_barrier b;
	weir_kernel kernel;
	weir_status status =
	    weir_barrier_create_with(h->device, kind->value, blocks, &kind->options, &b);

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

/* A block on CUDA has a thread for each shard. */
static int has_parts(const harness *h, uint32_t threads, uint32_t bits)
{
	return (h->info.machine != WEIR_MACHINE_CUDA && h->least_threads < 2) ||
	       threads >> bits != 0;
}

/* The kind with its default shape, or with one counter for blocks that may have too few threads. */
static struct kind for_threads(const harness *h, const struct kind *kind, uint32_t threads)
{
	struct kind fit = *kind;

	fit.options.has_shape =
	    kind->shape == WEIR_SHAPE_COUNTERS && !has_parts(h, threads, WEIR_SHAPE_BITS_MOST);
	return fit;
}

static void test_kind(harness *h, const struct kind *any)
{
	static const uint32_t thread_counts[] = {1, 33, 128, 1024};
	uint32_t counts[5];

	/* On a CPU each thread is one of the system's: large blocks take seconds a phase. Where they
	 * get few threads, all but the first are the same. */
	for (int t = 0; t < (h->info.is_gpu ? 4 : h->small || h->few_threads ? 2 : 3); t++) {
		uint32_t threads = harness_threads(h, thread_counts[t]);
		struct kind fit = for_threads(h, any, threads);
		uint32_t n = harness_block_counts(h, "barrier_phases", threads, counts);
		for (uint32_t i = 0; i < n; i++)
			phases(h, &fit, (struct grid){counts[i], 1, 1}, threads, 0);
		for (uint32_t i = h->info.is_gpu ? 0 : n - 1; i < n && threads <= 128; i++)
			split(h, &fit, counts[i], threads, 0);
		too_many(h, &fit, threads);
	}
	uint32_t threads = harness_threads(h, 33);
	struct kind fit = for_threads(h, any, threads);
	const struct kind *kind = &fit;
	uint32_t n = harness_block_counts(h, "barrier_phases", threads, counts);
	uint32_t many = counts[n - 1];
	if (any->role != WEIR_BY_VENDOR) /* has nothing to start */
		across_the_wrap(h, kind, many, threads);
	two_at_once(h, kind, many, threads);
	if (many >= 4)
		phases(h, kind, (struct grid){2, many / 2, 1}, threads, 0);
	if (many >= 8)
		phases(h, kind, (struct grid){2, 2, many / 4}, threads, 0);
}

/* As many blocks as shards, one more, and the most that run at once; on a CPU, at least seven. */
static void test_shape(harness *h, const struct kind *plain, uint32_t bits)
{
	static const uint32_t thread_counts[] = {1, 3, 33};
	uint32_t shards = 1u << bits;
	char name[64];
	struct kind kind = *plain;

	snprintf(name, sizeof name, "%s with %u bits", plain->name, bits);
	kind.name = name;
	kind.options.shape.bits = bits;
	kind.options.has_shape = 1;
	if (!h->info.is_gpu)
		kind.most_rounds = 200;
	for (int t = 0; t < (h->info.is_gpu ? 3 : 2); t++) {
		uint32_t threads = thread_counts[t];
		uint32_t resident = harness_resident(h, "barrier_phases", threads);
		uint32_t most = h->info.is_gpu ? resident : shards < 7 ? 7 : shards + 1;
		if (resident < shards || !has_parts(h, threads, bits))
			continue;
		if (most > resident)
			most = resident;
		for (uint32_t blocks = shards; blocks <= most && blocks <= shards + 1; blocks++)
			phases(h, &kind, (struct grid){blocks, 1, 1}, threads, 0);
		if (most > shards + 1)
			phases(h, &kind, (struct grid){most, 1, 1}, threads, 0);
		if (harness_resident(h, "barrier_split", threads) >= shards)
			split(h, &kind, most, threads, 0);
		across_the_wrap(h, &kind, most, threads);
		two_at_once(h, &kind, shards, threads);
	}
}

/* The same kernels with the barrier left out must be caught, or the tests above prove nothing. */
static void test_taken_out(harness *h, const struct kind *kind)
{
	uint32_t counts[5];
	uint32_t threads = harness_threads(h, 33);
	uint32_t n = harness_block_counts(h, "barrier_phases", threads, counts);
	for (uint32_t i = 1; i < n; i++)
		HARNESS_MUST_NOTICE(h, phases(h, kind, (struct grid){counts[i], 1, 1}, threads, 1));
	HARNESS_MUST_NOTICE(h, split(h, kind, counts[n - 1], threads, 1));
}

static int runs(const harness *h, const struct kind *kind)
{
	return weir_kind_runs(h->device, weir_kind_find(WEIR_PRIMITIVE_BARRIER, kind->value));
}

int main(int argc, char **argv)
{
	harness h;
	int status;

	if (harness_open(&h, argc, argv, "barrier", entries, sizeof entries / sizeof entries[0],
	                 &status))
		return status;
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (runs(&h, &kinds[i]))
			test_kind(&h, &kinds[i]);
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		for (uint32_t bits = 0; bits <= WEIR_SHAPE_BITS_MOST; bits++)
			if (kinds[i].shape == WEIR_SHAPE_COUNTERS)
				test_shape(&h, &kinds[i], bits);
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && !h.sound_only; i++)
		if (runs(&h, &kinds[i]))
			test_taken_out(&h, &kinds[i]);
	return harness_close(&h);
}
