/* The last block of a launch to leave: it makes an object ready for the next launch.
 *
 *   state    (left), 0 at first
 *   leave    (l) -> (l+s), where s is 1, or for block 0 of n: 2^30 - (n - 1). The block that makes l
 *            a multiple of 2^30 is the last one
 *
 * Every block of the launch leaves once. Blocks need not run at once. Launches that use the same
 * object come one after the other, as in a stream. A launch that was aborted has not left: the host
 * then resets the object. One atomic for each block and launch.
 * Wraps safely: the steps of a launch add up to 2^30, whatever the number of blocks, which is below
 * 2^30. No smaller sum of them is a multiple of 2^30.
 *
 * The steps are a run of read-modify-writes that acquire and release. So everything that any block
 * did before it left happens before the last block's writes, and launch order makes these visible to
 * the next launch.
 */
#ifndef WEIR_LEAVE_H
#define WEIR_LEAVE_H

#include "weir/machine.h"

#define WEIR_LEFT_STEP 0x40000000u /* what a launch adds to `left` */

/* What the caller's block adds. */
WEIR_FN uint32_t weir_leave_step_(void)
{
	return weir_block_id() == 0 ? WEIR_LEFT_STEP - (weir_block_count() - 1) : 1;
}

/* One thread calls it for its block. Returns 1 to the last block, else 0. */
WEIR_FN int weir_leave_(WEIR_GLOBAL weir_word *left)
{
	uint32_t step = weir_leave_step_();
	/* Release: our block has done its work. Acquire: so have all, if we are the last. Each pairs
	 * with the other, in this add of other blocks. */
	uint32_t now = weir_add_acq_rel(left, step) + step;

	return (now & (WEIR_LEFT_STEP - 1)) == 0;
}

#endif
