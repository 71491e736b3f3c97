/* Ranks that are processes of a test: each runs a function and returns its number of failures. */
#ifndef TEST_CREW_RANKS_H
#define TEST_CREW_RANKS_H

#include <stdint.h>

#include "weir/crew/api.h"
#include "weir/crew/bounded.h"
#include "weir/ranks.h"

#define MOST_RANKS 4
#define DEADLINE_S 60 /* generous: only a bug reaches it */

typedef struct rank_context {
	weir_crew_place place;
	weir_device *device;
	int failures;
	void *what; /* of the test */
} rank_context;

typedef void (*rank_function)(rank_context *context);

/* Prints what is wrong, and counts it. */
void ranks_check(rank_context *context, int right, int line, const char *text);
#define CHECK(context, condition) ranks_check(context, condition, __LINE__, #condition)

/* Starts `ranks` processes with sockets to rank 0, or without them: then the ranks meet by `name`. Ranks
 * in the mask `absent` are not started. Waits, and returns the failures of all. A rank that a signal
 * ends counts as a failure, unless it is in the mask `killed`. */
int ranks_run(uint32_t ranks, const char *name, uint32_t absent, uint32_t killed,
              rank_function function, void *what);

/* Joins with these options, or ends the process. */
weir_crew_link *ranks_join(rank_context *context, const weir_crew_options *options,
                           weir_crew *crew);

#endif
