/* The kinds that the paper compares, by its names. */
#ifndef WEIR_SIM_PAPER_H
#define WEIR_SIM_PAPER_H

#include <stddef.h>

#include "weir/kind.h"

typedef struct weir_paper_kind {
	enum weir_primitive primitive;
	const char *name; /* in claims */
	uint32_t kind;    /* of weir, that stands for it */
	/* Blocks of 128 threads that a multiprocessor holds, of the 8 that the paper's GPUs hold at
	 * most: "The XF barrier requires many registers to complete, so we could only run up to 6
	 * blocks per SM" (results). */
	uint32_t blocks_of_8;
} weir_paper_kind;

/* NULL: the paper compares no such kind. */
const weir_paper_kind *weir_paper_kind_named(enum weir_primitive primitive, const char *name);
/* NULL past the last. */
const weir_paper_kind *weir_paper_kind_at(enum weir_primitive primitive, size_t index);

/* How many blocks run at once of a GPU's `full` ones. */
uint32_t weir_paper_most_blocks(const weir_paper_kind *kind, uint32_t full);

#endif
