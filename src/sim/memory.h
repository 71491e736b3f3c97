/* The memory system of a simulated device: its times, from the twelve figures of a probe, and the
 * cache line as a server that takes accesses in the order of their arrival. doc/simulator.md has
 * the argument for each rule. Times are nanoseconds. */
#ifndef WEIR_SIM_MEMORY_H
#define WEIR_SIM_MEMORY_H

#include <stdint.h>

#include "weir/profile.h"

/* No thread has its result back sooner, on any device: own-word times below it are of accesses that
 * overlapped. */
#define WEIR_SIM_ROUND_TRIP_NS 160.0

/* Releasing a cache line and taking it again: "it must perform thrice as many tag lookups in this
 * case" (the paper, figure 1) as an atomic unit that just holds it. */
#define WEIR_SIM_REACQUIRE 3.0

/* The classes of access that the figures tell apart. */
typedef enum weir_sim_class {
	WEIR_SIM_READ,     /* volatile */
	WEIR_SIM_WRITE,    /* volatile */
	WEIR_SIM_ATOMIC,   /* that computes, as an addition */
	WEIR_SIM_EXCHANGE, /* atomic that only replaces */
	WEIR_SIM_CLASS_COUNT
} weir_sim_class;

typedef struct weir_sim_times {
	double service; /* how long the cache line is busy with it */
	double travel;  /* from the thread to the cache line, and as long back */
} weir_sim_times;

typedef struct weir_sim_memory {
	weir_sim_times free[WEIR_SIM_CLASS_COUNT];
	/* On a cache line that an atomic unit holds; for volatile accesses. The travel differs on
	 * the way back alone. */
	weir_sim_times held[WEIR_SIM_CLASS_COUNT];
	/* An atomic on a cache line that its unit does not hold keeps it busy so much longer. */
	double reacquire[WEIR_SIM_CLASS_COUNT];
	double write_issue; /* between two writes of one thread, which does not wait for them */
	double pause_unit;  /* of weir_pause: an uncontended read, there and back */
	/* The change of hardware that the paper asks for: loads that follow each other in the queue
	 * of a held cache line are served together. */
	int batched_loads;
} weir_sim_memory;

/* WEIR_BAD_ARGUMENT names the figure that is impossible. */
weir_status weir_sim_memory_make(const weir_probe *probe, weir_sim_memory *memory);

typedef struct weir_sim_line {
	double busy_until;
	int held; /* an atomic came, and the queue has not been empty since */
	/* The access that was served last, for accesses that one warp makes as one. */
	double arrived;
	uint64_t warp;
	weir_sim_class last;
	double begun; /* when its service began, or will */
	double back;  /* when that access was back at its thread */
} weir_sim_line;

#define WEIR_SIM_NO_WARP UINT64_MAX

/* Serves an access that arrives now, after all that arrived before. Returns when its result is back
 * at the thread. Accesses of one warp that arrive together share one service. */
double weir_sim_serve(const weir_sim_memory *memory, weir_sim_line *line, weir_sim_class access,
                      uint64_t warp, double now);

#endif
