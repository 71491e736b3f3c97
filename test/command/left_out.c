/* Runs every real kernel at its small sizes without its barriers, locks or events. The check of each
 * kernel must notice. With one block nothing is missing, and the result must be right.
 *
 * A block is one thread, and all blocks are fibers of one system thread, so the order is the same
 * each time. Without barriers the blocks run one after the other. Without locks a block stops
 * wherever that does harm, and another block goes on. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REAL_LEFT_OUT
#include "kernels/real/real.h"

/* Where a block without a lock would let others run, another fiber continues. */
static void go_on(void);
#define weir_pause(units) go_on()
#include "kernels/real/all.h"
#undef weir_pause

#include "fiber/fiber.h"
#include "forms/forms.h"
#include "forms/host_entries.h"
#include "forms/problems/problem.h"

enum {
	BLOCKS = 4,
	STACK_BYTES = 1 << 20
};

static struct block {
	weir_fiber fiber;
	int is_done;
} blocks[BLOCKS];
static uint32_t block_count;
static uint32_t running;
static weir_fiber scheduler;
static weir_host_kernel kernel_entry;
static void *kernel_arguments[3];

static void go_on(void)
{
	weir_fiber_switch(&blocks[running].fiber, &scheduler);
}

static void run_block(void *argument)
{
	struct block *block = argument;

	kernel_entry(kernel_arguments);
	block->is_done = 1;
	for (;;)
		go_on();
}

/* Which of `count` fibers continues. Not in turn: blocks in lockstep all do the same, and some
 * mistakes look right when all blocks make them. */
static uint32_t draw(uint32_t *random, uint32_t count)
{
	*random = *random * 1664525u + 1013904223u;
	return (*random >> 16) % count;
}

/* A block that does not stop is the only one that runs until it is done. */
static void run_blocks(void)
{
	uint32_t left = block_count;
	uint32_t random = 1;

	for (uint32_t i = 0; i < block_count; i++) {
		blocks[i].is_done = 0;
		weir_fiber_start(&blocks[i].fiber, run_block, &blocks[i]);
	}
	while (left) {
		running = draw(&random, block_count);
		if (blocks[running].is_done)
			continue;
		weir_host_join(running, block_count);
		weir_fiber_switch(&scheduler, &blocks[running].fiber);
		left -= (uint32_t)blocks[running].is_done;
	}
}

static weir_host_kernel find_entry(const char *name)
{
	for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
		if (strcmp(entries[i].name, name) == 0)
			return entries[i].kernel;
	return NULL;
}

/* Whether the check finds the result of the kernel `name` wrong. */
static int is_wrong(const real_kernel *kernel, const char *name, const real_size *size,
                    uint32_t count, real_why *why)
{
	size_t words = kernel->words(size->values);
	uint32_t *expected = calloc(2 * words, sizeof *expected);
	uint32_t *got = expected + words;
	real_params params = {.part = 0};
	weir_word *none = NULL;

	if (!expected)
		exit(1);
	kernel->fill(size->values, expected);
	memcpy(got, expected, words * sizeof *got);
	kernel->expect(size->values, expected);
	memcpy(params.size, size->values, sizeof params.size);
	kernel_entry = find_entry(name);
	kernel_arguments[0] = &none;
	kernel_arguments[1] = &got;
	kernel_arguments[2] = &params;
	block_count = count;
	run_blocks();
	int wrong = kernel->check(size->values, expected, got, why);
	free(expected);
	return wrong;
}

/* The number of failures. */
static unsigned int try_kernel(const real_kernel *kernel, const char *name, const real_size *size)
{
	real_why why;
	int alone = is_wrong(kernel, name, size, 1, &why);

	if (alone)
		printf("FAILED: %s, %s, one block: %s\n", name, size->name, why.text);
	int noticed = is_wrong(kernel, name, size, BLOCKS, &why);
	printf("%s%s, %s: %s\n", noticed ? "" : "FAILED: ", name, size->name,
	       noticed ? why.text : "nothing was noticed");
	return (unsigned int)(alone + !noticed);
}

int main(void)
{
	static const real_kernel *const kernels[] = {
#define ROW(name) &real_##name,
	    REAL_KERNELS(ROW)
#undef ROW
	};
	unsigned int cases = 0;
	unsigned int failed = 0;

	for (uint32_t i = 0; i < BLOCKS; i++)
		if (weir_fiber_create(&blocks[i].fiber, STACK_BYTES))
			return 1;
	for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
		for (size_t j = 0; j < kernels[i]->size_count; j++) {
			const real_size *size = &kernels[i]->sizes[j];
			char name[64];
			if (!size->small)
				continue;
			failed += try_kernel(kernels[i], kernels[i]->name, size);
			cases += 2;
			if (kernels[i]->events) {
				snprintf(name, sizeof name, "%s_events", kernels[i]->name);
				failed += try_kernel(kernels[i], name, size);
				cases += 2;
			}
			if (kernels[i]->items) {
				snprintf(name, sizeof name, "%s_queue", kernels[i]->name);
				failed += try_kernel(kernels[i], name, size);
				cases += 2;
			}
			if (kernels[i]->combiners) {
				snprintf(name, sizeof name, "%s_combine", kernels[i]->name);
				failed += try_kernel(kernels[i], name, size);
				cases += 2;
			}
			if (kernels[i]->make_graph) {
				snprintf(name, sizeof name, "%s_tasks", kernels[i]->name);
				failed += try_kernel(kernels[i], name, size);
				cases += 2;
			}
		}
	}
	for (uint32_t i = 0; i < BLOCKS; i++)
		weir_fiber_destroy(&blocks[i].fiber);
	printf("%u cases, %u failed\n", cases, failed);
	return failed != 0;
}
