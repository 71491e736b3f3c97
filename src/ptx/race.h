/* Data races in one execution of a kernel, by the memory model of PTX.
 *
 * The caller feeds the events of an execution in the order in which they were performed: each read returns what
 * the last write before it wrote. An access races with an earlier one if the two touch the same byte, one of them
 * writes, they are not morally strong, and causality does not order them.
 *
 * One fence.sc is ordered before another only if it is in every order of the fences that the model allows. So a
 * lucky schedule hides no race, and protocols that depend on the fences (Dekker's, parking) raise no false alarm.
 */
#ifndef WEIR_PTX_RACE_H
#define WEIR_PTX_RACE_H

#include <stddef.h>
#include <stdint.h>

typedef enum weir_race_order {
	WEIR_RACE_WEAK,
	WEIR_RACE_RELAXED, /* and volatile, at system scope */
	WEIR_RACE_ACQUIRE,
	WEIR_RACE_RELEASE,
	WEIR_RACE_ACQ_REL,
	WEIR_RACE_SC /* fences only */
} weir_race_order;

typedef enum weir_race_scope {
	WEIR_RACE_CTA,
	WEIR_RACE_CLUSTER,
	WEIR_RACE_GPU,
	WEIR_RACE_SYS
} weir_race_scope;

/* A grid. Threads are numbered block after block. */
typedef struct weir_race_grid {
	uint32_t blocks;
	uint32_t threads; /* in each */
	uint32_t cluster; /* blocks in a cluster; 0: 1 */
	uint32_t device;  /* blocks in a device; 0: all */
	/* Some fence.sc or membar of the kernel may have a scope that leaves threads of the grid out. */
	int narrow_fences;
	/* Writes to keep of each word that is accessed strongly, for reads that return an older one. 0: none. */
	uint32_t history;
	uint32_t
	    async; /* threads from here on are copies: they write in the async proxy, and their waits fence */
	int inserts; /* with a history: writes may come before others in coherence order */
} weir_race_grid;

typedef struct weir_race_access {
	uint32_t thread;
	uint32_t site; /* the caller's number for the instruction */
	uint64_t
	    space; /* 0: global memory; others: the caller's, for the shared memory of each block */
	uint64_t address; /* of one element, of `size` bytes */
	uint32_t size;    /* 1, 2, 4, 8 or 16 */
	weir_race_order order;
	weir_race_scope scope;
	int reads;
	int writes;    /* of an atomic: both, unless a compare-and-swap fails */
	int is_async;  /* a bulk copy's: writes before it need a fence.proxy.async */
	int is_silent; /* red: the value that it reads is never acquired */
	int is_compared; /* a compare-and-swap, which writes if it reads `compare`; for weir_race_choices alone */
	uint64_t compare;
	/* For strong accesses, with a history. `old` is the word's value before, `value` the value written, and
	 * `number` the caller's number of the write, from 1 on. `message` is the number of the write that is read, or
	 * that a write follows in coherence order; 0: the newest. */
	uint64_t old, value, number, message;
} weir_race_access;

typedef struct weir_race_choice {
	uint64_t message; /* the number of the write */
	uint64_t value;
} weir_race_choice;

typedef struct weir_race_finding {
	uint64_t space;
	uint64_t address;   /* of the first byte that both touch */
	uint32_t thread[2]; /* the earlier access, and the one that was fed last */
	uint32_t site[2];
	int writes[2];
	int is_strong[2];
	int lacks_fence;    /* only a fence.proxy.async is missing */
	int has_other_size; /* the bytes of one access are not those of the other one */
} weir_race_finding;

typedef struct weir_race weir_race;

typedef void weir_race_found(void *context, const weir_race_finding *finding);

/* NULL without memory. `found` is called for each race, at most once for each word of an access. */
weir_race *weir_race_create(const weir_race_grid *grid, weir_race_found *found, void *context);
void weir_race_destroy(weir_race *r);

/* These return -1 without memory, and else 0. */
int weir_race_do(weir_race *r, const weir_race_access *access);
/* A weak access of one word, if it races with nothing and can be kept in place; 0 if nothing was done. The race is
 * a weir_race. */
int weir_race_plain(void *race, uint32_t thread, uint32_t site, uint64_t space, uint64_t address,
                    uint32_t size, int writes);
/* The last write of these bytes, if it is in place. */
int weir_race_plain_write(weir_race *r, uint64_t space, uint64_t address, uint32_t size,
                          uint32_t *thread, uint32_t *site);
/* With a history: the writes that a strong read may return, or behind which a strong write may come, the newest first:
 * nothing newer is known to the thread. There is always one. */
uint32_t weir_race_choices(weir_race *r, const weir_race_access *access, weir_race_choice *list,
                           uint32_t room);
/* Whether a write was forgotten that a thread might have read. */
int weir_race_has_forgotten(const weir_race *r);
int weir_race_fence(weir_race *r, uint32_t thread, weir_race_order order, weir_race_scope scope);
/* fence.proxy.async, for global memory, shared memory or both. */
int weir_race_fence_proxy(weir_race *r, uint32_t thread, int global, int shared);
/* The thread arrives at barrier `number` of its block, and waits there or goes on. The barrier is over when `count`
 * threads have arrived; 0: all of the block. */
int weir_race_barrier(weir_race *r, uint32_t thread, uint32_t number, uint32_t count, int waits);
/* Threads that have met: bar.warp.sync, or the wait of a cluster's barrier. */
int weir_race_meet(weir_race *r, const uint32_t *threads, uint32_t count);

/* What threads pass on in other ways than through words: a phase of an mbarrier, a group of copies. NULL passes nothing
 * on. */
typedef struct weir_race_token weir_race_token;
/* Adds all that the thread has done and knows; takes it over; adds another token; frees one. */
int weir_race_give(weir_race *r, uint32_t thread, weir_race_token **to);
int weir_race_take(weir_race *r, uint32_t thread, const weir_race_token *from);
int weir_race_pass(weir_race *r, weir_race_token **to, const weir_race_token *from);
void weir_race_drop(weir_race *r, weir_race_token *token);

/* To try what would order a race. The thread knows all that its block has done so far; its block knows what the
 * thread has learned. */
int weir_race_ask_block(weir_race *r, uint32_t thread);
int weir_race_tell_block(weir_race *r, uint32_t thread);

/* Bytes in use, of all kinds. */
size_t weir_race_bytes(const weir_race *r);

#endif
