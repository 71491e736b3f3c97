/** @defgroup weir_ranks Crews of processes
 *
 * The host side of crews: which ranks there are, and memory that all of them reach.
 *
 * Every process of a crew calls weir_crew_create. It returns when all have, or says which rank did not join. Each then
 * has the handle of its rank for its kernels, and calls weir_crew_destroy at the end. The members of a crew never
 * change: ranks that continue without one, or with another, join a new crew.
 *
 * The ranks are processes of one host. Their crew is in memory of the host, or with weir_crew_on_device in that of their
 * GPUs. A program that shares memory itself uses weir/crew/in.h.
 *
 * Any thread may call these functions, but no two at once for one link, except weir_crew_diagnose and
 * weir_crew_host_abort.
 *
 * Machines: the host. weir_crew_on_device: CUDA, ptx. weir_device_reach: CUDA.
 *
 * @code
 * weir_crew_place place;
 * weir_crew_link *link;
 * weir_crew crew;
 * if (weir_crew_place_find(&place) != WEIR_OK ||
 *     weir_crew_create(device, &place, NULL, &link) != WEIR_OK || weir_crew_handle(link, &crew) != WEIR_OK)
 * 	fprintf(stderr, "%s\n", weir_error_text());
 * @endcode
 */
#ifndef WEIR_RANKS_H
#define WEIR_RANKS_H

#include "weir/crew/object.h"
#include "weir/weir.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/** The most ranks of a crew of processes. Each holds a file descriptor for each of the others, and rank 0 two while they
 * join: 1024 for each process (RLIMIT_NOFILE) are enough. */
#define WEIR_CREW_PROCESSES_MOST 256

/** Which rank a process is, and how it finds the others. */
typedef struct weir_crew_place {
	uint32_t rank;  /**< this process, from 0 */
	uint32_t ranks; /**< how many ranks the crew has */
	/** Sockets to the others, of the type SOCK_SEQPACKET: one to rank 0, or in rank 0 one to each other rank.
	 * weir_crew_create closes them, even when it fails, unless it refuses the place itself. NULL: the ranks meet
	 * by name. */
	const int *sockets;
	uint32_t socket_count; /**< how many sockets */
	char name[64]; /**< the crew's name, the same for all ranks of one crew and one user */
} weir_crew_place;

/** The place that a launcher gives this process: `weir crew`, Open MPI, MPICH and others with PMI, torchrun, or Slurm.
 * WEIR_NOT_FOUND if no launcher started it, WEIR_BAD_ARGUMENT if the launcher's variables are not a place. The sockets
 * stay valid until the next call. Call it once, before the program starts threads. */
weir_status weir_crew_place_find(weir_crew_place *place);

/** Options of a crew. All zeros, or a NULL pointer, means the defaults. */
typedef struct weir_crew_options {
	uint32_t blocks; /**< blocks of this rank that call weir_crew_wait; 0: 1 */
	uint32_t lanes;  /**< barriers of one block per rank; 0: 1 */
	uint32_t events; /**< events of each rank */
	/** slots of each rank's queue, rounded up to a power of two; 0: no queue */
	uint32_t queue_slots;
	uint32_t radix; /**< the radix of the barriers (weir/crew/api.h); 0: weir_crew_radix */
	/** copies of the word that the blocks of a rank poll: 1, 2, 4, 8 or 16; 0: 1 */
	uint32_t copies;
	size_t data_bytes; /**< zeroed data of each rank, which all ranks reach (weir_crew_data) */
	double seconds;    /**< how long to wait for the other ranks; 0: 60 */
	int diagnose; /**< nonzero: the crew takes part in the diagnosis of its device (doc/hangs.md) */
	const char
	    *name; /**< the crew's name in reports of a diagnosis; NULL: "crew" and a number */
} weir_crew_options;

/** The default radix for that many ranks: flat up to 144, else 32 (doc/crew-cost.md). */
uint32_t weir_crew_radix(uint32_t ranks);

/** This process's membership in a crew. */
typedef struct weir_crew_link weir_crew_link;

/** Joins the crew of that place. Returns WEIR_OK only if all ranks have mapped the memory of all. All ranks give the
 * same options, except that `blocks`, `seconds`, `diagnose` and `name` may differ.
 * WEIR_NO_RANK if a rank did not join in time, or has ended. WEIR_BAD_ARGUMENT if ranks disagree, or a process of
 * another user takes part; the error text says which. WEIR_NO_MEMORY or WEIR_DRIVER_ERROR if a rank has too little
 * memory or too few file descriptors; the other ranks get the same error text, with the number of that rank.
 * WEIR_UNSUPPORTED unless `device` is the host. */
weir_status weir_crew_create(weir_device *device, const weir_crew_place *place,
                             const weir_crew_options *options, weir_crew_link **link);

/** The handle for kernels of this rank. With options.diagnose, the first call makes the crew an object of the diagnosis
 * of the device that joined. */
weir_status weir_crew_handle(weir_crew_link *link, weir_crew *crew);

/** Moves a crew that has not been used to a CUDA device. The share of this rank is then in its memory, and kernels use
 * this handle instead of weir_crew_handle's. All ranks call it, each with its device, which may be the same one. It waits
 * for the others as weir_crew_create does. With options.diagnose, the crew takes part in the diagnosis of that device.
 * Tested only against a fake driver whose device is the host, not yet on a GPU. */
weir_status weir_crew_on_device(weir_crew_link *link, weir_device *device, weir_crew *crew);

/** Lets kernels of one CUDA device use the memory of another CUDA device of this process, by its address. Such devices
 * are ranks of a crew in buffers of their own (weir/crew/in.h). */
weir_status weir_device_reach(weir_device *device, weir_device *other);

/** Aborts the crew from the host, as weir_crew_abort does from a kernel. Any thread may call it, even while a kernel
 * runs. */
weir_status weir_crew_host_abort(weir_crew_link *link);

/** Leaves the crew: frees this rank's part, and the link with it, which is NULL then. No kernel may be using the crew.
 * Others that still wait for this rank are told that it has left. A crew on devices waits until no rank has this rank's
 * memory open: WEIR_TIMED_OUT if one still has it open. */
weir_status weir_crew_destroy(weir_crew_link **link);

/** What has become of a rank. */
typedef enum weir_rank_state {
	WEIR_RANK_ALIVE = 0, /**< its process runs */
	WEIR_RANK_LEFT,      /**< it called weir_crew_destroy */
	WEIR_RANK_DEAD,      /**< its process has ended without that */
	WEIR_RANK_UNKNOWN    /**< the system does not tell */
} weir_rank_state;

/** What a report says of one rank. */
typedef struct weir_rank_report {
	weir_rank_state state; /**< what has become of it */
	int pid;               /**< its process; 0: unknown */
	int has_arrived; /**< nonzero: it has arrived in the lane of the report, or no rank waits there */
	uint32_t passed; /**< the last phase that it has passed in that lane */
	uint32_t
	    arrived; /**< its blocks that have arrived at weir_crew_wait in the current phase */
} weir_rank_report;

/** What the ranks of a crew are doing. weir_crew_report_destroy frees it. */
typedef struct weir_crew_report {
	uint32_t ranks;   /**< the ranks of the crew */
	uint32_t missing; /**< ranks that have not arrived where another one waits */
	uint32_t gone;    /**< ranks that are dead, or have left */
	uint32_t phase;   /**< the newest phase that any rank has begun in that lane */
	uint32_t lane;    /**< where ranks are missing; the lane of weir_crew_wait if nowhere */
	weir_rank_report *rank; /**< an entry for each rank */
	char *text;             /**< a sentence for each rank that is missing or gone */
} weir_crew_report;

/** Reports which ranks have not arrived. `waited` is how many seconds the caller has waited, which the report states.
 * Any thread may call it at any time between weir_crew_create and weir_crew_destroy. */
weir_status weir_crew_diagnose(weir_crew_link *link, double waited, weir_crew_report *report);
/** Frees a report. */
void weir_crew_report_destroy(weir_crew_report *report);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#ifdef WEIR_COMPAT_0_1
#include "weir/weir_compat.h"
#endif

#endif
