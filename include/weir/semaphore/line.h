/* The bound on the queue of a semaphore, for the kinds that add to a 32-bit count before they wait.
 *
 * A wait for up to WEIR_LINE_AT_ONCE slots adds at once: fewer than 2^20 threads wait at a time, so
 * all of these together add less than 2^30. A wait for more adds only while the slots taken and
 * waited for, its own included, are at most maximum + WEIR_LINE_MOST. The maximum is below 2^31,
 * which creation checks. So a count stays below 2^32, and less than 2^31 is ever waited for.
 */
#ifndef WEIR_SEMAPHORE_LINE_H
#define WEIR_SEMAPHORE_LINE_H

#include "weir/semaphore/object.h"

#define WEIR_LINE_AT_ONCE 1024u
#define WEIR_LINE_MOST 0x40000000u

/* Whether a wait for `n` slots may join the queue, with `used` slots taken or waited for. */
WEIR_FN int weir_line_has_room_(uint32_t used, uint32_t n, uint32_t maximum)
{
	return (uint64_t)used + n <= (uint64_t)maximum + WEIR_LINE_MOST;
}

#endif
