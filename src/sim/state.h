/* Internals of the engine, for the two files that implement it. */
#ifndef WEIR_SIM_STATE_H
#define WEIR_SIM_STATE_H

#include "base/status.h"
#include "fiber/fiber.h"
#include "sim/engine.h"
#include "sim/event.h"
#include "sim/machine.h"

typedef struct weir_sim_thread {
	weir_fiber fiber;
	double clock;
	double arrival; /* of its last access: the next one arrives no earlier */
	uint32_t block;
	uint32_t id;
	uint64_t result;
	weir_sim_accesses accesses; /* of the current part of an operation */
} weir_sim_thread;

typedef struct weir_sim_engine {
	weir_sim_run *run;
	weir_fiber scheduler;
	weir_sim_thread *threads; /* the threads of block 0 first */
	uint32_t thread_count;
	weir_sim_thread *self; /* the running thread */
	weir_sim_queue queue;  /* the accesses in flight */
	weir_sim_line *lines;
	size_t line_count;
	uint32_t at_sync; /* threads of block 0 that have reached a sync */
	double sync_time; /* when the last of them did */
	uint64_t served;
	double now;       /* of the access that was served last */
	double half_time; /* when the second half began */
	int no_memory;
	int stopped;      /* by the watch */
	weir_fault fault; /* the fault that ends the run */
} weir_sim_engine;

extern _Thread_local weir_sim_engine *weir_sim_current;

void weir_sim_push(weir_sim_engine *e, const weir_sim_event *new);
weir_sim_class weir_sim_class_of(weir_sim_op op);
/* Returns to the scheduler, until it resumes the thread. */
void weir_sim_suspend(weir_sim_engine *e);

#endif
