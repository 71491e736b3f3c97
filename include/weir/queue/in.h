/* A queue that the kernel makes itself in zeroed memory, without the host library.
 *
 *   weir_queue q = weir_queue_in(words, bits);    2^bits items of 4 bytes
 *
 * It is of the kind `cells`, the default of the host library. `words` points to
 * WEIR_QUEUE_WORDS(bits) words, which are all zero before the first launch and which nothing else
 * may change. Align them to at least 8 bytes, preferably to a cache line of 128. Any thread may
 * make the
 * handle, as often as it likes, with the same bits, up to WEIR_QUEUE_BITS_MOST. In a kernel
 * with another WEIR_QUEUE_KIND, the first operation ends the launch.
 */
#ifndef WEIR_QUEUE_IN_H
#define WEIR_QUEUE_IN_H

#include "weir/queue/kinds.h"

#if WEIR_HAS_WORD64

/** Words to allocate for weir_queue_in. */
#define WEIR_QUEUE_WORDS(bits)                                                                     \
	(WEIR_QUEUE_HEAD * WEIR_LINE_WORDS + ((uint64_t)WEIR_CELLS_STRIDE << (bits)))

/** A queue of 2^bits items of 4 bytes in WEIR_QUEUE_WORDS(bits) words, aligned to 8 bytes, that
 * are all zero before the first launch. Any thread may make the handle, as often as it likes,
 * with the same bits, up to WEIR_QUEUE_BITS_MOST. It is of the kind `cells`; in a kernel with
 * another WEIR_QUEUE_KIND, the first operation ends the launch. Requires WEIR_HAS_WORD64. */
WEIR_FN weir_queue weir_queue_in(WEIR_GLOBAL weir_word *words, uint32_t bits)
{
	weir_queue q = weir_queue_zeroed_(words, WEIR_QUEUE_CELLS, WEIR_LINE_WORDS);

	q.config.bits = bits;
	q.config.words = 1;
	q.config.stride = WEIR_CELLS_STRIDE;
	q.config.single = 0;
	return q;
}

#endif

#endif
