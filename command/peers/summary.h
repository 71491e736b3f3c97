/* weir's default barrier against grid.sync(), over all matches of a tournament. */
#ifndef WEIR_COMMAND_PEERS_SUMMARY_H
#define WEIR_COMMAND_PEERS_SUMMARY_H

#include <jansson.h>
#include <stdio.h>

#include "peers/tournament.h"

/* A table for what blocks do before a barrier, with a row for each shape: both times and their ratio. */
void weir_duels_print(FILE *text, const weir_tournament *tournament);

/* The ratios of all matches in one table, then the least, the mean and how many are slower. */
void weir_ratios_print(FILE *text, const weir_tournament *tournament);
/* NULL: nothing was measured. */
json_t *weir_ratios_json(const weir_tournament *tournament);

#endif
