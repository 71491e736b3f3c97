/* Cholesky factorization in tiles, as a graph of tasks that is made once and run several times.
 *
 *   example_cholesky [DEVICE [TILES [TILE]]]    "host", 6 tiles in a row, 8 elements in a row of a tile */
#include <math.h>
#include <string.h>

#include "cholesky_kernels.h"
#include "run.h"

#define BLOCKS 8u
#define THREADS 32u
#define LAUNCHES 3u
#define MOST_SIDE 64u
#define MOST_TILE 128u

extern const void *const example_cholesky_cuda_image;
extern const void *const example_cholesky_hip_image;
extern const char *const example_cholesky_opencl_text;

static uint32_t side = 6, tile = 8;

/* The graph: what each task does, and the edges found so far. */
static uint32_t *what, tasks;
static uint32_t (*edges)[2], edge_count;

static void *allocate(size_t count, size_t bytes)
{
	void *memory = calloc(count + !count, bytes);

	if (!memory) {
		puts("out of memory");
		exit(1);
	}
	return memory;
}

/* The number of a task. The tasks of a step are consecutive, row by row. */
static uint32_t number_of(uint32_t row, uint32_t column, uint32_t step)
{
	uint32_t number = 0;

	for (uint32_t s = 0; s < step; s++)
		number += (side - s) * (side - s + 1) / 2;
	return number + (row - step) * (row - step + 1) / 2 + (column - step);
}

static void follows(uint32_t task, uint32_t row, uint32_t column, uint32_t step)
{
	edges[edge_count][0] = number_of(row, column, step);
	edges[edge_count++][1] = task;
}

/* Adds a task: in a tile's last step the factor or the solve, otherwise an update. */
static void make_task(uint32_t row, uint32_t column, uint32_t step)
{
	uint32_t task = number_of(row, column, step);

	what[task] = CHOLESKY_TASK(row, column, step);
	if (step > 0)
		follows(task, row, column, step - 1); /* the update of the previous step */
	if (step < column)
		follows(task, row, step, step); /* an update needs the two solves of its step */
	if (step < column && row > column)
		follows(task, column, step, step);
	if (step == column && row > column)
		follows(task, column, column, step); /* a solve needs the factor */
}

/* All tasks of all steps, their edges as rows of successors, and their classes. */
static weir_graph make_graph(void)
{
	uint32_t most = number_of(side - 1, side - 1, side - 1) + 1;
	uint32_t *first, *successors;
	uint8_t *levels;

	what = allocate(most, sizeof *what);
	edges = allocate(4 * (size_t)most, sizeof *edges);
	for (uint32_t step = 0; step < side; step++)
		for (uint32_t row = step; row < side; row++)
			for (uint32_t column = step; column <= row; column++, tasks++)
				make_task(row, column, step);
	first = allocate(tasks + 1, sizeof *first);
	successors = allocate(edge_count, sizeof *successors);
	levels = allocate(tasks, sizeof *levels);
	for (uint32_t e = 0; e < edge_count; e++)
		first[edges[e][0] + 1]++;
	for (uint32_t i = 0; i < tasks; i++)
		first[i + 1] += first[i];
	for (uint32_t e = edge_count; e-- > 0;)
		successors[--first[edges[e][0] + 1]] = edges[e][1];
	memmove(first, first + 1, tasks * sizeof *first);
	first[tasks] = edge_count;
	/* The factor and the solves first, because many updates wait for them. */
	for (uint32_t i = 0; i < tasks; i++)
		levels[i] = CHOLESKY_PART(what[i], 0) < CHOLESKY_PART(what[i], 1) ? 1 : 0;
	return (weir_graph){
	    .tasks = tasks, .first = first, .successors = successors, .levels = levels};
}

/* An element of a symmetric, positive definite matrix: its diagonal dominates. */
static double element(uint32_t row, uint32_t column)
{
	double apart = row > column ? row - column : column - row;

	return 1 / (1 + apart) + (row == column ? 8 : 0);
}

/* The index of an element among the tiles. */
static size_t place(uint32_t row, uint32_t column)
{
	size_t at = ((size_t)(row / tile) * side + column / tile) * tile * tile;

	return at + row % tile * tile + column % tile;
}

/* The factor by one thread in double precision: the lower half of n x n. */
static double *factor(uint32_t n)
{
	double *l = allocate((size_t)n * n, sizeof *l);

	for (uint32_t r = 0; r < n; r++)
		for (uint32_t c = 0; c <= r; c++) {
			double x = element(r, c);

			for (uint32_t k = 0; k < c; k++)
				x -= l[r * (size_t)n + k] * l[c * (size_t)n + k];
			l[r * (size_t)n + c] = r == c ? sqrt(x) : x / l[c * (size_t)n + c];
		}
	return l;
}

/* The largest difference from the correct factor. */
static double error_of(const float *found, const double *wanted, uint32_t n)
{
	double largest = 0;

	for (uint32_t r = 0; r < n; r++)
		for (uint32_t c = 0; c <= r; c++) {
			double error = fabs((double)found[place(r, c)] - wanted[r * (size_t)n + c]);

			if (!(error <= largest)) /* true for NaN */
				largest = error;
		}
	return largest;
}

/* Runs the graph on a new matrix. Returns 1 if its factor is wrong. */
static int run(weir_device *device, weir_program *program, weir_tasks graph, const double *wanted)
{
	const cholesky_params params = {graph.config, side, tile};
	uint32_t n = side * tile;
	size_t elements = (size_t)n * n;
	float *matrix = allocate(elements, sizeof *matrix);
	weir_buffer buffer;
	double error, ms;

	for (uint32_t r = 0; r < n; r++)
		for (uint32_t c = 0; c < n; c++)
			matrix[place(r, c)] = (float)element(r, c);
	CHECK(
	    weir_buffer_create(device, elements * sizeof *matrix + tasks * sizeof *what, &buffer));
	CHECK(weir_buffer_write(device, buffer, 0, matrix, elements * sizeof *matrix));
	CHECK(weir_buffer_write(device, buffer, elements * sizeof *matrix, what,
	                        tasks * sizeof *what));
	run_launch(device, program, "cholesky", BLOCKS, THREADS,
	           &(run_arguments){graph.words, buffer.native, &params, sizeof params});
	CHECK(weir_device_wait(device, DEADLINE_NS, &ms));
	CHECK(weir_tasks_check(device, graph));
	CHECK(weir_buffer_read(device, buffer, 0, matrix, elements * sizeof *matrix));
	CHECK(weir_buffer_destroy(device, &buffer));
	error = error_of(matrix, wanted, n);
	free(matrix);
	printf("cholesky: %u x %u, %u tasks, %u edges: error %.1e, %.2f ms\n", n, n, tasks,
	       edge_count, error, ms);
	return !(error < 1e-4);
}

/* Returns 1 if a size is out of bounds. */
static int read_sizes(int argc, char **argv)
{
	if (argc > 2)
		side = (uint32_t)strtoul(argv[2], NULL, 10);
	if (argc > 3)
		tile = (uint32_t)strtoul(argv[3], NULL, 10);
	if (side >= 1 && side <= MOST_SIDE && tile >= 1 && tile <= MOST_TILE)
		return 0;
	fprintf(stderr, "example_cholesky: 1 to %u tiles in a row, 1 to %u elements in a tile's\n",
	        MOST_SIDE, MOST_TILE);
	return 1;
}

int main(int argc, char **argv)
{
	static const weir_host_entry entries[] = {{"cholesky", cholesky_entry}};
	const weir_program_text text = {.cuda_image = example_cholesky_cuda_image,
	                                .hip_image = example_cholesky_hip_image,
	                                .opencl_text = example_cholesky_opencl_text,
	                                .host_entries = entries,
	                                .host_entry_count = 1};
	const weir_tasks_options options = {.local = 1};
	weir_program *program;
	weir_device *device;
	weir_tasks graph;
	int wrong = 0;

	if (read_sizes(argc, argv))
		return 2;
	device = run_open(argc, argv);
	weir_graph made = make_graph();
	double *wanted = factor(side * tile);
	CHECK(weir_program_create(device, &text, &program));
	CHECK(weir_tasks_create(device, &made, &options, &graph));
	for (uint32_t i = 0; i < LAUNCHES; i++)
		wrong += run(device, program, graph, wanted);
	CHECK(weir_tasks_destroy(device, &graph));
	CHECK(weir_program_destroy(program));
	CHECK(weir_device_close(device));
	free((void *)made.first);
	free((void *)made.successors);
	free((void *)made.levels);
	free(edges);
	free(what);
	free(wanted);
	return wrong != 0;
}
