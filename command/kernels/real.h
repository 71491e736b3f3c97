/* The host's side of the kernels of kernels/real: their data, and what must come out. */
#ifndef WEIR_COMMAND_KERNELS_REAL_H
#define WEIR_COMMAND_KERNELS_REAL_H

#include <stddef.h>
#include <stdint.h>

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

typedef struct real_kernel {
	const char *name; /* of the kernel, and of its header */
	const char *what; /* one sentence for the output */
	const real_size *sizes;
	size_t size_count;
	enum real_uses uses;
	/* REAL_USES_BARRIER: meetings of a run, which are also the parts of NAME_once. Kernels with
	 * locks have no NAME_once. */
	uint32_t (*meetings)(const uint32_t *size);
	uint32_t (*locks)(const uint32_t *size);   /* REAL_USES_MUTEX_ARRAY: its length */
	uint32_t (*maximum)(const uint32_t *size); /* REAL_USES_SEMAPHORE: slots */
	size_t (*words)(const uint32_t *size);     /* of data */
	void (*fill)(const uint32_t *size, uint32_t *data);
	/* Computes the result of a run in `data`, which `fill` has filled, with one thread. */
	void (*expect)(const uint32_t *size, uint32_t *data);
	/* Compares what a device made with what was expected. Returns 0 if it is right; else 1, and
	 * `why` says in a few words what is wrong. */
	int (*check)(const uint32_t *size, const uint32_t *expected, const uint32_t *got, char *why,
	             size_t room);
} real_kernel;

extern const real_kernel real_jacobi;
extern const real_kernel real_buckets;
extern const real_kernel real_pool;
extern const real_kernel real_slots;

#endif
