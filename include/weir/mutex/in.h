/* Mutexes that the kernel makes itself in zeroed memory, without the host library.
 *
 *   weir_mutex m = weir_mutex_in(words);
 *   weir_mutex_array a = weir_mutex_array_in(words, length);
 *
 * They are the mutexes that the host library makes by default on an H200: of the kind
 * `spin_backoff`, with the same backoff. `words` points to WEIR_MUTEX_WORDS words, or to
 * WEIR_MUTEX_ARRAY_WORDS(length), which are all zero before the first launch and which nothing else
 * may change. Align them to at least 4 bytes, preferably to a cache line of 128. Any thread may
 * make the handle, as often as it likes. In a kernel with another WEIR_MUTEX_KIND, the first lock
 * ends the launch.
 */
#ifndef WEIR_MUTEX_IN_H
#define WEIR_MUTEX_IN_H

#include "weir/mutex/kinds.h"

/* The backoff that was best for this kind on an H200 (data/profiles/h200.json). It is counted in
 * loads, not in cycles, and so is a ratio of two times of one cache. */
#ifndef WEIR_MUTEX_IN_MIN
/** The minimum backoff of mutexes that kernels make, in loads. Define it to change that. */
#define WEIR_MUTEX_IN_MIN 0
#endif
#ifndef WEIR_MUTEX_IN_MAX
/** The maximum backoff of mutexes that kernels make, in loads. */
#define WEIR_MUTEX_IN_MAX 16
#endif

/** Words to allocate for weir_mutex_in: a cache line. */
#define WEIR_MUTEX_WORDS WEIR_LINE_WORDS
/** Words to allocate for weir_mutex_array_in. */
#define WEIR_MUTEX_ARRAY_WORDS(length) ((length)*WEIR_MUTEX_WORDS)

/** An array of `length` mutexes in WEIR_MUTEX_ARRAY_WORDS(length) words that are all zero before
 * the first launch. Any thread may make the handle, as often as it likes. */
WEIR_FN weir_mutex_array weir_mutex_array_in(WEIR_GLOBAL weir_word *words, uint32_t length)
{
	weir_mutex_array a = weir_mutex_array_zeroed_(words, WEIR_MUTEX_SPIN_BACKOFF, 1);

	a.config.backoff.min = WEIR_MUTEX_IN_MIN;
	a.config.backoff.max = WEIR_MUTEX_IN_MAX;
	a.config.length = length;
	a.config.stride = WEIR_MUTEX_WORDS;
	return a;
}

/** A mutex in WEIR_MUTEX_WORDS words that are all zero before the first launch. Any thread may
 * make the handle, as often as it likes. It is of the kind `spin_backoff`; in a kernel with
 * another WEIR_MUTEX_KIND, the first lock ends the launch. */
WEIR_FN weir_mutex weir_mutex_in(WEIR_GLOBAL weir_word *words)
{
	return weir_mutex_at(weir_mutex_array_in(words, 1), 0);
}

#endif
