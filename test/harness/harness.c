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
#define LINE_BYTES 128
#define HEADER_WORDS 32 /* before the words of a diagnosed object */

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
	    "  --device NAME  cuda:N, opencl:N, ptx or host (default: host)\n"
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
	if (harness_is_cuda(h) && !text->cuda_image) {
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

const weir_kind *harness_kind(const harness *h, enum weir_primitive primitive,
                              const weir_kind *before)
{
	size_t index = 0;
	const weir_kind *kind;

	while (before && weir_kind_at(primitive, index) != before)
		index++;
	for (index += before != NULL; (kind = weir_kind_at(primitive, index)); index++) {
		if (weir_kind_runs(h->device, kind))
			return kind;
		if (kind->role != WEIR_BY_VENDOR)
			printf("       %s %s: not on %s\n", weir_primitive_id(primitive),
			       kind->name, h->info.name);
	}
	return NULL;
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
	harness_need(weir_kernel_resident_blocks(h->device, find(h, kernel), threads, 0, &blocks),
	             "weir_kernel_resident_blocks");
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
	if (h->info.machine == WEIR_MACHINE_PTX)
		visits = 4000; /* its threads are interpreted, all by one core */
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
	uint32_t items = h->info.is_gpu ? 10000 : h->info.machine == WEIR_MACHINE_PTX ? 120 : 1000;
	uint32_t rounds;

	if (h->small)
		items /= h->info.is_gpu ? 5 : 2;
	rounds = items / producers;
	return rounds > most ? most : rounds < 2 ? 2 : rounds;
}

/* The kernel has ended without a mistake: no block waits or holds anything. */
static void check_notes(harness *h, const char *kernel)
{
	weir_diagnosis report;
	weir_status status = weir_device_diagnose(h->device, &report);

	if (status == WEIR_NOT_FOUND)
		return; /* no object is diagnosed */
	harness_need(status, "weir_device_diagnose");
	if (report.waiting != 0 || report.findings != 0) {
		h->failed++;
		printf("FAILED %s: %s has left notes\n%s", h->name, kernel, report.text);
	}
	weir_diagnosis_destroy(&report);
}

void harness_run(harness *h, const harness_launch *launch, int keep)
{
	harness_params params = launch->params;
	weir_argument arguments[] = {{&launch->words, sizeof launch->words},
	                             {&h->data.native, sizeof h->data.native},
	                             {&params, sizeof params}};
	weir_launch order = {.kernel = find(h, launch->kernel),
	                     .grid = {launch->grid[0], launch->grid[1], launch->grid[2]},
	                     .block = {launch->threads},
	                     .cluster = {launch->cluster},
	                     .cooperative = launch->together,
	                     .arguments = arguments,
	                     .argument_count = 3};
	if (launch->mistakes)
		params.config.object.id = params.second.object.id = 0;
	if (!keep) {
		memset(h->copy, 0, h->data_bytes);
		harness_need(weir_buffer_write(h->device, h->data, 0, h->copy, h->data_bytes),
		             "weir_buffer_write");
	}
	harness_need(weir_kernel_launch(h->device, &order), launch->kernel);
	harness_need(weir_device_wait(h->device, DEADLINE_NS, NULL), launch->kernel);
	harness_need(weir_buffer_read(h->device, h->data, 0, h->copy, h->data_bytes),
	             "weir_buffer_read");
	if (!launch->mistakes && !launch->params.without)
		check_notes(h, launch->kernel);
}

int harness_runs_alone(harness *h, const harness_launch *like, const char *kernel)
{
	harness_launch alone = *like;

	alone.kernel = kernel;
	alone.grid[0] = 1;
	alone.cluster = 0;
	alone.mistakes = 1;
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

int harness_in_order(const harness *h, uint32_t count, uint32_t apart)
{
	const uint32_t *list = h->copy + HARNESS_DATA;
	int right = list[0] == count && h->copy[HARNESS_ERRORS] == 0;

	for (uint32_t i = 0; i < count && right; i++)
		right = list[1 + i] == i * apart;
	return right;
}

/* The primitives: how each is created, and the arguments besides options and result. The same arguments determine
 * the size. */
#define OBJECTS(X)                                                                                 \
	X(BARRIER, barrier, d, o->count)                                                           \
	X(MUTEX, mutex, d)                                                                         \
	X(MUTEX_ARRAY, mutex_array, d, o->count)                                                   \
	X(SEMAPHORE, semaphore, d, o->initial, o->count)                                           \
	X(GROUP, group, d, o->count)                                                               \
	X(EVENT_ARRAY, event_array, d, o->count)                                                   \
	X(QUEUE, queue, d, o->count, o->words * sizeof(uint32_t))                                  \
	X(DISPENSER, dispenser, d, o->count)                                                       \
	X(TASKS, tasks, d, o->graph)                                                               \
	X(CONDITION, condition, d)                                                                 \
	X(RWLOCK, rwlock, d)                                                                       \
	X(ONCE, once, d)                                                                           \
	X(COMBINER, combiner, d, o->count)

/* The options of the order, and its kind. */
static weir_any_options options_of(const harness_order *o)
{
	weir_any_options options = o->options;

	if (weir_kind_at(o->primitive, 0))
		options.of_kind.kind = o->kind;
	return options;
}

static weir_status create(weir_device *d, const harness_order *o, const weir_any_options *options,
                          harness_object *made)
{
	switch (o->primitive) {
#define ROW(NAME, member, ...)                                                                     \
	case WEIR_PRIMITIVE_##NAME:                                                                \
		return weir_##member##_create(__VA_ARGS__, &options->member, &made->is.member);
		OBJECTS(ROW)
#undef ROW
	default:
		return WEIR_BAD_ARGUMENT;
	}
}

static weir_status size(weir_device *d, const harness_order *o, size_t *bytes, size_t *alignment)
{
	const weir_any_options options = options_of(o);

	switch (o->primitive) {
#define ROW(NAME, member, ...)                                                                     \
	case WEIR_PRIMITIVE_##NAME:                                                                \
		return weir_##member##_size(__VA_ARGS__, &options.member, bytes, alignment);
		OBJECTS(ROW)
#undef ROW
	default:
		return WEIR_BAD_ARGUMENT;
	}
}

static weir_status destroy(weir_device *d, harness_object *o)
{
	switch (o->primitive) {
#define ROW(NAME, member, ...)                                                                     \
	case WEIR_PRIMITIVE_##NAME:                                                                \
		return weir_##member##_destroy(d, &o->is.member);
		OBJECTS(ROW)
#undef ROW
	default:
		return WEIR_BAD_ARGUMENT;
	}
}

static void make_at(harness *h, const harness_order *order, const weir_any_options *options,
                    harness_object *made)
{
	made->primitive = order->primitive;
	harness_need(create(h->device, order, options, made),
	             weir_primitive_name(order->primitive));
	made->launch = (harness_launch){
	    .words = made->is.any.words,
	    .params = {.without = (uint32_t)order->without, .hold = order->without ? 20 : 1},
	    .grid = {1, 1, 1},
	    .threads = 1};
	made->launch.params.config = made->is.any.config;
}

/* Rounded up to whole cache lines. */
static size_t room_for(harness *h, const harness_order *order)
{
	size_t bytes, alignment;

	harness_need(size(h->device, order, &bytes, &alignment),
	             weir_primitive_name(order->primitive));
	return (bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
}

harness_object harness_make_one(harness *h, const harness_order *order)
{
	weir_any_options options = options_of(order);
	harness_object made = {.launch = {.kernel = NULL}};

	if (!order->behind || options.object.memory) {
		make_at(h, order, &options, &made);
		return made;
	}
	size_t bytes = room_for(h, order);
	harness_need(
	    weir_buffer_create(h->device, bytes + order->behind * sizeof(weir_word), &made.memory),
	    "weir_buffer_create");
	options.object.memory = made.memory.native;
	options.object.memory_bytes = bytes;
	make_at(h, order, &options, &made);
	/* A diagnosed object has a header before its words. */
	made.launch.params.second.object.offset =
	    (uint32_t)(bytes / sizeof(weir_word)) - (options.object.diagnose ? HEADER_WORDS : 0);
	return made;
}

void harness_make_some(harness *h, const harness_order *orders, uint32_t count,
                       harness_object *objects)
{
	size_t all = 0, at = 0;
	weir_buffer memory;

	for (uint32_t i = 0; i < count; i++)
		all += room_for(h, &orders[i]);
	harness_need(weir_buffer_create(h->device, all, &memory), "weir_buffer_create");
	for (uint32_t i = 0; i < count; i++) {
		weir_any_options options = options_of(&orders[i]);

		options.object.memory = memory.native;
		options.object.memory_offset = at;
		options.object.memory_bytes = room_for(h, &orders[i]);
		make_at(h, &orders[i], &options, &objects[i]);
		objects[i].memory = memory;
		objects[i].at = (uint32_t)(at / sizeof(weir_word));
		at += options.object.memory_bytes;
	}
	if (count == 1)
		return;
	/* On OpenCL the second one is at the offset. */
	objects[0].launch.params.second = objects[1].is.any.config;
	objects[0].launch.params.second.object.offset = objects[1].at;
}

void harness_unmake_row(harness *h, harness_object *objects, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		harness_need(destroy(h->device, &objects[i]), "destruction");
	if (objects->memory.native)
		harness_need(weir_buffer_destroy(h->device, &objects->memory),
		             "weir_buffer_destroy");
}

void harness_unmake(harness *h, harness_object *object)
{
	harness_unmake_row(h, object, 1);
}

int harness_lacks(harness *h, const char *name, const harness_order *order)
{
	size_t bytes, alignment;

	if (size(h->device, order, &bytes, &alignment) != WEIR_UNSUPPORTED)
		return 0;
	printf("       %s: %s, left out\n", name, weir_error_text());
	return 1;
}

void harness_run_grid(harness *h, harness_object *object, const char *kernel, uint32_t blocks,
                      uint32_t threads, int together)
{
	object->launch.kernel = kernel;
	object->launch.grid[0] = blocks;
	object->launch.threads = threads;
	object->launch.together = together;
	harness_run(h, &object->launch, 0);
}

static int skip(harness *h, const char *why)
{
	printf("skipped: %s on %s\n", why, h->info.name);
	harness_close(h);
	return HARNESS_SKIPPED;
}

int harness_go(harness *h, const harness_family *family)
{
	weir_kernel kernel;
	size_t bytes, alignment;

	if (family->clock && weir_program_kernel(h->program, family->clock, &kernel) != WEIR_OK)
		return skip(h, "kernels have no clock");
	if (family->needs && size(h->device, family->needs, &bytes, &alignment) == WEIR_UNSUPPORTED)
		return skip(h, weir_error_text());
	if (family->all)
		family->all(h);
	for (int out = 0; out < (h->sound_only ? 1 : 2); out++) {
		void (*test)(harness * h, const weir_kind *kind) =
		    out ? family->kind_without : family->kind;

		if (!test)
			continue;
		HARNESS_KINDS (h, family->primitive, kind)
			test(h, kind);
	}
	if (family->without && !h->sound_only)
		family->without(h);
	return harness_close(h);
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
