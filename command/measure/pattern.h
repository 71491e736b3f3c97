/* The patterns in which events are measured, and the operations of a round. */
#ifndef WEIR_COMMAND_MEASURE_PATTERN_H
#define WEIR_COMMAND_MEASURE_PATTERN_H

#include <stdint.h>

#include "weir/kind.h"
#include "weir/profile.h"

/* A row of the table of patterns. */
typedef struct weir_pattern_row {
	const char *kernel; /* "ring" for event_ring, event_ring_word and so on */
	const char *title;
	uint32_t ring; /* blocks that hand over to one another; 0: all */
} weir_pattern_row;

/* NULL for what is no pattern. weir_pattern_name has its name. */
const weir_pattern_row *weir_pattern_find(uint32_t pattern);

/* The operations that count in a round of all blocks: 1 where all of them make one together. */
uint32_t weir_round_operations(const weir_point *point);
/* How many operations `sum` stands for, what all blocks completed added up. */
uint64_t weir_operations(const weir_point *point, uint64_t sum);

#endif
