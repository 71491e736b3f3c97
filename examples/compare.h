/* Shared by the real kernels: the command line, the device, and the same work done in several ways,
 * each checked and timed. */
#ifndef EXAMPLE_COMPARE_H
#define EXAMPLE_COMPARE_H

#include "cuda_stream.h"
#include "weir/weir.h"

/* A number on the command line. `value` is 0 until it is given. */
typedef struct compare_option {
	const char *name;
	uint32_t *value;
	uint32_t least;
	uint32_t most;
	const char *help;
} compare_option;

typedef struct compare_program {
	const char *name;
	const char *about;
	const compare_option *options;
	size_t option_count;
	weir_program_text kernels;
} compare_program;

typedef struct compare {
	const char *name;
	weir_device *device;
	weir_device_info info;
	weir_program *kernels;
	weir_program *peers; /* NULL: not a CUDA device */
	cuda_stream *stream; /* NULL: not a CUDA device */
	uint32_t blocks;     /* 0 until compare_choose_grid, like threads */
	uint32_t threads;
} compare;

/* Reads the command line and opens the device. Ends the program on failure: status 2 for a bad
 * command line, 77 for a device that does not exist here, 1 for anything else. */
void compare_open(compare *c, const compare_program *program, int argc, char **argv);
void compare_close(compare *c);

/* Ends the program with a message unless the status is WEIR_OK. */
void compare_need(const compare *c, weir_status status);
/* Ends the program with the caller's message. */
_Noreturn void compare_fail(const compare *c, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* calloc that ends the program on failure. */
void *compare_memory(const compare *c, size_t count, size_t bytes);

/* Sets a number that is not on the command line to the value for a GPU, or for anything else. */
void compare_default(const compare *c, uint32_t *value, uint32_t on_gpu, uint32_t elsewhere);

weir_kernel compare_kernel(const compare *c, weir_program *program, const char *name);

/* Chooses the grid, unless the command line gives one: the number of blocks of each of these
 * kernels that run at once, or fewer where a block is slow. A kernel may be all zeros. */
void compare_choose_grid(compare *c, uint32_t threads_on_gpu, const weir_kernel *kernels,
                         size_t count);

typedef struct compare_launch {
	weir_kernel kernel;
	const weir_barrier *barrier; /* NULL: not weir's */
	int cooperative;             /* for barriers other than weir's */
	void *words;
	const weir_buffer *data;
	const void *params;
	size_t params_bytes;
} compare_launch;

/* Starts a kernel made with WEIR_KERNEL, without waiting. */
void compare_start(const compare *c, const compare_launch *launch);

/* One way to do the work; `kernel` all zeros: not on this device. */
typedef struct compare_way {
	const char *label;
	void (*start)(void *work, const struct compare_way *way);
	weir_kernel kernel;
	void *words;
	weir_any_config config; /* of the object that it uses, if any */
} compare_way;

typedef struct compare_work {
	void *work;
	void (*prepare)(void *work);
	/* How much of the result is wrong; 0: nothing. */
	uint64_t (*wrong)(void *work);
	const char *unit; /* "step" */
	uint64_t units;   /* the number of units in the work */
} compare_work;

/* Does the work in each way, several times alternately after a warm-up, and checks each result.
 * Prints a row for each way, compared with the first. Returns main's status: 0 if every result was
 * right. */
int compare_run(const compare *c, const compare_work *work, const compare_way *ways, size_t count);

#endif
