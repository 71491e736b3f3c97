/* Kernel launches as barriers: in a stream, or as the nodes of a CUDA graph. */
#ifndef WEIR_COMMAND_PEERS_RELAUNCH_H
#define WEIR_COMMAND_PEERS_RELAUNCH_H

#include <stdint.h>

#include "measure/subject.h"
#include "weir/weir.h"

typedef struct weir_relaunch weir_relaunch;

/* NULL when the device has no memory for it, or the driver lacks a function; the error text says. */
weir_relaunch *weir_relaunch_create(const weir_subject *subject, int as_graph);
void weir_relaunch_destroy(weir_relaunch *relaunch);

/* `rounds` launches of the subject's kernel, one after the other. */
weir_status weir_relaunch_run(weir_relaunch *relaunch, uint32_t rounds, weir_outcome *outcome);

/* The most rounds of a run: a graph is made before it is launched. */
uint32_t weir_relaunch_most(const weir_relaunch *relaunch);

#endif
