#include "sim/event.h"

#include <stdlib.h>

/* Branch-free: the branch would be unpredictable. */
static inline int earlier(weir_sim_place a, weir_sim_place b)
{
	return (a.time < b.time) | ((a.time == b.time) & (a.order < b.order));
}

static int grow(weir_sim_queue *q)
{
	size_t room = q->room ? 2 * q->room : 256;
	weir_sim_place *heap = realloc(q->heap, room * sizeof *heap);
	weir_sim_event *slots = realloc(q->slots, room * sizeof *slots);
	uint32_t *free_slots = realloc(q->free_slots, room * sizeof *free_slots);

	q->heap = heap ? heap : q->heap;
	q->slots = slots ? slots : q->slots;
	q->free_slots = free_slots ? free_slots : q->free_slots;
	if (!heap || !slots || !free_slots || room > (size_t)1 << WEIR_SIM_SLOT_BITS)
		return -1;
	for (size_t slot = q->room; slot < room; slot++)
		q->free_slots[q->free_count++] = (uint32_t)slot;
	q->room = room;
	return 0;
}

/* Places an entry, moving up from a hole. */
static void rise(weir_sim_place *heap, size_t hole, weir_sim_place place)
{
	while (hole > 0 && earlier(place, heap[(hole - 1) / 2])) {
		heap[hole] = heap[(hole - 1) / 2];
		hole = (hole - 1) / 2;
	}
	heap[hole] = place;
}

/* Fills the hole in the first place. Most entries belong far down, so the hole moves all the way to
 * the bottom. */
static void fill(weir_sim_queue *q, weir_sim_place place)
{
	weir_sim_place *heap = q->heap;
	size_t hole = 0;
	size_t child = 1;

	for (; child + 1 < q->events; child = 2 * hole + 1) {
		child += (size_t)earlier(heap[child + 1], heap[child]);
		heap[hole] = heap[child];
		hole = child;
	}
	if (child < q->events) {
		heap[hole] = heap[child];
		hole = child;
	}
	rise(heap, hole, place);
	q->has_hole = 0;
}

int weir_sim_queue_push(weir_sim_queue *q, const weir_sim_event *new)
{
	weir_sim_place place = {new->time, q->issued++ << WEIR_SIM_SLOT_BITS};
	uint32_t slot;

	if (q->free_count == 0 && grow(q) != 0)
		return -1;
	slot = q->free_slots[--q->free_count];
	q->slots[slot] = *new;
	place.order |= slot;
	if (q->has_hole)
		fill(q, place);
	else
		rise(q->heap, q->events++, place);
	return 0;
}

/* Leaves a hole for the event that usually follows. The event stays valid until the next pop. */
weir_sim_event *weir_sim_queue_pop(weir_sim_queue *q)
{
	uint32_t slot;

	if (q->has_hole && --q->events > 0)
		fill(q, q->heap[q->events]);
	q->has_hole = 0;
	if (q->events == 0)
		return NULL;
	slot = (uint32_t)(q->heap[0].order & (((uint64_t)1 << WEIR_SIM_SLOT_BITS) - 1));
	q->has_hole = 1;
	q->free_slots[q->free_count++] = slot;
	return &q->slots[slot];
}

void weir_sim_queue_free(weir_sim_queue *q)
{
	free(q->heap);
	free(q->slots);
	free(q->free_slots);
}

uint64_t weir_sim_peek(const void *word, int bits)
{
	return bits == 64 ? ((const weir_word64 *)word)->value_ : ((const weir_word *)word)->value_;
}

void weir_sim_poke(void *word, int bits, uint64_t value)
{
	if (bits == 64)
		((weir_word64 *)word)->value_ = value;
	else
		((weir_word *)word)->value_ = (uint32_t)value;
}

uint64_t weir_sim_apply(const weir_sim_event *a)
{
	uint64_t old = weir_sim_peek(a->word, a->bits);

	if (a->op == WEIR_SIM_STORE || a->op == WEIR_SIM_XCHG ||
	    (a->op == WEIR_SIM_CAS && old == a->expected))
		weir_sim_poke(a->word, a->bits, a->value);
	else if (a->op == WEIR_SIM_ADD || a->op == WEIR_SIM_RED_ADD)
		weir_sim_poke(a->word, a->bits, old + a->value);
	return old;
}
