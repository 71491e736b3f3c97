/* Crews over a window of NCCL, also across hosts: the engine of weir/crew/engine.h, by NCCL's GIN. It takes
 * NCCL 2.30.5, for strong signals. Compiled with the headers of NCCL 2.32, and not run yet.
 *
 *   #define WEIR_SYSTEM_SCOPE
 *   #include <nccl_device.h>
 *   #include <weir/crew/nccl.h>
 *   #include <weir/device.h>
 *
 *   weir_crew c = weir_crew_in(shares, ranks, rank, gridDim.x);
 *   c.engine = engine;
 *
 * The ranks are those of the communicator. `engine` is a weir_crew_nccl in the memory of this rank. The
 * share lies in its window, aligned to 8 bytes, and zeroed before the window is registered with
 * NCCL_WIN_COLL_SYMMETRIC | NCCL_WIN_STRICT_ORDERING. The device communicator has
 * ginConnectionType = NCCL_GIN_CONNECTION_FULL, and strong and VA signals, as by default.
 * WEIR_CREW_SHARES_NCCL_WORLD(engine, shares) fills the table, in a kernel of one thread, with the
 * beginnings of the windows. Ranks outside the LSA team get NULL there, and GIN reaches them. A crew
 * without a table signals all ranks by GIN.
 *
 * The promises of NCCL that each operation rests on:
 *   complete  nothing: NCCL's flush makes no claim about the memory of others.
 *   signal    ncclGin::signal with a strong VA signal: a rank that sees it sees all earlier puts of this
 *             rank to that one, in the same context. So the crew is flat, and its data are put in the
 *             context of the engine.
 *   post      the same, with n.
 *   poll      ncclGin::readSignal: a word that is a signal is read by GIN alone. A signal has 64 bits.
 *             So slots are two words apart, and only the lower one counts.
 *   see       ncclGin::readSignal with acquire. A direct slot is complete by the acquire of the poll.
 */
#ifndef WEIR_CREW_NCCL_H
#define WEIR_CREW_NCCL_H

#ifdef WEIR_CREW_OBJECT_H
#error "weir/crew/nccl.h comes before weir/device.h and weir/crew/engines.h"
#endif
#ifdef WEIR_CREW_ENGINE
#error "a kernel has one engine"
#endif
#ifndef NCCL_VERSION_CODE
#error "nccl_device.h comes before weir/crew/nccl.h"
#elif NCCL_VERSION_CODE < NCCL_VERSION(2, 30, 5)
#error "weir/crew/nccl.h takes NCCL 2.30.5 or newer"
#endif

#include "weir/machine.h"

/** The engine of a crew over NCCL. */
typedef struct weir_crew_nccl {
	ncclDevComm comm;    /**< the device communicator, whose ranks are those of the crew */
	ncclWindow_t window; /**< the window that has the share */
	int context;         /**< the context of GIN */
} weir_crew_nccl;

/** @cond */
#define WEIR_CREW_ENGINE weir_crew_nccl
#define WEIR_CREW_ENGINE_FLAT
#define WEIR_CREW_PITCH 2

/* Where a word of the own share lies in the window, in bytes. */
WEIR_FN size_t weir_nccl_offset_(const weir_crew_nccl *e, const weir_word *w)
{
	return (size_t)((const char *)w - (const char *)ncclGetLocalPointer(e->window, 0));
}

WEIR_FN void weir_nccl_add_(const weir_crew_nccl *e, const weir_word *w, uint32_t rank, uint32_t n)
{
	ncclGin_StrongVASignalAdd add = {e->window, weir_nccl_offset_(e, w), n};

	ncclGin(e->comm, e->context).signal(ncclTeamWorld(e->comm), (int)rank, add);
}

WEIR_FN void weir_nccl_put_(const weir_crew_nccl *e, const weir_word *w, uint32_t rank,
                            uint32_t value)
{
	ncclGin(e->comm, e->context)
	    .putValue(ncclTeamWorld(e->comm), (int)rank, e->window, weir_nccl_offset_(e, w), value);
}

WEIR_FN uint32_t weir_nccl_read_(const weir_crew_nccl *e, const weir_word *w,
                                 cuda::memory_order order)
{
	return (uint32_t)ncclGin(e->comm, e->context)
	    .readSignal(e->window, weir_nccl_offset_(e, w), 32, order);
}

#define weir_engine_complete(c) ((void)(c))
#define weir_engine_signal(c, w, rank, value)                                                      \
	((void)(value), weir_nccl_add_((c).engine, (w), (rank), 1))
#define weir_engine_put(c, w, rank, value) weir_nccl_put_((c).engine, (w), (rank), (value))
#define weir_engine_post(c, w, rank, n) weir_nccl_add_((c).engine, (w), (rank), (n))
#define weir_engine_poll(c, w) weir_nccl_read_((c).engine, (w), cuda::memory_order_relaxed)
#define weir_engine_see(c, w, before, direct)                                                      \
	do {                                                                                       \
		(void)(before);                                                                    \
		if (!(direct))                                                                     \
			weir_nccl_read_((c).engine, (w), cuda::memory_order_acquire);              \
	} while (0)
/** @endcond */

/** Fills `shares` with the beginning of each rank's window, for weir_crew_in. Ranks outside the LSA team get
 * NULL, and GIN reaches them. In a kernel of one thread. */
#define WEIR_CREW_SHARES_NCCL_WORLD(engine, shares)                                                \
	do {                                                                                       \
		ncclTeam world_ = ncclTeamWorld((engine)->comm);                                   \
		for (int peer_ = 0; peer_ < world_.nRanks; peer_++)                                \
			(shares)[peer_] =                                                          \
			    ncclTeamRankIsMember(ncclTeamLsa((engine)->comm), world_, peer_)       \
				? (weir_word *)ncclGetPeerPointer((engine)->window, 0, peer_)      \
				: (weir_word *)0;                                                  \
	} while (0)

#endif
