/* The accesses that later ones may race with are kept by words of four bytes. A word that is only loaded and stored
 * plainly, by one thread at a time or by neighbours that run in turn, keeps its last write and read in place. All others
 * have a list each of writes and reads. Accesses whose scope includes every thread are kept apart: they are morally strong
 * with each other, and only others look through them.
 *
 * A word that was accessed strongly also has what its last write passes on. A release pattern begins with a release or a
 * fence; its view is kept for each scope, by the group of threads that the scope includes. An acquire takes the views of
 * the groups that its thread is in.
 *
 * fence.sc: a fence must come after another one if an access before it was performed after one behind the other one:
 * read from it, overwrote it, or overwrote what it read. So a word has the views of the fences that precede its strong
 * writes and reads. An access takes those that were performed before it, as pending, and its thread's next fence acquires
 * them. Each fence is kept for the groups of its scope, since only fences that include each other's threads have an order.
 */
#include "ptx/race.h"

#include <stdlib.h>
#include <string.h>

#include "ptx/knowledge.h"

#define PAGE_WORDS 256
#define LEVELS 4
#define RECORD (1u << 31)
#define LAST_PAGES 64 /* a power of two */
#define RECENT 8      /* words whose release and acquire patterns a thread remembers */
#define SCANNED 8     /* reads of a word that a new one may replace */
#define BARRIERS 16
#define FIRST UINT64_MAX /* the number of the value that a history begins with */
#define KEY(level, group) ((uint32_t)(level) << 29 | (group))

/* A plain access, by `span` + 1 threads from `thread` on, each `stride` after the one before. */
typedef struct plain {
	uint32_t thread;
	uint32_t epoch;
	uint32_t site;
	uint16_t span, stride;
	int8_t offset; /* of its first byte from the word */
	uint8_t size;  /* 0: there is none */
} plain;

typedef struct entry {
	plain access;
	uint8_t strength; /* 0: weak; or the scope, + 1 */
	/* Strong writes to the word are numbered, in coherence order. `write` is the number of this write, or of the last write that a read
	 * observed; `first` is the first write that it observed. */
	uint32_t write;
	uint32_t first;
	uint32_t own; /* of a read-modify-write's read: the number of its write; 0: there is none */
} entry;

typedef struct list {
	entry *entries;
	uint32_t count;
	uint32_t room;
} list;

/* A release pattern's view, for a group of threads. */
typedef struct passed {
	uint32_t key;
	weir_race_view view;
} passed;

/* The latest write, and the release patterns that it passes on. */
typedef struct latest {
	plain last;
	uint8_t strength;
	uint32_t write; /* number of strong writes up to this one */
	uint32_t first; /* of those, the first that it continues */
	passed *passed;
	uint32_t passed_count;
	uint32_t passed_room;
	weir_race_set *
	    fenced_writes; /* the fences before its strong writes, and reads that these overwrote */
} latest;

typedef struct reader {
	uint32_t thread;
	uint32_t epoch;
} reader;

/* A write that a later read may still return. */
typedef struct message {
	uint64_t number;
	uint64_t value;
	latest made;
	reader *readers;
	uint32_t reader_count;
	uint32_t reader_room;
	weir_race_set *fenced_reads; /* the fences before its strong reads */
	uint8_t is_taken;            /* a read-modify-write follows it */
} message;

typedef struct record {
	list writes; /* weak, or of a scope that leaves threads out */
	list reads;
	list wide_writes;
	list wide_reads;
	latest newest;               /* write in coherence order, or the one that is read */
	uint8_t is_mixed;            /* not all accesses of the widest scope touch the same bytes */
	weir_race_set *fenced_reads; /* of what is in no message */
	message *messages;           /* in coherence order */
	uint32_t message_count;
	uint32_t message_room;
} record;

/* A plain access in a cell. */
typedef struct kept {
	uint32_t thread;
	uint32_t epoch;
	uint32_t what; /* its site and its shape; 0: there is none */
} kept;

typedef struct cell {
	kept write;
	kept read;
	uint16_t span, stride; /* of the read */
	/* With the bit RECORD, the index of its record. Without: one more reader, like the others, + 1; 0: there is none.
	 * The last thread at a barrier is the first one behind it, out of turn. */
	uint32_t more;
} cell;

typedef struct page {
	uint64_t space;
	uint64_t number;
	struct page *next;
	cell cells[PAGE_WORDS];
} page;

/* Patterns of a thread that are not over. */
typedef struct recent {
	uint64_t space;
	uint64_t address;
	weir_race_view released[LEVELS]; /* what its writes to the word pass on */
	weir_race_view found[LEVELS];    /* what an acquire of the word takes over */
} recent;

typedef struct patterns {
	weir_race_view fenced[LEVELS]; /* what all its writes pass on */
	weir_race_view found[LEVELS];  /* what its next fence takes over */
	recent *recent[RECENT];
	uint32_t next;
} patterns;

typedef struct thread {
	weir_race_view view;
	uint32_t epoch;
	uint32_t block, first; /* its first thread */
	patterns *patterns;
} thread;

typedef struct barrier {
	weir_race_view view;
	uint32_t arrived;
	uint32_t waiting_count;
	uint32_t waiting_room;
	uint32_t *waiting;
	uint32_t newest; /* epoch of those that arrived */
} barrier;

struct weir_race {
	weir_race_grid grid;
	weir_race_found *found;
	void *context;
	weir_race_pool pool;
	uint32_t levels;           /* that differ */
	uint32_t level_of[LEVELS]; /* of each scope */
	uint32_t size_of[LEVELS];  /* blocks in a group of each level */
	thread *threads;
	barrier *barriers; /* of each block */
	page **pages;
	uint32_t page_room; /* a power of two */
	uint32_t page_count;
	page *last_pages[LAST_PAGES];
	record **records; /* of the cells */
	uint32_t record_count;
	uint32_t record_room;
	weir_race_set *
	    fences; /* with a history: what each group's fences know, in the order in which they ran */
	int has_forgotten;
	uint64_t used; /* bytes, but for the pool's */
};

/* ---- the grid ---- */

static uint32_t block_of(const weir_race *r, uint32_t thread)
{
	return thread / r->grid.threads;
}

static uint32_t group_of(const weir_race *r, uint32_t thread, uint32_t level)
{
	return block_of(r, thread) / r->size_of[level];
}

static int is_mutual(const weir_race *r, uint32_t t, uint32_t strength, uint32_t u, uint32_t other)
{
	uint32_t least = strength < other ? strength : other;

	if (t == u)
		return 1;
	return least &&
	       group_of(r, t, r->level_of[least - 1]) == group_of(r, u, r->level_of[least - 1]);
}

static int is_wide(const weir_race *r, uint32_t strength)
{
	return strength && r->level_of[strength - 1] == r->levels - 1;
}

static uint32_t strength_of(const weir_race_access *a)
{
	return a->order == WEIR_RACE_WEAK ? 0 : (uint32_t)a->scope + 1;
}

/* Scopes that include the same threads in this grid are one level. */
static void find_levels(weir_race *r)
{
	const weir_race_grid *g = &r->grid;
	uint32_t cluster = g->cluster ? g->cluster : 1;
	uint32_t device = g->device ? g->device : g->blocks;
	uint32_t sizes[LEVELS] = {1, cluster, device, g->blocks};

	r->levels = 0;
	for (uint32_t s = 0; s < LEVELS; s++) {
		uint32_t size = sizes[s] < g->blocks ? sizes[s] : g->blocks;
		if (r->levels == 0 || r->size_of[r->levels - 1] < size)
			r->size_of[r->levels++] = size;
		r->level_of[s] = r->levels - 1;
	}
}

/* ---- memory ---- */

static void *grow(weir_race *r, void *old, uint32_t *room, size_t size)
{
	uint32_t more = *room ? 2 * *room : 4;
	void *grown = realloc(old, more * size);

	if (!grown) {
		r->pool.failed = 1;
		return NULL;
	}
	r->used += (more - *room) * size;
	*room = more;
	return grown;
}

static uint32_t page_slot(const weir_race *r, uint64_t space, uint64_t number)
{
	uint64_t hash = (number ^ space * 0x9e3779b97f4a7c15ull) * 0xff51afd7ed558ccdull;

	return (uint32_t)(hash >> 32) & (r->page_room - 1);
}

static int more_pages(weir_race *r)
{
	uint32_t old = r->page_room;
	page **before = r->pages;
	page **after = calloc((size_t)old * 2, sizeof(page *));

	if (!after)
		return -1;
	r->pages = after;
	r->page_room = 2 * old;
	r->used += old * sizeof(page *);
	for (uint32_t i = 0; i < old; i++)
		for (page *p = before[i], *next; p; p = next) {
			uint32_t slot = page_slot(r, p->space, p->number);
			next = p->next;
			p->next = after[slot];
			after[slot] = p;
		}
	free(before);
	return 0;
}

static cell *new_cell_at(weir_race *r, uint64_t space, uint64_t word)
{
	uint64_t number = word / PAGE_WORDS;
	uint32_t slot = page_slot(r, space, number);
	page *p;

	for (p = r->pages[slot]; p; p = p->next)
		if (p->space == space && p->number == number)
			break;
	if (!p) {
		p = calloc(1, sizeof *p);
		if (!p || (r->page_count >= r->page_room && more_pages(r) != 0)) {
			free(p);
			r->pool.failed = 1;
			return NULL;
		}
		slot = page_slot(r, space, number);
		p->space = space;
		p->number = number;
		p->next = r->pages[slot];
		r->pages[slot] = p;
		r->page_count++;
		r->used += sizeof *p;
	}
	r->last_pages[(number + space * 7) % LAST_PAGES] = p;
	return &p->cells[word % PAGE_WORDS];
}

static inline cell *cell_at(weir_race *r, uint64_t space, uint64_t word)
{
	uint64_t number = word / PAGE_WORDS;
	page *p = r->last_pages[(number + space * 7) % LAST_PAGES];

	return p && p->space == space && p->number == number ? &p->cells[word % PAGE_WORDS]
	                                                     : new_cell_at(r, space, word);
}

static record *record_of(const weir_race *r, const cell *at)
{
	return at->more & RECORD ? r->records[at->more & ~RECORD] : NULL;
}

/* Three bits of `what` have the size, the next four the offset. */
#define SHAPE(offset, log) ((uint32_t)((offset) + 12) << 3 | ((log) + 1u))
#define SHAPE_BITS 7
#define SITES (1u << (32 - SHAPE_BITS))

static uint32_t shape_of(int offset, uint32_t size)
{
	return SHAPE(offset, (uint32_t)__builtin_ctz(size));
}

static uint32_t shape_in(uint32_t what)
{
	return what & ((1u << SHAPE_BITS) - 1);
}

static plain unpacked(const cell *at, int is_write)
{
	const kept *k = is_write ? &at->write : &at->read;
	plain x = {.thread = k->thread, .epoch = k->epoch, .site = k->what >> SHAPE_BITS};

	if (!k->what)
		return x;
	x.offset = (int8_t)((int)(shape_in(k->what) >> 3) - 12);
	x.size = (uint8_t)(1u << ((k->what & 7) - 1));
	if (!is_write) {
		x.span = at->span;
		x.stride = at->stride;
	}
	return x;
}

static patterns *patterns_of(weir_race *r, uint32_t thread)
{
	if (!r->threads[thread].patterns) {
		r->threads[thread].patterns = calloc(1, sizeof(patterns));
		if (r->threads[thread].patterns)
			r->used += sizeof(patterns);
		else
			r->pool.failed = 1;
	}
	return r->threads[thread].patterns;
}

static plain other_reader(const cell *at)
{
	plain x = unpacked(at, 0);

	x.thread = at->more - 1;
	x.span = 0;
	if (!at->more)
		x.size = 0;
	return x;
}

/* ---- what is ordered ---- */

static int knows_all(const weir_race *r, uint32_t t, const plain *x)
{
	const weir_race_clock *known = r->threads[t].view.known;

	if (block_of(r, x->thread) == block_of(r, x->thread + x->span * x->stride) &&
	    weir_race_clock_knows_block(&r->pool, known, x->thread, x->epoch))
		return 1;
	for (uint32_t k = 0, u = x->thread; k <= x->span; k++, u += x->stride)
		if (u != t && !weir_race_clock_knows(&r->pool, known, u, x->epoch))
			return 0;
	return 1;
}

/* Whether the thread, or one that it knows, has observed a strong write to the word, or the write of a read-modify-write
 * that `x` is the read of: the two are one operation. */
static int has_observed(const weir_race *r, uint32_t t, const record *rec, const entry *x,
                        int is_write)
{
	uint32_t number = is_write ? x->write : x->own;
	const list *lists[] = {&rec->wide_reads, &rec->reads};

	for (uint32_t i = 0; number && i < 2; i++)
		for (uint32_t j = 0; j < lists[i]->count; j++) {
			const entry *read = &lists[i]->entries[j];
			if (read->strength && read->first <= number && number <= read->write &&
			    knows_all(r, t, &read->access))
				return 1;
		}
	return 0;
}

/* Whether a copy in the async proxy does not see the write, which it knows of, for lack of a fence.proxy.async. Copies do not
 * need one for earlier reads: programs do not fence those, and no copy starts before the wait that orders it. */
static int lacks_fence(const weir_race *r, const weir_race_access *a, const plain *x, int is_write)
{
	const weir_race_clock *proxied = r->threads[a->thread].view.proxied[a->space != 0];

	if (!a->is_async || !is_write || x->thread >= r->grid.async)
		return 0;
	for (uint32_t k = 0, u = x->thread; k <= x->span; k++, u += x->stride)
		if (!weir_race_clock_knows(&r->pool, proxied, u, x->epoch))
			return 1;
	return 0;
}

static int overlaps(const plain *a, const plain *b)
{
	return a->offset < b->offset + b->size && b->offset < a->offset + a->size;
}

static int is_exact(const plain *a, const plain *b)
{
	return a->offset == b->offset && a->size == b->size;
}

typedef struct checked {
	const weir_race_access *access;
	plain own;
	uint64_t word;
	uint32_t strength;
	uint32_t number; /* of a strong read-modify-write's write */
	int is_linked;   /* a strong read, morally strong with the write that it reads from */
	int has_found;
} checked;

static void report(weir_race *r, checked *c, const plain *x, uint32_t strength, int is_write,
                   int writes)
{
	weir_race_finding f = {.space = c->access->space,
	                       .address = c->word * 4,
	                       .thread = {x->thread, c->own.thread},
	                       .site = {x->site, c->own.site},
	                       .writes = {is_write, writes},
	                       .is_strong = {strength != 0, c->strength != 0},
	                       .has_other_size = !is_exact(x, &c->own)};
	int from = x->offset > c->own.offset ? x->offset : c->own.offset;

	f.address += (uint64_t)(from > 0 ? from : 0);
	f.lacks_fence = knows_all(r, c->own.thread, x);
	for (uint32_t k = 0, u = x->thread; k <= x->span; k++, u += x->stride)
		if (u != c->own.thread &&
		    !weir_race_clock_knows(&r->pool, r->threads[c->own.thread].view.known, u,
		                           x->epoch)) {
			f.thread[0] = u;
			break;
		}
	if (!c->has_found)
		r->found(r->context, &f);
	c->has_found = 1;
}

static void check_plain(weir_race *r, checked *c, const plain *x, int is_write, int writes)
{
	if (x->size && overlaps(x, &c->own) &&
	    (!knows_all(r, c->own.thread, x) || lacks_fence(r, c->access, x, is_write)))
		report(r, c, x, 0, is_write, writes);
}

static void check_list(weir_race *r, checked *c, const record *rec, const list *l, int is_write,
                       int writes)
{
	for (uint32_t i = 0; i < l->count; i++) {
		const entry *x = &l->entries[i];
		if (!overlaps(&x->access, &c->own) ||
		    (x->strength && is_exact(&x->access, &c->own) &&
		     is_mutual(r, x->access.thread, x->strength, c->own.thread, c->strength)) ||
		    (knows_all(r, c->own.thread, &x->access) &&
		     !lacks_fence(r, c->access, &x->access, is_write)))
			continue;
		if (!c->access->is_async && x->strength &&
		    has_observed(r, c->own.thread, rec, x, is_write))
			continue;
		report(r, c, &x->access, x->strength, is_write, writes);
		return;
	}
}

/* Whether the accesses of the widest scope, so far all alike, touch the same bytes as `own`. */
static int is_shape(const record *rec, const plain *own)
{
	const list *l = rec->wide_writes.count ? &rec->wide_writes : &rec->wide_reads;

	return l->count == 0 || is_exact(&l->entries[0].access, own);
}

/* Accesses of the widest scope that touch the same bytes need no look at each other. */
static void check_word(weir_race *r, checked *c, const cell *at, int writes)
{
	const record *rec = record_of(r, at);

	if (!rec) {
		plain write = unpacked(at, 1), read = unpacked(at, 0), other = other_reader(at);
		check_plain(r, c, &write, 1, writes);
		if (writes)
			check_plain(r, c, &read, 0, 1);
		if (writes && other.size && !c->has_found)
			check_plain(r, c, &other, 0, 1);
		return;
	}
	check_list(r, c, rec, &rec->writes, 1, writes);
	if (writes)
		check_list(r, c, rec, &rec->reads, 0, 1);
	if (is_wide(r, c->strength) && !rec->is_mixed && is_shape(rec, &c->own))
		return;
	check_list(r, c, rec, &rec->wide_writes, 1, writes);
	if (writes)
		check_list(r, c, rec, &rec->wide_reads, 0, 1);
}

/* ---- what is kept ---- */

/* After it was full, at least half of the list is free again. */
static void make_room(weir_race *r, list *l)
{
	entry *grown;

	if (l->room && l->count <= l->room / 2)
		return;
	grown = grow(r, l->entries, &l->room, sizeof *grown);
	if (grown)
		l->entries = grown;
}

static void append(weir_race *r, list *l, const entry *x)
{
	if (l->count == l->room)
		make_room(r, l);
	if (l->entries && l->count < l->room)
		l->entries[l->count++] = *x;
}

static record *promote(weir_race *r, cell *at)
{
	record *rec;
	entry x = {{0}, 0, 0, 0, 0};

	if (at->more & RECORD)
		return record_of(r, at);
	if (r->record_count == r->record_room) {
		record **grown = grow(r, r->records, &r->record_room, sizeof(record *));
		if (!grown)
			return NULL;
		r->records = grown;
	}
	rec = calloc(1, sizeof *rec);
	if (!rec) {
		r->pool.failed = 1;
		return NULL;
	}
	r->used += sizeof *rec;
	x.access = unpacked(at, 1);
	if (x.access.size)
		append(r, &rec->writes, &x);
	rec->newest.last = x.access;
	x.access = unpacked(at, 0);
	if (x.access.size)
		append(r, &rec->reads, &x);
	x.access = other_reader(at);
	if (x.access.size)
		append(r, &rec->reads, &x);
	at->more = RECORD | r->record_count;
	r->records[r->record_count++] = rec;
	return rec;
}

static int by_thread(const void *a, const void *b)
{
	const entry *x = a;
	const entry *y = b;

	if (x->access.thread != y->access.thread)
		return x->access.thread < y->access.thread ? -1 : 1;
	if (x->access.epoch != y->access.epoch)
		return x->access.epoch < y->access.epoch ? -1 : 1;
	return (x->write > y->write) - (x->write < y->write);
}

static int is_alike(const entry *x, const entry *y)
{
	return x->access.thread == y->access.thread && x->access.span == y->access.span &&
	       x->access.stride == y->access.stride && is_exact(&x->access, &y->access) &&
	       x->strength == y->strength;
}

/* Of a thread's writes that are alike, the last one counts. */
static void compact_writes(list *l)
{
	uint32_t kept = 0;

	if (!l->entries)
		return;
	if (l->count)
		qsort(l->entries, l->count, sizeof l->entries[0], by_thread);
	for (uint32_t i = 0; i < l->count; i++) {
		kept -= kept && is_alike(&l->entries[kept - 1], &l->entries[i]);
		l->entries[kept++] = l->entries[i];
	}
	l->count = kept;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a;
	uint32_t y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* The numbers of the strong writes that are still kept, in order. */
static uint32_t *numbers_of(weir_race *r, const record *rec, uint32_t *count)
{
	const list *lists[] = {&rec->writes, &rec->wide_writes};
	uint32_t *numbers =
	    malloc((rec->writes.count + rec->wide_writes.count + 1) * sizeof *numbers);

	*count = 0;
	if (!numbers) {
		r->pool.failed = 1;
		return NULL;
	}
	for (uint32_t i = 0; i < 2; i++)
		for (uint32_t j = 0; j < lists[i]->count; j++)
			if (lists[i]->entries[j].strength)
				numbers[(*count)++] = lists[i]->entries[j].write;
	qsort(numbers, *count, sizeof *numbers, by_number);
	return numbers;
}

static int has_number(const uint32_t *numbers, uint32_t count, uint32_t from, uint32_t to)
{
	uint32_t low = 0;
	uint32_t high = count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (numbers[middle] < from)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && numbers[low] <= to;
}

/* Whether `next`, a later read by the same thread, implies everything that `x` implies. */
static int is_covered(const entry *x, const entry *next)
{
	return x->access.epoch == next->access.epoch && next->first <= x->first &&
	       x->write <= next->write;
}

/* Of a thread's reads that are alike, the last one counts for races. An earlier one counts if it was the first to observe
 * a write that is still kept. */
static void compact_reads(weir_race *r, const record *rec, list *l)
{
	uint32_t count;
	uint32_t *numbers = l->entries ? numbers_of(r, rec, &count) : NULL;
	uint32_t kept = 0;
	uint32_t next = 1; /* of the writes that the thread has not observed */

	if (!numbers)
		return;
	if (l->count)
		qsort(l->entries, l->count, sizeof l->entries[0], by_thread);
	for (uint32_t i = 0; i < l->count; i++) {
		entry x = l->entries[i];
		int is_last = i + 1 == l->count || !is_alike(&x, &l->entries[i + 1]);
		uint32_t from = x.first > next ? x.first : next;
		if (is_last || (x.strength && !is_covered(&x, &l->entries[i + 1]) &&
		                has_number(numbers, count, from, x.write))) {
			next = x.write + 1;
			l->entries[kept++] = x;
		}
		if (is_last)
			next = 1;
	}
	l->count = kept;
	free(numbers);
}

static void keep_wide(weir_race *r, const record *rec, list *l, const entry *x, int is_write)
{
	entry *last = l->count ? &l->entries[l->count - 1] : NULL;

	if (last && is_alike(last, x) &&
	    (is_write || (last->access.epoch == x->access.epoch && last->first == x->first))) {
		*last = *x;
		return;
	}
	if (l->count == l->room) {
		if (is_write)
			compact_writes(l);
		else
			compact_reads(r, rec, l);
		make_room(r, l);
	}
	if (l->entries && l->count < l->room)
		l->entries[l->count++] = *x;
}

/* A weak read takes the place of one that its thread knows of. */
static void keep_read(weir_race *r, const record *rec, list *l, const entry *x)
{
	for (uint32_t i = 0; !x->strength && i < l->count && i < SCANNED; i++) {
		entry *other = &l->entries[i];
		if (is_exact(&other->access, &x->access) && !other->strength &&
		    knows_all(r, x->access.thread, &other->access)) {
			*other = *x;
			return;
		}
	}
	if (l->count == l->room && l->count > SCANNED)
		compact_reads(r, rec, l);
	append(r, l, x);
}

/* What a weak write covers, and what is ordered before it, need not be kept. */
static void drop_covered(const weir_race *r, const record *rec, list *l, const plain *by,
                         int is_write)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < l->count; i++) {
		const entry *x = &l->entries[i];
		int is_covered = x->access.offset >= by->offset &&
		                 x->access.offset + x->access.size <= by->offset + by->size;
		if (!is_covered ||
		    !(knows_all(r, by->thread, &x->access) ||
		      (x->strength && has_observed(r, by->thread, rec, x, is_write))))
			l->entries[kept++] = *x;
	}
	l->count = kept;
}

/* ---- what is kept in place ---- */

static inline int knows(const weir_race *r, const weir_race_clock *known, uint32_t t, uint32_t u,
                        uint32_t epoch)
{
	uint32_t first;

	if (u == t)
		return 1;
	if (!known)
		return 0;
	/* Most are of the same block. */
	first = r->threads[t].first;
	if (u - first < r->grid.threads &&
	    weir_race_clock_base(known, r->threads[t].block) >= epoch)
		return 1;
	return weir_race_clock_knows(&r->pool, known, u, epoch);
}

static inline int knows_read(const weir_race *r, uint32_t t, const cell *at)
{
	const weir_race_clock *known = r->threads[t].view.known;
	uint32_t first = r->threads[t].first;
	uint32_t from = at->read.thread, to = from + (uint32_t)at->span * at->stride;
	plain x;

	if (at->more && !knows(r, known, t, at->more - 1, at->read.epoch))
		return 0;
	if (!at->span)
		return knows(r, known, t, from, at->read.epoch);
	if (from - first < r->grid.threads && to - first < r->grid.threads && known &&
	    weir_race_clock_base(known, r->threads[t].block) >= at->read.epoch)
		return 1;
	x = unpacked(at, 0);
	return knows_all(r, t, &x);
}

/* Whether the read, which is like `own`, is one of those in place, or is now: of neighbours that run in turn. */
static inline int extend(cell *at, const kept *own)
{
	uint32_t distance = own->thread - at->read.thread;
	uint32_t stride = at->span ? at->stride : distance;

	if (own->epoch != at->read.epoch || own->what != at->read.what)
		return 0;
	if (!distance || (at->more && own->thread == at->more - 1))
		return 1;
	if (own->thread < at->read.thread && !at->span && !at->more) {
		at->more = at->read.thread + 1;
		at->read.thread = own->thread;
		return 1;
	}
	if (own->thread < at->read.thread || stride > UINT16_MAX)
		return 0;
	if (distance != (at->span + 1u) * stride)
		return distance <= at->span * stride && distance % stride == 0;
	if (at->span == UINT16_MAX)
		return 0;
	at->stride = (uint16_t)stride;
	at->span++;
	return 1;
}

/* Keeps a weak access in place, if that can be. */
static inline int keep_in_cell(const weir_race *r, cell *at, const kept *own, int writes)
{
	const weir_race_clock *known = r->threads[own->thread].view.known;

	if (writes) {
		if (at->write.what &&
		    (shape_in(at->write.what) != shape_in(own->what) ||
		     !knows(r, known, own->thread, at->write.thread, at->write.epoch)))
			return 0;
		if (at->read.what && (shape_in(at->read.what) != shape_in(own->what) ||
		                      !knows_read(r, own->thread, at)))
			return 0;
		at->write = *own;
		at->read.what = 0;
		at->span = 0;
		at->more = 0;
		return 1;
	}
	if (at->read.what) {
		if (extend(at, own))
			return 1;
		if (shape_in(at->read.what) != shape_in(own->what) ||
		    !knows_read(r, own->thread, at))
			return 0;
	}
	at->read = *own;
	at->span = 0;
	at->more = 0;
	return 1;
}

static int keep_plain(const weir_race *r, cell *at, const plain *own, int writes)
{
	kept k = {own->thread, own->epoch,
	          own->site << SHAPE_BITS | shape_of(own->offset, own->size)};

	return !(at->more & RECORD) && own->site < SITES && keep_in_cell(r, at, &k, writes);
}

/* Whether a read is behind the write in place. Of a write, keep_in_cell looks at more. */
static inline int is_behind(const weir_race *r, const cell *at, uint32_t t)
{
	return !at->write.what ||
	       knows(r, r->threads[t].view.known, t, at->write.thread, at->write.epoch);
}

int weir_race_plain(void *race, uint32_t t, uint32_t site, uint64_t space, uint64_t address,
                    uint32_t size, int writes)
{
	weir_race *r = race;
	uint64_t word = address / 4;
	cell *at = cell_at(r, space, word);
	kept own = {t, r->threads[t].epoch, 0};

	if (!at || at->more & RECORD || site >= SITES || size > 4 ||
	    (!writes && !is_behind(r, at, t)))
		return 0;
	own.what = site << SHAPE_BITS | shape_of((int)(address % 4), size);
	return keep_in_cell(r, at, &own, writes);
}

int weir_race_plain_write(weir_race *r, uint64_t space, uint64_t address, uint32_t size,
                          uint32_t *thread, uint32_t *site)
{
	const cell *at = cell_at(r, space, address / 4);

	if (!at || at->more & RECORD ||
	    shape_in(at->write.what) != shape_of((int)(address % 4), size))
		return 0;
	*thread = at->write.thread;
	*site = at->write.what >> SHAPE_BITS;
	return 1;
}

static void clear_passed(weir_race *r, record *rec)
{
	for (uint32_t i = 0; i < rec->newest.passed_count; i++)
		weir_race_view_drop(&r->pool, &rec->newest.passed[i].view);
	rec->newest.passed_count = 0;
}

/* ---- the history of a word ---- */

static void drop_latest(weir_race *r, latest *l)
{
	for (uint32_t i = 0; i < l->passed_count; i++)
		weir_race_view_drop(&r->pool, &l->passed[i].view);
	r->used -= l->passed_room * sizeof(passed);
	free(l->passed);
	weir_race_set_drop(&r->pool, l->fenced_writes);
	memset(l, 0, sizeof *l);
}

static latest copy_latest(weir_race *r, const latest *from)
{
	latest to = *from;

	to.passed_room = to.passed_count;
	to.passed = to.passed_room ? malloc(to.passed_room * sizeof *to.passed) : NULL;
	if (to.passed_room && !to.passed) {
		r->pool.failed = 1;
		to.passed_room = to.passed_count = 0;
	}
	for (uint32_t i = 0; i < to.passed_count; i++) {
		to.passed[i].key = from->passed[i].key;
		to.passed[i].view = weir_race_view_keep(&from->passed[i].view);
	}
	to.fenced_writes = weir_race_set_keep(from->fenced_writes);
	r->used += to.passed_room * sizeof(passed);
	return to;
}

/* The oldest ones. */
static void forget_messages(weir_race *r, record *rec, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		message *m = &rec->messages[i];
		drop_latest(r, &m->made);
		weir_race_set_join(&r->pool, &rec->fenced_reads, m->fenced_reads);
		weir_race_set_drop(&r->pool, m->fenced_reads);
		r->used -= m->reader_room * sizeof(reader);
		free(m->readers);
	}
	rec->message_count -= count;
	if (rec->message_count)
		memmove(rec->messages, rec->messages + count,
		        rec->message_count * sizeof *rec->messages);
}

static int sees(const weir_race *r, uint32_t t, uint32_t u, uint32_t epoch)
{
	const weir_race_view *view = &r->threads[t].view;

	return t == u || weir_race_clock_knows(&r->pool, view->known, u, epoch) ||
	       weir_race_clock_knows(&r->pool, view->seen, u, epoch);
}

/* Whether the thread may not read anything older. */
static int is_floor(const weir_race *r, uint32_t t, const message *m)
{
	if (sees(r, t, m->made.last.thread, m->made.last.epoch))
		return 1;
	for (uint32_t i = 0; i < m->reader_count; i++)
		if (sees(r, t, m->readers[i].thread, m->readers[i].epoch))
			return 1;
	return 0;
}

static uint32_t floor_of(const weir_race *r, uint32_t t, const record *rec)
{
	uint32_t at = rec->message_count - 1;

	while (at > 0 && !is_floor(r, t, &rec->messages[at]))
		at--;
	return at;
}

static message *insert_message(weir_race *r, record *rec, uint32_t at, uint64_t number,
                               uint64_t value)
{
	message *m;

	if (rec->message_count == rec->message_room) {
		message *grown = grow(r, rec->messages, &rec->message_room, sizeof *grown);
		if (!grown)
			return NULL;
		rec->messages = grown;
	}
	m = &rec->messages[at];
	memmove(m + 1, m, (rec->message_count - at) * sizeof *m);
	rec->message_count++;
	memset(m, 0, sizeof *m);
	m->value = value;
	m->number = number;
	m->made = copy_latest(r, &rec->newest);
	return m;
}

static void add_reader(weir_race *r, message *m, uint32_t thread)
{
	uint32_t epoch = r->threads[thread].epoch;

	for (uint32_t i = 0; i < m->reader_count; i++)
		if (m->readers[i].thread == thread)
			return; /* a thread that knows of a later read knows of this read */
	if (m->reader_count == m->reader_room) {
		reader *grown = grow(r, m->readers, &m->reader_room, sizeof *grown);
		if (!grown)
			return;
		m->readers = grown;
	}
	m->readers[m->reader_count++] = (reader){thread, epoch};
}

static int has_history(const weir_race *r, const weir_race_access *a)
{
	return r->grid.history && a->size <= 8;
}

/* A history begins with the value before the first strong access, which all threads know: else there is a race. */
static void need_messages(weir_race *r, const weir_race_access *a, record *rec)
{
	const plain *last = &rec->newest.last;

	if (rec->message_count &&
	    (rec->messages[rec->message_count - 1].value != a->old ||
	     (last->size && rec->newest.strength &&
	      (last->size != a->size || last->offset != (int8_t)(a->address % 4)))))
		forget_messages(r, rec, rec->message_count);
	if (!rec->message_count)
		insert_message(r, rec, 0, FIRST, a->old);
}

static uint32_t message_at(const record *rec, uint64_t number)
{
	for (uint32_t i = 0; number && i < rec->message_count; i++)
		if (rec->messages[i].number == number)
			return i;
	return rec->message_count - 1;
}

static void keep_to_bound(weir_race *r, record *rec)
{
	uint32_t threads = r->grid.blocks * r->grid.threads, forgotten = 1;

	if (rec->message_count <= r->grid.history)
		return;
	for (uint32_t t = 0; t < threads && !r->has_forgotten; t++)
		r->has_forgotten |= floor_of(r, t, rec) < forgotten;
	forget_messages(r, rec, forgotten);
}

static void keep_access(weir_race *r, const checked *c, cell *at, int writes)
{
	entry x = {.access = c->own, .strength = (uint8_t)c->strength};
	record *rec;

	if (!c->strength && keep_plain(r, at, &c->own, writes))
		return;
	rec = promote(r, at);
	if (!rec)
		return;
	if (writes && !c->strength) {
		drop_covered(r, rec, &rec->writes, &c->own, 1);
		drop_covered(r, rec, &rec->wide_writes, &c->own, 1);
		drop_covered(r, rec, &rec->reads, &c->own, 0);
		drop_covered(r, rec, &rec->wide_reads, &c->own, 0);
		clear_passed(r, rec);
		forget_messages(r, rec, rec->message_count);
		rec->newest.last = c->own;
		rec->newest.strength = 0;
	}
	x.write = rec->newest.write;
	x.first = c->is_linked ? rec->newest.first : rec->newest.write + 1;
	x.own = writes ? 0 : c->number;
	if (is_wide(r, c->strength)) {
		rec->is_mixed |= (uint8_t)!is_shape(rec, &c->own);
		keep_wide(r, rec, writes ? &rec->wide_writes : &rec->wide_reads, &x, writes);
	} else if (writes) {
		append(r, &rec->writes, &x);
	} else {
		keep_read(r, rec, &rec->reads, &x);
	}
}

/* ---- release and acquire ---- */

static passed *passed_for(weir_race *r, record *rec, uint32_t key)
{
	passed *p;

	for (uint32_t i = 0; i < rec->newest.passed_count; i++)
		if (rec->newest.passed[i].key == key)
			return &rec->newest.passed[i];
	if (rec->newest.passed_count == rec->newest.passed_room) {
		passed *grown =
		    grow(r, rec->newest.passed, &rec->newest.passed_room, sizeof *grown);
		if (!grown)
			return NULL;
		rec->newest.passed = grown;
	}
	p = &rec->newest.passed[rec->newest.passed_count++];
	memset(p, 0, sizeof *p);
	p->key = key;
	return p;
}

static const weir_race_view *view_for(const record *rec, uint32_t key)
{
	static const weir_race_view nothing = {.known = NULL};

	for (uint32_t i = 0; i < rec->newest.passed_count; i++)
		if (rec->newest.passed[i].key == key)
			return &rec->newest.passed[i].view;
	return &nothing;
}

static void pass_on(weir_race *r, record *rec, uint32_t t, uint32_t level,
                    const weir_race_view *view)
{
	passed *p = view->known ? passed_for(r, rec, KEY(level, group_of(r, t, level))) : NULL;

	if (p)
		weir_race_view_join(&r->pool, &p->view, view);
}

static void clear_recent(weir_race *r, recent *word)
{
	for (uint32_t level = 0; level < LEVELS; level++) {
		weir_race_view_drop(&r->pool, &word->released[level]);
		weir_race_view_drop(&r->pool, &word->found[level]);
	}
}

/* The patterns of the thread at a word, or NULL. */
static recent *recent_at(const patterns *p, uint64_t space, uint64_t address)
{
	for (uint32_t i = 0; p && i < RECENT && p->recent[i]; i++)
		if (p->recent[i]->address == address && p->recent[i]->space == space)
			return p->recent[i];
	return NULL;
}

/* The same, made if there are none. Those that were made first make room. */
static recent *need_recent(weir_race *r, uint32_t thread, uint64_t space, uint64_t address)
{
	patterns *p = patterns_of(r, thread);
	recent *word = recent_at(p, space, address);
	recent **slot;

	if (word || !p)
		return word;
	slot = &p->recent[p->next++ % RECENT];
	if (*slot) {
		clear_recent(r, *slot);
	} else {
		*slot = calloc(1, sizeof **slot);
		if (!*slot) {
			r->pool.failed = 1;
			return NULL;
		}
		r->used += sizeof **slot;
	}
	(*slot)->space = space;
	(*slot)->address = address;
	return *slot;
}

/* A view of all that the thread has done, and a new epoch for what follows. */
static weir_race_view begin_release(weir_race *r, uint32_t t)
{
	thread *self = &r->threads[t];
	weir_race_view view = weir_race_view_keep(&self->view);

	weir_race_clock_add(&r->pool, &view.known, t, self->epoch);
	self->epoch++;
	return view;
}

static void set_view(weir_race *r, weir_race_view *to, const weir_race_view *from)
{
	weir_race_view kept = weir_race_view_keep(from);

	weir_race_view_drop(&r->pool, to);
	*to = kept;
}

static int acquires(weir_race_order order)
{
	return order == WEIR_RACE_ACQUIRE || order >= WEIR_RACE_ACQ_REL;
}

static int releases(weir_race_order order)
{
	return order >= WEIR_RACE_RELEASE;
}

static void find_views(weir_race *r, const weir_race_access *a, const record *rec)
{
	recent *word =
	    rec->newest.passed_count ? need_recent(r, a->thread, a->space, a->address) : NULL;

	for (uint32_t level = 0; word && level < r->levels; level++) {
		const weir_race_view *view =
		    view_for(rec, KEY(level, group_of(r, a->thread, level)));
		weir_race_view_join(&r->pool, &word->found[level], view);
		weir_race_view_join(&r->pool, &r->threads[a->thread].patterns->found[level], view);
	}
}

static void read_strongly(weir_race *r, const weir_race_access *a, const record *rec, int is_linked)
{
	thread *self = &r->threads[a->thread];
	recent *word;

	if (!a->is_silent && is_linked)
		find_views(r, a, rec);
	if (!a->is_silent && acquires(a->order)) {
		word = recent_at(self->patterns, a->space, a->address);
		for (uint32_t level = 0; word && level <= r->level_of[a->scope]; level++)
			weir_race_view_join(&r->pool, &self->view, &word->found[level]);
	}
	weir_race_set_join(&r->pool, &self->view.pending, rec->newest.fenced_writes);
}

/* The fences before the reads that a write behind message `at` overwrites. */
static weir_race_set *reads_before(weir_race *r, const record *rec, uint32_t at)
{
	weir_race_set *reads = weir_race_set_keep(rec->fenced_reads);

	for (uint32_t i = 0; i <= at && i < rec->message_count; i++)
		weir_race_set_join(&r->pool, &reads, rec->messages[i].fenced_reads);
	return reads;
}

static void write_strongly(weir_race *r, const weir_race_access *a, record *rec, uint32_t at,
                           int is_linked)
{
	thread *self = &r->threads[a->thread];
	weir_race_set *reads = reads_before(r, rec, at);
	patterns *p;
	recent *word;

	weir_race_set_join(&r->pool, &self->view.pending, rec->newest.fenced_writes);
	weir_race_set_join(&r->pool, &self->view.pending, reads);
	weir_race_set_join(&r->pool, &rec->newest.fenced_writes, reads);
	weir_race_set_join(&r->pool, &rec->newest.fenced_writes, self->view.fenced);
	weir_race_set_drop(&r->pool, reads);
	if (!is_linked)
		clear_passed(r, rec);
	if (releases(a->order)) {
		weir_race_view view = begin_release(r, a->thread);
		word = need_recent(r, a->thread, a->space, a->address);
		for (uint32_t level = 0; word && level <= r->level_of[a->scope]; level++)
			set_view(r, &word->released[level], &view);
		weir_race_view_drop(&r->pool, &view);
	}
	p = self->patterns;
	word = recent_at(p, a->space, a->address);
	for (uint32_t level = 0; p && level < r->levels; level++) {
		pass_on(r, rec, a->thread, level, &p->fenced[level]);
		if (word)
			pass_on(r, rec, a->thread, level, &word->released[level]);
	}
}

/* ---- events ---- */

static checked check_of(const weir_race *r, const weir_race_access *a, uint64_t word)
{
	checked c = {.access = a, .word = word, .strength = strength_of(a)};

	c.own.thread = a->thread;
	c.own.epoch = r->threads[a->thread].epoch;
	c.own.site = a->site;
	c.own.offset = (int8_t)((int64_t)a->address - (int64_t)(word * 4));
	c.own.size = (uint8_t)a->size;
	return c;
}

/* Handles the read of a strong access before the check, so that everything it acquires is ordered
 * before it. */
static int read_first(weir_race *r, const weir_race_access *a, record *rec)
{
	checked c = check_of(r, a, a->address / 4);
	int is_linked =
	    rec->newest.last.size && is_exact(&rec->newest.last, &c.own) &&
	    is_mutual(r, rec->newest.last.thread, rec->newest.strength, a->thread, c.strength);

	if (!a->reads)
		return 0;
	read_strongly(r, a, rec, is_linked);
	return is_linked;
}

static void write_last(weir_race *r, const weir_race_access *a, record *rec, uint32_t at,
                       int is_linked)
{
	checked c = check_of(r, a, a->address / 4);

	write_strongly(r, a, rec, at, is_linked);
	rec->newest.write++;
	if (!is_linked)
		rec->newest.first = rec->newest.write;
	rec->newest.last = c.own;
	rec->newest.strength = (uint8_t)c.strength;
}

static void do_word(weir_race *r, const weir_race_access *a, uint64_t word, int writes,
                    int is_linked, uint32_t number)
{
	checked c = check_of(r, a, word);
	cell *at = cell_at(r, a->space, word);

	if (!at)
		return;
	c.is_linked = is_linked;
	c.number = number;
	check_word(r, &c, at, writes);
	keep_access(r, &c, at, writes);
}

/* An access to an older write than the newest: as if that one were the newest. Fences of the thread come before those
 * behind the writes that it does not see. */
static void go_back(weir_race *r, const weir_race_access *a, record *rec, uint32_t at,
                    latest *newest)
{
	const weir_race_set *fenced = r->threads[a->thread].view.fenced;

	for (uint32_t i = at + 1; fenced && i < rec->message_count; i++) {
		const plain *last = &rec->messages[i].made.last;
		weir_race_view *view = &r->threads[last->thread].view;
		weir_race_set_join(&r->pool, &view->pending, fenced);
		weir_race_set_join(&r->pool, &rec->messages[i].made.fenced_writes, fenced);
		for (uint32_t level = 0; level < r->levels; level++) {
			uint32_t key = KEY(level, group_of(r, last->thread, level));
			if (weir_race_clock_knows(&r->pool, weir_race_set_at(view->fenced, key),
			                          last->thread, last->epoch))
				weir_race_clock_join(&r->pool, &view->known,
				                     weir_race_set_at(fenced, key));
		}
	}
	*newest = rec->newest;
	weir_race_set_join(&r->pool, &newest->fenced_writes, fenced);
	rec->newest = copy_latest(r, &rec->messages[at].made);
}

static void shift(uint32_t *number, uint32_t from)
{
	*number += *number >= from;
}

/* Frees a number for a write behind message `at`: those of the later writes go up by one. */
static void free_number(record *rec, uint32_t at, latest *newest)
{
	list *lists[] = {&rec->writes, &rec->reads, &rec->wide_writes, &rec->wide_reads};
	uint32_t from = rec->messages[at].made.write + 1;

	for (uint32_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
		for (uint32_t j = 0; j < lists[i]->count; j++) {
			entry *x = &lists[i]->entries[j];
			shift(&x->write, from);
			shift(&x->first, from);
			shift(&x->own, from);
		}
	for (uint32_t i = at + 1; i < rec->message_count; i++) {
		shift(&rec->messages[i].made.write, from);
		shift(&rec->messages[i].made.first, from);
	}
	shift(&newest->write, from);
	shift(&newest->first, from);
}

static void keep_message(weir_race *r, const weir_race_access *a, record *rec, uint32_t behind)
{
	int is_taken = rec->messages[behind].is_taken;

	insert_message(r, rec, behind + 1, a->number, a->value);
	rec->messages[behind].is_taken = (uint8_t)(a->reads || is_taken);
	keep_to_bound(r, rec);
}

int weir_race_do(weir_race *r, const weir_race_access *a)
{
	uint64_t first = a->address / 4;
	uint64_t last = (a->address + a->size - 1) / 4;
	record *rec = NULL;
	latest newest;
	uint32_t at_message = 0;
	int is_linked = 0, is_stale = 0;

	if (a->order != WEIR_RACE_WEAK) {
		cell *at = cell_at(r, a->space, first);
		rec = at ? promote(r, at) : NULL;
		if (!rec)
			return -1;
		if (has_history(r, a)) {
			need_messages(r, a, rec);
			at_message = message_at(rec, a->message);
			if (r->pool.failed)
				return -1;
			is_stale = at_message + 1 < rec->message_count;
			if (is_stale)
				go_back(r, a, rec, at_message, &newest);
			if (is_stale && a->writes)
				free_number(rec, at_message, &newest);
		}
		is_linked = read_first(r, a, rec);
	}
	for (uint64_t word = first; a->reads && word <= last; word++)
		do_word(r, a, word, 0, is_linked, rec && a->writes ? rec->newest.write + 1 : 0);
	if (rec && rec->messages && a->reads && has_history(r, a))
		add_reader(r, &rec->messages[at_message], a->thread);
	if (rec && a->reads)
		weir_race_set_join(&r->pool,
		                   rec->messages && has_history(r, a)
		                       ? &rec->messages[at_message].fenced_reads
		                       : &rec->fenced_reads,
		                   r->threads[a->thread].view.fenced);
	if (rec && a->writes) {
		/* The write's own release covers it, but the epoch of its entry is that of the release. */
		uint32_t epoch = r->threads[a->thread].epoch;
		uint32_t after;
		write_last(r, a, rec, at_message, is_linked);
		after = r->threads[a->thread].epoch;
		r->threads[a->thread].epoch = epoch;
		for (uint64_t word = first; word <= last; word++)
			do_word(r, a, word, 1, 0, 0);
		r->threads[a->thread].epoch = after;
		if (has_history(r, a))
			keep_message(r, a, rec, at_message);
	} else {
		for (uint64_t word = first; a->writes && word <= last; word++)
			do_word(r, a, word, 1, 0, 0);
	}
	if (is_stale) {
		drop_latest(r, &rec->newest);
		rec->newest = newest;
	}
	return r->pool.failed ? -1 : 0;
}

static int would_write(const weir_race_access *a, uint64_t value)
{
	return a->writes && (!a->is_compared || value == a->compare);
}

uint32_t weir_race_choices(weir_race *r, const weir_race_access *a, weir_race_choice *list,
                           uint32_t room)
{
	cell *at;
	record *rec;
	uint32_t count = 0, floor;

	list[0] = (weir_race_choice){0, a->old};
	if (!has_history(r, a) || a->order == WEIR_RACE_WEAK)
		return 1;
	at = cell_at(r, a->space, a->address / 4);
	rec = at ? promote(r, at) : NULL;
	if (!rec)
		return 1;
	need_messages(r, a, rec);
	if (r->pool.failed)
		return 1;
	floor = floor_of(r, a->thread, rec);
	for (uint32_t i = rec->message_count; i > floor && count < room; i--) {
		const message *m = &rec->messages[i - 1];
		if (i < rec->message_count && would_write(a, m->value) &&
		    (!r->grid.inserts || m->is_taken))
			continue;
		list[count++] = (weir_race_choice){m->number, m->value};
	}
	return count;
}

int weir_race_has_forgotten(const weir_race *r)
{
	return r->has_forgotten;
}

static void fence_sc(weir_race *r, uint32_t t, uint32_t level)
{
	thread *self = &r->threads[t];
	uint32_t least = r->grid.narrow_fences ? 0 : level;
	weir_race_clock *before;

	for (uint32_t i = least; i <= level; i++)
		weir_race_clock_join(
		    &r->pool, &self->view.known,
		    weir_race_set_at(self->view.pending, KEY(i, group_of(r, t, i))));
	before = weir_race_clock_keep(self->view.known);
	weir_race_clock_add(&r->pool, &before, t, self->epoch);
	for (uint32_t i = least; r->grid.history && i <= level; i++)
		weir_race_clock_join(&r->pool, &self->view.seen,
		                     weir_race_set_at(r->fences, KEY(i, group_of(r, t, i))));
	if (r->grid.history) {
		weir_race_clock *all = weir_race_clock_keep(before);
		weir_race_clock_join(&r->pool, &all, self->view.seen);
		for (uint32_t i = least; i <= level; i++)
			weir_race_set_add(&r->pool, &r->fences, KEY(i, group_of(r, t, i)), all);
		weir_race_clock_drop(&r->pool, all);
	}
	for (uint32_t i = least; i <= level; i++)
		weir_race_set_add(&r->pool, &self->view.fenced, KEY(i, group_of(r, t, i)), before);
	weir_race_clock_drop(&r->pool, before);
}

int weir_race_fence(weir_race *r, uint32_t t, weir_race_order order, weir_race_scope scope)
{
	patterns *p = patterns_of(r, t);
	uint32_t level = r->level_of[scope];
	weir_race_view view;

	if (!p)
		return -1;
	if (acquires(order))
		for (uint32_t i = 0; i <= level; i++)
			weir_race_view_join(&r->pool, &r->threads[t].view, &p->found[i]);
	if (order == WEIR_RACE_SC)
		fence_sc(r, t, level);
	if (releases(order)) {
		view = begin_release(r, t);
		for (uint32_t i = 0; i <= level; i++)
			set_view(r, &p->fenced[i], &view);
		weir_race_view_drop(&r->pool, &view);
	}
	return r->pool.failed ? -1 : 0;
}

int weir_race_fence_proxy(weir_race *r, uint32_t t, int global, int shared)
{
	weir_race_view view = begin_release(r, t);

	for (int i = 0; i < 2; i++)
		if (i ? shared : global)
			weir_race_clock_join(&r->pool, &r->threads[t].view.proxied[i], view.known);
	weir_race_view_drop(&r->pool, &view);
	return r->pool.failed ? -1 : 0;
}

static void end_barrier(weir_race *r, barrier *b, uint32_t block, int is_whole)
{
	if (is_whole)
		weir_race_clock_fold(&r->pool, &b->view.known, block, b->newest);
	for (uint32_t i = 0; i < b->waiting_count; i++) {
		thread *t = &r->threads[b->waiting[i]];
		if (is_whole) {
			set_view(r, &t->view, &b->view);
			t->epoch = b->newest + 1;
		} else {
			weir_race_view_join(&r->pool, &t->view, &b->view);
		}
	}
	weir_race_view_drop(&r->pool, &b->view);
	b->arrived = 0;
	b->waiting_count = 0;
	b->newest = 0;
}

int weir_race_barrier(weir_race *r, uint32_t t, uint32_t number, uint32_t count, int waits)
{
	uint32_t block = block_of(r, t);
	barrier *b = &r->barriers[block * BARRIERS + number % BARRIERS];
	thread *self = &r->threads[t];
	uint32_t expected = count ? count : r->grid.threads;

	if (expected < r->grid.threads || !waits) {
		weir_race_view view = begin_release(r, t);
		weir_race_view_join(&r->pool, &b->view, &view);
		weir_race_view_drop(&r->pool, &view);
	} else {
		weir_race_view_join(&r->pool, &b->view, &self->view);
		b->newest = self->epoch > b->newest ? self->epoch : b->newest;
	}
	b->arrived++;
	if (waits) {
		if (b->waiting_count == b->waiting_room) {
			uint32_t *grown = grow(r, b->waiting, &b->waiting_room, sizeof *grown);
			if (!grown)
				return -1;
			b->waiting = grown;
		}
		b->waiting[b->waiting_count++] = t;
	}
	if (b->arrived == expected) {
		int is_whole = b->waiting_count == r->grid.threads;
		/* Those that wait among others that only arrive have not been added one by one. */
		for (uint32_t i = 0;
		     !is_whole && expected == r->grid.threads && i < b->waiting_count; i++) {
			weir_race_view view = begin_release(r, b->waiting[i]);
			weir_race_view_join(&r->pool, &b->view, &view);
			weir_race_view_drop(&r->pool, &view);
		}
		end_barrier(r, b, block, is_whole);
	}
	return r->pool.failed ? -1 : 0;
}

int weir_race_meet(weir_race *r, const uint32_t *threads, uint32_t count)
{
	weir_race_view all = {.known = NULL};

	for (uint32_t i = 0; i < count; i++) {
		weir_race_view view = begin_release(r, threads[i]);
		weir_race_view_join(&r->pool, &all, &view);
		weir_race_view_drop(&r->pool, &view);
	}
	for (uint32_t i = 0; i < count; i++)
		set_view(r, &r->threads[threads[i]].view, &all);
	weir_race_view_drop(&r->pool, &all);
	return r->pool.failed ? -1 : 0;
}

/* ---- tokens, and trials ---- */

struct weir_race_token {
	weir_race_view view;
};

static weir_race_token *need_token(weir_race *r, weir_race_token **token)
{
	if (!*token) {
		*token = calloc(1, sizeof **token);
		if (*token)
			r->used += sizeof **token;
		else
			r->pool.failed = 1;
	}
	return *token;
}

int weir_race_give(weir_race *r, uint32_t t, weir_race_token **to)
{
	weir_race_view view;

	if (!need_token(r, to))
		return -1;
	view = begin_release(r, t);
	weir_race_view_join(&r->pool, &(*to)->view, &view);
	weir_race_view_drop(&r->pool, &view);
	return r->pool.failed ? -1 : 0;
}

int weir_race_take(weir_race *r, uint32_t t, const weir_race_token *from)
{
	if (from)
		weir_race_view_join(&r->pool, &r->threads[t].view, &from->view);
	return r->pool.failed ? -1 : 0;
}

int weir_race_pass(weir_race *r, weir_race_token **to, const weir_race_token *from)
{
	if (from && need_token(r, to))
		weir_race_view_join(&r->pool, &(*to)->view, &from->view);
	return r->pool.failed ? -1 : 0;
}

void weir_race_drop(weir_race *r, weir_race_token *token)
{
	if (!token)
		return;
	weir_race_view_drop(&r->pool, &token->view);
	r->used -= sizeof *token;
	free(token);
}

int weir_race_ask_block(weir_race *r, uint32_t t)
{
	uint32_t first = block_of(r, t) * r->grid.threads;
	uint32_t newest = 0;
	weir_race_view *own = &r->threads[t].view;

	for (uint32_t u = first; u < first + r->grid.threads; u++) {
		const weir_race_view *view = &r->threads[u].view;
		newest = r->threads[u].epoch > newest ? r->threads[u].epoch : newest;
		if (view->known != own->known || view->fenced != own->fenced ||
		    view->pending != own->pending)
			weir_race_view_join(&r->pool, own, view);
	}
	weir_race_clock_fold(&r->pool, &own->known, block_of(r, t), newest);
	for (uint32_t u = first; u < first + r->grid.threads; u++)
		r->threads[u].epoch = newest + 1;
	return r->pool.failed ? -1 : 0;
}

int weir_race_tell_block(weir_race *r, uint32_t t)
{
	uint32_t first = block_of(r, t) * r->grid.threads;
	weir_race_view view = weir_race_view_keep(&r->threads[t].view);

	for (uint32_t u = first; u < first + r->grid.threads; u++)
		if (u != t)
			weir_race_view_join(&r->pool, &r->threads[u].view, &view);
	weir_race_view_drop(&r->pool, &view);
	return r->pool.failed ? -1 : 0;
}

/* ---- the whole ---- */

weir_race *weir_race_create(const weir_race_grid *grid, weir_race_found *found, void *context)
{
	weir_race *r = calloc(1, sizeof *r);
	uint32_t count = grid->blocks * grid->threads;

	if (!r)
		return NULL;
	r->grid = *grid;
	r->found = found;
	r->context = context;
	r->pool.blocks = grid->blocks;
	r->pool.threads = grid->threads;
	r->page_room = 64;
	r->threads = calloc(count, sizeof r->threads[0]);
	r->barriers = calloc((size_t)grid->blocks * BARRIERS, sizeof r->barriers[0]);
	r->pages = calloc(r->page_room, sizeof r->pages[0]);
	r->used = sizeof *r + count * sizeof r->threads[0] +
	          (size_t)grid->blocks * BARRIERS * sizeof r->barriers[0] +
	          r->page_room * sizeof r->pages[0];
	if (!r->threads || !r->barriers || !r->pages) {
		weir_race_destroy(r);
		return NULL;
	}
	for (uint32_t t = 0; t < count; t++) {
		r->threads[t].epoch = 1;
		r->threads[t].block = block_of(r, t);
		r->threads[t].first = r->threads[t].block * grid->threads;
	}
	find_levels(r);
	return r;
}

static void drop_record(weir_race *r, record *rec)
{
	forget_messages(r, rec, rec->message_count);
	free(rec->messages);
	drop_latest(r, &rec->newest);
	free(rec->writes.entries);
	free(rec->reads.entries);
	free(rec->wide_writes.entries);
	free(rec->wide_reads.entries);
	weir_race_set_drop(&r->pool, rec->fenced_reads);
	free(rec);
}

static void drop_patterns(weir_race *r, patterns *p)
{
	for (uint32_t level = 0; level < LEVELS; level++) {
		weir_race_view_drop(&r->pool, &p->fenced[level]);
		weir_race_view_drop(&r->pool, &p->found[level]);
	}
	for (uint32_t i = 0; i < RECENT && p->recent[i]; i++) {
		clear_recent(r, p->recent[i]);
		free(p->recent[i]);
	}
	free(p);
}

void weir_race_destroy(weir_race *r)
{
	if (!r)
		return;
	for (uint32_t i = 0; r->pages && i < r->page_room; i++)
		for (page *p = r->pages[i], *next; p; p = next) {
			next = p->next;
			free(p);
		}
	for (uint32_t i = 0; i < r->record_count; i++)
		drop_record(r, r->records[i]);
	free(r->records);
	for (uint32_t t = 0; r->threads && t < r->grid.blocks * r->grid.threads; t++) {
		weir_race_view_drop(&r->pool, &r->threads[t].view);
		if (r->threads[t].patterns)
			drop_patterns(r, r->threads[t].patterns);
	}
	for (uint32_t i = 0; r->barriers && i < r->grid.blocks * BARRIERS; i++) {
		weir_race_view_drop(&r->pool, &r->barriers[i].view);
		free(r->barriers[i].waiting);
	}
	weir_race_set_drop(&r->pool, r->fences);
	free(r->pages);
	free(r->threads);
	free(r->barriers);
	free(r);
}

size_t weir_race_bytes(const weir_race *r)
{
	return (size_t)r->used + r->pool.bytes;
}
