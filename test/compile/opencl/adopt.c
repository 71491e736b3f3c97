/* A device over the caller's OpenCL objects, and features of only OpenCL launches: arguments in
 * local memory, and kernels that still run when the device is closed. */
#define _POSIX_C_SOURCE 200809L
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "weir/weir.h"

#define CALLS(X)                                                                                   \
	X(clCreateCommandQueueWithProperties)                                                      \
	X(clCreateContext)                                                                         \
	X(clFinish)                                                                                \
	X(clGetCommandQueueInfo)                                                                   \
	X(clGetDeviceIDs)                                                                          \
	X(clGetPlatformIDs)

static struct {
#define ROW(name) __typeof__(&name) name;
	CALLS(ROW)
#undef ROW
} cl;

static const char text[] = "__kernel void sum(__global uint *out, __local uint *part, uint scale)\n"
			   "{\n"
			   "	part[get_local_id(0)] = get_local_id(0) * scale;\n"
			   "	barrier(CLK_LOCAL_MEM_FENCE);\n"
			   "	if (get_local_id(0) == 0)\n"
			   "		for (uint i = 0; i < get_local_size(0); i++)\n"
			   "			out[get_group_id(0)] += part[i];\n"
			   "}\n"
			   "__kernel void endless(__global volatile uint *stop)\n"
			   "{\n"
			   "	while (*stop == 0)\n"
			   "		;\n"
			   "}\n";

static int failures;

static void check(int right, const char *what)
{
	printf("%s %s%s%s\n", right ? "ok    " : "FAILED", what, right ? "" : ": ",
	       right ? "" : weir_error_text());
	failures += !right;
}

static void find_call(void *library, const char *name, void *function)
{
	void *symbol = dlsym(library, name);
	memcpy(function, &symbol, sizeof symbol);
}

struct objects {
	cl_device_id device;
	cl_context context;
	cl_command_queue queue, unordered;
};

static int make_objects(struct objects *made)
{
	const cl_queue_properties unordered[] = {CL_QUEUE_PROPERTIES,
	                                         CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
	void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
	cl_platform_id platform;
	cl_int error;

	if (library == NULL)
		return 0;
#define ROW(name) find_call(library, #name, &cl.name);
	CALLS(ROW)
#undef ROW
	if (cl.clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
	    cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &made->device, NULL) != CL_SUCCESS)
		return 0;
	made->context = cl.clCreateContext(NULL, 1, &made->device, NULL, NULL, &error);
	made->queue =
	    cl.clCreateCommandQueueWithProperties(made->context, made->device, NULL, &error);
	made->unordered =
	    cl.clCreateCommandQueueWithProperties(made->context, made->device, unordered, &error);
	return made->context != NULL && made->queue != NULL;
}

static void test_refusals(const struct objects *mine)
{
	struct objects other;
	weir_device *device;

	check(weir_device_open_opencl(NULL, mine->device, mine->queue, &device) ==
	          WEIR_BAD_ARGUMENT,
	      "no context");
	check(make_objects(&other) &&
	          weir_device_open_opencl(other.context, mine->device, mine->queue, &device) ==
	              WEIR_BAD_ARGUMENT,
	      "a queue of another context");
	if (mine->unordered != NULL)
		check(weir_device_open_opencl(mine->context, mine->device, mine->unordered,
		                              &device) == WEIR_UNSUPPORTED,
		      "a queue out of order");
}

static void test_launches(weir_device *device, weir_kernel sum)
{
	uint32_t scale = 2, found[2] = {0, 0};
	weir_buffer out;

	check(weir_buffer_create(device, sizeof found, &out) == WEIR_OK, "a buffer");
	weir_argument arguments[] = {{&out.native, sizeof out.native},
	                             {NULL, 64 * sizeof(uint32_t)},
	                             {&scale, sizeof scale}};
	weir_launch launch = {
	    .kernel = sum, .grid = {2}, .block = {64}, .arguments = arguments, .argument_count = 3};
	check(weir_kernel_launch(device, &launch) == WEIR_OK &&
	          weir_device_wait(device, 300000000000u, NULL) == WEIR_OK &&
	          weir_buffer_read(device, out, 0, found, sizeof found) == WEIR_OK &&
	          found[0] == 4032 && found[1] == 4032,
	      "local memory as an argument");
	launch.shared_bytes = 256;
	check(weir_kernel_launch(device, &launch) == WEIR_UNSUPPORTED, "dynamic shared memory");
	launch.shared_bytes = 0;
	launch.argument_count = 2;
	check(weir_kernel_launch(device, &launch) == WEIR_BAD_ARGUMENT, "an argument too few");
	launch.argument_count = 3;
	arguments[2].bytes = 2;
	check(weir_kernel_launch(device, &launch) == WEIR_BAD_ARGUMENT, "an argument too small");
	check(weir_buffer_destroy(device, &out) == WEIR_OK, "no buffer");
}

static void test_programs(weir_device *device)
{
	const weir_program_text broken = {
	    .opencl_text =
		"#warning first\n__kernel void k(__global int *x) { *x = undeclared; }\n"};
	const weir_program_text good = {.opencl_text = text};
	weir_program *program;
	weir_kernel kernel;

	check(weir_program_create(device, &broken, &program) == WEIR_BAD_PROGRAM &&
	          strstr(weir_error_text(), "undeclared"),
	      "the build log is in the error text");
	check(weir_program_create(device, &good, &program) == WEIR_OK, "a program");
	check(weir_program_kernel(program, "none", &kernel) == WEIR_NOT_FOUND,
	      "a kernel of no name");
	check(weir_program_kernel(program, "sum", &kernel) == WEIR_OK, "a kernel");
	test_launches(device, kernel);
	check(weir_program_destroy(program) == WEIR_OK, "no program");
}

/* The kernel keeps running after this: leave without the loader's and the driver's exit
 * handlers. */
static void test_closing_at_work(void)
{
	const weir_program_text all = {.opencl_text = text};
	weir_device *device;
	weir_program *program;
	weir_launch launch = {.grid = {1}, .block = {1}, .argument_count = 1};
	weir_buffer stop;

	check(weir_device_open("opencl", &device) == WEIR_OK, "weir's own queue");
	check(weir_buffer_create(device, sizeof(uint32_t), &stop) == WEIR_OK, "a buffer");
	check(weir_program_create(device, &all, &program) == WEIR_OK, "a program");
	check(weir_program_kernel(program, "endless", &launch.kernel) == WEIR_OK, "a kernel");
	launch.arguments = &(weir_argument){&stop.native, sizeof stop.native};
	check(weir_kernel_launch(device, &launch) == WEIR_OK, "a kernel without an end");
	check(weir_device_wait(device, 100000000, NULL) == WEIR_TIMED_OUT, "waiting times out");
	check(weir_device_close(device) == WEIR_OK, "closing while it runs");
}

int main(void)
{
	struct objects mine;
	weir_device *device;
	weir_device_info info;
	cl_uint before = 0, after = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (*weir_machine_absence(WEIR_MACHINE_OPENCL) || !make_objects(&mine)) {
		printf("skipped: %s\n", weir_machine_absence(WEIR_MACHINE_OPENCL));
		return 77;
	}
	test_refusals(&mine);
	cl.clGetCommandQueueInfo(mine.queue, CL_QUEUE_REFERENCE_COUNT, sizeof before, &before,
	                         NULL);
	check(weir_device_open_opencl(mine.context, mine.device, mine.queue, &device) == WEIR_OK,
	      "adopting");
	check(weir_device_describe(device, &info) == WEIR_OK && !strncmp(info.name, "opencl", 6),
	      "describing");
	test_programs(device);
	check(weir_device_close(device) == WEIR_OK, "closing");
	check(cl.clFinish(mine.queue) == CL_SUCCESS, "the queue is still the caller's");
	/* A driver's own thread may release the last command a little later. */
	for (int i = 0; i < 60000 && after != before; i++) {
		nanosleep(&(struct timespec){0, 1000000}, NULL);
		cl.clGetCommandQueueInfo(mine.queue, CL_QUEUE_REFERENCE_COUNT, sizeof after, &after,
		                         NULL);
	}
	check(before == after && before != 0, "every reference was given back");
	test_closing_at_work();
	printf("%d failed\n", failures);
	fflush(stdout);
	_Exit(failures != 0);
}
