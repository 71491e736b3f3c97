/* The handle of a crew: ranks that meet across GPUs or processes, and where the share of each lies.
 *
 * A rank is a GPU or a process. Each has a share: memory that all ranks reach, of the same layout
 * everywhere. A rank waits on words of its own share alone, and signals by stores into the shares of
 * others, or by an engine (weir/crew/engine.h). The words of a share, in this order, each part on cache
 * lines of its own:
 *
 *   aborted   0, or 1 + the rank that aborted the crew
 *   arrived   arrivals of this rank's blocks at weir_crew_wait
 *   host      for the host library, and the header of a diagnosis (weir/diagnosis/area.h)
 *   open      2^bits copies of the phase that these blocks may leave, a line each
 *   lane      for each lane: `passed` and `begun`, phases of this rank; then a slot for each rank
 *             that signals this one there, config.pitch words apart. A diagnosis has a third word
 *   events    an array of events of the kind `word`
 *   queue     of the kind `cells`
 *   data      the caller's, as large as it likes
 *
 * A lane is a barrier of one block a rank. No two lanes share a slot. The lane after the last one
 * belongs to weir_crew_wait. All-zero words are a crew that has not been used.
 */
#ifndef WEIR_CREW_OBJECT_H
#define WEIR_CREW_OBJECT_H

#include "weir/event/in.h"
#include "weir/object.h"
#include "weir/queue/in.h"

#define WEIR_CREW_RANKS_MOST 32768u /**< the most ranks of a crew */
#define WEIR_CREW_BITS_MOST 4       /**< the largest weir_crew_config.bits */

/** What the handle of a crew says of it. */
typedef struct weir_crew_config {
	WEIR_CONFIG_MEMBERS
	uint32_t ranks;       /**< how many ranks */
	uint32_t rank;        /**< the rank whose handle it is */
	uint32_t blocks;      /**< blocks of this rank that call weir_crew_wait */
	uint32_t first_block; /**< the first of them */
	uint32_t radix;       /**< 2 to `ranks`, or 2: a rank signals radix - 1 others in a round */
	uint32_t bits;        /**< 2^bits copies of `open` */
	uint32_t lanes;       /**< barriers of one block per rank */
	uint32_t events;      /**< events of each rank */
	uint32_t queue_bits;  /**< each rank's queue has 2^queue_bits slots; 0: there is none */
	uint64_t stride; /**< without a table: words from the share of a rank to the next one's */
} weir_crew_config;

/** The handle of a crew, for kernels of one rank. Kernels get it by value, and copies are the same crew. */
typedef struct weir_crew {
	/** The share of this rank. */
	WEIR_GLOBAL weir_word *words;
	/** The shares of all ranks, or NULL. */
	WEIR_GLOBAL weir_word *WEIR_GLOBAL const *table;
	/** What never changes after the creation. */
	weir_crew_config config;
#ifdef WEIR_CREW_ENGINE
	WEIR_GLOBAL const WEIR_CREW_ENGINE *engine; /* weir/crew/engine.h */
#endif
} weir_crew;

/** Puts a handle together from the share of this rank, the table of all shares, or NULL, and a
 * configuration, such as that of weir_crew_in_config. */
WEIR_FN weir_crew weir_crew_make(WEIR_GLOBAL weir_word *words,
                                 WEIR_GLOBAL weir_word *WEIR_GLOBAL const *table,
                                 weir_crew_config config)
{
	weir_crew c;

	c.words = words + config.offset;
	c.table = table;
	c.config = config;
#ifdef WEIR_CREW_ENGINE
	c.engine = 0;
#endif
	return c;
}

/** Whether this rank reaches the share of another by loads and stores. It reaches others by an
 * engine (weir/crew/engine.h): their entry in the table is NULL, or there is neither a table nor
 * a stride. */
WEIR_FN int weir_crew_reaches(weir_crew c, uint32_t rank)
{
#ifdef WEIR_CREW_ENGINE
	if (rank == c.config.rank)
		return 1;
	return c.table ? c.table[rank] != 0 : c.config.stride != 0;
#else
	(void)c;
	(void)rank;
	return 1;
#endif
}

/** The share of a rank that the caller reaches by loads and stores. */
WEIR_FN WEIR_GLOBAL weir_word *weir_crew_share(weir_crew c, uint32_t rank)
{
#ifdef WEIR_CREW_ENGINE
	if (rank == c.config.rank)
		return c.words;
	if (!weir_crew_reaches(c, rank))
		weir_end_launch(WEIR_FAULT_REACH, rank);
#endif
	if (c.table)
		return c.table[rank] + c.config.offset;
	return c.words - c.config.rank * c.config.stride + rank * c.config.stride;
}

/** How many rounds a barrier has: the least number for which radix^rounds is `ranks` or more. */
WEIR_FN uint32_t weir_crew_rounds(weir_crew_config config)
{
	uint32_t rounds = 0;

	for (uint32_t reached = 1; reached < config.ranks; reached *= config.radix)
		rounds++;
	return rounds;
}

/* In whole lines, so that the lanes of two groups share none. */
WEIR_FN uint32_t weir_crew_lane_words_(weir_crew_config config)
{
	uint32_t slots = weir_crew_rounds(config) * (config.radix - 1);

	return WEIR_LINE_WORDS +
	       (slots * config.pitch + WEIR_LINE_WORDS - 1) / WEIR_LINE_WORDS * WEIR_LINE_WORDS;
}

/* Words before the first lane. */
WEIR_FN uint32_t weir_crew_head_(weir_crew_config config)
{
	return (3 + (1u << config.bits)) * WEIR_LINE_WORDS;
}

/* Words before the events. */
WEIR_FN uint64_t weir_crew_events_at_(weir_crew_config config)
{
	return weir_crew_head_(config) +
	       (uint64_t)(config.lanes + 1) * weir_crew_lane_words_(config);
}

/* Words before the queue. */
WEIR_FN uint64_t weir_crew_queue_at_(weir_crew_config config)
{
	return weir_crew_events_at_(config) +
	       (config.events == 0 ? 0 : (uint64_t)WEIR_EVENT_ARRAY_WORDS((uint64_t)config.events));
}

/** The words of a share, without the caller's data. */
WEIR_FN uint64_t weir_crew_words(weir_crew_config config)
{
	uint64_t words = weir_crew_queue_at_(config);

#if WEIR_HAS_WORD64
	if (config.queue_bits != 0)
		words += WEIR_QUEUE_WORDS(config.queue_bits);
#endif
	return words;
}

/** The data of a rank that the caller reaches by loads and stores. It is plain memory: the crew's
 * operations say when other ranks may access it. */
WEIR_FN WEIR_GLOBAL uint32_t *weir_crew_data(weir_crew c, uint32_t rank)
{
	return (WEIR_GLOBAL uint32_t *)(weir_crew_share(c, rank) + weir_crew_words(c.config));
}

/* The words of the caller's own share. */
WEIR_FN WEIR_GLOBAL weir_word *weir_crew_arrived_(weir_crew c)
{
	return &c.words[WEIR_LINE_WORDS];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_crew_open_(weir_crew c, uint32_t copy)
{
	return &c.words[(3 + copy) * WEIR_LINE_WORDS];
}

/* The words of a lane in a share. */
WEIR_FN WEIR_GLOBAL weir_word *weir_crew_passed_(weir_crew c, WEIR_GLOBAL weir_word *share,
                                                 uint32_t lane)
{
	return &share[weir_crew_head_(c.config) + lane * weir_crew_lane_words_(c.config)];
}

WEIR_FN WEIR_GLOBAL weir_word *weir_crew_begun_(weir_crew c, WEIR_GLOBAL weir_word *share,
                                                uint32_t lane)
{
	return weir_crew_passed_(c, share, lane) + 1;
}

WEIR_FN WEIR_GLOBAL weir_word *weir_crew_slot_(weir_crew c, WEIR_GLOBAL weir_word *share,
                                               uint32_t lane, uint32_t slot)
{
	return weir_crew_passed_(c, share, lane) + WEIR_LINE_WORDS + slot * c.config.pitch;
}

/* All of the first threads divide the slots; a block of fewer threads has thread 0 do all. */
WEIR_FN uint32_t weir_crew_first_bits_(void)
{
	return weir_has_parts(weir_thread_count(), WEIR_FIRST_BITS) ? WEIR_FIRST_BITS : 0;
}

WEIR_FN uint32_t weir_crew_first_threads_(void)
{
	return weir_crew_first_bits_() != 0 ? WEIR_FIRST_THREADS : 1;
}

/* Whether the thread is one of those that act for the block. */
WEIR_FN int weir_crew_acts_(void)
{
	return weir_thread_id() < weir_crew_first_threads_();
}

/* weir_first_sync for the threads that act for the block. A single thread needs none. */
WEIR_FN void weir_crew_first_sync_(void)
{
	if (weir_crew_first_bits_() != 0)
		weir_first_sync();
}

#endif
