#include "ptx/steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/machine.h"

#define STEPS 24 /* that are kept of each block */
#define LANES 8  /* blocks that a finding shows */
#define MARKS 4
#define REMEMBERED 1024 /* blocks of a grid that all stay */

typedef struct step {
	uint64_t number; /* of the event, from 1 on; 0: none */
	uint64_t space, address, old, value;
	uint32_t thread, site, bytes;
	uint32_t times;   /* further ones in a row by the same thread */
	uint32_t threads; /* that take part, or do the same in a row */
	uint8_t is_own;   /* of a scene: nothing is counted into it */
	uint8_t is_meeting;
	uint8_t is_end; /* of a block: `site` is not set, and `place` is */
	weir_ptx_site place;
} step;

typedef struct ring {
	step at[STEPS];
	uint32_t count; /* all that there were */
} ring;

typedef struct mark {
	uint64_t number;
	unsigned scene, role;
} mark;

/* A scene's own steps, and the rings as they were when its last access was made. */
typedef struct picture {
	step own[MARKS];
	step *steps;
	unsigned count;
	int is_taken;
} picture;

struct ptx_steps {
	const weir_ptx_machine *machine;
	const weir_ptx_observer *inner;
	weir_ptx_observer observer;
	const ptx_namer *namer;
	const ptx_scene *scenes;
	picture *pictures;
	unsigned scene_count;
	mark *marks; /* by number */
	unsigned mark_count, next_mark;
	ring **rings; /* of each block; NULL: it has done nothing, or is forgotten */
	uint64_t number;
	uint64_t operand[2]; /* of the event that is being served */
	int failed;
};

static const char *const roles[MARKS] = {"earlier", "later", "release", "acquire"};

/* ---- recording ---- */

static int is_marked(const ptx_steps *t)
{
	return t->next_mark < t->mark_count && t->marks[t->next_mark].number == t->number;
}

static int is_shown(const weir_ptx_event *event)
{
	const weir_ptx_operation *o = event->operation;

	switch (event->kind) {
	case WEIR_PTX_LOAD:
	case WEIR_PTX_STORE:
	case WEIR_PTX_RMW:
		return o->order != WEIR_PTX_WEAK;
	case WEIR_PTX_FENCE:
	case WEIR_PTX_BAR_ARRIVE:
	case WEIR_PTX_CLUSTER_ARRIVE:
	case WEIR_PTX_MBAR_INIT:
	case WEIR_PTX_MBAR_INVAL:
	case WEIR_PTX_MBAR_ARRIVE:
	case WEIR_PTX_MBAR_TEST:
	case WEIR_PTX_COPY:
	case WEIR_PTX_COPY_COMMIT:
	case WEIR_PTX_COPY_WAIT:
		return 1;
	default:
		return 0;
	}
}

/* The same again, by the same thread or by another one of the block. */
static int is_repeated(const step *last, const step *now)
{
	return !last->is_end && last->site == now->site && last->is_meeting == now->is_meeting;
}

static int is_of_warps(const ptx_steps *t, const step *s)
{
	return t->machine->program->accesses.at[s->site].operation.kind == WEIR_PTX_WARP_SYNC;
}

static void push(ptx_steps *t, const step *now, int is_own)
{
	ring **at = &t->rings[now->thread / t->machine->threads], *r = *at;
	step *last;

	if (!r)
		r = *at = calloc(1, sizeof *r);
	if (!r) {
		t->failed = 1;
		return;
	}
	last = &r->at[(r->count + STEPS - 1) % STEPS];
	if (is_own || !r->count || last->is_own || !is_repeated(last, now)) {
		r->at[r->count % STEPS] = *now;
		r->at[r->count++ % STEPS].is_own = (uint8_t)is_own;
		return;
	}
	last->number = now->number;
	/* Warps meet one after another. A block meets again and again, as a thread polls. */
	if (is_of_warps(t, now) ||
	    (!now->is_meeting && (last->thread != now->thread || last->threads > 1))) {
		last->threads += now->threads;
	} else {
		last->times++;
		last->value = now->value;
	}
}

static step step_of(const ptx_steps *t, const weir_ptx_thread *thread, const weir_ptx_event *event)
{
	const weir_ptx_operation *o = event->operation;
	uint64_t mask = ptx_low(o->size >= 8 ? 64 : o->size * 8u);
	step s = {.number = t->number,
	          .space = event->space == WEIR_PTX_SHARED ? 1 + (uint64_t)event->owner : 0,
	          .address = event->address,
	          .bytes = event->bytes,
	          .thread = thread->block->index * t->machine->threads + thread->index,
	          .site = o->index,
	          .threads = 1};

	s.old = s.value = event->value[0] & mask;
	if (event->kind == WEIR_PTX_RMW && o->size <= 8)
		s.value =
		    weir_ptx_rmw(o->what, o->type, s.old, t->operand[0], t->operand[1]) & mask;
	return s;
}

/* Keeps the steps of the blocks that count: those of the accesses, then those that did something last. */
static void take(ptx_steps *t, unsigned scene);

static void record(ptx_steps *t, const weir_ptx_thread *thread, const weir_ptx_event *event)
{
	int is_own = is_marked(t);
	step s;

	if (!is_own && !is_shown(event))
		return;
	s = step_of(t, thread, event);
	push(t, &s, is_own);
	for (; is_marked(t); t->next_mark++) {
		const mark *m = &t->marks[t->next_mark];
		t->pictures[m->scene].own[m->role] = s;
		if (m->role == 1)
			take(t, m->scene);
	}
}

static uint64_t last_number(const ring *r)
{
	return r->count ? r->at[(r->count - 1) % STEPS].number : 0;
}

/* The blocks of a scene, the most important one first; returns how many. */
static unsigned lanes_of(const ptx_steps *t, unsigned scene, uint32_t *lanes)
{
	const weir_check_finding *f = t->scenes[scene].finding;
	unsigned count = 0;

	for (unsigned k = 0; k < f->accesses; k++)
		if (!count || lanes[0] != f->access[k].block)
			lanes[count++] = f->access[k].block;
	while (count < LANES) {
		uint32_t best = t->machine->blocks;
		for (uint32_t b = 0; b < t->machine->blocks; b++) {
			int is_in = !t->rings[b];
			for (unsigned k = 0; k < count; k++)
				is_in |= lanes[k] == b;
			if (!is_in && (best == t->machine->blocks ||
			               last_number(t->rings[b]) > last_number(t->rings[best])))
				best = b;
		}
		if (best == t->machine->blocks)
			break;
		lanes[count++] = best;
	}
	return count;
}

static void take(ptx_steps *t, unsigned scene)
{
	picture *p = &t->pictures[scene];
	uint32_t lanes[LANES];
	unsigned count = lanes_of(t, scene, lanes);

	p->is_taken = 1;
	p->steps = calloc((size_t)count * STEPS + MARKS, sizeof *p->steps);
	if (!p->steps) {
		t->failed = 1;
		return;
	}
	for (unsigned k = 0; k < count; k++) {
		const ring *r = t->rings[lanes[k]];
		for (uint32_t i = r && r->count > STEPS ? r->count - STEPS : 0; r && i < r->count;
		     i++)
			p->steps[p->count++] = r->at[i % STEPS];
	}
	/* An access may be so old that its block's ring has lost it. */
	for (unsigned role = 0; role < MARKS; role++) {
		int is_there = !p->own[role].number;
		for (unsigned i = 0; i < p->count; i++)
			is_there |= p->steps[i].number == p->own[role].number;
		if (!is_there)
			p->steps[p->count++] = p->own[role];
	}
}

/* A large grid's blocks are forgotten when they end, except those that a finding is about. */
static void forget(ptx_steps *t, uint32_t block)
{
	if (t->machine->blocks <= REMEMBERED)
		return;
	for (unsigned i = 0; i < t->scene_count; i++) {
		const weir_check_finding *f = t->scenes[i].finding;
		for (unsigned k = 0; k < f->accesses; k++)
			if (f->access[k].block == block)
				return;
	}
	free(t->rings[block]);
	t->rings[block] = NULL;
}

static weir_ptx_end before(void *context, weir_ptx_thread *thread, const weir_ptx_event *event,
                           weir_ptx_result *result)
{
	ptx_steps *t = context;

	t->number++;
	t->operand[0] = event->value[0];
	t->operand[1] = event->value[1];
	while (t->next_mark < t->mark_count && t->marks[t->next_mark].number < t->number)
		t->next_mark++;
	if (event->kind == WEIR_PTX_EXIT && thread->block->live == 1) {
		step s = {.number = t->number,
		          .thread = thread->block->index * t->machine->threads + thread->index,
		          .threads = 1,
		          .is_end = 1};
		weir_ptx_thread_site(thread, &s.place);
		push(t, &s, 1);
		forget(t, thread->block->index);
	}
	return t->inner->before(t->inner->context, thread, event, result);
}

static weir_ptx_end after(void *context, weir_ptx_thread *thread, const weir_ptx_event *event,
                          weir_ptx_result *result)
{
	ptx_steps *t = context;

	record(t, thread, event);
	return t->inner->after(t->inner->context, thread, event, result);
}

static weir_ptx_end meet(void *context, weir_ptx_thread *const *threads, unsigned count,
                         const weir_ptx_operation *o, weir_ptx_result *result)
{
	ptx_steps *t = context;

	if (o->kind == WEIR_PTX_BAR_SYNC || o->kind == WEIR_PTX_CLUSTER_WAIT ||
	    o->kind == WEIR_PTX_WARP_SYNC) {
		step s = {.number = t->number,
		          .thread =
		              threads[0]->block->index * t->machine->threads + threads[0]->index,
		          .site = o->index,
		          .threads = count,
		          .is_meeting = 1};
		push(t, &s, 0);
	}
	return t->inner->meet(t->inner->context, threads, count, o, result);
}

static int access_bytes(void *context, weir_ptx_thread *thread, weir_ptx_event *event,
                        uint8_t *bytes)
{
	ptx_steps *t = context;

	return t->inner->access(t->inner->context, thread, event, bytes);
}

/* ---- telling ---- */

static const char *verb_of(const weir_ptx_operation *o)
{
	static const char *const verbs[] = {[PTX_RMW_ADD] = "adds to",
	                                    [PTX_RMW_INC] = "increments",
	                                    [PTX_RMW_DEC] = "decrements",
	                                    [PTX_RMW_MIN] = "takes the minimum into",
	                                    [PTX_RMW_MAX] = "takes the maximum into",
	                                    [PTX_RMW_AND] = "ANDs",
	                                    [PTX_RMW_OR] = "ORs",
	                                    [PTX_RMW_XOR] = "XORs",
	                                    [PTX_RMW_EXCH] = "exchanges",
	                                    [PTX_RMW_CAS] = "compares and swaps"};

	return o->what < sizeof verbs / sizeof verbs[0] ? verbs[o->what] : "updates";
}

static const char *number_text(const weir_ptx_operation *o, uint64_t value, char *text,
                               size_t bytes)
{
	const struct ptx_type_row *type = &weir_ptx_types[o->type];
	float single;
	double twice;

	if (type->class == 'f' && type->bits == 32) {
		uint32_t bits = (uint32_t)value;
		memcpy(&single, &bits, sizeof single);
		snprintf(text, bytes, "%g", (double)single);
	} else if (type->class == 'f' && type->bits == 64) {
		memcpy(&twice, &value, sizeof twice);
		snprintf(text, bytes, "%g", twice);
	} else if (type->class == 's' && type->bits < 64 && value >> (type->bits - 1)) {
		snprintf(text, bytes, "%lld", (long long)value - (1ll << type->bits));
	} else {
		snprintf(text, bytes, "%llu", (unsigned long long)value);
	}
	return text;
}

/* ", release, of its block": the order and the scope of a strong access or a fence. */
static const char *order_text(const weir_ptx_operation *o, char *text, size_t bytes)
{
	static const char *const orders[] = {
	    "plain", "relaxed", "acquire", "release", "acquire and release", "seq_cst"};
	static const char *const scopes[] = {"", "block", "cluster", "device", "system"};

	if (o->order == WEIR_PTX_WEAK || o->order > WEIR_PTX_SC)
		snprintf(text, bytes, "plain");
	else if (o->flags & WEIR_PTX_VOLATILE)
		snprintf(text, bytes, "volatile");
	else
		snprintf(text, bytes, "%s, %s scope", orders[o->order], scopes[o->scope]);
	return text;
}

static void tell_access(const weir_ptx_operation *o, const step *s, const char *object, char *text,
                        size_t bytes)
{
	char old[40], new[40], order[60];

	order_text(o, order, sizeof order);
	number_text(o, s->old, old, sizeof old);
	number_text(o, s->value, new, sizeof new);
	if (o->kind == WEIR_PTX_RMW && o->size <= 8)
		snprintf(text, bytes, "%s %s: %s → %s (%s)", verb_of(o), object, old, new, order);
	else if (o->kind == WEIR_PTX_RMW || o->count > 1 || o->size > 8)
		snprintf(text, bytes, "%s %u bytes at %s (%s)",
		         o->kind == WEIR_PTX_LOAD ? "reads" : "writes", s->bytes, object, order);
	else if (o->kind == WEIR_PTX_LOAD)
		snprintf(text, bytes, "reads %s from %s (%s)", new, object, order);
	else
		snprintf(text, bytes, "writes %s to %s (%s)", new, object, order);
}

static void tell_event(const weir_ptx_operation *o, const step *s, const char *object, char *text,
                       size_t bytes)
{
	char order[60];

	switch (o->kind) {
	case WEIR_PTX_LOAD:
	case WEIR_PTX_STORE:
	case WEIR_PTX_RMW:
		tell_access(o, s, object, text, bytes);
		break;
	case WEIR_PTX_FENCE:
		snprintf(text, bytes, "executes a fence (%s)",
		         o->proxy == WEIR_PTX_PROXY_GENERIC ? order_text(o, order, sizeof order)
		                                            : "proxy");
		break;
	case WEIR_PTX_BAR_SYNC:
		snprintf(text, bytes, "pass a block sync");
		break;
	case WEIR_PTX_BAR_ARRIVE:
		snprintf(text, bytes, "arrives at a barrier of the block");
		break;
	case WEIR_PTX_CLUSTER_ARRIVE:
		snprintf(text, bytes, "arrives at the cluster's barrier");
		break;
	case WEIR_PTX_CLUSTER_WAIT:
		snprintf(text, bytes, "pass the cluster's barrier");
		break;
	case WEIR_PTX_WARP_SYNC:
		snprintf(text, bytes, "pass a warp sync");
		break;
	case WEIR_PTX_MBAR_INIT:
		snprintf(text, bytes, "initializes the mbarrier in %s", object);
		break;
	case WEIR_PTX_MBAR_INVAL:
		snprintf(text, bytes, "invalidates the mbarrier in %s", object);
		break;
	case WEIR_PTX_MBAR_ARRIVE:
		snprintf(text, bytes, "arrives at the mbarrier in %s", object);
		break;
	case WEIR_PTX_MBAR_TEST:
		snprintf(text, bytes, "tests the mbarrier in %s: %s", object,
		         s->value ? "its phase is over" : "not yet");
		break;
	case WEIR_PTX_COPY:
		snprintf(text, bytes, "starts a copy of %u bytes to %s", s->bytes, object);
		break;
	case WEIR_PTX_COPY_COMMIT:
		snprintf(text, bytes, "commits its copies");
		break;
	default:
		snprintf(text, bytes, "waits for its copies");
	}
}

static int fill(const ptx_steps *t, const step *s, weir_check_step *to)
{
	const weir_ptx_operation *o = &t->machine->program->accesses.at[s->site].operation;
	weir_ptx_site site = s->place;
	char object[96], text[320] = "ends, the last one of its block";

	if (!s->is_end) {
		weir_ptx_name_object(t->machine, t->namer, s->space, s->address, object,
		                     sizeof object);
		tell_event(o, s, object, text, sizeof text);
		weir_ptx_operation_site(t->machine, o, &site);
	}
	if (s->times)
		snprintf(text + strlen(text), sizeof text - strlen(text), ", %u times",
		         s->times + 1);
	if (s->threads > 1 && !s->is_meeting)
		snprintf(text + strlen(text), sizeof text - strlen(text), ", and %u more such",
		         s->threads - 1);
	weir_ptx_keep_site(t->namer, &site, &to->site);
	to->block = s->thread / t->machine->threads;
	to->thread = s->thread % t->machine->threads;
	to->threads = s->is_meeting ? s->threads : 1;
	to->text = t->namer->keep(t->namer->context, text);
	to->role = "";
	return *to->text ? 0 : -1;
}

static int is_earlier(const void *a, const void *b)
{
	const step *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

/* Threads that cannot go on, those of a block that wait in the same way as one step. */
static unsigned waiting(const ptx_steps *t, const ptx_block *b, weir_check_step *steps,
                        unsigned room)
{
	unsigned count = 0;

	for (uint32_t i = 0; i < b->threads && count < room; i++) {
		const weir_ptx_thread *one = &b->thread[i];
		char text[320], named[300];
		uint32_t like = 0;
		weir_ptx_site site;

		for (uint32_t j = 0; j < b->threads; j++) {
			int is_like =
			    b->thread[j].pc == one->pc && b->thread[j].state == one->state;
			if (is_like && j < i)
				break;
			like += is_like;
		}
		if (one->state == WEIR_PTX_EXITED || !like)
			continue;
		weir_ptx_waits_for(one, text, sizeof text);
		weir_ptx_name_addresses(t->namer, text, named, sizeof named);
		weir_ptx_thread_site(one, &site);
		weir_ptx_keep_site(t->namer, &site, &steps[count].site);
		steps[count].block = b->index;
		steps[count].thread = i;
		steps[count].threads = like;
		/* "thread 3 polls", "4 threads poll" */
		snprintf(text, sizeof text, "%.*s%s%s", (int)strcspn(named, " "), named,
		         like == 1 ? "s" : "", named + strcspn(named, " "));
		steps[count].text = t->namer->keep(t->namer->context, text);
		steps[count++].role = "waits";
	}
	return count;
}

/* What a fault adds to the steps: the access that was not made. */
static void fill_fault(weir_check_finding *f, const ptx_namer *namer)
{
	weir_check_step *to = &f->steps[f->step_count++];
	const char *what = strstr(f->what, ": ");
	char text[sizeof f->what + 16];

	*to = (weir_check_step){.site = f->access[0].site,
	                        .block = f->access[0].block,
	                        .thread = f->access[0].thread,
	                        .threads = 1,
	                        .role = "later"};
	/* Without the place, which the step has anyway. */
	snprintf(text, sizeof text, "stops: %s", what ? what + 2 : f->what);
	if (strrchr(text, '('))
		*strrchr(text, '(') = '\0';
	to->text = namer->keep(namer->context, text);
}

#define WAITS 4 /* ways to wait that are shown of each block */

static int write_steps(ptx_steps *t, unsigned scene)
{
	weir_check_finding *f = t->scenes[scene].finding;
	picture *p = &t->pictures[scene];
	uint32_t lanes[LANES];
	unsigned lane_count;

	if (!p->is_taken)
		take(t, scene);
	if (t->failed)
		return -1;
	qsort(p->steps, p->count, sizeof *p->steps, is_earlier);
	f->steps = calloc(p->count + LANES * WAITS + 1, sizeof *f->steps);
	if (!f->steps)
		return -1;
	for (unsigned i = 0; i < p->count; i++) {
		weir_check_step *to = &f->steps[f->step_count++];
		if (fill(t, &p->steps[i], to) != 0)
			return -1;
		for (unsigned role = 0; role < MARKS; role++)
			if (p->own[role].number == p->steps[i].number && !p->steps[i].is_meeting &&
			    !*to->role)
				to->role = roles[role];
	}
	if (f->kind == WEIR_CHECK_FAULT && f->accesses)
		fill_fault(f, t->namer);
	if (f->kind != WEIR_CHECK_HANG)
		return 0;
	lane_count = lanes_of(t, scene, lanes);
	for (unsigned k = 0; k < lane_count; k++)
		if (t->machine->block[lanes[k]])
			f->step_count += waiting(t, t->machine->block[lanes[k]],
			                         f->steps + f->step_count, WAITS);
	return 0;
}

int weir_ptx_steps_end(ptx_steps *t)
{
	for (unsigned i = 0; i < t->scene_count; i++)
		if (write_steps(t, i) != 0)
			return -1;
	return 0;
}

/* ---- the whole ---- */

static int is_marked_earlier(const void *a, const void *b)
{
	const mark *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

static void set_marks(ptx_steps *t)
{
	for (unsigned i = 0; i < t->scene_count; i++)
		for (unsigned role = 0; role < MARKS; role++)
			if (t->scenes[i].event[role])
				t->marks[t->mark_count++] =
				    (mark){t->scenes[i].event[role], i, role};
	qsort(t->marks, t->mark_count, sizeof *t->marks, is_marked_earlier);
}

ptx_steps *weir_ptx_steps_create(const weir_ptx_machine *m, const weir_ptx_observer *inner,
                                 const ptx_namer *namer, const ptx_scene *scenes, unsigned count)
{
	ptx_steps *t = calloc(1, sizeof *t);

	if (!t)
		return NULL;
	t->machine = m;
	t->inner = inner;
	t->observer = (weir_ptx_observer){
	    t, before, after, meet, inner->access ? access_bytes : NULL, NULL, NULL, NULL};
	t->namer = namer;
	t->scenes = scenes;
	t->scene_count = count;
	t->pictures = calloc(count, sizeof *t->pictures);
	t->marks = calloc((size_t)count * MARKS, sizeof *t->marks);
	t->rings = calloc(m->blocks, sizeof *t->rings);
	if (!t->pictures || !t->marks || !t->rings) {
		weir_ptx_steps_destroy(t);
		return NULL;
	}
	set_marks(t);
	return t;
}

void weir_ptx_steps_destroy(ptx_steps *t)
{
	if (!t)
		return;
	for (unsigned i = 0; t->pictures && i < t->scene_count; i++)
		free(t->pictures[i].steps);
	free(t->pictures);
	free(t->marks);
	for (uint32_t b = 0; t->rings && b < t->machine->blocks; b++)
		free(t->rings[b]);
	free(t->rings);
	free(t);
}

const weir_ptx_observer *weir_ptx_steps_observer(ptx_steps *t)
{
	return &t->observer;
}
