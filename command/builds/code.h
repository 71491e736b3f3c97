/* The size of a kernel's machine code. */
#ifndef WEIR_COMMAND_BUILDS_CODE_H
#define WEIR_COMMAND_BUILDS_CODE_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of the kernel's text section in the cubin of a fatbin that is not compressed; 0: there is no
 * cubin for that compute capability (90), or no such kernel in it. */
uint64_t weir_code_bytes(const void *fatbin, const char *kernel, uint32_t capability);

#endif
