/* The memory model of PTX as its manual states it: an oracle for the explorer and the race detector that
 * shares no code with them. It guesses whole executions of a small program: the result of each read, the
 * write it reads from, the order of fence.sc, and the coherence order. It keeps those that satisfy the
 * axioms of the section "Memory Consistency Model" of the PTX ISA.
 */
#ifndef WEIR_TEST_AXIOMS_H
#define WEIR_TEST_AXIOMS_H

#include "small.h"

#define AXIOMS_EVENTS 64

typedef enum axioms_kind {
	AXIOMS_READ,
	AXIOMS_WRITE, /* of an atomic: right after its read */
	AXIOMS_FENCE,
	AXIOMS_ARRIVE, /* the first half of a barrier */
	AXIOMS_WAIT    /* the second half */
} axioms_kind;

typedef struct axioms_event {
	axioms_kind kind;
	small_order order;
	small_scope scope;
	uint8_t thread; /* SMALL_THREADS: an initial write */
	uint8_t word;   /* or barrier */
	uint8_t count;  /* of threads at the barrier; 0: all of the block */
	uint8_t phase;  /* of the barrier */
	uint8_t op;     /* of the thread's code */
	uint8_t is_red;
	uint8_t is_atomic;
	uint32_t value;
	uint32_t
	    needs; /* bits of the earlier reads of its thread, by number, on which it depends */
} axioms_event;

typedef uint64_t axioms_relation[AXIOMS_EVENTS]; /* the successors of each event */

/* An execution without its fence-SC order. */
typedef struct axioms_execution {
	const small_program *program;
	uint32_t count;
	axioms_event event[AXIOMS_EVENTS]; /* initial writes, then each thread's in its order */
	uint8_t source[AXIOMS_EVENTS];     /* of a read: the write that it reads from */
	axioms_relation co;                /* for axioms_judge: the coherence order, transitive */
} axioms_execution;

typedef struct axioms_outcome {
	small_state state;
	int is_plain; /* some execution with it needs no load buffering */
} axioms_outcome;

typedef struct axioms_result {
	axioms_outcome *outcomes;
	uint32_t count;
	uint32_t room;
	uint64_t executions; /* that the axioms allow */
	int races;           /* a data race in an execution without load buffering */
	int buffered_races;  /* in any execution */
	int hangs;           /* some threads wait at a barrier for ever */
	int is_cut;          /* a loop was left out after some rounds */
	const char *refused; /* why the program cannot be enumerated, or NULL */
} axioms_result;

/* Fills `result`. 0, or -1 without memory. */
int axioms_enumerate(const small_program *p, axioms_result *result);
void axioms_free(axioms_result *result);
/* Whether the condition of the program holds as its quantifier says. `plain`: in executions without load
 * buffering. */
int axioms_holds(const small_program *p, const axioms_result *result, int plain);

/* The data races of an execution with the coherence order given. `strict` relates two accesses that
 * some allowed fence-SC order leaves unordered by causality, as the manual says. `races` relates those
 * that are also not ordered through other accesses to the same bytes that causality orders. Returns
 * whether the axioms allow the execution. */
int axioms_judge(const axioms_execution *x, axioms_relation races, axioms_relation strict);

#endif
