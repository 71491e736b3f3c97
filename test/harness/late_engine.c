#include "late_engine.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define DEADLINE_S 120

static void give_up(const char *why)
{
	printf("FAILED the engine: %s\n", why);
	fflush(NULL);
	_Exit(1);
}

/* The engine's own state, to which crews have a pointer to const. */
static late_rank *rank_of(const late_engine *engine, uint32_t rank)
{
	if (rank >= engine->count)
		give_up("no such rank");
	return (late_rank *)&engine->ranks[rank];
}

static uint32_t next_random(late_rank *r)
{
	r->random = r->random * 1664525u + 1013904223u;
	return r->random >> 8;
}

/* Whether an earlier item must be delivered first: one for the same word or, for a strong item, to
 * the same rank. */
static int is_behind(const late_rank *r, uint32_t i)
{
	const late_item *item = &r->items[i];

	for (uint32_t before = 0; before < i; before++)
		if (r->items[before].to == item->to &&
		    (item->strong || r->items[before].at == item->at))
			return 1;
	return 0;
}

/* A strong item after data requires the data. */
static int is_asked_for(const late_rank *r, uint32_t i)
{
	for (uint32_t after = i + 1; after < r->item_count; after++)
		if (r->items[after].strong && r->items[after].to == r->items[i].to)
			return 1;
	return r->items[i].number < r->wanted;
}

/* A random item that may be delivered now, or item_count if there is none. */
static uint32_t choose(late_rank *r)
{
	uint32_t first = r->item_count ? next_random(r) % r->item_count : 0;

	for (uint32_t i = 0; i < r->item_count; i++) {
		uint32_t at = (first + i) % r->item_count;

		if (is_behind(r, at))
			continue;
		if (r->items[at].kind != LATE_DATA || !r->engine->holds || is_asked_for(r, at))
			return at;
	}
	return r->item_count;
}

/* Under the lock of the target rank: only a check (weir_engine_see) there is ordered after it. */
static void deliver(const late_engine *engine, const late_item *item)
{
	late_rank *to = rank_of(engine, item->to);

	pthread_mutex_lock(&to->lock);
	if (item->kind == LATE_DATA) {
		if (to->landed_count == LATE_ITEMS)
			give_up("too many unseen data");
		to->landed[to->landed_count++] = *item;
	} else if (item->kind == LATE_STORE) {
		/* Relaxed, like the next: a poll that finds the word orders nothing. */
		weir_store_rlx(to->share + item->at, item->value);
	} else {
		weir_red_add_rlx(to->share + item->at, item->value);
	}
	pthread_mutex_unlock(&to->lock);
}

/* Delivers without holding its own lock, since another rank may be delivering to it. */
static void *deliver_all(void *own)
{
	late_rank *r = own;

	pthread_mutex_lock(&r->lock);
	while (!r->stop) {
		uint32_t at = choose(r);
		late_item item;

		if (at == r->item_count) {
			pthread_cond_wait(&r->changed, &r->lock);
			continue;
		}
		item = r->items[at];
		pthread_mutex_unlock(&r->lock);
		for (uint32_t i = item.number % 7; i > 0; i--)
			sched_yield();
		deliver(r->engine, &item);
		pthread_mutex_lock(&r->lock);
		/* Others only append, so the item has not moved. */
		for (uint32_t i = at + 1; i < r->item_count; i++)
			r->items[i - 1] = r->items[i];
		r->item_count--;
		pthread_cond_broadcast(&r->changed);
	}
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

void late_start(late_engine *engine, uint32_t count, size_t words, int holds,
                enum late_left_out without)
{
	engine->count = count;
	engine->holds = holds;
	engine->without = without;
	engine->misused = 0;
	for (uint32_t i = 0; i < count; i++) {
		late_rank *r = &engine->ranks[i];

		*r = (late_rank){.engine = engine, .random = i + 1};
		r->share = calloc(words, sizeof *r->share);
		if (!r->share || pthread_mutex_init(&r->lock, NULL) != 0 ||
		    pthread_cond_init(&r->changed, NULL) != 0)
			give_up("no memory");
	}
	for (uint32_t i = 0; i < count; i++)
		if (pthread_create(&engine->ranks[i].thread, NULL, deliver_all, &engine->ranks[i]))
			give_up("no thread");
}

void late_stop(late_engine *engine)
{
	for (uint32_t i = 0; i < engine->count; i++) {
		late_rank *r = &engine->ranks[i];

		pthread_mutex_lock(&r->lock);
		r->stop = 1;
		pthread_cond_broadcast(&r->changed);
		pthread_mutex_unlock(&r->lock);
		pthread_join(r->thread, NULL);
	}
	for (uint32_t i = 0; i < engine->count; i++) {
		pthread_mutex_destroy(&engine->ranks[i].lock);
		pthread_cond_destroy(&engine->ranks[i].changed);
		free(engine->ranks[i].share);
	}
}

void late_put(const late_engine *engine, uint32_t from, uint32_t to, const void *w, uint32_t value,
              enum late_kind kind, int strong)
{
	late_rank *r = rank_of(engine, from);

	pthread_mutex_lock(&r->lock);
	if (r->item_count == LATE_ITEMS)
		give_up("too many puts");
	r->items[r->item_count++] = (late_item){.kind = kind,
	                                        .to = to,
	                                        .at = (size_t)((const weir_word *)w - r->share),
	                                        .value = value,
	                                        .number = r->made++,
	                                        .strong = strong};
	pthread_cond_broadcast(&r->changed);
	pthread_mutex_unlock(&r->lock);
}

void late_complete(const late_engine *engine, uint32_t from)
{
	late_rank *r = rank_of(engine, from);
	struct timespec until;
	uint64_t all;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += DEADLINE_S;
	pthread_mutex_lock(&r->lock);
	all = r->made;
	if (r->wanted < all)
		r->wanted = all;
	pthread_cond_broadcast(&r->changed);
	while (r->item_count && r->items[0].number < all)
		if (pthread_cond_timedwait(&r->changed, &r->lock, &until) == ETIMEDOUT)
			give_up("a completion takes too long");
	pthread_mutex_unlock(&r->lock);
}

void late_see(const late_engine *engine, uint32_t rank, weir_word *w, uint32_t before)
{
	late_rank *r = rank_of(engine, rank);

	/* Relaxed: the poll before found the word, and this thread has read it. */
	if (weir_load_rlx(w) == before)
		__atomic_fetch_add(&((late_engine *)engine)->misused, 1, __ATOMIC_RELAXED);
	if (engine->without == LATE_SIGHT)
		return;
	pthread_mutex_lock(&r->lock);
	for (uint32_t i = 0; i < r->landed_count; i++)
		((uint32_t *)r->share)[r->landed[i].at] = r->landed[i].value;
	r->landed_count = 0;
	pthread_mutex_unlock(&r->lock);
}
