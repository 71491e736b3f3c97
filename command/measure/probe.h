/* The paper's twelve memory benchmarks. */
#ifndef WEIR_COMMAND_MEASURE_PROBE_H
#define WEIR_COMMAND_MEASURE_PROBE_H

#include "measure/meter.h"
#include "output/progress.h"
#include "weir/profile.h"
#include "weir/weir.h"

/* Measures each as the median of several runs after a warm-up, on a full device. Adds 1 to the
 * progress (may be NULL) for each, WEIR_ACCESS_COUNT in all. A simulated device has the figures
 * that it is made from. After Ctrl-C: WEIR_OK and weir_stop_asked(), and missing times are 0. */
weir_status weir_measure_probe(weir_meter *meter, weir_progress *progress, weir_probe *probe);
/* The same with a progress bar, until Ctrl-C. Returns 0, or complains and returns
 * WEIR_EXIT_FAILED. */
int weir_probe_with_bar(weir_meter *meter, weir_probe *probe);

#endif
