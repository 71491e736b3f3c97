/* The forms of a real kernel. */
#include "forms/forms.h"

#include "forms/problems/problem.h"

const weir_form weir_forms[WEIR_FORMS] = {
    [WEIR_FORM_DEFAULT] = {"default", WEIR_BUILD_DEFAULT, WEIR_HOW_ONE_LAUNCH,
                           WEIR_FOR_BARRIERS | WEIR_FOR_LOCKS, 0},
    [WEIR_FORM_FIXED] = {"fixed", WEIR_BUILD_FIXED, WEIR_HOW_ONE_LAUNCH,
                         WEIR_FOR_BARRIERS | WEIR_FOR_LOCKS, 0},
    [WEIR_FORM_EVENTS] = {"events", WEIR_BUILD_DEFAULT, WEIR_HOW_EVENTS, WEIR_FOR_EVENTS, 0},
    [WEIR_FORM_TASKS] = {"tasks", WEIR_BUILD_DEFAULT, WEIR_HOW_TASKS, WEIR_FOR_TASKS, 0},
    [WEIR_FORM_TASKS_LOCAL] = {"tasks-local", WEIR_BUILD_DEFAULT, WEIR_HOW_LOCAL, WEIR_FOR_TASKS,
                               0},
    [WEIR_FORM_QUEUE] = {"queue", WEIR_BUILD_DEFAULT, WEIR_HOW_QUEUE, WEIR_FOR_QUEUE, 0},
    [WEIR_FORM_COMBINE] = {"combine", WEIR_BUILD_DEFAULT, WEIR_HOW_COMBINE, WEIR_FOR_COMBINE, 0},
    [WEIR_FORM_GRID] = {"grid", WEIR_BUILD_TOOLKIT, WEIR_HOW_ONE_LAUNCH, WEIR_FOR_BARRIERS, 1},
    [WEIR_FORM_LIBCU] = {"libcu++", WEIR_BUILD_TOOLKIT, WEIR_HOW_ONE_LAUNCH, WEIR_FOR_LOCKS, 1},
    [WEIR_FORM_HAND] = {"hand", WEIR_BUILD_HAND, WEIR_HOW_ONE_LAUNCH,
                        WEIR_FOR_BARRIERS | WEIR_FOR_LOCKS, 1},
    [WEIR_FORM_GRAPH] = {"graph", WEIR_BUILD_DEFAULT, WEIR_HOW_GRAPH, WEIR_FOR_BARRIERS, 1},
    [WEIR_FORM_GRAPH_PDL] = {"graph-pdl", WEIR_BUILD_DEFAULT, WEIR_HOW_EARLY, WEIR_FOR_BARRIERS,
                             1}};

int weir_form_is_graph(enum weir_form_id form)
{
	return weir_forms[form].how == WEIR_HOW_GRAPH || weir_forms[form].how == WEIR_HOW_EARLY;
}

int weir_form_suits(enum weir_form_id form, const real_kernel *kernel)
{
	int wants = kernel->uses == REAL_USES_BARRIER ? WEIR_FOR_BARRIERS : WEIR_FOR_LOCKS;

	if (kernel->events)
		wants |= WEIR_FOR_EVENTS;
	if (kernel->make_graph)
		wants |= WEIR_FOR_TASKS;
	if (kernel->items)
		wants |= WEIR_FOR_QUEUE;
	if (kernel->combiners)
		wants |= WEIR_FOR_COMBINE;
	return (weir_forms[form].is_for & wants) != 0;
}

enum weir_form_id weir_form_toolkit(const real_kernel *kernel)
{
	return kernel->uses == REAL_USES_BARRIER ? WEIR_FORM_GRID : WEIR_FORM_LIBCU;
}
