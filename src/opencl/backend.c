/* The OpenCL backend: memory, and the table of its functions. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>

#include "opencl/opencl.h"

static weir_status allocate(void *opaque, size_t bytes, void **native)
{
	weir_opencl_state *state = opaque;
	/* Copies zeros instead of queuing a fill, which would wait behind a running kernel. */
	void *zeros = calloc(1, bytes);
	cl_int error;

	if (zeros == NULL)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a buffer of %zu bytes", bytes);
	cl_mem memory = weir_opencl.clCreateBuffer(
	    state->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, zeros, &error);
	free(zeros);
	if (error != CL_SUCCESS)
		return weir_opencl_fail(error, "clCreateBuffer");
	*native = memory;
	return WEIR_OK;
}

static weir_status release(void *state, void *native)
{
	cl_int error = weir_opencl.clReleaseMemObject(native);

	(void)state;
	return error == CL_SUCCESS ? WEIR_OK : weir_opencl_fail(error, "clReleaseMemObject");
}

static weir_status write_bytes(void *opaque, void *native, size_t offset, const void *from,
                               size_t bytes)
{
	weir_opencl_state *state = opaque;
	weir_status status = weir_opencl_check_overdue(state);
	cl_int error;

	if (status != WEIR_OK)
		return status;
	error = weir_opencl.clEnqueueWriteBuffer(state->queue, native, CL_TRUE, offset, bytes, from,
	                                         0, NULL, NULL);
	return error == CL_SUCCESS ? WEIR_OK : weir_opencl_fail(error, "clEnqueueWriteBuffer");
}

static weir_status read_bytes(void *opaque, void *native, size_t offset, void *to, size_t bytes)
{
	weir_opencl_state *state = opaque;
	weir_status status = weir_opencl_check_overdue(state);
	cl_int error;

	if (status != WEIR_OK)
		return status;
	error = weir_opencl.clEnqueueReadBuffer(state->queue, native, CL_TRUE, offset, bytes, to, 0,
	                                        NULL, NULL);
	return error == CL_SUCCESS ? WEIR_OK : weir_opencl_fail(error, "clEnqueueReadBuffer");
}

/* A kernel on a CPU reaches the process's memory by its address. weir only knows how to keep that
 * address in PoCL's kernels. */
static weir_status area_open(void *opaque, size_t bytes, void **area)
{
	weir_opencl_state *state = opaque;

	if (!state->shares_memory)
		return weir_fail(WEIR_UNSUPPORTED,
		                 "of OpenCL devices only PoCL's CPU on x86-64 has a diagnosis");
	state->area_bytes = bytes;
	*area = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (*area != MAP_FAILED)
		return WEIR_OK;
	*area = NULL;
	return weir_fail(WEIR_NO_MEMORY, "no memory for a diagnosis");
}

/* Frees the memory and keeps its addresses reserved: a kernel that PoCL keeps may still use them.
 * It reads zeros there, which mean that nothing is being diagnosed. */
static void area_close(void *opaque, void *area)
{
	weir_opencl_state *state = opaque;
	madvise(area, state->area_bytes, MADV_DONTNEED);
}

const weir_backend weir_opencl_backend = {
    .machine = WEIR_MACHINE_OPENCL,
    .list = weir_opencl_list,
    .open = weir_opencl_open,
    .close = weir_opencl_close,
    .allocate = allocate,
    .release = release,
    .write = write_bytes,
    .read = read_bytes,
    .load = weir_opencl_program_load,
    .kernel = weir_opencl_program_kernel,
    .unload = weir_opencl_program_unload,
    .resident = weir_opencl_resident,
    .has_word64 = weir_opencl_has_word64,
    .most_blocks = weir_opencl_most_blocks,
    .launch = weir_opencl_launch,
    .wait = weir_opencl_wait,
    .is_running = weir_opencl_is_running,
    .area_open = area_open,
    .area_close = area_close,
    .peek = weir_plain_peek,
    .poke = weir_plain_poke,
    .read_program = weir_plain_read_program,
};
