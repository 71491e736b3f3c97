/* Reads in loops. A strong read of a value that only leads back to the same read, in the same state and with nothing
 * changed, might as well not have happened: the search leaves it out, and the thread waits for another value. What a
 * value leads to is found by running the thread on, on trial.
 *
 * A loop with several reads is recognised when it comes back: then the thread makes no other round in this execution. */
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

/* A load during a trial, from memory that nobody writes meanwhile: else there is a race. */
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

/* Whether the thread, having read the value, gets anywhere else than back to this read. */
static int gets_on(explore_poll *p, weir_ptx_thread *t, uint64_t value, int *has_loaded)
{
	explorer *x = p->agent->x;
	const weir_ptx_operation *o = p->event.operation;
	const ptx_access *access = &x->m->program->accesses.at[o->index];
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
			if (event.operation == o)
				return hash_of(t, access) != p->hash;
			*has_loaded = 1;
			if (event.kind != WEIR_PTX_LOAD || !try_load(x, t, &event))
				return 1;
			break;
		default:
			return 1;
		}
	}
	return 1;
}

static int try_value(explore_poll *p, uint64_t value, int *has_loaded)
{
	explorer *x = p->agent->x;
	weir_ptx_machine *m = x->m;
	weir_ptx_thread *t = p->agent->thread;
	const weir_ptx_operation *o = p->event.operation;
	uint64_t instructions = m->instructions, epoch = m->epoch;
	weir_ptx_end end = m->result.end;
	int ends, is_now = p->agent->poll == p;

	/* What it writes must be what was there. */
	if (p->event.kind == WEIR_PTX_RMW &&
	    ((weir_ptx_rmw(o->what, o->type, value, p->event.value[0], p->event.value[1]) ^ value) &
	     ptx_low(o->size * 8u)))
		return 1;
	if (weir_ptx_thread_restore(t, p->state, p->bytes) != WEIR_OK)
		return 1;
	ends = gets_on(p, t, value, has_loaded);
	if (is_now)
		weir_ptx_thread_restore(t, p->state, p->bytes);
	m->failed = false;
	m->result.end = end;
	m->instructions = instructions;
	m->epoch = epoch;
	return ends;
}

static int poll_ends(const weir_model_poll *base, uint64_t value)
{
	explore_poll *p = (explore_poll *)(void *)(uintptr_t)base;
	explorer *x = p->agent->x;
	uint32_t site = p->event.operation->index;
	explore_known *known =
	    &x->known[mix(mix(p->hash, value), site) >> 17 & (EXPLORE_KNOWN - 1)];
	int ends, has_loaded = 0;

	if (known->is_set && known->hash == p->hash && known->value == value && known->site == site)
		return known->ends;
	ends = try_value(p, value, &has_loaded);
	if (!has_loaded)
		*known = (explore_known){p->hash, value, site, 1, (uint8_t)ends};
	return ends;
}

void explore_free_polls(explorer *x)
{
	for (explore_poll *p = x->polls, *next; p; p = next) {
		next = p->next;
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
	*p = (explore_poll){.base = {poll_ends},
	                    .agent = a,
	                    .event = *event,
	                    .hash = hash_of(a->thread, access),
	                    .bytes = bytes,
	                    .next = x->polls};
	weir_ptx_thread_save(a->thread, p->state, bytes);
	x->polls = p;
	a->poll = p;
}
