/* A benchmark kernel with the object that it uses: runs one launch and checks the result. */
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
	weir_backoff backoff; /* used as it is: both 0 means no pause */
	weir_known_shape shape;
} weir_setting;

/* The setting that every kind has without a profile, whatever the user's profile says: points and
 * searches compare with it. */
weir_setting weir_untuned_setting(const weir_point *wanted);

/* One launch. */
typedef struct weir_outcome {
	double per_second;
	double jain; /* 0: not measured; the same for worst_share */
	double worst_share;
	uint64_t completed;
	double ms;      /* from when all blocks were running until the last had ended */
	uint32_t least; /* operations of the slowest block */
	int cut;        /* the slowest block did fewer than requested */
	int clocked;
} weir_outcome;

typedef struct weir_subject {
	weir_meter *meter;
	weir_point wanted; /* the case, in the members from `primitive` to `work` */
	const char *name;  /* for error messages */
	weir_kernel kernel;
	void *words;
	weir_any_config config;
	weir_setting setting; /* of the object */
	int has_setting;      /* 0: the library's own */
	/* The objects, if they are weir's, one after another in the same memory. First is the
	 * measured object, then the event that releases all blocks if blocks meet, or the second
	 * condition, then the mutex of conditions. */
	weir_any objects[3];
	uint32_t layers;           /* of the tasks */
	const weir_buffer *memory; /* where the object is; NULL: chosen by the library */
	weir_buffer data;
	uint32_t *copy; /* a copy of what the blocks count */
	size_t copied;  /* its bytes, from the start of data */
	weir_busy busy;
	uint32_t *rings;   /* for events: rounds of each block in all launches so far */
	uint64_t added;    /* what all launches so far have added to the first word of the work */
	uint64_t kept;     /* for locks: writes, rounds or operations of all launches so far */
	uint32_t hash;     /* over these operations */
	uint32_t begin;    /* rounds that the blocks have made with the object so far */
	uint32_t launches; /* launches in which the blocks met first */
} weir_subject;

/* The kind in the name of its kernel: the requested one, where 0 stands for any. A kernel contains
 * only the default kinds of events or queues unless its author names others, so the kernel for the
 * library's choice names it. */
uint32_t weir_subject_kernel_kind(const weir_subject *subject);

/* Creates an object of weir. Kind 0 is the default, and a setting of NULL the library's own. The
 * subject must be destroyed even if this fails. */
weir_status weir_subject_create(weir_meter *meter, const weir_point *wanted,
                                const weir_setting *setting, weir_subject *subject);
/* Creates the object anew in that memory, and gives it up again, so that several subjects can use
 * the same memory one after another. */
weir_status weir_subject_enter(weir_subject *subject, const weir_buffer *memory);
weir_status weir_subject_leave(weir_subject *subject);
/* Takes any kernel with those parameters. The caller owns its object, and sets words and config. */
weir_status weir_subject_create_around(weir_meter *meter, const weir_point *wanted,
                                       const char *name, weir_kernel kernel, weir_subject *subject);
void weir_subject_destroy(weir_subject *subject);

/* The maximum number of rounds in a run; UINT32_MAX: any number. */
uint32_t weir_subject_most(const weir_subject *subject);

/* The capacity of a queue: one item for each thread. */
uint32_t weir_queue_slots(const weir_point *wanted);

/* A graph of layers (sim/sim.h) on a device. `options` may be NULL; its `local` is set from the
 * pattern. */
weir_status weir_layers_create(weir_device *device, uint32_t pattern, uint32_t blocks,
                               uint32_t count, const weir_tasks_options *options, weir_any *tasks);

/* How long to wait for a launch that stops by itself after `limit_s`; a launch that takes longer
 * hangs. */
uint64_t weir_launch_deadline_ns(double limit_s);

/* Runs one launch; blocks stop after `limit_s` (0: never). WEIR_LAUNCH_FAILED if the blocks' counts
 * show that an operation went wrong. */
weir_status weir_subject_run(weir_subject *subject, uint32_t rounds, double limit_s,
                             weir_outcome *outcome);

/* Sorts the outcomes and writes the median, the lowest and the highest, after dropping this many on
 * either side. */
void weir_outcomes_summarize(weir_outcome *outcomes, uint32_t count, uint32_t leave_out,
                             weir_point *result);

#endif
