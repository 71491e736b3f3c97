/* Running the probe and benchmark kernels on a device. */
#ifndef WEIR_COMMAND_MEASURE_H
#define WEIR_COMMAND_MEASURE_H

#include "cli/options.h"
#include "cli/output.h"

struct weir_sim_machine;

/* The places in memory that the runs of a point go around on a GPU: with few blocks, that of a line
 * makes a difference of up to 50% on an H200. At a place, all kinds have the same. */
#define WEIR_PLACES 3

/* An open device with the kernels on it, or a simulated one, which has neither. */
typedef struct weir_meter {
	weir_device *device;
	weir_device_info info;
	weir_program *probe;
	weir_program *bench;
	weir_buffer places[WEIR_PLACES];
	uint32_t place_count;         /* 1 on a CPU, where they make no difference */
	double warmed_ms;             /* what has run on it since it was opened */
	struct weir_sim_machine *sim; /* NULL: a device of the library */
} weir_meter;

/* 0; or a complaint and WEIR_EXIT_USAGE when there is no such device, WEIR_EXIT_FAILED when the
 * kernels do not load. NULL: the best device, never a simulated one. */
int weir_meter_open(const char *device, weir_meter *meter);
void weir_meter_close(weir_meter *meter);

/* Sorts them. */
double weir_median(double *values, size_t count);

/* The twelve benchmarks, each the median of several runs after a warm-up, on a full device. Adds 1
 * to the progress (may be NULL) for each: WEIR_ACCESS_COUNT in all. Of a simulated device, the
 * figures that it is made from. Stopped by Ctrl-C: WEIR_OK and
 * weir_stop_asked(), and the times that are missing are 0. */
weir_status weir_measure_probe(weir_meter *meter, weir_progress *progress, weir_probe *probe);

/* What an object is made with beside its kind. */
typedef struct weir_setting {
	weir_backoff backoff; /* both 0: the library's own */
	weir_known_shape shape;
} weir_setting;

/* Measures the case that `wanted` states in its members from `primitive` to `repeats`: a warm-up,
 * then the repeats, as many as fit into `limit_s` seconds (0: no limit; then one at the least);
 * result->repeats says how many. A repeat is a run at each place, of at least wanted->rounds rounds
 * and as many more as make a run long enough; result->rounds says how many, or on a CPU how many at
 * least. Throughput is operations
 * a second of all blocks together; a barrier that all of them pass is one operation. `setting` NULL:
 * what the library takes by itself; on a simulated device, what the simulator's tuner finds.
 * A barrier of more blocks than can run at once gives WEIR_TOO_MANY_BLOCKS, and so do the others:
 * a point is about blocks that run at the same time. */
weir_status weir_measure_point(weir_meter *meter, const weir_point *wanted, double limit_s,
                               const weir_setting *setting, weir_point *result);

/* The same for several, in turns, so that a drift of the clocks or a busy machine meets all alike; all
 * have as many repeats as the first. Not on a simulated device. */
weir_status weir_measure_turns(weir_meter *meter, const weir_point *wanted,
                               const weir_setting *const *settings, uint32_t count, double limit_s,
                               weir_point *results);

/* What every kind has without a profile, whatever the user's profile says: what points and searches
 * compare with. {0, 0} for a kind that does not back off. */
weir_backoff weir_untuned_backoff(enum weir_primitive primitive, uint32_t kind);
weir_setting weir_untuned_setting(const weir_point *wanted);

/* The most blocks of `threads` threads that run at once in every benchmark kernel. */
weir_status weir_measure_most_blocks(weir_meter *meter, uint32_t threads, uint32_t *blocks);

/* What a benchmark runs when nothing else is asked for: small on a CPU, where each GPU thread is a
 * thread of the system. */
typedef struct weir_sweep {
	uint32_t threads;
	uint32_t rounds; /* at least; 0: no more than a run takes by itself */
	uint32_t repeats;
	uint32_t work;
	uint32_t cluster;     /* blocks in a cluster; 0: none. No profile is made of others */
	double limit_s;       /* for each point */
	weir_counts blocks;   /* 1, 2, 4, ... units, 2 units, ... and the most that run at once */
	weir_counts initials; /* of semaphores: 1, 2, 10, 120 */
} weir_sweep;

/* `threads` 0: the device's default. */
weir_status weir_sweep_default(weir_meter *meter, uint32_t threads, weir_sweep *sweep);

/* Measures the points of a sweep for some kinds of a primitive and adds them to the profile; those
 * that it has already, with the same threads and work, are left out when `only_missing`. Ends early
 * when Ctrl-C asks for it. Backoff and shape are those that every kind has without a profile; on a
 * simulated device, those that the simulator's tuner finds, as for weir predict. Progress counts
 * points; weir_sweep_size says how many. */
weir_status weir_measure_sweep(weir_meter *meter, const weir_sweep *sweep,
                               enum weir_primitive primitive, const weir_counts *kinds,
                               int only_missing, weir_progress *progress, weir_profile *profile);
uint32_t weir_sweep_size(const weir_sweep *sweep, enum weir_primitive primitive,
                         const weir_counts *kinds);

/* A profile of the device with nothing in it. */
weir_profile *weir_profile_empty(const weir_device_info *device);
/* The user's profile of the device, or an empty one of this device when there is none or when it
 * cannot be used: to be added to. */
weir_status weir_profile_start(const weir_meter *meter, weir_profile **profile);
/* Whether the user's profile of the device could be written: to be asked before long work. 0, or a
 * complaint and WEIR_EXIT_FAILED; WEIR_EXIT_USAGE on a simulated device, which has none. */
int weir_profile_check_store(const weir_meter *meter);
/* Makes the rules anew and writes it to `path`; NULL: where the library looks for the user's. 0, or
 * a complaint and WEIR_EXIT_FAILED. `written` (may be NULL) gets the path. */
int weir_profile_store(weir_profile *profile, const weir_meter *meter, const char *path,
                       char *written, size_t room);

/* Where a kind may take the place of the built-in default: measures both again, often and in turns,
 * and replaces their points. A kind that is chosen in the end has won so. */
weir_status weir_measure_duels(weir_meter *meter, weir_profile *profile);

/* All of it: the probe and the sweeps of all primitives and kinds, as far as the profile lacks
 * them. */
weir_status weir_measure_missing(weir_meter *meter, const weir_sweep *sweep, weir_profile *profile);

#endif
