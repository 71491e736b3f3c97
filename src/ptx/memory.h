/* The table of device memory. */
#ifndef WEIR_PTX_MEMORY_H
#define WEIR_PTX_MEMORY_H

#include <stdbool.h>

#include "ptx/ptx.h"

/* An allocation. It stays in place until the memory is destroyed, so a launch may keep pointers to it;
 * freed, it has no bytes. `shadow` has a bit for each byte that was written; NULL: all were. */
typedef struct ptx_region {
	uint64_t start, bytes;
	uint8_t *shadow;
	unsigned flags;
	bool freed, constant;
	uint64_t freed_bytes;
	char *name;
	void *block; /* to free; NULL for adopted memory */
	struct ptx_region *next;
} ptx_region;

/* Returns the region of an address, even if it has been freed, or NULL if there is none. */
ptx_region *weir_ptx_region(weir_ptx_memory *memory, uint64_t address);
/* As weir_ptx_free, but no later allocation gets these addresses: accesses before and after are to different memory. */
weir_status weir_ptx_retire(weir_ptx_memory *memory, uint64_t address);
/* As weir_ptx_allocate, with a name for findings, which is copied. */
weir_status weir_ptx_allocate_named(weir_ptx_memory *memory, size_t bytes, unsigned flags,
                                    size_t align, const char *name, bool constant,
                                    uint64_t *address);

/* Bits of a shadow. */
static inline bool ptx_any_written(const uint8_t *shadow, uint64_t offset, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i++)
		if (shadow[(offset + i) >> 3] >> ((offset + i) & 7) & 1)
			return true;
	return false;
}

static inline void ptx_mark(uint8_t *shadow, uint64_t offset, uint64_t bytes)
{
	uint64_t end = offset + bytes, next;

	for (uint64_t at = offset; at < end; at = next) {
		uint8_t bits;

		next = (at | 7) + 1 < end ? (at | 7) + 1 : end;
		bits = (uint8_t)(((1u << (next - at)) - 1u) << (at & 7));
		if ((shadow[at >> 3] & bits) != bits)
			__atomic_fetch_or(&shadow[at >> 3], bits, __ATOMIC_RELAXED);
	}
}

#endif
