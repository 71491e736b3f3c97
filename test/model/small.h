/* Small programs in PTX's memory model, which the enumerator, the explorer and the race detector
 * run in tests. Their source format is the dialect of PTX litmus tests that the herd tools read:
 *
 *   PTX SB+sc
 *   { x=0; y=0; }
 *    P0@cta 0,gpu 0      | P1@cta 1,gpu 0      ;
 *    st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1 ;
 *    fence.sc.gpu        | fence.sc.gpu        ;
 *    ld.relaxed.gpu r0,y | ld.relaxed.gpu r0,x ;
 *   ~exists (P0:r0 == 0 /\ P1:r0 == 0)
 *
 * "P0@cta 0,cluster 0,gpu 0" puts a block into a cluster; without it, each block is a cluster. The word
 * "races" after the name means that some execution has a data race.
 */
#ifndef WEIR_TEST_SMALL_H
#define WEIR_TEST_SMALL_H

#include <stddef.h>
#include <stdint.h>

#define SMALL_THREADS 4
#define SMALL_OPS 24 /* of a thread */
#define SMALL_WORDS 8
#define SMALL_REGISTERS 12
#define SMALL_TERMS 48 /* of a condition */
#define SMALL_NOWHERE 0xff

typedef enum small_type {
	SMALL_LOAD,
	SMALL_STORE,
	SMALL_ATOM, /* `calc` gives the value that it writes */
	SMALL_RED,
	SMALL_FENCE,
	SMALL_SYNC,   /* at barrier `word` of the block */
	SMALL_ARRIVE, /* the same, without a wait */
	SMALL_SET,    /* register `to` = `a` calc `b` */
	SMALL_BRANCH, /* to operation `target` if `a` calc `b` */
	SMALL_JUMP
} small_type;

typedef enum small_order {
	SMALL_WEAK,
	SMALL_RELAXED,
	SMALL_ACQUIRE,
	SMALL_RELEASE,
	SMALL_ACQ_REL,
	SMALL_SC
} small_order;

typedef enum small_scope {
	SMALL_CTA,
	SMALL_CLUSTER,
	SMALL_GPU,
	SMALL_SYS
} small_scope;

typedef enum small_calc {
	SMALL_EXCH,
	SMALL_CAS,
	SMALL_ADD,
	SMALL_SUB,
	SMALL_MUL,
	SMALL_DIV,
	SMALL_AND,
	SMALL_OR,
	SMALL_XOR,
	SMALL_EQ,
	SMALL_NE,
	SMALL_LT,
	SMALL_LE,
	SMALL_GT,
	SMALL_GE
} small_calc;

typedef struct small_value {
	uint8_t is_register;
	uint32_t value; /* or the number of the register */
} small_value;

typedef struct small_op {
	small_type type;
	small_order order;
	small_scope scope;
	small_calc calc;
	uint8_t word; /* of memory, or the barrier */
	uint8_t to;   /* the register for the result, or SMALL_NOWHERE */
	uint8_t target;
	uint8_t count; /* of the threads that a barrier waits for; 0: the block */
	small_value a; /* written, added, ...; of a compare-and-swap: compared with */
	small_value b; /* of a compare-and-swap: written */
} small_op;

typedef struct small_thread {
	uint8_t block; /* numbered through all devices */
	uint8_t cluster;
	uint8_t device;
	uint8_t ops;
	small_op op[SMALL_OPS];
} small_thread;

/* A final state, to which a test's condition applies. */
typedef struct small_state {
	uint32_t registers[SMALL_THREADS][SMALL_REGISTERS];
	uint32_t words[SMALL_WORDS];
} small_state;

typedef enum small_quantifier {
	SMALL_EXISTS,
	SMALL_NOT_EXISTS,
	SMALL_FOR_ALL
} small_quantifier;

/* A condition in reverse Polish order. */
typedef struct small_term {
	enum {
		SMALL_CONSTANT,
		SMALL_REGISTER,
		SMALL_WORD,
		SMALL_COMPARE,
		SMALL_BOTH,
		SMALL_EITHER,
		SMALL_NOT
	} what;
	small_calc calc;
	uint32_t value;
	uint8_t thread;
} small_term;

typedef struct small_program {
	char name[64];
	int races;
	uint32_t threads;
	uint32_t words;
	char word_names[SMALL_WORDS][16];
	uint32_t initial[SMALL_WORDS];
	uint32_t registers[SMALL_THREADS][SMALL_REGISTERS]; /* at first */
	small_thread thread[SMALL_THREADS];
	small_quantifier quantifier;
	uint32_t terms;
	small_term term[SMALL_TERMS];
} small_program;

/* A regular grid for the program's threads: all devices, clusters and blocks have the size of the
 * largest. */
typedef struct small_grid {
	uint32_t blocks;
	uint32_t threads;             /* in a block */
	uint32_t cluster;             /* blocks in a cluster */
	uint32_t device;              /* blocks in a device */
	uint32_t slot[SMALL_THREADS]; /* the number of each thread in the grid, block after block */
} small_grid;

/* Reads the next program of the source and advances past it. 1: read; 0: there is none; -1: `error` gives
 * the reason, and the source is past the faulty program. */
int small_read(const char **text, small_program *p, char *error, size_t room);
/* Prints a program without its condition. */
void small_print(const small_program *p);
int small_condition(const small_program *p, const small_state *state);
uint32_t small_calculate(small_calc calc, uint32_t a, uint32_t b);
/* Whether an operation of thread `a` with that scope includes thread `b`. */
int small_includes(const small_program *p, small_scope scope, uint32_t a, uint32_t b);
small_grid small_place(const small_program *p);

#endif
