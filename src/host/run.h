/* A launch on the host: the threads that run it, and how it ends. */
#ifndef WEIR_HOST_RUN_H
#define WEIR_HOST_RUN_H

#include <pthread.h>
#include <setjmp.h>

#include "base/status.h"
#include "core/backend.h"

/* Threads of all blocks together. More would only wait for each other. The builds for ThreadSanitizer, where
 * a thread takes long to start, have fewer. */
#ifndef WEIR_HOST_MOST_THREADS
#define WEIR_HOST_MOST_THREADS 4096
#endif
#define WEIR_HOST_MOST_THREADS_PER_BLOCK (WEIR_HOST_MOST_THREADS / 4)

/* The same, or WEIR_HOST_THREADS in the environment, if that is less. */
uint32_t weir_host_most_threads(void);

struct weir_host_run;

/* Why a launch ends before its kernel does. */
enum {
	WEIR_HOST_FAULT = 1, /* of the kernel's own */
	WEIR_HOST_ABORTED = 2
};

/* The gate of a launch: its threads begin when all are there. */
enum {
	WEIR_HOST_SHUT = 0,
	WEIR_HOST_OPEN = 1,
	WEIR_HOST_CALLED_OFF = 2 /* some threads could not be started */
};

/* Where threads of a block synchronize. */
struct weir_host_meeting {
	uint32_t arrived;
	uint32_t round; /* threads sleep until it changes */
	uint32_t plain; /* a word that they share (weir_plain_put_) */
	/* Of the thread of a warp's meeting (host/first.c). */
	uint32_t passes; /* how many values it has passed */
	uint64_t passed[2];
	uint32_t shared[WEIR_FIRST_WORDS];
};

/* The meetings of a block are those of the whole block and of the names, and for each warp that of its
 * first thread. */
#define WEIR_HOST_MEETINGS(threads) (WEIR_TEAM_WARP + (threads))

/* The threads of one running block. They run one block of the grid after another. */
struct weir_host_group {
	struct weir_host_meeting *meetings;
	struct weir_host_run *run;
};

struct weir_host_worker {
	weir_host_thread self;
	jmp_buf leave; /* where an ended launch jumps to */
	pthread_t thread;
};

/* Memory that was given back while a launch ran, which may be using it. */
struct weir_host_leftover {
	struct weir_host_leftover *next;
	void *memory;
};

/* One launch. */
struct weir_host_run {
	weir_host_kernel kernel;
	void **arguments;
	void *values; /* copies of the arguments, since the caller's may not live as long */
	uint32_t grid[3];
	uint32_t cluster[3];
	uint32_t cluster_size;
	uint32_t blocks;
	uint32_t group_count;
	uint32_t threads;
	struct weir_host_group *groups;
	struct weir_host_meeting *meetings; /* of all groups */
	struct weir_host_worker *workers;
	/* WEIR_HOST_FAULT, WEIR_HOST_ABORTED: every thread leaves at its next wait or block sync. */
	int ended;
	weir_fault fault; /* the first one; guarded by `lock` */
	uint32_t gate;    /* WEIR_HOST_SHUT and so on; threads sleep until it changes */
	uint32_t running;
	int abandoned; /* the device is closed: the last thread to leave frees this */
	struct weir_host_leftover *leftovers;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint64_t began_ns;
	uint64_t ended_ns;
};

/* A launch that has not started. weir_host_run_start starts its threads, or none. */
weir_status weir_host_run_make(const weir_checked_launch *launch, struct weir_host_run **made);
weir_status weir_host_run_start(struct weir_host_run *run);
/* Frees a launch without threads. */
void weir_host_run_free(struct weir_host_run *run);
/* Returns 0 when it still runs at the deadline; 0 nanoseconds: there is none. */
int weir_host_run_wait(struct weir_host_run *run, uint64_t timeout_ns);
/* Joins the threads of a launch that has ended, and frees it. */
void weir_host_run_join(struct weir_host_run *run);
/* Gives up a launch that no call will wait for. */
void weir_host_run_abandon(struct weir_host_run *run);
/* Wakes all threads that wait inside the launch, so that they leave. */
void weir_host_run_end(struct weir_host_run *run, int why);
/* Called by each of its threads, when it has left the kernel. */
void weir_host_run_leave(struct weir_host_run *run);

/* The stack of each thread of later launches. Kernels in C need little; an interpreter needs more. */
void weir_host_stacks(size_t bytes);

/* How many clusters of the launch run at once. */
uint32_t weir_host_fit_clusters(const weir_checked_launch *launch);

#endif
