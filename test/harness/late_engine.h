/* The tests' own engine on the host machine (weir/crew/engine.h), as bad as the contract allows.
 *
 * Each rank has a pool of puts, and a thread that delivers them later, in any order. Signals, posts and an
 * abort are delivered soon. Data wait until they are completed, or are delivered at random. Data delivered
 * to a rank are not yet in its plain words: they are there once a thread of that rank has seen a word
 * (weir_engine_see). So a crew that omits a completion or a check reads old data.
 *
 * With LATE_ENGINE_FLAT the engine completes nothing: signals and posts follow earlier puts to the same
 * rank, and add to a word. */
#ifndef LATE_ENGINE_H
#define LATE_ENGINE_H

#include <pthread.h>

#include "weir/machine.h"

#define LATE_RANKS 8
#define LATE_ITEMS 4096

enum late_left_out {
	LATE_NOTHING,
	LATE_COMPLETION, /* of data before a signal */
	LATE_POST,       /* the same before a post */
	LATE_SIGHT       /* weir_engine_see does nothing */
};

enum late_kind {
	LATE_DATA,
	LATE_STORE,
	LATE_ADD
};

typedef struct late_item {
	enum late_kind kind;
	uint32_t to;
	size_t at; /* words after the share of that rank */
	uint32_t value;
	uint64_t number; /* of all puts of the rank */
	int strong;      /* follows earlier puts to the same rank */
} late_item;

typedef struct late_rank {
	struct late_engine *engine;
	weir_word *share;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	late_item items[LATE_ITEMS]; /* not delivered, in order */
	uint32_t item_count;
	uint64_t made;
	uint64_t wanted; /* all before that number must be delivered */
	late_item landed[LATE_ITEMS];
	uint32_t landed_count;
	uint32_t random;
	int stop;
} late_rank;

typedef struct late_engine {
	late_rank ranks[LATE_RANKS];
	uint32_t count;
	int holds; /* data wait for a completion; 0: they are delivered at random */
	enum late_left_out without;
	uint32_t misused; /* looks at words that had not been delivered */
} late_engine;

/* Starts the threads of `count` ranks, whose shares have that many words, all zero. */
void late_start(late_engine *engine, uint32_t count, size_t words, int holds,
                enum late_left_out without);
void late_stop(late_engine *engine);

void late_put(const late_engine *engine, uint32_t from, uint32_t to, const void *w, uint32_t value,
              enum late_kind kind, int strong);
void late_complete(const late_engine *engine, uint32_t from);
void late_see(const late_engine *engine, uint32_t rank, weir_word *w, uint32_t before);

#define WEIR_CREW_ENGINE late_engine
#define weir_engine_put(c, w, to, value)                                                           \
	late_put((c).engine, (c).config.rank, (to), (w), (value), LATE_STORE, 0)
#define weir_engine_poll(c, w) ((void)(c), weir_poll(w))

#ifdef LATE_ENGINE_FLAT
#define WEIR_CREW_ENGINE_FLAT
#define WEIR_CREW_PITCH 2
#define weir_engine_complete(c) ((void)(c))
#define weir_engine_signal(c, w, to, value)                                                        \
	((void)(value), late_put((c).engine, (c).config.rank, (to), (w), 1, LATE_ADD,              \
	                         (c).engine->without != LATE_COMPLETION))
#define weir_engine_post(c, w, to, n)                                                              \
	late_put((c).engine, (c).config.rank, (to), (w), (n), LATE_ADD,                            \
	         (c).engine->without != LATE_POST)
#define weir_engine_see(c, w, before, direct)                                                      \
	((direct) ? (void)0 : late_see((c).engine, (c).config.rank, (w), (before)))
#else
#define weir_engine_complete(c)                                                                    \
	((c).engine->without == LATE_COMPLETION ? (void)0                                          \
	                                        : late_complete((c).engine, (c).config.rank))
#define weir_engine_signal(c, w, to, value) weir_engine_put(c, w, to, value)
#define weir_engine_post(c, w, to, n)                                                              \
	((c).engine->without == LATE_POST ? (void)0 : late_complete((c).engine, (c).config.rank),  \
	 late_put((c).engine, (c).config.rank, (to), (w), (n), LATE_ADD, 0))
#define weir_engine_see(c, w, before, direct)                                                      \
	((void)(direct), late_see((c).engine, (c).config.rank, (w), (before)))
#endif

#endif
