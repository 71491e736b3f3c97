/* Duels: before a kind takes the place of the built-in default. */
#ifndef WEIR_COMMAND_COMPARE_DUEL_H
#define WEIR_COMMAND_COMPARE_DUEL_H

#include "measure/meter.h"
#include "weir/profile.h"
#include "weir/weir.h"

/* Measures both again, often and in turns, and replaces their points: wherever a kind may take that
 * place. A kind that the rules choose in the end has won its duel. */
weir_status weir_measure_duels(weir_meter *meter, weir_profile *profile);

#endif
