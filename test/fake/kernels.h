/* The kernels of the fake driver. Each build of the driver has one of these files:
 *
 *   recorded.c   nothing: the test looks at the record of the calls
 *   host.c       the kernels of crews run, as threads of the host machine
 *   timed.c      the kernels of benchmarks take a known time, and leave the counts that they would have made
 */
#ifndef WEIR_TEST_FAKE_KERNELS_H
#define WEIR_TEST_FAKE_KERNELS_H

#include "driver.h"

extern fake_driver fake;

/* What a stream does, in order: a note of the time, a call of another library, or a launch. */
typedef struct fake_op {
	struct fake_op *next;
	double *stamp_us;           /* of an event, or NULL */
	void (*call)(void *params); /* or NULL */
	cuda_function function;
	unsigned int blocks, threads;
	int is_node; /* of a graph */
	void *words, *data;
	union {
		char bytes[256]; /* the third parameter, or that of the call */
		void *aligned;
	} params;
} fake_op;

typedef struct fake_kernels {
	int devices; /* 1 to 3: the second is too old for weir; the third launches neither cooperatively nor in clusters */
	int units;   /* multiprocessors */
	int most_threads, static_shared; /* of a kernel */
	int has_threads; /* each stream is a thread, and exported memory belongs to another process;
	                    otherwise everything happens at once, and exported memory is this
	                    process's own */
	double (*now_us)(void);
	int (*loads)(const void *image);
	cuda_function (*find)(const char *name);      /* or NULL */
	void (*take)(fake_op *op, void **parameters); /* copies what `run` needs */
	void (*run)(const fake_op *op);
	void (*allocated)(cuda_address address, size_t bytes); /* or NULL */
} fake_kernels;

extern const fake_kernels fake_with;

/* For a library with its own kernels: a call in the order of the stream, with a copy of `bytes` from `params`. */
void fake_stream_call(cuda_stream stream, void (*call)(void *), const void *params, size_t bytes);

#endif
