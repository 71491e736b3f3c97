/* OpenCL programs, built from source for one device, and their kernels. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/opencl.h"

typedef struct kernel_node {
	struct kernel_node *next;
	cl_kernel kernel;
	char name[];
} kernel_node;

typedef struct module {
	cl_program program;
	pthread_mutex_t lock; /* guards `kernels` */
	kernel_node *kernels;
} module;

/* The maximum bytes of a build log in an error text, which also holds our own words. */
#define LOG_BYTES 900

/* The message of the #error in weir/version.h. A compiler that does not repeat it rejects the
 * source all the same. */
#define OTHER_VERSION "are of another version than the library"

static weir_status fail_build(weir_opencl_state *state, cl_program program, cl_int error)
{
	size_t bytes = 0;
	char *log = NULL;

	if (weir_opencl.clGetProgramBuildInfo(program, state->device, CL_PROGRAM_BUILD_LOG, 0, NULL,
	                                      &bytes) == CL_SUCCESS)
		log = calloc(bytes + 1, 1);
	if (log == NULL ||
	    weir_opencl.clGetProgramBuildInfo(program, state->device, CL_PROGRAM_BUILD_LOG, bytes,
	                                      log, NULL) != CL_SUCCESS) {
		free(log);
		return weir_opencl_fail(error, "clBuildProgram");
	}
	/* The first error is the relevant one; warnings may precede it. */
	const char *from = strstr(log, "error");
	while (from != NULL && from > log && from[-1] != '\n')
		from--;
	weir_status status = weir_fail(
	    strstr(log, OTHER_VERSION) != NULL ? WEIR_OTHER_VERSION : WEIR_BAD_PROGRAM,
	    "OpenCL: the program does not build: %.*s", LOG_BYTES, from != NULL ? from : log);
	free(log);
	return status;
}

static weir_status build(weir_opencl_state *state, cl_program program, const char *options)
{
	const char *more = options != NULL ? options : "";
	char ours[96] = "";
	size_t room = strlen(state->build_options) + 1 + sizeof ours + 1 + strlen(more) + 1;
	char *all = malloc(room);
	cl_int error;

	if (all == NULL)
		return weir_fail(WEIR_NO_MEMORY, "no memory for build options");
	int used = snprintf(ours, sizeof ours, "-DWEIR_LIBRARY_SERIES=%d", WEIR_VERSION_SERIES);
	if (state->cycles_per_ms != 0)
		snprintf(ours + used, sizeof ours - (size_t)used, " -DWEIR_OPENCL_CYCLES_PER_MS=%u",
		         state->cycles_per_ms);
	snprintf(all, room, "%s %s %s", state->build_options, ours, more);
	error = weir_opencl.clBuildProgram(program, 1, &state->device, all, NULL, NULL);
	free(all);
	return error == CL_SUCCESS ? WEIR_OK : fail_build(state, program, error);
}

weir_status weir_opencl_program_load(void *opaque, const weir_program_text *text, void **loaded)
{
	weir_opencl_state *state = opaque;
	/* A report names this file if the source names none: PoCL's own file no longer exists by
	 * then. */
	const char *sources[] = {"#line 1 \"opencl_text\"\n", text->opencl_text};
	cl_int error;

	if (text->opencl_text == NULL)
		return weir_fail(WEIR_UNSUPPORTED, "the program has no OpenCL source");
	module *made = calloc(1, sizeof *made);
	if (made == NULL || pthread_mutex_init(&made->lock, NULL) != 0) {
		free(made);
		return weir_fail(WEIR_NO_MEMORY, "no memory for an OpenCL program");
	}
	made->program =
	    weir_opencl.clCreateProgramWithSource(state->context, 2, sources, NULL, &error);
	weir_status status = error == CL_SUCCESS
	                         ? build(state, made->program, text->opencl_options)
	                         : weir_opencl_fail(error, "clCreateProgramWithSource");
	if (status != WEIR_OK) {
		weir_opencl_program_unload(state, made);
		return status;
	}
	*loaded = made;
	return WEIR_OK;
}

static kernel_node *find_kernel(module *module, const char *name)
{
	for (kernel_node *node = module->kernels; node != NULL; node = node->next)
		if (strcmp(node->name, name) == 0)
			return node;
	return NULL;
}

/* OpenCL drops a function that has the name of a built-in one; the list shows that. */
static weir_status fail_no_kernel(const module *module, const char *name)
{
	weir_kernel_list list = {""};
	char *names = NULL;
	size_t bytes = 0;

	if (weir_opencl.clGetProgramInfo(module->program, CL_PROGRAM_KERNEL_NAMES, 0, NULL,
	                                 &bytes) == CL_SUCCESS)
		names = calloc(bytes + 1, 1);
	if (names == NULL || weir_opencl.clGetProgramInfo(module->program, CL_PROGRAM_KERNEL_NAMES,
	                                                  bytes, names, NULL) != CL_SUCCESS) {
		free(names);
		return weir_fail_no_kernel(name, NULL);
	}
	for (char *one = names, *end; *one; one = end) {
		end = one + strcspn(one, ";");
		if (*end)
			*end++ = 0;
		weir_kernel_list_add(&list, one);
	}
	free(names);
	return weir_fail_no_kernel(name, &list);
}

static weir_status add_kernel(module *module, const char *name, kernel_node **added)
{
	size_t bytes = strlen(name) + 1;
	kernel_node *node = calloc(1, sizeof *node + bytes);
	cl_int error;

	if (node == NULL)
		return weir_fail(WEIR_NO_MEMORY, "no memory for an OpenCL kernel");
	memcpy(node->name, name, bytes);
	node->kernel = weir_opencl.clCreateKernel(module->program, name, &error);
	if (error != CL_SUCCESS) {
		free(node);
		return error == CL_INVALID_KERNEL_NAME ? fail_no_kernel(module, name)
		                                       : weir_opencl_fail(error, "clCreateKernel");
	}
	node->next = module->kernels;
	module->kernels = node;
	*added = node;
	return WEIR_OK;
}

weir_status weir_opencl_program_kernel(void *state, void *loaded, const char *name,
                                       weir_kernel *kernel)
{
	module *module = loaded;
	weir_status status = WEIR_OK;

	(void)state;
	pthread_mutex_lock(&module->lock);
	kernel_node *node = find_kernel(module, name);
	if (node == NULL)
		status = add_kernel(module, name, &node);
	pthread_mutex_unlock(&module->lock);
	if (node == NULL)
		return status;
	kernel->native = node->kernel;
	kernel->host = NULL;
	return WEIR_OK;
}

void weir_opencl_program_unload(void *state, void *loaded)
{
	module *module = loaded;
	kernel_node *node = module->kernels;

	(void)state;
	while (node != NULL) {
		kernel_node *next = node->next;
		weir_opencl.clReleaseKernel(node->kernel);
		free(node);
		node = next;
	}
	if (module->program != NULL)
		weir_opencl.clReleaseProgram(module->program);
	pthread_mutex_destroy(&module->lock);
	free(module);
}
