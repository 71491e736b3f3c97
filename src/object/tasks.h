/* Graphs of tasks: their check, their words, and what hinders one that is stuck. */
#ifndef WEIR_OBJECT_TASKS_H
#define WEIR_OBJECT_TASKS_H

#include "weir/weir.h"

/* Checks a graph, and makes the configuration of its tasks. `config` has all members that objects have
 * in common. `device` is NULL for a simulated one, which has 64-bit atomics. */
weir_status weir_tasks_plan(const weir_device *device, const weir_graph *graph,
                            const weir_tasks_options *options, weir_tasks_config *config);

/* The first state, in zeros. */
void weir_tasks_fill(weir_word *image, const weir_tasks_config *config, const weir_graph *graph);

/* What hinders a run of these tasks, whose words the host can read: the first task that can never run,
 * and those that it waits for. "": all can run. */
#define WEIR_HINDRANCE_BYTES 192
weir_status weir_tasks_hindrance(weir_tasks tasks, char text[WEIR_HINDRANCE_BYTES]);

#endif
