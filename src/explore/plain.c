#include <stdlib.h>
#include <string.h>

#include "explore/parts.h"
#include "model/scopes.h"

uint64_t explore_space_of(const explorer *x, const weir_ptx_event *event)
{
	return event->space == WEIR_PTX_SHARED
	           ? 1 + (uint64_t)event->owner + ((uint64_t)x->launch_number << 32)
	           : 0;
}

/* ---- granules ---- */

static explore_granule *find(explore_granule *table, uint32_t room, uint64_t space, uint64_t number)
{
	uint64_t hash =
	    (number ^ space * UINT64_C(0xff51afd7ed558ccd)) * UINT64_C(0x9e3779b97f4a7c15);
	uint32_t at = (uint32_t)(hash >> 32) & (room - 1);

	while (table[at].number && (table[at].number != number || table[at].space != space))
		at = (at + 1) & (room - 1);
	return &table[at];
}

static int grow_table(explorer *x)
{
	uint32_t room = x->granule_room ? 2 * x->granule_room : 1024;
	explore_granule *table = calloc(room, sizeof *table);

	if (!table) {
		x->no_memory = 1;
		return 0;
	}
	for (uint32_t i = 0; i < x->granule_room; i++)
		if (x->granules[i].number)
			*find(table, room, x->granules[i].space, x->granules[i].number) =
			    x->granules[i];
	free(x->granules);
	x->granules = table;
	x->granule_room = room;
	return 1;
}

explore_granule *explore_granule_at(explorer *x, uint64_t space, uint64_t number)
{
	explore_granule *g;

	if (2 * x->granule_count >= x->granule_room && !grow_table(x))
		return NULL;
	g = find(x->granules, x->granule_room, space, number + 1);
	if (!g->number) {
		*g = (explore_granule){.space = space, .number = number + 1, .word = EXPLORE_NONE};
		x->granule_count++;
	}
	return g;
}

/* ---- races ---- */

static int is_known(const explorer *x, const weir_model_view *view, const explore_record *r)
{
	uint32_t slot = x->slot_of[r->thread];

	return r->clock <=
	       (slot == EXPLORE_NONE ? x->vectors[view->crowd][r->thread] : view->clock[slot]);
}

static int is_ordered(const explorer *x, const weir_model_view *view, const explore_record *r)
{
	weir_model_view known;

	if (is_known(x, view, r))
		return 1;
	known = *view;
	weir_model_ptx_know_view(x->engine, &known);
	return is_known(x, &known, r);
}

/* Lanes of a warp that write the same value by one store, as compilers have them do. */
static int is_one_store(const explorer *x, const explore_record *a, const explore_record *b)
{
	uint32_t threads = x->m->threads;

	return a->writes && b->writes && a->site == b->site && a->value == b->value &&
	       a->thread / threads == b->thread / threads &&
	       a->thread % threads / PTX_WARP == b->thread % threads / PTX_WARP;
}

static void report(explorer *x, const explore_granule *g, const explore_record *first,
                   const explore_record *second)
{
	uint8_t both = first->mask & second->mask;

	x->race_site[0] = first->site;
	x->race_site[1] = second->site;
	x->race_thread[0] = first->thread;
	x->race_thread[1] = second->thread;
	x->race_writes[0] = first->writes;
	x->race_writes[1] = second->writes;
	x->race_space = g->space;
	x->race_address = (g->number - 1) * 8 + (uint32_t)__builtin_ctz(both);
	explore_fail(x, EXPLORE_RACE, "a race between plain accesses");
}

static void check_record(explorer *x, explore_granule *g, const explore_record *own)
{
	const weir_model_view *view = explore_view_of(x, own->thread);
	uint32_t kept = 0;

	if (g->execution != x->execution) {
		g->execution = x->execution;
		g->count = 0;
		g->is_written = 0;
	}
	g->is_written |= own->writes;
	/* Reads do not race with each other. Only the last one is looked at. */
	if (!g->is_written && g->count)
		kept = g->count - 1;
	for (uint32_t i = kept; i < g->count; i++) {
		const explore_record *r = &g->records[i];
		int same = r->thread == own->thread;
		if (!same && r->mask & own->mask && (r->writes || own->writes) &&
		    !is_ordered(x, view, r) && !is_one_store(x, r, own))
			report(x, g, r, own);
		/* A write stands for all that it is ordered behind. */
		if ((own->writes || (same && !r->writes)) && !(r->mask & ~own->mask) &&
		    (same || is_known(x, view, r)))
			continue;
		g->records[kept++] = *r;
	}
	g->count = kept;
	explore_record *records = explore_grown(x, g->records, g->count, &g->room, sizeof *records);
	if (!records)
		return;
	g->records = records;
	g->records[g->count++] = *own;
}

void explore_plain(explorer *x, uint32_t thread, const weir_ptx_event *event)
{
	uint64_t space = explore_space_of(x, event), end = event->address + event->bytes;
	uint32_t slot = x->slot_of[thread];
	explore_record own = {.thread = thread,
	                      .writes = event->kind != WEIR_PTX_LOAD,
	                      .clock = slot == EXPLORE_NONE
	                                   ? x->followers[thread].epoch
	                                   : x->engine->threads[slot].now.clock[slot],
	                      .site = event->operation->index,
	                      .value = event->kind == WEIR_PTX_STORE ? event->value[0] : 0};

	for (uint64_t at = event->address; at < end; at = (at / 8 + 1) * 8) {
		explore_granule *g = explore_granule_at(x, space, at / 8);
		uint64_t last = (at / 8 + 1) * 8 < end ? (at / 8 + 1) * 8 : end;
		if (!g)
			return;
		own.mask = (uint8_t)(((1u << (last - at)) - 1) << at % 8);
		check_record(x, g, &own);
	}
}

/* ---- going back ---- */

static void keep(explorer *x, uint8_t *at, uint32_t bytes)
{
	explore_undo *undo = explore_grown(x, x->undo, x->undo_count, &x->undo_room, sizeof *undo);

	if (!undo)
		return;
	x->undo = undo;
	undo[x->undo_count].at = at;
	undo[x->undo_count].bytes = bytes;
	memcpy(undo[x->undo_count++].old, at, bytes);
}

/* Global memory that is about to change. Its shadow has already been marked, which does no harm: all executions
 * write the same bytes, or the race check finds a read of other ones. */
void explore_remember(explorer *x, uint8_t *at, uint32_t bytes)
{
	for (; bytes > 8; bytes -= 8, at += 8)
		keep(x, at, 8);
	keep(x, at, bytes);
}

void explore_restore(explorer *x)
{
	while (x->undo_count) {
		const explore_undo *u = &x->undo[--x->undo_count];
		memcpy(u->at, u->old, u->bytes);
	}
}
