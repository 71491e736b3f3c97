/* The interface that each machine implements. */
#ifndef WEIR_CORE_BACKEND_H
#define WEIR_CORE_BACKEND_H

#include "weir/weir.h"

/* A launch that device.c has checked: no dimension is 0, and the grid is resident if it must be. */
typedef struct weir_checked_launch {
	const weir_launch *asked;
	uint32_t grid[3];
	uint32_t block[3];
	uint32_t blocks;
	uint32_t threads;
	int cooperative;
	uint32_t cluster[3]; /* all 1: no clusters */
	uint32_t cluster_blocks;
} weir_checked_launch;

#define WEIR_BACKEND_HANDLE 64

/* One machine. `state` is its own; a function that fails sets the error text. */
typedef struct weir_backend {
	weir_machine machine;
	/* Writes the devices of this machine. Returns "", or the reason why there are none. Like
	 * `open`, it zeroes the unused bytes of an info. */
	const char *(*list)(weir_device_info *infos, size_t room, size_t *count);
	weir_status (*open)(uint32_t index, void **state, weir_device_info *info);
	/* For devices that take parameters, such as "sms=4", in place of an index. NULL: none do. */
	weir_status (*open_with)(const char *parameters, void **state, weir_device_info *info);
	void (*close)(void *state);
	weir_status (*allocate)(void *state, size_t bytes, void **native); /* zeroed */
	weir_status (*release)(void *state, void *native);
	weir_status (*write)(void *state, void *native, size_t offset, const void *from,
	                     size_t bytes);
	weir_status (*read)(void *state, void *native, size_t offset, void *to, size_t bytes);
	/* Memory that the host shares with running kernels, zeroed, at one address for both.
	 * `atomics` says whether additions by the host and by a kernel to the same word are atomic
	 * with respect to each other. NULL: the machine has no shared memory of this kind. */
	weir_status (*share)(void *state, size_t bytes, void **native, int *atomics);
	weir_status (*unshare)(void *state, void *native);
	/* Waits for earlier launches, like `write`; present only with `share`. */
	weir_status (*settle)(void *state);
	/* Exports memory of `area_open`: a handle of WEIR_BACKEND_HANDLE bytes, which another
	 * process imports, and drops before this process releases the memory. NULL: unsupported. */
	weir_status (*export_memory)(void *state, void *native, unsigned char *handle);
	weir_status (*import_memory)(void *state, const unsigned char *handle, void **native);
	weir_status (*drop_memory)(void *state, void *native);
	/* Lets kernels of this device use the memory of another one; NULL: they cannot. */
	weir_status (*reach)(void *state, void *other);
	weir_status (*load)(void *state, const weir_program_text *text, void **module);
	weir_status (*kernel)(void *state, void *module, const char *name, weir_kernel *kernel);
	void (*unload)(void *state, void *module);
	weir_status (*resident)(void *state, weir_kernel kernel, uint32_t threads,
	                        size_t shared_bytes, uint32_t *blocks);
	/* How many clusters of the launch run at once; 0: the device cannot run such clusters at
	 * all. NULL: the machine has no clusters. */
	weir_status (*clusters)(void *state, const weir_checked_launch *launch, uint32_t *clusters);
	/* Which of `kinds` (a bit for each) the kernel's module lists for a primitive, given by its
	 * WEIR_FAULT_*. Bit 0 stands for all kinds. NULL: kernels contain all kinds, or this is
	 * unknown. */
	uint32_t (*listed)(void *state, weir_kernel kernel, uint32_t fault, uint32_t kinds);
	/* The WEIR_VERSION_SERIES of the headers in the kernel's module, 0 if it does not say.
	 * NULL: unknown. */
	uint32_t (*series)(void *state, weir_kernel kernel);
	/* Whether kernels have WEIR_HAS_WORD64; NULL: yes. */
	int (*has_word64)(void *state);
	/* The maximum number of blocks of any kernel that run at once. */
	uint32_t (*most_blocks)(void *state);
	weir_status (*launch)(void *state, const weir_checked_launch *launch);
	weir_status (*wait)(void *state, uint64_t timeout_ns, double *elapsed_ms);
	/* Whether a launch on the device's own stream is still running. Does not wait. */
	int (*is_running)(void *state);
	/* Memory for a diagnosis, zeroed. The last two functions read and write it while a kernel
	 * runs; `to` must be all zeros. NULL: this machine has none. */
	weir_status (*area_open)(void *state, size_t bytes, void **area);
	void (*area_close)(void *state, void *area);
	weir_status (*peek)(void *state, void *area, size_t offset, void *to, size_t bytes);
	weir_status (*poke)(void *state, void *area, size_t offset, const void *from, size_t bytes);
	/* Reads memory of the program, such as a string in it, even while a kernel runs. Returns an
	 * error for an invalid address. */
	weir_status (*read_program)(void *state, uint64_t address, void *to, size_t bytes);
	/* Ends the waits of the launches that have not been waited for, including block syncs; the
	 * next wait then returns WEIR_ABORTED. Returns 0 if it cannot do so for all of their
	 * kernels. NULL: the only waits that end are those that look for an order in the area of a
	 * diagnosis. */
	int (*interrupt)(void *state);
	/* Ends the launch on the device's own stream wherever it is; the launch is then WEIR_ABORTED.
	 * Used where no wait looks for an order. NULL: nothing does. */
	void (*stop)(void *state);
} weir_backend;

extern const weir_backend weir_cuda_backend;
extern const weir_backend weir_hip_backend;
extern const weir_backend weir_opencl_backend;
extern const weir_backend weir_host_backend;
extern const weir_backend weir_ptx_backend; /* of src/cuda */

/* An OpenCL device over the caller's objects; used by weir_device_open_opencl. */
weir_status weir_opencl_adopt(void *context, void *cl_device, void *queue, void **state,
                              weir_device_info *info);

/* Plain copies, for backends whose kernels share all memory with the host. */
weir_status weir_plain_peek(void *state, void *area, size_t offset, void *to, size_t bytes);
weir_status weir_plain_poke(void *state, void *area, size_t offset, const void *from, size_t bytes);
weir_status weir_plain_read_program(void *state, uint64_t address, void *to, size_t bytes);

#endif
