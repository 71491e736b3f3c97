/* The second level of the simulator: GPUs as ranks on links of a latency and a rate. What a barrier over
 * them costs, and an event, in several forms. doc/crew.md has the figures and where they are from. */
#ifndef WEIR_SIM_RANKS_RANKS_H
#define WEIR_SIM_RANKS_RANKS_H

#include <stdint.h>

#include "weir/weir.h"

/* A load of the own memory, there and back: by polls a rank finds what has come. */
#define WEIR_SIM_POLL_NS 160.0

#define WEIR_SIM_RANKS_MOST 8192

/* One kind of link, in nanoseconds. A rank that polls finds a signal `latency` after it was sent, at
 * least WEIR_SIM_POLL_NS. A rank sends, and takes, one in `gap`. */
typedef struct weir_sim_link {
	double latency;
	double gap;
} weir_sim_link;

/* GPUs in domains of `domain`, one behind the other: `near` inside, `far` between them. */
typedef struct weir_sim_links {
	uint32_t domain;
	weir_sim_link near;
	weir_sim_link far;
} weir_sim_links;

typedef enum weir_sim_pattern {
	WEIR_SIM_BARRIER, /* all ranks meet */
	WEIR_SIM_TO_ALL,  /* rank 0 signals all others, by events */
	WEIR_SIM_TO_ONE,  /* all ranks signal rank 0, by events */
	WEIR_SIM_PATTERNS
} weir_sim_pattern;

typedef enum weir_sim_form {
	WEIR_SIM_FLAT,      /* directly */
	WEIR_SIM_TWO_LEVEL, /* by a leader for each domain */
	WEIR_SIM_TREE_8,    /* of 8 children each */
	WEIR_SIM_TREE_32,
	WEIR_SIM_ROUNDS_2, /* dissemination; events: a binomial tree */
	WEIR_SIM_ROUNDS_8,
	WEIR_SIM_ROUNDS_32,
	WEIR_SIM_FORMS
} weir_sim_form;

extern const char *const weir_sim_form_names[WEIR_SIM_FORMS];
extern const char *const weir_sim_pattern_names[WEIR_SIM_PATTERNS];

/* Barriers have no tree of 32, and events rounds of 2 alone. */
int weir_sim_has_form(weir_sim_pattern pattern, weir_sim_form form);

typedef struct weir_sim_ranks_cost {
	double ns;             /* until the last rank may go on; all begin at 0 */
	uint64_t far_signals;  /* between domains, of all ranks together */
	uint32_t most_signals; /* that one rank sends */
	int is_computed;       /* by arithmetic: the text would take too long */
} weir_sim_ranks_cost;

/* Runs the text of the headers, on 1 to WEIR_SIM_RANKS_MOST ranks. A flat barrier of more than
 * WEIR_SIM_FLAT_MOST of them is computed by weir_sim_flat. */
weir_status weir_sim_ranks(const weir_sim_links *links, weir_sim_pattern pattern,
                           weir_sim_form form, uint32_t ranks, weir_sim_ranks_cost *cost);

#define WEIR_SIM_FLAT_MOST 256

/* A flat barrier by arithmetic. It is within a poll of what the text takes. */
weir_sim_ranks_cost weir_sim_flat(const weir_sim_links *links, uint32_t ranks);

/* One signal from a rank to another, near or far. */
weir_status weir_sim_hop(const weir_sim_links *links, int is_far, double *ns);

/* The systems that are simulated unless a user has figures of his own. */
typedef struct weir_sim_system {
	const char *name;
	const char *what;
	weir_sim_links links;
} weir_sim_system;

/* NULL past the last one. */
const weir_sim_system *weir_sim_system_at(uint32_t index);

/* Their figures, one by one. NULL past the last one. */
typedef struct weir_sim_figure {
	const char *what;
	const char *value;
	const char *source;
	int is_guess;
} weir_sim_figure;

const weir_sim_figure *weir_sim_figure_at(uint32_t index);

#endif
