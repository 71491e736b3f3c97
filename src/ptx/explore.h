/* One execution of an exploration: the order of the strong accesses to words that several blocks share is chosen. */
#ifndef WEIR_PTX_EXPLORE_H
#define WEIR_PTX_EXPLORE_H

#include "ptx/event.h"
#include "ptx/watch.h"

#define PTX_STEPS 64 /* of an execution that are kept for its trace */

/* A word, by a number that is the same in each execution. */
typedef struct ptx_shared {
	uint64_t key; /* 0: none */
	uint32_t block; /* the first one that accessed it */
	int is_shared, is_written;
	int branches;    /* its accesses are chosen */
	uint64_t writes, changes; /* in this execution */
} ptx_shared;

typedef struct ptx_step {
	uint32_t block, thread;
	const weir_ptx_operation *operation;
	weir_ptx_space space;
	uint32_t owner;
	uint64_t address, value;
} ptx_step;

typedef struct ptx_schedule {
	ptx_choices *choices;
	uint32_t bound; /* 1 + the preemptions that are allowed; 0: all */
	void (*name)(void *context, uint64_t address, char *text, size_t bytes);
	void *name_context;
	ptx_shared *words;
	size_t word_count, word_room;
	uint8_t *branches; /* of each thread of the grid: it accesses such words, so its fences are chosen, too */
	int has_grown;  /* there are more shared words than the search began with */
	int is_cut;     /* the bound left choices out */
	int is_bounded; /* the execution was not run to its end */
	int failed;
	const char *unsupported; /* what an exploration does not do, as a text; NULL: nothing was met */
	int is_futile; /* the execution repeats a poll that read an older value: another one goes without it */
	ptx_step steps[PTX_STEPS];
	uint32_t step_count;
} ptx_schedule;

ptx_shared *weir_ptx_shared_at(ptx_schedule *schedule, uint64_t key);
weir_status weir_ptx_explore_run(weir_ptx_machine *machine, const weir_ptx_observer *observer,
                                 ptx_schedule *schedule, weir_ptx_result *result);

#endif
