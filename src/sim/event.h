/* Accesses on their way to memory: the queue of them by time, and what each does when it is there. */
#ifndef WEIR_SIM_EVENT_H
#define WEIR_SIM_EVENT_H

#include <stddef.h>
#include <stdint.h>

#include "sim/machine.h"

typedef struct weir_sim_event {
	double time;
	void *word;
	int bits;
	weir_sim_op op;
	uint64_t value;
	uint64_t expected;
	uint32_t thread;
} weir_sim_event;

/* Where an event stands in the queue: by its time, then by the order of issue. */
typedef struct weir_sim_place {
	double time;
	uint64_t order; /* of issue, above the number of the event's slot */
} weir_sim_place;

#define WEIR_SIM_SLOT_BITS 24

/* All zeros: an empty one. */
typedef struct weir_sim_queue {
	weir_sim_place *heap;  /* the places of the events, the earliest first */
	weir_sim_event *slots; /* the events */
	uint32_t *free_slots;
	size_t events;
	size_t free_count;
	size_t room;  /* of all three */
	int has_hole; /* the first place is of an event that was taken out */
	uint64_t issued;
} weir_sim_queue;

/* 0, or -1 without memory. */
int weir_sim_queue_push(weir_sim_queue *q, const weir_sim_event *new);
/* The earliest event, or NULL. It stays where it is until the next call. */
weir_sim_event *weir_sim_queue_pop(weir_sim_queue *q);
void weir_sim_queue_free(weir_sim_queue *q);

/* The value of a word, without an event. */
uint64_t weir_sim_peek(const void *word, int bits);
void weir_sim_poke(void *word, int bits, uint64_t value);

/* Makes the access, and returns the old value. The order of arrival is the order of service. */
uint64_t weir_sim_apply(const weir_sim_event *a);

#endif
