/* A launch while it runs: machine, clusters, blocks, threads. */
#ifndef WEIR_PTX_MACHINE_H
#define WEIR_PTX_MACHINE_H

#include "ptx/memory.h"
#include "ptx/program.h"

#define PTX_BARRIERS 16
#define PTX_STACK_BYTES (1u << 20) /* of a thread, if a launch does not say */
#define PTX_WARP 32
#define PTX_BLOCK_WORDS 16 /* of 64 threads each */

typedef struct ptx_call_frame {
	const ptx_call *call;
	const ptx_code *back;
	uint32_t at, local_base, local_top, routine; /* of the caller */
} ptx_call_frame;

typedef struct ptx_word {
	uint64_t address, value;
	uint32_t owner; /* PTX_NONE: global */
	uint8_t bytes;
	bool host_visible;
} ptx_word;

#define PTX_SPIN_WORDS 16

/* What spin.c knows of a thread that may be spinning. */
typedef struct ptx_spin {
	uint32_t loop;  /* of the snapshot, or PTX_NONE */
	uint64_t epoch; /* of the memory when the snapshot was taken */
	uint64_t from, before,
	    last; /* when it was first in its state at the loop's head, last but one, and last:
	           * by `instructions`; from is UINT64_MAX after another state */
	uint32_t words;     /* that it waits for, or that an iteration with others reads */
	uint32_t tries;     /* comparisons with the snapshot */
	uint32_t snapshots; /* taken so far */
	uint32_t woken;     /* 1 + those taken when it was last woken since time has passed */
	uint32_t parked;    /* the snapshots when it last began to wait */
	uint64_t nap,
	    due; /* of a wait that a clock may end: how long it is left alone, and until when */
	bool timed, host;       /* the loop reads a clock, or words that the host may write */
	bool records, recorded; /* its words are being collected; and are complete */
	bool meets;             /* the loop has barriers or warp operations with others */
	ptx_word word[PTX_SPIN_WORDS];
	uint32_t room, line;
	uint64_t *live; /* the snapshot: the live slots */
} ptx_spin;

/* A copy that has been issued and has not landed. */
typedef struct ptx_flight ptx_flight;

struct weir_ptx_thread {
	const ptx_code *pc;
	uint64_t *frame; /* slots + at */
	uint64_t *slots;
	uint8_t *local, *local_shadow;
	struct ptx_block *block;
	weir_ptx_machine *machine;
	uint32_t at, slot_room, local_base, local_top, local_room;
	uint32_t index, tid[3];
	uint32_t routine, depth, depth_room;
	int32_t quiet,
	    quiet_limit; /* backward branches without a write, and when to look at them */
	uint8_t state;   /* weir_ptx_state */
	bool wrote, own_slots, own_local;
	bool clock;                /* has read a clock since its snapshot */
	bool at_cluster;           /* has arrived at the cluster's barrier and not waited */
	bool passed_cluster;       /* and it is complete */
	const ptx_access *waiting; /* the event that it is at, while it waits */
	uint64_t operand[4];       /* of that event */
	ptx_call_frame *calls;
	ptx_spin *spin;
	const ptx_code *traced;       /* the trace has said that it waits at this */
	ptx_flight *flights;          /* oldest first */
	uint32_t groups, bulk_groups; /* of copies, that it has committed */
};

typedef struct ptx_barrier {
	uint32_t expected, arrived, waiting, yes;
	uint8_t what;
	bool counted;
} ptx_barrier;

typedef struct ptx_cluster {
	struct ptx_block **blocks;
	uint32_t count, live, arrived; /* live: blocks; arrived: threads */
} ptx_cluster;

typedef struct ptx_block {
	weir_ptx_machine *machine;
	ptx_cluster *cluster;
	uint32_t index, ctaid[3], rank;
	uint32_t threads, live;
	uint32_t exited, quit; /* by ret, and by an exit instruction */
	uint32_t shared_bytes;
	uint8_t *shared, *shared_shadow;
	ptx_barrier barriers[PTX_BARRIERS];
	uint64_t runnable[PTX_BLOCK_WORDS], spins[PTX_BLOCK_WORDS]; /* a bit for each thread */
	uint64_t seen; /* the epoch at which the spinning ones were last looked at */
	uint32_t priority;
	uint32_t at_warp; /* threads that wait at a warp operation */
	void *next_spare;
	weir_ptx_thread *thread;
} ptx_block;

#define PTX_EVENT_COST 8 /* of a slice */

/* The instruction that is under way, for the trace. */
typedef struct ptx_tracing {
	weir_ptx_thread *thread; /* NULL: none */
	const ptx_code *last;    /* its operation that was reached last */
	uint32_t statement, routine, at;
	unsigned in_count;
	bool has_address;
	uint64_t address, in[PTX_INPUTS];
} ptx_tracing;

struct weir_ptx_machine {
	ptx_program *program;
	weir_ptx_memory *memory;
	weir_ptx_launch launch;
	uint8_t *params;
	ptx_region **hints; /* of each access: the region that it met last */
	ptx_region nowhere; /* a region of no bytes */
	uint32_t cluster[3], cluster_size, blocks, threads;
	ptx_block **block; /* by index; NULL for those that are not live */
	ptx_block **live;
	uint32_t live_count, started, finished;
	uint64_t epoch;                          /* counts changes of memory */
	uint64_t nap, nap_epoch;                 /* the last wait for the host, and when that was */
	uint64_t instructions, switches, jumped; /* jumped: virtual time added to the clock */
	uint64_t moved; /* when a thread last ran that does not spin, by `instructions` */
	uint64_t random;
	uint64_t workspace; /* of cooperative groups: { u32 size; u32 barrier } */
	const weir_ptx_observer *observer;
	weir_ptx_result result;
	ptx_tracing tracing;
	weir_ptx_thread *met[1024];   /* those that a barrier releases */
	uint64_t flights, departures; /* copies in flight, and those ever issued */
	uint64_t next_landing;        /* when the first of them is due, by `instructions` */
	int64_t taken;  /* of a slice, by accesses that an observer took without an event */
	bool scheduled; /* weir_ptx_machine_run runs it, so copies may be late */
	bool failed;
	void *spare; /* the memory of a block that has ended, for the next */
	uint32_t stamped_at[WEIR_PTX_STAMPED],
	    stamped_bytes[WEIR_PTX_STAMPED]; /* of launch.stamped */
	size_t block_bytes, slots_at, local_at, shared_at, shadow_at;
	uint32_t local_room, local_stride, shared_bytes;
};

/* block.c */
bool weir_ptx_block_open(weir_ptx_machine *m, uint32_t index);
void weir_ptx_block_close(weir_ptx_machine *m, ptx_block *block);
bool weir_ptx_frame_open(weir_ptx_thread *t, uint32_t routine);

/* call.c: false after a finding */
bool weir_ptx_call(weir_ptx_thread *t, const ptx_code *code);
void weir_ptx_return(weir_ptx_thread *t);
bool weir_ptx_alloca(weir_ptx_thread *t, uint64_t bytes, uint64_t *offset);

/* access.c: the event of an access, with its address resolved; false after a finding */
bool weir_ptx_fill(weir_ptx_thread *t, const ptx_access *access, weir_ptx_event *event);
bool weir_ptx_resolve(weir_ptx_thread *t, const ptx_access *access, weir_ptx_space space,
                      uint64_t address, weir_ptx_space *found, uint32_t *owner, uint64_t *at);
/* The bytes at a resolved address, after all checks; NULL after a finding. */
uint8_t *weir_ptx_bytes(weir_ptx_thread *t, const ptx_access *access, weir_ptx_space space,
                        uint32_t owner, uint64_t address, uint32_t bytes, unsigned align,
                        bool write, bool read);
/* Loads, stores and atomics, in plain execution. */
bool weir_ptx_serve_access(weir_ptx_thread *t, weir_ptx_event *event);
/* Results into registers. */
void weir_ptx_finish(weir_ptx_thread *t, const ptx_access *access, const weir_ptx_event *event);
uint64_t weir_ptx_rmw(unsigned what, ptx_type type, uint64_t old, uint64_t operand, uint64_t other);

/* barrier.c, warp.c, mbarrier.c, async.c: events that are no plain accesses */
weir_ptx_answered weir_ptx_serve_barrier(weir_ptx_thread *t, weir_ptx_event *event);
weir_ptx_answered weir_ptx_serve_warp(weir_ptx_thread *t, weir_ptx_event *event);
weir_ptx_answered weir_ptx_serve_mbarrier(weir_ptx_thread *t, weir_ptx_event *event);
weir_ptx_answered weir_ptx_serve_copy(weir_ptx_thread *t, weir_ptx_event *event);
bool weir_ptx_mbarrier_complete(weir_ptx_thread *t, const weir_ptx_event *event, uint32_t bytes);
/* A thread has exited: what others wait for may be complete, or can never be. */
bool weir_ptx_after_exit(weir_ptx_thread *t);
/* Threads at activemask and the like go on, when no other lane can join them; true if any could. */
bool weir_ptx_converge(ptx_block *block);

/* async.c: copies of a thread land; false after a finding */
bool weir_ptx_land_all(weir_ptx_thread *t);
bool weir_ptx_land_small(weir_ptx_thread *t);
void weir_ptx_land_due(weir_ptx_machine *m, bool all);
void weir_ptx_forget_flights(weir_ptx_thread *t);

/* matrix.c: what each lane gets of a product. All lanes of the warp wait at it. */
#define PTX_LANE_RESULTS 8
void weir_ptx_multiply(const ptx_mma *mma, weir_ptx_thread *const lane[PTX_WARP],
                       uint64_t (*results)[PTX_LANE_RESULTS]);

/* trace.c: an operation that a thread is about to execute; and the line of the last instruction */
void weir_ptx_trace(weir_ptx_thread *t, const ptx_code *code);
void weir_ptx_trace_end(weir_ptx_machine *m);

/* special.c */
uint64_t weir_ptx_special(const weir_ptx_thread *t, int64_t what);
uint64_t weir_ptx_clock(weir_ptx_thread *t, int64_t what, uint64_t more);

/* print.c */
bool weir_ptx_print(weir_ptx_thread *t, uint64_t format, uint64_t arguments);
bool weir_ptx_string(weir_ptx_thread *t, uint64_t address, char *text, size_t bytes);

/* error.c: keeps the first finding; false */
bool weir_ptx_find(weir_ptx_thread *t, weir_ptx_end end, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void weir_ptx_report_hang(weir_ptx_machine *m);
/* What a thread that cannot go on does: "wait at barrier 0, which 3 of 64 threads have reached". */
void weir_ptx_waits_for(const weir_ptx_thread *t, char *text, size_t bytes);

/* schedule.c: runs a thread to its next event and serves it, with the observer */
weir_ptx_kind weir_ptx_advance(weir_ptx_thread *t, bool events, int64_t fuel, weir_ptx_event *event,
                               weir_ptx_answered *answer);
void weir_ptx_meet(ptx_block *block, weir_ptx_thread *const *threads, unsigned count,
                   const ptx_access *access);

/* spin.c */
void weir_ptx_suspect(weir_ptx_thread *t, uint32_t loop);
void weir_ptx_record(weir_ptx_thread *t, const weir_ptx_event *event, weir_ptx_answered answer);
bool weir_ptx_circles(const weir_ptx_thread *t, uint64_t since);
bool weir_ptx_words_stand(weir_ptx_thread *t);

void weir_ptx_wake(weir_ptx_thread *t); /* makes it runnable */
void weir_ptx_block_on(weir_ptx_thread *t, weir_ptx_state state, const weir_ptx_event *event);
void weir_ptx_pass(weir_ptx_thread *t, const weir_ptx_event *event); /* past a served event */

static inline ptx_block *ptx_owner(const weir_ptx_machine *m, uint32_t owner)
{
	return m->block[owner];
}

#endif
