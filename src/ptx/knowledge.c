#include "ptx/knowledge.h"

#include <stdlib.h>
#include <string.h>

typedef struct extra {
	uint32_t thread;
	uint32_t epoch;
} extra;

typedef struct item {
	uint32_t key;
	weir_race_clock *clock;
} item;

struct weir_race_set {
	uint32_t references;
	uint32_t count;
	item item[]; /* by keys */
};

static const extra *extras_of(const weir_race_pool *pool, const weir_race_clock *c)
{
	return (const extra *)(const void *)&c->base[pool->blocks];
}

static size_t clock_bytes(const weir_race_pool *pool, uint32_t extras)
{
	return sizeof(weir_race_clock) + pool->blocks * sizeof(uint32_t) + extras * sizeof(extra);
}

/* Creates a clock with room for `room` extras; it has none yet. */
static weir_race_clock *new_clock(weir_race_pool *pool, uint32_t room)
{
	weir_race_clock *c = calloc(1, clock_bytes(pool, room));

	if (!c) {
		pool->failed = 1;
		return NULL;
	}
	c->references = 1;
	return c;
}

weir_race_clock *weir_race_clock_keep(weir_race_clock *c)
{
	if (c)
		c->references++;
	return c;
}

void weir_race_clock_drop(weir_race_pool *pool, weir_race_clock *c)
{
	if (!c || --c->references)
		return;
	pool->bytes -= clock_bytes(pool, c->extras);
	free(c);
}

static void add_extra(const weir_race_pool *pool, weir_race_clock *c, extra more)
{
	extra *extras = (extra *)(void *)&c->base[pool->blocks];

	if (more.epoch > c->base[more.thread / pool->threads])
		extras[c->extras++] = more;
}

static void merge_extras(const weir_race_pool *pool, weir_race_clock *to, const weir_race_clock *a,
                         const weir_race_clock *b)
{
	const extra *x = extras_of(pool, a);
	const extra *y = extras_of(pool, b);
	uint32_t i = 0;
	uint32_t j = 0;

	while (i < a->extras || j < b->extras) {
		if (j == b->extras || (i < a->extras && x[i].thread < y[j].thread))
			add_extra(pool, to, x[i++]);
		else if (i == a->extras || y[j].thread < x[i].thread)
			add_extra(pool, to, y[j++]);
		else {
			add_extra(pool, to, x[i].epoch > y[j].epoch ? x[i] : y[j]);
			i++;
			j++;
		}
	}
}

static int covers(const weir_race_pool *pool, const weir_race_clock *a, const weir_race_clock *b)
{
	const extra *extras = extras_of(pool, b);
	uint32_t lacks = 0;

	for (uint32_t i = 0; i < pool->blocks; i++)
		lacks |= b->base[i] > a->base[i];
	for (uint32_t i = 0; i < b->extras && !lacks; i++)
		lacks = !weir_race_clock_knows(pool, a, extras[i].thread, extras[i].epoch);
	return !lacks;
}

/* What both know, as a new reference. */
static weir_race_clock *joined(weir_race_pool *pool, weir_race_clock *a, weir_race_clock *b)
{
	weir_race_clock *c;

	if (!b || a == b || (a && covers(pool, a, b)))
		return weir_race_clock_keep(a);
	if (!a || covers(pool, b, a))
		return weir_race_clock_keep(b);
	c = new_clock(pool, a->extras + b->extras);
	if (!c)
		return NULL;
	for (uint32_t i = 0; i < pool->blocks; i++)
		c->base[i] = a->base[i] > b->base[i] ? a->base[i] : b->base[i];
	merge_extras(pool, c, a, b);
	pool->bytes += clock_bytes(pool, c->extras);
	return c;
}

void weir_race_clock_join(weir_race_pool *pool, weir_race_clock **to, weir_race_clock *from)
{
	weir_race_clock *c;

	if (!from || *to == from)
		return;
	c = joined(pool, *to, from);
	weir_race_clock_drop(pool, *to);
	*to = c;
}

void weir_race_clock_add(weir_race_pool *pool, weir_race_clock **to, uint32_t thread,
                         uint32_t epoch)
{
	weir_race_clock *one;
	extra more = {thread, epoch};

	if (weir_race_clock_knows(pool, *to, thread, epoch))
		return;
	one = new_clock(pool, 1);
	if (!one)
		return;
	add_extra(pool, one, more);
	pool->bytes += clock_bytes(pool, one->extras);
	weir_race_clock_join(pool, to, one);
	weir_race_clock_drop(pool, one);
}

void weir_race_clock_fold(weir_race_pool *pool, weir_race_clock **to, uint32_t block,
                          uint32_t epoch)
{
	weir_race_clock *all = new_clock(pool, 0);

	if (!all)
		return;
	all->base[block] = epoch;
	pool->bytes += clock_bytes(pool, 0);
	weir_race_clock_join(pool, to, all);
	weir_race_clock_drop(pool, all);
}

int weir_race_clock_knows(const weir_race_pool *pool, const weir_race_clock *c, uint32_t thread,
                          uint32_t epoch)
{
	const extra *extras;
	uint32_t low = 0;
	uint32_t high;

	if (!c)
		return 0;
	if (c->base[thread / pool->threads] >= epoch)
		return 1;
	extras = extras_of(pool, c);
	high = c->extras;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (extras[middle].thread < thread)
			low = middle + 1;
		else
			high = middle;
	}
	return low < c->extras && extras[low].thread == thread && extras[low].epoch >= epoch;
}

int weir_race_clock_knows_block(const weir_race_pool *pool, const weir_race_clock *c,
                                uint32_t thread, uint32_t epoch)
{
	return c && c->base[thread / pool->threads] >= epoch;
}

/* ---- sets ---- */

static size_t set_bytes(uint32_t count)
{
	return sizeof(weir_race_set) + count * sizeof(item);
}

weir_race_set *weir_race_set_keep(weir_race_set *s)
{
	if (s)
		s->references++;
	return s;
}

void weir_race_set_drop(weir_race_pool *pool, weir_race_set *s)
{
	if (!s || --s->references)
		return;
	for (uint32_t i = 0; i < s->count; i++)
		weir_race_clock_drop(pool, s->item[i].clock);
	pool->bytes -= set_bytes(s->count);
	free(s);
}

static int is_same_set(const weir_race_set *a, const weir_race_set *b)
{
	if (a->count != b->count)
		return 0;
	for (uint32_t i = 0; i < a->count; i++)
		if (a->item[i].key != b->item[i].key || a->item[i].clock != b->item[i].clock)
			return 0;
	return 1;
}

void weir_race_set_join(weir_race_pool *pool, weir_race_set **to, const weir_race_set *from)
{
	weir_race_set *a = *to;
	weir_race_set *s;
	uint32_t i = 0;
	uint32_t j = 0;

	if (!from || a == from)
		return;
	if (!a) {
		*to = weir_race_set_keep((weir_race_set *)from);
		return;
	}
	s = malloc(set_bytes(a->count + from->count));
	if (!s) {
		pool->failed = 1;
		return;
	}
	s->references = 1;
	s->count = 0;
	while (i < a->count || j < from->count) {
		int takes_a =
		    i < a->count && (j == from->count || a->item[i].key <= from->item[j].key);
		int takes_b =
		    j < from->count && (i == a->count || from->item[j].key <= a->item[i].key);
		item *put = &s->item[s->count++];
		put->key = takes_a ? a->item[i].key : from->item[j].key;
		put->clock = joined(pool, takes_a ? a->item[i].clock : NULL,
		                    takes_b ? from->item[j].clock : NULL);
		i += (uint32_t)takes_a;
		j += (uint32_t)takes_b;
	}
	pool->bytes += set_bytes(s->count);
	if (is_same_set(s, a)) {
		weir_race_set_drop(pool, s);
		return;
	}
	weir_race_set_drop(pool, a);
	*to = s;
}

void weir_race_set_add(weir_race_pool *pool, weir_race_set **to, uint32_t key,
                       weir_race_clock *clock)
{
	weir_race_set *one;

	if (!clock)
		return;
	one = malloc(set_bytes(1));
	if (!one) {
		pool->failed = 1;
		return;
	}
	pool->bytes += set_bytes(1);
	one->references = 1;
	one->count = 1;
	one->item[0].key = key;
	one->item[0].clock = weir_race_clock_keep(clock);
	weir_race_set_join(pool, to, one);
	weir_race_set_drop(pool, one);
}

weir_race_clock *weir_race_set_at(const weir_race_set *s, uint32_t key)
{
	for (uint32_t i = 0; s && i < s->count; i++)
		if (s->item[i].key == key)
			return s->item[i].clock;
	return NULL;
}

/* ---- views ---- */

weir_race_view weir_race_view_keep(const weir_race_view *v)
{
	weir_race_view kept = {
	    weir_race_clock_keep(v->known),
	    weir_race_set_keep(v->fenced),
	    weir_race_set_keep(v->pending),
	    weir_race_clock_keep(v->seen),
	    {weir_race_clock_keep(v->proxied[0]), weir_race_clock_keep(v->proxied[1])}};

	return kept;
}

void weir_race_view_drop(weir_race_pool *pool, weir_race_view *v)
{
	weir_race_clock_drop(pool, v->known);
	weir_race_set_drop(pool, v->fenced);
	weir_race_set_drop(pool, v->pending);
	weir_race_clock_drop(pool, v->seen);
	for (int i = 0; i < 2; i++)
		weir_race_clock_drop(pool, v->proxied[i]);
	memset(v, 0, sizeof *v);
}

void weir_race_view_join(weir_race_pool *pool, weir_race_view *to, const weir_race_view *from)
{
	weir_race_clock_join(pool, &to->known, from->known);
	weir_race_set_join(pool, &to->fenced, from->fenced);
	weir_race_set_join(pool, &to->pending, from->pending);
	weir_race_clock_join(pool, &to->seen, from->seen);
	for (int i = 0; i < 2; i++)
		weir_race_clock_join(pool, &to->proxied[i], from->proxied[i]);
}
