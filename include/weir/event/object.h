/* The handles of an array of events and of one of them.
 *
 * The words of an array, config.pitch apart: `left` and `round`, which belong to launches
 * (weir/event/round.h), and then the events in a row. An event of a kind with copies or shards has
 * 2^bits words, config.apart words from one to the next: the row is there 2^bits times. All-zero
 * words are an array that has not been used.
 */
#ifndef WEIR_EVENT_OBJECT_H
#define WEIR_EVENT_OBJECT_H

#include "weir/object.h"

#define WEIR_EVENT_HEAD 2      /**< fields before the first event of an array */
#define WEIR_EVENT_BITS_MOST 4 /**< the largest weir_event_config.bits */

/** What the handle of an array of events says of it. */
typedef struct weir_event_array_config {
	WEIR_CONFIG_MEMBERS
	uint32_t length; /**< how many events */
	uint32_t bits;   /**< each event has 2^bits words; 0 for a kind with one */
	uint32_t apart;  /**< words from one of these to the next */
} weir_event_array_config;

/** The handle of an array of events. Kernels get it by value, and copies are the same array. */
WEIR_HANDLE_(weir_event_array)

/** What the handle of one event says of it. */
typedef struct weir_event_config {
	WEIR_CONFIG_MEMBERS
	uint32_t index; /**< its index in its array */
	uint32_t bits;  /**< as in weir_event_array_config */
	uint32_t apart; /**< as in weir_event_array_config */
} weir_event_config;

/** The handle of one event, from weir_event_at. */
WEIR_HANDLE_(weir_event)

WEIR_FN weir_event weir_event_at_(weir_event_array a, uint32_t index)
{
	weir_event e;
	e.words = a.words + (uint64_t)(index + WEIR_EVENT_HEAD) * a.config.pitch;
	e.config.kind = a.config.kind;
	e.config.pitch = a.config.pitch;
	e.config.offset = a.config.offset;
	e.config.backoff = a.config.backoff;
	e.config.id = a.config.id;
	e.config.index = index;
	e.config.bits = a.config.bits;
	e.config.apart = a.config.apart;
	return e;
}

/** The event at `index`, which must be below the array's length. Any thread may call it. */
WEIR_FN weir_event weir_event_at(weir_event_array a, uint32_t index WEIR_SITE_)
{
	WEIR_NOTED_(if (!WEIR_LIKELY(index < a.config.length))
	                WEIR_REFUSE_(a, WEIR_FAULT_INDEX, index, weir_event_at_(a, 0)));
	return weir_event_at_(a, index);
}

/* Begins a wait for an event. */
WEIR_FN weir_wait weir_event_wait_begin_(weir_event e, uint32_t target)
{
	weir_wait wait = weir_wait_begin(weir_no_backoff());

	(void)e;
	(void)target;
	WEIR_NOTED_(weir_wait_wants_(&wait, e.config.id, e.config.index, 1, target));
	return wait;
}

/* Whether a count is at or past a target, across the wrap at 2^32. */
WEIR_FN int weir_event_is_past_(uint32_t count, uint32_t target)
{
	return (int32_t)(count - target) >= 0;
}

/** The words of an array of events. */
WEIR_FN uint64_t weir_event_array_words(weir_event_array_config config)
{
	uint64_t row = (uint64_t)(WEIR_EVENT_HEAD + config.length - 1) * config.pitch + 1;
	return row + (uint64_t)((1u << config.bits) - 1) * config.apart;
}

#endif
