/* A match: all contenders at one count of blocks, one initial value, and with blocks that do the same
 * before a barrier. */
#ifndef WEIR_COMMAND_COMPARE_MATCH_H
#define WEIR_COMMAND_COMPARE_MATCH_H

#include <stddef.h>

#include "compare/contender.h"
#include "measure/meter.h"
#include "weir/profile.h"
#include "weir/weir.h"

struct weir_tournament;

typedef struct weir_match {
	weir_point wanted; /* its kind means nothing */
	weir_busy busy;
	weir_contender *contenders;
	size_t count;
} weir_match;

/* Makes the contenders and their objects on the device. The match must be closed, also when this
 * fails. A contender that cannot run there stays, with the reason in left_out. */
weir_status weir_match_open(struct weir_tournament *tournament, weir_match *match);
/* Frees what is on the device; names and results stay. */
void weir_match_close(weir_match *match);
void weir_match_free(weir_match *match);

/* The fastest contender of that role, or NULL. */
const weir_contender *weir_match_best(const weir_match *match, enum weir_role role);
/* The best peer; for a contender that is fair, the best that is fair, too, if there is one. */
const weir_contender *weir_match_counterpart(const weir_match *match,
                                             const weir_contender *contender);
/* The first contender of that role with a result, or NULL. */
const weir_contender *weir_match_find(const weir_match *match, enum weir_role role);
/* grid.sync(), the peer that people compare with first; NULL where it has no result. */
const weir_contender *weir_match_grid_sync(const weir_match *match);
/* How many times as fast the default is as grid.sync(); NAN: not measured. */
double weir_match_to_grid_sync(const weir_match *match);
/* The time that a split barrier adds to the work between its halves, in microseconds; NAN: not
 * measured. */
double weir_split_cost_us(const weir_match *match, const weir_contender *split);

#endif
