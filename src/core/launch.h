/* Programs of a device that is being closed. */
#ifndef WEIR_CORE_LAUNCH_H
#define WEIR_CORE_LAUNCH_H

#include "weir/weir.h"

/* Unloads the remaining programs of a device that is being closed. */
void weir_programs_unload(weir_device *device);

#endif
