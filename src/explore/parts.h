/* Shared by the files of the exploration. */
#ifndef WEIR_EXPLORE_PARTS_H
#define WEIR_EXPLORE_PARTS_H

#include "explore/explore.h"
#include "model/engine.h"
#include "ptx/event.h"
#include "ptx/exec.h"
#include "ptx/machine.h"

#define EXPLORE_BARRIERS 16
#define EXPLORE_NONE UINT32_MAX

/* A word that some thread accesses strongly. It stays known from one search to the next. */
typedef struct explore_word {
	uint64_t space,
	    address; /* space 0: global memory; others: the shared memory of a block, in a launch */
	uint32_t size, next; /* next: in its granule */
	uint32_t thread;     /* that accessed it first */
	int is_of_several;   /* other threads have, too */
	uint32_t location;   /* in this search; EXPLORE_NONE: a single thread has it */
	int is_written;
	int is_awaited; /* by a thread that alone has accessed it so far */
} explore_word;

typedef struct explore_record {
	uint8_t mask, writes;
	uint32_t thread, clock, site;
	uint64_t value;
} explore_record;

/* Eight bytes of memory: the words in it, and the plain accesses of this execution. */
typedef struct explore_granule {
	uint64_t space, number; /* number: the address / 8, plus 1; 0: free */
	uint64_t execution;     /* of the records */
	uint32_t word;
	uint32_t count, room;
	int is_written; /* by one of the records */
	explore_record *records;
} explore_granule;

typedef struct explore_undo {
	uint8_t *at;
	uint8_t old[8];
	uint32_t bytes;
} explore_undo;

/* What threads without an agent know. Many share one. */
typedef struct explore_state {
	weir_model_view view;
	weir_model_cause cause;
} explore_state;

typedef struct explore_knowledge {
	int is_used;
	weir_model_view view;
	weir_model_cause cause;
	uint32_t own;               /* the vector of the followers' own progress; 0: none */
	const explore_state *state; /* the last one that was added */
	/* A fence.sc that followers executed, in which state, and their progress before it. */
	const weir_ptx_operation *fence;
	const explore_state *before;
	uint32_t fenced;
} explore_knowledge;

/* A thread that makes no step of the search: see follow.c. */
typedef struct explore_follower {
	const explore_state *state;
	uint32_t epoch; /* of its plain accesses */
	uint32_t rounds;
	/* Its last fence.sc since it last met others. */
	const weir_ptx_operation *fence;
	const explore_state *before;
	uint32_t fence_epoch;
} explore_follower;

/* A fence.sc that all followers of a block in that state share. */
typedef struct explore_fence {
	uint32_t block, clock;
	uint8_t order, scope;
	const explore_state *before, *after;
} explore_fence;

typedef struct explore_join {
	uint32_t a, b, result;
} explore_join;

#define EXPLORE_JOINS 1024
#define EXPLORE_ALL_AGENTS 16 /* in smaller launches every thread is an agent */

/* A read in a loop, as long as its execution lasts. */
typedef struct explore_poll {
	weir_model_poll base;
	struct explore_agent *agent;
	weir_ptx_event event;
	uint64_t hash; /* of the live state */
	size_t bytes;
	/* The state in which later rounds repeat: see poll.c. */
	void *chain;
	size_t chain_bytes;
	weir_ptx_event chain_event;
	uint32_t chain_site;
	uint64_t chain_hash;
	struct explore_poll *next;
	_Alignas(16) char state[];
} explore_poll;

/* The last time that a thread was at a strong read. */
typedef struct explore_visit {
	uint64_t execution, hash;
	uint32_t effects, reads;
} explore_visit;

typedef struct explore_agent {
	struct explorer *x;
	uint32_t number; /* of its thread in the search */
	uint32_t block,
	    thread_number; /* in the grid; EXPLORE_NONE: it stands for the followers of its block */
	uint8_t is_idle;   /* it stands for no thread */
	uint8_t is_parked, may_buffer, may_buffer_alone;
	uint8_t has_read_plainly, may_buffer_plainly; /* a word with strong accesses */
	/* 1 + the word of its reads since the last fence, and of those that are relaxed; EXPLORE_NONE: several */
	uint32_t read_any, read_relaxed;
	uint32_t read_ever; /* the same, whatever fences came behind */
	weir_ptx_thread *thread;
	explore_poll *poll;     /* of the read that it is about to make */
	uint32_t events;        /* of the interpreter, in this launch */
	uint32_t effects;       /* writes that changed something, in this execution */
	uint32_t block_effects; /* of its block when it last passed a barrier */
	uint32_t read_count, read_room, futile_from;
	struct {
		uint32_t location, message;
	} * reads;             /* of this execution */
	explore_visit *visits; /* by accesses */
} explore_agent;

typedef struct explore_known {
	uint64_t hash, value;
	uint32_t site;
	uint8_t is_set, ends, has_next;
	uint64_t next;
} explore_known;

#define EXPLORE_KNOWN 4096

typedef enum explore_end {
	EXPLORE_NOTHING,
	EXPLORE_RACE,  /* between plain accesses */
	EXPLORE_FAULT, /* the machine's result says which */
	EXPLORE_WRONG,
	EXPLORE_BOUND, /* `text` says what is not explored */
	EXPLORE_GROWN  /* another word is shared: the search begins again */
} explore_end;

typedef struct explorer {
	const weir_explore_setup *setup;
	weir_explore_result *result;
	weir_check *check;
	weir_model_engine *engine;
	weir_ptx_kernel *kernel;
	weir_ptx_launch launch;
	weir_ptx_machine *m;
	weir_ptx_observer observer;
	uint32_t count;              /* threads of the grid */
	uint32_t width, agent_count; /* agents of each block, and of all */
	uint8_t *is_agent;           /* of each thread; stays from one search to the next */
	uint32_t *slot_of;           /* the agent of each thread, or EXPLORE_NONE */
	explore_follower *followers; /* by threads */
	uint64_t *following;         /* bits of the followers of each block */
	explore_state **states;
	uint32_t state_count, state_room;
	uint32_t **vectors; /* the progress of all followers; number 0 is none */
	uint32_t vector_count, vector_room;
	explore_join *joins;
	explore_fence *fences;
	uint32_t fence_count, fence_room;
	explore_agent *agents;
	uint32_t launch_number, live, next_cluster, open_blocks;
	uint32_t *live_of;    /* threads of each block */
	uint32_t *effects_of; /* of the threads of each block, together */

	explore_word *words;
	uint32_t word_count, word_room;
	explore_granule *granules;
	uint32_t granule_count, granule_room;
	int has_new_words, has_clock;

	uint8_t *in_loop;   /* of each access */
	uint8_t *is_single; /* of each access: the rounds of its loop differ */
	weir_model_site *sites;
	char (*names)[24];
	explore_poll *polls;
	explore_known *known;
	explore_undo *undo;
	uint32_t undo_count, undo_room;
	explore_knowledge *barriers; /* of each block and number */
	explore_knowledge *
	    clusters; /* what arrived at each cluster's barrier, and what the last phase passed on */
	explore_knowledge ended[2]; /* what the threads of every second launch knew in the end */

	uint64_t execution;
	double began;
	explore_end end;
	char text[2048];
	uint32_t race_site[2], race_thread[2], race_writes[2];
	uint64_t race_space, race_address;
	int no_memory;
} explorer;

/* Ends this execution. Returns only where no thread runs. */
void explore_fail(explorer *x, explore_end end, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void *explore_grown(explorer *x, void *array, uint32_t count, uint32_t *room, size_t size);

/* explore.c */
double explore_now(void);

/* thread.c */
void explore_body(void *context);
int explore_idle(void *context);
void explore_begin_launch(explorer *x);
weir_ptx_end explore_meet(void *context, weir_ptx_thread *const *threads, unsigned count,
                          const weir_ptx_operation *operation, weir_ptx_result *result);

/* follow.c */
int explore_choose_agents(explorer *x);
void explore_begin_follow(explorer *x);
void explore_free_follow(explorer *x);
uint32_t explore_join_crowd(void *context, uint32_t a, uint32_t b);
int explore_follows(const explorer *x, uint32_t thread);
const weir_model_view *explore_view_of(const explorer *x, uint32_t thread);
const explore_state *explore_new_state(explorer *x, const weir_model_view *view,
                                       const weir_model_cause *cause);
void explore_follower_tells(explorer *x, uint32_t thread, explore_knowledge *k, int is_of_block);
void explore_follower_learns(explorer *x, uint32_t thread, const explore_knowledge *k);
void explore_follower_fences(explorer *x, uint32_t thread, const weir_ptx_operation *o);
/* All that will be told has been. */
void explore_finish(explorer *x, uint32_t block, explore_knowledge *k);
/* The thread must take part in the search, which begins again. */
void explore_need_agent(explorer *x, uint32_t thread);

/* poll.c: strong reads in a loop. Whether the thread was at this read in this state before, so that its last round
 * changed nothing. */
int explore_returns(explore_agent *a, const weir_ptx_event *event);
void explore_begin_poll(explore_agent *a, const weir_ptx_event *event);
void explore_find_loops(explorer *x);
void explore_free_polls(explorer *x);

/* plain.c */
explore_granule *explore_granule_at(explorer *x, uint64_t space, uint64_t number);
uint64_t explore_space_of(const explorer *x, const weir_ptx_event *event);
void explore_plain(explorer *x, uint32_t thread, const weir_ptx_event *event);
void explore_remember(explorer *x, uint8_t *at, uint32_t bytes);
void explore_restore(explorer *x);

/* show.c */
void explore_show(explorer *x);

#endif
