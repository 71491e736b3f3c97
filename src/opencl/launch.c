/* OpenCL launches: how many work-groups run at once, starting a kernel and waiting for it. */
#define _POSIX_C_SOURCE 200809L
#include <sched.h>
#include <time.h>

#include "opencl/opencl.h"

/* OpenCL has no occupancy query. But it guarantees that a compute unit can run a work-group that
 * its kernel and local memory allow, so at least one per unit runs at once. PoCL runs exactly that
 * number, GPUs run more. */
weir_status weir_opencl_resident(void *opaque, weir_kernel kernel, uint32_t threads,
                                 size_t shared_bytes, uint32_t *blocks)
{
	weir_opencl_state *state = opaque;
	size_t most_threads = 0;
	cl_ulong local_bytes = 0;
	cl_int error;

	if (kernel.native == NULL)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "the kernel does not belong to this OpenCL device");
	error = weir_opencl.clGetKernelWorkGroupInfo(kernel.native, state->device,
	                                             CL_KERNEL_WORK_GROUP_SIZE, sizeof most_threads,
	                                             &most_threads, NULL);
	if (error == CL_SUCCESS)
		error = weir_opencl.clGetKernelWorkGroupInfo(
		    kernel.native, state->device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local_bytes,
		    &local_bytes, NULL);
	if (error != CL_SUCCESS)
		return weir_opencl_fail(error, "clGetKernelWorkGroupInfo");
	int fits = threads <= most_threads && local_bytes <= state->local_bytes &&
	           shared_bytes <= state->local_bytes - local_bytes;
	*blocks = fits ? state->units : 0;
	return WEIR_OK;
}

uint32_t weir_opencl_most_blocks(void *state)
{
	return ((weir_opencl_state *)state)->units;
}

static weir_status set_arguments(cl_kernel kernel, const weir_launch *launch)
{
	cl_uint expected = 0;
	cl_int error = weir_opencl.clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof expected,
	                                           &expected, NULL);

	if (error != CL_SUCCESS)
		return weir_opencl_fail(error, "clGetKernelInfo");
	if (launch->argument_count != expected)
		return weir_fail(WEIR_BAD_ARGUMENT, "the kernel takes %u arguments, not %u",
		                 expected, launch->argument_count);
	for (uint32_t i = 0; i < launch->argument_count; i++) {
		error = weir_opencl.clSetKernelArg(kernel, i, launch->arguments[i].bytes,
		                                   launch->arguments[i].value);
		if (error != CL_SUCCESS)
			return weir_opencl_fail(error, "clSetKernelArg %u with %zu bytes", i,
			                        launch->arguments[i].bytes);
	}
	return WEIR_OK;
}

static weir_status enqueue(weir_opencl_state *state, const weir_checked_launch *launch)
{
	cl_command_queue queue = launch->asked->stream ? launch->asked->stream : state->queue;
	int own = queue == state->queue;
	size_t global[3], local[3];
	cl_event event;
	cl_int error;

	for (int i = 0; i < 3; i++) {
		local[i] = launch->block[i];
		global[i] = (size_t)launch->grid[i] * launch->block[i];
	}
	error = weir_opencl.clEnqueueNDRangeKernel(queue, launch->asked->kernel.native, 3, NULL,
	                                           global, local, 0, NULL, own ? &event : NULL);
	if (error != CL_SUCCESS)
		return weir_opencl_fail(error, "clEnqueueNDRangeKernel");
	if (own) {
		if (state->last != NULL)
			weir_opencl.clReleaseEvent(state->last);
		state->last = event;
	}
	error = weir_opencl.clFlush(queue);
	return error == CL_SUCCESS ? WEIR_OK : weir_opencl_fail(error, "clFlush");
}

weir_status weir_opencl_launch(void *opaque, const weir_checked_launch *launch)
{
	weir_opencl_state *state = opaque;
	weir_status status;

	if (launch->asked->kernel.native == NULL)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "the kernel does not belong to this OpenCL device");
	if (launch->asked->shared_bytes != 0)
		return weir_fail(WEIR_UNSUPPORTED,
		                 "an OpenCL launch has no dynamic shared memory: give the kernel a "
		                 "__local pointer, and the launch the argument {NULL, bytes}");
	/* Arguments belong to the kernel, not to the launch: no other thread may set them before
	 * the enqueue, which copies them. */
	pthread_mutex_lock(&state->lock);
	status = set_arguments(launch->asked->kernel.native, launch->asked);
	if (status == WEIR_OK)
		status = enqueue(state, launch);
	pthread_mutex_unlock(&state->lock);
	return status;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Yields at first, for short kernels, then sleeps longer and longer. */
static void rest(uint32_t round)
{
	const uint32_t yields = 64, shortest_ns = 16000, longest_ns = 1000000;
	struct timespec time = {0, longest_ns};

	if (round < yields) {
		sched_yield();
		return;
	}
	if (round - yields < 6)
		time.tv_nsec = (long)shortest_ns << (round - yields);
	nanosleep(&time, NULL);
}

static weir_status await_event(cl_event event, uint64_t timeout_ns)
{
	uint64_t begin = now_ns();

	for (uint32_t round = 0;; round++) {
		cl_int status;
		cl_int error = weir_opencl.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
		                                          sizeof status, &status, NULL);
		if (error != CL_SUCCESS)
			return weir_opencl_fail(error, "clGetEventInfo");
		if (status < 0)
			return weir_fail(WEIR_LAUNCH_FAILED, "OpenCL: the launch failed: %s (%d)",
			                 weir_opencl_error_name(status), status);
		if (status == CL_COMPLETE)
			return WEIR_OK;
		if (timeout_ns != 0 && now_ns() - begin >= timeout_ns)
			return weir_fail(WEIR_TIMED_OUT,
			                 "the device is still busy after %.3f seconds",
			                 (double)timeout_ns * 1e-9);
		rest(round);
	}
}

/* 0 if an adopted queue does not measure times. */
static double elapsed_of(cl_event event)
{
	cl_ulong begin = 0, end = 0;

	if (weir_opencl.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin,
	                                        &begin, NULL) != CL_SUCCESS ||
	    weir_opencl.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end,
	                                        NULL) != CL_SUCCESS)
		return 0;
	return (double)(end - begin) * 1e-6;
}

/* A marker completes after everything that was enqueued before it, by any user of the queue. */
static weir_status await_queue(weir_opencl_state *state, uint64_t timeout_ns)
{
	cl_event marker;
	cl_int error = weir_opencl.clEnqueueMarkerWithWaitList(state->queue, 0, NULL, &marker);

	if (error != CL_SUCCESS)
		return weir_opencl_fail(error, "clEnqueueMarkerWithWaitList");
	error = weir_opencl.clFlush(state->queue);
	weir_status status = error == CL_SUCCESS ? await_event(marker, timeout_ns)
	                                         : weir_opencl_fail(error, "clFlush");
	weir_opencl.clReleaseEvent(marker);
	return status;
}

weir_status weir_opencl_check_overdue(weir_opencl_state *state)
{
	cl_int status = CL_COMPLETE;

	pthread_mutex_lock(&state->lock);
	if (state->overdue && state->last != NULL)
		weir_opencl.clGetEventInfo(state->last, CL_EVENT_COMMAND_EXECUTION_STATUS,
		                           sizeof status, &status, NULL);
	state->overdue = status > CL_COMPLETE;
	pthread_mutex_unlock(&state->lock);
	if (status > CL_COMPLETE)
		return weir_fail(WEIR_BUSY, "the kernel whose wait timed out still runs");
	return WEIR_OK;
}

int weir_opencl_is_running(void *opaque)
{
	weir_opencl_state *state = opaque;
	cl_int status = CL_COMPLETE;

	pthread_mutex_lock(&state->lock);
	if (state->last != NULL)
		weir_opencl.clGetEventInfo(state->last, CL_EVENT_COMMAND_EXECUTION_STATUS,
		                           sizeof status, &status, NULL);
	pthread_mutex_unlock(&state->lock);
	return status > CL_COMPLETE;
}

weir_status weir_opencl_wait(void *opaque, uint64_t timeout_ns, double *elapsed_ms)
{
	weir_opencl_state *state = opaque;
	weir_status status;
	cl_event last;

	pthread_mutex_lock(&state->lock);
	last = state->last;
	if (last != NULL)
		weir_opencl.clRetainEvent(last);
	pthread_mutex_unlock(&state->lock);

	status = await_queue(state, timeout_ns);
	if (status == WEIR_OK && last != NULL)
		status = await_event(last, timeout_ns);
	pthread_mutex_lock(&state->lock);
	state->overdue = status == WEIR_TIMED_OUT;
	pthread_mutex_unlock(&state->lock);
	if (status == WEIR_OK && elapsed_ms != NULL)
		*elapsed_ms = last != NULL ? elapsed_of(last) : 0;
	if (last != NULL)
		weir_opencl.clReleaseEvent(last);
	return status;
}
