/* The ranking of measured kinds: which one is the best, whether a benchmark can tell, and what
 * fairness costs. */
#ifndef WEIR_COMMAND_COMPARE_RANKING_H
#define WEIR_COMMAND_COMPARE_RANKING_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "measure/meter.h"
#include "weir/kind.h"
#include "weir/profile.h"

/* The ranking in one comparison; the points belong to the profile. */
typedef struct weir_ranking {
	weir_comparison comparison;
	const weir_point *best;
	const weir_point *next; /* the fastest of the others */
	double rate;            /* of the best, with its setting tuned if that gained */
	double next_rate;
	weir_lead lead; /* over the next */
	/* The fastest of the kinds that serve in the order of arrival; NULL for barriers, and where
	 * none was measured. */
	const weir_point *fair;
	double fair_rate;
	double price;       /* what it gives up of the best's rate; 0.1: a tenth */
	int price_measured; /* whether a benchmark can tell */
	/* The point of the built-in default's kind; NULL where it was not measured. */
	const weir_point *usual;
	double usual_rate;
	weir_lead over_usual; /* the best's */
} weir_ranking;

/* Room for the rankings of one primitive: one for each count of blocks or initial value. */
#define WEIR_RANKINGS 64

/* Writes the rankings of a primitive, one for each comparison that the profile's rules are made
 * from, and returns how many. A barrier has one for each count of blocks, a mutex one, a semaphore
 * one for each initial value, both with as many blocks as were measured. There is none where fewer
 * than two kinds were measured side by side. */
size_t weir_rankings(const weir_profile *profile, enum weir_primitive primitive,
                     weir_ranking rankings[WEIR_RANKINGS]);

/* Two sentences at most, a line each: the best and its lead; the fair alternative and its price. */
void weir_ranking_print(FILE *text, const weir_ranking *ranking);
/* One sentence: whether the built-in default stays, and why. `kind` is what the rule says. */
void weir_ranking_print_default(FILE *text, const weir_ranking *ranking, uint32_t kind);
json_t *weir_output_ranking(const weir_ranking *ranking);

/* ---- duels: before a kind takes the place of the built-in default ---- */

/* Measures both again, often and in turns, and replaces their points: wherever a kind may take that
 * place. A kind that the rules choose in the end has won its duel. */
weir_status weir_measure_duels(weir_meter *meter, weir_profile *profile);

#endif
