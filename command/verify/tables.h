/* The results of weir verify as text. */
#ifndef WEIR_COMMAND_VERIFY_TABLES_H
#define WEIR_COMMAND_VERIFY_TABLES_H

#include <stdio.h>

#include "verify/jobs.h"

/* Prints a table for each part, the traces that its reader wants to see, and the totals. */
void weir_verify_print(const weir_verify_request *request, const weir_verify_list *list,
                       FILE *stream);

#endif
