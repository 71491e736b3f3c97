/* The measurements on a simulated device. */
#ifndef WEIR_COMMAND_MEASURE_SIM_H
#define WEIR_COMMAND_MEASURE_SIM_H

#include <stdint.h>

#include "measure/meter.h"
#include "measure/subject.h"
#include "weir/profile.h"
#include "weir/weir.h"

/* The parts of weir_meter_open, weir_measure_most_blocks and weir_measure_point for simulated
 * devices. A point is one run of weir_sim_machine's accesses, regardless of rounds, repeats and
 * limit; a setting of NULL means the one that weir_sim_find finds. */
int weir_sim_meter_open(const char *name, weir_meter *meter);
uint32_t weir_sim_most_blocks(const weir_meter *meter, uint32_t threads);
/* Discards what the machine found for other block sizes. */
weir_status weir_sim_use_threads(weir_meter *meter, uint32_t threads);
weir_status weir_sim_measure_point(weir_meter *meter, const weir_point *wanted,
                                   const weir_setting *setting, weir_point *result);

#endif
