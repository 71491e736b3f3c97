/* Accesses on their way to memory: a queue of them by time, and what each does on arrival. */
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

/* An event's key in the queue: its time, then the order of issue. */
typedef struct weir_sim_place {
	double time;
	uint64_t order; /* of issue; the slot's number is in the lower bits */
} weir_sim_place;

#define WEIR_SIM_SLOT_BITS 24

/* An empty queue is all zeros. */
typedef struct weir_sim_queue {
	weir_sim_place *heap;  /* the keys of the events, earliest first */
	weir_sim_event *slots; /* the events */
	uint32_t *free_slots;
	size_t events;
	size_t free_count;
	size_t room;  /* capacity of all three arrays */
	int has_hole; /* the first key belongs to an event that was taken out */
	uint64_t issued;
} weir_sim_queue;

/* Returns 0, or -1 if out of memory. */
int weir_sim_queue_push(weir_sim_queue *q, const weir_sim_event *new);
/* The earliest event, or NULL. It stays valid until the next call. */
weir_sim_event *weir_sim_queue_pop(weir_sim_queue *q);
void weir_sim_queue_free(weir_sim_queue *q);

/* The value of a word, without an event. */
uint64_t weir_sim_peek(const void *word, int bits);
void weir_sim_poke(void *word, int bits, uint64_t value);

/* Performs the access and returns the old value. Accesses are served in the order of arrival. */
uint64_t weir_sim_apply(const weir_sim_event *a);

#endif
