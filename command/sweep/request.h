/* The options that bench and tune share: kinds, blocks, threads, initial values, the time limit. */
#ifndef WEIR_COMMAND_SWEEP_REQUEST_H
#define WEIR_COMMAND_SWEEP_REQUEST_H

#include <getopt.h>

#include "cli/parse.h"
#include "measure/meter.h"
#include "sweep/sweep.h"
#include "weir/kind.h"

typedef struct weir_request {
	const char *kinds_text; /* NULL: all */
	weir_sweep sweep;       /* 0 or an empty list: the device's default */
} weir_request;

#define WEIR_REQUEST_OPTIONS                                                                       \
	{"kinds", required_argument, NULL, 'k'}, {"blocks", required_argument, NULL, 'b'},         \
	    {"threads", required_argument, NULL, 't'},                                             \
	{                                                                                          \
		"initial", required_argument, NULL, 'i'                                            \
	}
#define WEIR_REQUEST_LIMIT                                                                         \
	{                                                                                          \
		"limit", required_argument, NULL, 'l'                                              \
	}

/* Takes one of these options. This and the functions below return 0, or complain and return
 * WEIR_EXIT_USAGE. */
int weir_request_take(int c, weir_request *request);

/* The kinds that kinds_text names, or all of the primitive. */
int weir_request_kinds(const weir_request *request, enum weir_primitive primitive,
                       weir_counts *kinds);

/* Refuses a request that the device cannot run, and fills the gaps with the device's defaults. */
int weir_request_complete(weir_request *request, weir_meter *meter);

#endif
