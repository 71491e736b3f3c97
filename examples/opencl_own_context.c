/* A program with its own OpenCL context: weir's objects live in it, and the program builds and
 * launches its kernel itself.
 *
 *   weir header barrier,mutex -o weir_part.h
 *   opencl_own_context weir_part.h
 *
 * The header is placed before the kernel's own source. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include "check.h"

#define THREADS 16u
#define ROUNDS 20u

/* A handle contains a pointer, which an OpenCL kernel cannot take inside a structure, so its two
 * members are passed separately. Rounds alternate between two counters, so that no block adds to
 * the counter that is being read, and a round needs only one barrier. PoCL takes ten times as long
 * to compile a loop with two. */
static const char kernel_text[] =
    "__kernel void count(__global weir_word *b_words, weir_barrier_config b_config,\n"
    "                    __global weir_word *m_words, weir_mutex_config m_config,\n"
    "                    __global uint *total, uint rounds)\n"
    "{\n"
    "	weir_barrier b = weir_barrier_make(b_words, b_config);\n"
    "	weir_mutex m = weir_mutex_make(m_words, m_config);\n"
    "	for (uint i = 0; i < rounds; i++) {\n"
    "		weir_mutex_block_lock(m);\n"
    "		if (weir_thread_id() == 0)\n"
    "			total[i % 2] += 1;\n"
    "		weir_mutex_block_unlock(m);\n"
    "		weir_barrier_wait(b);\n"
    "		if (weir_thread_id() == 0 &&\n"
    "		    total[i % 2] != (i / 2 + 1) * weir_block_count())\n"
    "			total[2] = 1;\n"
    "	}\n"
    "}\n";

static void check_cl(cl_int error, const char *what)
{
	if (error == CL_SUCCESS)
		return;
	fprintf(stderr, "%s: OpenCL error %d\n", what, error);
	exit(1);
}

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	char *text = calloc(1 << 20, 1);

	if (!file || !text || fread(text, 1, (1 << 20) - 1, file) == 0) {
		fprintf(stderr, "cannot read %s\n", path);
		exit(1);
	}
	fclose(file);
	return text;
}

static cl_kernel build(cl_context context, cl_device_id device, const char *header)
{
	const char *texts[2] = {header, kernel_text};
	const char *options = "-cl-std=CL3.0";
	cl_device_type type;
	cl_int error;
	cl_program program = clCreateProgramWithSource(context, 2, texts, NULL, &error);

	check_cl(error, "clCreateProgramWithSource");
	check_cl(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL),
	         "clGetDeviceInfo");
	if (type & CL_DEVICE_TYPE_CPU)
		options = "-cl-std=CL3.0 -cl-opt-disable"; /* PoCL: see weir/machine/opencl.h */
	check_cl(clBuildProgram(program, 1, &device, options, NULL, NULL), "clBuildProgram");
	cl_kernel kernel = clCreateKernel(program, "count", &error);
	check_cl(error, "clCreateKernel");
	clReleaseProgram(program);
	return kernel;
}

static void launch(cl_command_queue queue, cl_kernel kernel, uint32_t blocks, weir_barrier b,
                   weir_mutex m, cl_mem total)
{
	uint32_t rounds = ROUNDS;
	size_t global = (size_t)blocks * THREADS, local = THREADS;
	cl_int error = CL_SUCCESS;

	/* On the host, the words of an OpenCL object are its cl_mem. */
	error |= clSetKernelArg(kernel, 0, sizeof b.words, &b.words);
	error |= clSetKernelArg(kernel, 1, sizeof b.config, &b.config);
	error |= clSetKernelArg(kernel, 2, sizeof m.words, &m.words);
	error |= clSetKernelArg(kernel, 3, sizeof m.config, &m.config);
	error |= clSetKernelArg(kernel, 4, sizeof total, &total);
	error |= clSetKernelArg(kernel, 5, sizeof rounds, &rounds);
	check_cl(error, "clSetKernelArg");
	check_cl(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
	         "clEnqueueNDRangeKernel");
}

/* Everything is in the program's own context, which weir only borrows. */
static int run(cl_context context, cl_device_id id, cl_command_queue queue, const char *header)
{
	weir_device *device;
	weir_barrier b;
	weir_mutex m;
	uint32_t blocks, total[3] = {0, 0, 0};
	cl_int error;
	cl_kernel kernel = build(context, id, header);
	cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
	                               sizeof total, total, &error);

	check_cl(error, "clCreateBuffer");
	CHECK(weir_device_open_opencl(context, id, queue, &device));
	weir_kernel ours = {.native = kernel};
	CHECK(weir_kernel_resident_blocks(device, ours, THREADS, 0, &blocks));
	CHECK(weir_barrier_create(device, blocks, NULL, &b));
	CHECK(weir_mutex_create(device, NULL, &m));
	launch(queue, kernel, blocks, b, m, memory);
	CHECK(weir_device_wait(device, DEADLINE_NS, NULL)); /* for the whole queue */
	check_cl(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof total, total, 0, NULL, NULL),
	         "clEnqueueReadBuffer");
	CHECK(weir_device_close(device)); /* the context, the queue and the kernel remain */
	clReleaseMemObject(memory);
	clReleaseKernel(kernel);
	printf("opencl_own_context: %u blocks counted to %u in %u rounds%s\n", blocks,
	       total[0] + total[1], ROUNDS, total[2] ? ", not all at once" : "");
	return total[0] + total[1] != blocks * ROUNDS || total[2] != 0;
}

int main(int argc, char **argv)
{
	cl_platform_id platform;
	cl_device_id id;
	cl_uint count = 0;
	cl_int error;

	if (argc != 2) {
		fprintf(stderr, "usage: opencl_own_context HEADER\n");
		return 2;
	}
	if (clGetPlatformIDs(1, &platform, &count) != CL_SUCCESS || count == 0 ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, &count) != CL_SUCCESS) {
		printf("skipped: no OpenCL device\n");
		return 77;
	}
	char *header = read_file(argv[1]);
	cl_context context = clCreateContext(NULL, 1, &id, NULL, NULL, &error);
	check_cl(error, "clCreateContext");
	cl_command_queue queue = clCreateCommandQueueWithProperties(context, id, NULL, &error);
	check_cl(error, "clCreateCommandQueueWithProperties");
	int wrong = run(context, id, queue, header);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
	free(header);
	return wrong;
}
