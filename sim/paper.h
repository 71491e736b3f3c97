/* What the paper says of its own kernels, which a claim about them must heed. */
#ifndef WEIR_SIM_PAPER_H
#define WEIR_SIM_PAPER_H

#include "weir/kind.h"

/* Of a GPU's `full` blocks of 128 threads, how many run at once of the paper's kernel. "The XF
 * barrier requires many registers to complete, so we could only run up to 6 blocks per SM" (results),
 * of 8. The others run all 8. */
uint32_t weir_paper_most_blocks(enum weir_primitive primitive, uint32_t kind, uint32_t full);

#endif
