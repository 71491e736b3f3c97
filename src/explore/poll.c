/* Reads in loops. A strong read of a value that only leads back to the same read, in the same state and with nothing
 * changed, might as well not have happened: the search leaves it out, and the thread waits for another value. A trial run
 * of the thread finds out where a value leads.
 *
 * So is a value that leads to another such read, as in a loop whose first round was taken out of it, or whose pauses grow,
 * if the rounds repeat in the end, and each value that ends the loop leads to the same from the first round as from the
 * last one. If some value does not, the search begins again without this.
 *
 * A loop with several reads is recognised when it repeats: the thread then makes no further round in this execution. */
#include <stdlib.h>
#include <string.h>

#include "explore/parts.h"

#define MOST_TRIED 64      /* events of a trial */
#define MOST_BRANCHES 4096 /* of a trial */

/* Which accesses lie in a loop, or in a function that may be called in one. */
void explore_find_loops(explorer *x)
{
	const ptx_program *p = x->m->program;
	uint32_t end = p->routines.count ? p->routines.at[0].end : 0;

	for (uint32_t i = 0; i < p->code.count; i++) {
		const ptx_code *c = &p->code.at[i];
		if (c->op >= PTX_X_LOAD_GLOBAL_U8 && (i < p->routines.at[0].entry || i >= end))
			x->in_loop[c->x] = 1;
		if (c->op != PTX_X_BACK && c->op != PTX_X_BACK_IF && c->op != PTX_X_BACK_UNLESS)
			continue;
		for (uint32_t k = i + (uint32_t)(int32_t)c->x; k < i; k++)
			if (p->code.at[k].op >= PTX_X_LOAD_GLOBAL_U8)
				x->in_loop[p->code.at[k].x] = 1;
	}
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

/* The state of a thread that is at a strong access, as far as it matters. */
static uint64_t hash_of(const weir_ptx_thread *t, const ptx_access *access)
{
	const uint16_t *live = t->machine->program->live.at + access->live;
	uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), t->depth);

	for (uint32_t k = 0; k < access->live_count; k++)
		hash = mix(hash, t->frame[live[k]]);
	for (uint32_t k = 0; k < t->at; k++)
		hash = mix(hash, t->slots[k]);
	for (uint32_t k = 0; k < t->local_top; k++)
		hash = mix(hash, t->local[k]);
	return hash;
}

/* A thread that runs on after a value. */
typedef struct trial {
	uint32_t site; /* of the read like the poll's that it came to last */
	uint64_t hash;
	int has_loaded; /* other memory */
} trial;

/* A load during a trial, from memory that no thread writes during it, unless there is a race. */
static int try_load(explorer *x, weir_ptx_thread *t, weir_ptx_event *event)
{
	const ptx_access *access = &x->m->program->accesses.at[event->operation->index];
	explore_granule *g = explore_granule_at(x, explore_space_of(x, event), event->address / 8);

	for (uint32_t i = g ? g->word : EXPLORE_NONE; i != EXPLORE_NONE; i = x->words[i].next)
		if (x->words[i].location != EXPLORE_NONE)
			return 0;
	return weir_ptx_bytes(t, access, event->space, event->owner, event->address, event->bytes,
	                      event->bytes, false, true) &&
	       weir_ptx_serve(t, event) == WEIR_PTX_SERVED;
}

/* Whether two reads are the same for all others: of the same word, with the same order and effect. */
static int is_like(const weir_ptx_event *a, const weir_ptx_event *b)
{
	const weir_ptx_operation *o = a->operation, *p = b->operation;

	return a->kind == b->kind && a->address == b->address && a->space == b->space &&
	       (a->space != WEIR_PTX_SHARED || a->owner == b->owner) && o->order == p->order &&
	       o->scope == p->scope && o->size == p->size && o->count == p->count &&
	       (a->kind == WEIR_PTX_LOAD ||
	        (o->what == p->what && o->type == p->type && a->value[0] == b->value[0] &&
	         (o->what != PTX_RMW_CAS || a->value[1] == b->value[1])));
}

/* The thread is at a read that is like the poll's. 1: it has been there in this state, so the value leads nowhere. */
static int closes(explore_poll *p, const weir_ptx_thread *t, const weir_ptx_event *event,
                  trial *now)
{
	const explorer *x = p->agent->x;
	uint32_t site = event->operation->index;
	uint64_t hash = hash_of(t, &x->m->program->accesses.at[site]);

	if (event->operation == p->event.operation && hash == p->hash)
		return 1;
	if (x->is_single[p->event.operation->index])
		return 0;
	if (now->site != site || now->hash != hash) {
		now->site = site;
		now->hash = hash;
		return 0;
	}
	/* Later rounds repeat: the thread might as well wait where it is, if other values lead to the same from here. */
	if (p->chain)
		return p->chain_site == site && p->chain_hash == hash;
	p->chain_bytes = weir_ptx_thread_save(t, NULL, 0);
	p->chain = malloc(p->chain_bytes);
	if (!p->chain)
		return 0;
	weir_ptx_thread_save(t, p->chain, p->chain_bytes);
	p->chain_event = *event;
	p->chain_site = site;
	p->chain_hash = hash;
	return 1;
}

/* Whether the thread, having read the value, gets anywhere but back to this read. */
static int gets_on(explore_poll *p, weir_ptx_thread *t, uint64_t value, trial *now)
{
	explorer *x = p->agent->x;
	weir_ptx_event event = p->event;

	event.value[0] = value;
	weir_ptx_pass(t, &event);
	for (unsigned steps = 0; steps < MOST_TRIED; steps++) {
		t->quiet = INT32_MIN;
		switch (weir_ptx_exec_events(t, MOST_BRANCHES, &event)) {
		case WEIR_PTX_PAUSE:
		case WEIR_PTX_FENCE:
			weir_ptx_pass(t, &event);
			break;
		case WEIR_PTX_LOAD:
		case WEIR_PTX_RMW:
			if (is_like(&event, &p->event)) {
				if (closes(p, t, &event, now))
					return 0;
				if (x->is_single[p->event.operation->index])
					return 1;
				event.value[0] = value;
				weir_ptx_pass(t, &event);
				break;
			}
			now->has_loaded = 1;
			if (event.kind != WEIR_PTX_LOAD || !try_load(x, t, &event))
				return 1;
			break;
		default:
			return 1;
		}
	}
	return 1;
}

/* Where the thread comes to next, having read the value in that state: 0 if that cannot be told. */
static uint64_t goes_to(explorer *x, weir_ptx_thread *t, const void *state, size_t bytes,
                        const weir_ptx_event *at, uint64_t value)
{
	weir_ptx_event event = *at;
	const ptx_access *access;

	if (weir_ptx_thread_restore(t, state, bytes) != WEIR_OK)
		return 0;
	event.value[0] = value;
	weir_ptx_pass(t, &event);
	for (unsigned steps = 0; steps < MOST_TRIED; steps++) {
		weir_ptx_kind kind;
		t->quiet = INT32_MIN;
		kind = weir_ptx_exec_events(t, MOST_BRANCHES, &event);
		if (kind == WEIR_PTX_EXIT)
			return 1;
		if (kind >= WEIR_PTX_FAILED)
			return 0;
		if (kind == WEIR_PTX_PAUSE) {
			weir_ptx_pass(t, &event);
			continue;
		}
		access = &x->m->program->accesses.at[event.operation->index];
		return access->has_live ? mix(hash_of(t, access), event.operation->index) | 2 : 0;
	}
	return 0;
}

/* The machine as it is, while a thread runs on trial. */
typedef struct kept {
	uint64_t instructions, epoch;
	weir_ptx_end end;
} kept;

static kept begin_trial(const weir_ptx_machine *m)
{
	return (kept){m->instructions, m->epoch, m->result.end};
}

static void end_trial(explore_poll *p, const kept *k)
{
	weir_ptx_machine *m = p->agent->x->m;

	if (p->agent->poll == p)
		weir_ptx_thread_restore(p->agent->thread, p->state, p->bytes);
	m->failed = false;
	m->result.end = k->end;
	m->instructions = k->instructions;
	m->epoch = k->epoch;
}

static int try_value(explore_poll *p, uint64_t value, trial *now)
{
	weir_ptx_thread *t = p->agent->thread;
	const weir_ptx_operation *o = p->event.operation;
	kept k = begin_trial(p->agent->x->m);
	int ends;

	/* It must write the value that was there. */
	if (p->event.kind == WEIR_PTX_RMW &&
	    ((weir_ptx_rmw(o->what, o->type, value, p->event.value[0], p->event.value[1]) ^ value) &
	     ptx_low(o->size * 8u)))
		return 1;
	if (weir_ptx_thread_restore(t, p->state, p->bytes) != WEIR_OK)
		return 1;
	ends = gets_on(p, t, value, now);
	end_trial(p, &k);
	return ends;
}

/* Some values have been left out because later rounds of the loop repeat. This one must lead to the same from there. */
static void compare_chain(explore_poll *p, uint64_t value)
{
	explorer *x = p->agent->x;
	weir_ptx_thread *t = p->agent->thread;
	kept k = begin_trial(x->m);
	uint64_t here = goes_to(x, t, p->state, p->bytes, &p->event, value);
	uint64_t there = goes_to(x, t, p->chain, p->chain_bytes, &p->chain_event, value);

	end_trial(p, &k);
	if (here && here == there)
		return;
	x->is_single[p->event.operation->index] = 1;
	explore_fail(x, EXPLORE_GROWN, "the rounds of a loop differ");
}

static explore_known *known_at(const explorer *x, const explore_poll *p, uint64_t value)
{
	uint32_t site = p->event.operation->index;
	explore_known *known =
	    &x->known[mix(mix(p->hash, value), site) >> 17 & (EXPLORE_KNOWN - 1)];

	if (known->hash != p->hash || known->value != value || known->site != site)
		*known = (explore_known){.hash = p->hash, .value = value, .site = site};
	return known;
}

static uint64_t poll_leads_to(const weir_model_poll *base, uint64_t value)
{
	explore_poll *p = (explore_poll *)(void *)(uintptr_t)base;
	explore_known *known = known_at(p->agent->x, p, value);
	kept k = begin_trial(p->agent->x->m);

	if (known->has_next)
		return known->next;
	known->next = goes_to(p->agent->x, p->agent->thread, p->state, p->bytes, &p->event, value);
	known->has_next = 1;
	end_trial(p, &k);
	return known->next;
}

static int poll_ends(const weir_model_poll *base, uint64_t value)
{
	explore_poll *p = (explore_poll *)(void *)(uintptr_t)base;
	explorer *x = p->agent->x;
	explore_known *known = known_at(x, p, value);
	trial now = {.site = EXPLORE_NONE};
	int ends;

	if (!p->chain && known->is_set)
		return known->ends;
	ends = try_value(p, value, &now);
	if (ends && p->chain)
		compare_chain(p, value);
	if (!now.has_loaded && !p->chain) {
		known->is_set = 1;
		known->ends = (uint8_t)ends;
	}
	return ends;
}

void explore_free_polls(explorer *x)
{
	for (explore_poll *p = x->polls, *next; p; p = next) {
		next = p->next;
		free(p->chain);
		free(p);
	}
	x->polls = NULL;
}

int explore_returns(explore_agent *a, const weir_ptx_event *event)
{
	uint32_t site = event->operation->index;
	const ptx_access *access = &a->x->m->program->accesses.at[site];
	explore_visit *visit = &a->visits[site];
	uint64_t hash = hash_of(a->thread, access);

	if (visit->execution == a->x->execution && visit->hash == hash &&
	    visit->effects == a->effects) {
		a->futile_from = visit->reads;
		return 1;
	}
	*visit = (explore_visit){a->x->execution, hash, a->effects, a->read_count};
	return 0;
}

void explore_begin_poll(explore_agent *a, const weir_ptx_event *event)
{
	explorer *x = a->x;
	const ptx_access *access = &x->m->program->accesses.at[event->operation->index];
	size_t bytes = weir_ptx_thread_save(a->thread, NULL, 0);
	explore_poll *p = malloc(sizeof *p + bytes);

	if (!p) {
		x->no_memory = 1;
		return;
	}
	*p = (explore_poll){.base = {poll_ends, poll_leads_to},
	                    .agent = a,
	                    .event = *event,
	                    .hash = hash_of(a->thread, access),
	                    .bytes = bytes,
	                    .next = x->polls};
	weir_ptx_thread_save(a->thread, p->state, bytes);
	x->polls = p;
	a->poll = p;
}
