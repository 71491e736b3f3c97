/* The file of traces, and the executions in it. */
#ifndef WEIR_COMMAND_VERIFY_TRACES_H
#define WEIR_COMMAND_VERIFY_TRACES_H

#include "verify/jobs.h"

/* The two functions return 0, or complain and return an exit status. */

/* Writes the traces of all failures, with what a replay needs. */
int weir_verify_write_traces(const weir_verify_request *request, const weir_verify_list *list);
/* Adds the executions of such a file. */
int weir_verify_read_traces(const char *path, weir_verify_list *list);

#endif
