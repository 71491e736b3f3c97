/* Execution by events with a trace. */
#define TRACE
#define EVENTS
#define EXEC weir_ptx_exec_trace_events
#include "ptx/exec.inc"
