/* Every kind of barrier, on the device named on the command line. */
#include "harness.h"

#include <stdio.h>
#include <string.h>

#include "barrier_kernels.h"

static const weir_host_entry entries[] = {
    HARNESS_ENTRY(barrier_start), HARNESS_ENTRY(barrier_phases), HARNESS_ENTRY(barrier_split)};

/* A kind with some shape. */
struct form {
	const weir_kind *kind;
	char name[64];
	uint32_t most_rounds;
	uint32_t shards; /* 0: the default */
};

struct grid {
	uint32_t x, y, z;
};

/* In each phase every thread arrives, and every block reads the words of all blocks. A CPU thread
 * gets a core only after many others. */
static uint32_t rounds_for(const harness *h, const struct form *form, uint32_t blocks,
                           uint32_t threads)
{
	uint32_t others = blocks / (h->info.is_gpu ? 64 : 16);

	return harness_rounds(h, blocks * (threads + others), form->most_rounds);
}

static harness_order order_of(const struct form *form, uint32_t blocks, int without)
{
	return (harness_order){.primitive = WEIR_PRIMITIVE_BARRIER,
	                       .kind = form->kind->value,
	                       .count = blocks,
	                       .options.barrier.shards = form->shards,
	                       .without = without};
}

/* Launches with one barrier: nothing is reset in between. */
static int run(harness *h, const struct form *form, harness_object *b, const char *kernel,
               struct grid grid, uint32_t threads, int launches)
{
	uint32_t blocks = grid.x * grid.y * grid.z;
	int right = 1;

	b->launch.kernel = kernel;
	b->launch.params.rounds = rounds_for(h, form, blocks, threads);
	b->launch.params.seed = blocks * threads;
	memcpy(b->launch.grid, &grid, sizeof b->launch.grid);
	b->launch.threads = threads;
	b->launch.together = 1;
	for (int i = 0; i < launches; i++) {
		harness_run(h, &b->launch, i > 0);
		right = right && h->copy[HARNESS_ERRORS] == 0;
		b->launch.params.base += b->launch.params.rounds;
	}
	return right;
}

static void phases(harness *h, const struct form *form, struct grid grid, uint32_t threads,
                   int without)
{
	harness_object b = harness_make(h, order_of(form, grid.x * grid.y * grid.z, without));
	int right = run(h, form, &b, "barrier_phases", grid, threads, 3);

	harness_verdict(h, right, without, "%s: %u x %u x %u blocks of %u, 3 x %u phases",
	                form->name, grid.x, grid.y, grid.z, threads, b.launch.params.rounds);
	harness_unmake(h, &b);
}

static void across_the_wrap(harness *h, const struct form *form, uint32_t blocks, uint32_t threads)
{
	harness_object b = harness_make(h, order_of(form, blocks, 0));

	b.launch.params.base = UINT32_MAX - 5;
	harness_run_grid(h, &b, "barrier_start", 1, threads, 0);
	b.launch.params.base = 0;
	int right = run(h, form, &b, "barrier_phases", (struct grid){blocks, 1, 1}, threads, 1);
	harness_verdict(h, right, 0, "%s: %u blocks of %u, %u phases across the wrap", form->name,
	                blocks, threads, b.launch.params.rounds);
	harness_unmake(h, &b);
}

static void two_at_once(harness *h, const struct form *form, uint32_t blocks, uint32_t threads)
{
	harness_order orders[] = {order_of(form, blocks, 0), order_of(form, blocks, 0)};
	harness_object b[2];

	harness_make_row(h, orders, 2, b);
	int right = run(h, form, b, "barrier_phases", (struct grid){blocks, 1, 1}, threads, 1);
	harness_verdict(h, right, 0, "%s: two in turn, %u blocks of %u, %u phases", form->name,
	                blocks, threads, b->launch.params.rounds);
	harness_unmake_row(h, b, 2);
}

/* The barrier in two halves. The count of blocks that have left follows it. */
static void split(harness *h, const struct form *form, uint32_t blocks, uint32_t threads,
                  int without)
{
	uint32_t most = harness_resident(h, "barrier_split", threads);

	if (blocks > most)
		blocks = most; /* the counts are for a smaller kernel */
	harness_order order = order_of(form, blocks, without);
	order.behind = 1;
	harness_object b = harness_make(h, order);
	/* The first block of an XF barrier gathers in its await, so only the work of that block
	 * delays the others. */
	b.launch.params.value = form->kind->value == WEIR_BARRIER_XF && blocks > 1;
	int right = run(h, form, &b, "barrier_split", (struct grid){blocks, 1, 1}, threads, 3);
	harness_verdict(h, right, without, "%s: in two, %u blocks of %u, 3 x %u phases", form->name,
	                blocks, threads, b.launch.params.rounds);
	harness_unmake(h, &b);
}

/* One block more than fits must be refused rather than hang. */
static void too_many(harness *h, const struct form *form, uint32_t threads)
{
	uint32_t blocks = harness_resident(h, "barrier_phases", threads) + 1;
	const weir_barrier_options options = {.object.diagnose = HARNESS_DIAGNOSED,
	                                      .kind = (weir_barrier_kind)form->kind->value,
	                                      .shards = form->shards};
	weir_barrier b;
	weir_kernel kernel;

	weir_status status = weir_barrier_create(h->device, blocks, &options, &b);

	if (status == WEIR_OK) {
		harness_need(weir_program_kernel(h->program, "barrier_phases", &kernel),
		             "barrier_phases");
		weir_launch launch = {
		    .kernel = kernel, .grid = {blocks}, .block = {threads}, .barrier = &b};
		status = weir_kernel_launch(h->device, &launch);
		harness_need(weir_barrier_destroy(h->device, &b), "weir_barrier_destroy");
	}
	harness_verdict(h, status == WEIR_TOO_MANY_BLOCKS, 0, "%s: %u blocks of %u refused",
	                form->name, blocks, threads);
}

/* A block on CUDA has a thread for each shard. */
static int has_parts(const harness *h, uint32_t threads, uint32_t bits)
{
	return (!harness_is_cuda(h) && h->least_threads < 2) || threads >> bits != 0;
}

/* The kind with its default shape, or with one counter for blocks that may have too few threads. */
static struct form for_threads(const harness *h, const weir_kind *kind, uint32_t threads)
{
	struct form form = {.kind = kind,
	                    .most_rounds = 5000,
	                    .shards = kind->shape == WEIR_SHAPE_COUNTERS &&
	                              !has_parts(h, threads, WEIR_SHAPE_BITS_MOST)};

	snprintf(form.name, sizeof form.name, "%s", kind->name);
	return form;
}

/* The number of shards, one more, and the most blocks that run at once; on a CPU, at least
 * seven. */
static void test_shape(harness *h, const weir_kind *kind, uint32_t bits)
{
	static const uint32_t thread_counts[] = {1, 3, 33};
	uint32_t shards = 1u << bits;
	struct form form = {
	    .kind = kind, .most_rounds = h->info.is_gpu ? 5000 : 200, .shards = shards};

	snprintf(form.name, sizeof form.name, "%s with %u bits", kind->name, bits);
	for (int t = 0; t < (h->info.is_gpu ? 3 : 2); t++) {
		uint32_t threads = thread_counts[t];
		uint32_t resident = harness_resident(h, "barrier_phases", threads);
		uint32_t most = h->info.is_gpu ? resident : shards < 7 ? 7 : shards + 1;
		if (resident < shards || !has_parts(h, threads, bits))
			continue;
		if (most > resident)
			most = resident;
		for (uint32_t blocks = shards; blocks <= most && blocks <= shards + 1; blocks++)
			phases(h, &form, (struct grid){blocks, 1, 1}, threads, 0);
		if (most > shards + 1)
			phases(h, &form, (struct grid){most, 1, 1}, threads, 0);
		if (harness_resident(h, "barrier_split", threads) >= shards)
			split(h, &form, most, threads, 0);
		across_the_wrap(h, &form, most, threads);
		two_at_once(h, &form, shards, threads);
	}
}

static void test_kind(harness *h, const weir_kind *kind)
{
	static const uint32_t thread_counts[] = {1, 33, 128, 1024};
	uint32_t counts[5];

	/* On a CPU each thread is a system thread: large blocks take seconds per phase. Where they
	 * get few threads, all sizes but the first are the same. */
	for (int t = 0; t < (h->info.is_gpu ? 4 : h->small || h->few_threads ? 2 : 3); t++) {
		uint32_t threads = harness_threads(h, thread_counts[t]);
		struct form fit = for_threads(h, kind, threads);
		uint32_t n = harness_block_counts(h, "barrier_phases", threads, counts);
		for (uint32_t i = 0; i < n; i++)
			phases(h, &fit, (struct grid){counts[i], 1, 1}, threads, 0);
		for (uint32_t i = h->info.is_gpu ? 0 : n - 1; i < n && threads <= 128; i++)
			split(h, &fit, counts[i], threads, 0);
		too_many(h, &fit, threads);
	}
	uint32_t threads = harness_threads(h, 33);
	struct form fit = for_threads(h, kind, threads);
	uint32_t n = harness_block_counts(h, "barrier_phases", threads, counts);
	uint32_t many = counts[n - 1];
	if (kind->role != WEIR_BY_VENDOR) /* the vendor's has nothing to start */
		across_the_wrap(h, &fit, many, threads);
	two_at_once(h, &fit, many, threads);
	if (many >= 4)
		phases(h, &fit, (struct grid){2, many / 2, 1}, threads, 0);
	if (many >= 8)
		phases(h, &fit, (struct grid){2, 2, many / 4}, threads, 0);
	for (uint32_t bits = 0; bits <= WEIR_SHAPE_BITS_MOST; bits++)
		if (kind->shape == WEIR_SHAPE_COUNTERS)
			test_shape(h, kind, bits);
}

static void test_taken_out(harness *h, const weir_kind *kind)
{
	uint32_t counts[5];
	uint32_t threads = harness_threads(h, 33);
	struct form form = {.kind = kind, .most_rounds = 5000};
	uint32_t n = harness_block_counts(h, "barrier_phases", threads, counts);

	snprintf(form.name, sizeof form.name, "%s", kind->name);
	for (uint32_t i = 1; i < n; i++)
		HARNESS_MUST_NOTICE(h,
		                    phases(h, &form, (struct grid){counts[i], 1, 1}, threads, 1));
	HARNESS_MUST_NOTICE(h, split(h, &form, counts[n - 1], threads, 1));
}

static const harness_family family = {.name = "barrier",
                                      .primitive = WEIR_PRIMITIVE_BARRIER,
                                      .kind = test_kind,
                                      .kind_without = test_taken_out};

HARNESS_MAIN(&family, entries)
