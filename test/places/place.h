/* Shared by the tests of all places: the device, cases with their objects and memory, launches,
 * waits with a deadline, and the counts of passes and failures. */
#ifndef PLACES_PLACE_H
#define PLACES_PLACE_H

#include "weir/weir.h"
#include "work.h"

#define SKIPPED 77 /* the exit status that CTest knows as a skip */
#define ENDED 3    /* the exit status of a process whose launch ended with an error */

extern weir_device *device;
extern weir_device_info info;

/* A kernel and how it is launched. */
typedef struct place {
	const char *name;
	const void *symbol; /* a kernel whose first argument is a work */
	uint32_t threads;
	uint32_t cluster; /* blocks in a cluster that the launch names; 0: none */
	uint32_t shared;  /* bytes of dynamic shared memory, also the kernel's second argument */
} place;

/* Objects and memory for launches of `blocks` blocks. */
typedef struct trial {
	work args;
	uint32_t blocks;
} trial;

/* Prints a line and ends the process if a call failed: the test itself is broken. */
#define NEED(call) need_((call) == WEIR_OK, #call, weir_error_text())
#define NEED_CUDA(call) need_cuda_((call), #call)
void need_(int fine, const char *call, const char *why);
void need_cuda_(cudaError_t error, const char *call);

/* Counts one finding. */
void verdict(int right, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints the counts; returns what main returns: SKIPPED if there was nothing to find. */
int verdicts(void);

weir_kernel kernel_of(const void *symbol);
/* How many blocks of the place run at once. */
uint32_t fit_of(const place *where);

/* How many sets of kinds there are. Set 0 has the defaults; the others have every kind of each
 * primitive at least once. */
uint32_t kind_sets(void);

trial trial_open(uint32_t blocks, uint32_t kind_set);
void trial_close(trial *t);
/* Fresh memory for another trial that uses the objects and the tally of the first. */
trial trial_beside(const trial *first);
void trial_close_beside(trial *t);

/* Starts the place's kernel through weir, with the barrier, in the stream. */
weir_status launch(const place *where, trial *t, cudaStream_t stream);
cudaStream_t new_stream(void);
/* The kernel's own error, or cudaSuccess. A kernel that does not end in a minute ends the
 * process. */
cudaError_t ended(cudaStream_t stream);
void wait_for(cudaStream_t stream);

tally tally_of(const trial *t);
/* Whether `launches` launches did everything that they should, and no part saw an error. */
int is_right(const trial *t, uint32_t launches);
/* Whether each part noticed launches without its primitive. */
int is_noticed(const trial *t, uint32_t launches);

/* A barrier of that many blocks must be refused, when it is created or when the place is
 * launched. */
void try_too_many(const place *where, uint32_t blocks, cudaStream_t stream);

/* Runs the place with all blocks that fit and every set of kinds, then without the primitives;
 * `step` more blocks must be refused. */
void try_place(const place *where, uint32_t step);

/* In calls.cu: calls that are not inlined, within a source file and between two. */
void try_calls(void);

/* In bulk.cu: events after bulk copies. */
void try_bulk(void);

/* In replays.cu: a dispenser, a queue and tasks in replays of a graph. */
void try_replays(void);

/* In ranks.cu: grids of this process as the ranks of a crew. */
void try_ranks(void);

#endif
