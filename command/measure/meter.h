/* An open device with the kernels of the measurements. */
#ifndef WEIR_COMMAND_MEASURE_METER_H
#define WEIR_COMMAND_MEASURE_METER_H

#include <stdint.h>

#include "cli/options.h"
#include "weir/kind.h"
#include "weir/weir.h"

struct weir_sim_machine;

/* The runs of a point on a GPU alternate between this many places in memory. With few blocks, the
 * place of a cache line changes the rate by up to 50% on an H200. All kinds get the same places. */
#define WEIR_PLACES 3

/* What the blocks of a barrier's benchmark do before each barrier; all 0: nothing. */
typedef struct weir_busy {
	uint32_t stores;    /* words that every thread stores */
	uint32_t uneven_us; /* then every block works for a random time below this */
} weir_busy;

int weir_is_busy(weir_busy busy);

/* A simulated device has neither programs nor places. */
typedef struct weir_meter {
	weir_device *device;
	weir_device_info info;
	weir_program *probe;
	weir_program *bench;
	weir_buffer places[WEIR_PLACES];
	uint32_t place_count;         /* 1 on a CPU, where they make no difference */
	double warmed_ms;             /* the time of all runs since the device was opened */
	struct weir_sim_machine *sim; /* NULL: a device of the library */
	weir_busy busy;               /* for subjects of barriers created from now on */
	/* A queue, a dispenser or tasks if their kernels run as well: they need more registers. */
	enum weir_primitive primitive;
	uint32_t ticks_per_us; /* of the clock that blocks use to time their work; 0: not yet
	                        * queried */
} weir_meter;

/* NULL: the best device, never a simulated one. Returns 0, or prints an error and returns
 * WEIR_EXIT_USAGE if the device does not exist, or WEIR_EXIT_FAILED if the kernels cannot be
 * loaded. */
int weir_meter_open(const char *device, weir_meter *meter);
void weir_meter_close(weir_meter *meter);
/* Opens the device named by the request that begins with `common`, calls `run`, and closes the
 * device. First checks that the JSON can be written. */
int weir_meter_use(weir_common *common, int (*run)(weir_meter *meter, void *request));

/* Sets meter->busy. */
weir_status weir_meter_set_busy(weir_meter *meter, weir_busy busy);

/* The maximum number of blocks of `threads` threads that run at once in every benchmark kernel. */
weir_status weir_measure_most_blocks(weir_meter *meter, uint32_t threads, uint32_t *blocks);

#endif
