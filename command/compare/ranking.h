/* The ranking of measured kinds: which one is best, whether a benchmark can tell, and the price of
 * fairness. */
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
	const weir_point *next; /* the fastest of the other kinds */
	double rate;            /* of the best, with its tuned setting if that gained anything */
	double next_rate;
	weir_lead lead; /* of the best over the next */
	/* The fastest of the kinds that serve in the order of arrival; NULL for barriers, and if
	 * none was measured. */
	const weir_point *fair;
	double fair_rate;
	double price;       /* the share of the best's rate that it gives up; 0.1: a tenth */
	int price_measured; /* whether a benchmark can tell */
	/* The point of the built-in default's kind; NULL if it was not measured. */
	const weir_point *usual;
	double usual_rate;
	weir_lead over_usual; /* of the best over the built-in default */
} weir_ranking;

/* Room for the rankings of one primitive: one for each block count or initial value. */
#define WEIR_RANKINGS 64

/* Writes the rankings of a primitive, one for each comparison from which the profile's rules are
 * made, and returns their number. A barrier has one for each block count, a mutex has one, and a
 * semaphore has one for each initial value, both at the largest measured block count. There is none
 * if fewer than two kinds were measured side by side. */
size_t weir_rankings(const weir_profile *profile, enum weir_primitive primitive,
                     weir_ranking rankings[WEIR_RANKINGS]);

/* At most two sentences, each on its own line: the best kind and its lead; the fair alternative and
 * its price. */
void weir_ranking_print(FILE *text, const weir_ranking *ranking);
/* One sentence: whether the built-in default stays, and why. `kind` is the rule's kind. */
void weir_ranking_print_default(FILE *text, const weir_ranking *ranking, uint32_t kind);
json_t *weir_output_ranking(const weir_ranking *ranking);

/* ---- duels: before a kind replaces the built-in default ---- */

/* Wherever a kind may replace the built-in default, measures both again, often and alternately, and
 * replaces their points. A kind that the rules choose in the end has won its duel. */
weir_status weir_measure_duels(weir_meter *meter, weir_profile *profile);

#endif
