/* The kernels of the measurements, loaded on a device. */
#ifndef WEIR_COMMAND_MEASURE_PROGRAMS_H
#define WEIR_COMMAND_MEASURE_PROGRAMS_H

#include <stdint.h>

#include "weir/kind.h"
#include "weir/weir.h"

weir_status weir_bench_program(weir_device *device, weir_program **program);
/* The peers on the host machine: pthreads. */
weir_status weir_threads_program(weir_device *device, weir_program **program);
weir_status weir_probe_program(weir_device *device, weir_program **program);
/* Returns 0 if this was built without nvcc. */
int weir_has_cuda_kernels(void);
int weir_has_hip_kernels(void);

/* Writes the name of the benchmark kernel of a kind; for kind 0, of the kernel that dispatches on
 * the kind. `pattern` is for primitives with patterns. `is_busy`: for barriers, the kernel whose
 * blocks store and work first. Returns `name`. */
const char *weir_bench_kernel_name(enum weir_primitive primitive, uint32_t kind, uint32_t pattern,
                                   int is_busy, char name[64]);

#endif
