/* Cohort mutex: handed over inside a cluster as long as somebody waits there, and to another cluster
 * when nobody does, or after WEIR_COHORT_LIMIT holders (lock cohorting, Dice, Marathe and Shavit,
 * 2012). Between clusters it is the paced mutex; inside, a queue of Mellor-Crummey and Scott's.
 *
 *   state   (next, turn) of the paced mutex; tail[cluster], the rank + 1 of the last in the cluster's
 *           queue, 0: it is empty; and in the distributed shared memory of each block a node (after, grant), which
 *           holds anything while the block neither holds nor waits
 *   lock    after = 0; exchange tail: rank + 1, which yields that of the block before. There is
 *           none: grant = 1. There is one: grant = 0, its after = rank + 1, then wait until
 *           grant != 0. A grant of 1: lock the paced mutex. A grant of h > 1 came with the paced
 *           mutex: we are the h-th holder in the cluster since it was locked.
 *   try     try the paced mutex, past the cluster's queue; then after = rank + 1, our own, and grant =
 *           limit, so that the unlock has nobody to wait for and nothing to say
 *   unlock  by the h-th holder. after != 0 and h < limit: grant h + 1 to the block after us. Else
 *           unlock the paced mutex; if after == rank + 1, our own, be done; if after == 0, set tail
 *           from rank + 1 to 0 and be done, unless it is another's already: then wait until after !=
 *           0; and grant 1 to the block after us.
 *
 * One thread of a block at a time may hold, try or wait for it, and the blocks of one launch at a time:
 * clusters of two launches would share a tail. Blocks with a place up to config.slots, counted in
 * the order of clusters and ranks, queue in their cluster, if all of it has; others, and blocks alone
 * in their cluster, lock the paced mutex at once. So it is correct in grids of any size, with and
 * without clusters.
 * Its slot there is config.cluster_slot, different for all cohort mutexes that a block may hold at once.
 *
 * Why no block needs to be there longer than it wants to be, and no memory to be cleared: a node
 * is written by others only while its block is between lock and unlock. A block's `after` is
 * written once, by who found it in the tail, and the block does not leave before it has read
 * that: either it has, or its change of the tail fails and it waits for it. Its grant is written
 * once, and the block waits for it.
 *
 * Fair among the blocks of a cluster and among clusters: each is served in the order of arrival, a
 * cluster for up to WEIR_COHORT_LIMIT holders at a time. So whoever waits lets at most the rest of its
 * cluster go first, and that many of each other cluster for each time that its own comes to turn.
 * Not first come, first served among all blocks.
 * Three atomics per lock and unlock that find it free and alone (exchange, add, compare-and-swap);
 * inside a cluster one, and four stores to distributed shared memory.
 * Wraps as the paced mutex does; nothing else counts past the limit.
 */
#ifndef WEIR_MUTEX_COHORT_H
#define WEIR_MUTEX_COHORT_H

#include "weir/mutex/paced.h"

/* How many blocks of a cluster hold the mutex in a row while other clusters wait. */
#ifndef WEIR_COHORT_LIMIT
#define WEIR_COHORT_LIMIT 64
#endif

/* The words of a node. */
#define WEIR_COHORT_AFTER 0
#define WEIR_COHORT_GRANT 1

#define WEIR_COHORT_TAKE 1 /* the grant that came without the paced mutex */

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
	/* Relaxed: before the launch that uses it, which orders them. The tails, and the nodes where
	 * they lie in the object. */
	for (uint32_t i = 0; i < (1 + WEIR_DSMEM_WORDS) * m.config.slots; i++)
		weir_store_rlx(weir_cohort_tail_(m, i), 0);
}

WEIR_FN int weir_cohort_queues_(weir_mutex m)
{
	uint32_t size = weir_cluster_size();
	return size > 1 && (weir_cluster_id() + 1) * size <= m.config.slots;
}

/* Returns the grant. */
WEIR_FN uint32_t weir_cohort_join_(weir_mutex m)
{
	uint32_t me = weir_cluster_rank() + 1;

	/* Relaxed: the release below puts it before what the block after us writes there. */
	weir_dsmem_store_rlx(weir_cohort_mine_(m, WEIR_COHORT_AFTER), 0);
	/* Pairs with the same exchange by the block after us. */
	uint32_t before = weir_xchg_acq_rel(weir_cohort_tail_(m, weir_cluster_id()), me);
	/* Relaxed: the release below puts it before what the block before us writes there. */
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
	/* Relaxed: our lock has seen the last write, its own or the grant that it waited for. */
	uint32_t holder = weir_dsmem_load_rlx(weir_cohort_mine_(m, WEIR_COHORT_GRANT));
	/* Pairs with the release in weir_cohort_join_, so that the grant below comes after its 0. */
	uint32_t after = weir_dsmem_load_acq(weir_cohort_mine_(m, WEIR_COHORT_AFTER));

	if (after != 0 && holder < WEIR_COHORT_LIMIT) {
		/* Pairs with the await in weir_cohort_join_. */
		weir_dsmem_remote_store_rel(weir_cohort_of_(m, WEIR_COHORT_GRANT, after - 1),
		                            holder + 1);
		return;
	}
	weir_paced_unlock(m);
	if (after == me)
		return; /* after a try: nobody is after us, and no store to our node is left to wait for */
	if (after == 0) {
		/* Relaxed: who finds the 0 needs nothing of ours, and to fail only says that somebody
		 * is after us. */
		if (weir_cas_rlx(weir_cohort_tail_(m, weir_cluster_id()), me, 0) == me)
			return;
		/* Pairs with the release in weir_cohort_join_, likewise. */
		after = weir_await_dsmem_ge_acq(weir_cohort_mine_(m, WEIR_COHORT_AFTER), 1,
		                                weir_no_backoff());
	}
	/* Relaxed: it brings no data; who gets it locks the paced mutex. */
	weir_dsmem_remote_store_rlx(weir_cohort_of_(m, WEIR_COHORT_GRANT, after - 1),
	                            WEIR_COHORT_TAKE);
}

WEIR_FN void weir_cohort_lock(weir_mutex m)
{
	if (!weir_cohort_queues_(m) || weir_cohort_join_(m) == WEIR_COHORT_TAKE)
		weir_paced_lock(m);
}

/* Past the cluster's queue: who came first in it and did not get the paced mutex would have to wait
 * for who comes after it. */
WEIR_FN weir_result weir_cohort_trylock(weir_mutex m)
{
	weir_result result = weir_paced_trylock(m);

	if (result == WEIR_ACQUIRED && weir_cohort_queues_(m)) {
		/* Relaxed, both: nobody else touches the node of who is not in the queue. */
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
