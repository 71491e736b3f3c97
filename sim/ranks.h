/* The second level of the simulator: ranks on links of a latency and a rate. One phase of a barrier over
 * GPUs, in several forms; all ranks arrive at time 0. */
#ifndef WEIR_SIM_RANKS_H
#define WEIR_SIM_RANKS_H

#include <stdint.h>

/* One kind of link. A store or message is at the other end `latency` after it was sent. A rank sends, and
 * takes, one in `gap`. Both in nanoseconds. */
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

typedef enum weir_sim_form {
	WEIR_SIM_FLAT,      /* every rank signals every other one */
	WEIR_SIM_TWO_LEVEL, /* a leader for each domain; leaders in rounds of radix 8 */
	WEIR_SIM_TREE,      /* of 8 children: up to the root and down again */
	WEIR_SIM_ROUNDS_2,  /* dissemination */
	WEIR_SIM_ROUNDS_8,
	WEIR_SIM_ROUNDS_32,
	WEIR_SIM_FORMS
} weir_sim_form;

extern const char *const weir_sim_form_names[WEIR_SIM_FORMS];

/* Nanoseconds until the last rank may go on; less than 0 without memory. */
double weir_sim_ranks(const weir_sim_links *links, weir_sim_form form, uint32_t ranks);

#endif
