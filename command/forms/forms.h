/* The forms of a real kernel: the same work, synchronized in different ways. Each is a kernel of
 * one of the builds, which are loaded on a device. */
#ifndef WEIR_COMMAND_FORMS_FORMS_H
#define WEIR_COMMAND_FORMS_FORMS_H

#include <stddef.h>
#include <stdint.h>

#include "driver/cost.h"
#include "forms/problems/problem.h"
#include "weir/weir.h"

/* The builds of kernels/real/all.h. */
enum weir_build {
	WEIR_BUILD_DEFAULT,
	WEIR_BUILD_FIXED,
	WEIR_BUILD_TOOLKIT, /* grid.sync(), and the locks of libcu++ */
	WEIR_BUILD_HAND,
	WEIR_BUILDS
};

typedef struct weir_builds {
	weir_device *device;
	weir_device_info info;
	weir_program *programs[WEIR_BUILDS]; /* NULL until its first kernel is requested */
} weir_builds;

/* The kinds of the build with fixed kinds, by what kernels use. */
extern const uint32_t weir_fixed_kinds[];

/* Returns 0 if this was built without nvcc. */
int weir_builds_have_cuda(void);
weir_status weir_builds_kernel(weir_builds *builds, enum weir_build build, const char *name,
                               weir_kernel *kernel);
weir_status weir_builds_cost(weir_builds *builds, enum weir_build build, const char *name,
                             uint32_t threads, weir_cost *cost);

typedef struct weir_host_build {
	const weir_host_entry *entries;
	size_t count;
} weir_host_build;

extern const weir_host_build weir_host_default;
extern const weir_host_build weir_host_fixed;

enum weir_how {
	WEIR_HOW_ONE_LAUNCH,
	WEIR_HOW_LOCAL, /* the same; blocks continue with tasks that they have made ready */
	WEIR_HOW_GRAPH, /* a graph of the kernel's parts */
	WEIR_HOW_EARLY  /* with programmatic dependent launch */
};

/* Which kernels a form exists for. */
enum {
	WEIR_FOR_BARRIERS = 1,
	WEIR_FOR_LOCKS = 2,
	WEIR_FOR_EVENTS = 4,  /* kernels that have NAME_events */
	WEIR_FOR_TASKS = 8,   /* NAME_tasks */
	WEIR_FOR_QUEUE = 16,  /* NAME_queue */
	WEIR_FOR_COMBINE = 32 /* NAME_combine */
};

enum weir_form_id {
	WEIR_FORM_DEFAULT,
	WEIR_FORM_FIXED,
	WEIR_FORM_EVENTS,
	WEIR_FORM_TASKS,
	WEIR_FORM_TASKS_LOCAL,
	WEIR_FORM_QUEUE,
	WEIR_FORM_COMBINE,
	WEIR_FORM_GRID,
	WEIR_FORM_LIBCU,
	WEIR_FORM_HAND,
	WEIR_FORM_GRAPH,
	WEIR_FORM_GRAPH_PDL,
	WEIR_FORMS
};

typedef struct weir_form {
	const char *name;
	const char *suffix; /* the suffix of its kernel's name */
	int is_for;
	enum weir_build build;
	enum weir_how how;
	int is_peer; /* not weir's; only on CUDA */
} weir_form;

extern const weir_form weir_forms[WEIR_FORMS];

/* Whether it is a graph of launches, so that its blocks need not all run at once. */
int weir_form_is_graph(enum weir_form_id form);
int weir_form_suits(enum weir_form_id form, const real_kernel *kernel);
/* The form that others are compared with, if it is measured: grid.sync() or libcu++. */
enum weir_form_id weir_form_toolkit(const real_kernel *kernel);

#endif
