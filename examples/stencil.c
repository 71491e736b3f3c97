/* Heat on a plate: one launch with a barrier for each step, compared with a launch for each step
 * and with the toolkit's own grid barrier. */
#include "stencil_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"

extern const void *const example_stencil_cuda_image;
extern const void *const example_stencil_hip_image;
extern const char *const example_stencil_opencl_text;

struct stencil {
	compare c;
	uint32_t size;
	uint32_t steps;
	weir_barrier barrier;
	weir_buffer data;
	float *initial;  /* one plate */
	float *expected; /* two: the result and the previous step */
	float *result;   /* one */
};

static size_t plate_cells(const struct stencil *s)
{
	return (size_t)s->size * s->size;
}

/* Between 1 and 2, so that no cell gets close to 0, where some GPUs round differently; and not
 * smooth, so that a skipped or early step shows. */
static void make_plate(struct stencil *s)
{
	uint32_t random = 1;

	for (size_t i = 0; i < plate_cells(s); i++) {
		random = random * 1664525u + 1013904223u;
		s->initial[i] = 1.0f + (float)(random >> 9) * (1.0f / 8388608.0f);
	}
}

/* The same with one thread. */
static void expect(struct stencil *s)
{
	size_t cells = plate_cells(s);
	size_t size = s->size;
	float *from = s->expected;
	float *to = s->expected + cells;

	memcpy(from, s->initial, cells * sizeof *from);
	memcpy(to, s->initial, cells * sizeof *to);
	for (uint32_t step = 0; step < s->steps; step++) {
		for (size_t row = 1; row < size - 1; row++) {
			for (size_t i = row * size + 1; i < row * size + size - 1; i++)
				to[i] = 0.25f * ((from[i - size] + from[i + size]) +
				                 (from[i - 1] + from[i + 1]));
		}
		float *done = to;
		to = from;
		from = done;
	}
}

static void prepare(void *work)
{
	struct stencil *s = work;
	size_t bytes = plate_cells(s) * sizeof(float);

	compare_need(&s->c, weir_buffer_write(s->c.device, s->data, 0, s->initial, bytes));
	compare_need(&s->c, weir_buffer_write(s->c.device, s->data, bytes, s->initial, bytes));
}

static uint64_t count_wrong(void *work)
{
	struct stencil *s = work;
	size_t cells = plate_cells(s);
	const float *expected = s->expected + (s->steps % 2) * cells;
	uint64_t wrong = 0;

	compare_need(&s->c,
	             weir_buffer_read(s->c.device, s->data, (s->steps % 2) * cells * sizeof(float),
	                              s->result, cells * sizeof(float)));
	for (size_t i = 0; i < cells; i++)
		wrong += s->result[i] != expected[i];
	return wrong;
}

static void start_one_launch(void *work, const compare_way *way)
{
	struct stencil *s = work;
	const stencil_params params = {way->config.barrier, s->size, s->steps, 0};
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

static void start_launch_per_step(void *work, const compare_way *way)
{
	struct stencil *s = work;
	stencil_params params = {way->config.barrier, s->size, s->steps, 0};
	const compare_launch launch = {.kernel = way->kernel,
	                               .words = way->words,
	                               .data = &s->data,
	                               .params = &params,
	                               .params_bytes = sizeof params};

	for (; params.step < s->steps; params.step++)
		compare_start(&s->c, &launch);
}

static int run(struct stencil *s)
{
	compare *c = &s->c;
	compare_way ways[] = {{.label = "weir barrier",
	                       .start = start_one_launch,
	                       .kernel = compare_kernel(c, c->kernels, "stencil_weir")},
	                      {.label = "a launch for each step",
	                       .start = start_launch_per_step,
	                       .kernel = compare_kernel(c, c->kernels, "stencil_once")},
	                      {.label = "cooperative groups grid.sync()",
	                       .start = start_one_launch,
	                       .kernel = compare_kernel(c, c->peers, "stencil_grid_sync")}};
	const weir_kernel persistent[] = {ways[0].kernel, ways[2].kernel};
	const compare_work work = {s, prepare, count_wrong, "step", s->steps};

	compare_choose_grid(c, 1024, persistent, 2);
	compare_need(c, weir_barrier_create(c->device, c->blocks, NULL, &s->barrier));
	ways[0].words = s->barrier.words;
	ways[0].config.barrier = s->barrier.config;
	ways[1].words = s->barrier.words; /* unused, but an OpenCL kernel needs a buffer */
	printf("stencil on %s (%s): %u x %u cells, %u steps, %u blocks of %u threads, barrier %s\n",
	       c->info.name, c->info.description, s->size, s->size, s->steps, c->blocks, c->threads,
	       weir_barrier_kind_name(s->barrier.config.kind));
	return compare_run(c, &work, ways, 3);
}

int main(int argc, char **argv)
{
	struct stencil s = {0};
	static const weir_host_entry entries[] = {{"stencil_weir", stencil_weir_entry},
	                                          {"stencil_once", stencil_once_entry}};
	const compare_option options[] = {{"size", &s.size, 3, 16384, "cells in a row, and rows"},
	                                  {"steps", &s.steps, 1, 1u << 20, "steps"}};
	const compare_program program = {
	    .name = "stencil",
	    .about =
		"Heat on a plate, in steps with a barrier after each: weir's barrier, a launch\n"
		"for each step, and on CUDA cooperative groups. The result is checked.",
	    .options = options,
	    .option_count = 2,
	    .kernels = {.cuda_image = example_stencil_cuda_image,
	                .hip_image = example_stencil_hip_image,
	                .opencl_text = example_stencil_opencl_text,
	                .host_entries = entries,
	                .host_entry_count = 2}};

	compare_open(&s.c, &program, argc, argv);
	compare_default(&s.c, &s.size, 1024, 128);
	compare_default(&s.c, &s.steps, 1000, 50);
	s.initial = compare_memory(&s.c, plate_cells(&s), sizeof(float));
	s.expected = compare_memory(&s.c, 2 * plate_cells(&s), sizeof(float));
	s.result = compare_memory(&s.c, plate_cells(&s), sizeof(float));
	compare_need(&s.c,
	             weir_buffer_create(s.c.device, 2 * plate_cells(&s) * sizeof(float), &s.data));
	make_plate(&s);
	expect(&s);
	int status = run(&s);
	compare_close(&s.c);
	free(s.initial);
	free(s.expected);
	free(s.result);
	return status;
}
