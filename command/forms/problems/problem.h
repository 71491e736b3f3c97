/* The host's side of the kernels of kernels/real: their data and the expected results. */
#ifndef WEIR_COMMAND_FORMS_PROBLEMS_PROBLEM_H
#define WEIR_COMMAND_FORMS_PROBLEMS_PROBLEM_H

#include <stddef.h>
#include <stdint.h>

#include "weir/weir.h"

/* A size at which a kernel is measured. */
typedef struct real_size {
	const char *name;   /* as it is printed: "1024 x 1024, 300 steps" */
	int small;          /* 1: a size for `make test`, which takes milliseconds on a CPU */
	uint32_t values[8]; /* real_params.size */
} real_size;

/* What a kernel synchronizes with, which determines its words. */
enum real_uses {
	REAL_USES_BARRIER,     /* among all blocks */
	REAL_USES_MUTEX,       /* one */
	REAL_USES_MUTEX_ARRAY, /* a compact one, like libcu++'s locks and hand-written ones */
	REAL_USES_SEMAPHORE    /* with all slots free at first */
};

#define REAL_COMBINERS 16

/* Words of data that are checked. */
typedef struct real_range {
	size_t first, count;
} real_range;

/* What is wrong with a result, in a few words. */
typedef struct real_why {
	char text[192];
} real_why;

typedef struct real_kernel {
	const char *name; /* of the kernel, and of its header */
	const char *what; /* one sentence for the output */
	const real_size *sizes;
	size_t size_count;
	enum real_uses uses;
	/* REAL_USES_BARRIER: the number of meetings in a run, which is also the number of parts of
	 * NAME_once. Kernels with locks have no NAME_once. */
	uint32_t (*meetings)(const uint32_t *size);
	/* REAL_USES_BARRIER: the events of NAME_events; NULL: it does not exist. */
	uint32_t (*events)(const uint32_t *size);
	/* REAL_USES_BARRIER: the graph of NAME_tasks; NULL: it does not exist. */
	void (*make_graph)(const uint32_t *size, weir_graph *graph);
	void (*free_graph)(weir_graph *graph);
	/* REAL_USES_BARRIER: the number of items that the queue of NAME_queue must hold; NULL: it
	 * does not exist. */
	uint32_t (*items)(const uint32_t *size);
	/* REAL_USES_MUTEX and REAL_USES_MUTEX_ARRAY: the combiners of NAME_combine, at most
	 * REAL_COMBINERS, and the words of an operation; 0: it does not exist. */
	uint32_t combiners;
	uint32_t operation_words;
	uint32_t (*locks)(const uint32_t *size);            /* REAL_USES_MUTEX_ARRAY: its length */
	uint32_t (*maximum)(const uint32_t *size);          /* REAL_USES_SEMAPHORE: slots */
	size_t (*words)(const uint32_t *size);              /* of data */
	void (*fill)(const uint32_t *size, uint32_t *data); /* all zeros before the call */
	/* Computes the result of a run with one thread, in `data`, which `fill` has filled. */
	void (*expect)(const uint32_t *size, uint32_t *data);
	/* Compares the result of a device with the expected one. Returns 0 if it is right,
	 * otherwise 1. */
	int (*check)(const uint32_t *size, const uint32_t *expected, const uint32_t *got,
	             real_why *why);
	/* The ranges that check examines, for kernels with much more data than that; NULL:
	 * everything. Returns range `index`, or an empty one after the last. */
	real_range (*looks)(const uint32_t *size, size_t index);
	uint32_t gpu_threads; /* the only block size that it takes on a GPU; 0: any */
	/* The largest block and grid that it supports; 0: any. */
	uint32_t most_threads; /* of a block */
	uint32_t most_blocks;
	uint32_t most_in_grid; /* threads of all blocks */
} real_kernel;

/* All real kernels, in the order of outputs. */
#define REAL_KERNELS(X)                                                                            \
	X(decode)                                                                                  \
	X(gradient)                                                                                \
	X(jacobi)                                                                                  \
	X(bitonic)                                                                                 \
	X(fft)                                                                                     \
	X(alignment)                                                                               \
	X(search)                                                                                  \
	X(solve)                                                                                   \
	X(cholesky)                                                                                \
	X(buckets)                                                                                 \
	X(pool)                                                                                    \
	X(slots)

#define REAL_ROW_(name) extern const real_kernel real_##name;
REAL_KERNELS(REAL_ROW_)
#undef REAL_ROW_

/* Defines the problem of kernel `kernel`, whose source defines these functions; the other members
 * follow. */
#define REAL_PROBLEM(kernel, sentence, ...)                                                        \
	const real_kernel real_##kernel = {.name = #kernel,                                        \
	                                   .what = sentence,                                       \
	                                   .sizes = sizes,                                         \
	                                   .size_count = sizeof sizes / sizeof sizes[0],           \
	                                   .words = words,                                         \
	                                   .fill = fill,                                           \
	                                   .expect = expect,                                       \
	                                   .check = check,                                         \
	                                   __VA_ARGS__}

/* The next of a sequence of random numbers. Use the high bits, because the low bits repeat soon. */
uint32_t real_random(uint32_t *random);
/* The next one, below a limit. */
uint32_t real_random_below(uint32_t *random, uint32_t limit);
/* The next one, from -1 to 1. */
float real_random_part(uint32_t *random);

/* Describes what is wrong, and returns 1. */
int real_wrong(real_why *why, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The index of the first word that differs, or of the first float that is off by more than the
 * tolerance or is not a number; `count` if there is none. */
size_t real_first_word(const uint32_t *expected, const uint32_t *got, size_t count);
size_t real_first_float(const float *expected, const float *got, size_t count, float tolerance);
/* The largest absolute value of an element. */
float real_largest(const float *elements, size_t count);

/* The size of a rank's part. Returns 0 if the model cannot be divided like that. Both arrays have 8
 * numbers. */
int decode_divide(const uint32_t *size, uint32_t ranks, uint32_t *own);

/* Copies the part of a rank out of the data or the expected result of the whole model. */
void decode_take_own(const uint32_t *size, uint32_t ranks, uint32_t rank, const uint32_t *whole,
                     uint32_t *own);

#endif
