/* The memory system of a simulated device: its times, derived from the twelve figures of a probe,
 * and the cache line as a server that handles accesses in the order of arrival. doc/simulator.md
 * explains each rule. Times are in nanoseconds. */
#ifndef WEIR_SIM_MEMORY_H
#define WEIR_SIM_MEMORY_H

#include <stdint.h>

#include "weir/profile.h"

/* The shortest round trip on any device: own-word times below it are of accesses that
 * overlapped. */
#define WEIR_SIM_ROUND_TRIP_NS 160.0

/* The cost of releasing a cache line and taking it again, relative to an atomic unit that keeps
 * holding it: "it must perform thrice as many tag lookups in this case" (the paper, figure 1). */
#define WEIR_SIM_REACQUIRE 3.0

/* The classes of accesses that the figures distinguish. */
typedef enum weir_sim_class {
	WEIR_SIM_READ,     /* volatile */
	WEIR_SIM_WRITE,    /* volatile */
	WEIR_SIM_ATOMIC,   /* one that computes, such as an addition */
	WEIR_SIM_EXCHANGE, /* one that only replaces */
	WEIR_SIM_CLASS_COUNT
} weir_sim_class;

typedef struct weir_sim_times {
	double service; /* how long it occupies the cache line */
	double travel;  /* from the thread to the cache line, and the same back */
} weir_sim_times;

typedef struct weir_sim_memory {
	weir_sim_times free[WEIR_SIM_CLASS_COUNT];
	/* For volatile accesses to a cache line that an atomic unit holds. Only the way back takes
	 * a different time. */
	weir_sim_times held[WEIR_SIM_CLASS_COUNT];
	/* An atomic on a cache line that its unit does not hold occupies the line for this much
	 * longer. */
	double reacquire[WEIR_SIM_CLASS_COUNT];
	double write_issue; /* between two writes of one thread, which does not wait for them */
	double pause_unit;  /* for weir_pause: an uncontended read, there and back */
	/* The hardware change that the paper asks for: consecutive loads in the queue of a held
	 * cache line are served together. */
	int batched_loads;
} weir_sim_memory;

/* WEIR_BAD_ARGUMENT: the error names the impossible figure. */
weir_status weir_sim_memory_make(const weir_probe *probe, weir_sim_memory *memory);

typedef struct weir_sim_line {
	double busy_until;
	int held; /* an atomic arrived, and the queue has not been empty since */
	/* The access that was served last, for accesses that a warp combines into one. */
	double arrived;
	uint64_t warp;
	weir_sim_class last;
	double begun; /* when its service began or will begin */
	double back;  /* when that access returned to its thread */
} weir_sim_line;

#define WEIR_SIM_NO_WARP UINT64_MAX

/* Serves an access that arrives now, after all earlier arrivals. Returns the time when its result
 * is back at the thread. Accesses of one warp that arrive together share one service. */
double weir_sim_serve(const weir_sim_memory *memory, weir_sim_line *line, weir_sim_class access,
                      uint64_t warp, double now);

#endif
