/* Determines the number of rounds of a run, so that neither the launch nor the clock dominates the
 * figure. */
#ifndef WEIR_COMMAND_MEASURE_ROUNDS_H
#define WEIR_COMMAND_MEASURE_ROUNDS_H

#include <stdint.h>

#include "measure/meter.h"
#include "measure/subject.h"
#include "weir/kind.h"
#include "weir/weir.h"

/* One run of the subject. */
typedef weir_status (*weir_rounds_run)(void *subject, uint32_t rounds, double limit_s,
                                       weir_outcome *outcome);

typedef struct weir_rounds {
	uint32_t least; /* even if that takes longer */
	uint32_t most;
	double aim_ms;  /* how long a run should take */
	double limit_s; /* when a run is cut short; 0: never */
} weir_rounds;

/* The rounds that a primitive needs on a device, at least `least`. */
weir_rounds weir_rounds_for(const weir_meter *meter, enum weir_primitive primitive, uint32_t least,
                            double limit_s);

/* Finds the number of rounds that take about as long as a run should: it lengthens a short run
 * until its time grows with its rounds. If nothing in the kernel can cut a run short, the result
 * may be below the minimum, so that a run stays within the limit. */
weir_status weir_rounds_fit(const weir_rounds *wanted, weir_rounds_run run, void *subject,
                            uint32_t *rounds);
/* Whether a run that took `ms` was far too short; if so, stores in `rounds` a number that takes
 * long enough. */
int weir_rounds_grow(const weir_rounds *wanted, double ms, uint32_t *rounds);

#endif
