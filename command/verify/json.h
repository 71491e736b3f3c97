/* The results of weir verify as JSON. */
#ifndef WEIR_COMMAND_VERIFY_JSON_H
#define WEIR_COMMAND_VERIFY_JSON_H

#include "verify/jobs.h"

/* Returns 0, or complains and returns an exit status. */
int weir_verify_write_json(const weir_verify_request *request, const weir_verify_list *list);

#endif
