/* weir bench --peers: measures weir's kinds and the primitives of CUDA or pthreads alternately in
 * one run. */
#ifndef WEIR_COMMAND_COMPARE_PEERS_H
#define WEIR_COMMAND_COMPARE_PEERS_H

#include <stddef.h>
#include <stdint.h>

#include "cli/options.h"
#include "cli/parse.h"
#include "driver/chain.h"
#include "driver/cost.h"
#include "measure/subject.h"
#include "sweep/sweep.h"
#include "weir/profile.h"
#include "weir/weir.h"

/* ---- one contender: a kind of weir, or a primitive of CUDA or of pthreads ---- */

enum weir_role {
	WEIR_ROLE_DEFAULT, /* what the library chooses by itself */
	WEIR_ROLE_KIND,
	WEIR_ROLE_PEER,
	WEIR_ROLE_OUTSIDE,    /* a peer that ends the kernel, so that its blocks lose their
	                       * registers */
	WEIR_ROLE_FLOOR,      /* a bound, not a competitor */
	WEIR_ROLE_SPLIT,      /* weir's default barrier, with work between its halves */
	WEIR_ROLE_SPLIT_PEER, /* the same for a peer */
	WEIR_ROLE_WORK        /* only that work */
};

typedef struct weir_contender {
	enum weir_role role;
	char name[64];
	const char *note; /* a remark for the reader, or "" */
	weir_subject subject;
	weir_kernel start; /* makes the object before each launch, if has_start */
	int has_start;
	weir_chain *chain; /* not NULL: each round is a launch */
	int as_graph;      /* the launches are nodes of a graph, which is created before it is
	                    * launched */
	uint32_t rounds;
	weir_outcome *outcomes; /* in the order of the repeats, and never sorted */
	uint32_t done;
	double spent_s;
	char left_out[192];     /* why it has no result; "" if it has one */
	weir_any_config config; /* of the object, if it is weir's */
	int is_own;             /* the object is weir's */
	int is_fair;            /* it serves in the order of arrival */
	weir_cost cost;         /* of the kernel */
	weir_point result;
} weir_contender;

/* If the status says that the contender cannot run here, keeps the reason and returns WEIR_OK;
 * otherwise returns the status. */
weir_status weir_contender_leave_out(weir_contender *contender, weir_status status);

/* One run, with the object at that place of the meter. */
weir_status weir_contender_run(weir_contender *contender, uint32_t place, uint32_t rounds,
                               double limit_s, weir_outcome *outcome);

/* ---- a match: all contenders at one block count, one initial value, and one kind of work before a
 * barrier ---- */

struct weir_tournament;

typedef struct weir_match {
	weir_point wanted; /* its kind is unused */
	weir_busy busy;
	weir_contender *contenders;
	size_t count;
} weir_match;

/* Creates the contenders and their objects on the device. The match must be closed even if this
 * fails. A contender that cannot run there stays in the list, with the reason in left_out. */
weir_status weir_match_open(struct weir_tournament *tournament, weir_match *match);
/* Frees everything on the device; names and results stay. */
void weir_match_close(weir_match *match);
void weir_match_free(weir_match *match);

/* The fastest contender of that role, or NULL. */
const weir_contender *weir_match_best(const weir_match *match, enum weir_role role);
/* The best peer; for a contender that is fair, the best fair peer if there is one. */
const weir_contender *weir_match_counterpart(const weir_match *match,
                                             const weir_contender *contender);
/* The first contender of that role with a result, or NULL. */
const weir_contender *weir_match_find(const weir_match *match, enum weir_role role);
/* grid.sync(), which people compare with first; NULL if it has no result. */
const weir_contender *weir_match_grid_sync(const weir_match *match);
/* How many times as fast as grid.sync() the default is; NAN: not measured. */
double weir_match_to_grid_sync(const weir_match *match);
/* The time that a split barrier adds to the work between its halves, in microseconds; NAN: not
 * measured. */
double weir_split_cost_us(const weir_match *match, const weir_contender *split);

/* ---- all matches ---- */

/* A median of fewer repeats says nothing. */
#define WEIR_PEERS_REPEATS 7
/* A duel has five at each place, because its ratios are close to 1. */
#define WEIR_DUEL_REPEATS 15

typedef struct weir_tournament {
	weir_meter *meter;
	enum weir_primitive primitive;
	weir_counts kinds;
	weir_sweep sweep;    /* its threads are unused */
	weir_counts threads; /* of a block; blocks that cannot all run at once are left out */
	weir_busy_sweep busy;
	int is_duel;           /* only the default and grid.sync() */
	weir_program *program; /* the peers' kernels */
	weir_match *matches;
	size_t count;      /* number of matches played, complete or not */
	size_t planned;    /* number of all matches */
	char failure[640]; /* the contender that failed, and how */
	FILE *text;        /* matches are printed here as they end; NULL: nowhere */
} weir_tournament;

/* Returns 0, or complains and returns WEIR_EXIT_USAGE when the device has no peers. */
int weir_peers_check_device(const weir_meter *meter);
weir_status weir_peers_program(weir_device *device, weir_program **program);

/* Plans a match for each combination of the lists. Defaults for empty lists: 128, 512 and 1024
 * threads in a block, and 1, 2, 4, 8 and 16 blocks on each multiprocessor. */
weir_status weir_tournament_plan(weir_tournament *tournament);
/* Plays every match: a warm-up, then all contenders in turn for each repeat. After Ctrl-C: WEIR_OK
 * with the results so far. After a failure tournament->failure describes it. */
weir_status weir_tournament_run(weir_tournament *tournament);
void weir_tournament_free(weir_tournament *tournament);

/* ---- the output ---- */

/* Print to tournament->text, if it is not NULL: what will be measured; and a match that has ended. */
void weir_tournament_show_head(const weir_tournament *tournament);
void weir_tournament_show_match(const weir_tournament *tournament, const weir_match *match);
/* Prints the comparison of all matches and writes JSON; returns 0 or the status of an error.
 * `complete`: it was not ended by Ctrl-C. */
int weir_tournament_show(const weir_tournament *tournament, const weir_common *common,
                         const char *command_line, int complete);

#endif
