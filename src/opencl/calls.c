/* OpenCL's functions, from the loader library that is opened at run time. */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "opencl/opencl.h"

weir_opencl_calls weir_opencl;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char absence[128];

static void find(void *library, const char *name, void *function)
{
	void *symbol = dlsym(library, name);

	memcpy(function, &symbol, sizeof symbol);
	if (symbol == NULL && absence[0] == '\0')
		snprintf(absence, sizeof absence,
		         "the OpenCL loader (libOpenCL.so.1) is too old: it has no %s", name);
}

static void load(void)
{
	void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);

	if (library == NULL) {
		snprintf(absence, sizeof absence, "no OpenCL loader (libOpenCL.so.1 not found)");
		return;
	}
#define WEIR_ROW_(name) find(library, #name, &weir_opencl.name);
	WEIR_OPENCL_CALLS(WEIR_ROW_)
#undef WEIR_ROW_
}

const char *weir_opencl_load(void)
{
	pthread_once(&once, load);
	return absence;
}

#define WEIR_OPENCL_ERRORS(X)                                                                      \
	X(CL_DEVICE_NOT_FOUND)                                                                     \
	X(CL_DEVICE_NOT_AVAILABLE)                                                                 \
	X(CL_COMPILER_NOT_AVAILABLE)                                                               \
	X(CL_MEM_OBJECT_ALLOCATION_FAILURE)                                                        \
	X(CL_OUT_OF_RESOURCES)                                                                     \
	X(CL_OUT_OF_HOST_MEMORY)                                                                   \
	X(CL_PROFILING_INFO_NOT_AVAILABLE)                                                         \
	X(CL_BUILD_PROGRAM_FAILURE)                                                                \
	X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)                                            \
	X(CL_INVALID_VALUE)                                                                        \
	X(CL_INVALID_PLATFORM)                                                                     \
	X(CL_INVALID_DEVICE)                                                                       \
	X(CL_INVALID_CONTEXT)                                                                      \
	X(CL_INVALID_QUEUE_PROPERTIES)                                                             \
	X(CL_INVALID_COMMAND_QUEUE)                                                                \
	X(CL_INVALID_MEM_OBJECT)                                                                   \
	X(CL_INVALID_BUILD_OPTIONS)                                                                \
	X(CL_INVALID_PROGRAM)                                                                      \
	X(CL_INVALID_PROGRAM_EXECUTABLE)                                                           \
	X(CL_INVALID_KERNEL_NAME)                                                                  \
	X(CL_INVALID_KERNEL)                                                                       \
	X(CL_INVALID_ARG_INDEX)                                                                    \
	X(CL_INVALID_ARG_VALUE)                                                                    \
	X(CL_INVALID_ARG_SIZE)                                                                     \
	X(CL_INVALID_KERNEL_ARGS)                                                                  \
	X(CL_INVALID_WORK_GROUP_SIZE)                                                              \
	X(CL_INVALID_WORK_ITEM_SIZE)                                                               \
	X(CL_INVALID_GLOBAL_WORK_SIZE)                                                             \
	X(CL_INVALID_EVENT)                                                                        \
	X(CL_INVALID_OPERATION)                                                                    \
	X(CL_INVALID_BUFFER_SIZE)

const char *weir_opencl_error_name(cl_int error)
{
	switch (error) {
#define WEIR_ROW_(name)                                                                            \
	case name:                                                                                 \
		return #name;
		WEIR_OPENCL_ERRORS(WEIR_ROW_)
#undef WEIR_ROW_
	default:
		return "an unknown error";
	}
}

static weir_status status_of(cl_int error)
{
	switch (error) {
	case CL_MEM_OBJECT_ALLOCATION_FAILURE:
	case CL_OUT_OF_HOST_MEMORY:
	case CL_INVALID_BUFFER_SIZE:
		return WEIR_NO_MEMORY;
	case CL_BUILD_PROGRAM_FAILURE:
	case CL_INVALID_BUILD_OPTIONS:
	case CL_COMPILER_NOT_AVAILABLE:
		return WEIR_BAD_PROGRAM;
	case CL_INVALID_KERNEL_NAME:
		return WEIR_NOT_FOUND;
	case CL_INVALID_ARG_INDEX:
	case CL_INVALID_ARG_VALUE:
	case CL_INVALID_ARG_SIZE:
	case CL_INVALID_KERNEL_ARGS:
	case CL_INVALID_WORK_GROUP_SIZE:
	case CL_INVALID_WORK_ITEM_SIZE:
	case CL_INVALID_GLOBAL_WORK_SIZE:
		return WEIR_BAD_ARGUMENT;
	default:
		return WEIR_DRIVER_ERROR;
	}
}

weir_status weir_opencl_fail(cl_int error, const char *what, ...)
{
	char text[128];
	va_list arguments;

	va_start(arguments, what);
	vsnprintf(text, sizeof text, what, arguments);
	va_end(arguments);
	return weir_fail(status_of(error), "OpenCL: %s: %s (%d)", text,
	                 weir_opencl_error_name(error), error);
}
