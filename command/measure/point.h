/* One point of a benchmark. */
#ifndef WEIR_COMMAND_MEASURE_POINT_H
#define WEIR_COMMAND_MEASURE_POINT_H

#include <stdint.h>

#include "measure/meter.h"
#include "measure/subject.h"
#include "weir/profile.h"
#include "weir/weir.h"

/* Measures the case given by the members of `wanted` from `primitive` to `repeats`: a warm-up, then
 * the repeats. If `limit_s` is above 0 it makes as many repeats as fit into that many seconds, but
 * at least one; result->repeats has their number.
 *
 * A repeat is a run at each place. A run has at least wanted->rounds rounds, and more if needed to
 * make it long enough; result->rounds has their number, or on a CPU the minimum.
 *
 * Throughput is operations per second over all blocks; a barrier that all of them pass is one
 * operation. `setting` NULL: the library's own; on a simulated device, the one that the simulator's
 * tuner finds. More blocks than can run at once give WEIR_TOO_MANY_BLOCKS, for all primitives: a
 * point is about blocks that run at the same time. */
weir_status weir_measure_point(weir_meter *meter, const weir_point *wanted, double limit_s,
                               const weir_setting *setting, weir_point *result);

/* Measures several points alternately, so that a drift of the clocks or a busy machine affects all
 * of them alike. All have the same number of repeats as the first. Not on a simulated device. */
weir_status weir_measure_turns(weir_meter *meter, const weir_point *wanted,
                               const weir_setting *const *settings, uint32_t count, double limit_s,
                               weir_point *results);

#endif
