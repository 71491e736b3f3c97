/** @defgroup weir_group Groups
 *
 * A group is the blocks of a grid that meet at a barrier.
 *
 * The host makes one with weir_group_create. Its blocks may discover which of them run at
 * once (weir_group_discover), so that a barrier is safe in a grid of any size. Or the caller
 * chooses them (weir_group_range, weir_group_mask, weir_group_barrier) in a grid whose blocks
 * all run at once. A block takes part as a whole.
 *
 * Memory order: that of a barrier. Discovery itself orders nothing.
 *
 * Machines: all.
 *
 * @code
 * __global__ void solve(weir_group g, float *x)
 * {
 * 	weir_member me = weir_group_discover(g);
 * 	if (!me.is_member)
 * 		return;
 * 	for (int i = 0; i < steps; i++) {
 * 		relax(x, me.rank, me.count);
 * 		weir_group_wait(g, me);
 * 	}
 * }
 * @endcode
 */
#ifndef WEIR_GROUP_API_H
#define WEIR_GROUP_API_H

#include "weir/group/chosen.h"
#include "weir/group/discovery.h"

/** Waits for all members. Every thread of every member of a discovered group calls it. Other
 * blocks must not. */
WEIR_FN void weir_group_wait(weir_group g, weir_member me WEIR_SITE_)
{
	weir_barrier_wait(weir_group_own_barrier(g, me) WEIR_AT_);
}

#endif
