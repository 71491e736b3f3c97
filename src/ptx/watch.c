#include "ptx/watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/machine.h"

#define HISTORIES 65536 /* 1 << 16; each block may have words of its own */
#define STALE 64        /* reads of older values that are remembered */
#define WRITES                                                                                     \
	8 /* of a word, to read from; with more, threads that back off by what they read wait for ages */
#define ELEMENTS 16
#define SYNCING                                                                                    \
	3 /* threads of the detector for each thread: itself, its small copies, its bulk copies */

typedef struct mbarrier {
	uint32_t owner;
	uint64_t address;
	uint32_t phase;
	weir_race_token *pending[PTX_DETECTORS], *done[PTX_DETECTORS];
} mbarrier;

/* Groups of copies of a thread that are committed and not waited for. */
typedef struct copies {
	weir_race_token **tokens; /* `detectors` for each group */
	uint32_t count, room;
} copies;

typedef struct detector {
	struct ptx_watch *watch;
	weir_race *race;
	unsigned assumed, index;
} detector;

/* Indexed by the offset in a page, so that the addresses that the system chooses do not matter, and by the warp, so that
 * stores of other warps do not interfere. */
#define LAST_STORES 1024
#define LAST_WARPS 64

typedef struct stored {
	uint64_t space, address, values; /* a hash of the values */
	uint64_t value;                  /* the first one */
	uint32_t site, warp;             /* counted from 1 on; 0: none */
} stored;

struct ptx_watch {
	weir_ptx_machine *machine;
	weir_ptx_observer observer;
	detector detectors[PTX_DETECTORS];
	unsigned detector_count;
	int has_copies, has_strong, is_again, failed;
	uint32_t real; /* threads of the grid */
	uint64_t number, left_out, repeated_stores;
	ptx_group own[PTX_GROUPS], *groups;
	unsigned group_count;
	uint8_t *is_flag; /* plain operations on words that others access strongly */
	mbarrier *mbarriers;
	uint32_t mbarrier_count, mbarrier_room;
	weir_race_token **cluster_pending,
	    **cluster_done; /* of each block's cluster and detector */
	copies *copies[2];  /* small and bulk, of each thread */
	ptx_history *histories[HISTORIES];
	uint64_t operand[2]; /* of the read-modify-write that is being served */
	stored last_stores[LAST_WARPS][LAST_STORES];
	int is_repeated; /* the store that is being fed: see repeats_store */
	weir_ptx_result unwritten;
	uint32_t unwritten_site;
	uint64_t unwritten_space;
	int has_unwritten;
	ptx_choices *choices;
	uint64_t old[ELEMENTS]; /* the previous contents of the bytes of an access */
	uint64_t message;       /* that it reads */
	ptx_stale stale[STALE];
	uint32_t stale_count;
};

static uint32_t number_of(const ptx_watch *w, const weir_ptx_thread *t)
{
	return t->block->index * w->machine->threads + t->index;
}

static weir_race_scope scope_of(const weir_ptx_operation *o, unsigned assumed)
{
	if (assumed & PTX_WIDE_SCOPES)
		return WEIR_RACE_SYS;
	return o->scope > WEIR_PTX_SCOPE_THREAD ? (weir_race_scope)(o->scope - WEIR_PTX_SCOPE_CTA)
	                                        : WEIR_RACE_CTA;
}

static uint32_t warp_of(const ptx_watch *w, uint32_t thread)
{
	return thread / w->machine->threads * PTX_WARP + thread % w->machine->threads / PTX_WARP;
}

/* ---- races ---- */

static int is_same_group(const ptx_group *g, const weir_race_finding *f)
{
	return g->deed[0].site == f->site[0] && g->deed[1].site == f->site[1] &&
	       (g->space != 0) == (f->space != 0) && g->writes[0] == f->writes[0] &&
	       g->writes[1] == f->writes[1] && g->lacks_fence == f->lacks_fence;
}

static void collect(ptx_watch *w, const weir_race_finding *f)
{
	ptx_group *g;

	int crosses = f->thread[0] % w->real / PTX_WARP != f->thread[1] % w->real / PTX_WARP;

	for (unsigned i = 0; i < w->group_count; i++)
		if (is_same_group(&w->own[i], f)) {
			w->own[i].count++;
			w->own[i].crosses_warps |= (uint8_t)crosses;
			return;
		}
	if (w->group_count == PTX_GROUPS) {
		w->left_out++;
		return;
	}
	g = &w->own[w->group_count++];
	memset(g, 0, sizeof *g);
	for (int k = 0; k < 2; k++) {
		g->deed[k] = (ptx_deed){w->number, f->thread[k] % w->real, f->site[k]};
		g->writes[k] = (uint8_t)f->writes[k];
		g->strong[k] = (uint8_t)f->is_strong[k];
		g->copy[k] = f->thread[k] >= w->real;
	}
	g->space = f->space;
	g->address = f->address;
	g->count = 1;
	g->crosses_warps = (uint8_t)crosses;
	g->other_size = (uint8_t)f->has_other_size;
	g->lacks_fence = (uint8_t)f->lacks_fence;
}

/* In an execution that is run again: the race also occurs under this detector's assumptions. */
static void refute(ptx_watch *w, const detector *d, const weir_race_finding *f)
{
	for (unsigned i = 0; i < w->group_count; i++) {
		ptx_group *g = &w->groups[i];
		if (g->deed[1].number == w->number && g->deed[1].site == f->site[1] &&
		    g->deed[1].thread == f->thread[1] % w->real)
			g->resolved[d->index / 32] &= ~(1u << d->index % 32);
	}
}

/* Lanes that write the same value by one store. PTX calls that a race, but CUDA's guide leaves open only which write is the
 * last one, and programs rely on it. */
static int is_one_store(const ptx_watch *w, const weir_race_finding *f)
{
	return w->is_repeated && f->site[0] == f->site[1] && f->writes[0] && f->writes[1] &&
	       f->thread[0] < w->real && f->thread[1] < w->real &&
	       warp_of(w, f->thread[0]) == warp_of(w, f->thread[1]);
}

/* A lane invalidates an mbarrier that others of its warp have used. Libraries do that behind a match or a vote, which makes
 * the lanes wait for each other, and hardware keeps the order, though PTX does not say so. Whoever uses the mbarrier too late
 * fails, and whoever uses its bytes for something else races. */
static int is_invalidated(const ptx_watch *w, const weir_race_finding *f)
{
	const ptx_access *accesses = w->machine->program->accesses.at;
	unsigned kind = accesses[f->site[0]].operation.kind;

	return accesses[f->site[1]].operation.kind == WEIR_PTX_MBAR_INVAL &&
	       (kind == WEIR_PTX_MBAR_TEST || kind == WEIR_PTX_MBAR_ARRIVE) &&
	       f->thread[0] < w->real && f->thread[1] < w->real &&
	       warp_of(w, f->thread[0]) == warp_of(w, f->thread[1]);
}

static void found(void *context, const weir_race_finding *f)
{
	detector *d = context;

	if (is_invalidated(d->watch, f))
		return;
	if (is_one_store(d->watch, f)) {
		d->watch->repeated_stores++;
		return;
	}
	if (d->watch->is_again)
		refute(d->watch, d, f);
	else
		collect(d->watch, f);
}

/* ---- the way from one access to the other ---- */

static int is_release(const weir_ptx_operation *o)
{
	return o->kind == WEIR_PTX_STORE || o->kind == WEIR_PTX_RMW;
}

/* A poll by another thread, which the program has before the access: the access's thread may have had to wait for it. */
static void follow_wait(const ptx_watch *w, ptx_group *g, int k, const ptx_deed *deed)
{
	const ptx_access *accesses = w->machine->program->accesses.at;

	if (g->has_wait[k] || deed->thread == g->deed[k].thread ||
	    deed->thread / w->machine->threads != g->deed[k].thread / w->machine->threads ||
	    accesses[deed->site].statement >= accesses[g->deed[k].site].statement)
		return;
	g->wait[k] = *deed;
	g->has_wait[k] = 1;
}

/* The same for a strong write by another thread, which the program has behind the access. */
static void follow_arrival(const ptx_watch *w, ptx_group *g, int k, const ptx_deed *deed)
{
	const ptx_access *accesses = w->machine->program->accesses.at;

	if (g->has_arrival[k] || deed->thread == g->deed[k].thread ||
	    deed->thread / w->machine->threads != g->deed[k].thread / w->machine->threads ||
	    accesses[deed->site].statement <= accesses[g->deed[k].site].statement)
		return;
	g->arrival[k] = *deed;
	g->has_arrival[k] = 1;
}

/* Whether a thread may carry the order of a group's accesses on the side of access k. Within a block, a flag counts only
 * between the two threads themselves; between blocks, words of one block's shared memory are no flags. */
static int is_carrier(const ptx_watch *w, const ptx_group *g, int k, const weir_ptx_event *event,
                      uint32_t thread)
{
	uint32_t threads = w->machine->threads, block = g->deed[k].thread / threads;

	if (g->deed[0].thread / threads == g->deed[1].thread / threads)
		return thread == g->deed[k].thread;
	return block == thread / threads &&
	       (event->operation->kind == WEIR_PTX_FENCE || event->space != WEIR_PTX_SHARED ||
	        w->machine->cluster_size > 1);
}

/* The first strong write by the earlier access's block behind it, the last strong read by the later one's before it. */
static void follow(ptx_watch *w, const weir_ptx_event *event, uint32_t thread)
{
	const weir_ptx_operation *o = event->operation;
	ptx_deed deed = {w->number, thread, o->index};

	for (unsigned i = 0; i < w->group_count; i++) {
		ptx_group *g = &w->groups[i];
		int reads = o->order != WEIR_PTX_WEAK && !(o->flags & WEIR_PTX_NO_RESULT) &&
		            (o->kind == WEIR_PTX_LOAD || o->kind == WEIR_PTX_RMW);
		for (int k = 0; k < 2 && reads; k++)
			follow_wait(w, g, k, &deed);
		for (int k = 0; k < 2 && o->order != WEIR_PTX_WEAK && is_release(o); k++)
			follow_arrival(w, g, k, &deed);
		if (w->number >= g->deed[1].number)
			continue;
		if (thread == g->deed[0].thread && o->index == g->deed[0].site) {
			g->deed[0].number = w->number;
			g->has_release = g->has_fence = 0;
			continue;
		}
		if (o->order == WEIR_PTX_WEAK && o->kind != WEIR_PTX_FENCE)
			continue;
		if (g->deed[0].number && is_carrier(w, g, 0, event, thread)) {
			if (o->kind == WEIR_PTX_FENCE && !g->has_fence) {
				g->fence = deed;
				g->has_fence = 1;
			}
			if (is_release(o) && !g->has_release) {
				g->release = deed;
				g->has_release = 1;
			}
		}
		if (!is_carrier(w, g, 1, event, thread))
			continue;
		if (o->kind == WEIR_PTX_LOAD || o->kind == WEIR_PTX_RMW) {
			g->acquire = deed;
			g->has_acquire = 1;
			g->has_behind = 0;
		} else if (o->kind == WEIR_PTX_FENCE && g->has_acquire && !g->has_behind) {
			g->behind = deed;
			g->has_behind = 1;
		}
	}
}

/* ---- accesses ---- */

static weir_race_order assumed_order(const detector *d, const weir_ptx_event *event, int writes,
                                     int is_flag)
{
	const weir_ptx_operation *o = event->operation;
	int acquires = o->order == WEIR_PTX_ACQUIRE || o->order >= WEIR_PTX_ACQ_REL;
	int releases = o->order >= WEIR_PTX_RELEASE;

	if (o->order == WEIR_PTX_WEAK && !(is_flag && d->assumed & PTX_STRONG))
		return WEIR_RACE_WEAK;
	if (o->order == WEIR_PTX_WEAK)
		acquires = releases = 1;
	acquires |= (d->assumed & PTX_ACQUIRES) != 0;
	releases |= (d->assumed & PTX_RELEASES) != 0;
	acquires &= event->kind != WEIR_PTX_STORE;
	releases &= writes;
	if (acquires)
		return releases ? WEIR_RACE_ACQ_REL : WEIR_RACE_ACQUIRE;
	return releases ? WEIR_RACE_RELEASE : WEIR_RACE_RELAXED;
}

static void feed_one(detector *d, uint32_t thread, const weir_ptx_event *event, int reads,
                     int writes, uint64_t written)
{
	const weir_ptx_operation *o = event->operation;
	uint64_t mask = ptx_low(o->size >= 8 ? 64 : o->size * 8u);
	weir_race_access a = {.thread = thread,
	                      .site = o->index,
	                      .space =
	                          event->space == WEIR_PTX_SHARED ? 1 + (uint64_t)event->owner : 0,
	                      .size = o->size,
	                      .scope = scope_of(o, d->assumed),
	                      .reads = reads,
	                      .writes = writes};

	a.order = assumed_order(d, event, writes, d->watch->is_flag && d->watch->is_flag[o->index]);
	if (o->order == WEIR_PTX_WEAK)
		a.scope = WEIR_RACE_SYS;
	a.is_silent = (o->flags & WEIR_PTX_NO_RESULT) && event->kind == WEIR_PTX_RMW &&
	              !(d->assumed & PTX_RED_ACQUIRES);
	if (a.order >= WEIR_RACE_RELEASE && d->assumed & PTX_SYNC_BEFORE)
		weir_race_ask_block(d->race, thread);
	if (d->watch->choices) {
		a.number = d->watch->number;
		a.message = d->watch->message;
	}
	for (unsigned k = 0; k < o->count; k++) {
		a.address = event->address + k * o->size;
		a.old = d->watch->old[k % ELEMENTS];
		a.value = event->kind == WEIR_PTX_RMW ? written : event->value[k % ELEMENTS] & mask;
		d->watch->failed |= weir_race_do(d->race, &a) != 0;
	}
	if ((a.order == WEIR_RACE_ACQUIRE || a.order == WEIR_RACE_ACQ_REL) &&
	    d->assumed & PTX_SYNC_AFTER)
		weir_race_tell_block(d->race, thread);
}

static ptx_history **history_at(ptx_watch *w, uint64_t space, uint64_t address)
{
	uint64_t hash = (address / 4 ^ space * 0x9e3779b97f4a7c15ull) * 0xff51afd7ed558ccdull;
	ptx_history **at = &w->histories[hash >> 48];

	while (*at && ((*at)->address != address || (*at)->space != space))
		at = &(*at)->next;
	return at;
}

const ptx_history *weir_ptx_watch_history(const ptx_watch *w, uint64_t space, uint64_t address)
{
	return *history_at((ptx_watch *)w, space, address);
}

/* What happens to a word that is accessed strongly. `old` and `new` are known of single elements. */
static void remember(ptx_watch *w, uint32_t thread, const weir_ptx_event *event, uint64_t old,
                     uint64_t new, int writes)
{
	const weir_ptx_operation *o = event->operation;
	ptx_history **at, *h;

	if (o->count != 1 || o->size > 8)
		return;
	at = history_at(w, event->space == WEIR_PTX_SHARED ? 1 + (uint64_t)event->owner : 0,
	                event->address);
	h = *at;
	if (!h && o->order == WEIR_PTX_WEAK)
		return;
	if (!h) {
		h = *at = calloc(1, sizeof *h);
		if (!h) {
			w->failed = 1;
			return;
		}
		h->space = event->space == WEIR_PTX_SHARED ? 1 + (uint64_t)event->owner : 0;
		h->address = event->address;
		h->initial = h->value = old;
	}
	if (!writes || (new == old && o->kind == WEIR_PTX_RMW))
		return;
	h->write = (ptx_deed){w->number, thread, o->index};
	h->has_write = 1;
	h->is_add = o->kind == WEIR_PTX_RMW && o->what != PTX_RMW_EXCH && o->what != PTX_RMW_CAS;
	h->is_taken = o->kind == WEIR_PTX_RMW && !h->is_add;
	h->adds += h->is_add;
	h->value = new;
}

/* Whether two values are floating-point numbers that differ only by rounding. If lanes compute a sum that all of them then
 * store, a fused multiply-add may round differently in some lanes. */
static int is_rounded(uint64_t a, uint64_t b, unsigned size)
{
	double x = 0, y = 0;
	float single[2];

	if (size == 4) {
		uint32_t bits[] = {(uint32_t)a, (uint32_t)b};
		memcpy(single, bits, sizeof single);
		x = isnormal(single[0]) ? (double)single[0] : 0;
		y = isnormal(single[1]) ? (double)single[1] : 0;
		return x != 0 && y != 0 && fabs(x - y) < 1e-4 * fabs(x);
	}
	memcpy(&x, &a, sizeof x);
	memcpy(&y, &b, sizeof y);
	return size == 8 && isnormal(x) && isnormal(y) && fabs(x - y) < 1e-11 * fabs(x);
}

static stored *last_store(ptx_watch *w, const stored *s)
{
	return &w->last_stores[(s->warp + s->warp / PTX_WARP * 9) % LAST_WARPS]
	                      [(s->address / 4 + 61 * s->space) % LAST_STORES];
}

static uint64_t hashed(uint64_t values, uint64_t value)
{
	return (values ^ value) * 0x9e3779b97f4a7c15ull;
}

/* The last store to an element may have made no event: what it stored is still there. */
static void note_last_store(ptx_watch *w, const weir_ptx_event *event, const uint8_t *bytes)
{
	const weir_ptx_operation *o = event->operation;
	stored s = {.space = event->space == WEIR_PTX_SHARED ? 1 + (uint64_t)event->owner : 0,
	            .address = event->address};
	uint32_t thread;

	if (o->count != 1 || o->size > 4 ||
	    !weir_race_plain_write(w->detectors[0].race, s.space, s.address, o->size, &thread,
	                           &s.site) ||
	    thread >= w->real)
		return;
	memcpy(&s.value, bytes, o->size);
	s.values = hashed(0, s.value);
	s.warp = warp_of(w, thread) + 1;
	*last_store(w, &s) = s;
}

/* Whether the last store to this address was the same one, of the same values, by a lane of the same warp. */
static int repeats_store(ptx_watch *w, uint32_t thread, const weir_ptx_event *event)
{
	const weir_ptx_operation *o = event->operation;
	stored now = {.space = event->space == WEIR_PTX_SHARED ? 1 + (uint64_t)event->owner : 0,
	              .address = event->address,
	              .value = event->value[0] & ptx_low(o->size >= 8 ? 64 : o->size * 8u),
	              .site = o->index,
	              .warp = warp_of(w, thread) + 1};
	stored *last = last_store(w, &now);
	unsigned values = o->size > 8 ? 2u * o->count : o->count;

	for (unsigned i = 0; i < values; i++)
		now.values = hashed(now.values, i ? event->value[i] : now.value);
	int is_same = last->space == now.space && last->address == now.address &&
	              last->site == now.site && last->warp == now.warp &&
	              (last->values == now.values ||
	               (o->count == 1 && is_rounded(last->value, now.value, o->size)));
	*last = now;
	return is_same;
}

static void after_access(ptx_watch *w, weir_ptx_thread *t, const weir_ptx_event *event)
{
	const weir_ptx_operation *o = event->operation;
	uint32_t thread = number_of(w, t);
	int reads = event->kind != WEIR_PTX_STORE;
	int writes = event->kind != WEIR_PTX_LOAD;
	uint64_t mask = ptx_low(o->size >= 8 ? 64 : o->size * 8u);
	uint64_t old = event->value[0] & mask, new = old;

	if (event->kind == WEIR_PTX_RMW && o->what == PTX_RMW_CAS)
		writes = o->size > 8 ? 1 : old == (w->operand[0] & mask);
	if (event->kind == WEIR_PTX_RMW && o->size <= 8)
		new = weir_ptx_rmw(o->what, o->type, old, w->operand[0], w->operand[1]) & mask;
	w->is_repeated = event->kind == WEIR_PTX_STORE && o->order == WEIR_PTX_WEAK &&
	                 repeats_store(w, thread, event);
	for (unsigned i = 0; i < w->detector_count; i++)
		feed_one(&w->detectors[i], thread, event, reads, writes, new);
	w->is_repeated = 0;
	if (!w->is_again)
		remember(w, thread, event, old, new, writes);
}

/* ---- older values ---- */

static uint64_t space_of(const weir_ptx_event *event)
{
	return event->space == WEIR_PTX_SHARED ? 1 + (uint64_t)event->owner : 0;
}

static void note_stale(ptx_watch *w, uint32_t thread, const weir_ptx_event *event, int is_stale,
                       uint64_t value)
{
	uint64_t space = space_of(event);
	uint32_t at = 0;
	const ptx_history *h;

	while (at < w->stale_count &&
	       (w->stale[at].deed.thread != thread || w->stale[at].address != event->address ||
	        w->stale[at].space != space))
		at++;
	if (!is_stale) { /* the thread has looked again */
		if (at < w->stale_count)
			w->stale[at] = w->stale[--w->stale_count];
		return;
	}
	if (at == STALE)
		return;
	w->stale_count += at == w->stale_count;
	w->stale[at] = (ptx_stale){.deed = {w->number, thread, event->operation->index},
	                           .space = space,
	                           .address = event->address,
	                           .value = value,
	                           .newest = w->old[0]};
	h = weir_ptx_watch_history(w, space, event->address);
	if (h && h->has_write)
		w->stale[at].write = h->write;
}

/* Which of `options` writes to choose; 0 is the newest. */
static uint32_t choose(ptx_choices *c, const weir_race_choice *list, uint32_t options)
{
	uint64_t x;
	uint32_t chosen = 0;

	if (c->next < c->count) {
		chosen = c->at[c->next].chosen;
		c->next++;
		return chosen < options ? chosen : 0;
	}
	if (c->count == c->room) {
		uint32_t room = c->room ? 2 * c->room : 256;
		ptx_choice *grown = realloc(c->at, room * sizeof *grown);
		if (!grown) {
			c->failed = 1;
			return 0;
		}
		c->at = grown;
		c->room = room;
	}
	if (c->random) {
		x = c->random += UINT64_C(0x9e3779b97f4a7c15);
		x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
		x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
		x ^= x >> 31;
		if (x % 16 >= c->rate)
			chosen = (uint32_t)(x >> 32) % options;
	}
	c->at[c->count++] = (ptx_choice){list[chosen].message, list[chosen].value, chosen, options};
	c->next = c->count;
	return chosen;
}

static int access_bytes(void *context, weir_ptx_thread *t, weir_ptx_event *event, uint8_t *bytes)
{
	ptx_watch *w = context;
	const weir_ptx_operation *o = event->operation;
	weir_race_choice list[WRITES];
	uint32_t chosen;

	if (event->kind == WEIR_PTX_STORE && o->order == WEIR_PTX_WEAK && w->observer.plain)
		note_last_store(w, event, bytes);
	if (!w->choices)
		return 0;
	w->message = 0;
	if (o->order == WEIR_PTX_WEAK || o->size > 8 || o->count > ELEMENTS)
		return 0;
	for (unsigned k = 0; k < o->count; k++) {
		w->old[k] = 0;
		memcpy(&w->old[k], bytes + k * o->size, o->size);
	}
	if (o->count > 1)
		return 0;
	if (w->is_again && w->choices->next < w->choices->count) {
		const ptx_choice *made = &w->choices->at[w->choices->next++];
		list[0].value = made->value;
		list[0].message = made->message;
		chosen = made->chosen;
	} else {
		weir_race_access a = {.thread = number_of(w, t),
		                      .space = space_of(event),
		                      .address = event->address,
		                      .size = o->size,
		                      .order = WEIR_RACE_RELAXED,
		                      .reads = event->kind != WEIR_PTX_STORE,
		                      .writes = event->kind != WEIR_PTX_LOAD,
		                      .is_compared =
		                          event->kind == WEIR_PTX_RMW && o->what == PTX_RMW_CAS,
		                      .compare = w->operand[0] & ptx_low(o->size * 8u),
		                      .old = w->old[0]};
		uint32_t count = weir_race_choices(w->detectors[0].race, &a, list, WRITES);
		chosen = choose(w->choices, list, count);
		w->failed |= w->choices->failed;
		list[0] = list[chosen];
	}
	w->message = list[0].message;
	if (event->kind != WEIR_PTX_STORE)
		note_stale(w, number_of(w, t), event, chosen != 0, list[0].value);
	if (chosen && event->kind != WEIR_PTX_STORE)
		event->value[0] = list[0].value;
	return chosen != 0;
}

const ptx_stale *weir_ptx_watch_stale(const ptx_watch *w)
{
	return w->stale_count ? &w->stale[0] : NULL;
}

static void before_fence(ptx_watch *w, weir_ptx_thread *t, const weir_ptx_event *event)
{
	const weir_ptx_operation *o = event->operation;
	uint32_t thread = number_of(w, t);

	for (unsigned i = 0; i < w->detector_count && o->proxy == WEIR_PTX_PROXY_ASYNC; i++)
		weir_race_fence_proxy(w->detectors[i].race, thread, o->space != WEIR_PTX_SHARED,
		                      o->space != WEIR_PTX_GLOBAL);
	for (unsigned i = 0; i < w->detector_count && o->proxy == WEIR_PTX_PROXY_GENERIC; i++) {
		detector *d = &w->detectors[i];
		if (o->order >= WEIR_PTX_RELEASE && d->assumed & PTX_SYNC_BEFORE)
			weir_race_ask_block(d->race, thread);
		weir_race_fence(d->race, thread, (weir_race_order)o->order,
		                scope_of(o, d->assumed));
		if ((o->order == WEIR_PTX_ACQUIRE || o->order >= WEIR_PTX_ACQ_REL) &&
		    d->assumed & PTX_SYNC_AFTER)
			weir_race_tell_block(d->race, thread);
	}
}

/* ---- mbarriers ---- */

static mbarrier *mbarrier_at(ptx_watch *w, uint32_t owner, uint64_t address)
{
	mbarrier *grown;

	for (uint32_t i = 0; i < w->mbarrier_count; i++)
		if (w->mbarriers[i].owner == owner && w->mbarriers[i].address == address)
			return &w->mbarriers[i];
	if (w->mbarrier_count == w->mbarrier_room) {
		w->mbarrier_room = w->mbarrier_room ? 2 * w->mbarrier_room : 16;
		grown = realloc(w->mbarriers, w->mbarrier_room * sizeof *grown);
		if (!grown) {
			w->failed = 1;
			return NULL;
		}
		w->mbarriers = grown;
	}
	w->mbarriers[w->mbarrier_count] = (mbarrier){.owner = owner, .address = address};
	return &w->mbarriers[w->mbarrier_count++];
}

static void end_phase(ptx_watch *w, mbarrier *b, int is_new)
{
	for (unsigned i = 0; i < w->detector_count; i++) {
		weir_race *race = w->detectors[i].race;
		if (is_new) {
			weir_race_drop(race, b->done[i]);
			b->done[i] = NULL;
		} else {
			weir_race_pass(race, &b->done[i], b->pending[i]);
		}
		weir_race_drop(race, b->pending[i]);
		b->pending[i] = NULL;
	}
}

static uint32_t phase_of(const ptx_watch *w, uint32_t owner, uint64_t address)
{
	const ptx_block *b = ptx_owner(w->machine, owner);
	uint64_t word = 0;

	if (b && address + 8 <= b->shared_bytes)
		memcpy(&word, b->shared + address, sizeof word);
	return (uint32_t)(word >> 61 & 1);
}

/* A copy that has landed may have ended the phase since the last event. */
static void note_phase(ptx_watch *w, uint32_t owner, uint64_t address)
{
	uint32_t phase = phase_of(w, owner, address);

	for (uint32_t i = 0; i < w->mbarrier_count; i++) {
		mbarrier *b = &w->mbarriers[i];
		if (b->owner != owner || b->address != address || b->phase == phase)
			continue;
		b->phase = phase;
		end_phase(w, b, 0);
	}
}

/* A thread, or its copies, has arrived or brought bytes. */
static void arrive(ptx_watch *w, uint32_t owner, uint64_t address, uint32_t thread, int releases)
{
	mbarrier *b = mbarrier_at(w, owner, address);

	for (unsigned i = 0; b && i < w->detector_count && releases; i++) {
		detector *d = &w->detectors[i];
		if (d->assumed & PTX_SYNC_BEFORE && thread < w->real)
			weir_race_ask_block(d->race, thread);
		weir_race_give(d->race, thread, &b->pending[i]);
	}
	note_phase(w, owner, address);
}

static int is_of_copies(const ptx_watch *w, const weir_ptx_operation *o)
{
	uint32_t statement = w->machine->program->accesses.at[o->index].statement;
	const ptx_statement *s = &w->machine->program->module->statements.at[statement];

	return s->name && strncmp(s->name, "cp.", 3) == 0;
}

/* The word of an mbarrier is accessed, too: one that is used while it is initialized is a race. */
static void touch_mbarrier(ptx_watch *w, uint32_t thread, const weir_ptx_event *event, int writes,
                           int is_strong)
{
	weir_race_access a = {.thread = thread,
	                      .site = event->operation->index,
	                      .space = 1 + (uint64_t)event->owner,
	                      .address = event->address,
	                      .size = 8,
	                      .order = is_strong ? WEIR_RACE_RELAXED : WEIR_RACE_WEAK,
	                      .scope = WEIR_RACE_SYS,
	                      .reads = is_strong,
	                      .writes = writes,
	                      .is_silent = 1};

	for (unsigned i = 0; i < w->detector_count; i++)
		weir_race_do(w->detectors[i].race, &a);
}

static void after_mbarrier(ptx_watch *w, weir_ptx_thread *t, const weir_ptx_event *event)
{
	const weir_ptx_operation *o = event->operation;
	uint32_t thread = number_of(w, t);
	mbarrier *b;

	if (event->kind == WEIR_PTX_MBAR_INIT || event->kind == WEIR_PTX_MBAR_INVAL) {
		touch_mbarrier(w, thread, event, 1, 0);
		b = mbarrier_at(w, event->owner, event->address);
		if (b) {
			b->phase = 0;
			end_phase(w, b, 1);
		}
		return;
	}
	touch_mbarrier(w, thread, event, event->kind == WEIR_PTX_MBAR_ARRIVE, 1);
	if (event->kind == WEIR_PTX_MBAR_ARRIVE) {
		if (is_of_copies(w, o))
			arrive(w, event->owner, event->address, thread + w->real, w->has_copies);
		else
			arrive(w, event->owner, event->address, thread,
			       o->order >= WEIR_PTX_RELEASE);
		return;
	}
	b = mbarrier_at(w, event->owner, event->address);
	for (unsigned i = 0; b && event->value[0] && i < w->detector_count; i++) {
		detector *d = &w->detectors[i];
		if (o->order == WEIR_PTX_ACQUIRE || d->assumed & PTX_ACQUIRES)
			weir_race_take(d->race, thread, b->done[i]);
		if (d->assumed & PTX_SYNC_AFTER)
			weir_race_tell_block(d->race, thread);
	}
}

/* ---- copies ---- */

static void touch(detector *d, uint32_t thread, const weir_ptx_operation *o, weir_ptx_space space,
                  uint32_t owner, uint64_t address, uint32_t bytes, int writes)
{
	weir_race_access a = {.thread = thread,
	                      .site = o->index,
	                      .space = space == WEIR_PTX_SHARED ? 1 + (uint64_t)owner : 0,
	                      .is_async = o->what == PTX_COPY_BULK || o->what == PTX_COPY_REDUCE,
	                      .reads = !writes,
	                      .writes = writes};

	while (bytes) {
		a.size = bytes >= 16 && address % 16 == 0 ? 16
		         : bytes >= 4 && address % 4 == 0 ? 4
		                                          : 1;
		a.address = address;
		weir_race_do(d->race, &a);
		address += a.size;
		bytes -= a.size;
	}
}

static void after_copy(ptx_watch *w, weir_ptx_thread *t, const weir_ptx_event *event)
{
	const weir_ptx_operation *o = event->operation;
	uint32_t thread = number_of(w, t);
	int is_small = o->what == PTX_COPY_PLAIN;
	uint32_t agent = thread + w->real * (is_small ? 1 : 2);
	int has_source = o->what != PTX_COPY_STORE && o->what != PTX_COPY_RED;
	const ptx_access *access = &w->machine->program->accesses.at[o->index];

	for (unsigned i = 0; i < w->detector_count; i++) {
		detector *d = &w->detectors[i];
		weir_race_token *token = NULL;

		weir_race_give(d->race, thread, &token);
		weir_race_take(d->race, agent, token);
		weir_race_drop(d->race, token);
		if (has_source)
			touch(d, agent, o, event->source_space, event->source_owner, event->source,
			      event->bytes, 0);
		touch(d, agent, o, event->space, event->owner, event->address, event->bytes, 1);
		token = NULL;
		if (d->assumed & PTX_COPIES_WAITED) {
			weir_race_give(d->race, agent, &token);
			weir_race_take(d->race, thread, token);
			weir_race_drop(d->race, token);
		}
	}
	if (access->barrier != PTX_NO_SLOT)
		arrive(w, event->barrier_owner, event->barrier, agent, 1);
}

static void commit(ptx_watch *w, uint32_t thread, int is_bulk)
{
	copies *c = &w->copies[is_bulk][thread];

	if (c->count == c->room) {
		uint32_t room = c->room ? 2 * c->room : 4;
		weir_race_token **grown =
		    realloc(c->tokens, room * w->detector_count * sizeof *grown);
		if (!grown) {
			w->failed = 1;
			return;
		}
		c->tokens = grown;
		c->room = room;
	}
	for (unsigned i = 0; i < w->detector_count; i++) {
		c->tokens[c->count * w->detector_count + i] = NULL;
		weir_race_give(w->detectors[i].race, thread + w->real * (is_bulk ? 2 : 1),
		               &c->tokens[c->count * w->detector_count + i]);
	}
	c->count++;
}

/* All groups but the newest `left` are complete. */
static void wait_for_copies(ptx_watch *w, uint32_t thread, int is_bulk, uint32_t left)
{
	copies *c = &w->copies[is_bulk][thread];
	uint32_t done = c->count > left ? c->count - left : 0;

	for (uint32_t k = 0; k < done * w->detector_count; k++) {
		weir_race *race = w->detectors[k % w->detector_count].race;
		weir_race_take(race, thread, c->tokens[k]);
		weir_race_drop(race, c->tokens[k]);
	}
	c->count -= done;
	memmove(c->tokens, c->tokens + (size_t)done * w->detector_count,
	        (size_t)c->count * w->detector_count * sizeof *c->tokens);
}

static void after_wait(ptx_watch *w, weir_ptx_thread *t, const weir_ptx_event *event)
{
	const ptx_access *access = &w->machine->program->accesses.at[event->operation->index];
	int is_bulk = event->operation->proxy == WEIR_PTX_PROXY_ASYNC;
	uint32_t thread = number_of(w, t);

	if (!access->inputs) /* cp.async.wait_all: what was not committed, too */
		commit(w, thread, is_bulk);
	wait_for_copies(w, thread, is_bulk, access->inputs ? (uint32_t)event->value[0] : 0);
}

/* ---- clusters ---- */

static weir_race_token **cluster_token(ptx_watch *w, weir_race_token **tokens,
                                       const weir_ptx_thread *t, unsigned detector)
{
	const uint32_t *size = w->machine->cluster, *grid = w->machine->launch.grid;
	uint32_t index = t->block->index;
	uint32_t x = index % grid[0] / size[0], y = index / grid[0] % grid[1] / size[1];
	uint32_t z = index / grid[0] / grid[1] / size[2];

	/* A cluster is known by its first block. */
	index = x * size[0] + grid[0] * (y * size[1] + grid[1] * z * size[2]);
	return &tokens[(size_t)index * w->detector_count + detector];
}

static void end_cluster_phase(ptx_watch *w, const weir_ptx_thread *t)
{
	for (unsigned i = 0; i < w->detector_count; i++) {
		weir_race *race = w->detectors[i].race;
		weir_race_token **pending = cluster_token(w, w->cluster_pending, t, i);
		weir_race_pass(race, cluster_token(w, w->cluster_done, t, i), *pending);
		weir_race_drop(race, *pending);
		*pending = NULL;
	}
}

static void pass_cluster(ptx_watch *w, const weir_ptx_thread *t)
{
	for (unsigned i = 0; i < w->detector_count; i++)
		weir_race_take(w->detectors[i].race, number_of(w, t),
		               *cluster_token(w, w->cluster_done, t, i));
}

static void arrive_at_cluster(ptx_watch *w, const weir_ptx_thread *t, const weir_ptx_operation *o)
{
	for (unsigned i = 0; i < w->detector_count && o->order != WEIR_PTX_RELAXED; i++)
		weir_race_give(w->detectors[i].race, number_of(w, t),
		               cluster_token(w, w->cluster_pending, t, i));
}

/* ---- memory that was never written ---- */

static int is_unwritten(const ptx_watch *w, const weir_ptx_event *event, uint8_t **shadow,
                        uint64_t *offset)
{
	ptx_region *r;

	if (event->space == WEIR_PTX_SHARED) {
		const ptx_block *b = ptx_owner(w->machine, event->owner);
		if (!b || event->address + event->bytes > b->shared_bytes)
			return 0;
		*shadow = b->shared_shadow;
		*offset = event->address;
	} else {
		r = w->machine->hints[event->operation->index];
		if (event->address - r->start >= r->bytes)
			r = weir_ptx_region(w->machine->memory, event->address);
		if (!r || r->freed || !r->shadow ||
		    event->address - r->start + event->bytes > r->bytes)
			return 0;
		*shadow = r->shadow;
		*offset = event->address - r->start;
	}
	return !ptx_any_written(*shadow, *offset, event->bytes);
}

/* The launch goes on, since the read may race with a write that explains it. */
static void before_read(ptx_watch *w, weir_ptx_thread *t, const weir_ptx_event *event)
{
	uint8_t *shadow;
	uint64_t offset;
	weir_ptx_result *r = &w->unwritten;

	if (!is_unwritten(w, event, &shadow, &offset))
		return;
	ptx_mark(shadow, offset, event->bytes);
	if (w->has_unwritten)
		return;
	w->has_unwritten = 1;
	w->unwritten_site = event->operation->index;
	w->unwritten_space = event->space == WEIR_PTX_SHARED ? 1 + (uint64_t)event->owner : 0;
	r->end = WEIR_PTX_NEVER_WRITTEN;
	memcpy(r->block, t->block->ctaid, sizeof r->block);
	memcpy(r->thread, t->tid, sizeof r->thread);
	weir_ptx_thread_site(t, &r->site);
	r->address = event->address;
	r->bytes = event->bytes;
	snprintf(r->text, sizeof r->text, "it reads %u bytes that were never written",
	         event->bytes);
}

int weir_ptx_watch_unwritten(const ptx_watch *w, weir_ptx_result *result, uint32_t *site,
                             uint64_t *space)
{
	if (!w->has_unwritten)
		return 0;
	result->end = w->unwritten.end;
	memcpy(result->block, w->unwritten.block, sizeof result->block);
	memcpy(result->thread, w->unwritten.thread, sizeof result->thread);
	memcpy(result->text, w->unwritten.text, sizeof result->text);
	result->site = w->unwritten.site;
	result->address = w->unwritten.address;
	result->bytes = w->unwritten.bytes;
	*site = w->unwritten_site;
	*space = w->unwritten_space;
	return 1;
}

/* ---- the observer ---- */

static weir_ptx_end before(void *context, weir_ptx_thread *t, const weir_ptx_event *event,
                           weir_ptx_result *result)
{
	ptx_watch *w = context;
	const weir_ptx_operation *o = event->operation;

	(void)result;
	w->number++;
	w->has_strong |= event->kind != WEIR_PTX_EXIT &&
	                 (o->order != WEIR_PTX_WEAK || event->kind == WEIR_PTX_FENCE);
	if (w->is_again && event->kind != WEIR_PTX_EXIT)
		follow(w, event, number_of(w, t));
	switch (event->kind) {
	case WEIR_PTX_RMW:
		w->operand[0] = event->value[0];
		w->operand[1] = event->value[1];
		before_read(w, t, event);
		break;
	case WEIR_PTX_LOAD:
		before_read(w, t, event);
		break;
	case WEIR_PTX_FENCE:
		before_fence(w, t, event);
		break;
	case WEIR_PTX_BAR_SYNC:
	case WEIR_PTX_BAR_ARRIVE:
		for (unsigned i = 0; i < w->detector_count; i++)
			weir_race_barrier(
			    w->detectors[i].race, number_of(w, t), (uint32_t)event->value[0],
			    o->flags & WEIR_PTX_COUNTED ? (uint32_t)event->value[1] : 0,
			    event->kind == WEIR_PTX_BAR_SYNC);
		break;
	case WEIR_PTX_CLUSTER_ARRIVE:
		arrive_at_cluster(w, t, o);
		break;
	case WEIR_PTX_MBAR_ARRIVE:
	case WEIR_PTX_MBAR_TEST:
		note_phase(w, event->owner, event->address);
		break;
	case WEIR_PTX_COPY:
		if (w->machine->program->accesses.at[o->index].barrier != PTX_NO_SLOT)
			note_phase(w, event->barrier_owner, event->barrier);
		break;
	default:
		break;
	}
	return w->failed ? WEIR_PTX_NO_MEMORY : WEIR_PTX_DONE;
}

static weir_ptx_end after(void *context, weir_ptx_thread *t, const weir_ptx_event *event,
                          weir_ptx_result *result)
{
	ptx_watch *w = context;

	(void)result;
	switch (event->kind) {
	case WEIR_PTX_LOAD:
	case WEIR_PTX_STORE:
	case WEIR_PTX_RMW:
		after_access(w, t, event);
		break;
	case WEIR_PTX_MBAR_INIT:
	case WEIR_PTX_MBAR_INVAL:
	case WEIR_PTX_MBAR_ARRIVE:
	case WEIR_PTX_MBAR_TEST:
		after_mbarrier(w, t, event);
		break;
	case WEIR_PTX_COPY:
		after_copy(w, t, event);
		break;
	case WEIR_PTX_COPY_COMMIT:
		commit(w, number_of(w, t), event->operation->proxy == WEIR_PTX_PROXY_ASYNC);
		break;
	case WEIR_PTX_COPY_WAIT:
		after_wait(w, t, event);
		break;
	case WEIR_PTX_CLUSTER_ARRIVE:
		if (!t->block->cluster->arrived)
			end_cluster_phase(w, t);
		break;
	case WEIR_PTX_CLUSTER_WAIT:
		pass_cluster(w, t);
		break;
	default:
		break;
	}
	return w->failed ? WEIR_PTX_NO_MEMORY : WEIR_PTX_DONE;
}

static weir_ptx_end meet(void *context, weir_ptx_thread *const *threads, unsigned count,
                         const weir_ptx_operation *o, weir_ptx_result *result)
{
	ptx_watch *w = context;
	uint32_t numbers[1024];

	(void)result;
	if (o->kind == WEIR_PTX_CLUSTER_ARRIVE || o->kind == WEIR_PTX_CLUSTER_WAIT) {
		end_cluster_phase(w, threads[0]);
		for (unsigned k = 0; k < count; k++)
			pass_cluster(w, threads[k]);
		return WEIR_PTX_DONE;
	}
	/* Shuffles, votes and matches make lanes wait for each other, but order no memory. */
	if (o->kind != WEIR_PTX_WARP_SYNC || count > PTX_WARP)
		return WEIR_PTX_DONE;
	for (unsigned k = 0; k < count; k++)
		numbers[k] = number_of(w, threads[k]);
	for (unsigned i = 0; i < w->detector_count; i++)
		weir_race_meet(w->detectors[i].race, numbers, count);
	return WEIR_PTX_DONE;
}

/* ---- the whole ---- */

static int has_narrow_fences(const weir_ptx_machine *m, unsigned assumed)
{
	for (uint32_t i = 0; i < m->program->accesses.count; i++) {
		const weir_ptx_operation *o = &m->program->accesses.at[i].operation;
		if (o->kind == WEIR_PTX_FENCE && o->order == WEIR_PTX_SC &&
		    o->scope < WEIR_PTX_SCOPE_GPU && !(assumed & PTX_WIDE_SCOPES))
			return 1;
	}
	return 0;
}

static int create_detectors(ptx_watch *w, const unsigned *assumed)
{
	const weir_ptx_machine *m = w->machine;

	for (unsigned i = 0; i < w->detector_count; i++) {
		weir_race_grid grid = {.blocks = m->blocks * (w->has_copies ? SYNCING : 1),
		                       .threads = m->threads,
		                       .cluster = m->cluster_size,
		                       .narrow_fences = has_narrow_fences(m, assumed[i]),
		                       .history = w->choices ? WRITES : 0,
		                       .async = 2 * w->real,
		                       .inserts = 1};
		detector *d = &w->detectors[i];
		*d = (detector){w, NULL, assumed[i], i};
		d->race = weir_race_create(&grid, found, d);
		if (!d->race)
			return -1;
	}
	return 0;
}

static void begin_again(ptx_watch *w)
{
	for (unsigned i = 0; i < w->group_count; i++) {
		ptx_group *g = &w->groups[i];
		memset(g->resolved, 0xff, sizeof g->resolved);
		g->deed[0].number = 0;
		g->has_release = g->has_fence = g->has_acquire = g->has_behind = 0;
		g->has_wait[0] = g->has_wait[1] = 0;
		g->has_arrival[0] = g->has_arrival[1] = 0;
		if (g->strong[0] != g->strong[1])
			w->is_flag[g->deed[g->strong[0] ? 1 : 0].site] = 1;
	}
}

ptx_watch *weir_ptx_watch_create(weir_ptx_machine *machine, const unsigned *assumed,
                                 unsigned detectors, ptx_group *groups, unsigned group_count,
                                 ptx_choices *choices)
{
	ptx_watch *w = calloc(1, sizeof *w);
	size_t clusters = (size_t)machine->blocks * detectors;

	if (!w)
		return NULL;
	w->machine = machine;
	w->observer =
	    (weir_ptx_observer){w, before, after, meet, access_bytes, NULL, NULL, &w->number};
	w->choices = choices;
	w->detector_count = detectors;
	w->real = machine->blocks * machine->threads;
	w->is_again = groups != NULL;
	w->groups = groups ? groups : w->own;
	w->group_count = groups ? group_count : 0;
	for (uint32_t i = 0; i < machine->program->accesses.count; i++) {
		weir_ptx_kind kind = machine->program->accesses.at[i].operation.kind;
		w->has_copies |= kind == WEIR_PTX_COPY || kind == WEIR_PTX_COPY_COMMIT ||
		                 kind == WEIR_PTX_COPY_WAIT;
	}
	w->cluster_pending = calloc(clusters, sizeof *w->cluster_pending);
	w->cluster_done = calloc(clusters, sizeof *w->cluster_done);
	w->is_flag = calloc(machine->program->accesses.count + 1, 1);
	for (int k = 0; k < 2; k++)
		w->copies[k] = calloc(w->real, sizeof *w->copies[k]);
	if (!w->cluster_pending || !w->cluster_done || !w->is_flag || !w->copies[0] ||
	    !w->copies[1] || create_detectors(w, assumed) != 0) {
		weir_ptx_watch_destroy(w);
		return NULL;
	}
	if (groups)
		begin_again(w);
	else if (detectors == 1 && !assumed[0]) {
		w->observer.plain = weir_race_plain;
		w->observer.plain_context = w->detectors[0].race;
	}
	return w;
}

static void drop_tokens(ptx_watch *w)
{
	for (uint32_t b = 0; b < w->mbarrier_count; b++)
		end_phase(w, &w->mbarriers[b], 1);
	for (size_t k = 0; k < (size_t)w->machine->blocks * w->detector_count; k++) {
		weir_race *race = w->detectors[k % w->detector_count].race;
		if (w->cluster_pending)
			weir_race_drop(race, w->cluster_pending[k]);
		if (w->cluster_done)
			weir_race_drop(race, w->cluster_done[k]);
	}
	for (int kind = 0; kind < 2; kind++)
		for (uint32_t t = 0; w->copies[kind] && t < w->real; t++) {
			copies *c = &w->copies[kind][t];
			for (uint32_t k = 0; k < c->count * w->detector_count; k++)
				weir_race_drop(w->detectors[k % w->detector_count].race,
				               c->tokens[k]);
			free(c->tokens);
		}
}

void weir_ptx_watch_destroy(ptx_watch *w)
{
	if (!w)
		return;
	if (w->detectors[w->detector_count - 1].race)
		drop_tokens(w);
	for (unsigned i = 0; i < w->detector_count; i++)
		weir_race_destroy(w->detectors[i].race);
	for (size_t i = 0; i < HISTORIES; i++)
		for (ptx_history *h = w->histories[i], *next; h; h = next) {
			next = h->next;
			free(h);
		}
	free(w->copies[0]);
	free(w->copies[1]);
	free(w->cluster_pending);
	free(w->cluster_done);
	free(w->mbarriers);
	free(w->is_flag);
	free(w);
}

const weir_ptx_observer *weir_ptx_watch_observer(ptx_watch *w)
{
	return &w->observer;
}

const ptx_group *weir_ptx_watch_groups(const ptx_watch *w, unsigned *count)
{
	*count = w->group_count;
	return w->groups;
}

uint64_t weir_ptx_watch_left_out(const ptx_watch *w)
{
	return w->left_out;
}

size_t weir_ptx_watch_bytes(const ptx_watch *w)
{
	size_t bytes = 0;

	for (unsigned i = 0; i < w->detector_count; i++)
		bytes += weir_race_bytes(w->detectors[i].race);
	return bytes;
}

uint64_t weir_ptx_watch_repeated_stores(const ptx_watch *w)
{
	return w->repeated_stores;
}

int weir_ptx_watch_has_strong(const ptx_watch *w)
{
	return w->has_strong;
}
