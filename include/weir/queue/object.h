/* The handle of a queue, and what queues of all kinds have in common.
 *
 * The words of a queue are `tail`, `head`, `end` and `left`, WEIR_QUEUE_SPREAD times config.pitch
 * apart, followed by the slots, one after another. A position is twice the number of an item, modulo
 * 2^32:
 * item i of the queue has position 2i, and lies in slot i mod 2^bits.
 *
 *   tail   the position of the next item that is pushed; the lowest bit is set once the queue is
 *          closed
 *   head   the position of the next item that is popped
 *   end    0, or the position that `tail` had when the queue was closed, with the lowest bit set
 *   left   the blocks that have left (weir/leave.h)
 *
 * A slot has a turn. For position p, let f be p without its lowest bit and the bits of the slot's
 * number. The slot is free for p at turn f and holds the item of p at turn f + 1. It is free for its
 * next item, 2^bits later, at turn f + 2 * 2^bits. All-zero memory is an empty queue.
 */
#ifndef WEIR_QUEUE_OBJECT_H
#define WEIR_QUEUE_OBJECT_H

#include "weir/object.h"

/* Pitches from one field to the next. A KiB apart, the atomics on tail and head do not share a
 * part of an H200's cache: 1.4 times as many items with 1056 blocks
 * (results/h200/trials/queues.txt). */
#ifndef WEIR_QUEUE_SPREAD
/** Pitches from one field to the next. A KiB apart, the atomics on tail and head do not share a
 * part of an H200's cache: 1.4 times as many items with 1056 blocks
 * (results/h200/trials/queues.txt). */
#define WEIR_QUEUE_SPREAD 8u
#endif
#define WEIR_QUEUE_HEAD (4 * WEIR_QUEUE_SPREAD) /**< pitches before the first slot */
#define WEIR_QUEUE_BITS_MOST 28                 /**< the largest weir_queue_config.bits */
#define WEIR_QUEUE_STEP 2u                      /**< from one position to the next */
#define WEIR_QUEUE_CLOSED 1u                    /**< the bit of `tail` of a closed queue */

#ifndef WEIR_QUEUE_LOOKS
/** How many times a waiting pop polls its slot for each poll of `end`, which all waiting pops
 * share. */
#define WEIR_QUEUE_LOOKS 8u
#endif

#define WEIR_QUEUE_ONE_PUSHES 1u /**< a bit of config.single: one thread at a time pushes */
#define WEIR_QUEUE_ONE_POPS 2u   /**< a bit of config.single: one thread at a time pops */

/** The configuration in the handle of a queue. */
typedef struct weir_queue_config {
	WEIR_CONFIG_MEMBERS
	uint32_t bits;   /**< 2^bits slots */
	uint32_t words;  /**< of an item */
	uint32_t stride; /**< words from one slot to the next */
	uint32_t single; /**< the kind `single`: which sides are single */
} weir_queue_config;

/** The handle of a queue. Kernels get it by value; every copy is the same queue. */
WEIR_HANDLE_(weir_queue)

/** The most items that the queue can have. */
WEIR_FN uint32_t weir_queue_capacity(weir_queue q)
{
	return 1u << q.config.bits;
}

WEIR_FN WEIR_GLOBAL weir_word *weir_queue_tail_(weir_queue q)
{
	return &q.words[0];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_queue_head_(weir_queue q)
{
	return &q.words[WEIR_QUEUE_SPREAD * q.config.pitch];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_queue_end_(weir_queue q)
{
	return &q.words[2 * WEIR_QUEUE_SPREAD * q.config.pitch];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_queue_left_(weir_queue q)
{
	return &q.words[3 * WEIR_QUEUE_SPREAD * q.config.pitch];
}

/* The first word of the slot of a position. */
WEIR_FN WEIR_GLOBAL weir_word *weir_queue_slot_(weir_queue q, uint32_t at)
{
	uint32_t number = (at >> 1) & ((1u << q.config.bits) - 1);

	return &q.words[WEIR_QUEUE_HEAD * q.config.pitch + (uint64_t)number * q.config.stride];
}

/* The turn at which the slot of a position is free for it. */
WEIR_FN uint32_t weir_queue_turn_(weir_queue q, uint32_t at)
{
	return at & ~((WEIR_QUEUE_STEP << q.config.bits) - 1);
}

/** The words of a queue. */
WEIR_FN uint64_t weir_queue_words(weir_queue_config config)
{
	return WEIR_QUEUE_HEAD * config.pitch + ((uint64_t)config.stride << config.bits);
}

#endif
