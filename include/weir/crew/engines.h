/* Crews over memory that NCCL or NVSHMEM shares among GPUs, for programs that use these already. They are
 * macros: this header needs neither of the two.
 *
 *   WEIR_CREW_SHARES_NVSHMEM(words, ranks, shares)
 *       on the host or in a kernel, after nvshmem.h. `words` is symmetric memory. Fills `shares`, an
 *       array of `ranks` addresses, and is 1 if this PE reaches all of them by loads and stores. PEs of
 *       another host are not reached, and have NULL: weir/crew/nvshmem.h reaches them by puts.
 *   WEIR_CREW_SHARES_NCCL(window, ranks, shares)
 *       in a kernel of one thread, after nccl_device.h (NCCL 2.28). `window` is symmetric memory that
 *       ncclCommWindowRegister gave, and `ranks` the size of the LSA team. weir/crew/nccl.h has one for
 *       all ranks of a communicator.
 *
 * `shares` is then for weir_crew_in (weir/crew/in.h). The memory has WEIR_CREW_WORDS(ranks) words, zeroed
 * before any rank's first launch. PyTorch's symmetric memory has such an array already, buffer_ptrs_dev: a
 * tensor lies `offset` bytes behind these addresses (config.offset is that in words).
 */
#ifndef WEIR_CREW_ENGINES_H
#define WEIR_CREW_ENGINES_H

#include "weir/crew/in.h"

/** Fills `shares`, an array of `ranks` addresses for weir_crew_in, from symmetric memory of NVSHMEM. Is 1 if
 * this PE reaches all of them by loads and stores. PEs of another host get NULL: weir/crew/nvshmem.h
 * reaches them by puts. On the host or in a kernel, after nvshmem.h. */
#define WEIR_CREW_SHARES_NVSHMEM(words, ranks, shares)                                             \
	__extension__({                                                                            \
		int reached_ = 1;                                                                  \
		for (int pe_ = 0; pe_ < (int)(ranks); pe_++) {                                     \
			(shares)[pe_] = (weir_word *)nvshmem_ptr((words), pe_);                    \
			reached_ &= (shares)[pe_] != 0;                                            \
		}                                                                                  \
		reached_;                                                                          \
	})

/** Fills `shares`, an array of `ranks` addresses for weir_crew_in, from symmetric memory that
 * ncclCommWindowRegister returned. `ranks` is the size of the LSA team. In a kernel of one thread, after
 * nccl_device.h (NCCL 2.28). */
#define WEIR_CREW_SHARES_NCCL(window, ranks, shares)                                               \
	do {                                                                                       \
		for (int peer_ = 0; peer_ < (int)(ranks); peer_++)                                 \
			(shares)[peer_] = (weir_word *)ncclGetLsaPointer((window), 0, peer_);      \
	} while (0)

#endif
