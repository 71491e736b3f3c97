/* Plain execution with a trace: an operation is reported before it runs. */
#define TRACE
#define EXEC weir_ptx_exec_trace_plain
#include "ptx/exec.inc"
