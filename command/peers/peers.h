/* weir bench --peers: weir's kinds and CUDA's own primitives, in turns in one run. */
#ifndef WEIR_COMMAND_PEERS_H
#define WEIR_COMMAND_PEERS_H

#include "measure/rounds.h"
#include "peers/relaunch.h"

/* A median of fewer says nothing. */
#define WEIR_PEERS_REPEATS 7

enum weir_role {
	WEIR_ROLE_DEFAULT, /* what the library takes by itself */
	WEIR_ROLE_KIND,
	WEIR_ROLE_PEER,
	WEIR_ROLE_OUTSIDE,    /* a peer that ends the kernel, and with it what its blocks hold */
	WEIR_ROLE_FLOOR,      /* a bound, no competitor */
	WEIR_ROLE_SPLIT,      /* weir's default barrier, with work between its halves */
	WEIR_ROLE_SPLIT_PEER, /* so for a peer */
	WEIR_ROLE_WORK        /* that work alone */
};

/* One who is measured in a match. */
typedef struct weir_contender {
	enum weir_role role;
	char name[64];
	const char *note; /* what a reader must know of it, or "" */
	weir_subject subject;
	weir_kernel start; /* makes the object before each launch; native is NULL where none does */
	weir_relaunch *relaunch; /* not NULL: each round is a launch */
	uint32_t rounds;
	weir_outcome *outcomes; /* in the order of the repeats, and so they stay */
	uint32_t done;
	double spent_s;
	char left_out[192];     /* why it has no result; "" when it has one */
	weir_any_config config; /* of the object */
	weir_point result;
} weir_contender;

/* All that is measured at one count of blocks and one initial value. */
typedef struct weir_match {
	weir_point wanted; /* its kind means nothing */
	weir_contender *contenders;
	size_t count;
} weir_match;

typedef struct weir_tournament {
	weir_meter *meter;
	enum weir_primitive primitive;
	weir_counts kinds;
	weir_sweep sweep;
	weir_program *program; /* the peers' kernels */
	weir_match *matches;
	size_t count;
	char failure[640]; /* who failed, and how */
} weir_tournament;

/* 0, or a complaint and WEIR_EXIT_USAGE: there was no nvcc when this was built. */
int weir_peers_check_built(void);
weir_status weir_peers_program(weir_device *device, weir_program **program);

/* Who is measured, with their objects on the device; the match must be closed, also when this
 * fails. A contender that cannot run there stays, with the reason in left_out. */
weir_status weir_match_open(weir_tournament *tournament, weir_match *match);
/* Frees what is on the device; names and results stay. */
void weir_match_close(weir_match *match);
void weir_match_free(weir_match *match);

/* WEIR_OK, with the reason kept, when the status says that it cannot run here; else the status. */
weir_status weir_contender_leave_out(weir_contender *contender, weir_status status);

/* One run of a contender, with its object at that place of the meter. */
weir_status weir_contender_run(weir_contender *contender, uint32_t place, uint32_t rounds,
                               double limit_s, weir_outcome *outcome);

/* Every match, each with a warm-up and then all contenders in turns, as often as there are repeats.
 * Ctrl-C: WEIR_OK with what there is. Else tournament->failure says what was wrong. */
weir_status weir_tournament_run(weir_tournament *tournament);
void weir_tournament_free(weir_tournament *tournament);

/* The best of that role in a match, or NULL. */
const weir_contender *weir_match_best(const weir_match *match, enum weir_role role);
/* The first of that role with a result, or NULL. */
const weir_contender *weir_match_find(const weir_match *match, enum weir_role role);
/* What a split barrier adds to the work between its halves, in microseconds; NAN: not measured. */
double weir_split_cost_us(const weir_match *match, const weir_contender *split);

/* Tables and JSON; 0 or the status of a complaint. `complete`: Ctrl-C did not end it. */
int weir_tournament_show(const weir_tournament *tournament, const weir_common *common,
                         const char *command_line, int complete);

#endif
