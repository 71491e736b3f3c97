#include "ranks.h"

#include <stdlib.h>
#include <string.h>

const char *const weir_sim_form_names[WEIR_SIM_FORMS] = {
    "flat", "two levels", "tree of 8", "rounds of 2", "rounds of 8", "rounds of 32"};

#define CHILDREN 8

/* A phase while it is simulated: when each rank may go on, and when its port is free again. */
typedef struct phase {
	const weir_sim_links *links;
	uint32_t ranks;
	double *at;
	double *sends; /* the port out of each rank */
	double *takes; /* the port into it */
	double *heard; /* when a rank has heard all of a round */
} phase;

static const weir_sim_link *link_of(const phase *p, uint32_t a, uint32_t b)
{
	return a / p->links->domain == b / p->links->domain ? &p->links->near : &p->links->far;
}

/* A signal from one rank to another, which hears it not before its port has taken it. */
static void signal(phase *p, uint32_t from, uint32_t to)
{
	const weir_sim_link *link = link_of(p, from, to);
	double sent = p->at[from] > p->sends[from] ? p->at[from] : p->sends[from];
	double taken = sent + link->latency;

	p->sends[from] = sent + link->gap;
	if (p->takes[to] > taken)
		taken = p->takes[to];
	p->takes[to] = taken + link->gap;
	if (taken > p->heard[to])
		p->heard[to] = taken;
}

/* The ranks go on when they have heard. */
static void go_on(phase *p)
{
	for (uint32_t i = 0; i < p->ranks; i++) {
		if (p->heard[i] > p->at[i])
			p->at[i] = p->heard[i];
		p->heard[i] = 0;
	}
}

/* Dissemination among every `step`th rank, `count` of them. */
static void rounds(phase *p, uint32_t count, uint32_t step, uint32_t radix)
{
	for (uint64_t distance = 1; distance < count; distance *= radix) {
		for (uint64_t j = 1; j < radix && j * distance < count; j++)
			for (uint32_t i = 0; i < count; i++)
				signal(p, i * step, (uint32_t)((i + j * distance) % count) * step);
		go_on(p);
	}
}

static void two_level(phase *p)
{
	uint32_t domain = p->links->domain;

	for (uint32_t i = 0; i < p->ranks; i++)
		if (i % domain != 0)
			signal(p, i, i / domain * domain);
	go_on(p);
	rounds(p, (p->ranks + domain - 1) / domain, domain, 8);
	for (uint32_t i = 0; i < p->ranks; i++)
		if (i % domain != 0)
			signal(p, i / domain * domain, i);
	go_on(p);
}

/* Rank i has the children 8i + 1 to 8i + 8. */
static void tree(phase *p)
{
	for (uint32_t i = p->ranks - 1; i > 0; i--) {
		if (p->heard[i] > p->at[i])
			p->at[i] = p->heard[i];
		signal(p, i, (i - 1) / CHILDREN);
	}
	p->at[0] = p->heard[0];
	memset(p->heard, 0, p->ranks * sizeof *p->heard);
	for (uint32_t i = 1; i < p->ranks; i++) {
		signal(p, (i - 1) / CHILDREN, i);
		p->at[i] = p->heard[i];
	}
}

static void run(phase *p, weir_sim_form form)
{
	switch (form) {
	case WEIR_SIM_FLAT:
		rounds(p, p->ranks, 1, p->ranks < 2 ? 2 : p->ranks);
		break;
	case WEIR_SIM_TWO_LEVEL:
		two_level(p);
		break;
	case WEIR_SIM_TREE:
		tree(p);
		break;
	case WEIR_SIM_ROUNDS_2:
		rounds(p, p->ranks, 1, 2);
		break;
	case WEIR_SIM_ROUNDS_8:
		rounds(p, p->ranks, 1, 8);
		break;
	default:
		rounds(p, p->ranks, 1, 32);
	}
}

double weir_sim_ranks(const weir_sim_links *links, weir_sim_form form, uint32_t ranks)
{
	double *memory = calloc(ranks, 4 * sizeof *memory);
	phase p = {.links = links, .ranks = ranks};
	double last = 0;

	if (!memory)
		return -1;
	p.at = memory;
	p.sends = memory + ranks;
	p.takes = p.sends + ranks;
	p.heard = p.takes + ranks;
	run(&p, form);
	for (uint32_t i = 0; i < ranks; i++)
		if (p.at[i] > last)
			last = p.at[i];
	free(memory);
	return last;
}
