/* Simulated devices: sim:NAME is the machine that the simulator makes of a built-in profile's
 * probe. They are devices of this program, not of the library. */
#ifndef WEIR_COMMAND_MEASURE_SIM_H
#define WEIR_COMMAND_MEASURE_SIM_H

#include "measure/measure.h"
#include "sim/prediction.h"

/* Whether a device's name is that of a simulated one, there or not. NULL is not. */
int weir_sim_is_name(const char *name);

/* The simulated devices, one for each built-in profile with a probe. 0 past the last. */
int weir_sim_device(size_t index, weir_device_info *info);

/* A profile of this name, without "sim:". */
const char *weir_sim_profile_name(const char *name);

/* What weir_meter_open, weir_measure_most_blocks and weir_measure_point do on a simulated one. A
 * point is one run of weir_sim_machine's accesses, whatever the rounds, repeats and the limit; a
 * setting of NULL is what weir_sim_find finds. */
int weir_sim_meter_open(const char *name, weir_meter *meter);
uint32_t weir_sim_most_blocks(const weir_meter *meter, uint32_t threads);
/* What the machine found with blocks of another size is forgotten. */
weir_status weir_sim_use_threads(weir_meter *meter, uint32_t threads);
weir_status weir_sim_measure_point(weir_meter *meter, const weir_point *wanted,
                                   const weir_setting *setting, weir_point *result);

#endif
