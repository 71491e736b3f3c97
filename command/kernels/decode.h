/* The model of kernels/real/decode_parts.h, divided over ranks: heads and inner width. */
#ifndef WEIR_COMMAND_KERNELS_DECODE_H
#define WEIR_COMMAND_KERNELS_DECODE_H

#include <stdint.h>

/* The size of a rank's part. Returns 0 if it cannot be divided so. Both have 8 numbers. */
int decode_divide(const uint32_t *size, uint32_t ranks, uint32_t *own);

/* The part of a rank, from the data of the whole model, also of the expected result. */
void decode_take_own(const uint32_t *size, uint32_t ranks, uint32_t rank, const uint32_t *whole,
                     uint32_t *own);

#endif
