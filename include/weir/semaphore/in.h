/* A semaphore that the kernel makes itself in zeroed memory, without the host library.
 *
 *   weir_semaphore s = weir_semaphore_in(words, maximum);
 *
 * It is the semaphore that the host library makes by default on an H200: of the kind `packed`, with
 * the same backoff. Where there are no 64-bit words, its kind is `sleeping`. All slots are free at
 * first. `words` points to WEIR_SEMAPHORE_WORDS words, which are all zero before the first launch
 * and which nothing else may change. Align them to at least 8 bytes, preferably to a cache line of
 * 128. Any thread may make the handle, as often as it likes, with the same maximum. In a kernel
 * with another WEIR_SEMAPHORE_KIND, the first wait ends the launch.
 */
#ifndef WEIR_SEMAPHORE_IN_H
#define WEIR_SEMAPHORE_IN_H

#include "weir/dispatch.h"
#include "weir/semaphore/kinds.h"

/** Words to allocate for weir_semaphore_in, in whole cache lines: enough for either kind that it
 * makes. */
#define WEIR_SEMAPHORE_WORDS (3 * WEIR_LINE_WORDS)

/** The pause for each `maximum` slots ahead, in loads: the best value on an H200
 * (data/profiles/h200.json). */
#define WEIR_SEMAPHORE_IN_PAUSE(maximum) ((maximum) > 10 ? 5u : (maximum) > 2 ? 2u : 1u)

/** A semaphore of `maximum` slots, all free at first, in WEIR_SEMAPHORE_WORDS words that are all
 * zero before the first launch. Any thread may make the handle, as often as it likes, with the
 * same maximum. Its kind is `packed`, or `sleeping` where there are no 64-bit words; in a
 * kernel with another WEIR_SEMAPHORE_KIND, the first wait ends the launch. */
WEIR_FN weir_semaphore weir_semaphore_in(WEIR_GLOBAL weir_word *words, uint32_t maximum)
{
	weir_semaphore s = weir_semaphore_zeroed_(words, WEIR_SEMAPHORE_LIKELY, WEIR_LINE_WORDS);

	s.config.backoff.min = WEIR_SEMAPHORE_IN_PAUSE(maximum);
	s.config.backoff.max = s.config.backoff.min;
	s.config.maximum = maximum;
	return s;
}

#endif
