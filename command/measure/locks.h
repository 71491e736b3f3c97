/* The benchmarks of conditions, reader-writer locks, onces and combiners: their objects, and the check of
 * what their blocks tell (kernels/bench_locks.h). */
#ifndef WEIR_COMMAND_MEASURE_LOCKS_H
#define WEIR_COMMAND_MEASURE_LOCKS_H

#include "kernels/bench_params.h"
#include "measure/subject.h"
#include "weir/kind.h"
#include "weir/weir.h"

/* Whether it is one of these. */
int weir_is_lock(enum weir_primitive primitive);

weir_status weir_locks_create(weir_subject *subject, weir_options options);
weir_status weir_locks_destroy(weir_subject *subject);

void weir_locks_set(const weir_subject *subject, bench_params *params);

/* After a launch, of which subject->copy has the words. `outcome` gets the operations. */
weir_status weir_locks_check(weir_subject *subject, weir_outcome *outcome);

#endif
