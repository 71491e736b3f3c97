/* Onces, on the device named on the command line. */
#include "harness.h"

#include "once_kernels.h"

static const weir_host_entry entries[] = {HARNESS_ENTRY(once_each), HARNESS_ENTRY(once_block),
                                          HARNESS_ENTRY(once_alone)};

/* Whether exactly one block did each. */
static int each_once(const harness *h, uint32_t length)
{
	for (uint32_t i = 0; i < length; i++)
		if (h->copy[HARNESS_DATA + i * ONCE_PLACE] != 1)
			return 0;
	return h->copy[HARNESS_ERRORS] == 0;
}

/* The words after it are onces as well. */
static harness_object make(harness *h, uint32_t length, int without)
{
	harness_object o = harness_make(h, (harness_order){.primitive = WEIR_PRIMITIVE_ONCE,
	                                                   .behind = length,
	                                                   .without = without});

	o.launch.params.length = length;
	return o;
}

/* Launches in a row without a reset: all but the first find it done. */
static void each(harness *h, uint32_t blocks, uint32_t threads, uint32_t deadline, int without)
{
	uint32_t length = harness_rounds_in_turn(h, blocks * threads, blocks, 300);
	harness_object o = make(h, length, without);
	int right = 1;

	o.launch.kernel = threads > 1 ? "once_block" : "once_each";
	o.launch.params.value = deadline;
	o.launch.params.hold = without ? 100 : 1;
	o.launch.params.seed = blocks;
	o.launch.grid[0] = blocks;
	o.launch.threads = threads;
	for (uint32_t i = 0; i < (without ? 1 : 3); i++) {
		o.launch.params.base = i;
		harness_run(h, &o.launch, i != 0);
		right &= each_once(h, length);
	}
	harness_verdict(h, right, without, "%u blocks of %u, %u onces%s", blocks, threads, length,
	                deadline ? ", with deadlines" : "");
	harness_unmake(h, &o);
}

static void alone(harness *h)
{
	harness_object o = make(h, 8, 0);

	o.launch.mistakes = 1;
	harness_run_grid(h, &o, "once_alone", 1, 1, 0);
	harness_verdict(h, h->copy[HARNESS_ERRORS] == 0, 0, "what each operation finds");
	harness_unmake(h, &o);
}

static void test_all(harness *h)
{
	uint32_t counts[5];
	uint32_t threads = h->info.is_gpu ? 128 : harness_threads(h, 5);
	uint32_t count = harness_block_counts(h, "once_each", threads, counts);
	uint32_t deadline = h->info.is_gpu ? 20000 : 200000;

	alone(h);
	for (uint32_t i = 0; i < count; i++) {
		each(h, counts[i], 1, 0, 0);
		each(h, counts[i], 1, deadline, 0);
		if (h->info.machine != WEIR_MACHINE_OPENCL)
			each(h, counts[i], threads, 0, 0);
	}
	if (!h->sound_only)
		HARNESS_MUST_NOTICE(h, each(h, counts[count - 1], 1, 0, 1));
}

static const harness_family family = {
    .name = "once", .primitive = WEIR_PRIMITIVE_ONCE, .all = test_all};

HARNESS_MAIN(&family, entries)
