/* Breadth-first search with a queue, on any device: distances from several sources, one launch for each.
 *
 *   example_bfs [DEVICE]    "host" by default */
#include <string.h>

#include "bfs_kernels.h"
#include "run.h"

#define VERTICES 3000u
#define TAIL 500u /* vertices in a row: a search by levels would need that many barriers */
#define RANDOM 3u /* edges of each other vertex, in both directions */
#define BLOCKS 6u
#define THREADS 8u
#define EDGES (2 * (RANDOM * VERTICES + TAIL))
#define WORDS (BFS_NEIGHBOURS(VERTICES) + EDGES)

extern const void *const example_bfs_cuda_image;
extern const void *const example_bfs_hip_image;
extern const char *const example_bfs_opencl_text;

static uint32_t data[WORDS];
static uint32_t ends[EDGES / 2][2]; /* of each edge */
static uint32_t edges;

static void connect(uint32_t one, uint32_t other)
{
	ends[edges][0] = one;
	ends[edges++][1] = other;
}

/* Generates a random graph of most vertices with a tail of the others, then the rows of
 * neighbours. */
static void make_graph(void)
{
	uint32_t *rows = data + BFS_ROWS(VERTICES);
	uint32_t *neighbours = data + BFS_NEIGHBOURS(VERTICES);
	uint32_t random = 12345;

	for (uint32_t v = 0; v < VERTICES - TAIL; v++)
		for (uint32_t i = 0; i < RANDOM; i++) {
			random = random * 1664525u + 1013904223u;
			connect(v, (random >> 8) % (VERTICES - TAIL));
		}
	for (uint32_t v = VERTICES - TAIL; v < VERTICES; v++)
		connect(v - 1, v);
	for (uint32_t i = 0; i < edges; i++)
		for (uint32_t side = 0; side < 2; side++)
			rows[ends[i][side] + 1]++;
	for (uint32_t v = 0; v < VERTICES; v++)
		rows[v + 1] += rows[v];
	for (uint32_t i = edges; i-- > 0;)
		for (uint32_t side = 0; side < 2; side++)
			neighbours[--rows[ends[i][side] + 1]] = ends[i][1 - side];
	/* Each row has been counted down from its end to its beginning. */
	memmove(rows, rows + 1, VERTICES * sizeof *rows);
	rows[VERTICES] = 2 * edges;
}

/* The distances by one thread, using an array as a queue. */
static void search(uint32_t source, uint32_t *distances)
{
	const uint32_t *rows = data + BFS_ROWS(VERTICES);
	const uint32_t *neighbours = data + BFS_NEIGHBOURS(VERTICES);
	static uint32_t queue[VERTICES];
	uint32_t length = 0;

	memset(distances, 0xff, VERTICES * sizeof *distances);
	distances[source] = 0;
	queue[length++] = source;
	for (uint32_t next = 0; next < length; next++)
		for (uint32_t i = rows[queue[next]]; i < rows[queue[next] + 1]; i++)
			if (distances[neighbours[i]] == BFS_FAR) {
				distances[neighbours[i]] = distances[queue[next]] + 1;
				queue[length++] = neighbours[i];
			}
}

/* Returns how many distances were wrong. */
static uint32_t run(weir_device *device, weir_program *program, weir_queue queue, uint32_t source)
{
	static uint32_t found[VERTICES], wanted[VERTICES];
	const bfs_params params = {queue.config, VERTICES, source};
	uint32_t farthest = 0, wrong = 0;
	weir_buffer buffer;
	double ms;

	data[0] = 0; /* no work yet */
	memset(data + BFS_DISTANCE, 0xff, VERTICES * sizeof *data);
	memset(data + BFS_MARK(VERTICES), 0, VERTICES * sizeof *data);
	CHECK(weir_buffer_create(device, sizeof data, &buffer));
	CHECK(weir_buffer_write(device, buffer, 0, data, sizeof data));
	run_launch(device, program, "bfs", BLOCKS, THREADS,
	           &(run_arguments){queue.words, buffer.native, &params, sizeof params});
	CHECK(weir_device_wait(device, DEADLINE_NS, &ms));
	CHECK(weir_buffer_read(device, buffer, BFS_DISTANCE * sizeof *found, found, sizeof found));
	CHECK(weir_buffer_destroy(device, &buffer));
	search(source, wanted);
	for (uint32_t v = 0; v < VERTICES; v++) {
		wrong += found[v] != wanted[v];
		if (wanted[v] != BFS_FAR && wanted[v] > farthest)
			farthest = wanted[v];
	}
	printf("bfs: %u vertices, %u edges, from %u: the farthest is at %u; %u wrong, %.2f ms\n",
	       VERTICES, edges, source, farthest, wrong, ms);
	return wrong;
}

int main(int argc, char **argv)
{
	static const weir_host_entry entries[] = {{"bfs", bfs_entry}};
	const weir_program_text text = {.cuda_image = example_bfs_cuda_image,
	                                .hip_image = example_bfs_hip_image,
	                                .opencl_text = example_bfs_opencl_text,
	                                .host_entries = entries,
	                                .host_entry_count = 1};
	weir_device *device = run_open(argc, argv);
	weir_program *program;
	weir_queue queue;
	uint32_t wrong = 0;

	make_graph();
	CHECK(weir_program_create(device, &text, &program));
	/* Room for all vertices: blocks that push and pop must never find it full. */
	CHECK(weir_queue_create(device, VERTICES, sizeof(uint32_t), NULL, &queue));
	wrong += run(device, program, queue, 0);
	wrong += run(device, program, queue, VERTICES - 1);
	wrong += run(device, program, queue, VERTICES / 2);
	CHECK(weir_queue_destroy(device, &queue));
	CHECK(weir_program_destroy(program));
	CHECK(weir_device_close(device));
	return wrong != 0;
}
