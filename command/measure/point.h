/* One point of a benchmark. */
#ifndef WEIR_COMMAND_MEASURE_POINT_H
#define WEIR_COMMAND_MEASURE_POINT_H

#include <stdint.h>

#include "measure/meter.h"
#include "measure/subject.h"
#include "weir/profile.h"
#include "weir/weir.h"

/* Measures the case that `wanted` states in its members from `primitive` to `repeats`: a warm-up, then
 * the repeats. With a `limit_s` above 0 it takes as many repeats as fit into so many seconds, but at
 * least one; result->repeats says how many.
 *
 * A repeat is a run at each place. A run has at least wanted->rounds rounds, and as many more as make
 * it long enough; result->rounds says how many, or on a CPU how many at least.
 *
 * Throughput is operations a second of all blocks together; a barrier that all of them pass is one
 * operation. `setting` NULL: the library's own; on a simulated device, what the simulator's tuner
 * finds. More blocks than can run at once give WEIR_TOO_MANY_BLOCKS, for all primitives: a point is
 * about blocks that run at the same time. */
weir_status weir_measure_point(weir_meter *meter, const weir_point *wanted, double limit_s,
                               const weir_setting *setting, weir_point *result);

/* Measures several in turns, so that a drift of the clocks or a busy machine affects all alike. All have
 * as many repeats as the first. Not on a simulated device. */
weir_status weir_measure_turns(weir_meter *meter, const weir_point *wanted,
                               const weir_setting *const *settings, uint32_t count, double limit_s,
                               weir_point *results);

#endif
