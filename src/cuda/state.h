/* An open device of CUDA or HIP, as the files of the two backends share it. */
#ifndef WEIR_CUDA_STATE_H
#define WEIR_CUDA_STATE_H

#include <pthread.h>

#include "base/status.h"
#include "core/backend.h"
#include "cuda/driver.h"

/* Memory or a module that was given back while a kernel ran. Freeing it then would wait for that
 * kernel, which may never end. */
typedef struct cuda_leftover {
	struct cuda_leftover *next;
	cuda_address memory;
	cuda_module module;
	void *pinned; /* memory of the host */
} cuda_leftover;

/* Blocks in a cluster that every device with clusters has room for. */
#define WEIR_CUDA_PORTABLE_CLUSTER 8

/* Kernels whose waits an abort can end at once. */
#define WEIR_CUDA_LAUNCHED 8

typedef struct cuda_state {
	const weir_cuda_driver *driver;
	const weir_cuda_api *calls; /* the driver's */
	cuda_device device;
	cuda_context context;
	cuda_stream stream;
	cuda_stream beside;     /* for a diagnosis, which must not wait for kernels; or NULL */
	cuda_event start, stop; /* around the last launch on `stream` */
	uint32_t units;
	uint32_t max_threads;
	uint32_t most_blocks;
	uint32_t most_shared; /* bytes of shared memory that a block can opt in to */
	int can_cooperate;
	int can_cluster;
	int has_host_atomics; /* over the link to the host */
	pthread_mutex_t
	    lock; /* guards the members below, the events, and attributes of functions */
	cuda_leftover *leftovers;
	int timed;   /* the events hold a launch */
	int overdue; /* a wait timed out, and the stream has not been seen idle since */
	/* The kernels of the last launches since a wait, and where their modules have been ordered to end. */
	cuda_function launched[WEIR_CUDA_LAUNCHED];
	uint32_t launches;
	cuda_address ordered[WEIR_CUDA_LAUNCHED];
	uint32_t orders;
	int aborted; /* an order that no wait has reported yet */
} cuda_state;

/* Every function of the backend runs between these two, so that the caller keeps its current
 * context. */
weir_status weir_cuda_enter(cuda_state *cuda);
/* The same for calls that may wait for the stream. WEIR_BUSY when a wait timed out and the
 * kernel still runs: such a call might never return. */
weir_status weir_cuda_enter_to_wait(cuda_state *cuda);
void weir_cuda_leave(const cuda_state *cuda);

/* Frees the memory or the module now, or when a later call finds the stream done. Only one of them
 * is given. */
weir_status weir_cuda_discard(cuda_state *cuda, cuda_leftover given);

weir_status weir_cuda_program_load(void *state, const weir_program_text *text, void **module);
weir_status weir_cuda_program_kernel(void *state, void *module, const char *name,
                                     weir_kernel *kernel);
void weir_cuda_program_unload(void *state, void *module);
uint32_t weir_cuda_listed(void *state, weir_kernel kernel, uint32_t fault, uint32_t kinds);
uint32_t weir_cuda_series(void *state, weir_kernel kernel);
weir_status weir_cuda_resident(void *state, weir_kernel kernel, uint32_t threads,
                               size_t shared_bytes, uint32_t *blocks);
weir_status weir_cuda_clusters(void *state, const weir_checked_launch *launch, uint32_t *clusters);
weir_status weir_cuda_launch(void *state, const weir_checked_launch *launch);
weir_status weir_cuda_wait(void *state, uint64_t timeout_ns, double *elapsed_ms);

/* Ending waits (abort.c). The three after the first are called with the lock held. */
int weir_cuda_abort(void *state);
void weir_cuda_note_launch(cuda_state *cuda, cuda_function function);
void weir_cuda_forget_launches(cuda_state *cuda);
/* No kernel runs: later ones must not find the order. */
void weir_cuda_withdraw_orders(cuda_state *cuda);

/* Memory of other processes and devices (reach.c). */
weir_status weir_cuda_export(void *state, void *native, unsigned char *handle);
weir_status weir_cuda_import(void *state, const unsigned char *handle, void **native);
weir_status weir_cuda_drop(void *state, void *native);
weir_status weir_cuda_reach(void *state, void *other);

#endif
