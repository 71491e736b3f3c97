/* The host's side of the kernels of kernels/real: their data, and what must come out. */
#ifndef WEIR_COMMAND_FORMS_PROBLEMS_PROBLEM_H
#define WEIR_COMMAND_FORMS_PROBLEMS_PROBLEM_H

#include <stddef.h>
#include <stdint.h>

#include "weir/weir.h"

/* A size that a kernel is measured at. */
typedef struct real_size {
	const char *name; /* as it is printed: "1024 x 1024, 300 steps" */
	int small; /* 1: one of the sizes for `make test`, which take milliseconds on a CPU */
	uint32_t values[8]; /* real_params.size */
} real_size;

/* What a kernel synchronizes by, and so what its words are. */
enum real_uses {
	REAL_USES_BARRIER,     /* of all blocks */
	REAL_USES_MUTEX,       /* one */
	REAL_USES_MUTEX_ARRAY, /* a compact one, as libcu++'s locks and those by hand are */
	REAL_USES_SEMAPHORE    /* with all slots free at first */
};

#define REAL_COMBINERS 16

/* Words of data that check looks at. */
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
	/* REAL_USES_BARRIER: meetings of a run, which are also the parts of NAME_once. Kernels with
	 * locks have no NAME_once. */
	uint32_t (*meetings)(const uint32_t *size);
	/* REAL_USES_BARRIER: the events of NAME_events; NULL: there is no such kernel. */
	uint32_t (*events)(const uint32_t *size);
	/* REAL_USES_BARRIER: the graph of NAME_tasks; NULL: there is no such kernel. */
	void (*make_graph)(const uint32_t *size, weir_graph *graph);
	void (*free_graph)(weir_graph *graph);
	/* REAL_USES_BARRIER: items that the queue of NAME_queue must hold; NULL: there is no such
	 * kernel. */
	uint32_t (*items)(const uint32_t *size);
	/* REAL_USES_MUTEX and REAL_USES_MUTEX_ARRAY: the combiners of NAME_combine, at most
	 * REAL_COMBINERS, and the words of an operation; 0: there is no such kernel. */
	uint32_t combiners;
	uint32_t operation_words;
	uint32_t (*locks)(const uint32_t *size);            /* REAL_USES_MUTEX_ARRAY: its length */
	uint32_t (*maximum)(const uint32_t *size);          /* REAL_USES_SEMAPHORE: slots */
	size_t (*words)(const uint32_t *size);              /* of data */
	void (*fill)(const uint32_t *size, uint32_t *data); /* which is zeroed */
	/* Computes the result of a run in `data`, which `fill` has filled, with one thread. */
	void (*expect)(const uint32_t *size, uint32_t *data);
	/* Compares the result of a device with the expected one. Returns 0 if it is right, else 1. */
	int (*check)(const uint32_t *size, const uint32_t *expected, const uint32_t *got,
	             real_why *why);
	/* What check looks at, for kernels with much more data than that; NULL: at all of it.
	 * Returns range `index`, or an empty one after the last. */
	real_range (*looks)(const uint32_t *size, size_t index);
	uint32_t gpu_threads; /* of a block, the only number that it takes on a GPU; 0: any */
	/* The largest block and grid that it can take; 0: any. */
	uint32_t most_threads; /* of a block */
	uint32_t most_blocks;
	uint32_t most_in_grid; /* threads of all blocks */
} real_kernel;

/* All of them, in the order of outputs. */
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

/* A problem of the kernel `kernel`, whose source has these functions; the other members follow. */
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

/* The next of a sequence of random numbers. The low bits repeat soon: use the high ones. */
uint32_t real_random(uint32_t *random);
/* The next one, below a limit. */
uint32_t real_random_below(uint32_t *random, uint32_t limit);
/* The next one, from -1 to 1. */
float real_random_part(uint32_t *random);

/* Says what is wrong, and returns 1. */
int real_wrong(real_why *why, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The first word, or the first float that is off by more than the tolerance or is no number; `count`
 * if there is none. */
size_t real_first_word(const uint32_t *expected, const uint32_t *got, size_t count);
size_t real_first_float(const float *expected, const float *got, size_t count, float tolerance);
/* The largest size of an element. */
float real_largest(const float *elements, size_t count);

/* The size of a rank's part. Returns 0 if it cannot be divided so. Both have 8 numbers. */
int decode_divide(const uint32_t *size, uint32_t ranks, uint32_t *own);

/* The part of a rank, from the data of the whole model, also of the expected result. */
void decode_take_own(const uint32_t *size, uint32_t ranks, uint32_t rank, const uint32_t *whole,
                     uint32_t *own);

#endif
