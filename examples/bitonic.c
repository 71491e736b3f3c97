/* Bitonic sort: one launch with a barrier for each pass, compared with a launch for each pass and
 * with the toolkit's own grid barrier. */
#include "bitonic_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"

extern const void *const example_bitonic_cuda_image;
extern const void *const example_bitonic_hip_image;
extern const char *const example_bitonic_opencl_text;

struct bitonic {
	compare c;
	uint32_t keys;
	weir_barrier barrier;
	weir_buffer data;
	uint32_t *unsorted;
	uint32_t *expected;
	uint32_t *result;
};

static int by_key(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;
	return (a > b) - (a < b);
}

static void make_keys(struct bitonic *s)
{
	uint32_t random = 1;

	for (uint32_t i = 0; i < s->keys; i++) {
		random = random * 1664525u + 1013904223u;
		s->unsorted[i] = random ^ (random >> 16);
	}
	memcpy(s->expected, s->unsorted, s->keys * sizeof(uint32_t));
	qsort(s->expected, s->keys, sizeof(uint32_t), by_key);
}

static void prepare(void *work)
{
	struct bitonic *s = work;

	compare_need(&s->c, weir_buffer_write(s->c.device, s->data, 0, s->unsorted, s->data.bytes));
}

static uint64_t count_wrong(void *work)
{
	struct bitonic *s = work;
	uint64_t wrong = 0;

	compare_need(&s->c, weir_buffer_read(s->c.device, s->data, 0, s->result, s->data.bytes));
	for (uint32_t i = 0; i < s->keys; i++)
		wrong += s->result[i] != s->expected[i];
	return wrong;
}

static uint32_t count_passes(uint32_t keys)
{
	uint32_t passes = 0;

	for (uint32_t run = 2, length = 1; run <= keys; run *= 2, length++)
		passes += length;
	return passes;
}

static void start_one_launch(void *work, const compare_way *way)
{
	struct bitonic *s = work;
	const bitonic_params params = {way->config.barrier, s->keys, 0, 0};
	int ours = way->words != NULL;
	const compare_launch launch = {.kernel = way->kernel,
	                               .barrier = ours ? &s->barrier : NULL,
	                               .cooperative = 1,
	                               .words = way->words,
	                               .data = &s->data,
	                               .params = &params,
	                               .params_bytes = sizeof params};

	compare_start(&s->c, &launch);
}

static void start_launch_per_pass(void *work, const compare_way *way)
{
	struct bitonic *s = work;
	bitonic_params params = {way->config.barrier, s->keys, 2, 1};
	const compare_launch launch = {.kernel = way->kernel,
	                               .words = way->words,
	                               .data = &s->data,
	                               .params = &params,
	                               .params_bytes = sizeof params};

	for (; params.run <= s->keys; params.run *= 2)
		for (params.distance = params.run / 2; params.distance > 0; params.distance /= 2)
			compare_start(&s->c, &launch);
}

static int run(struct bitonic *s)
{
	compare *c = &s->c;
	uint32_t passes = count_passes(s->keys);
	compare_way ways[] = {{.label = "weir barrier",
	                       .start = start_one_launch,
	                       .kernel = compare_kernel(c, c->kernels, "bitonic_weir")},
	                      {.label = "a launch for each pass",
	                       .start = start_launch_per_pass,
	                       .kernel = compare_kernel(c, c->kernels, "bitonic_once")},
	                      {.label = "cooperative groups grid.sync()",
	                       .start = start_one_launch,
	                       .kernel = compare_kernel(c, c->peers, "bitonic_grid_sync")}};
	const weir_kernel persistent[] = {ways[0].kernel, ways[2].kernel};
	const compare_work work = {s, prepare, count_wrong, "pass", passes};

	compare_choose_grid(c, 1024, persistent, 2);
	compare_need(c, weir_barrier_create(c->device, c->blocks, NULL, &s->barrier));
	ways[0].words = s->barrier.words;
	ways[0].config.barrier = s->barrier.config;
	ways[1].words = s->barrier.words; /* unused, but an OpenCL kernel needs a buffer */
	printf("bitonic on %s (%s): %u keys, %u passes, %u blocks of %u threads, barrier %s\n",
	       c->info.name, c->info.description, s->keys, passes, c->blocks, c->threads,
	       weir_barrier_kind_name(s->barrier.config.kind));
	return compare_run(c, &work, ways, 3);
}

int main(int argc, char **argv)
{
	struct bitonic s = {0};
	static const weir_host_entry entries[] = {{"bitonic_weir", bitonic_weir_entry},
	                                          {"bitonic_once", bitonic_once_entry}};
	const compare_option options[] = {{"keys", &s.keys, 2, 1u << 28, "keys, a power of two"}};
	const compare_program program = {
	    .name = "bitonic",
	    .about =
		"Bitonic sort, in passes with a barrier after each: weir's barrier, a launch for\n"
		"each pass, and on CUDA cooperative groups. The result is checked.",
	    .options = options,
	    .option_count = 1,
	    .kernels = {.cuda_image = example_bitonic_cuda_image,
	                .hip_image = example_bitonic_hip_image,
	                .opencl_text = example_bitonic_opencl_text,
	                .host_entries = entries,
	                .host_entry_count = 2}};

	compare_open(&s.c, &program, argc, argv);
	compare_default(&s.c, &s.keys, 1u << 20, 1u << 13);
	if (s.keys & (s.keys - 1))
		compare_fail(&s.c, 2, "--keys is a power of two, not %u", s.keys);
	s.unsorted = compare_memory(&s.c, s.keys, sizeof(uint32_t));
	s.expected = compare_memory(&s.c, s.keys, sizeof(uint32_t));
	s.result = compare_memory(&s.c, s.keys, sizeof(uint32_t));
	compare_need(&s.c, weir_buffer_create(s.c.device, s.keys * sizeof(uint32_t), &s.data));
	make_keys(&s);
	int status = run(&s);
	compare_close(&s.c);
	free(s.unsorted);
	free(s.expected);
	free(s.result);
	return status;
}
