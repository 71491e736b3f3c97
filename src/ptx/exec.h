/* The loop that runs a thread. */
#ifndef WEIR_PTX_EXEC_H
#define WEIR_PTX_EXEC_H

#include "ptx/program.h"

/* Runs until an event that is not answered inline, for `fuel` accesses and backward branches at most.
 * WEIR_PTX_SUSPECT: at a loop's head, event->value[0] is the loop. */
weir_ptx_kind weir_ptx_exec_plain(weir_ptx_thread *t, int64_t fuel, weir_ptx_event *event);
weir_ptx_kind weir_ptx_exec_events(weir_ptx_thread *t, int64_t fuel, weir_ptx_event *event);
/* The same, and each operation goes into the launch's trace. */
weir_ptx_kind weir_ptx_exec_trace_plain(weir_ptx_thread *t, int64_t fuel, weir_ptx_event *event);
weir_ptx_kind weir_ptx_exec_trace_events(weir_ptx_thread *t, int64_t fuel, weir_ptx_event *event);

/* Sets where an operation's code is in both loops. */
void weir_ptx_link(ptx_code *code);
const int32_t *weir_ptx_places_plain(void);
const int32_t *weir_ptx_places_events(void);

#endif
