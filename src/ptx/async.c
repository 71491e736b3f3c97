/* Asynchronous copies. A copy is checked where it is issued, and lands later: a small one at the latest when its thread
 * waits for it, a bulk one after a while. So a kernel that lacks a wait sees what the memory held before. With a seed,
 * some copies land at once and others late; with seed 0 all are as late as they may be. */
#include <stdlib.h>
#include <string.h>

#include "ptx/machine.h"

#define LONGEST_FLIGHT 2048 /* instructions of the launch, of a bulk copy */

struct ptx_flight {
	struct ptx_flight *next;
	weir_ptx_event event;
	const ptx_code *pc;
	uint64_t due; /* by m->instructions; UINT64_MAX: until the thread waits */
	uint32_t group;
	bool bulk;
};

static void changed(weir_ptx_thread *t)
{
	t->wrote = true;
	t->machine->epoch++;
}

static void reduce(weir_ptx_thread *t, const weir_ptx_operation *o, unsigned what, uint8_t *to,
                   const uint8_t *from, uint32_t bytes)
{
	for (uint32_t at = 0; at + o->size <= bytes; at += o->size) {
		uint64_t old = 0, x = 0, new;
		memcpy(&old, to + at, o->size);
		memcpy(&x, from + at, o->size);
		new = weir_ptx_rmw(what, o->type, old, x, 0);
		memcpy(to + at, &new, o->size);
	}
	changed(t);
}

/* The bytes of a copy, after all checks. Those of the target are not marked as written before the copy lands. */
static bool find_bytes(weir_ptx_thread *t, const weir_ptx_event *event, bool lands, uint32_t read,
                       uint8_t **to, const uint8_t **from)
{
	const weir_ptx_operation *o = event->operation;
	const ptx_access *access = &t->machine->program->accesses.at[o->index];
	unsigned align = o->what == PTX_COPY_PLAIN ? event->bytes : 16;

	*to = NULL;
	*from = NULL;
	if (read) {
		*from = weir_ptx_bytes(t, access, event->source_space, event->source_owner,
		                       event->source, read, align, false, true);
		if (!*from)
			return false;
	}
	/* source and target seldom share a region */
	t->machine->hints[o->index] = &t->machine->nowhere;
	if (event->bytes) {
		*to = weir_ptx_bytes(t, access, event->space, event->owner, event->address,
		                     event->bytes, align, lands, o->what == PTX_COPY_REDUCE);
		t->machine->hints[o->index] = &t->machine->nowhere;
	}
	return *to || !event->bytes;
}

static uint32_t bytes_read(const weir_ptx_event *event)
{
	bool small = event->operation->what == PTX_COPY_PLAIN;

	return small && event->value[0] < event->bytes ? (uint32_t)event->value[0] : event->bytes;
}

/* From memory to memory; a small copy fills up with zeros. */
static bool copy(weir_ptx_thread *t, const weir_ptx_event *event)
{
	const weir_ptx_operation *o = event->operation;
	uint32_t read = bytes_read(event);
	const uint8_t *from;
	uint8_t *to;

	if (!find_bytes(t, event, true, read, &to, &from))
		return false;
	if (to && o->what == PTX_COPY_REDUCE) {
		reduce(t, o, (unsigned)event->value[1], to, from, event->bytes);
	} else if (to) {
		if (read)
			memmove(to, from, read);
		memset(to + read, 0, event->bytes - read);
		changed(t);
	}
	return t->machine->program->accesses.at[o->index].barrier == PTX_NO_SLOT ||
	       weir_ptx_mbarrier_complete(t, event, event->bytes);
}

/* --- In flight ---------------------------------------------------------------------------------------- */

/* Lands one copy, as if its thread were still at it. */
static bool land(weir_ptx_thread *t, ptx_flight **link)
{
	ptx_flight *flight = *link;
	const ptx_code *pc = t->pc;
	bool wrote = t->wrote, done;

	*link = flight->next;
	t->machine->flights--;
	t->pc = flight->pc;
	done = copy(t, &flight->event);
	t->pc = pc;
	t->wrote = wrote;
	free(flight);
	return done;
}

/* Lands the copies of a thread that belong to a group before `group`, and those that are due. */
static bool land_some(weir_ptx_thread *t, bool bulk, uint32_t group, uint64_t now)
{
	ptx_flight **link = &t->flights;

	while (*link) {
		const ptx_flight *flight = *link;
		if ((flight->bulk == bulk && flight->group < group) || flight->due <= now) {
			if (!land(t, link))
				return false;
		} else {
			link = &(*link)->next;
		}
	}
	return true;
}

bool weir_ptx_land_all(weir_ptx_thread *t)
{
	while (t->flights)
		if (!land(t, &t->flights))
			return false;
	return true;
}

void weir_ptx_forget_flights(weir_ptx_thread *t)
{
	while (t->flights) {
		ptx_flight *flight = t->flights;
		t->flights = flight->next;
		t->machine->flights--;
		free(flight);
	}
}

void weir_ptx_land_due(weir_ptx_machine *m, bool all)
{
	uint64_t next = UINT64_MAX;

	for (uint32_t k = 0; k < m->live_count; k++)
		for (uint32_t i = 0; i < m->live[k]->threads && m->flights; i++) {
			weir_ptx_thread *t = &m->live[k]->thread[i];
			if (!t->flights)
				continue;
			if (!(all ? weir_ptx_land_all(t) : land_some(t, false, 0, m->instructions)))
				return;
			for (const ptx_flight *f = t->flights; f; f = f->next)
				next = f->due < next ? f->due : next;
		}
	m->next_landing = next;
}

static uint64_t hash(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

/* When a copy that is issued now lands; 0 for at once. */
static uint64_t due_of(weir_ptx_machine *m, bool bulk)
{
	uint64_t bits = hash(m->launch.seed * 977 + ++m->departures);

	if (!m->scheduled)
		return 0;
	if (bulk)
		return m->instructions + (m->launch.seed ? bits % LONGEST_FLIGHT : LONGEST_FLIGHT);
	return m->launch.seed && bits & 1 ? 0 : UINT64_MAX;
}

static bool issue(weir_ptx_thread *t, weir_ptx_event *event)
{
	const weir_ptx_operation *o = event->operation;
	bool bulk = o->what != PTX_COPY_PLAIN;
	uint64_t due = due_of(t->machine, bulk);
	ptx_flight *flight, **last = &t->flights;
	const uint8_t *from;
	uint8_t *to;

	event->bytes = bulk ? (uint32_t)event->value[0] : event->bytes;
	if (bulk && event->bytes % 16)
		return weir_ptx_find(t, WEIR_PTX_MISALIGNED,
		                     "a bulk copy of %u bytes, which is no multiple of 16",
		                     event->bytes);
	if (!due)
		return copy(t, event);
	if (!find_bytes(t, event, false, bytes_read(event), &to, &from))
		return false;
	flight = malloc(sizeof *flight);
	if (!flight)
		return weir_ptx_find(t, WEIR_PTX_NO_MEMORY, "no memory for an asynchronous copy");
	*flight = (ptx_flight){NULL, *event, t->pc, due, bulk ? t->bulk_groups : t->groups, bulk};
	while (*last)
		last = &(*last)->next;
	*last = flight;
	t->machine->flights++;
	if (due < t->machine->next_landing)
		t->machine->next_landing = due;
	return true;
}

/* st.async and red.async: from registers. */
static bool store(weir_ptx_thread *t, weir_ptx_event *event)
{
	const weir_ptx_operation *o = event->operation;
	const ptx_access *access = &t->machine->program->accesses.at[o->index];
	uint8_t *to = weir_ptx_bytes(t, access, event->space, event->owner, event->address,
	                             event->bytes, event->bytes, true, o->what == PTX_COPY_RED);

	if (!to)
		return false;
	for (unsigned k = 0; k < o->count; k++) {
		uint64_t value = event->value[k], old = 0;
		if (o->what == PTX_COPY_RED) {
			memcpy(&old, to, o->size);
			value = weir_ptx_rmw((unsigned)event->value[1], o->type, old, value, 0);
		}
		memcpy(to + k * o->size, &value, o->size);
	}
	changed(t);
	return weir_ptx_mbarrier_complete(t, event, event->bytes);
}

/* wait_group n: all but the newest n groups have landed; wait_all, which has no operand: all copies. */
static bool wait_for(weir_ptx_thread *t, const weir_ptx_event *event)
{
	bool bulk = event->operation->proxy == WEIR_PTX_PROXY_ASYNC;
	uint32_t groups = bulk ? t->bulk_groups : t->groups, late = (uint32_t)event->value[0];

	if (!t->machine->program->accesses.at[event->operation->index].inputs)
		return land_some(t, bulk, UINT32_MAX, 0);
	return land_some(t, bulk, late < groups ? groups - late : 0, 0);
}

bool weir_ptx_land_small(weir_ptx_thread *t)
{
	return land_some(t, false, UINT32_MAX, 0);
}

weir_ptx_answered weir_ptx_serve_copy(weir_ptx_thread *t, weir_ptx_event *event)
{
	unsigned what = event->operation->what;
	bool done = true;

	if (event->kind == WEIR_PTX_COPY_WAIT)
		done = wait_for(t, event);
	else if (event->kind == WEIR_PTX_COPY_COMMIT)
		*(event->operation->proxy == WEIR_PTX_PROXY_ASYNC ? &t->bulk_groups : &t->groups) +=
		    1;
	else
		done = what == PTX_COPY_STORE || what == PTX_COPY_RED ? store(t, event)
		                                                      : issue(t, event);
	if (!done)
		return WEIR_PTX_FAULT;
	weir_ptx_pass(t, event);
	return WEIR_PTX_SERVED;
}
