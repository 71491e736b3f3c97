#include <stdio.h>
#include <string.h>

#include "explore/parts.h"
#include "model/memory.h"

#define MOST_ROUNDS 64 /* of a thread without an agent in loops with strong accesses */
#define MOST_INSTRUCTIONS (UINT64_C(1) << 28) /* of an execution */
#define MOST_BRANCHES (1 << 22)               /* backward, without a step of the search */
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

static uint32_t number_of(const explorer *x, const weir_ptx_thread *t)
{
	return t->block->index * x->m->threads + t->index;
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

static void thread_tells(explorer *x, const weir_ptx_thread *t, explore_knowledge *k,
                         int is_of_block)
{
	uint32_t thread = number_of(x, t);

	if (explore_follows(x, thread))
		explore_follower_tells(x, thread, k, is_of_block);
	else
		tell(&x->agents[x->slot_of[thread]], k);
}

static void thread_learns(explorer *x, const weir_ptx_thread *t, explore_knowledge *k)
{
	uint32_t thread = number_of(x, t);

	if (explore_follows(x, thread))
		explore_follower_learns(x, thread, k);
	else
		learn(&x->agents[x->slot_of[thread]], k);
}

static uint32_t cluster_of(const explorer *x, const weir_ptx_thread *t)
{
	return t->block->index / x->m->cluster_size;
}

static void meet_warp(explorer *x, weir_ptx_thread *const *threads, unsigned count)
{
	explore_knowledge all = {0};

	int has_agent = 0;

	for (unsigned k = 0; k < count; k++)
		has_agent |= !explore_follows(x, number_of(x, threads[k]));
	for (unsigned k = 0; k < count; k++)
		thread_tells(x, threads[k], &all, !has_agent);
	explore_finish(x, threads[0]->block->index, &all);
	for (unsigned k = 0; k < count; k++)
		thread_learns(x, threads[k], &all);
}

/* Values pass from lane to lane, and no order of memory. */
static void exchange(explorer *x, weir_ptx_thread *const *threads, unsigned count)
{
	weir_model_cause all = {{0}};

	for (unsigned k = 0; k < count; k++) {
		uint32_t thread = number_of(x, threads[k]);
		weir_model_join_cause(&all, explore_follows(x, thread)
		                                ? &x->followers[thread].state->cause
		                                : &x->engine->threads[x->slot_of[thread]].cause);
	}
	for (unsigned k = 0; k < count; k++) {
		uint32_t thread = number_of(x, threads[k]);
		explore_follower *f = &x->followers[thread];
		if (!explore_follows(x, thread))
			weir_model_join_cause(&x->engine->threads[x->slot_of[thread]].cause, &all);
		else if (memcmp(&f->state->cause, &all, sizeof all) != 0)
			f->state = explore_new_state(x, &f->state->view, &all);
	}
}

weir_ptx_end explore_meet(void *context, weir_ptx_thread *const *threads, unsigned count,
                          const weir_ptx_operation *o, weir_ptx_result *result)
{
	explorer *x = context;
	explore_knowledge *k;

	(void)result;
	if (!count)
		return WEIR_PTX_DONE;
	if (o->kind == WEIR_PTX_WARP_EXCHANGE) {
		exchange(x, threads, count);
		return WEIR_PTX_DONE;
	}
	if (o->kind == WEIR_PTX_WARP_SYNC) {
		if (o->flags & WEIR_PTX_HAS_MASK)
			meet_warp(x, threads, count);
		return WEIR_PTX_DONE;
	}
	if (o->kind == WEIR_PTX_CLUSTER_ARRIVE || o->kind == WEIR_PTX_CLUSTER_WAIT) {
		k = &x->clusters[2 * cluster_of(x, threads[0])];
		explore_finish(x, threads[0]->block->index, k);
		k[1] = k[0];
		k[0].is_used = 0;
		k++;
	} else {
		k = &x->barriers[threads[0]->block->index * EXPLORE_BARRIERS +
		                 threads[0]->operand[0] % EXPLORE_BARRIERS];
		explore_finish(x, threads[0]->block->index, k);
	}
	for (unsigned i = 0; i < count; i++)
		thread_learns(x, threads[i], k);
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

static weir_ptx_thread *thread_of(const explore_agent *a)
{
	return weir_ptx_thread_at(a->x->m, a->block, a->thread_number % a->x->m->threads);
}

/* A follower of its block that can go on, or NULL. */
static weir_ptx_thread *next_follower(const explore_agent *a)
{
	ptx_block *b = a->x->m->block[a->block];

	for (uint32_t w = 0; b && w < PTX_BLOCK_WORDS; w++) {
		uint64_t bits = b->runnable[w] & a->x->following[a->block * PTX_BLOCK_WORDS + w];
		if (bits)
			return &b->thread[w * 64 + (uint32_t)__builtin_ctzll(bits)];
	}
	return NULL;
}

static int can_run(const explore_agent *a)
{
	if (a->thread_number == EXPLORE_NONE)
		return next_follower(a) != NULL;
	return a->thread ? a->thread->state == WEIR_PTX_RUNNABLE : thread_of(a) != NULL;
}

/* Threads that no longer wait. */
static int wake(explorer *x)
{
	int any = 0;

	for (uint32_t i = 0; i < x->agent_count; i++) {
		explore_agent *a = &x->agents[i];
		if (!a->is_parked || !can_run(a))
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
	for (uint32_t i = 0; i < x->agent_count; i++)
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
		thread_tells(x, t, k,
		             k < x->clusters || k >= x->clusters + 2 * (size_t)x->m->blocks);
	answer = weir_ptx_serve(t, event);
	if (event->kind == WEIR_PTX_CLUSTER_ARRIVE && !t->block->cluster->arrived) {
		explore_finish(x, t->block->index, k);
		k[1] = k[0].is_used ? k[0] : k[1];
		k[0].is_used = 0;
	}
	if (answer == WEIR_PTX_FAULT || x->m->failed)
		fault(x);
	wake(x);
	if (explore_follows(x, number_of(x, t))) {
		if (event->kind == WEIR_PTX_CLUSTER_WAIT && t->state == WEIR_PTX_RUNNABLE)
			thread_learns(x, t, &x->clusters[2 * cluster_of(x, t) + 1]);
		return;
	}
	a->read_any = a->read_relaxed = 0;
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
	a->x->effects_of[a->block] += has_changed != 0;
}

static void note_word(uint32_t *words, uint32_t own)
{
	*words = !*words || *words == own ? own : EXPLORE_NONE;
}

static int has_other(uint32_t words, uint32_t own)
{
	return words && words != own;
}

/* Reads of another thread come before a write where a barrier of their block lies between. */
static int others_have_read(const explore_agent *a, uint32_t own)
{
	const explorer *x = a->x;

	for (uint32_t i = 0; i < x->agent_count; i++)
		if (&x->agents[i] != a && x->agents[i].block == a->block &&
		    has_other(x->agents[i].read_ever, own))
			return 1;
	return 0;
}

/* PTX may exchange a read and a later write to another word. A circle of such pairs is load buffering, unless every read
 * acquires and every write releases. */
static void note_buffering(explore_agent *a, const weir_model_op *op)
{
	uint32_t own = op->location + 1;
	int crosses = weir_model_writes(op->type) && others_have_read(a, own);

	a->may_buffer |= crosses || (weir_model_writes(op->type) && has_other(a->read_ever, own));
	a->may_buffer_alone |= crosses;
	a->may_buffer_plainly |= weir_model_writes(op->type) && a->has_read_plainly;
	a->has_read_plainly |= op->scope == WEIR_MODEL_PLAIN && weir_model_reads(op->type);
	if (weir_model_writes(op->type) && has_other(a->read_any, own)) {
		a->may_buffer_alone |=
		    !(op->order & WEIR_MODEL_REL) || has_other(a->read_relaxed, own);
	}
	if (op->scope == WEIR_MODEL_PLAIN || !weir_model_reads(op->type))
		return;
	note_word(&a->read_any, own);
	note_word(&a->read_ever, own);
	if (!(op->order & WEIR_MODEL_ACQ) && op->type != WEIR_OP_RED)
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

static void note_thread(explorer *x, uint32_t thread, explore_word *w, int writes)
{
	w->is_of_several |= w->thread != thread;
	w->is_written |= writes;
	if (w->location == EXPLORE_NONE && w->is_written && w->is_of_several)
		explore_fail(x, EXPLORE_GROWN, "another word is shared");
}

/* The word of exactly these bytes, or NULL; none that only overlaps it may be shared. */
static explore_word *word_of(explorer *x, uint32_t thread, const weir_ptx_event *event,
                             int is_strong)
{
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
			if (w->location != EXPLORE_NONE || is_strong || w->is_of_several ||
			    w->thread != thread)
				explore_fail(x, EXPLORE_BOUND,
				             "accesses of different sizes to a word that threads "
				             "share");
		}
	}
	return found;
}

static explore_word *new_word(explorer *x, uint32_t thread, const weir_ptx_event *event)
{
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
	                                      .thread = thread,
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
	uint32_t thread = number_of(x, t);
	int follows = explore_follows(x, thread);

	if (!bytes)
		fault(x);
	/* It is gone when its block ends, in whatever order. */
	if (event->space == WEIR_PTX_SHARED && event->owner != t->block->index)
		explore_fail(x, EXPLORE_BOUND, "the shared memory of another block");
	w = word_of(x, thread, event, is_strong);
	if (is_strong && !w) {
		if (o->count > 1 || o->size > 8)
			explore_fail(x, EXPLORE_BOUND, "strong accesses of vectors or of 128 bits");
		w = new_word(x, thread, event);
		if (!w)
			explore_fail(x, EXPLORE_BOUND, "memory: there is none left");
	}
	if (w)
		note_thread(x, thread, w, writes);
	/* It may wait: an agent finds out. */
	if (follows && w &&
	    (w->location != EXPLORE_NONE ||
	     (x->in_loop[o->index] && x->followers[thread].rounds++ > MOST_ROUNDS)))
		explore_need_agent(x, thread);
	if (w && w->location != EXPLORE_NONE) {
		share(a, event, w);
		return;
	}
	if (w && !follows && x->in_loop[o->index] && event->kind != WEIR_PTX_STORE &&
	    explore_returns(a, event)) {
		w->is_awaited = 1;
		explore_fail(x, EXPLORE_GROWN, "a word is awaited");
	}
	if (!w)
		explore_plain(x, thread, event);
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

	if (o->proxy == WEIR_PTX_PROXY_GENERIC &&
	    explore_follows(a->x, number_of(a->x, a->thread))) {
		explore_follower_fences(a->x, number_of(a->x, a->thread), o);
	} else if (o->proxy == WEIR_PTX_PROXY_GENERIC) {
		weir_model_step(a->x->engine, &op);
		if (op.scope >= a->x->engine->widest && op.order >= WEIR_MODEL_ACQ_REL)
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

	if (x->m->instructions > MOST_INSTRUCTIONS)
		explore_fail(x, EXPLORE_BOUND, "an execution of more than %llu instructions",
		             (unsigned long long)MOST_INSTRUCTIONS);
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

static void end_thread(explore_agent *a, uint32_t launch)
{
	explorer *x = a->x;
	int is_last = launch + 1 == x->setup->check->launches;

	x->followers[number_of(x, a->thread)].fence = NULL;
	if (!is_last)
		thread_tells(x, a->thread, &x->ended[launch % 2], 0);
	x->live--;
	if (--x->live_of[a->block] == 0) {
		x->open_blocks--;
		open_blocks(x);
	}
	wake(x);
	if (x->live || is_last)
		return;
	explore_finish(x, a->block, &x->ended[launch % 2]);
	x->launch_number++;
	x->ended[x->launch_number % 2].is_used = 0;
	explore_begin_launch(x);
	wake(x);
}

static void run_followers(explore_agent *a, uint32_t launch)
{
	explorer *x = a->x;
	uint32_t left = 0, first = a->block * x->m->threads;

	for (uint32_t i = first; i < first + x->m->threads; i++) {
		left += explore_follows(x, i) != 0;
		if (launch && explore_follows(x, i))
			explore_follower_learns(x, i, &x->ended[(launch - 1) % 2]);
	}
	while (left) {
		int has_ended = 0;
		a->thread = next_follower(a);
		if (!a->thread) {
			park(a);
			continue;
		}
		while (a->thread->state == WEIR_PTX_RUNNABLE && !has_ended)
			has_ended = !run_once(a);
		if (!has_ended)
			continue;
		left--;
		end_thread(a, launch);
	}
}

void explore_body(void *context)
{
	explorer *x = context;
	explore_agent *a = &x->agents[x->engine->current];

	for (uint32_t launch = 0; launch < x->setup->check->launches && !a->is_idle; launch++) {
		while (x->launch_number < launch || !x->m->block[a->block])
			park(a);
		if (a->thread_number == EXPLORE_NONE) {
			run_followers(a, launch);
			continue;
		}
		a->thread = thread_of(a);
		if (launch)
			learn(a, &x->ended[(launch - 1) % 2]);
		a->events = 0;
		while (run_once(a))
			;
		end_thread(a, launch);
	}
}
