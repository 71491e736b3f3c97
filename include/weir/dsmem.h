/* Clusters and distributed shared memory on machines that have neither, or only clusters.
 *
 * Without clusters every block is a cluster of its own. Without distributed shared memory its words
 * are words of the object, at `home`: WEIR_DSMEM_WORDS for each block, in the order of clusters and
 * ranks.
 *
 * A machine with such memory defines WEIR_HAS_OWN_DSMEM, and defines the words and their accesses
 * itself. The accesses are macros here, so that a machine that records the source line of an access
 * records the algorithm's.
 */
#ifndef WEIR_DSMEM_H
#define WEIR_DSMEM_H

#include "weir/machine.h"
#ifdef WEIR_CUDA_CLUSTER
#include "weir/machine/cuda_cluster.h"
#endif

#if !WEIR_HAS_CLUSTER

WEIR_FN uint32_t weir_cluster_id(void)
{
	return weir_block_id();
}

WEIR_FN uint32_t weir_cluster_rank(void)
{
	return 0;
}

WEIR_FN uint32_t weir_cluster_size(void)
{
	return 1;
}

#endif

#ifdef WEIR_HAS_OWN_DSMEM

WEIR_FN uint32_t weir_await_dsmem_ge_acq(weir_dsmem_word w, uint32_t value, weir_backoff backoff)
{
	weir_wait wait = weir_wait_begin(backoff);
	uint32_t found;
	while ((int32_t)((found = weir_dsmem_load_acq(w)) - value) < 0) {
		if (weir_wait_aborted(&wait))
			break;
		weir_wait_again(&wait);
	}
	weir_wait_end(&wait);
	return found;
}

#else

typedef WEIR_GLOBAL weir_word *weir_dsmem_word;
typedef WEIR_GLOBAL weir_word *weir_dsmem_remote_word;

WEIR_FN weir_dsmem_remote_word weir_dsmem_remote(WEIR_GLOBAL weir_word *home, uint32_t slot,
                                                 uint32_t index, uint32_t rank)
{
	(void)slot; /* every object has a home of its own */
	return home + (weir_cluster_id() * weir_cluster_size() + rank) * WEIR_DSMEM_WORDS + index;
}

WEIR_FN weir_dsmem_word weir_dsmem(WEIR_GLOBAL weir_word *home, uint32_t slot, uint32_t index)
{
	return weir_dsmem_remote(home, slot, index, weir_cluster_rank());
}

#define weir_dsmem_load_rlx(w) weir_load_rlx(w)
#define weir_dsmem_load_acq(w) weir_load_acq(w)
#define weir_dsmem_store_rlx(w, value) weir_store_rlx(w, value)
#define weir_dsmem_remote_store_rlx(w, value) weir_store_rlx(w, value)
#define weir_dsmem_remote_store_rel(w, value) weir_store_rel(w, value)
#define weir_await_dsmem_ge_acq(w, value, backoff) weir_await_ge_acq(w, value, backoff)

#endif

#endif
