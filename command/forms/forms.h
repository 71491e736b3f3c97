/* The forms of a real kernel: the same work with one way to synchronize or another. */
#ifndef WEIR_COMMAND_FORMS_FORMS_H
#define WEIR_COMMAND_FORMS_FORMS_H

#include "forms/builds.h"
#include "forms/problems/problem.h"

enum weir_how {
	WEIR_HOW_ONE_LAUNCH,
	WEIR_HOW_EVENTS,  /* the same, with events in place of meetings */
	WEIR_HOW_TASKS,   /* with a graph of tasks */
	WEIR_HOW_LOCAL,   /* whose blocks go on with tasks that they have made ready */
	WEIR_HOW_QUEUE,   /* with a queue of work that blocks pass to each other */
	WEIR_HOW_COMBINE, /* with combiners in place of locks */
	WEIR_HOW_GRAPH,   /* of its parts */
	WEIR_HOW_EARLY    /* with programmatic dependent launch */
};

/* What a form is for. */
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
	enum weir_build build;
	enum weir_how how;
	int is_for;
	int is_peer; /* not weir's; only on CUDA */
} weir_form;

extern const weir_form weir_forms[WEIR_FORMS];

/* Whether it is a graph of launches: then its blocks need not run at once. */
int weir_form_is_graph(enum weir_form_id form);
int weir_form_suits(enum weir_form_id form, const real_kernel *kernel);
/* What others are compared with, if it is measured: grid.sync() or libcu++. */
enum weir_form_id weir_form_toolkit(const real_kernel *kernel);

#endif
