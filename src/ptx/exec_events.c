/* Execution by events: every access that others can see is handed out. */
#define EVENTS
#define EXEC weir_ptx_exec_events
#define PLACES weir_ptx_places_events
#define MODE 1
#include "ptx/exec.inc"
