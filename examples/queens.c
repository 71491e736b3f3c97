/* Tasks that create tasks, on any device: all ways to place N queens on an N x N board, for several sizes
 * and several launches. Nothing is reset in between.
 *
 *   example_queens [DEVICE]    "host" by default */
#include "queens_kernels.h"
#include "run.h"

#define BLOCKS 6u
#define THREADS 8u
#define SPLIT 3u
#define ROOM 32u /* fewer than there are tasks: those without room run at once */
#define LAUNCHES 3u

extern const void *const example_queens_cuda_image;
extern const void *const example_queens_hip_image;
extern const char *const example_queens_opencl_text;

static weir_device *device;
static weir_program *program;
static weir_tasks tasks;
static weir_buffer counts;

/* Returns 1 if the number of boards is wrong. */
static int run(uint32_t size)
{
	/* The correct numbers, from the literature. */
	static const uint32_t known[QUEENS_MOST + 1] = {1, 1, 0, 0, 2, 10, 4, 40, 92};
	const queens_params params = {tasks.config, size, SPLIT};
	uint32_t found[2] = {0, 0};

	CHECK(weir_buffer_write(device, counts, 0, found, sizeof found));
	run_launch(device, program, "queens", BLOCKS, THREADS,
	           &(run_arguments){tasks.words, counts.native, &params, sizeof params});
	CHECK(weir_device_wait(device, DEADLINE_NS, NULL));
	CHECK(weir_tasks_check(device, tasks));
	CHECK(weir_buffer_read(device, counts, 0, found, sizeof found));
	printf("queens: %u boards of %u x %u, by %u tasks that were added\n", found[0], size, size,
	       found[1]);
	return found[0] != known[size];
}

int main(int argc, char **argv)
{
	static const weir_host_entry entries[] = {{"queens", queens_entry}};
	static const uint32_t first[] = {0, 0};
	const weir_program_text text = {.cuda_image = example_queens_cuda_image,
	                                .hip_image = example_queens_hip_image,
	                                .opencl_text = example_queens_opencl_text,
	                                .host_entries = entries,
	                                .host_entry_count = 1};
	const weir_graph graph = {.tasks = 1, .first = first}; /* task 0 is ready at the start */
	const weir_tasks_options options = {.room = ROOM};
	int wrong = 0;

	device = run_open(argc, argv);
	CHECK(weir_program_create(device, &text, &program));
	CHECK(weir_tasks_create(device, &graph, &options, &tasks));
	CHECK(weir_buffer_create(device, 2 * sizeof(uint32_t), &counts));
	for (uint32_t i = 0; i < LAUNCHES; i++)
		for (uint32_t size = 4; size <= QUEENS_MOST; size++)
			wrong += run(size);
	CHECK(weir_buffer_destroy(device, &counts));
	CHECK(weir_tasks_destroy(device, &tasks));
	CHECK(weir_program_destroy(program));
	CHECK(weir_device_close(device));
	return wrong != 0;
}
