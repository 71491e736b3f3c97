/* The options shared by bench and tune: kinds, blocks, threads, initial values, the time limit. */
#ifndef WEIR_COMMAND_SWEEP_REQUEST_H
#define WEIR_COMMAND_SWEEP_REQUEST_H

#include "cli/parse.h"
#include "measure/meter.h"
#include "sweep/sweep.h"
#include "weir/kind.h"

typedef struct weir_request {
	const char *kinds_text; /* NULL: all */
	weir_sweep sweep;       /* 0 or an empty list: the device's default */
} weir_request;

/* The limits of these options. */
enum {
	WEIR_MOST_BLOCKS = 1 << 20,
	WEIR_MOST_THREADS = 1024,
	WEIR_MOST_INITIAL = 1 << 20
};

/* Both functions return 0, or complain and return WEIR_EXIT_USAGE. */

/* The kinds named in kinds_text, or all of the primitive. */
int weir_request_kinds(const weir_request *request, enum weir_primitive primitive,
                       weir_counts *kinds);

/* Refuses a request that the device cannot run, and fills in the device's defaults. */
int weir_request_complete(weir_request *request, weir_meter *meter);

#endif
