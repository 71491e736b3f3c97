/* Sweeps over kinds and block counts. */
#ifndef WEIR_COMMAND_SWEEP_SWEEP_H
#define WEIR_COMMAND_SWEEP_SWEEP_H

#include <stdint.h>

#include "cli/parse.h"
#include "measure/meter.h"
#include "output/progress.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

typedef struct weir_busy_sweep {
	weir_counts stores; /* empty: 0; the same for unevens */
	weir_counts unevens;
} weir_busy_sweep;

/* Whether the command line names any. */
int weir_busy_asked(const weir_busy_sweep *sweep);
/* The number of all pairs, ordered by stores first. */
uint32_t weir_busy_size(const weir_busy_sweep *sweep);
weir_busy weir_busy_at(const weir_busy_sweep *sweep, uint32_t index);

/* "16 words stored by each thread, blocks busy for up to 5 us", or the parts of it that apply. */
const char *weir_busy_text(weir_busy busy, char text[96]);

/* What a benchmark runs by default: little on a CPU, where each GPU thread is a thread of the
 * system. */
typedef struct weir_sweep {
	uint32_t threads;
	uint32_t rounds; /* minimum; 0: the number that a run needs */
	uint32_t repeats;
	uint32_t work;
	uint32_t cluster;     /* blocks in a cluster; 0: none. Profiles are only made without
	                       * clusters */
	double limit_s;       /* for each point */
	weir_counts blocks;   /* 1, 2, 4, ... units, 2 units, ... and the maximum that runs at
	                       * once */
	weir_counts initials; /* for semaphores: 1, 2, 10, 120 */
	weir_counts patterns; /* of one primitive, or of several */
} weir_sweep;

/* How points of a primitive differ apart from kind and blocks: a semaphore's initial values, the
 * patterns, or a single 0. */
weir_counts weir_sweep_initials(const weir_sweep *sweep, enum weir_primitive primitive);

/* `threads` 0: the device's default. */
weir_status weir_sweep_default(weir_meter *meter, uint32_t threads, weir_sweep *sweep);

/* The number of points in a sweep over some kinds of a primitive. */
uint32_t weir_sweep_size(const weir_sweep *sweep, enum weir_primitive primitive,
                         const weir_counts *kinds);

/* Watches a sweep. */
typedef struct weir_sweep_watch {
	weir_progress *progress;                                  /* counts points */
	void (*measured)(void *context, const weir_point *point); /* or NULL */
	void *context;
} weir_sweep_watch;

/* Measures these points and adds them to the profile. With `only_missing`, skips points that the
 * profile has with the same threads and work. Ends early after Ctrl-C.
 *
 * Backoff and shape are those that every kind has without a profile; on a simulated device, those
 * that the simulator's tuner finds, as in weir predict. */
weir_status weir_measure_sweep(weir_meter *meter, const weir_sweep *sweep,
                               enum weir_primitive primitive, const weir_counts *kinds,
                               int only_missing, const weir_sweep_watch *watch,
                               weir_profile *profile);

/* Measures everything that the profile lacks: the probe, and the sweeps of all primitives and
 * kinds. */
weir_status weir_measure_missing(weir_meter *meter, const weir_sweep *sweep, weir_profile *profile);

#endif
