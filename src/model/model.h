/* The cases made from the rows of the kinds, the mutants of their code, the published code that
 * must fail, and the functions that verify them.
 *
 * Several OS threads may run cases at once. Nothing here prints or ends the process.
 */
#ifndef WEIR_MODEL_H
#define WEIR_MODEL_H

#include <stddef.h>
#include <stdint.h>

#define WEIR_MODEL_THREADS 8 /* of all blocks of a case together */

/* A place in the source; model/machine.h has its members. */
typedef struct weir_model_site weir_model_site;

typedef enum weir_model_verdict {
	WEIR_MODEL_PASS = 0,
	WEIR_MODEL_RACE, /* plain data accessed without order, or scopes that exclude each other */
	WEIR_MODEL_DEADLOCK,  /* no thread can go on */
	WEIR_MODEL_LOST_WAKE, /* the value that a thread waits for can come and go unseen */
	WEIR_MODEL_CHECK,     /* a property of the case does not hold */
	WEIR_MODEL_LIMIT      /* the explorer's own limits: too long, too many words */
} weir_model_verdict;

typedef enum weir_model_search {
	WEIR_MODEL_DPOR = 0, /* exhaustive: backtracks where two accesses race */
	WEIR_MODEL_SLEEP,    /* exhaustive: only sleep sets */
	WEIR_MODEL_NAIVE,    /* exhaustive: every interleaving; to test the two above */
	WEIR_MODEL_PREEMPT,  /* at most `bound` preemptions */
	WEIR_MODEL_RANDOM,   /* `bound` executions from `seed` */
	WEIR_MODEL_REPLAY    /* the one execution that `choices` describes */
} weir_model_search;

/* What polls acquire. The first is the contract of weir/machine.h, with no more order than every
 * machine has: its executions include those of the other two. */
typedef enum weir_model_polls {
	WEIR_MODEL_POLLS_CONTRACT = 0, /* weir_poll_acquire acquires what earlier polls have read */
	WEIR_MODEL_POLLS_FENCE,        /* ... and what all other relaxed reads have read */
	WEIR_MODEL_POLLS_ACQUIRE       /* each poll acquires what it reads, and nothing follows */
} weir_model_polls;

typedef enum weir_model_change {
	WEIR_MODEL_NO_CHANGE = 0,
	WEIR_MODEL_TO_RLX, /* a weaker order */
	WEIR_MODEL_TO_ACQ,
	WEIR_MODEL_TO_REL,
	WEIR_MODEL_DROP,        /* the operation is left out */
	WEIR_MODEL_VALUE,       /* the value that it writes, adds or waits for, plus one */
	WEIR_MODEL_LESS,        /* minus one */
	WEIR_MODEL_RESULT,      /* its result, plus one; for a load: only in every second thread */
	WEIR_MODEL_UNSIGNED,    /* a wait that any greater value satisfies, even after a wrap */
	WEIR_MODEL_LATE,        /* a store moves after the next operation of its function */
	WEIR_MODEL_STORE,       /* an exchange only stores, which ends release sequences */
	WEIR_MODEL_HIGH,        /* a 64-bit value written or added, plus one in the upper half */
	WEIR_MODEL_HIGH_RESULT, /* a 64-bit result, plus one in the upper half */
	WEIR_MODEL_TEXT,        /* a change at a place that tools/mutable.c marked */
	WEIR_MODEL_CHANGES
} weir_model_change;

typedef struct weir_model_outcome {
	weir_model_verdict verdict;
	uint64_t executions; /* executions that ran to the end or failed */
	uint64_t cut;        /* executions that only repeated futile attempts, or were seen
	                      * before */
	uint64_t steps;
	double seconds;
	int exhaustive;
	/* Not exhaustive, but only because some wait was tried only a few times: its failed
	 * attempts matter to other threads. */
	int bounded_waits;
	char message[256];
	char *trace;   /* trace of the failure, or NULL */
	char *choices; /* choices that lead to it, for WEIR_MODEL_REPLAY, or NULL */
} weir_model_outcome;

/* Frees the trace and the choices. */
void weir_model_outcome_free(weir_model_outcome *outcome);

typedef enum weir_model_form {
	WEIR_MODEL_SINGLE = 0, /* one thread of each block */
	WEIR_MODEL_COLLECTIVE, /* all threads of each block, with the collective calls */
	WEIR_MODEL_ARRAY,      /* mutex: two of them in an array */
	WEIR_MODEL_HANDOFF,    /* semaphore: none free at first; block 0 posts, the others wait */
	WEIR_MODEL_MEET,       /* semaphore: the blocks inside wait for each other */
	WEIR_MODEL_RELAY,      /* semaphore: like the handoff, but blocks 0 and 1 take turns
	                        * posting; remote: each rank posts to the next one */
	WEIR_MODEL_SEVERAL,    /* semaphore: every second block takes all slots, the others one */
	WEIR_MODEL_SPLIT,      /* barrier: in two calls, and the last block awaits after all others;
	                        * dispenser: each block starts with a share */
	WEIR_MODEL_TRY,        /* every second block only tries */
	WEIR_MODEL_GIVE_UP,    /* the same, with a deadline that may pass at any time; barrier: all
	                     * blocks */
	WEIR_MODEL_ALL_GIVE_UP, /* every block may give up; a try when all are done must acquire */
	WEIR_MODEL_GREEDY,      /* semaphore: blocks wait for all slots, try for all, wait for half;
	                         * queue: the threads of a block pop all that is there */
	WEIR_MODEL_ENOUGH,      /* semaphore: all try, and there is a slot for each */
	WEIR_MODEL_MIXED,       /* barrier: alternates plain phases with phases that have a
	                         * deadline; queue: some wait, others try */
	WEIR_MODEL_CHOSEN,      /* group: by range and by mask */
	WEIR_MODEL_WARPS,       /* each warp of a block is a team; barrier: only the first warp */
	WEIR_MODEL_NAMED,       /* the second warp of each block is a named team, the only one */
	WEIR_MODEL_LAUNCHES,    /* event, queue: several launches without a reset */
	WEIR_MODEL_CLOSING,     /* queue: closed while others push and pop; crew: aborted; rwlock: a
	                     * reader goes on when a writer has shut all counts */
	WEIR_MODEL_BATCHES, /* queue: the threads of a block push and pop an item each, at once */
	WEIR_MODEL_LOCAL,   /* task: a block continues with a successor that it has made ready */
	WEIR_MODEL_AGAIN,   /* combine: a caller gives up, writes, and submits the same operation
	                   * again */
	WEIR_MODEL_MADE,    /* the kernel makes the object itself, in zeroed memory */
	WEIR_MODEL_MISUSE   /* misuse that must end the launch */
} weir_model_form;

typedef struct weir_model_case {
	char primitive[16]; /* "mutex", "semaphore", "barrier", "group", "event", "queue", ... */
	char kind[32];
	weir_model_form form;
	uint32_t blocks;
	uint32_t threads; /* in each block */
	uint32_t rounds;
	uint32_t initial; /* semaphore: slots free at first; dispenser: items */
	/* Mutex with a queue: its size, a power of two; 0: room for all blocks. Queue: its
	 * capacity. */
	uint32_t slots;
	uint32_t past;    /* how often the object was used before; 0xfffffffe is just before the
	                   * wrap */
	uint32_t cluster; /* blocks in a cluster; the last one may have fewer; 0: none */
	uint32_t bits;    /* barrier with a shape: its member; event: 2^bits words */
	/* Group: the maximum number of members; 0: all blocks. Task: slots for added tasks. Crew:
	 * blocks of a rank; 0: 1. */
	uint32_t room;
	uint32_t askers;    /* group: the maximum number of blocks that may ask; 0: all; crew: the
	                     * radix */
	char over[16];      /* group: the kind of its barrier; empty: atomic; task: the graph */
	uint32_t first;     /* threads of a block that share work; 0: 1 */
	uint32_t aborts;    /* 1: the launch may be aborted at any moment */
	uint32_t diagnosed; /* 1: with diagnosis (WEIR_DIAGNOSE) */
} weir_model_case;

/* Writes a name such as "mutex ticket 3x1 2 rounds" for one line of output. */
void weir_model_case_name(const weir_model_case *c, char *name, size_t room);
/* Parses such a name: 0, or -1 if it is not the name of a case. */
int weir_model_case_named(const char *name, weir_model_case *c);
/* Changes the size of the case; 0 keeps a number. */
void weir_model_case_resize(weir_model_case *c, uint32_t blocks, uint32_t threads, uint32_t rounds);

/* The default cases of all shipped kinds, followed by those with diagnosis. `larger`: cases that
 * only the full verification runs. */
size_t weir_model_case_count(void);
int weir_model_case_at(size_t index, weir_model_case *c, int *larger);

/* Published code with its own orders, and the kind "none", which does nothing: each must fail. */
size_t weir_model_published_count(void);
int weir_model_published_at(size_t index, weir_model_case *c);

typedef struct weir_model_mutant {
	char primitive[16];
	char kind[32];
	uint32_t diagnosed; /* it is in code that only a diagnosis has */
	const weir_model_site *site;
	weir_model_change change;
	uint64_t cases;         /* a bit for each case of the kind that reached it in samples */
	char name[160];         /* does not depend on line numbers */
	const char *equivalent; /* why it is equivalent and so survives; NULL: it must be killed */
	const char *uncovered; /* why no case detects it although it may be a fault; NULL: some case
	                 * must */
} weir_model_mutant;

/* The mutants of one kind's code, in the order of the source; free() the list. `diagnosed`: the
 * mutants of the code that only a diagnosis has. That code is the same for all kinds of a
 * primitive, so only one kind has any. Returns 0 or -1. */
int weir_model_mutants(const char *primitive, const char *kind, uint32_t diagnosed,
                       weir_model_mutant **list, size_t *count);

typedef struct weir_model_options {
	weir_model_search search;
	uint64_t seed;
	uint64_t bound;          /* preemptions, or executions of a random search */
	uint64_t max_executions; /* 0: no limit */
	const char *choices;     /* to replay: from an outcome of the same case and mutant */
	weir_model_polls polls;
	const weir_model_mutant *mutant; /* NULL: the code is unchanged */
	/* Called for each place in the source that is reached; may be NULL. See
	 * weir_model_setting. */
	void (*reached)(void *context, const weir_model_site *site,
	                const weir_model_site *followed);
	void *reached_context;
	int (*progress)(void *context, uint64_t executions, uint64_t steps);
	void *progress_context;
} weir_model_options;

/* Runs one case. The verdict is WEIR_MODEL_LIMIT, with a message, if the `kind` or `primitive` does
 * not exist or the size is beyond the machine. Returns 0, or -1 if out of memory. */
int weir_model_run(const weir_model_case *c, const weir_model_options *options,
                   weir_model_outcome *outcome);

/* Runs the default cases of the mutant's kind until one fails, and stores that case in `killer`:
 * first the start of each case, then each in full. */
int weir_model_run_mutant(const weir_model_mutant *mutant, uint64_t max_executions,
                          weir_model_case *killer, weir_model_outcome *outcome);

/* Runs only the starts. */
int weir_model_try_mutant(const weir_model_mutant *mutant, weir_model_case *killer,
                          weir_model_outcome *outcome);

/* "pass", "data race", ... */
const char *weir_model_verdict_text(weir_model_verdict verdict);

/* The accesses that one operation makes, counted over all executions. */

/* Read-modify-writes count as atomics only. */
typedef struct weir_model_accesses {
	uint32_t reads;
	uint32_t writes;
	uint32_t atomics;
} weir_model_accesses;

/* The accesses of one part of an operation. A wait that succeeds is one access, and failed attempts
 * do not count: `more` holds the accesses that a wait repeats while it goes on. */
typedef struct weir_model_count {
	weir_model_accesses least;
	weir_model_accesses most;
	struct {
		int reads;
		int atomics;
	} more;
	uint64_t times;
} weir_model_count;

/* The two parts of an operation: lock or wait, and unlock or post. A barrier has only the first. */
enum {
	WEIR_MODEL_ENTER,
	WEIR_MODEL_LEAVE,
	WEIR_MODEL_PARTS
};

/* Counts the memory accesses of a kind in all executions of `blocks` blocks of one thread that each
 * perform `rounds` operations. A semaphore has one permit. `cluster`: blocks in a cluster; 0: none.
 * Returns 0, or -1 if the kind does not exist, memory runs out, or an execution fails. */
int weir_model_count_accesses(const char *primitive, const char *kind, uint32_t blocks,
                              uint32_t rounds, uint32_t cluster,
                              weir_model_count counts[WEIR_MODEL_PARTS]);

#endif
