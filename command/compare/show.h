/* The output of weir bench --peers. */
#ifndef WEIR_COMMAND_COMPARE_SHOW_H
#define WEIR_COMMAND_COMPARE_SHOW_H

#include "cli/options.h"
#include "compare/tournament.h"

/* Prints tables and writes JSON; returns 0 or the status of a complaint. `complete`: Ctrl-C did not end
 * it. */
int weir_tournament_show(const weir_tournament *tournament, const weir_common *common,
                         const char *command_line, int complete);

#endif
