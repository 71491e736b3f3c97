/* The cuda backend over the fake driver: the calls that it makes, and how it handles the answers,
 * on a computer without a GPU. With TEST_HIP it is the hip backend over the fake runtime of
 * test/fake/runtime.c, which keeps the same record. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/backend.h"
#include "fake/driver.h"

static fake_driver *fake;
static int failures;
#ifdef TEST_HIP
#define LIBRARY "libamdhip64.so.7"
#define IMAGE hip_image
#define PREFIX "hip"
#define VERSION "HIP 6.2"
#define HAS_CLUSTERS 0
#define CONTEXTS 0 /* the runtime has a current device, and nothing to release */
static const weir_backend *const cuda = &weir_hip_backend;
#else
#define LIBRARY "libcuda.so.1"
#define IMAGE cuda_image
#define PREFIX "cuda"
#define VERSION "CUDA 13.1"
#define HAS_CLUSTERS 1
#define CONTEXTS 1
static const weir_backend *const cuda = &weir_cuda_backend;
#endif

/* In addition, every call must leave the caller's context as it was, and none may hang. */
#define CHECK(condition)                                                                           \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			printf("line %d: %s\n  (last error: %s)\n", __LINE__, #condition,          \
			       weir_error_text());                                                 \
			failures++;                                                                \
		}                                                                                  \
		if (fake->depth != 0 || fake->misplaced != 0 || fake->hung != 0) {                 \
			printf("line %d: depth %d, misplaced %d, hung %d\n", __LINE__,             \
			       fake->depth, fake->misplaced, fake->hung);                          \
			fake->depth = fake->misplaced = fake->hung = 0;                            \
			failures++;                                                                \
		}                                                                                  \
	} while (0)

static void *open_device(uint32_t index)
{
	weir_device_info info;
	void *state = NULL;

	CHECK(cuda->open(index, &state, &info) == WEIR_OK);
	if (!state)
		exit(1);
	return state;
}

static void *list_in_thread(void *unused)
{
	size_t count = 0;
	(void)unused;
	cuda->list(NULL, 0, &count);
	return NULL;
}

static void lists_devices(void)
{
	weir_device_info infos[2];
	pthread_t threads[8];
	size_t count = 0;

	for (int i = 0; i < 8; i++)
		pthread_create(&threads[i], NULL, list_in_thread, NULL);
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	memset(infos, 'x', sizeof infos);
	CHECK(strcmp(cuda->list(infos, 1, &count), "") == 0);
	CHECK(count == 2 && infos[1].name[0] == 'x');
	CHECK(strcmp(cuda->list(infos, 2, &count), "") == 0);
	CHECK(fake->inits == 1);
	CHECK(strcmp(infos[0].name, PREFIX ":0") == 0 && strcmp(infos[1].name, PREFIX ":1") == 0);
	CHECK(strcmp(infos[1].description, "Fake 12") == 0);
	CHECK(!memchr(infos[1].description, 'x', sizeof infos[1].description));
	CHECK(!memchr(infos[1].driver, 'x', sizeof infos[1].driver));
	CHECK(strcmp(infos[0].driver, VERSION) == 0);
	CHECK(infos[0].is_gpu && infos[0].units == 132 && infos[0].max_threads_per_block == 1024);
	CHECK(infos[0].resident_blocks_at_128 == 132 * 16 && infos[0].l2_bytes == 50 << 20);
	CHECK(infos[0].cluster_blocks == 8 * HAS_CLUSTERS && infos[1].cluster_blocks == 0);
}

static void opens_and_closes(void)
{
	weir_device_info info;
	void *state = NULL;

	CHECK(cuda->open(2, &state, &info) == WEIR_NO_DEVICE && !state);
	state = open_device(0);
	CHECK(fake->contexts == CONTEXTS && fake->streams == 1 && fake->events == 2);
	CHECK(cuda->most_blocks(state) == 132 * 32);
	cuda->close(state);
	CHECK(fake->contexts == 0 && fake->streams == 0 && fake->events == 0);
}

static void moves_memory(void)
{
	void *state = open_device(0);
	void *memory = NULL;
	char text[16] = "unread";

	CHECK(cuda->allocate(state, 64, &memory) == WEIR_OK);
	CHECK(cuda->read(state, memory, 60, text, 4) == WEIR_OK &&
	      memcmp(text, "\0\0\0\0", 4) == 0);
	CHECK(cuda->write(state, memory, 8, "weir", 5) == WEIR_OK);
	CHECK(cuda->read(state, memory, 8, text, 5) == WEIR_OK && strcmp(text, "weir") == 0);
	CHECK(cuda->release(state, memory) == WEIR_OK && fake->memories == 0);
	fake->allocate_result = WEIR_CUDA_ERROR_OUT_OF_MEMORY;
	CHECK(cuda->allocate(state, 64, &memory) == WEIR_NO_MEMORY);
	CHECK(strstr(weir_error_text(), "CUDA_ERROR_OUT_OF_MEMORY") != NULL);
	fake->allocate_result = WEIR_CUDA_SUCCESS;
	cuda->close(state);
}

#ifndef TEST_HIP
/* Memory for other processes, and of other devices. */
static void reaches_memory(void)
{
	unsigned char handle[WEIR_BACKEND_HANDLE] = {0};
	void *state = open_device(0), *other = open_device(0);
	void *memory = NULL, *imported = NULL;

	CHECK(cuda->area_open(state, 64, &memory) == WEIR_OK);
	CHECK(cuda->export_memory(state, memory, handle) == WEIR_OK && fake->exports == 1);
	CHECK(memcmp(handle, &memory, sizeof memory) == 0);
	CHECK(cuda->import_memory(other, handle, &imported) == WEIR_OK && imported);
	CHECK(fake->imports == 1);
	CHECK(cuda->drop_memory(other, imported) == WEIR_OK && fake->imports == 0);
	fake->import_result = WEIR_CUDA_ERROR_INVALID_HANDLE;
	CHECK(cuda->import_memory(other, handle, &imported) == WEIR_BAD_ARGUMENT);
	CHECK(strstr(weir_error_text(), "opening memory of another process") != NULL);
	fake->import_result = WEIR_CUDA_SUCCESS;
	CHECK(cuda->reach(state, other) == WEIR_OK && fake->peers == 1);
	fake->peer_result = WEIR_CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
	CHECK(cuda->reach(state, other) == WEIR_OK);
	fake->peer_result = WEIR_CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
	CHECK(cuda->reach(state, other) == WEIR_UNSUPPORTED);
	fake->peer_result = WEIR_CUDA_SUCCESS;
	cuda->area_close(state, memory);
	cuda->close(other);
	cuda->close(state);
	CHECK(fake->memories == 0 && fake->streams == 0);
}
#endif

/* Pinned memory: freed at once, or when no kernel runs any more. */
static void shares_memory(void)
{
	void *state = open_device(0);
	void *memory = NULL;
	int atomics = -1;

	CHECK(cuda->share(state, 64, &memory, &atomics) == WEIR_OK && atomics == 0);
	CHECK(fake->pinned == 1 && fake->memories == 0);
	CHECK(memory && memcmp(memory, "\0\0\0\0", 4) == 0 && ((char *)memory)[63] == 0);
	CHECK(cuda->settle(state) == WEIR_OK);
	CHECK(cuda->unshare(state, memory) == WEIR_OK && fake->pinned == 0);
	CHECK(cuda->share(state, 64, &memory, &atomics) == WEIR_OK);
	fake->stream_status = WEIR_CUDA_ERROR_NOT_READY;
	CHECK(cuda->wait(state, 1, NULL) == WEIR_TIMED_OUT);
	CHECK(cuda->settle(state) == WEIR_BUSY);
	CHECK(cuda->unshare(state, memory) == WEIR_OK && fake->pinned == 1);
	CHECK(cuda->share(state, 64, &memory, &atomics) == WEIR_BUSY);
	fake->stream_status = WEIR_CUDA_SUCCESS;
	fake->allocate_result = WEIR_CUDA_ERROR_OUT_OF_MEMORY;
	CHECK(cuda->share(state, 64, &memory, &atomics) == WEIR_NO_MEMORY && !memory);
	CHECK(strstr(weir_error_text(), "pinned") != NULL);
	fake->allocate_result = WEIR_CUDA_SUCCESS;
	cuda->close(state);
	CHECK(fake->pinned == 0);
	fake->host_atomics = 1;
	state = open_device(0);
	CHECK(cuda->share(state, 64, &memory, &atomics) == WEIR_OK && atomics == 1);
	CHECK(cuda->unshare(state, memory) == WEIR_OK);
	fake->host_atomics = 0;
	cuda->close(state);
}

static void loads_programs(void)
{
	void *state = open_device(0);
	weir_program_text text;
	weir_kernel kernel = {NULL, NULL};
	void *module = NULL;

	memset(&text, 0, sizeof text);
	CHECK(cuda->load(state, &text, &module) == WEIR_UNSUPPORTED);
	text.IMAGE = "bad";
	CHECK(cuda->load(state, &text, &module) == WEIR_BAD_PROGRAM);
#ifdef TEST_HIP
	CHECK(strstr(weir_error_text(), "loading a HIP program: ") != NULL);
#else
	CHECK(strstr(weir_error_text(), "fake ptxas, line 7 error: CUDA_ERROR_INVALID_PTX") !=
	      NULL);
#endif
	text.IMAGE = "good";
	CHECK(cuda->load(state, &text, &module) == WEIR_OK);
	CHECK(cuda->kernel(state, module, "stop", &kernel) == WEIR_NOT_FOUND && !kernel.native);
#ifdef TEST_HIP
	CHECK(strcmp(weir_error_text(), "the program has no kernel 'stop'; its driver cannot list "
	                                "those that it has") == 0);
#else
	CHECK(strcmp(weir_error_text(),
	             "the program has no kernel 'stop'; it has step, _Z4scanPf") == 0);
#endif
	CHECK(cuda->kernel(state, module, "step", &kernel) == WEIR_OK && kernel.native);
	cuda->unload(state, module);
	CHECK(fake->modules == 0);
	cuda->close(state);
}

/* Kernels with headers of another series are refused when they are loaded, and recognized by their
 * module. */
static void finds_versions(void)
{
	weir_program_text text = {.IMAGE = "good"};
	weir_kernel kernel = {NULL, NULL};
	void *state = open_device(0);
	void *module = NULL;

	CHECK(cuda->load(state, &text, &module) == WEIR_OK);
	CHECK(cuda->kernel(state, module, "step", &kernel) == WEIR_OK);
	CHECK(cuda->series(state, kernel) == 0);
	fake->series = WEIR_VERSION_SERIES;
	CHECK(cuda->series(state, kernel) == WEIR_VERSION_SERIES);
	fake->series = 99001;
	CHECK(cuda->series(state, kernel) == 99001);
	cuda->unload(state, module);
	fake->series = WEIR_VERSION_SERIES;
	CHECK(cuda->load(state, &text, &module) == WEIR_OK && fake->modules == 1);
	cuda->unload(state, module);
	fake->series = 99001;
	CHECK(cuda->load(state, &text, &module) == WEIR_OTHER_VERSION && fake->modules == 0);
	CHECK(strstr(weir_error_text(), "the headers of weir 99.1, ") != NULL);
	CHECK(strstr(weir_error_text(), "the library is weir " WEIR_VERSION) != NULL);
	fake->module_result = WEIR_CUDA_ERROR_INVALID_HANDLE;
	CHECK(cuda->series(state, kernel) == 0);
	fake->module_result = WEIR_CUDA_SUCCESS;
	fake->series = 0;
	cuda->close(state);
}

static void finds_kinds(void)
{
	static const char *const globals[] = {"_Z18weir_kernels_have_ILi3ELi1EE", "other",
	                                      "_Z18weir_kernels_have_ILi3ELi31EE",
	                                      "_Z18weir_kernels_have_ILi4ELi0EE", NULL};
	const weir_program_text text = {.IMAGE = "good"};
	weir_kernel kernel = {NULL, NULL};
	weir_kernel none = {NULL, NULL};
	void *state = open_device(0);
	void *module = NULL;

	CHECK(cuda->load(state, &text, &module) == WEIR_OK);
	CHECK(cuda->kernel(state, module, "step", &kernel) == WEIR_OK);
	fake->globals = globals;
	CHECK(cuda->listed(state, kernel, 3, UINT32_MAX) == (1u << 1 | 1u << 31));
	CHECK(cuda->listed(state, kernel, 3, 1u << 1) == 1u << 1);
	CHECK(cuda->listed(state, kernel, 3, 1u << 2) == 0);
	CHECK(cuda->listed(state, kernel, 4, UINT32_MAX) == 1);
	CHECK(cuda->listed(state, kernel, 2, UINT32_MAX) == 0);
	CHECK(cuda->listed(state, none, 3, UINT32_MAX) == 0);
#ifdef TEST_HIP
	/* The runtime cannot tell the module of a kernel. weir knows it as long as the program
	 * exists. */
	cuda->unload(state, module);
	CHECK(cuda->listed(state, kernel, 3, UINT32_MAX) == 0);
#else
	fake->module_result = WEIR_CUDA_ERROR_INVALID_HANDLE;
	CHECK(cuda->listed(state, kernel, 3, UINT32_MAX) == 0);
	fake->module_result = WEIR_CUDA_SUCCESS;
	cuda->unload(state, module);
#endif
	fake->globals = NULL;
	cuda->close(state);
}

static void counts_residents(void)
{
	void *state = open_device(0);
	weir_kernel kernel = {(void *)0x81, NULL};
	weir_kernel none = {NULL, NULL};
	uint32_t blocks = 0;

	fake->allowed_shared = 47 << 10;
	CHECK(cuda->resident(state, kernel, 256, 0, &blocks) == WEIR_OK && blocks == 132 * 8);
	CHECK(fake->allowed_shared == 47 << 10);
	CHECK(cuda->resident(state, kernel, 256, 100 << 10, &blocks) == WEIR_OK &&
	      blocks == 132 * 2);
	CHECK(fake->allowed_shared == (HAS_CLUSTERS ? 100 : 47) << 10);
	CHECK(cuda->resident(state, kernel, 256, 60 << 10, &blocks) == WEIR_OK);
	CHECK(fake->allowed_shared == (HAS_CLUSTERS ? 100 : 47) << 10);
	CHECK(cuda->resident(state, kernel, 256, 227 << 10, &blocks) == WEIR_BAD_ARGUMENT);
	CHECK(cuda->resident(state, kernel, 256, SIZE_MAX, &blocks) == WEIR_BAD_ARGUMENT);
	CHECK(cuda->resident(state, kernel, 513, 0, &blocks) == WEIR_BAD_ARGUMENT);
	CHECK(strstr(weir_error_text(), "the kernel allows 512") != NULL);
	CHECK(cuda->resident(state, kernel, 2048, 0, &blocks) == WEIR_BAD_ARGUMENT);
	CHECK(strstr(weir_error_text(), "the device allows 1024") != NULL);
	CHECK(cuda->resident(state, none, 32, 0, &blocks) == WEIR_BAD_ARGUMENT);
	cuda->close(state);
}

/* A context may have only part of the multiprocessors; every count is then of that part. */
static void counts_in_a_part(void)
{
	weir_kernel kernel = {(void *)0x81, NULL};
	weir_device_info info;
	void *state = NULL;
	uint32_t blocks = 0;

	fake->context_units = 66;
	CHECK(cuda->open(0, &state, &info) == WEIR_OK);
	CHECK(info.units == 66 && info.resident_blocks_at_128 == 66 * 16);
	CHECK(cuda->most_blocks(state) == 66 * 32);
	CHECK(cuda->resident(state, kernel, 256, 0, &blocks) == WEIR_OK && blocks == 66 * 8);
	cuda->close(state);
	fake->context_units = 0;
}

#if HAS_CLUSTERS
/* A kernel that was compiled for clusters has only the blocks of the whole clusters that fit. */
static void counts_compiled_clusters(void)
{
	static const int cluster[3] = {3, 2, 1};
	weir_kernel kernel = {(void *)0x81, NULL};
	void *state = open_device(0);
	void *unfit = open_device(1);
	uint32_t blocks = 0;

	memcpy(fake->compiled_cluster, cluster, sizeof cluster);
	CHECK(cuda->resident(state, kernel, 64, 0, &blocks) == WEIR_OK && blocks == 528);
	fake->compiled_cluster[0] = 1;
	fake->compiled_cluster[1] = 5;
	CHECK(cuda->resident(state, kernel, 64, 0, &blocks) == WEIR_OK && blocks == 525);
	CHECK(cuda->resident(unfit, kernel, 64, 0, &blocks) == WEIR_OK && blocks == 132 * 32);
	memset(fake->compiled_cluster, 0, sizeof fake->compiled_cluster);
	cuda->close(unfit);
	cuda->close(state);
}
#endif

/* A launch of 2 x 3 blocks of 64 threads with one argument. */
static weir_status launch_with(void *state, void *stream, int cooperative, const void *value)
{
	weir_argument argument = {value, sizeof(int)};
	weir_launch asked;
	weir_checked_launch checked = {.asked = &asked,
	                               .grid = {2, 3, 1},
	                               .block = {64, 1, 1},
	                               .blocks = 6,
	                               .threads = 64,
	                               .cooperative = cooperative,
	                               .cluster = {1, 1, 1},
	                               .cluster_blocks = 1};

	memset(&asked, 0, sizeof asked);
	asked.kernel.native = (void *)0x81;
	asked.shared_bytes = 256;
	asked.stream = stream;
	asked.arguments = &argument;
	asked.argument_count = 1;
	return cuda->launch(state, &checked);
}

static weir_status launch(void *state, void *stream, int cooperative)
{
	static const int value = 42;
	return launch_with(state, stream, cooperative, &value);
}

static void launches(void)
{
	void *state = open_device(0);
	void *unfit = open_device(1);
	double ms = -1;

	CHECK(cuda->wait(state, 0, &ms) == WEIR_OK && ms == 0);
	CHECK(launch(state, NULL, 0) == WEIR_OK);
	CHECK(fake->plain == 1 && fake->records == 2 && fake->launch_argument == 42);
	CHECK(fake->launch_stream == (cuda_stream)0x51 && fake->launch_shared == 256);
	CHECK(fake->launch_grid[0] == 2 && fake->launch_grid[1] == 3 && fake->launch_grid[2] == 1);
	CHECK(fake->launch_block[0] == 64 && fake->launch_block[2] == 1);
	CHECK(cuda->wait(state, 0, &ms) == WEIR_OK && ms == 1.5);
	CHECK(launch(state, (void *)0x99, 1) == WEIR_OK);
	CHECK(fake->cooperative == 1 && fake->records == 2);
	CHECK(fake->launch_stream == (cuda_stream)0x99);
	fake->launch_result = WEIR_CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
	CHECK(launch(state, NULL, 1) == WEIR_TOO_MANY_BLOCKS);
	fake->launch_result = WEIR_CUDA_SUCCESS;
	CHECK(launch_with(state, NULL, 0, NULL) == WEIR_BAD_ARGUMENT && fake->plain == 1);
	CHECK(launch(unfit, NULL, 1) == WEIR_UNSUPPORTED && fake->cooperative == 2);
	cuda->close(unfit);
	cuda->close(state);
}

#if HAS_CLUSTERS
/* A launch of 32 x 2 blocks in clusters of `width` x 2. */
static weir_status launch_clusters(void *state, uint32_t width, int cooperative, uint32_t *clusters)
{
	static const int value = 43;
	weir_argument argument = {&value, sizeof value};
	weir_launch asked = {
	    .kernel = {(void *)0x81, NULL}, .arguments = &argument, .argument_count = 1};
	weir_checked_launch checked = {.asked = &asked,
	                               .grid = {32, 2, 1},
	                               .block = {64, 1, 1},
	                               .blocks = 64,
	                               .threads = 64,
	                               .cooperative = cooperative,
	                               .cluster = {width, 2, 1},
	                               .cluster_blocks = width * 2};
	weir_status status = cuda->clusters(state, &checked, clusters);

	return status == WEIR_OK ? cuda->launch(state, &checked) : status;
}

static void launches_clusters(void)
{
	void *state = open_device(0);
	void *unfit = open_device(1);
	int cooperative = fake->cooperative;
	int plain = fake->plain;
	uint32_t clusters = 0;

	CHECK(launch_clusters(state, 2, 0, &clusters) == WEIR_OK && clusters == 132);
	CHECK(fake->clustered == 1 && fake->plain == plain && fake->cooperative == cooperative);
	CHECK(fake->launch_cluster[0] == 2 && fake->launch_cluster[1] == 2 &&
	      fake->launch_cluster[2] == 1);
	CHECK(fake->launch_grid[0] == 32 && fake->launch_grid[1] == 2);
	CHECK(fake->launch_block[0] == 64 && fake->launch_stream == (cuda_stream)0x51);
	CHECK(fake->launch_argument == 43);
	CHECK(launch_clusters(state, 4, 1, &clusters) == WEIR_OK && clusters == 66);
	CHECK(fake->clustered == 2 && fake->cooperative == cooperative + 1);
	CHECK(fake->allowed_large_clusters == 0);
	CHECK(launch_clusters(state, 8, 0, &clusters) == WEIR_OK && clusters == 33);
	CHECK(fake->allowed_large_clusters == 1 && fake->clustered == 3);
	CHECK(launch_clusters(state, 16, 0, &clusters) == WEIR_BAD_ARGUMENT);
	CHECK(strstr(weir_error_text(), "clusters of 32 blocks") != NULL);
	CHECK(launch_clusters(unfit, 2, 0, &clusters) == WEIR_UNSUPPORTED);
	CHECK(fake->clustered == 3);
	cuda->close(unfit);
	cuda->close(state);
}
#endif

static void waits(void)
{
	void *state = open_device(0);
	void *first = NULL;
	void *second = NULL;
	double ms = -1;
	char byte;

	CHECK(cuda->allocate(state, 8, &first) == WEIR_OK);
	CHECK(cuda->allocate(state, 8, &second) == WEIR_OK);
	CHECK(launch(state, NULL, 0) == WEIR_OK);
	fake->busy_queries = 50;
	CHECK(cuda->wait(state, 0, &ms) == WEIR_OK && ms == 1.5 && fake->busy_queries == 0);

	fake->stream_status = WEIR_CUDA_ERROR_NOT_READY;
	CHECK(cuda->wait(state, 2000000, &ms) == WEIR_TIMED_OUT);
	CHECK(cuda->read(state, first, 0, &byte, 1) == WEIR_BUSY);
	CHECK(cuda->write(state, first, 0, &byte, 1) == WEIR_BUSY);
	CHECK(cuda->release(state, first) == WEIR_OK && fake->memories == 2);
	fake->stream_status = WEIR_CUDA_SUCCESS;
	CHECK(cuda->read(state, second, 0, &byte, 1) == WEIR_OK);
	CHECK(cuda->release(state, second) == WEIR_OK && fake->memories == 0);
	cuda->close(state);
	CHECK(fake->contexts == 0 && fake->streams == 0);
}

/* A diagnosis reads and writes while a kernel runs that never ends. */
static void looks_beside_a_kernel(void)
{
	void *state = open_device(0);
	void *area = NULL;
	char text[8] = "unread";

	fake->idle_stream = (cuda_stream)0x52;
	CHECK(cuda->area_open(state, 64, &area) == WEIR_OK && fake->streams == 2);
	CHECK(launch(state, NULL, 0) == WEIR_OK);
	fake->stream_status = WEIR_CUDA_ERROR_NOT_READY;
	CHECK(cuda->wait(state, 2000000, NULL) == WEIR_TIMED_OUT);
	CHECK(cuda->poke(state, area, 8, "weir", 5) == WEIR_OK);
	CHECK(cuda->peek(state, area, 8, text, 5) == WEIR_OK && strcmp(text, "weir") == 0);
	fake->stream_status = WEIR_CUDA_SUCCESS;
	cuda->area_close(state, area);
	cuda->close(state);
	CHECK(fake->memories == 0 && fake->contexts == 0 && fake->streams == 0);
	fake->idle_stream = NULL;
}

static void closes_under_a_running_kernel(void)
{
	void *state = open_device(0);
	void *memory = NULL;

	CHECK(cuda->allocate(state, 8, &memory) == WEIR_OK);
	fake->stream_status = WEIR_CUDA_ERROR_NOT_READY;
	CHECK(cuda->release(state, memory) == WEIR_OK);
	cuda->unload(state, (void *)0x71);
	cuda->close(state);
	CHECK(fake->memories == 1 && fake->contexts == CONTEXTS && fake->streams == 1);
	fake->memories = fake->contexts = fake->streams = fake->events = 0;
	fake->stream_status = WEIR_CUDA_SUCCESS;
}

static void reports_a_trap(void)
{
	void *state = open_device(0);
	void *memory = NULL;
	char byte;

	CHECK(cuda->allocate(state, 8, &memory) == WEIR_OK);
	fake->stream_status = WEIR_CUDA_ERROR_LAUNCH_FAILED;
	CHECK(cuda->wait(state, 0, NULL) == WEIR_LAUNCH_FAILED);
	CHECK(strstr(weir_error_text(), "FAKE_LAUNCH_FAILED 719 (a fake trap)") != NULL);
	CHECK(cuda->read(state, memory, 0, &byte, 1) == WEIR_LAUNCH_FAILED);
	CHECK(cuda->release(state, memory) == WEIR_LAUNCH_FAILED);
	cuda->close(state);
	CHECK(fake->contexts == 0 && fake->streams == 0 && fake->events == 0);
	fake->stream_status = WEIR_CUDA_SUCCESS;
}

#ifdef TEST_HIP
/* A runtime without the cooperative launch of kernels in modules. */
static int refuses_cooperation(void)
{
	void *state = open_device(0);

	CHECK(launch(state, NULL, 0) == WEIR_OK && fake->plain == 1);
	CHECK(launch(state, NULL, 1) == WEIR_UNSUPPORTED && fake->cooperative == 0);
	CHECK(strstr(weir_error_text(), "no cooperative launch") != NULL);
	cuda->close(state);
	return failures != 0;
}
#endif

int main(int argc, char **argv)
{
	void *library = dlopen(LIBRARY, RTLD_NOW);

	fake = library ? dlsym(library, "fake") : NULL;
	if (!fake) {
		printf("FAILED: " LIBRARY " is not the fake driver\n");
		return 1;
	}
#ifdef TEST_HIP
	if (argc > 1 && strcmp(argv[1], "old") == 0)
		return refuses_cooperation();
#else
	(void)argc, (void)argv;
#endif
	lists_devices();
	opens_and_closes();
	moves_memory();
	shares_memory();
#ifndef TEST_HIP
	reaches_memory();
#endif
	loads_programs();
	finds_versions();
	finds_kinds();
	counts_residents();
	counts_in_a_part();
	launches();
#if HAS_CLUSTERS
	counts_compiled_clusters();
	launches_clusters();
#endif
	waits();
	looks_beside_a_kernel();
	closes_under_a_running_kernel();
	reports_a_trap();
	return failures != 0;
}
