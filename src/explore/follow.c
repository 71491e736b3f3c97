/* Threads that make no step of the search: they access no word that others write strongly. The agent of a block runs them
 * all, one after another, each until it waits or ends, so they cost time and no executions. A follower that comes to a
 * shared word gets an agent, and the search begins again.
 *
 * What a follower knows of others it learns from barriers, so many followers share one state. What it has done itself is
 * counted for each thread on its own: a view has the number of a vector with the progress of all followers.
 *
 * A fence.acq_rel of a follower orders nothing: no strong access of its own is before or behind it. A fence.sc does,
 * together with what precedes a barrier or follows one. The followers of a block that execute one in the same state share
 * it: each of these fences has the same before it, so a cycle through the shared one is a cycle through one of them. At a
 * barrier all of them together are one more fence, with what each has written before its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/parts.h"
#include "model/memory.h"

int explore_follows(const explorer *x, uint32_t thread)
{
	return x->slot_of[thread] == EXPLORE_NONE;
}

const weir_model_view *explore_view_of(const explorer *x, uint32_t thread)
{
	return explore_follows(x, thread) ? &x->followers[thread].state->view
	                                  : &x->engine->threads[x->slot_of[thread]].now;
}

void explore_need_agent(explorer *x, uint32_t thread)
{
	x->is_agent[thread] = 1;
	explore_fail(x, EXPLORE_GROWN, "another thread takes part");
}

/* ---- vectors and states, which last for an execution ---- */

/* Only the program explores: without memory it ends, and says so. */
static void *needed(void *memory)
{
	if (!memory) {
		fputs("weir: no memory for an exploration\n", stderr);
		exit(1);
	}
	return memory;
}

static uint32_t new_vector(explorer *x)
{
	uint32_t room = x->vector_room;
	uint32_t **vectors =
	    needed(explore_grown(x, x->vectors, x->vector_count, &x->vector_room, sizeof *vectors));

	memset(vectors + room, 0, (x->vector_room - room) * sizeof *vectors);
	x->vectors = vectors;
	if (!vectors[x->vector_count])
		vectors[x->vector_count] = needed(malloc(x->count * sizeof **vectors));
	memset(vectors[x->vector_count], 0, x->count * sizeof **vectors);
	return x->vector_count++;
}

uint32_t explore_join_crowd(void *context, uint32_t a, uint32_t b)
{
	explorer *x = context;
	explore_join *j;

	if (a == b || !b)
		return a;
	if (!a)
		return b;
	j = &x->joins[(a * 31 + b) % EXPLORE_JOINS];
	if (j->a != a || j->b != b) {
		uint32_t result = new_vector(x), *to = x->vectors[result];
		for (uint32_t i = 0; i < x->count; i++)
			to[i] = x->vectors[a][i] > x->vectors[b][i] ? x->vectors[a][i]
			                                            : x->vectors[b][i];
		*j = (explore_join){a, b, result};
	}
	return j->result;
}

const explore_state *explore_new_state(explorer *x, const weir_model_view *view,
                                       const weir_model_cause *cause)
{
	uint32_t room = x->state_room;
	explore_state **states =
	    needed(explore_grown(x, x->states, x->state_count, &x->state_room, sizeof *states));
	explore_state *s;

	memset(states + room, 0, (x->state_room - room) * sizeof *states);
	x->states = states;
	if (!states[x->state_count])
		states[x->state_count] = needed(malloc(sizeof **states));
	s = states[x->state_count++];
	s->view = *view;
	s->cause = *cause;
	return s;
}

/* ---- what followers tell and learn ---- */

void explore_follower_tells(explorer *x, uint32_t thread, explore_knowledge *k, int is_of_block)
{
	explore_follower *f = &x->followers[thread];

	if (f->fence && !is_of_block)
		explore_need_agent(x, thread);
	if (!k->is_used)
		memset(k, 0, sizeof *k);
	k->is_used = 1;
	if (k->state != f->state) {
		weir_model_join_view(x->engine, &k->view, &f->state->view);
		weir_model_join_cause(&k->cause, &f->state->cause);
		k->state = f->state;
	}
	if (!k->own)
		k->own = new_vector(x);
	x->vectors[k->own][thread] = f->epoch++;
	if (!f->fence)
		return;
	if (k->fence && (k->fence->order != f->fence->order || k->fence->scope != f->fence->scope ||
	                 k->before != f->before))
		explore_need_agent(x, thread);
	if (!k->fence)
		k->fenced = new_vector(x);
	k->fence = f->fence;
	k->before = f->before;
	x->vectors[k->fenced][thread] = f->fence_epoch;
	f->fence = NULL;
}

void explore_follower_learns(explorer *x, uint32_t thread, const explore_knowledge *k)
{
	explore_follower *f = &x->followers[thread];
	explore_state both;

	if (!k->is_used)
		return;
	/* It has told all that it knows. */
	if (k->state && f->state == k->before) {
		f->state = k->state;
		return;
	}
	both = *f->state;
	weir_model_join_view(x->engine, &both.view, &k->view);
	weir_model_join_cause(&both.cause, &k->cause);
	f->state = explore_new_state(x, &both.view, &both.cause);
}

/* ---- fences ---- */

static explore_fence *last_fence(const explorer *x, uint32_t block)
{
	for (uint32_t i = x->fence_count; i-- > 0;)
		if (x->fences[i].block == block)
			return &x->fences[i];
	return NULL;
}

/* The followers' agent executes it in that state. */
static const explore_state *perform(explorer *x, uint32_t block, const explore_state *before,
                                    const weir_ptx_operation *o, uint32_t crowd)
{
	weir_model_engine *e = x->engine;
	uint32_t slot = block * x->width, clock;
	weir_model_thread *t = &e->threads[slot];
	weir_model_op kept = t->op;
	explore_state s = *before;
	explore_fence *fences;

	clock = t->now.clock[slot];
	s.view.clock[slot] = clock;
	s.cause.index[slot] = t->cause.index[slot];
	s.view.crowd = explore_join_crowd(x, s.view.crowd, crowd);
	t->now = s.view;
	t->cause = s.cause;
	t->op = (weir_model_op){.type = WEIR_OP_FENCE,
	                        .order = WEIR_MODEL_SC,
	                        .scope = (weir_model_scope)o->scope,
	                        .site = &x->sites[o->index]};
	weir_model_perform(e, (int)slot, 0, WEIR_MODEL_NO_NODE);
	t->op = kept;
	s.view = t->now;
	s.view.clock[slot] = clock;
	s.cause = t->cause;
	fences =
	    needed(explore_grown(x, x->fences, x->fence_count, &x->fence_room, sizeof *fences));
	x->fences = fences;
	fences[x->fence_count] = (explore_fence){block, clock, o->order, o->scope, before, NULL};
	fences[x->fence_count].after = explore_new_state(x, &s.view, &s.cause);
	return fences[x->fence_count++].after;
}

void explore_follower_fences(explorer *x, uint32_t thread, const weir_ptx_operation *o)
{
	explore_follower *f = &x->followers[thread];
	uint32_t block = thread / x->m->threads, slot = block * x->width;
	const explore_fence *last = last_fence(x, block);
	const explore_state *before = f->state, *after = NULL;

	if (o->order != WEIR_PTX_SC)
		return;
	for (uint32_t i = 0; i < x->fence_count; i++) {
		const explore_fence *own = &x->fences[i];
		if (own->block == block && own->before == before && own->order == o->order &&
		    own->scope == o->scope && !after)
			after = own->after;
	}
	if (!after && last && before->view.clock[slot] < last->clock)
		explore_need_agent(x, thread);
	if (!after)
		after = perform(x, block, before, o, 0);
	f->fence = o;
	f->before = before;
	f->fence_epoch = f->epoch++;
	f->state = after;
}

void explore_finish(explorer *x, uint32_t block, explore_knowledge *k)
{
	const explore_fence *last = last_fence(x, block);

	if (!k->is_used || !k->own)
		return;
	if (k->fence && last && last->before != k->before)
		explore_fail(x, EXPLORE_BOUND, "fences of threads of a block in different states");
	if (k->fence) {
		const explore_state *after = perform(x, block, k->before, k->fence, k->fenced);
		weir_model_join_view(x->engine, &k->view, &after->view);
		weir_model_join_cause(&k->cause, &after->cause);
	}
	k->view.crowd = explore_join_crowd(x, k->view.crowd, k->own);
	k->own = 0;
	k->fence = NULL;
	k->before = k->state;
	k->state = explore_new_state(x, &k->view, &k->cause);
}

/* ---- agents ---- */

static void assign(explorer *x, uint32_t block)
{
	uint32_t slot = block * x->width, first = block * x->m->threads;
	int all = x->count <= EXPLORE_ALL_AGENTS;

	for (uint32_t i = slot; i < slot + x->width; i++) {
		x->agents[i].block = block;
		x->agents[i].thread_number = EXPLORE_NONE;
		x->agents[i].is_idle = i > slot;
	}
	slot += !all;
	for (uint32_t i = first; i < first + x->m->threads; i++) {
		uint64_t *bits = &x->following[block * PTX_BLOCK_WORDS + (i - first) / 64];
		x->slot_of[i] = EXPLORE_NONE;
		*bits |= UINT64_C(1) << ((i - first) % 64);
		if (!all && !x->is_agent[i])
			continue;
		*bits &= ~(UINT64_C(1) << ((i - first) % 64));
		x->agents[slot].thread_number = i;
		x->agents[slot].is_idle = 0;
		x->slot_of[i] = slot++;
	}
}

int explore_choose_agents(explorer *x)
{
	uint32_t most = 0, total = 0;

	for (uint32_t b = 0; b < x->m->blocks; b++) {
		uint32_t count = 0;
		for (uint32_t i = b * x->m->threads; i < (b + 1) * x->m->threads; i++)
			count += x->is_agent[i];
		most = count > most ? count : most;
		total += count;
	}
	x->width = x->count <= EXPLORE_ALL_AGENTS ? x->m->threads : most + 1;
	x->agent_count = x->m->blocks * x->width;
	if (x->agent_count > WEIR_MODEL_AGENTS) {
		snprintf(
		    x->result->bound, sizeof x->result->bound,
		    "%u threads that access shared words, up to %u in a block: at most %u in each "
		    "are explored",
		    total, most, WEIR_MODEL_AGENTS / x->m->blocks - 1);
		return 0;
	}
	for (uint32_t b = 0; b < x->m->blocks; b++)
		assign(x, b);
	return 1;
}

void explore_begin_follow(explorer *x)
{
	static const weir_model_view view;
	static const weir_model_cause cause;
	const explore_state *start;

	x->vector_count = x->state_count = x->fence_count = 0;
	memset(x->joins, 0, EXPLORE_JOINS * sizeof *x->joins);
	new_vector(x);
	start = explore_new_state(x, &view, &cause);
	for (uint32_t i = 0; i < x->count; i++)
		x->followers[i] = (explore_follower){.state = start, .epoch = 1};
}

void explore_free_follow(explorer *x)
{
	for (uint32_t i = 0; i < x->vector_room; i++)
		free(x->vectors[i]);
	for (uint32_t i = 0; i < x->state_room; i++)
		free(x->states[i]);
	free(x->vectors);
	free(x->states);
	free(x->joins);
	free(x->fences);
	free(x->is_agent);
	free(x->slot_of);
	free(x->followers);
	free(x->following);
}
