/* The inside of the engine, for the two files that work on it. */
#ifndef WEIR_SIM_STATE_H
#define WEIR_SIM_STATE_H

#include "../model/fiber.h"
#include "engine.h"
#include "sim/machine.h"
#include "src/core/status.h"

/* An access on its way to memory. */
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

typedef struct weir_sim_thread {
	weir_fiber fiber;
	double clock;
	double arrival; /* of its last access: the next one comes no earlier */
	uint32_t block;
	uint32_t id;
	uint64_t result;
	weir_sim_accesses accesses; /* of the part of an operation that it is in */
} weir_sim_thread;

typedef struct weir_sim_engine {
	weir_sim_run *run;
	weir_fiber scheduler;
	weir_sim_thread *threads; /* the threads of block 0 first */
	uint32_t thread_count;
	weir_sim_thread *self; /* the one that runs */
	weir_sim_place *heap;  /* the places of the events, the earliest first */
	weir_sim_event *slots; /* the events */
	uint32_t *free_slots;
	size_t events;
	size_t free_count;
	size_t room;  /* of all three */
	int has_hole; /* the first place is of an event that was taken out */
	uint64_t issued;
	weir_sim_line *lines;
	size_t line_count;
	uint32_t at_sync; /* threads of block 0 that have come to a sync */
	double sync_time; /* when the last of them came */
	uint64_t served;
	double now;       /* of the access that was served last */
	double half_time; /* when the second half began */
	int no_memory;
	int stopped;      /* by the watch */
	weir_fault fault; /* that ends the run */
} weir_sim_engine;

extern _Thread_local weir_sim_engine *weir_sim_current;

/* The value of a word, without an event. */
uint64_t weir_sim_peek(const void *word, int bits);
void weir_sim_poke(void *word, int bits, uint64_t value);
void weir_sim_push(weir_sim_engine *e, const weir_sim_event *new);
weir_sim_class weir_sim_class_of(weir_sim_op op);
/* Back to the scheduler, until it resumes the thread. */
void weir_sim_suspend(weir_sim_engine *e);

#endif
