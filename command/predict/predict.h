/* What weir predict is asked for. */
#ifndef WEIR_COMMAND_PREDICT_PREDICT_H
#define WEIR_COMMAND_PREDICT_PREDICT_H

#include <stddef.h>

#include "cli/options.h"
#include "cli/parse.h"
#include "weir/kind.h"
#include "weir/weir.h"

typedef struct weir_predict_request {
	weir_common common;
	const char *claims;
	const char *against;
	const char *what_if;
	int map;
	int counts;
	int untuned;
	int published;
	int has_backoff;
	weir_backoff backoff; /* in place of what the tuner finds */
	int has_primitive;
	enum weir_primitive primitive;
	const char *kinds_text;
	weir_counts kinds;    /* of that primitive; none: all */
	weir_counts blocks;   /* none: up to the profile's maximum */
	weir_counts initials; /* none: the paper's four */
	const char *patterns_text;
	weir_counts patterns; /* of that primitive; none: all */
} weir_predict_request;

#define WEIR_PREDICT_PRIMITIVES 5

/* Writes the primitives that are asked for, and returns how many. Events and queues are not among them
 * where the question is the paper's. */
size_t weir_predict_primitives(const weir_predict_request *request,
                               enum weir_primitive list[WEIR_PREDICT_PRIMITIVES]);

#endif
