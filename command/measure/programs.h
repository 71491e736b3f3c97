/* The kernels of weir's own measurements, each loaded from the file that holds them for the host. */
#ifndef WEIR_COMMAND_MEASURE_PROGRAMS_H
#define WEIR_COMMAND_MEASURE_PROGRAMS_H

#include "weir/weir.h"

weir_status weir_bench_program(weir_device *device, weir_program **program);
weir_status weir_probe_program(weir_device *device, weir_program **program);
/* 0: there was no nvcc when this was built. */
int weir_has_cuda_kernels(void);

#endif
