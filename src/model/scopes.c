/* Data races on words, and what PTX adds to the memory: scopes everywhere, its patterns of releases
 * and acquires, and fence.sc.
 *
 * A release pattern begins with its head: a release or a fence. The later writes of the thread, to
 * the same word or to any, pass the head on, and so do read-modify-writes of others. A thread
 * acquires from the heads that it has read, from each one only if the scopes of the head and of the
 * acquire include the other thread. So a message has a list of heads instead of one view.
 *
 * The order of fence.sc is not chosen. One fence must precede another if causality orders them that
 * way. It must also do so if an access A after the first fence was performed before an access B
 * that precedes the second: B reads from A or overwrites it, or A did not yet see B. An execution
 * is allowed exactly if these demands have no cycle, since then some order satisfies them all. A
 * fence acquires from every fence that must precede it. A demand may turn up after both fences were
 * executed: a stale read after a fence puts that fence before another one that some thread has
 * already passed.
 */
#include "model/scopes.h"

#include <stdlib.h>
#include <string.h>

#include "model/memory.h"

#define SCOPES 4 /* scopes that are not plain */
#define FENCES 256
#define BARRIERS 16

/* The newest head of each thread at each scope, by its number; 0: none. A newer head covers an
 * older one of the same scope. */
typedef struct heads {
	uint16_t number[WEIR_MODEL_AGENTS][SCOPES];
} heads;

typedef struct fence {
	uint8_t thread;
	uint8_t scope;
	uint32_t clock;
	weir_model_view view;
	uint16_t after[WEIR_MODEL_AGENTS]; /* how many fences of each thread must precede it */
} fence;

typedef struct barrier {
	uint32_t arrived;
	uint64_t waiting; /* threads, as bits */
	weir_model_view view;
	weir_model_cause cause;
} barrier;

struct weir_model_ptx {
	uint16_t head_count;
	uint16_t fence_count;
	int has_late; /* a demand on fences that had already been executed */
	uint16_t fences_of[WEIR_MODEL_AGENTS];
	uint16_t fence_of[WEIR_MODEL_AGENTS][FENCES];            /* by thread and number */
	heads fenced[WEIR_MODEL_AGENTS];                         /* what all later writes pass on */
	heads released[WEIR_MODEL_AGENTS][WEIR_MODEL_LOCATIONS]; /* what later writes to a word
	                                                           * pass on */
	heads found[WEIR_MODEL_AGENTS]; /* what the thread's reads found, for a fence */
	heads found_at[WEIR_MODEL_AGENTS][WEIR_MODEL_LOCATIONS]; /* the same for one word, for an
	                                                           * acquire */
	heads message[WEIR_MODEL_LOCATIONS][WEIR_MODEL_MESSAGES];
	fence fence[FENCES];
	weir_model_view head[WEIR_MODEL_EVENTS + 1];
	barrier barriers[WEIR_MODEL_AGENTS][BARRIERS]; /* of each block */
};

const char *weir_model_scope_text(weir_model_scope scope)
{
	static const char *const texts[] = {"plain", "for its block only", "for its cluster only",
	                                    "for its device only", "at system scope"};

	return texts[scope];
}

weir_model_scope weir_model_distance(const weir_model_engine *e, uint32_t t, uint32_t u)
{
	uint32_t cluster = e->program.cluster ? e->program.cluster : 1;
	uint32_t a = e->threads[t].block;
	uint32_t b = e->threads[u].block;

	if (a == b || e->setting.broken & WEIR_MODEL_BROKEN_SCOPES)
		return WEIR_MODEL_BLOCK;
	a /= cluster;
	b /= cluster;
	if (a == b)
		return WEIR_MODEL_CLUSTER;
	return e->program.device == 0 || a / e->program.device == b / e->program.device
	           ? WEIR_MODEL_DEVICE
	           : WEIR_MODEL_SYSTEM;
}

weir_model_scope weir_model_widest(const weir_model_engine *e)
{
	weir_model_scope widest = WEIR_MODEL_BLOCK;

	for (uint32_t t = 0; t < e->thread_count; t++)
		if (weir_model_distance(e, 0, t) > widest)
			widest = weir_model_distance(e, 0, t);
	return widest;
}

int weir_model_is_mutual(const weir_model_engine *e, uint32_t t, weir_model_scope scope, uint32_t u,
                         weir_model_scope other)
{
	weir_model_scope least = scope < other ? scope : other;

	return t == u || (least >= e->widest && least != WEIR_MODEL_PLAIN) ||
	       least >= weir_model_distance(e, t, u);
}

/* ---- data races ---- */

static int has_written(const weir_model_event *event)
{
	return event->put != 0;
}

static int is_access(const weir_model_event *event, uint32_t location)
{
	return (weir_model_reads(event->op.type) || weir_model_writes(event->op.type)) &&
	       event->op.location == location && event->index != 0;
}

/* The event whose message this event read, if the two are morally strong; or NULL. */
static const weir_model_event *source(const weir_model_engine *e, const weir_model_event *event)
{
	const weir_model_event *from = &e->events[event->reads];

	if (!weir_model_reads(event->op.type) || event->reads == 0 ||
	    !weir_model_is_mutual(e, from->thread, from->op.scope, event->thread, event->op.scope))
		return NULL;
	return from;
}

/* Whether a read, perhaps through read-modify-writes, got what the event wrote: observation
 * order. */
static int observes(const weir_model_engine *e, const weir_model_event *reader,
                    const weir_model_event *event)
{
	do
		reader = source(e, reader);
	while (reader && reader != event);
	return reader != NULL;
}

static int knows(const uint32_t *clock, const weir_model_event *event)
{
	return event->clock[event->thread] <= clock[event->thread];
}

/* Whether causality orders the events: the second one knows of the first, or of a read that
 * observes it. */
static int causes(const weir_model_engine *e, const weir_model_event *first,
                  const weir_model_event *second)
{
	uint32_t clock[WEIR_MODEL_AGENTS];

	memcpy(clock, second->clock, sizeof clock);
	if (e->ptx)
		weir_model_ptx_know(e, clock);
	if (knows(clock, first))
		return 1;
	if (!has_written(first))
		return 0;
	for (uint32_t i = 1; i <= e->event_count; i++) {
		const weir_model_event *reader = &e->events[i];
		if (!is_access(reader, first->op.location) ||
		    (reader == second ? !has_written(second) : !knows(clock, reader)))
			continue;
		if (observes(e, reader, first))
			return 1;
	}
	return 0;
}

/* Whether causality orders the events, perhaps through other events of the word. `is_unordered` marks the events that are
 * known not to be before the second one: a chain of n events has 2^n ways through it. */
static int is_before(const weir_model_engine *e, const weir_model_event *first,
                     const weir_model_event *second, uint8_t *is_unordered)
{
	if (is_unordered[first - e->events])
		return 0;
	if (causes(e, first, second))
		return 1;
	for (const weir_model_event *event = first + 1; event < second; event++)
		if (is_access(event, first->op.location) && !is_unordered[event - e->events] &&
		    causes(e, first, event) && is_before(e, event, second, is_unordered))
			return 1;
	is_unordered[first - e->events] = 1;
	return 0;
}

void weir_model_check_scope(weir_model_engine *e, const weir_model_event *event)
{
	uint8_t is_unordered[WEIR_MODEL_EVENTS + 1];

	memset(is_unordered, 0, (size_t)(event - e->events) + 1);
	for (uint32_t i = 1; &e->events[i] < event; i++) {
		const weir_model_event *other = &e->events[i];
		weir_model_scope least =
		    other->op.scope < event->op.scope ? other->op.scope : event->op.scope;
		if (!is_access(other, event->op.location) ||
		    (!has_written(other) && !has_written(event)) ||
		    weir_model_is_mutual(e, other->thread, other->op.scope, event->thread,
		                         event->op.scope) ||
		    knows(event->clock, other) || is_before(e, other, event, is_unordered))
			continue;
		weir_model_fail(
		    e, WEIR_MODEL_RACE,
		    "word %u: this access and a %s of block %u thread %u are unordered, and one of "
		    "them is %s",
		    e->locations[event->op.location].word, has_written(other) ? "write" : "read",
		    e->threads[other->thread].block, e->threads[other->thread].thread,
		    weir_model_scope_text(least));
		return;
	}
}

static void fail_size(weir_model_engine *e, uint32_t location, uint32_t thread, int is_write)
{
	weir_model_fail(
	    e, WEIR_MODEL_RACE,
	    "word %u: this access and a %s of block %u thread %u are unordered, and have "
	    "different sizes",
	    e->locations[location].word, is_write ? "write" : "read", e->threads[thread].block,
	    e->threads[thread].thread);
}

void weir_model_check_sizes(weir_model_engine *e, uint32_t location, weir_model_op_type type)
{
	uint32_t clock[WEIR_MODEL_AGENTS];
	int is_write = weir_model_writes(type);

	if (e->current < 0)
		return;
	memcpy(clock, e->threads[e->current].now.clock, sizeof clock);
	if (e->ptx)
		weir_model_ptx_know(e, clock);
	for (uint32_t i = 1; i <= e->event_count; i++) {
		const weir_model_event *event = &e->events[i];
		if (is_access(event, location) && event->thread != e->current &&
		    !knows(clock, event) && (has_written(event) || is_write))
			fail_size(e, location, event->thread, has_written(event));
	}
	/* Pending operations of other threads are not ordered either. */
	for (uint32_t t = 0; t < e->thread_count; t++) {
		const weir_model_op *op = &e->threads[t].op;
		if ((int)t == e->current || e->threads[t].state != WEIR_MODEL_READY || !op->site ||
		    op->location != location || weir_model_is_await(op->type) ||
		    !(weir_model_writes(op->type) || (is_write && weir_model_reads(op->type))))
			continue;
		fail_size(e, location, t, weir_model_writes(op->type));
	}
}

/* ---- heads ---- */

weir_model_ptx *weir_model_ptx_create(void)
{
	return calloc(1, sizeof(weir_model_ptx));
}

void weir_model_ptx_reset(weir_model_engine *e)
{
	weir_model_ptx *p = e->ptx;

	p->head_count = 0;
	p->fence_count = 0;
	p->has_late = 0;
	memset(p->fences_of, 0, sizeof p->fences_of);
	memset(p->barriers, 0, e->program.blocks * sizeof p->barriers[0]);
	memset(p->fenced, 0, e->thread_count * sizeof p->fenced[0]);
	memset(p->released, 0, e->thread_count * sizeof p->released[0]);
	memset(p->found, 0, e->thread_count * sizeof p->found[0]);
	memset(p->found_at, 0, e->thread_count * sizeof p->found_at[0]);
	for (uint32_t i = 0; i < WEIR_MODEL_LOCATIONS; i++)
		memset(&p->message[i][0], 0, sizeof p->message[i][0]);
}

static void join_heads(const weir_model_engine *e, heads *to, const heads *from)
{
	for (uint32_t t = 0; t < e->thread_count; t++)
		for (uint32_t s = 0; s < SCOPES; s++)
			if (to->number[t][s] < from->number[t][s])
				to->number[t][s] = from->number[t][s];
}

static int is_strong(const weir_model_op *op)
{
	return op->scope != WEIR_MODEL_PLAIN;
}

/* A new head of the thread at the scope of its operation. */
static uint16_t add_head(weir_model_engine *e, int thread)
{
	weir_model_ptx *p = e->ptx;

	p->head[++p->head_count] = e->threads[thread].now;
	return p->head_count;
}

static void acquire(weir_model_engine *e, int thread, const heads *from, weir_model_scope scope)
{
	for (uint32_t u = 0; u < e->thread_count; u++) {
		weir_model_scope least = weir_model_distance(e, (uint32_t)thread, u);
		if (scope < least)
			continue;
		for (uint32_t s = least; s <= SCOPES; s++)
			if (from->number[u][s - 1])
				weir_model_join_view(e, &e->threads[thread].now,
				                     &e->ptx->head[from->number[u][s - 1]]);
	}
}

static int is_linked(const weir_model_engine *e, int thread, uint32_t read)
{
	const weir_model_op *op = &e->threads[thread].op;
	const weir_model_event *from = &e->events[e->locations[op->location].messages[read].event];

	return from != e->events &&
	       weir_model_is_mutual(e, from->thread, from->op.scope, (uint32_t)thread, op->scope);
}

/* ---- fence.sc ---- */

static fence *fence_number(weir_model_ptx *p, uint32_t thread, uint32_t number)
{
	return &p->fence[p->fence_of[thread][number - 1]];
}

/* How many fences of each thread precede an event with that clock. */
static void count_fences(const weir_model_engine *e, const uint32_t *clock, uint16_t *count)
{
	weir_model_ptx *p = e->ptx;

	memset(count, 0, WEIR_MODEL_AGENTS * sizeof *count);
	for (uint32_t u = 0; u < e->thread_count; u++)
		while (count[u] < p->fences_of[u] &&
		       fence_number(p, u, count[u] + 1u)->clock <= clock[u])
			count[u]++;
}

static int raise_counts(uint16_t *to, const uint16_t *from)
{
	int has_changed = 0;

	for (uint32_t u = 0; u < WEIR_MODEL_AGENTS; u++)
		if (to[u] < from[u]) {
			to[u] = from[u];
			has_changed = 1;
		}
	return has_changed;
}

/* Adds the fences that must precede these fences. */
static void close_fences(const weir_model_engine *e, uint16_t *count)
{
	int has_changed = 1;

	while (has_changed) {
		has_changed = 0;
		for (uint32_t u = 0; u < e->thread_count; u++)
			if (count[u])
				has_changed |=
				    raise_counts(count, fence_number(e->ptx, u, count[u])->after);
	}
}

/* Given the fences that precede an access, adds those that must precede fence `f` if the access
 * must: only fences that include each other's threads are ordered. */
static void demand(weir_model_engine *e, fence *f, const uint16_t *count)
{
	for (uint32_t u = 0; u < e->thread_count; u++)
		for (uint16_t n = count[u]; n > f->after[u]; n--) {
			const fence *before = fence_number(e->ptx, u, n);
			if (before == f ||
			    !weir_model_is_mutual(e, u, (weir_model_scope)before->scope, f->thread,
			                          (weir_model_scope)f->scope))
				continue;
			f->after[u] = n;
			break;
		}
}

/* The accesses that were performed before an access that the fence follows. */
static void demand_performed(weir_model_engine *e, fence *f)
{
	const weir_model_view *now = &e->threads[f->thread].now;

	for (uint32_t i = 1; i < e->event_count; i++) {
		const weir_model_event *event = &e->events[i];
		const weir_model_message *messages = e->locations[event->op.location].messages;
		uint32_t seen = now->seen[event->op.location];
		uint16_t count[WEIR_MODEL_AGENTS];
		if (!is_access(event, event->op.location))
			continue;
		if (!(event->put && messages[event->put - 1].stamp <= seen) &&
		    !(weir_model_reads(event->op.type) && messages[event->message].stamp < seen))
			continue;
		count_fences(e, event->clock, count);
		demand(e, f, count);
	}
}

static void fence_sc(weir_model_engine *e, int thread)
{
	weir_model_ptx *p = e->ptx;
	weir_model_thread *t = &e->threads[thread];
	fence *f = &p->fence[p->fence_count];

	if (p->fence_count == FENCES) {
		weir_model_fail(e, WEIR_MODEL_LIMIT, "more than %d fences", FENCES);
		return;
	}
	f->thread = (uint8_t)thread;
	f->scope = (uint8_t)t->op.scope;
	f->clock = t->now.clock[thread];
	count_fences(e, t->now.clock, f->after);
	demand_performed(e, f);
	close_fences(e, f->after);
	for (uint32_t u = 0; u < e->thread_count; u++)
		if (f->after[u])
			weir_model_join_view(e, &t->now, &fence_number(p, u, f->after[u])->view);
	f->view = t->now;
	p->fence_of[thread][p->fences_of[thread]++] = p->fence_count++;
}

/* The thread performs an access at that place of the modification order: it precedes all accesses
 * at newer places, and the fences after them. */
static void demand_late(weir_model_engine *e, int thread, uint32_t stamp)
{
	const weir_model_thread *t = &e->threads[thread];
	weir_model_ptx *p = e->ptx;
	uint16_t count[WEIR_MODEL_AGENTS];

	if (p->fence_count == 0 || e->setting.broken & WEIR_MODEL_BROKEN_LATE)
		return;
	count_fences(e, t->now.clock, count);
	for (uint32_t i = 0; i < p->fence_count; i++)
		if (p->fence[i].view.seen[t->op.location] > stamp) {
			demand(e, &p->fence[i], count);
			p->has_late = 1;
		}
}

int weir_model_ptx_is_fenced(const weir_model_engine *e, int thread)
{
	uint16_t count[WEIR_MODEL_AGENTS];

	count_fences(e, e->threads[thread].now.clock, count);
	for (uint32_t u = 0; u < e->thread_count; u++)
		if (count[u])
			return 1;
	return 0;
}

uint32_t weir_model_ptx_seen(const weir_model_engine *e, int thread, uint32_t location)
{
	const weir_model_thread *t = &e->threads[thread];
	uint16_t count[WEIR_MODEL_AGENTS];
	uint32_t seen = t->now.seen[location];

	if (!e->ptx->has_late)
		return seen;
	count_fences(e, t->now.clock, count);
	close_fences(e, count);
	for (uint32_t u = 0; u < e->thread_count; u++)
		if (count[u] && fence_number(e->ptx, u, count[u])->view.seen[location] > seen)
			seen = fence_number(e->ptx, u, count[u])->view.seen[location];
	return seen;
}

void weir_model_ptx_know_view(const weir_model_engine *e, weir_model_view *view)
{
	uint16_t count[WEIR_MODEL_AGENTS];

	if (!e->ptx->has_late)
		return;
	count_fences(e, view->clock, count);
	close_fences(e, count);
	for (uint32_t u = 0; u < e->thread_count; u++)
		if (count[u])
			weir_model_join_view(e, view, &fence_number(e->ptx, u, count[u])->view);
}

void weir_model_ptx_know(const weir_model_engine *e, uint32_t clock[WEIR_MODEL_AGENTS])
{
	uint16_t count[WEIR_MODEL_AGENTS];

	if (!e->ptx->has_late)
		return;
	count_fences(e, clock, count);
	close_fences(e, count);
	for (uint32_t u = 0; u < e->thread_count; u++)
		for (uint32_t v = 0; count[u] && v < e->thread_count; v++)
			if (clock[v] < fence_number(e->ptx, u, count[u])->view.clock[v])
				clock[v] = fence_number(e->ptx, u, count[u])->view.clock[v];
}

/* ---- accesses ---- */

void weir_model_ptx_read(weir_model_engine *e, int thread, uint32_t read)
{
	weir_model_ptx *p = e->ptx;
	const weir_model_op *op = &e->threads[thread].op;
	const weir_model_message *m = &e->locations[op->location].messages[read];

	if (is_strong(op) && op->type != WEIR_OP_RED) {
		heads *found = &p->found_at[thread][op->location];
		if (is_linked(e, thread, read)) {
			join_heads(e, found, &p->message[op->location][read]);
			join_heads(e, &p->found[thread], &p->message[op->location][read]);
		}
		if (op->order & WEIR_MODEL_ACQ && !(e->setting.broken & WEIR_MODEL_BROKEN_ACQUIRE))
			acquire(e, thread, found, op->scope);
	}
	demand_late(e, thread, m->stamp);
}

void weir_model_ptx_write(weir_model_engine *e, int thread, uint32_t number, int read)
{
	weir_model_ptx *p = e->ptx;
	const weir_model_op *op = &e->threads[thread].op;
	heads *own = &p->message[op->location][number];
	heads *released = &p->released[thread][op->location];

	memset(own, 0, sizeof *own);
	if (is_strong(op)) {
		if (op->order & WEIR_MODEL_REL)
			released->number[thread][op->scope - 1] = add_head(e, thread);
		*own = p->fenced[thread];
		join_heads(e, own, released);
		if (read >= 0 && is_linked(e, thread, (uint32_t)read))
			join_heads(e, own, &p->message[op->location][read]);
	}
	demand_late(e, thread, e->locations[op->location].messages[number].stamp);
}

void weir_model_ptx_fence(weir_model_engine *e, int thread)
{
	weir_model_ptx *p = e->ptx;
	const weir_model_op *op = &e->threads[thread].op;
	int is_sc = (op->order & WEIR_MODEL_SC) != 0;

	if ((is_sc || op->order & WEIR_MODEL_ACQ) &&
	    !(e->setting.broken & WEIR_MODEL_BROKEN_ACQUIRE))
		acquire(e, thread, &p->found[thread], op->scope);
	if (is_sc && !(e->setting.broken & WEIR_MODEL_BROKEN_SC))
		fence_sc(e, thread);
	if (!e->stopped && (is_sc || op->order & WEIR_MODEL_REL))
		p->fenced[thread].number[thread][op->scope - 1] = add_head(e, thread);
}

uint64_t weir_model_ptx_arrive(weir_model_engine *e, int thread)
{
	weir_model_thread *t = &e->threads[thread];
	barrier *b = &e->ptx->barriers[t->block][t->op.value % BARRIERS];
	uint64_t waiting;

	weir_model_join_view(e, &b->view, &t->now);
	weir_model_join_cause(&b->cause, &t->cause);
	t->now.clock[thread]++;
	if (t->op.type == WEIR_OP_BARRIER)
		b->waiting |= UINT64_C(1) << thread;
	if (++b->arrived < t->op.expected)
		return 0;
	waiting = b->waiting;
	for (uint32_t u = 0; u < e->thread_count; u++)
		if (waiting >> u & 1) {
			weir_model_join_view(e, &e->threads[u].now, &b->view);
			weir_model_join_cause(&e->threads[u].cause, &b->cause);
		}
	memset(b, 0, sizeof *b);
	return waiting;
}

int weir_model_ptx_covers(const weir_model_engine *e, uint32_t location, uint32_t a, uint32_t b)
{
	const heads *more = &e->ptx->message[location][a];
	const heads *less = &e->ptx->message[location][b];

	for (uint32_t t = 0; t < e->thread_count; t++)
		for (uint32_t s = 0; s < SCOPES; s++)
			if (more->number[t][s] < less->number[t][s])
				return 0;
	return 1;
}
