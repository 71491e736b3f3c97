/* Checks what the blocks of a benchmark counted. */
#ifndef WEIR_COMMAND_MEASURE_CHECK_H
#define WEIR_COMMAND_MEASURE_CHECK_H

#include <stddef.h>
#include <stdint.h>

#include "measure/subject.h"
#include "weir/profile.h"
#include "weir/weir.h"

/* The words that the host reads after a launch. */
size_t weir_check_words(const weir_point *wanted);

/* Reads them after a launch of `rounds` rounds, and fills in `outcome` except for `ms`, which it
 * already contains. */
weir_status weir_check_run(weir_subject *subject, uint32_t rounds, weir_outcome *outcome);

#endif
