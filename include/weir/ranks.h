/* weir, the host side of crews: which ranks there are, and memory that all of them reach.
 *
 * Every process of a crew calls weir_crew_create. It returns when all have, or says which rank did not
 * come. Each then has the handle of its rank for its kernels, and calls weir_crew_destroy at the end. The
 * members of a crew never change: ranks that go on without one, or with another, join a new crew.
 *
 * The ranks are processes of one host. Their crew is in memory of the host, or with weir_crew_on_device
 * in that of their GPUs. Where the program shares memory itself, weir/crew/in.h takes that.
 */
#ifndef WEIR_RANKS_H
#define WEIR_RANKS_H

#include "weir/crew/object.h"
#include "weir/weir.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* The most ranks of a crew of processes. Each holds a file descriptor for each of the others, and rank 0 two
 * while they join: 1024 for each process (RLIMIT_NOFILE) are enough. */
#define WEIR_CREW_PROCESSES_MOST 256

/* Which rank a process is, and how it finds the others. */
typedef struct weir_crew_place {
	uint32_t rank;
	uint32_t ranks;
	/* Sockets to the others, of the type SOCK_SEQPACKET: one to rank 0, or in rank 0 one to each
	 * other. weir_crew_create closes them, even when it fails, unless it refuses the place itself. NULL: the
	 * ranks meet by name. */
	const int *sockets;
	uint32_t socket_count;
	char name[64]; /* of the crew; ranks of one crew and one user have the same */
} weir_crew_place;

/* The place that a launcher gives this process: `weir crew`, Open MPI, MPICH and others with PMI,
 * torchrun, or Slurm. WEIR_NOT_FOUND when no launcher did, WEIR_BAD_ARGUMENT when its variables are no
 * place. The sockets stay valid until the next call. Call it once, before the program starts threads. */
weir_status weir_crew_place_find(weir_crew_place *place);

/* All zeros, or a NULL pointer, means the defaults. */
typedef struct weir_crew_options {
	uint32_t blocks; /* of this rank, that come to weir_crew_wait; 0: 1 */
	uint32_t lanes;  /* barriers of one block a rank; 0: 1 */
	uint32_t events; /* of each rank */
	/* Slots of each rank's queue, rounded up to a power of two; 0: no queue. */
	uint32_t queue_slots;
	uint32_t radix; /* of the barriers (weir/crew/api.h); 0: weir_crew_radix */
	/* Copies of the word that the blocks of a rank poll: 1, 2, 4, 8 or 16; 0: 1. */
	uint32_t copies;
	size_t data_bytes; /* of each rank, zeroed, that all ranks reach (weir_crew_data) */
	double seconds;    /* how long to wait for the other ranks; 0: 60 */
	int diagnose;      /* the crew takes part in the diagnosis of its device (doc/hangs.md) */
	const char *name;  /* in the reports of a diagnosis; NULL: "crew" and a number */
} weir_crew_options;

/* The radix that weir takes for so many ranks: flat up to 144, else 32 (doc/crew.md). */
uint32_t weir_crew_radix(uint32_t ranks);

typedef struct weir_crew_link weir_crew_link;

/* Joins the crew of that place. All ranks give the same options: `blocks`, `seconds`, `diagnose` and `name`
 * may differ. It returns WEIR_OK only if all ranks have mapped the memory of all.
 * WEIR_NO_RANK when a rank did not come, or has ended. WEIR_BAD_ARGUMENT when ranks disagree, or a
 * process of another user takes part; the text says which. WEIR_NO_MEMORY or WEIR_DRIVER_ERROR when a rank has
 * too little memory or too few file descriptors; the other ranks get the same text, with its number.
 * WEIR_UNSUPPORTED unless `device` is the host. */
weir_status weir_crew_create(weir_device *device, const weir_crew_place *place,
                             const weir_crew_options *options, weir_crew_link **link);

/* The handle for kernels of this rank. With options.diagnose, the first call makes the crew an object of the
 * diagnosis of the device that joined. */
weir_status weir_crew_handle(weir_crew_link *link, weir_crew *crew);

/* Moves a crew that nobody has used to a CUDA device: the share of this rank is then in its memory, and
 * kernels use this handle in place of weir_crew_handle's. All ranks call it, each with its device,
 * which may be the same one. It waits for the others as weir_crew_create does. With options.diagnose, the
 * crew takes part in the diagnosis of that device. It has run over a driver whose device is the host, not
 * yet on a GPU. */
weir_status weir_crew_on_device(weir_crew_link *link, weir_device *device, weir_crew *crew);

/* Kernels of one CUDA device may use the memory of another one of this process, by its address. Such
 * devices are ranks of a crew in buffers of theirs (weir/crew/in.h). */
weir_status weir_device_reach(weir_device *device, weir_device *other);

/* Aborts the crew from the host, as weir_crew_abort does from a kernel. */
weir_status weir_crew_host_abort(weir_crew_link *link);

/* Leaves the crew: frees this rank's part, and the link with it, which is NULL then. No kernel may be using the crew. Others that still wait for
 * this rank are told that it has left. A crew on devices waits until no rank has this one's memory open:
 * WEIR_TIMED_OUT when one still has. */
weir_status weir_crew_destroy(weir_crew_link **link);

typedef enum weir_rank_state {
	WEIR_RANK_ALIVE = 0, /* its process runs */
	WEIR_RANK_LEFT,      /* it called weir_crew_destroy */
	WEIR_RANK_DEAD,      /* its process has ended without that */
	WEIR_RANK_UNKNOWN    /* the system does not tell */
} weir_rank_state;

typedef struct weir_rank_report {
	weir_rank_state state;
	int pid;          /* 0: not known */
	int has_arrived;  /* or nobody waits */
	uint32_t passed;  /* the last phase that it has passed in the lane in question */
	uint32_t arrived; /* of its blocks, at weir_crew_wait, in the phase that has begun */
} weir_rank_report;

typedef struct weir_crew_report {
	uint32_t ranks;
	uint32_t missing; /* ranks that have not arrived where another one waits */
	uint32_t gone;    /* ranks that are dead, or have left */
	uint32_t phase;   /* the newest one that any rank has begun in that lane */
	uint32_t lane;    /* where ranks are missing; that of weir_crew_wait if nowhere */
	weir_rank_report *rank;
	char *text; /* a sentence for each rank that is missing or gone */
} weir_crew_report;

/* Names the ranks that have not come. `waited` is how long the caller has waited, for the text. Any thread may call it
 * at any time between join and leave. weir_crew_report_destroy frees the report. */
weir_status weir_crew_diagnose(weir_crew_link *link, double waited, weir_crew_report *report);
void weir_crew_report_destroy(weir_crew_report *report);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#ifdef WEIR_COMPAT_0_1
#include "weir/weir_compat.h"
#endif

#endif
