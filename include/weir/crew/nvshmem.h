/* Crews over NVSHMEM, also across hosts: the engine of weir/crew/engine.h. Compiled with the headers of
 * NVSHMEM 3.8, and not run yet.
 *
 *   #define WEIR_SYSTEM_SCOPE
 *   #include <nvshmem.h>
 *   #include <weir/crew/nvshmem.h>
 *   #include <weir/device.h>
 *
 * The ranks are the PEs. A share is symmetric memory (nvshmem_calloc), so that the same address names that
 * word on every PE. WEIR_CREW_SHARES_NVSHMEM (weir/crew/engines.h) fills the table of weir_crew_in: a PE
 * that nvshmem_ptr does not reach gets NULL there, and puts reach it. A crew without a table,
 * weir_crew_make(words, 0, weir_crew_in_config(ranks, rank, blocks)), signals all PEs by puts.
 * All blocks of the PE's kernel run at once, so it is launched with nvshmemx_collective_launch.
 *
 * The promises of NVSHMEM that each operation rests on:
 *   complete  nvshmem_quiet: all operations on symmetric memory that this PE has issued, stores too, are
 *             complete when it returns. Updates of the memory of a PE are visible to that PE then. One
 *             thread calls it for the PE.
 *   signal    nvshmem_uint32_p. Puts progress without further calls.
 *   post      nvshmem_quiet, then nvshmem_uint32_atomic_add: atomic among the AMOs of NVSHMEM, but not with
 *             the atomics of a kernel on the same word.
 *   see       nvshmem_uint32_wait_until: the target's accesses then observe remote updates in the order
 *             that their initiator gave them by a quiet. The poll before has found the word other than
 *             `before`, which it never is again while this waits. So it returns at once.
 */
#ifndef WEIR_CREW_NVSHMEM_H
#define WEIR_CREW_NVSHMEM_H

#ifdef WEIR_CREW_OBJECT_H
#error "weir/crew/nvshmem.h comes before weir/device.h and weir/crew/engines.h"
#endif
#ifdef WEIR_CREW_ENGINE
#error "a kernel has one engine"
#endif
#ifndef NVSHMEM_MAJOR_VERSION
#error "nvshmem.h comes before weir/crew/nvshmem.h"
#endif

/** @cond */
/* NVSHMEM keeps its state itself: no crew points to any. */
#define WEIR_CREW_ENGINE char

#define weir_engine_complete(c)                                                                    \
	do {                                                                                       \
		(void)(c);                                                                         \
		if (weir_thread_id() == 0)                                                         \
			nvshmem_quiet();                                                           \
		weir_crew_first_sync_(); /* before any thread's puts */                            \
	} while (0)
#define weir_engine_put(c, w, rank, value)                                                         \
	((void)(c), nvshmem_uint32_p((uint32_t *)(w), (value), (int)(rank)))
#define weir_engine_signal(c, w, rank, value) weir_engine_put(c, w, rank, value)
#define weir_engine_post(c, w, rank, n)                                                            \
	((void)(c), nvshmem_quiet(), nvshmem_uint32_atomic_add((uint32_t *)(w), (n), (int)(rank)))
#define weir_engine_poll(c, w) ((void)(c), weir_poll(w))
/* Includes direct slots: the writer may have put other words before it stored the slot. */
#define weir_engine_see(c, w, before, direct)                                                      \
	((void)(c), (void)(direct),                                                                \
	 nvshmem_uint32_wait_until((uint32_t *)(w), NVSHMEM_CMP_NE, (before)))
/** @endcond */

#endif
