/* Notes and strings of kernels that share all memory with the host. */
#define _GNU_SOURCE
#include <sys/uio.h>
#include <unistd.h>

#include "core/backend.h"

weir_status weir_plain_peek(void *state, void *area, size_t offset, void *to, size_t bytes)
{
	uint32_t *from = (uint32_t *)area + offset / sizeof(uint32_t);

	(void)state;
	for (size_t i = 0; i < bytes / sizeof(uint32_t); i++) {
		/* Relaxed: most words are 0, which implies nothing about others. */
		if (__atomic_load_n(from + i, __ATOMIC_RELAXED) != 0)
			((uint32_t *)to)[i] = __atomic_load_n(from + i, __ATOMIC_ACQUIRE);
	}
	return WEIR_OK;
}

weir_status weir_plain_poke(void *state, void *area, size_t offset, const void *from, size_t bytes)
{
	uint32_t *to = (uint32_t *)area + offset / sizeof(uint32_t);

	(void)state;
	for (size_t i = 0; i < bytes / sizeof(uint32_t); i++)
		__atomic_store_n(to + i, ((const uint32_t *)from)[i], __ATOMIC_RELAXED);
	return WEIR_OK;
}

/* A program may have been unloaded: only the system can tell. */
weir_status weir_plain_read_program(void *state, uint64_t address, void *to, size_t bytes)
{
	struct iovec here = {to, bytes};
	struct iovec there = {(void *)(uintptr_t)address, bytes};

	(void)state;
	return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)bytes
	           ? WEIR_OK
	           : WEIR_NOT_FOUND;
}
