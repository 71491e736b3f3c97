/* weir bench --peers: the kinds of weir and the primitives of CUDA or of pthreads, in turns in one run. */
#ifndef WEIR_COMMAND_COMPARE_TOURNAMENT_H
#define WEIR_COMMAND_COMPARE_TOURNAMENT_H

#include <stddef.h>

#include "cli/parse.h"
#include "compare/match.h"
#include "measure/meter.h"
#include "sweep/sweep.h"
#include "weir/kind.h"
#include "weir/weir.h"

/* A median of fewer says nothing. */
#define WEIR_PEERS_REPEATS 7
/* A duel has five at each place, since its ratios are close to 1. */
#define WEIR_DUEL_REPEATS 15

typedef struct weir_tournament {
	weir_meter *meter;
	enum weir_primitive primitive;
	weir_counts kinds;
	weir_sweep sweep;    /* its threads mean nothing */
	weir_counts threads; /* of a block; blocks that do not run at once are left out */
	weir_busy_sweep busy;
	int is_duel;           /* the default and grid.sync() only */
	weir_program *program; /* the peers' kernels */
	weir_match *matches;
	size_t count;      /* of those that were played, complete or not */
	size_t planned;    /* of all */
	char failure[640]; /* the contender that failed, and how */
} weir_tournament;

/* Returns 0, or complains and returns WEIR_EXIT_USAGE when the device has no peers. */
int weir_peers_check_device(const weir_meter *meter);
weir_status weir_peers_program(weir_device *device, weir_program **program);

/* Makes a match of each combination in the lists (plan.c). Where they are empty, blocks have 128, 512
 * and 1024 threads, and there are 1, 2, 4, 8 and 16 on each multiprocessor. */
weir_status weir_tournament_plan(weir_tournament *tournament);
/* Plays every match: a warm-up, then all contenders in turns, as often as there are repeats. Ctrl-C:
 * WEIR_OK with the results so far. After a failure tournament->failure says what was wrong. */
weir_status weir_tournament_run(weir_tournament *tournament);
void weir_tournament_free(weir_tournament *tournament);

#endif
