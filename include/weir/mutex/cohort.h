/* Cohort mutex: passed on inside a cluster while blocks of the cluster wait. It goes to another
 * cluster when none does, or after WEIR_COHORT_LIMIT holders (lock cohorting, Dice, Marathe and
 * Shavit, 2012). Between clusters it is the paced mutex; inside a cluster it is an MCS queue
 * (Mellor-Crummey and Scott).
 *
 *   state   (next, turn) of the paced mutex; tail[cluster]; and for each block a node (after,
 *           grant) in its distributed shared memory. tail is the rank + 1 of the last block in the
 *           cluster's queue; 0: the queue is empty. A node holds anything while its block neither
 *           holds nor waits.
 *   lock    after = 0. Exchange tail for rank + 1, which returns the rank + 1 of the block before
 *           us. If that is 0, there is none: grant = 1. Else grant = 0, the after of that block =
 *           rank + 1, then wait until grant != 0. A grant of 1: lock the paced mutex. A grant of
 *           h > 1 came with the paced mutex: we are the h-th holder in the cluster since it was
 *           locked.
 *   try     try the paced mutex, without the cluster's queue. Then after = rank + 1, our own, and
 *           grant = limit: the unlock has no block to wait for and none to tell.
 *   unlock  by the h-th holder. If after != 0 and h < limit: grant h + 1 to the block after us.
 *           Else unlock the paced mutex. If after == rank + 1, our own, be done. If after == 0,
 *           change tail from rank + 1 to 0 and be done; but if tail is another block's already,
 *           wait until after != 0. Then grant 1 to the block after us.
 *
 * Only one thread of a block at a time may hold, try or wait for the mutex. Only one launch at a
 * time may use it: clusters of two launches would share a tail.
 * The first config.slots blocks, counted in the order of clusters and ranks, have a place. A block
 * queues in its cluster if all blocks of the cluster have one. Other blocks, and blocks that are
 * alone in their cluster, lock the paced mutex directly. So the mutex is correct in grids of any
 * size, with or without clusters.
 * config.cluster_slot is the place of its node in distributed shared memory. Cohort mutexes that a
 * block may hold at the same time have different places.
 *
 * Why a block may end after its unlock, and why memory needs no clearing. Other blocks write a
 * node only while its block is between lock and unlock. Its `after` is written once, by the block
 * that found the owner in the tail. The owner does not leave before it has read that value: either
 * it has read it already, or its change of the tail fails and it waits for `after`. Its grant is
 * written once by another block, and the owner waits for it.
 *
 * First come, first served among the blocks of a cluster, and among clusters, but not among all
 * blocks. The turn of a cluster lasts up to WEIR_COHORT_LIMIT holders. So a waiter lets at most the
 * rest of its cluster go first, and up to WEIR_COHORT_LIMIT holders of each other cluster for each
 * turn of its own cluster.
 * Three atomics per lock and unlock of a free mutex that no other block wants (exchange, add,
 * compare-and-swap). A hand-over inside a cluster takes one atomic, and four stores to distributed
 * shared memory.
 * Wraps as the paced mutex does; nothing else counts past the limit.
 */
#ifndef WEIR_MUTEX_COHORT_H
#define WEIR_MUTEX_COHORT_H

#include "weir/dsmem.h"
#include "weir/mutex/paced.h"

/* How many blocks of a cluster hold the mutex in a row while other clusters wait. */
#ifndef WEIR_COHORT_LIMIT
#define WEIR_COHORT_LIMIT 64
#endif

/* The words of a node. */
#define WEIR_COHORT_AFTER 0
#define WEIR_COHORT_GRANT 1

#define WEIR_COHORT_TAKE 1 /* a grant without the paced mutex */

WEIR_FN WEIR_GLOBAL weir_word *weir_cohort_tail_(weir_mutex m, uint32_t cluster)
{
	return &m.words[2 * m.config.pitch + cluster];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_cohort_home_(weir_mutex m)
{
	return &m.words[2 * m.config.pitch + m.config.slots];
}

WEIR_FN weir_dsmem_word weir_cohort_mine_(weir_mutex m, uint32_t index)
{
	return weir_dsmem(weir_cohort_home_(m), m.config.cluster_slot, index);
}

WEIR_FN weir_dsmem_remote_word weir_cohort_of_(weir_mutex m, uint32_t index, uint32_t rank)
{
	return weir_dsmem_remote(weir_cohort_home_(m), m.config.cluster_slot, index, rank);
}

WEIR_FN uint32_t weir_cohort_mutex_words(weir_mutex_config config)
{
	return 2 * config.pitch + (1 + WEIR_DSMEM_WORDS) * config.slots;
}

WEIR_FN void weir_cohort_mutex_start(weir_mutex m, uint32_t past)
{
	weir_paced_mutex_start(m, past);
	/* Relaxed: the launch that uses it orders these stores. They clear the tails, and the nodes
	 * where these lie in the object. */
	for (uint32_t i = 0; i < (1 + WEIR_DSMEM_WORDS) * m.config.slots; i++)
		weir_store_rlx(weir_cohort_tail_(m, i), 0);
}

WEIR_FN int weir_cohort_queues_(weir_mutex m)
{
	uint32_t size = weir_cluster_size();
	return size > 1 && (weir_cluster_id() + 1) * size <= m.config.slots;
}

/* Joins the cluster's queue; returns the grant. */
WEIR_FN uint32_t weir_cohort_join_(weir_mutex m)
{
	uint32_t me = weir_cluster_rank() + 1;

	/* Relaxed: the exchange below releases this store before the block after us stores to this
	 * word. */
	weir_dsmem_store_rlx(weir_cohort_mine_(m, WEIR_COHORT_AFTER), 0);
	/* Pairs with the same exchange by the block after us. */
	uint32_t before = weir_xchg_acq_rel(weir_cohort_tail_(m, weir_cluster_id()), me);
	/* Relaxed: the release below precedes the store of the block before us to this word. */
	weir_dsmem_store_rlx(weir_cohort_mine_(m, WEIR_COHORT_GRANT),
	                     before == 0 ? WEIR_COHORT_TAKE : 0);
	if (before == 0)
		return WEIR_COHORT_TAKE;
	/* Pairs with the acquires of `after` in weir_cohort_pass_. */
	weir_dsmem_remote_store_rel(weir_cohort_of_(m, WEIR_COHORT_AFTER, before - 1), me);
	/* Pairs with the release in weir_cohort_pass_. */
	return weir_await_dsmem_ge_acq(weir_cohort_mine_(m, WEIR_COHORT_GRANT), 1,
	                               weir_no_backoff());
}

WEIR_FN void weir_cohort_pass_(weir_mutex m)
{
	uint32_t me = weir_cluster_rank() + 1;
	/* Relaxed: our lock has seen the last write, either its own or the grant that it waited
	 * for. */
	uint32_t holder = weir_dsmem_load_rlx(weir_cohort_mine_(m, WEIR_COHORT_GRANT));
	/* Pairs with the release in weir_cohort_join_: our grant below comes after the 0 stored
	 * there. */
	uint32_t after = weir_dsmem_load_acq(weir_cohort_mine_(m, WEIR_COHORT_AFTER));

	if (after != 0 && holder < WEIR_COHORT_LIMIT) {
		/* Pairs with the await in weir_cohort_join_. */
		weir_dsmem_remote_store_rel(weir_cohort_of_(m, WEIR_COHORT_GRANT, after - 1),
		                            holder + 1);
		return;
	}
	weir_paced_unlock(m);
	if (after == me)
		return; /* after a try: no block is after us, and no store to our node is due */
	if (after == 0) {
		/* Relaxed: a block that finds the 0 needs no data from us, and a failure only means
		 * that a block is after us. */
		if (weir_cas_rlx(weir_cohort_tail_(m, weir_cluster_id()), me, 0) == me)
			return;
		/* Pairs with the release in weir_cohort_join_, like the load of `after` above. */
		after = weir_await_dsmem_ge_acq(weir_cohort_mine_(m, WEIR_COHORT_AFTER), 1,
		                                weir_no_backoff());
	}
	/* Relaxed: the grant carries no data; the block that gets it locks the paced mutex. */
	weir_dsmem_remote_store_rlx(weir_cohort_of_(m, WEIR_COHORT_GRANT, after - 1),
	                            WEIR_COHORT_TAKE);
}

WEIR_FN void weir_cohort_lock(weir_mutex m)
{
	if (!weir_cohort_queues_(m) || weir_cohort_join_(m) == WEIR_COHORT_TAKE)
		weir_paced_lock(m);
}

/* Stays out of the cluster's queue: a block that was first in that queue and did not get the paced
 * mutex would have to wait for the block after it. */
WEIR_FN weir_status weir_cohort_try_lock(weir_mutex m)
{
	weir_status result = weir_paced_try_lock(m);

	if (result == WEIR_OK && weir_cohort_queues_(m)) {
		/* Relaxed, both: no other block touches the node of a block that is not in the
		 * queue. */
		weir_dsmem_store_rlx(weir_cohort_mine_(m, WEIR_COHORT_AFTER),
		                     weir_cluster_rank() + 1);
		weir_dsmem_store_rlx(weir_cohort_mine_(m, WEIR_COHORT_GRANT), WEIR_COHORT_LIMIT);
	}
	return result;
}

WEIR_FN void weir_cohort_unlock(weir_mutex m)
{
	if (weir_cohort_queues_(m))
		weir_cohort_pass_(m);
	else
		weir_paced_unlock(m);
}

#endif
