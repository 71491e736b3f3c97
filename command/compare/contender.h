/* One contender of a match: a kind of weir, or a primitive of CUDA or of pthreads. */
#ifndef WEIR_COMMAND_COMPARE_CONTENDER_H
#define WEIR_COMMAND_COMPARE_CONTENDER_H

#include <stdint.h>

#include "driver/cost.h"
#include "measure/subject.h"
#include "weir/profile.h"
#include "weir/weir.h"

typedef struct weir_relaunch weir_relaunch;

/* NULL when the device has no memory for it, or the driver lacks a function; the error text says. */
weir_relaunch *weir_relaunch_create(const weir_subject *subject, int as_graph);
void weir_relaunch_destroy(weir_relaunch *relaunch);

/* `rounds` launches of the subject's kernel, one after the other. */
weir_status weir_relaunch_run(weir_relaunch *relaunch, uint32_t rounds, weir_outcome *outcome);

/* The most rounds of a run: a graph is made before it is launched. */
uint32_t weir_relaunch_most(const weir_relaunch *relaunch);

enum weir_role {
	WEIR_ROLE_DEFAULT, /* what the library takes by itself */
	WEIR_ROLE_KIND,
	WEIR_ROLE_PEER,
	WEIR_ROLE_OUTSIDE,    /* a peer that ends the kernel: its blocks lose their registers */
	WEIR_ROLE_FLOOR,      /* a bound, no competitor */
	WEIR_ROLE_SPLIT,      /* weir's default barrier, with work between its halves */
	WEIR_ROLE_SPLIT_PEER, /* so for a peer */
	WEIR_ROLE_WORK        /* that work alone */
};

typedef struct weir_contender {
	enum weir_role role;
	char name[64];
	const char *note; /* what a reader must know of it, or "" */
	weir_subject subject;
	weir_kernel start; /* makes the object before each launch, if has_start */
	int has_start;
	weir_relaunch *relaunch; /* not NULL: each round is a launch */
	uint32_t rounds;
	weir_outcome *outcomes; /* in the order of the repeats, and so they stay */
	uint32_t done;
	double spent_s;
	char left_out[192];     /* why it has no result; "" when it has one */
	weir_any_config config; /* of the object, if it is weir's */
	int is_own;             /* it is */
	int is_fair;            /* it serves in the order of arrival */
	weir_cost cost;         /* of the kernel */
	weir_point result;
} weir_contender;

/* Keeps the reason and returns WEIR_OK when the status says that the contender cannot run here; else
 * returns the status. */
weir_status weir_contender_leave_out(weir_contender *contender, weir_status status);

/* One run, with the object at that place of the meter. */
weir_status weir_contender_run(weir_contender *contender, uint32_t place, uint32_t rounds,
                               double limit_s, weir_outcome *outcome);

#endif
