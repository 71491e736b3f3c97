/* Every operation of the machine layer, on the device named on the command line. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops_kernels.h"

static const weir_host_entry entries[] = {
    HARNESS_ENTRY(ops_alone),     HARNESS_ENTRY(ops_together),   HARNESS_ENTRY(ops_first),
    HARNESS_ENTRY(ops_pass),      HARNESS_ENTRY(ops_wide_alone), HARNESS_ENTRY(ops_wide_together),
    HARNESS_ENTRY(ops_wide_pass), HARNESS_ENTRY(ops_ids),        HARNESS_ENTRY(ops_ids_unsynced)};

#define ORDERS 4
#define WORDS 65536u

static weir_buffer words;

static void clear_words(harness *h)
{
	static const uint32_t zeros[WORDS];
	harness_need(weir_buffer_write(h->device, words, 0, zeros, sizeof zeros),
	             "weir_buffer_write");
}

static void read_words(harness *h, uint32_t *to, uint32_t count)
{
	harness_need(weir_buffer_read(h->device, words, 0, to, count * sizeof *to),
	             "weir_buffer_read");
}

/* The results of one thread's operations: those that read and write, in each order, and the others. */
static void check_alone(harness *h, const char *kernel, const uint32_t *results, uint32_t count,
                        const uint32_t *others, uint32_t other_count, const char *what)
{
	const uint32_t *found = h->copy + HARNESS_DATA;
	int right = 1;

	clear_words(h);
	harness_run(h,
	            &(harness_launch){
			.kernel = kernel, .words = words.native, .grid = {1, 1, 1}, .threads = 1},
	            0);
	for (int order = 0; order < ORDERS; order++, found += count)
		right = right && memcmp(found, results, count * sizeof *results) == 0;
	right = right && memcmp(found, others, other_count * sizeof *others) == 0;
	harness_verdict(h, right, 0, "%sone thread: results and effects", what);
}

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof(array)[0])

static void alone(harness *h)
{
	static const uint32_t results[] = {5,          7,          7,          10, UINT32_MAX,
	                                   UINT32_MAX, UINT32_MAX, UINT32_MAX, 42};
	static const uint32_t others[] = {11, 12, 42, UINT32_MAX, 3, 8, 9, 13};

	check_alone(h, "ops_alone", results, COUNT(results), others, COUNT(others), "");
}

static void together(harness *h, uint32_t blocks, uint32_t threads, int without)
{
	uint32_t after[ORDERS * 4 + 1];
	uint32_t all = blocks * threads;
	uint32_t rounds = harness_rounds(h, all, 2000);
	uint32_t steps = all * rounds;
	uint32_t put = all * (all + 1) / 2 * rounds; /* modulo 2^32, like the sum on the device */

	clear_words(h);
	harness_run(h,
	            &(harness_launch){.kernel = "ops_together",
	                              .words = words.native,
	                              .params = {.rounds = rounds, .without = (uint32_t)without},
	                              .grid = {blocks, 1, 1},
	                              .threads = threads},
	            0);
	read_words(h, after, ORDERS * 4 + 1);
	int right = after[ORDERS * 4] == steps;
	for (int order = 0; order < ORDERS; order++) {
		const uint32_t *group = after + order * 4;
		right =
		    right && group[0] == steps && group[1] == steps && group[2] + group[3] == put;
	}
	harness_verdict(h, right, without, "%u blocks of %u threads, %u rounds", blocks, threads,
	                rounds);
}

/* The first threads of a block: a warp on CUDA, elsewhere one. */
static void first(harness *h, uint32_t blocks, uint32_t threads)
{
	uint32_t firsts = harness_is_cuda(h) ? 32 : 1;

	harness_run(h,
	            &(harness_launch){.kernel = "ops_first",
	                              .words = words.native,
	                              .params = {.rounds = 200},
	                              .grid = {blocks, 1, 1},
	                              .threads = threads},
	            0);
	harness_verdict(h, harness_words_are(h, blocks * firsts, 1), 0,
	                "the first %u of %u threads, %u blocks", firsts, threads, blocks);
}

static void pass(harness *h)
{
	uint32_t after[3 * WEIR_LINE_WORDS + 1];
	uint32_t rounds = harness_rounds(h, 8, 2000);

	if (harness_resident(h, "ops_pass", 1) < 2)
		return;
	clear_words(h);
	harness_run(h,
	            &(harness_launch){.kernel = "ops_pass",
	                              .words = words.native,
	                              .params = {.rounds = rounds},
	                              .grid = {2, 1, 1},
	                              .threads = 1,
	                              .together = 1},
	            0);
	read_words(h, after, 3 * WEIR_LINE_WORDS + 1);
	harness_verdict(h, after[3 * WEIR_LINE_WORDS] == 0, 0,
	                "two blocks, %u rounds back and forth", rounds);
}

static void wide_alone(harness *h)
{
	static const uint32_t results[] = {5, UINT32_MAX, 6, 0, 9, 0, 9, 0, 1, 2};
	static const uint32_t others[] = {3, 2, 1, 2};

	check_alone(h, "ops_wide_alone", results, COUNT(results), others, COUNT(others),
	            "64 bits, ");
}

static void wide_together(harness *h, uint32_t blocks, uint32_t threads, int without)
{
	uint32_t after[2 * (ORDERS + 1)]; /* the lower half of each word is first */
	uint32_t rounds = harness_rounds(h, blocks * threads, 2000);
	uint32_t steps = blocks * threads * rounds;

	clear_words(h);
	harness_run(h,
	            &(harness_launch){.kernel = "ops_wide_together",
	                              .words = words.native,
	                              .params = {.rounds = rounds, .without = (uint32_t)without},
	                              .grid = {blocks, 1, 1},
	                              .threads = threads},
	            0);
	read_words(h, after, 2 * (ORDERS + 1));
	int right = after[2 * ORDERS] == steps && after[2 * ORDERS + 1] == steps;
	for (int order = 0; order < ORDERS; order++)
		right = right && after[2 * order] == 0 && after[2 * order + 1] == 2 * steps;
	harness_verdict(h, right, without, "64 bits, %u blocks of %u threads, %u rounds", blocks,
	                threads, rounds);
}

static void wide_pass(harness *h)
{
	uint32_t rounds = harness_rounds(h, 8, 2000);

	if (harness_resident(h, "ops_wide_pass", 1) < 2)
		return;
	clear_words(h);
	harness_run(h,
	            &(harness_launch){.kernel = "ops_wide_pass",
	                              .words = words.native,
	                              .params = {.rounds = rounds},
	                              .grid = {2, 1, 1},
	                              .threads = 1,
	                              .together = 1},
	            0);
	harness_verdict(h, h->copy[HARNESS_ERRORS] == 0, 0,
	                "64 bits, two blocks, %u rounds back and forth", rounds);
}

/* Not every OpenCL device has 64-bit words; the library says which. */
static void wide(harness *h)
{
	size_t bytes, alignment;

	if (weir_semaphore_size(h->device, 1, 1,
	                        &(weir_semaphore_options){.kind = WEIR_SEMAPHORE_PACKED}, &bytes,
	                        &alignment) == WEIR_UNSUPPORTED) {
		printf("no 64-bit words: %s\n", weir_error_text());
		return;
	}
	wide_alone(h);
	wide_together(h, 1, 33, 0);
	wide_together(h, 8, 33, 0);
	wide_pass(h);
	if (!h->sound_only)
		HARNESS_MUST_NOTICE(h, wide_together(h, 8, 33, 1));
}

struct shape {
	uint32_t grid[3];
	uint32_t block[3];
};

static void launch_ids(harness *h, const char *kernel, const struct shape *shape,
                       const harness_params *params)
{
	weir_argument arguments[] = {{&words.native, sizeof words.native},
	                             {&h->data.native, sizeof h->data.native},
	                             {params, sizeof *params}};
	weir_launch launch = {.arguments = arguments, .argument_count = 3};

	memcpy(launch.grid, shape->grid, sizeof launch.grid);
	memcpy(launch.block, shape->block, sizeof launch.block);
	harness_need(weir_program_kernel(h->program, kernel, &launch.kernel), kernel);
	harness_need(weir_kernel_launch(h->device, &launch), kernel);
	harness_need(weir_device_wait(h->device, 300000000000u, NULL), kernel);
}

static void ids(harness *h, const struct shape *shape, int without)
{
	uint32_t blocks = shape->grid[0] * shape->grid[1] * shape->grid[2];
	uint32_t threads = shape->block[0] * shape->block[1] * shape->block[2];
	uint32_t all = blocks * threads;
	harness_params params = {.rounds = 50, .length = all};
	const uint32_t *told = h->copy + HARNESS_DATA + all;
	uint32_t *marks = calloc(all, sizeof *marks);

	harness_need(marks ? WEIR_OK : WEIR_NO_MEMORY, "calloc");
	clear_words(h);
	memset(h->copy, 0, (HARNESS_DATA + 3 * all) * sizeof *h->copy);
	harness_need(weir_buffer_write(h->device, h->data, 0, h->copy,
	                               (HARNESS_DATA + 3 * all) * sizeof *h->copy),
	             "weir_buffer_write");
	launch_ids(h, without ? "ops_ids_unsynced" : "ops_ids", shape, &params);
	harness_need(weir_buffer_read(h->device, h->data, 0, h->copy,
	                              (HARNESS_DATA + 3 * all) * sizeof *h->copy),
	             "weir_buffer_read");
	read_words(h, marks, all);
	int right = h->copy[HARNESS_ERRORS] == 0;
	for (uint32_t i = 0; i < all; i++)
		right =
		    right && marks[i] == 1 && told[2 * i] == blocks && told[2 * i + 1] == threads;
	free(marks);
	harness_verdict(h, right, without, "ids of %u x %u x %u blocks of %u x %u x %u",
	                shape->grid[0], shape->grid[1], shape->grid[2], shape->block[0],
	                shape->block[1], shape->block[2]);
}

static void test_all(harness *h)
{
	static const struct shape shapes[] = {
	    {{1, 1, 1}, {1, 1, 1}}, {{7, 1, 1}, {33, 1, 1}}, {{3, 2, 1}, {8, 4, 1}},
	    {{2, 3, 2}, {3, 2, 5}}, {{1, 1, 4}, {1, 1, 16}}, {{1, 5, 1}, {1, 9, 1}},
	};

	harness_need(weir_buffer_create(h->device, WORDS * sizeof(uint32_t), &words),
	             "weir_buffer_create");
	alone(h);
	together(h, 1, 33, 0);
	together(h, 7, 1, 0);
	together(h, 8, 33, 0);
	first(h, 1, 32);
	first(h, 7, 65);
	pass(h);
	wide(h);
	for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
		ids(h, &shapes[i], 0);
	if (!h->sound_only) {
		HARNESS_MUST_NOTICE(h, together(h, 8, 33, 1));
		HARNESS_MUST_NOTICE(h, ids(h, &shapes[1], 1));
	}
	harness_need(weir_buffer_destroy(h->device, &words), "weir_buffer_destroy");
}

static const harness_family family = {.name = "ops", .all = test_all};

HARNESS_MAIN(&family, entries)
