/* Memory of the device ptx in whole pages, which kernels of other processes may use. */
#ifndef WEIR_PTX_DEVICE_PAGES_H
#define WEIR_PTX_DEVICE_PAGES_H

#include <stdint.h>

#include "ptx/ptx.h"

/* Names memory for another process of this computer and user. */
typedef struct ptx_pages_name {
	int64_t process;
	int64_t file;
	uint64_t bytes;
} ptx_pages_name;

/* Zero-filled. */
weir_status weir_ptx_pages_allocate(weir_ptx_memory *memory, size_t bytes, uint64_t *address);
/* The memory stays at its address. */
weir_status weir_ptx_pages_export(weir_ptx_memory *memory, uint64_t address, ptx_pages_name *name);
/* Maps memory of another process, which may go on without it. */
weir_status weir_ptx_pages_import(weir_ptx_memory *memory, const ptx_pages_name *name,
                                  uint64_t *address);
/* Frees what was allocated, or unmaps what was imported. */
weir_status weir_ptx_pages_free(weir_ptx_memory *memory, uint64_t address);

#endif
