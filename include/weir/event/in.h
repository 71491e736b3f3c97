/* Events in zeroed memory, made by the kernel itself: without the host library.
 *
 *   weir_event_array a = weir_event_array_in(words, length);           a cache line for each event
 *   weir_event_array a = weir_event_array_compact_in(words, length);   a word for each
 *
 * Both make the kind `word`, which is also the host library's default. `words` points to
 * WEIR_EVENT_ARRAY_WORDS(length) or WEIR_EVENT_ARRAY_COMPACT_WORDS(length) words, all zero before
 * the first launch, and never changed by anything else. They are aligned to 4 bytes, better to a
 * cache line of 128. Any thread may make the handle, as often as it likes. In a kernel with another
 * WEIR_EVENT_KIND, the first operation ends the launch.
 */
#ifndef WEIR_EVENT_IN_H
#define WEIR_EVENT_IN_H

#include "weir/event/kinds.h"

/** Words to allocate for weir_event_array_in. */
#define WEIR_EVENT_ARRAY_WORDS(length) (((length) + WEIR_EVENT_HEAD) * WEIR_LINE_WORDS)
/** Words to allocate for weir_event_array_compact_in. */
#define WEIR_EVENT_ARRAY_COMPACT_WORDS(length) ((length) + WEIR_EVENT_HEAD)

WEIR_FN weir_event_array weir_event_array_in_(WEIR_GLOBAL weir_word *words, uint32_t length,
                                              uint32_t pitch)
{
	weir_event_array a = weir_event_array_zeroed_(words, WEIR_EVENT_WORD, pitch);

	a.config.length = length;
	a.config.bits = 0;
	a.config.apart = 0;
	return a;
}

/** An array of `length` events in WEIR_EVENT_ARRAY_WORDS(length) words that are all zero before
 * the first launch. Any thread may make the handle, as often as it likes. The events are of the
 * kind `word`; in a kernel with another WEIR_EVENT_KIND, the first operation ends the launch. */
WEIR_FN weir_event_array weir_event_array_in(WEIR_GLOBAL weir_word *words, uint32_t length)
{
	return weir_event_array_in_(words, length, WEIR_LINE_WORDS);
}

/** weir_event_array_in with a word for each event instead of a cache line, in
 * WEIR_EVENT_ARRAY_COMPACT_WORDS(length) words. */
WEIR_FN weir_event_array weir_event_array_compact_in(WEIR_GLOBAL weir_word *words, uint32_t length)
{
	return weir_event_array_in_(words, length, 1);
}

#endif
