#include "harness.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEADLINE_NS 300000000000u
#define DATA_WORDS (1u << 20)
#define CPU_DATA_WORDS (1u << 16)
#define FEW_THREADS 5

void harness_need(weir_status status, const char *what)
{
	if (status == WEIR_OK)
		return;
	printf("FAILED %s: %s: %s\n", what, weir_status_text(status), weir_error_text());
	printf("0 passed, 1 failed\n");
	fflush(NULL);
	_Exit(1);
}

void *harness_zeros(size_t count, size_t size)
{
	void *memory = calloc(count, size);

	harness_need(memory ? WEIR_OK : WEIR_NO_MEMORY, "calloc");
	return memory;
}

static void usage(const char *name)
{
	printf(
	    "usage: %s [--device NAME] [--small] [--sound-only] [--few-threads]\n"
	    "       [--least-threads N] [--no-clusters] [--soak]\n"
	    "  --device NAME  cuda:N, opencl:N or host (default: host)\n"
	    "  --small        few blocks and rounds, for slow checkers\n"
	    "  --sound-only   not the runs with the primitive taken out, which race on purpose\n"
	    "  --few-threads  blocks of a few threads, where each takes long to start\n"
	    "  --least-threads N  blocks of at least N threads\n"
	    "  --no-clusters  no launches with clusters: racecheck takes nothing but a cluster's\n"
	    "                 own barrier for a proof that a block of it runs\n"
	    "  --soak         minutes of work instead of seconds, where a test has that\n",
	    name);
}

static int parse(harness *h, int argc, char **argv, const char **device, int *status)
{
	static const struct option options[] = {{"device", required_argument, NULL, 'd'},
	                                        {"small", no_argument, NULL, 's'},
	                                        {"sound-only", no_argument, NULL, 'o'},
	                                        {"few-threads", no_argument, NULL, 'f'},
	                                        {"soak", no_argument, NULL, 'k'},
	                                        {"no-clusters", no_argument, NULL, 'c'},
	                                        {"help", no_argument, NULL, 'h'},
	                                        {"least-threads", required_argument, NULL, 'l'},
	                                        {NULL, 0, NULL, 0}};
	int option;

	*device = "host";
	while ((option = getopt_long(argc, argv, "d:sofkchl:", options, NULL)) != -1) {
		if (option == 'd') {
			*device = optarg;
		} else if (option == 's') {
			h->small = 1;
		} else if (option == 'o') {
			h->sound_only = 1;
		} else if (option == 'f') {
			h->few_threads = 1;
		} else if (option == 'k') {
			h->soak = 1;
		} else if (option == 'c') {
			h->no_clusters = 1;
		} else if (option == 'l') {
			h->least_threads = (uint32_t)strtoul(optarg, NULL, 10);
		} else {
			usage(argv[0]);
			*status = option == 'h' ? 0 : 2;
			return 1;
		}
	}
	return 0;
}

int harness_open_text(harness *h, int argc, char **argv, const char *name,
                      const weir_program_text *text, int *status)
{
	const char *device;

	memset(h, 0, sizeof *h);
	h->name = name;
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (parse(h, argc, argv, &device, status))
		return 1;
	weir_status opened = weir_device_open(device, &h->device);
	if (opened == WEIR_NO_DEVICE) {
		printf("skipped: %s\n", weir_error_text());
		*status = HARNESS_SKIPPED;
		return 1;
	}
	harness_need(opened, "weir_device_open");
	harness_need(weir_device_describe(h->device, &h->info), "weir_device_describe");
	if (h->no_clusters)
		h->info.cluster_blocks = 0;
	if (h->info.machine == WEIR_MACHINE_CUDA && !text->cuda_image) {
		printf("skipped: built without nvcc\n");
		*status = HARNESS_SKIPPED;
		return 1;
	}
	if (h->info.machine == WEIR_MACHINE_HIP && !text->hip_image) {
		printf("skipped: built without WEIR_HIP\n");
		*status = HARNESS_SKIPPED;
		return 1;
	}
	printf("%s on %s: %s, %s\n", name, h->info.name, h->info.description, h->info.driver);
	harness_need(weir_program_create(h->device, text, &h->program), "weir_program_create");
	h->data_bytes = (h->info.is_gpu ? DATA_WORDS : CPU_DATA_WORDS) * sizeof(uint32_t);
	harness_need(weir_buffer_create(h->device, h->data_bytes, &h->data), "weir_buffer_create");
	h->copy = malloc(h->data_bytes);
	harness_need(h->copy ? WEIR_OK : WEIR_NO_MEMORY, "malloc");
	return 0;
}

int harness_close(harness *h)
{
	free(h->copy);
	harness_need(weir_buffer_destroy(h->device, &h->data), "weir_buffer_destroy");
	harness_need(weir_program_destroy(h->program), "weir_program_destroy");
	harness_need(weir_device_close(h->device), "weir_device_close");
	printf("%d passed, %d failed\n", h->passed, h->failed);
	return h->failed == 0 && h->passed > 0 ? 0 : 1;
}

static weir_kernel find(harness *h, const char *name)
{
	weir_kernel kernel;
	harness_need(weir_program_kernel(h->program, name, &kernel), name);
	return kernel;
}

uint32_t harness_resident(harness *h, const char *kernel, uint32_t threads)
{
	uint32_t blocks;
	harness_need(weir_resident_blocks(h->device, find(h, kernel), threads, 0, &blocks),
	             "weir_resident_blocks");
	return blocks;
}

uint32_t harness_block_counts(harness *h, const char *kernel, uint32_t threads, uint32_t counts[5])
{
	uint32_t resident = harness_resident(h, kernel, threads);
	uint32_t wanted[5] = {1, 2, 7, h->info.units, resident};
	uint32_t count = 0;
	uint32_t take = h->small ? 3 : 5;

	/* A thread of a processor costs far more than one of a GPU, or one more compilation. */
	if (h->small && !h->info.is_gpu && threads > 64)
		return 0;
	if (h->info.machine == WEIR_MACHINE_HOST)
		wanted[4] = threads == 1 ? 61 : resident < 13 ? resident : 13;
	for (uint32_t i = 0; i < take; i++)
		if (wanted[i] > 0 && wanted[i] <= resident &&
		    (count == 0 || wanted[i] > counts[count - 1]))
			counts[count++] = wanted[i];
	return count;
}

uint32_t harness_threads(const harness *h, uint32_t wanted)
{
	uint32_t threads = h->few_threads && wanted > FEW_THREADS ? FEW_THREADS : wanted;

	return threads < h->least_threads ? h->least_threads : threads;
}

uint32_t harness_rounds(const harness *h, uint32_t threads, uint32_t most)
{
	uint32_t visits = h->info.is_gpu ? 50000000 : 12000;
	if (h->info.machine == WEIR_MACHINE_OPENCL && !h->info.is_gpu)
		visits = 20000;
	if (h->small)
		visits /= h->info.is_gpu ? 1000 : 6;
	if (h->small && h->sound_only && !h->info.is_gpu)
		visits /= 3; /* under a sanitizer */
	uint32_t rounds = visits / threads;
	return rounds > most ? most : rounds < 8 ? 8 : rounds;
}

uint32_t harness_rounds_in_turn(const harness *h, uint32_t threads, uint32_t turns, uint32_t most)
{
	return harness_rounds(h, h->info.is_gpu ? threads : threads * (1 + turns / 4), most);
}

uint32_t harness_contended_rounds(const harness *h, uint32_t lockers, uint32_t squares,
                                  uint32_t most)
{
	if (!h->info.is_gpu)
		return harness_rounds(h, lockers * (4 + lockers / 4), most);
	uint64_t rounds = squares / ((uint64_t)lockers * lockers);
	if (h->small && most > 50)
		most = 50;
	return rounds > most ? most : rounds < 1 ? 1 : (uint32_t)rounds;
}

uint32_t harness_item_rounds(const harness *h, uint32_t producers, uint32_t most)
{
	uint32_t items = h->info.is_gpu ? 10000 : 1000;
	uint32_t rounds;

	if (h->small)
		items /= h->info.is_gpu ? 5 : 2;
	rounds = items / producers;
	return rounds > most ? most : rounds < 2 ? 2 : rounds;
}

void harness_run(harness *h, const harness_launch *launch, int keep)
{
	weir_argument arguments[] = {{&launch->words, sizeof launch->words},
	                             {&h->data.native, sizeof h->data.native},
	                             {&launch->params, sizeof launch->params}};
	weir_launch order = {.kernel = find(h, launch->kernel),
	                     .grid = {launch->grid[0], launch->grid[1], launch->grid[2]},
	                     .block = {launch->threads},
	                     .cluster = {launch->cluster},
	                     .cooperative = launch->together,
	                     .arguments = arguments,
	                     .argument_count = 3};
	if (!keep) {
		memset(h->copy, 0, h->data_bytes);
		harness_need(weir_buffer_write(h->device, h->data, 0, h->copy, h->data_bytes),
		             "weir_buffer_write");
	}
	harness_need(weir_kernel_launch(h->device, &order), launch->kernel);
	harness_need(weir_device_wait(h->device, DEADLINE_NS, NULL), launch->kernel);
	harness_need(weir_buffer_read(h->device, h->data, 0, h->copy, h->data_bytes),
	             "weir_buffer_read");
}

int harness_runs_alone(harness *h, const harness_launch *like, const char *kernel)
{
	harness_launch alone = *like;

	alone.kernel = kernel;
	alone.grid[0] = 1;
	alone.cluster = 0;
	harness_run(h, &alone, 0);
	return h->copy[HARNESS_ERRORS] == 0;
}

int harness_words_are(const harness *h, uint32_t count, uint32_t value)
{
	for (uint32_t i = 0; i < count; i++)
		if (h->copy[HARNESS_DATA + i] != value)
			return 0;
	return h->copy[HARNESS_ERRORS] == 0;
}

harness_place harness_place_of(harness *h, size_t bytes, size_t alignment)
{
	harness_place place = {.behind = 0};

	bytes = (bytes + alignment - 1) / alignment * alignment;
	harness_need(weir_buffer_create(h->device, bytes + alignment, &place.memory),
	             "weir_buffer_create");
	place.behind = (uint32_t)(bytes / sizeof(weir_word));
	place.options.memory = place.memory.native;
	place.options.memory_bytes = bytes;
	return place;
}

void harness_verdict(harness *h, int right, int must_fail, const char *format, ...)
{
	va_list arguments;
	int passed = must_fail ? !right : right;

	h->unnoticed = must_fail && right && h->again > 0;
	if (passed)
		h->passed++;
	else if (!h->unnoticed)
		h->failed++;
	printf("%s %s ", passed ? "ok    " : h->unnoticed ? "again " : "FAILED", h->name);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf("%s\n", !must_fail ? ""
	               : passed   ? ", taken out: noticed"
	                          : ", taken out: NOT noticed");
}
