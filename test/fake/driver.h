/* A CUDA driver without a device: it stands in for libcuda.so.1, behaves as configured and records the calls. Its
 * kernels are in a separate file (kernels.h). */
#ifndef WEIR_TEST_FAKE_DRIVER_H
#define WEIR_TEST_FAKE_DRIVER_H

#include "cuda/driver.h"

typedef struct fake_driver {
	/* Configuration. */
	cuda_result stream_status; /* the status of the stream, or that after `busy_queries` */
	int busy_queries;
	cuda_stream idle_stream; /* the next one made, where no kernel ever runs; NULL: none */
	cuda_result allocate_result;
	cuda_result launch_result;
	int host_atomics;        /* the link to the host has atomics */
	int context_units;       /* multiprocessors of the context; 0: all */
	int compiled_cluster[3]; /* of every kernel; zeros: none */
	size_t series; /* the bytes of weir_kernels_series_ in every module; 0: there is none */
	const char *const *globals; /* the names of the variables of every module, up to a NULL */
	int is_abortable;           /* every module has weir_kernels_abort_ */
	uint32_t abort_order;       /* its value */
	cuda_result import_result;
	cuda_result peer_result;
	cuda_result module_result; /* of the question for the module of a kernel */
	/* Record. */
	int inits;
	int depth;     /* contexts pushed and not popped */
	int misplaced; /* calls that need a context and had none */
	int hung;      /* calls that would have waited for a running kernel */
	int contexts;  /* retained and not released */
	int streams, events, memories, pinned, modules; /* made and not destroyed */
	int records;
	int exports, imports;              /* imports: not dropped */
	int peers;                         /* devices that another one may reach */
	int cooperative, plain, clustered; /* launches */
	cuda_stream launch_stream;
	unsigned int launch_shared;
	unsigned int launch_grid[3];
	unsigned int launch_block[3];
	unsigned int launch_cluster[3];
	int launch_argument; /* the first parameter, an int, of a recorded launch */
	int allowed_shared;
	int allowed_large_clusters;
} fake_driver;

#endif
