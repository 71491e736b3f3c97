/* A benchmark kernel with the object that it works on: launched once, and judged. */
#ifndef WEIR_COMMAND_MEASURE_SUBJECT_H
#define WEIR_COMMAND_MEASURE_SUBJECT_H

#include <stdint.h>

#include "kernels/bench_params.h"
#include "measure/any.h"
#include "measure/meter.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

typedef struct weir_setting {
	weir_backoff backoff; /* as it is: both 0 is no pause */
	weir_known_shape shape;
} weir_setting;

/* The setting of every kind without a profile, whatever the user's profile says: points and searches
 * compare with it. */
weir_setting weir_untuned_setting(const weir_point *wanted);

/* One launch. */
typedef struct weir_outcome {
	double per_second;
	double jain; /* 0: not measured; so for worst_share */
	double worst_share;
	uint64_t completed;
	double ms;      /* from when all blocks ran until the last had ended */
	uint32_t least; /* operations of the slowest block */
	int cut;        /* the slowest block did fewer than it was asked for */
	int clocked;
} weir_outcome;

typedef struct weir_subject {
	weir_meter *meter;
	weir_point wanted; /* the case, in its members from `primitive` to `work` */
	const char *name;  /* for complaints */
	weir_kernel kernel;
	void *words;
	weir_any_config config;
	weir_setting setting; /* of the object */
	int has_setting;      /* 0: the library's own */
	/* The objects, if they are weir's, one behind the other in the same memory: the one that is
	 * measured; the events by which all are told, where blocks meet, or the second condition; the
	 * mutex of conditions. */
	weir_any objects[3];
	uint32_t layers;           /* of the tasks */
	const weir_buffer *memory; /* where the object is; NULL: the library's */
	weir_buffer data;
	uint32_t *copy; /* of what the blocks count */
	size_t copied;  /* bytes of that, from the start of data */
	weir_busy busy;
	uint32_t *rings;   /* of events: rounds of each block in all launches so far */
	uint64_t added;    /* what all launches so far added to the first word of the work */
	uint64_t kept;     /* by locks: writes, rounds or operations of all launches so far */
	uint32_t hash;     /* of these operations */
	uint32_t begin;    /* rounds that the blocks made with the object so far */
	uint32_t launches; /* in which the blocks met first */
} weir_subject;

/* The kind in the name of its kernel: the wanted one, where 0 stands for any. A kernel has the default
 * kind of events or queues unless its author names others; so that of the library's choice names it. */
uint32_t weir_subject_kernel_kind(const weir_subject *subject);

/* Makes an object of weir. Kind 0 is the default, and a setting of NULL the library's own. The
 * subject must be destroyed, also when this fails. */
weir_status weir_subject_create(weir_meter *meter, const weir_point *wanted,
                                const weir_setting *setting, weir_subject *subject);
/* Makes the object anew in that memory, and gives it up again, so that several subjects can use
 * the same memory one after another. */
weir_status weir_subject_enter(weir_subject *subject, const weir_buffer *memory);
weir_status weir_subject_leave(weir_subject *subject);
/* Takes any kernel with those parameters. The caller owns its object, and sets words and config. */
weir_status weir_subject_create_around(weir_meter *meter, const weir_point *wanted,
                                       const char *name, weir_kernel kernel, weir_subject *subject);
void weir_subject_destroy(weir_subject *subject);

/* The most rounds that a run can have; UINT32_MAX: any number. */
uint32_t weir_subject_most(const weir_subject *subject);

/* The capacity of a queue: an item for each thread. */
uint32_t weir_queue_slots(const weir_point *wanted);

/* A graph of layers (sim/sim.h) on a device. `options`, which may be NULL, but for `local`. */
weir_status weir_layers_create(weir_device *device, uint32_t pattern, uint32_t blocks,
                               uint32_t count, const weir_tasks_options *options, weir_any *tasks);

/* How long to wait for a launch that stops by itself after `limit_s`: longer, and it hangs. */
uint64_t weir_launch_deadline_ns(double limit_s);

/* One launch; blocks stop after `limit_s` (0: never). An operation that went wrong, as far as the
 * blocks' counts tell, is WEIR_LAUNCH_FAILED. */
weir_status weir_subject_run(weir_subject *subject, uint32_t rounds, double limit_s,
                             weir_outcome *outcome);

/* Sorts the outcomes and writes the median, the lowest and the highest, after leaving out so many
 * on either side. */
void weir_outcomes_summarize(weir_outcome *outcomes, uint32_t count, uint32_t leave_out,
                             weir_point *result);

#endif
