/* The sums over the jobs of weir verify. */
#ifndef WEIR_COMMAND_VERIFY_TOTALS_H
#define WEIR_COMMAND_VERIFY_TOTALS_H

#include <stddef.h>
#include <stdint.h>

#include "verify/jobs.h"

typedef struct weir_verify_totals {
	size_t jobs;
	size_t wrong;
	size_t refused;
	size_t equivalent;
	size_t uncovered;
	uint64_t executions;
	uint64_t steps;
	double seconds;
} weir_verify_totals;

weir_verify_totals weir_verify_sum(const weir_verify_list *list);

#endif
