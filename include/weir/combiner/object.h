/* The handle of a combiner, and what a call of it keeps.
 *
 * Its words: `lock` and `left`, config.pitch apart; then a cell of 64 bits for each seat, a state above
 * a word; then config.words - 1 further words of each seat. There are config.seats seats, one for each
 * block, and the rows of cells and words have room for a multiple of 32. All-zero words are a combiner
 * that has not been used.
 */
#ifndef WEIR_COMBINER_OBJECT_H
#define WEIR_COMBINER_OBJECT_H

#include "weir/object.h"

/** The most words of an operation. */
#define WEIR_COMBINER_WORDS_MOST WEIR_FIRST_WORDS

/** What the handle of a combiner says of it. */
typedef struct weir_combiner_config {
	WEIR_CONFIG_MEMBERS
	uint32_t seats; /**< how many blocks may call it */
	/** Words of an operation, and of its result: 1 to WEIR_COMBINER_WORDS_MOST. */
	uint32_t words;
	uint32_t is_served; /**< 1: one block serves, and no other block does operations */
} weir_combiner_config;

/** The handle of a combiner. Kernels get it by value, and copies are the same combiner. */
WEIR_HANDLE_(weir_combiner)

/* The seats that a row has room for. */
WEIR_FN uint32_t weir_combiner_row_(weir_combiner_config config)
{
	return (config.seats + 31) / 32 * 32;
}

/** The words of a combiner. */
WEIR_FN uint64_t weir_combiner_words(weir_combiner_config config)
{
	return 2 * config.pitch + (uint64_t)weir_combiner_row_(config) * (1 + config.words);
}

#endif
