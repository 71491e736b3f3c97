/* A barrier that the kernel makes itself in zeroed memory, without the host library.
 *
 *   weir_barrier b = weir_barrier_in(words, blocks);
 *
 * It is the barrier that the host library makes by default for a GPU without a profile: of the kind
 * `counter`, with the same shape. `words` points to WEIR_BARRIER_WORDS(blocks) words, which are all
 * zero before the first launch and which nothing else may change. Align them to at least 4 bytes,
 * preferably to a cache line of 128. `blocks` is the number of blocks in the grid. All of them call
 * this with the same arguments, preferably once at the start. All blocks of the launch must run at
 * once.
 * The next launch with the same numbers of blocks and threads can use the same words. The host
 * library may take another shape from a profile, so zero the words before switching between this
 * handle and the library's. In a kernel with another WEIR_BARRIER_KIND, the first wait ends the
 * launch.
 */
#ifndef WEIR_BARRIER_IN_H
#define WEIR_BARRIER_IN_H

#include "weir/barrier/kinds.h"

/* About the number of arrivals that a counter serves in one round trip to the cache: on an H200 an
 * arrival takes 0.76 ns, so this many take 0.26 us. Up to this number, shards would save less than
 * their polls cost. Beyond it, shards of half this size were best there. As the ratio of two times
 * of one cache, it depends on neither the clock nor the number of multiprocessors. */
#ifndef WEIR_COUNTER_ARRIVALS
/** The number of arrivals that one counter takes before the barrier gets shards. Define it to
 * change that. */
#define WEIR_COUNTER_ARRIVALS 350u
#endif

/* Whether shards of blocks / 2^bits are still too large. */
#define WEIR_COUNTER_CROWDED_(blocks, bits)                                                        \
	((blocks) >> (bits) > WEIR_COUNTER_ARRIVALS / 2 ? 1u : 0u)

#ifdef WEIR_REFERENCE
/** The shard bits of all `counter` barriers of a build, which saves registers and code (doc/cost.md).
 * A barrier with other bits ends the launch. */
#define WEIR_COUNTER_FIXED_BITS
#endif

/** The shard bits of a `counter` barrier that was not tuned. A constant expression if its argument
 * is one. */
#ifdef WEIR_COUNTER_FIXED_BITS
#define WEIR_COUNTER_BITS(blocks) ((blocks)*0 + WEIR_COUNTER_FIXED_BITS)
#else
#define WEIR_COUNTER_BITS(blocks)                                                                  \
	((blocks) <= WEIR_COUNTER_ARRIVALS                                                         \
	     ? 0                                                                                   \
	     : 1 + WEIR_COUNTER_CROWDED_(blocks, 1) + WEIR_COUNTER_CROWDED_(blocks, 2) +           \
	           WEIR_COUNTER_CROWDED_(blocks, 3))
#endif

/* The number of counters, over all copies, of a barrier with 2^bits shards. */
#define WEIR_COUNTERS_OF_(shards)                                                                  \
	((shards) * (((shards) + (1u << WEIR_COUNTER_COPY_BITS) - 1) >> WEIR_COUNTER_COPY_BITS))

/** Words to allocate for weir_barrier_in, in whole cache lines, so that another object may follow:
 * the counters, and the two words of phases with a deadline. */
#define WEIR_BARRIER_WORDS(blocks)                                                                 \
	((WEIR_COUNTERS_OF_(1u << WEIR_COUNTER_BITS(blocks)) - 1) * WEIR_COUNTER_APART +           \
	 3 * WEIR_LINE_WORDS)

/** A barrier of `blocks` blocks, the whole grid, in WEIR_BARRIER_WORDS(blocks) words that are all
 * zero before the first launch. Every block passes the same arguments. */
WEIR_FN weir_barrier weir_barrier_in(WEIR_GLOBAL weir_word *words, uint32_t blocks)
{
	weir_barrier b = weir_barrier_zeroed_(words, WEIR_BARRIER_COUNTER, WEIR_LINE_WORDS);
	uint32_t bits = WEIR_COUNTER_BITS(blocks);

	b.config.blocks = blocks;
	b.config.first_block = 0;
	b.config.part_of_grid = 0;
	/* Blocks with too few threads use one counter. All blocks of a launch have the same size,
	 * so they agree. */
	b.config.shape.bits = weir_has_parts(weir_thread_count(), bits) ? bits : 0;
	return b;
}

#endif
