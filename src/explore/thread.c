#include <stdio.h>
#include <string.h>

#include "explore/parts.h"
#include "model/memory.h"

#define MOST_BRANCHES (1 << 22) /* backward, without an access */
#define MOST_EVENTS                                                                                \
	(1 << 20) /* of a thread in a launch; most are accesses that no other thread shares */

/* ---- what threads know of each other ---- */

static void tell(const explore_agent *a, explore_knowledge *k)
{
	weir_model_engine *e = a->x->engine;
	weir_model_thread *t = &e->threads[a->number];

	if (!k->is_used)
		memset(k, 0, sizeof *k);
	k->is_used = 1;
	weir_model_join_view(e, &k->view, &t->now);
	weir_model_join_cause(&k->cause, &t->cause);
	t->now.clock[a->number]++;
}

static void learn(const explore_agent *a, const explore_knowledge *k)
{
	weir_model_engine *e = a->x->engine;
	weir_model_thread *t = &e->threads[a->number];

	if (!k->is_used)
		return;
	weir_model_join_view(e, &t->now, &k->view);
	weir_model_join_cause(&t->cause, &k->cause);
}

static explore_agent *agent_of(const explorer *x, const weir_ptx_thread *t)
{
	return &x->agents[t->block->index * x->m->threads + t->index];
}

static uint32_t cluster_of(const explorer *x, const weir_ptx_thread *t)
{
	return t->block->index / x->m->cluster_size;
}

static void meet_warp(explorer *x, weir_ptx_thread *const *threads, unsigned count)
{
	explore_knowledge all = {0};

	for (unsigned k = 0; k < count; k++)
		tell(agent_of(x, threads[k]), &all);
	for (unsigned k = 0; k < count; k++)
		learn(agent_of(x, threads[k]), &all);
}

weir_ptx_end explore_meet(void *context, weir_ptx_thread *const *threads, unsigned count,
                          const weir_ptx_operation *o, weir_ptx_result *result)
{
	explorer *x = context;
	explore_knowledge *k;

	(void)result;
	if (!count)
		return WEIR_PTX_DONE;
	if (o->kind == WEIR_PTX_WARP_SYNC || o->kind == WEIR_PTX_WARP_EXCHANGE) {
		if (o->flags & WEIR_PTX_HAS_MASK)
			meet_warp(x, threads, count);
		return WEIR_PTX_DONE;
	}
	if (o->kind == WEIR_PTX_CLUSTER_ARRIVE || o->kind == WEIR_PTX_CLUSTER_WAIT) {
		k = &x->clusters[2 * cluster_of(x, threads[0])];
		k[1] = k[0];
		k[0].is_used = 0;
		k++;
	} else {
		k = &x->barriers[threads[0]->block->index * EXPLORE_BARRIERS +
		                 threads[0]->operand[0] % EXPLORE_BARRIERS];
	}
	for (unsigned i = 0; i < count; i++)
		learn(agent_of(x, threads[i]), k);
	if (k >= x->barriers && k < x->barriers + (size_t)x->m->blocks * EXPLORE_BARRIERS)
		k->is_used = 0;
	return WEIR_PTX_DONE;
}

/* ---- going on and waiting ---- */

static void park(explore_agent *a)
{
	static const weir_model_site site = {"", "", "waits", "", 0};
	const weir_model_op op = {.type = WEIR_OP_PARK, .scope = WEIR_MODEL_SYSTEM, .site = &site};

	a->is_parked = 1;
	weir_model_step(a->x->engine, &op);
}

/* Threads that no longer wait. */
static int wake(explorer *x)
{
	int any = 0;

	for (uint32_t i = 0; i < x->count; i++) {
		explore_agent *a = &x->agents[i];
		if (!a->is_parked || (a->thread && a->thread->state != WEIR_PTX_RUNNABLE) ||
		    (!a->thread && !weir_ptx_thread_at(x->m, i / x->m->threads, i % x->m->threads)))
			continue;
		a->is_parked = 0;
		weir_model_unpark(x->engine, i);
		any = 1;
	}
	return any;
}

int explore_idle(void *context)
{
	explorer *x = context;
	int any = 0;

	for (uint32_t k = 0; k < x->m->live_count; k++)
		any |= weir_ptx_converge(x->m->live[k]);
	return any && wake(x);
}

static void open_blocks(explorer *x)
{
	weir_ptx_machine *m = x->m;

	while (x->next_cluster * m->cluster_size < m->blocks &&
	       x->open_blocks + m->cluster_size <= m->launch.resident) {
		if (!weir_ptx_block_open(m, x->next_cluster)) {
			x->no_memory = 1;
			return;
		}
		x->next_cluster++;
		m->started++;
		x->open_blocks += m->cluster_size;
	}
}

/* As a machine that has just been made. */
void explore_begin_launch(explorer *x)
{
	weir_ptx_machine *m = x->m;

	while (m->live_count)
		weir_ptx_block_close(m, m->live[m->live_count - 1]);
	m->started = m->finished = 0;
	m->epoch = 1;
	m->instructions = m->jumped = 0;
	m->failed = false;
	m->result.end = WEIR_PTX_DONE;
	m->result.text[0] = 0;
	if (m->workspace) {
		explore_remember(x, (uint8_t *)(uintptr_t)m->workspace, 8);
		*(uint64_t *)(uintptr_t)m->workspace = 8;
	}
	x->live = x->count;
	x->next_cluster = x->open_blocks = 0;
	for (uint32_t b = 0; b < m->blocks; b++)
		x->live_of[b] = m->threads;
	for (uint32_t i = 0; i < x->count; i++)
		x->agents[i].thread = NULL;
	for (uint32_t k = 0; k < m->blocks * EXPLORE_BARRIERS; k++)
		x->barriers[k].is_used = 0;
	for (uint32_t k = 0; k < 2 * m->blocks; k++)
		x->clusters[k].is_used = 0;
	open_blocks(x);
}

static void fault(explorer *x)
{
	explore_end end = x->m->result.end == WEIR_PTX_UNSUPPORTED ? EXPLORE_BOUND : EXPLORE_FAULT;

	explore_fail(x, end, "%s", x->m->result.text);
}

static void synchronize(explore_agent *a, weir_ptx_event *event)
{
	explorer *x = a->x;
	weir_ptx_thread *t = a->thread;
	explore_knowledge *k = NULL;
	weir_ptx_answered answer;

	if (event->kind == WEIR_PTX_BAR_SYNC || event->kind == WEIR_PTX_BAR_ARRIVE)
		k = &x->barriers[t->block->index * EXPLORE_BARRIERS +
		                 event->value[0] % EXPLORE_BARRIERS];
	else if (event->kind == WEIR_PTX_CLUSTER_ARRIVE)
		k = &x->clusters[2 * cluster_of(x, t)];
	if (k)
		tell(a, k);
	answer = weir_ptx_serve(t, event);
	if (event->kind == WEIR_PTX_CLUSTER_ARRIVE && !t->block->cluster->arrived) {
		k[1] = k[0].is_used ? k[0] : k[1];
		k[0].is_used = 0;
	}
	if (answer == WEIR_PTX_FAULT || x->m->failed)
		fault(x);
	a->read_any = a->read_relaxed = 0;
	wake(x);
	if (t->state != WEIR_PTX_RUNNABLE)
		park(a);
	if (event->kind == WEIR_PTX_CLUSTER_WAIT)
		learn(a, &x->clusters[2 * cluster_of(x, t) + 1]);
	/* From here on the thread may read plainly what others of its block have changed. */
	a->effects += a->block_effects != x->effects_of[t->block->index];
	a->block_effects = x->effects_of[t->block->index];
}

/* ---- accesses ---- */

static const weir_model_order orders[] = {WEIR_MODEL_RLX, WEIR_MODEL_RLX,     WEIR_MODEL_ACQ,
                                          WEIR_MODEL_REL, WEIR_MODEL_ACQ_REL, WEIR_MODEL_SC};

static uint64_t mask_of(const weir_ptx_operation *o)
{
	return ptx_low(o->size >= 8 ? 64 : o->size * 8u);
}

static uint64_t compute(const weir_model_op *op, uint64_t old)
{
	const weir_ptx_operation *o = (const void *)(uintptr_t)op->expected;

	return weir_ptx_rmw(o->what, o->type, old, op->value, 0) & mask_of(o);
}

static weir_model_op operation_of(const explorer *x, const weir_ptx_event *event)
{
	const weir_ptx_operation *o = event->operation;
	weir_model_op op = {.order = orders[o->order],
	                    .scope = o->order == WEIR_PTX_WEAK ? WEIR_MODEL_PLAIN
	                                                       : (weir_model_scope)o->scope,
	                    .site = &x->sites[o->index],
	                    .value = event->value[0] & mask_of(o)};

	if (event->kind == WEIR_PTX_LOAD) {
		op.type = WEIR_OP_LOAD;
		op.value = 0;
	} else if (event->kind == WEIR_PTX_STORE) {
		op.type = WEIR_OP_STORE;
	} else if (o->what == PTX_RMW_CAS) {
		op.type = WEIR_OP_CAS;
		op.expected = op.value;
		op.value = event->value[1] & mask_of(o);
	} else if (o->what == PTX_RMW_EXCH && !(o->flags & WEIR_PTX_NO_RESULT)) {
		op.type = WEIR_OP_XCHG;
	} else {
		op.type = o->flags & WEIR_PTX_NO_RESULT ? WEIR_OP_RED : WEIR_OP_ADD;
		op.compute = compute;
		op.expected = (uint64_t)(uintptr_t)o;
	}
	return op;
}

static void note_read(explore_agent *a, uint32_t location, uint32_t message)
{
	void *reads = explore_grown(a->x, a->reads, a->read_count, &a->read_room, sizeof *a->reads);

	if (!reads)
		return;
	a->reads = reads;
	a->reads[a->read_count].location = location;
	a->reads[a->read_count++].message = message;
}

static void note_effect(explore_agent *a, int has_changed)
{
	a->effects += has_changed != 0;
	a->x->effects_of[a->number / a->x->m->threads] += has_changed != 0;
}

static void note_word(uint32_t *words, uint32_t own)
{
	*words = !*words || *words == own ? own : EXPLORE_NONE;
}

static int has_other(uint32_t words, uint32_t own)
{
	return words && words != own;
}

/* PTX may exchange a read and a later write to another word. A circle of such pairs is load buffering, unless every read
 * acquires and every write releases. */
static void note_buffering(explore_agent *a, const weir_model_op *op)
{
	uint32_t own = op->location + 1;

	if (weir_model_writes(op->type) && has_other(a->read_any, own)) {
		a->may_buffer = 1;
		a->may_buffer_alone |=
		    !(op->order & WEIR_MODEL_REL) || has_other(a->read_relaxed, own);
	}
	if (op->scope == WEIR_MODEL_PLAIN || !weir_model_reads(op->type) || op->type == WEIR_OP_RED)
		return;
	note_word(&a->read_any, own);
	if (!(op->order & WEIR_MODEL_ACQ))
		note_word(&a->read_relaxed, own);
}

static void leave(explore_agent *a)
{
	weir_model_engine *e = a->x->engine;
	const weir_model_op none = {.type = WEIR_OP_NONE, .scope = WEIR_MODEL_SYSTEM};

	e->threads[a->number].state = WEIR_MODEL_FUTILE;
	weir_model_step(e, &none);
}

/* A step of the search. */
static void share(explore_agent *a, weir_ptx_event *event, const explore_word *w)
{
	explorer *x = a->x;
	weir_model_engine *e = x->engine;
	weir_model_op op = operation_of(x, event);
	const weir_model_event *made;

	op.location = w->location;
	a->poll = NULL;
	if (op.scope != WEIR_MODEL_PLAIN && weir_model_reads(op.type)) {
		if (x->in_loop[event->operation->index] && explore_returns(a, event))
			leave(a);
		explore_begin_poll(a, event);
		op.poll = a->poll ? &a->poll->base : NULL;
	}
	event->value[0] = weir_model_step(e, &op);
	made = &e->events[e->event_count];
	if (weir_model_reads(op.type))
		note_read(a, op.location, made->message);
	note_effect(a, made->put && (op.type == WEIR_OP_STORE || made->wrote != made->result));
	a->poll = NULL;
	note_buffering(a, &op);
	weir_ptx_pass(a->thread, event);
}

static void note_thread(explore_agent *a, explore_word *w, int writes)
{
	w->threads |= UINT64_C(1) << a->number;
	w->is_written |= writes;
	if (w->location == EXPLORE_NONE && w->is_written && w->threads & (w->threads - 1))
		explore_fail(a->x, EXPLORE_GROWN, "another word is shared");
}

/* The word of exactly these bytes, or NULL; none that only overlaps it may be shared. */
static explore_word *word_of(explore_agent *a, const weir_ptx_event *event, int is_strong)
{
	explorer *x = a->x;
	const weir_ptx_operation *o = event->operation;
	uint64_t space = explore_space_of(x, event), last = event->address + event->bytes - 1;
	explore_word *found = NULL;

	for (uint64_t number = event->address / 8; number <= last / 8; number++) {
		explore_granule *g = explore_granule_at(x, space, number);
		for (uint32_t i = g ? g->word : EXPLORE_NONE; i != EXPLORE_NONE;) {
			explore_word *w = &x->words[i];
			i = w->next;
			if (w->address > last || w->address + w->size <= event->address)
				continue;
			if (w->address == event->address && w->size == event->bytes &&
			    o->count == 1) {
				found = w;
				continue;
			}
			if (w->location != EXPLORE_NONE || is_strong ||
			    w->threads & ~(UINT64_C(1) << a->number))
				explore_fail(x, EXPLORE_BOUND,
				             "accesses of different sizes to a word that threads "
				             "share");
		}
	}
	return found;
}

static explore_word *new_word(explore_agent *a, const weir_ptx_event *event)
{
	explorer *x = a->x;
	uint64_t space = explore_space_of(x, event);
	explore_granule *g = explore_granule_at(x, space, event->address / 8);
	explore_word *words =
	    explore_grown(x, x->words, x->word_count, &x->word_room, sizeof *words);

	if (!g || !words)
		return NULL;
	x->words = words;
	words[x->word_count] = (explore_word){.space = space,
	                                      .address = event->address,
	                                      .size = event->bytes,
	                                      .next = g->word,
	                                      .location = EXPLORE_NONE};
	g->word = x->word_count;
	x->has_new_words = 1;
	return &words[x->word_count++];
}

static void access_memory(explore_agent *a, weir_ptx_event *event)
{
	explorer *x = a->x;
	weir_ptx_thread *t = a->thread;
	const weir_ptx_operation *o = event->operation;
	const ptx_access *access = &x->m->program->accesses.at[o->index];
	int is_strong = o->order != WEIR_PTX_WEAK, writes = event->kind != WEIR_PTX_LOAD;
	unsigned align = event->kind == WEIR_PTX_RMW ? o->size : event->bytes;
	uint8_t *bytes = weir_ptx_bytes(t, access, event->space, event->owner, event->address,
	                                event->bytes, align, writes, event->kind != WEIR_PTX_STORE);
	explore_word *w;
	uint64_t epoch = x->m->epoch;

	if (!bytes)
		fault(x);
	/* It is gone when its block ends, in whatever order. */
	if (event->space == WEIR_PTX_SHARED && event->owner != t->block->index)
		explore_fail(x, EXPLORE_BOUND, "the shared memory of another block");
	w = word_of(a, event, is_strong);
	if (is_strong && !w) {
		if (o->count > 1 || o->size > 8)
			explore_fail(x, EXPLORE_BOUND, "strong accesses of vectors or of 128 bits");
		w = new_word(a, event);
		if (!w)
			explore_fail(x, EXPLORE_BOUND, "memory: there is none left");
	}
	if (w)
		note_thread(a, w, writes);
	if (w && w->location != EXPLORE_NONE) {
		share(a, event, w);
		return;
	}
	if (w && x->in_loop[o->index] && event->kind != WEIR_PTX_STORE &&
	    explore_returns(a, event)) {
		w->is_awaited = 1;
		explore_fail(x, EXPLORE_GROWN, "a word is awaited");
	}
	if (!w)
		explore_plain(a, event);
	if (writes && event->space == WEIR_PTX_GLOBAL)
		explore_remember(x, bytes, event->bytes);
	if (weir_ptx_serve(t, event) != WEIR_PTX_SERVED)
		fault(x);
	note_effect(a, x->m->epoch != epoch);
}

static void fence(explore_agent *a, const weir_ptx_event *event)
{
	const weir_ptx_operation *o = event->operation;
	weir_model_op op = {.type = WEIR_OP_FENCE,
	                    .order = orders[o->order],
	                    .scope = (weir_model_scope)o->scope,
	                    .site = &a->x->sites[o->index]};

	if (o->proxy == WEIR_PTX_PROXY_GENERIC) {
		weir_model_step(a->x->engine, &op);
		a->read_any = a->read_relaxed = 0;
	}
	weir_ptx_pass(a->thread, event);
}

/* ---- a thread ---- */

static int run_once(explore_agent *a)
{
	explorer *x = a->x;
	weir_ptx_event event;
	weir_ptx_kind kind;

	if (++a->events > MOST_EVENTS) {
		explore_fail(x, EXPLORE_BOUND, "more than %d accesses of a thread", MOST_EVENTS);
		return 0;
	}

	a->thread->quiet = INT32_MIN;
	kind = weir_ptx_exec_events(a->thread, MOST_BRANCHES, &event);
	x->has_clock |= a->thread->clock && x->m->program->clock_matters;
	switch (kind) {
	case WEIR_PTX_LOAD:
	case WEIR_PTX_STORE:
	case WEIR_PTX_RMW:
		access_memory(a, &event);
		break;
	case WEIR_PTX_FENCE:
		fence(a, &event);
		break;
	case WEIR_PTX_BAR_SYNC:
	case WEIR_PTX_BAR_ARRIVE:
	case WEIR_PTX_CLUSTER_ARRIVE:
	case WEIR_PTX_CLUSTER_WAIT:
	case WEIR_PTX_WARP_SYNC:
	case WEIR_PTX_WARP_EXCHANGE:
		synchronize(a, &event);
		break;
	case WEIR_PTX_PAUSE:
		weir_ptx_pass(a->thread, &event);
		break;
	case WEIR_PTX_EXIT:
		if (weir_ptx_serve(a->thread, &event) == WEIR_PTX_FAULT || x->m->failed)
			fault(x);
		return 0;
	case WEIR_PTX_FAILED:
		fault(x);
		break;
	case WEIR_PTX_PREEMPTED:
		explore_fail(x, EXPLORE_BOUND,
		             "a loop of more than %d rounds without a shared access",
		             MOST_BRANCHES);
		break;
	case WEIR_PTX_COPY:
	case WEIR_PTX_COPY_COMMIT:
	case WEIR_PTX_COPY_WAIT:
		explore_fail(x, EXPLORE_BOUND, "asynchronous copies");
		break;
	default:
		explore_fail(x, EXPLORE_BOUND, "mbarriers");
		break;
	}
	return 1;
}

static void end_block(explore_agent *a)
{
	explorer *x = a->x;

	x->live--;
	if (--x->live_of[a->number / x->m->threads] == 0) {
		x->open_blocks--;
		open_blocks(x);
	}
	wake(x);
}

void explore_body(void *context)
{
	explorer *x = context;
	explore_agent *a = &x->agents[x->engine->current];

	for (uint32_t launch = 0; launch < x->setup->check->launches; launch++) {
		while (
		    x->launch_number < launch ||
		    !weir_ptx_thread_at(x->m, a->number / x->m->threads, a->number % x->m->threads))
			park(a);
		a->thread =
		    weir_ptx_thread_at(x->m, a->number / x->m->threads, a->number % x->m->threads);
		if (launch)
			learn(a, &x->ended[(launch - 1) % 2]);
		a->events = 0;
		while (run_once(a))
			;
		if (launch + 1 < x->setup->check->launches)
			tell(a, &x->ended[launch % 2]);
		end_block(a);
		if (x->live == 0 && launch + 1 < x->setup->check->launches) {
			x->launch_number++;
			x->ended[x->launch_number % 2].is_used = 0;
			explore_begin_launch(x);
			wake(x);
		}
	}
}
