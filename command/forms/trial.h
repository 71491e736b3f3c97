/* The runs of one form of a real kernel, each with its result checked. */
#ifndef WEIR_COMMAND_FORMS_TRIAL_H
#define WEIR_COMMAND_FORMS_TRIAL_H

#include <stdint.h>

#include "driver/chain.h"
#include "forms/forms.h"
#include "forms/problems/problem.h"
#include "measure/any.h"
#include "weir/weir.h"

/* A kernel at one size: its data on the device, and the expected result. */
typedef struct weir_task {
	weir_builds *builds;
	const real_kernel *kernel;
	const real_size *size;
	size_t words;
	weir_buffer data;   /* the data, followed by a copy that is never changed */
	uint32_t *expected; /* after a run */
	uint32_t *got;
} weir_task;

weir_status weir_task_open(weir_task *task, weir_builds *builds, const real_kernel *kernel,
                           const real_size *size);
void weir_task_close(weir_task *task);

/* ---- what a kernel synchronizes with, at one address in memory ---- */

/* What is requested: the object of a kernel at one size, for a grid. */
typedef struct weir_object_wish {
	const real_kernel *kernel;
	const uint32_t *size;
	uint32_t blocks;
} weir_object_wish;

typedef struct weir_real_object {
	weir_any own[REAL_COMBINERS]; /* one object, or the combiners; none for a peer */
	uint32_t apart;               /* words from one combiner to the next */
	void *words;
	weir_any_config config;
} weir_real_object;

/* The bytes of such an object in its largest form. */
weir_status weir_real_object_bytes(weir_builds *builds, const weir_object_wish *wish,
                                   size_t *bytes);

/* WEIR_UNSUPPORTED for a form whose object the device does not support. */
weir_status weir_real_object_runs(weir_builds *builds, const weir_object_wish *wish,
                                  const weir_form *form);

/* Creates the object of a form `offset` bytes into the memory. A peer's words are initialized by
 * kernels of its build. The object must be left before another one is created there. */
weir_status weir_real_object_enter(weir_builds *builds, const weir_object_wish *wish,
                                   const weir_form *form, weir_buffer memory, size_t offset,
                                   weir_real_object *object);
weir_status weir_real_object_leave(weir_builds *builds, weir_real_object *object);

/* ---- trials ---- */

/* One form on one grid. */
typedef struct weir_trial {
	enum weir_form_id form;
	uint32_t threads;
	uint32_t blocks;
	weir_kernel entry;
	weir_cost cost;
	weir_chain *chain;  /* for forms that are graphs */
	char left_out[192]; /* why it has no result; "" if it has one */
	real_why wrong;     /* the first wrong result; "": all were right */
	double *ms;         /* of each repeat */
	uint32_t done;      /* repeats */
	double median, least, greatest;
} weir_trial;

/* Finds the kernel and its cost for blocks of this many threads. For a form that cannot run there,
 * stores the reason in left_out. */
weir_status weir_trial_open(weir_trial *trial, const weir_task *task, enum weir_form_id form,
                            uint32_t threads);
/* Keeps the reason why it has no result. */
void weir_trial_leave_out(weir_trial *trial, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Sets the number of blocks; leaves the trial out if they must all run at once and cannot. */
void weir_trial_fit(weir_trial *trial, uint32_t blocks);
/* Frees everything on the device; figures stay. */
void weir_trial_close(weir_trial *trial);
void weir_trial_free(weir_trial *trial);

/* Makes `rounds` launches, each on fresh data, with the object `offset` bytes into `memory`; stores
 * their median in `ms`. */
weir_status weir_trial_run(weir_trial *trial, const weir_task *task, weir_buffer memory,
                           size_t offset, uint32_t rounds, double *ms);
/* Median, least and greatest of the repeats. */
void weir_trial_conclude(weir_trial *trial);

#endif
