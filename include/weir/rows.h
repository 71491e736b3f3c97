/** @defgroup weir_rows Kinds
 *
 * The constants that a row uses to describe a kind. The rows of a primitive are in PRIMITIVE/kinds.h.
 * weir_kind has them as data.
 *
 * - WEIR_MUTEX_KINDS_WITH(X, context) is X(context, name, NAME, value, ...) for each kind.
 * - WEIR_MUTEX_KINDS(X) is X(name, NAME, value, ...) for each kind.
 *
 * The context is one argument, or several in parentheses.
 *
 * @code
 * // The names of all mutexes of this machine.
 * #define ROW(name, NAME, value, ...) puts(#name);
 * WEIR_MUTEX_KINDS(ROW)
 * @endcode
 */
#ifndef WEIR_ROWS_H
#define WEIR_ROWS_H

#define WEIR_ROW_ALONE_(X, ...) X(__VA_ARGS__)

/** In which order waiters are served. */
enum {
	WEIR_UNFAIR, /**< in any order */
	WEIR_FAIR    /**< first come, first served */
};

/** Which part of config.backoff a kind uses. */
enum {
	WEIR_PAUSE_NONE,    /**< none */
	WEIR_PAUSE_BACKOFF, /**< all of it: a failed attempt gets in the way of others */
	/** All of it, but none by default: a waiter polls for a turn that is certain to come, and every
	 * pause before it delays all behind. */
	WEIR_PAUSE_IN_TURN,
	WEIR_PAUSE_BY_PLACE /**< min alone, once for each place ahead in the queue: 0 for the next */
};

/** What a mutex has beside a fixed number of words. */
enum {
	WEIR_QUEUE_NONE,    /**< nothing */
	WEIR_QUEUE_SLOTS,   /**< config.slots places for waiters, a power of two */
	WEIR_QUEUE_CLUSTER, /**< those, and config.cluster_slot in distributed shared memory */
	WEIR_QUEUE_TIMED /**< those, at least two: waiters with a deadline keep their place, too */
};

/** Whether a barrier uses config.shape. */
enum {
	WEIR_SHAPE_NONE,    /**< no */
	WEIR_SHAPE_COUNTERS /**< yes */
};

/** What an event or a reader-writer lock has in the place of one word. */
enum {
	WEIR_PARTS_NONE,   /**< nothing else */
	WEIR_PARTS_COPIES, /**< 2^config.bits words, each with the whole count */
	WEIR_PARTS_SHARDS, /**< 2^config.bits words, whose sum is the count: no signal has a result */
	WEIR_PARTS_COUNTS /**< of a reader-writer lock: 2^config.bits counts of readers */
};

/** Which items a queue can have. */
enum {
	WEIR_ITEMS_OF_A_WORD,  /**< 4 bytes */
	WEIR_ITEMS_OF_ANY_SIZE /**< any number of words */
};

/** The widest words of an object. */
enum {
	WEIR_WORDS_OF_32, /**< 32 bits */
	WEIR_WORDS_OF_64  /**< the kind exists only where WEIR_HAS_WORD64 */
};

/** What a kind is for. Only one for use becomes a default. */
enum {
	WEIR_FOR_USE,      /**< for use */
	WEIR_AS_PUBLISHED, /**< as published, for comparison: Stuart and Owens's, in right orders */
	WEIR_BY_VENDOR     /**< the vendor's own, where WEIR_HAS_GRID_SYNC */
};

#endif
