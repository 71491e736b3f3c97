/* The explorer: runs a program of a few threads again and again, each time along another execution
 * of a weak memory, until all executions have been seen.
 *
 * engine.c   the search: which thread runs next, and which choice it makes.
 * memory.c   the effects of one access: histories, views.
 * scopes.c   data races, and what PTX adds: scopes, its patterns, fence.sc.
 * notes.c    the notes of a diagnosis.
 * machine.c  the machine layer over it.
 * program.c  what a program may call besides the machine layer.
 * trace.c    an execution as text.
 */
#ifndef WEIR_MODEL_ENGINE_H
#define WEIR_MODEL_ENGINE_H

#include <stdint.h>

#include "fiber/fiber.h"
#include "model/machine.h"
#include "model/model.h"

#define WEIR_MODEL_NOTES 744 /* words of a diagnosis, behind the memory (model/notes.h) */
#define WEIR_MODEL_ALL_WORDS (WEIR_MODEL_WORDS + WEIR_MODEL_NOTES)
#define WEIR_MODEL_AGENTS 64    /* threads; cases have WEIR_MODEL_THREADS at most */
#define WEIR_MODEL_LOCATIONS 40 /* words in use */
#define WEIR_MODEL_MESSAGES 192 /* writes to one location */
#define WEIR_MODEL_DATA 16      /* plain data */
#define WEIR_MODEL_PLACES 24    /* places of weir_plain_put_ in a block */
#define WEIR_MODEL_SHARED 4     /* words of weir_first_word for each thread */
#define WEIR_MODEL_EVENTS 2048  /* in one execution */
#define WEIR_MODEL_ATTEMPT 16   /* accesses in one attempt of a wait */
#define WEIR_MODEL_OUTCOMES 8

/* Deliberate faults of the explorer, to test its tests. */
enum {
	WEIR_MODEL_BROKEN_ACQUIRE = 1, /* an acquire acquires nothing */
	WEIR_MODEL_BROKEN_APPEND = 2,  /* modification order is the order of execution */
	WEIR_MODEL_BROKEN_RMW = 4,     /* two read-modify-writes may read the same message */
	WEIR_MODEL_BROKEN_WAKES = 8,   /* does not look for lost wake-ups */
	WEIR_MODEL_BROKEN_MEETS = 16,  /* the collectives of the first threads order accesses */
	WEIR_MODEL_BROKEN_SC = 32,     /* fence.sc is fence.acq_rel */
	WEIR_MODEL_BROKEN_LATE = 64,   /* the order of fence.sc is the order of execution */
	WEIR_MODEL_BROKEN_SCOPES = 128 /* all scopes include all threads */
};

typedef enum weir_model_op_type {
	WEIR_OP_NONE, /* the thread has ended */
	WEIR_OP_LOAD,
	WEIR_OP_STORE,
	WEIR_OP_XCHG,
	WEIR_OP_ADD,
	WEIR_OP_CAS,
	WEIR_OP_RED,
	WEIR_OP_FENCE,
	WEIR_OP_ACQUIRE_EACH, /* of `value` words from the location on, `expected` words apart */
	WEIR_OP_SYNC,         /* of `expected` threads, starting at thread `value` of the block */
	WEIR_OP_ARRIVE,       /* at a WEIR_OP_SYNC_REL: the thread goes on */
	WEIR_OP_SYNC_REL, /* of the first `expected` threads, when all others of the block arrive */
	WEIR_OP_MEET,     /* of the same threads as a sync, but it orders nothing */
	WEIR_OP_BARRIER,  /* PTX: at number `value` of the block, of `expected` threads */
	WEIR_OP_BARRIER_ARRIVE, /* the same; the thread goes on */
	WEIR_OP_PARK,           /* until weir_model_unpark */
	WEIR_OP_AWAIT_EQ,
	WEIR_OP_AWAIT_GE,
	WEIR_OP_AWAIT_GE_UNSIGNED,
	WEIR_OP_AWAIT_HIGH_GE, /* the upper half of a 64-bit word */
	WEIR_OP_AWAIT_HIGH_GE_UNSIGNED,
	WEIR_OP_AWAIT_XCHG_EQ,
	WEIR_OP_AWAIT_XCHG_NE,
	WEIR_OP_AGAIN,
	WEIR_OP_CHOOSE, /* `value` ways to go on, whatever the memory holds */
	WEIR_OP_DATA_READ,
	WEIR_OP_DATA_WRITE,
	WEIR_OP_NOTED, /* a word of a diagnosis that is plain data; the site says what the access
	                * was */
	WEIR_OP_NOTE
} weir_model_op_type;

/* A read that may be one of a loop's. A value that only leads back to the same read does not end it,
 * and is not read: an execution without such reads is an execution too. */
typedef struct weir_model_poll {
	int (*ends)(const struct weir_model_poll *poll, uint64_t value);
	/* Two values that end it and lead to the same number, which is not 0, make no difference for the thread. */
	uint64_t (*leads_to)(const struct weir_model_poll *poll, uint64_t value);
} weir_model_poll;

typedef struct weir_model_op {
	weir_model_op_type type;
	weir_model_order order;
	weir_model_scope scope;
	uint32_t location;
	uint64_t value;    /* stored, added or exchanged */
	uint64_t expected; /* compared with, awaited */
	const weir_model_site *site;
	/* The value that an add or a reduction writes over the old one, if it is not the sum; else
	 * NULL. */
	uint64_t (*compute)(const struct weir_model_op *op, uint64_t old);
	const weir_model_poll *poll; /* NULL: every value may be read */
} weir_model_op;

/* What a thread or a message knows: the newest message of each location, by its stamp, and the
 * progress of each thread. */
typedef struct weir_model_view {
	uint32_t seen[WEIR_MODEL_LOCATIONS];
	uint32_t clock[WEIR_MODEL_AGENTS];
	uint32_t
	    crowd; /* what the program's threads that are no agents have done, as its join_crowd numbers it */
} weir_model_view;

/* The events that precede one through program order and reads. For the search, not for the
 * memory. */
typedef struct weir_model_cause {
	uint16_t index[WEIR_MODEL_AGENTS];
} weir_model_cause;

typedef struct weir_model_message {
	uint64_t value; /* of 32 bits, unless the location is wide */
	uint32_t stamp; /* place in modification order */
	uint8_t taken;  /* a read-modify-write follows; nothing may be placed in between */
	uint8_t vain;   /* a futile attempt wrote it and has since restored the value */
	uint8_t writer;
	uint16_t event; /* the event that wrote it, from 1; 0: initial */
	weir_model_view view;
	weir_model_cause cause;
} weir_model_message;

typedef struct weir_model_reader {
	uint16_t
	    node; /* the node of the search that chose it; WEIR_MODEL_NO_NODE: nothing to reorder */
	uint16_t event;
} weir_model_reader;

typedef struct weir_model_location {
	uint32_t word;
	const char *name;
	uint16_t message_count;
	uint16_t reader_count;
	uint16_t newest;  /* last in modification order */
	uint8_t wide;     /* a word of 64 bits */
	uint8_t narrow;   /* the scope of some access excludes a thread of the program */
	uint8_t has_each; /* some thread made a WEIR_OP_ACQUIRE_EACH of it */
	/* The message that each thread's last WEIR_OP_ACQUIRE_EACH acquired, + 1, and its clock. */
	uint16_t each[WEIR_MODEL_AGENTS];
	uint32_t each_clock[WEIR_MODEL_AGENTS];
	weir_model_message messages[WEIR_MODEL_MESSAGES];
	weir_model_reader readers[WEIR_MODEL_EVENTS / 8];
} weir_model_location;

typedef struct weir_model_data {
	uint32_t last_read[WEIR_MODEL_AGENTS];
	uint32_t last_write[WEIR_MODEL_AGENTS];
	uint16_t write_event[WEIR_MODEL_AGENTS];
	uint16_t read_event[WEIR_MODEL_AGENTS];
} weir_model_data;

/* A word of a diagnosis that is plain data. */
typedef struct weir_model_noted {
	uint32_t value;
	uint16_t is_used;   /* in this execution */
	uint16_t is_header; /* the header of an object */
	/* The clock of each thread's last read, write and add. Adds commute. */
	uint32_t last_read[WEIR_MODEL_AGENTS];
	uint32_t last_write[WEIR_MODEL_AGENTS];
	uint32_t last_add[WEIR_MODEL_AGENTS];
} weir_model_noted;

typedef struct weir_model_event {
	weir_model_op op;
	uint8_t thread;
	uint8_t failed; /* compare-and-swap that wrote nothing */
	uint8_t vain;   /* part of a futile attempt */
	uint16_t node;
	uint16_t index;   /* number in its thread, from 1; 0: no access */
	uint16_t reads;   /* the event that wrote what it read; 0: initial */
	uint16_t message; /* the message that it read */
	uint16_t put;     /* the message that it wrote, + 1; 0: none */
	uint64_t result;
	uint64_t wrote;
	weir_model_cause cause;
	/* The progress of its own thread, and that of the others as far as it knew. */
	uint32_t clock[WEIR_MODEL_AGENTS];
	const char *note;
} weir_model_event;

typedef struct weir_model_attempt {
	uint8_t open;
	uint8_t overflow;
	uint8_t count;
	uint8_t opaque; /* attempts so far that had an effect */
	struct {
		uint8_t location;
		uint8_t reads;
		uint8_t writes;
		uint16_t event;
		uint16_t read; /* message */
		uint16_t wrote;
	} access[WEIR_MODEL_ATTEMPT];
} weir_model_attempt;

typedef enum weir_model_state {
	WEIR_MODEL_READY,   /* has an operation to do */
	WEIR_MODEL_IN_SYNC, /* waits for its block or its team */
	WEIR_MODEL_FUTILE,  /* its attempt failed and changed nothing, as if it had not been made */
	WEIR_MODEL_DONE
} weir_model_state;

typedef struct weir_model_thread {
	weir_fiber fiber;
	weir_model_state state;
	weir_model_op op;
	uint64_t result;
	uint32_t block;
	uint32_t thread;
	weir_model_view now;
	weir_model_view pending; /* what relaxed reads found, for an acquire fence */
	weir_model_view polled;  /* what polls found, for weir_poll_acquire */
	weir_model_view arrived; /* its knowledge when it arrived at a WEIR_OP_SYNC_REL */
	uint16_t found[WEIR_MODEL_LOCATIONS]; /* the last message that it read, + 1 */
	weir_model_view released;             /* what a release fence covered, for relaxed writes */
	weir_model_view begun;                /* what a release in two parts covers */
	weir_model_cause cause;
	weir_model_attempt attempt;
	weir_model_op late; /* a store that a mutant put off */
	uint32_t doorway_stamp;
	uint32_t doorway_location;
	uint8_t doorway_open;
	uint8_t has_arrived; /* at a WEIR_OP_SYNC_REL that is not yet complete */
	uint8_t late_now;    /* its last deadline had passed when it looked */
	uint8_t overdue;     /* the same, for the current wait */
	uint8_t fresh;       /* random search: reads only the newest message, after all threads got
	                      * stuck */
	uint8_t sees_abort;
	uint8_t is_woken; /* from a WEIR_OP_PARK, even one that is still to come */
	uint32_t passes;  /* to a collective of the first threads */
	uint64_t area;    /* area of the diagnosed object that it uses; 0: none */
} weir_model_thread;

#define WEIR_MODEL_NO_NODE 0xffff

typedef struct weir_model_node {
	uint8_t thread;
	uint64_t runnable;  /* threads with a choice that was not explored elsewhere */
	uint64_t backtrack; /* threads to explore */
	uint64_t done;
	uint8_t last; /* the previous thread, to count preemptions */
	uint8_t preemptions;
	uint16_t choice;
	uint16_t choices;  /* 0: not yet known */
	uint16_t messages; /* messages of the location when `thread` was about to choose */
	uint16_t floor[WEIR_MODEL_AGENTS];
} weir_model_node;

/* A step of the search, recorded for a replay. */
typedef struct weir_model_move {
	uint8_t thread;
	char what; /* WEIR_MODEL_MOVE_... */
	uint16_t choice;
} weir_model_move;

#define WEIR_MODEL_MOVE_STEP '.'
#define WEIR_MODEL_MOVE_REVIVE '!'
#define WEIR_MODEL_MOVE_FRESH '*' /* a revival that reads only the newest messages */
#define WEIR_MODEL_MOVES (2 * WEIR_MODEL_EVENTS)

typedef struct weir_model_program {
	uint32_t blocks;
	uint32_t threads;                /* in each block */
	void (*setup)(void *context);    /* called before each execution, on its own */
	void (*body)(void *context);     /* called by every thread */
	void (*complete)(void *context); /* called after each execution that ended well; may be
	                                  * NULL */
	/* Called when an attempt of a wait by that thread failed; may be NULL. */
	void (*failed)(void *context, int thread);
	/* The rest is for programs that are not written for the machine layer; all may be NULL.
	 * `over` is called behind each execution: a nonzero result ends the search. `idle`: no thread
	 * can go on, and a nonzero result says that one has been unparked. `is_stuck`: whether that
	 * thread, whose attempt was futile, has seen the newest values. */
	int (*over)(void *context);
	int (*idle)(void *context);
	int (*is_stuck)(void *context, int thread);
	/* The number of what is known if both of these are. */
	uint32_t (*join_crowd)(void *context, uint32_t a, uint32_t b);
	void *context;
	uint32_t cluster;     /* blocks in a cluster; 0: 1 */
	uint32_t first_block; /* the number of the first block: it may be part of a larger grid */
	uint32_t first;       /* threads that share the work of a block (WEIR_FIRST_THREADS); 0:
	                       * 1 */
	/* Words that no thread may touch: from the end of the object up to `hole_end`. */
	uint32_t hole;
	uint32_t hole_end;
	int is_chatty;     /* threads of a block make notes at once: their notes may race */
	int shares_sides;  /* threads of a block take turns on one side of a queue */
	int is_quiet;      /* a wait need not appear in the notes */
	uint32_t waits_in; /* the operations in which the notes may say that a block waits */
	int explores_notes; /* accesses to notes that several threads share are steps (model/notes.h) */
	int aborts;         /* the launch may be aborted at any moment */
	int has_fences;     /* it calls weir_fence_acq_rel, which no algorithm does */
	/* Accesses and fences have the order that PTX gives them, which is more than the contract
	 * of weir/machine.h. */
	int is_ptx;
	uint32_t device; /* clusters in a device; 0: all */
} weir_model_program;

typedef struct weir_model_engine weir_model_engine;
typedef struct weir_model_ptx weir_model_ptx; /* what an execution of PTX needs (scopes.c) */

typedef struct weir_model_setting {
	weir_model_search search;
	uint64_t seed;
	uint64_t bound;
	uint64_t max_executions; /* 0: no limit */
	const char *choices;     /* to replay */
	unsigned broken;
	weir_model_polls polls;
	const weir_model_site *mutant_site;
	weir_model_change mutant_change;
	/* Called for each site that is reached; may be NULL. `followed` is the previous site that
	 * the same thread reached in the same function. */
	void (*reached)(void *context, const weir_model_site *site,
	                const weir_model_site *followed);
	void *reached_context;
	/* Called now and then; a nonzero result stops the search. May be NULL. */
	int (*progress)(void *context, uint64_t executions, uint64_t steps);
	void *progress_context;
} weir_model_setting;

struct weir_model_engine {
	weir_model_program program;
	weir_model_setting setting;
	uint32_t thread_count;
	weir_model_thread threads[WEIR_MODEL_AGENTS];
	weir_fiber scheduler;
	int current; /* thread that runs, -1: none */
	int in_setup;
	int in_grace; /* all threads are stuck: would another attempt help? */
	int stopped;  /* this execution is over */
	weir_model_verdict verdict;
	char message[256];

	_Alignas(8) weir_word words[WEIR_MODEL_ALL_WORDS];
	uint8_t location_of[WEIR_MODEL_ALL_WORDS]; /* index + 1 */
	uint32_t location_count;
	weir_model_location *locations;
	/* Plain data: the words of blocks, and those that the first threads of a block share. */
	weir_model_data
	    data[WEIR_MODEL_DATA + WEIR_MODEL_AGENTS + WEIR_MODEL_AGENTS * WEIR_MODEL_SHARED];
	uint32_t data_count;
	uint32_t plain[WEIR_MODEL_AGENTS][WEIR_MODEL_PLACES];
	uint32_t shared[WEIR_MODEL_AGENTS * WEIR_MODEL_SHARED];
	uint32_t met[WEIR_MODEL_AGENTS]; /* what each thread passed to its last collective */

	weir_model_noted noted[WEIR_MODEL_NOTES];
	uint16_t noted_list[WEIR_MODEL_NOTES]; /* those in use */
	uint32_t noted_count;
	uint32_t faults; /* expected faults of a diagnosed case */

	weir_model_event *events;
	uint32_t event_count;
	weir_model_ptx *ptx;     /* NULL: not PTX */
	weir_model_scope widest; /* the least scope that includes all threads */

	weir_model_node nodes[WEIR_MODEL_EVENTS];
	uint32_t node_count; /* nodes on the stack of the search */
	uint32_t depth;      /* nodes of this execution */
	uint16_t floor[WEIR_MODEL_AGENTS];
	weir_model_move moves[WEIR_MODEL_MOVES];
	uint32_t move_count;
	const char *to_replay; /* the rest of the choices */
	uint64_t random;
	uint32_t revivals;
	int last;

	int bounded_waits;
	int is_interrupted; /* by the program's `over` */
	int has_vain;       /* there was a futile attempt in this execution */
	int is_aborted;     /* some thread has seen the abort: from then on only the ends of waits
	                 * count */
	uint64_t executions;
	uint64_t cut;
	uint64_t steps;
	uint32_t results[WEIR_MODEL_OUTCOMES];
};

/* Explores and fills in `outcome`. Returns 0, or -1 if out of memory. */
int weir_model_explore(const weir_model_program *program, const weir_model_setting *setting,
                       weir_model_outcome *outcome);

/* The engine that runs on this thread. */
extern _Thread_local weir_model_engine *weir_model_engine_;

/* Ends the execution with a verdict; returns only when no fiber runs. */
void weir_model_fail(weir_model_engine *e, weir_model_verdict verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The thread goes on, now or as soon as it parks. */
static inline void weir_model_unpark(weir_model_engine *e, uint32_t thread)
{
	e->threads[thread].is_woken = 1;
}

/* Hands the operation to the scheduler and returns its result. */
static inline uint64_t weir_model_step(weir_model_engine *e, const weir_model_op *op)
{
	weir_model_thread *t = &e->threads[e->current];

	t->op = *op;
	e->current = -1;
	weir_fiber_switch(&t->fiber, &e->scheduler);
	return t->result;
}

#endif
