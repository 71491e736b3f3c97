/* Events: what a thread of a kernel does that others can see.
 *
 * The interpreter never touches global, shared or distributed shared memory itself. weir_ptx_step
 * runs a thread to its next event and returns it; the caller that drives the machine answers the
 * event. Registers, local memory, parameters and calls are private and make no events.
 *
 * Three ways to drive a machine:
 *
 *   plain        weir_ptx_run (ptx.h). Loads and stores are answered inline, without events.
 *   observed     weir_ptx_machine_run with an observer, which sees each event before and after plain
 *                execution serves it: a race detector. The scheduler, the recognition of spins, and
 *                every check are those of plain execution.
 *   driven       the caller picks threads: weir_ptx_step, then weir_ptx_serve (plain execution
 *                answers) or weir_ptx_answer (the caller does, with values of its own): an explorer.
 *
 * A thread whose event waits (a barrier, a warp operation) is not answered at once: weir_ptx_serve
 * returns WEIR_PTX_WAITS, and the thread becomes runnable when the serving of another thread's event
 * completes it. An event that is not served leaves the thread where it was: serving may be put off
 * as long as the caller likes.
 */
#ifndef WEIR_PTX_EVENT_H
#define WEIR_PTX_EVENT_H

#include "ptx/ptx.h"

typedef enum weir_ptx_kind {
	WEIR_PTX_LOAD,
	WEIR_PTX_STORE,
	WEIR_PTX_RMW,      /* atom, and red, which has no result */
	WEIR_PTX_FENCE,    /* fence, membar, fence.proxy */
	WEIR_PTX_BAR_SYNC, /* bar.sync, barrier.sync, bar.red */
	WEIR_PTX_BAR_ARRIVE,
	WEIR_PTX_CLUSTER_ARRIVE,
	WEIR_PTX_CLUSTER_WAIT,
	WEIR_PTX_WARP_SYNC,     /* bar.warp.sync */
	WEIR_PTX_WARP_EXCHANGE, /* shfl, vote, match, redux, elect, activemask */
	WEIR_PTX_MBAR_INIT,
	WEIR_PTX_MBAR_INVAL,
	WEIR_PTX_MBAR_ARRIVE, /* arrive, arrive_drop, expect_tx, complete_tx; cp.async.mbarrier.arrive */
	WEIR_PTX_MBAR_TEST, /* test_wait, try_wait */
	WEIR_PTX_COPY,      /* cp.async, cp.async.bulk, cp.reduce.async.bulk, st.async, red.async */
	WEIR_PTX_COPY_COMMIT,
	WEIR_PTX_COPY_WAIT, /* wait_group, wait_all, cp.async.bulk.wait_group */
	WEIR_PTX_PAUSE,     /* nanosleep */
	WEIR_PTX_EXIT,
	/* No events of memory: the step ended for another reason. */
	WEIR_PTX_FAILED,    /* the machine's result says why */
	WEIR_PTX_PREEMPTED, /* the step ran as long as it was allowed to */
	WEIR_PTX_SUSPECT    /* inside the interpreter only: a loop that may be a spin */
} weir_ptx_kind;

typedef enum weir_ptx_space {
	WEIR_PTX_GENERIC, /* in an operation only: an event's space is resolved */
	WEIR_PTX_GLOBAL,
	WEIR_PTX_SHARED, /* of the block `owner`, which another block of the cluster may reach */
	WEIR_PTX_LOCAL,
	WEIR_PTX_CONST,
	WEIR_PTX_PARAM
} weir_ptx_space;

typedef enum weir_ptx_order {
	WEIR_PTX_WEAK,
	WEIR_PTX_RELAXED, /* also .volatile, with scope SYS */
	WEIR_PTX_ACQUIRE,
	WEIR_PTX_RELEASE,
	WEIR_PTX_ACQ_REL,
	WEIR_PTX_SC /* fences only */
} weir_ptx_order;

typedef enum weir_ptx_scope {
	WEIR_PTX_SCOPE_THREAD, /* weak accesses */
	WEIR_PTX_SCOPE_CTA,
	WEIR_PTX_SCOPE_CLUSTER,
	WEIR_PTX_SCOPE_GPU,
	WEIR_PTX_SCOPE_SYS
} weir_ptx_scope;

typedef enum weir_ptx_proxy {
	WEIR_PTX_PROXY_GENERIC,
	WEIR_PTX_PROXY_ASYNC,    /* bulk copies; a fence.proxy.async */
	WEIR_PTX_PROXY_CONSTANT, /* ld.const, ld.global.nc */
	WEIR_PTX_PROXY_ALIAS,
	WEIR_PTX_PROXY_TENSORMAP
} weir_ptx_proxy;

/* What an instruction does, known when it is decoded. */
typedef struct weir_ptx_operation {
	uint8_t kind;  /* weir_ptx_kind */
	uint8_t order; /* weir_ptx_order */
	uint8_t scope; /* weir_ptx_scope */
	uint8_t space; /* weir_ptx_space that the instruction names */
	uint8_t proxy; /* weir_ptx_proxy */
	uint8_t
	    what; /* of RMW, exchanges, mbarriers, copies: ptx_rmw, ptx_exchange, ... in access.h */
	uint8_t type;   /* of an element: ptx_type */
	uint8_t size;   /* of an element, bytes */
	uint8_t count;  /* of elements, 1 without a vector */
	uint8_t flags;  /* WEIR_PTX_NO_RESULT, ... */
	uint32_t line;  /* of the PTX source */
	uint32_t index; /* of this operation in its kernel: a name for tables of the caller's */
} weir_ptx_operation;

enum {
	WEIR_PTX_NO_RESULT = 1, /* a red: reads, but never acquires */
	WEIR_PTX_VOLATILE = 2,
	WEIR_PTX_HAS_MASK = 4, /* a warp operation of PTX 6.0 or later: `operand[3]` is its mask */
	WEIR_PTX_ALIGNED = 8,
	WEIR_PTX_COUNTED = 16, /* a barrier with a number of threads */
	WEIR_PTX_UNIFORM = 32  /* address and value cannot depend on other threads; unused so far */
};

typedef struct weir_ptx_thread weir_ptx_thread;
typedef struct weir_ptx_machine weir_ptx_machine;

typedef struct weir_ptx_event {
	const weir_ptx_operation *operation;
	weir_ptx_kind kind;
	weir_ptx_space space; /* GLOBAL or SHARED, for accesses */
	uint32_t owner;       /* of SHARED: the block's index in the grid */
	uint32_t bytes;       /* size * count; of copies, the length */
	uint64_t address; /* GLOBAL: of this process. SHARED: the offset in the owner's memory */
	/* Before the event: the values to store (elements zero-extended), or the operands. A rmw has
	 * its operand, and cas the comparand before it. A barrier has its number, the count and the
	 * predicate. A warp operation has its operands, and the mask in [3]. A copy has the source,
	 * its space, owner, and the mbarrier. After the event: the loaded values, or the result. A
	 * b128 is two values. */
	uint64_t value[16];
	/* A second address: the source of a copy, the mbarrier of a copy. */
	weir_ptx_space source_space, barrier_space;
	uint32_t source_owner, barrier_owner;
	uint64_t source, barrier;
} weir_ptx_event;

/* --- A machine: a launch that has been set up ---------------------------------------------------- */

weir_status weir_ptx_machine_create(weir_ptx_machine **machine, weir_ptx_kernel *kernel,
                                    const weir_ptx_launch *launch);
void weir_ptx_machine_destroy(weir_ptx_machine *machine);

/* Before: the event's operands are there. After: its results too. An observer may end the launch by
 * returning something other than WEIR_PTX_DONE; it then has filled `result`. */
typedef struct weir_ptx_observer {
	void *context;
	weir_ptx_end (*before)(void *context, weir_ptx_thread *thread, const weir_ptx_event *event,
	                       weir_ptx_result *result);
	weir_ptx_end (*after)(void *context, weir_ptx_thread *thread, const weir_ptx_event *event,
	                      weir_ptx_result *result);
	/* All threads that a barrier or a warp operation waited for have arrived: called once, before
	 * the first of them runs on. `threads` are those that it releases. NULL if not wanted. */
	weir_ptx_end (*meet)(void *context, weir_ptx_thread *const *threads, unsigned count,
	                     const weir_ptx_operation *operation, weir_ptx_result *result);
	/* A load, store or read-modify-write of these bytes, between `before` and `after`. Unless this returns 0 it has
	 * taken the place of the access: the event has the results, and the bytes are as they shall be. NULL: never. */
	int (*access)(void *context, weir_ptx_thread *thread, weir_ptx_event *event,
	              uint8_t *bytes);
	/* A weak load or store of one element that fails no check: shared memory has the space 1 + its block's index,
	 * global memory 0. Unless this returns 0 there is no event, and `events` counts one. NULL: never. */
	int (*plain)(void *context, uint32_t thread, uint32_t operation, uint64_t space,
	             uint64_t address, uint32_t bytes, int writes);
	void *plain_context;
	uint64_t *events;
} weir_ptx_observer;
weir_status weir_ptx_machine_run(weir_ptx_machine *machine, const weir_ptx_observer *observer,
                                 weir_ptx_result *result);

/* --- Driven by the caller ------------------------------------------------------------------------ */

typedef enum weir_ptx_answered {
	WEIR_PTX_SERVED, /* the thread is past its event */
	WEIR_PTX_WAITS,  /* until others arrive */
	WEIR_PTX_FAULT   /* the machine's result says what is wrong */
} weir_ptx_answered;

/* Starts block `index` of the grid (with its whole cluster). */
weir_status weir_ptx_block_start(weir_ptx_machine *machine, uint32_t index);
/* A thread of a live block, NULL if it is not live. */
weir_ptx_thread *weir_ptx_thread_at(weir_ptx_machine *machine, uint32_t block, uint32_t thread);
/* Runs a thread that does not wait to its next event, for at most `limit` instructions that branch
 * backward. */
weir_ptx_kind weir_ptx_step(weir_ptx_thread *thread, uint32_t limit, weir_ptx_event *event);
weir_ptx_answered weir_ptx_serve(weir_ptx_thread *thread, weir_ptx_event *event);
/* The caller has put the results into event->value. */
void weir_ptx_answer(weir_ptx_thread *thread, const weir_ptx_event *event);
const weir_ptx_result *weir_ptx_machine_result(const weir_ptx_machine *machine);

typedef enum weir_ptx_state {
	WEIR_PTX_RUNNABLE,
	WEIR_PTX_AT_BARRIER,
	WEIR_PTX_AT_CLUSTER_BARRIER,
	WEIR_PTX_AT_WARP,  /* a warp operation that other lanes have not reached */
	WEIR_PTX_SPINNING, /* until a word that it read changes */
	WEIR_PTX_EXITED
} weir_ptx_state;
weir_ptx_state weir_ptx_thread_state(const weir_ptx_thread *thread);
uint32_t weir_ptx_thread_block(const weir_ptx_thread *thread);
uint32_t weir_ptx_thread_index(const weir_ptx_thread *thread); /* in its block */
void weir_ptx_thread_site(const weir_ptx_thread *thread, weir_ptx_site *site);
void weir_ptx_operation_site(const weir_ptx_machine *machine, const weir_ptx_operation *operation,
                             weir_ptx_site *site);

/* A thread's private state, for an explorer that goes back: registers, locals and the place in the
 * kernel. weir_ptx_thread_save returns the bytes needed, and copies them if `bytes` is enough. A
 * state fits only the thread that it was saved from. */
size_t weir_ptx_thread_save(const weir_ptx_thread *thread, void *state, size_t bytes);
weir_status weir_ptx_thread_restore(weir_ptx_thread *thread, const void *state, size_t bytes);

/* The live state at a loop's head, for an explorer that recognises awaits: 0 where the thread is at
 * no loop head. Backoff registers, which only ever reach nanosleep, are left out. */
uint64_t weir_ptx_thread_live_hash(const weir_ptx_thread *thread);

#endif
