/* What threads know of each other in one execution of a kernel.
 *
 * The accesses of a thread carry its epoch, which grows when the thread releases. A clock has one number per block,
 * the epoch up to which all threads of the block are known, and lists the threads that are known further than that. A
 * sync of a whole block folds these into the number again.
 *
 * Clocks and sets of clocks do not change once they are made, and are shared: most threads of a block have the same ones.
 * NULL knows nothing. Functions that return one return a reference, or set `failed` without memory.
 */
#ifndef WEIR_PTX_KNOWLEDGE_H
#define WEIR_PTX_KNOWLEDGE_H

#include <stddef.h>
#include <stdint.h>

/* `base` has a number for each block, and the extras follow it, by threads. */
typedef struct weir_race_clock {
	uint32_t references;
	uint32_t extras;
	uint32_t base[];
} weir_race_clock;
/* Clocks by keys. */
typedef struct weir_race_set weir_race_set;

typedef struct weir_race_pool {
	uint32_t blocks;
	uint32_t threads; /* in each */
	size_t bytes;
	int failed;
} weir_race_pool;

weir_race_clock *weir_race_clock_keep(weir_race_clock *c);
void weir_race_clock_drop(weir_race_pool *pool, weir_race_clock *c);
/* Adds what the other one knows. */
void weir_race_clock_join(weir_race_pool *pool, weir_race_clock **to, weir_race_clock *from);
/* Adds one thread, or all of its block. */
void weir_race_clock_add(weir_race_pool *pool, weir_race_clock **to, uint32_t thread,
                         uint32_t epoch);
void weir_race_clock_fold(weir_race_pool *pool, weir_race_clock **to, uint32_t block,
                          uint32_t epoch);
int weir_race_clock_knows(const weir_race_pool *pool, const weir_race_clock *c, uint32_t thread,
                          uint32_t epoch);

/* The epoch up to which all threads of a block are known. */
static inline uint32_t weir_race_clock_base(const weir_race_clock *c, uint32_t block)
{
	return c->base[block];
}

/* Whether all threads of the block that this one is in are known up to the epoch. */
int weir_race_clock_knows_block(const weir_race_pool *pool, const weir_race_clock *c,
                                uint32_t thread, uint32_t epoch);

weir_race_set *weir_race_set_keep(weir_race_set *s);
void weir_race_set_drop(weir_race_pool *pool, weir_race_set *s);
void weir_race_set_join(weir_race_pool *pool, weir_race_set **to, const weir_race_set *from);
void weir_race_set_add(weir_race_pool *pool, weir_race_set **to, uint32_t key,
                       weir_race_clock *clock);
/* Not a reference. */
weir_race_clock *weir_race_set_at(const weir_race_set *s, uint32_t key);

/* What a release passes on. */
typedef struct weir_race_view {
	weir_race_clock *known;
	weir_race_set
	    *fenced; /* by fence.sc of each scope: what precedes those that the owner knows of */
	weir_race_set *pending; /* what the next fence.sc must come after */
	/* What fences have shown in the order in which they ran: it hides stale values, and orders nothing. */
	weir_race_clock *seen;
	/* By WEIR_RACE_GLOBAL and WEIR_RACE_SHARED: what the async proxy knows, since a fence.proxy.async followed it. */
	weir_race_clock *proxied[2];
} weir_race_view;

weir_race_view weir_race_view_keep(const weir_race_view *v);
void weir_race_view_drop(weir_race_pool *pool, weir_race_view *v);
void weir_race_view_join(weir_race_pool *pool, weir_race_view *to, const weir_race_view *from);

#endif
