/* The options by which the blocks of a barrier's benchmark store and work before each barrier. */
#ifndef WEIR_COMMAND_SWEEP_BUSY_H
#define WEIR_COMMAND_SWEEP_BUSY_H

#include <getopt.h>
#include <stdint.h>

#include "cli/parse.h"
#include "measure/meter.h"

typedef struct weir_busy_sweep {
	weir_counts stores; /* empty: 0; so for unevens */
	weir_counts unevens;
} weir_busy_sweep;

#define WEIR_BUSY_OPTIONS                                                                          \
	{"stores", required_argument, NULL, 'S'},                                                  \
	{                                                                                          \
		"uneven", required_argument, NULL, 'U'                                             \
	}

/* Takes one of these options; returns 0, or complains and returns WEIR_EXIT_USAGE. */
int weir_busy_take(int c, weir_busy_sweep *sweep);

/* Whether the command line names any. */
int weir_busy_asked(const weir_busy_sweep *sweep);
/* All pairs, those of the first number of stores first. */
uint32_t weir_busy_size(const weir_busy_sweep *sweep);
weir_busy weir_busy_at(const weir_busy_sweep *sweep, uint32_t index);

/* "16 words stored by each thread, blocks busy for up to 5 us", as far as it holds. */
const char *weir_busy_text(weir_busy busy, char text[96]);

#endif
