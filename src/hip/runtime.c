#include "hip/runtime.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_(name) #name
#define TEXT(name) TEXT_(name)

#define ROW(name, number, cuda) _Static_assert((number) == WEIR_##cuda, #name);
WEIR_HIP_CONSTANTS(ROW)
#undef ROW

static struct hip_functions {
#define ROW(result, symbol, parameters) result(*symbol) parameters;
	WEIR_HIP_OWN_FUNCTIONS(ROW)
#undef ROW
} hip;

static pthread_once_t loaded = PTHREAD_ONCE_INIT;

/* HIP cannot tell which module a kernel belongs to, so this records the kernels that weir has
 * looked up. */
struct known_kernel {
	struct known_kernel *next;
	cuda_function function;
	cuda_module module;
};
static struct known_kernel *known_kernels;
static pthread_mutex_t known_lock = PTHREAD_MUTEX_INITIALIZER;

/* The version as CUDA writes it: 1000 * major + 10 * minor. */
static cuda_result driver_version(int *version)
{
	int number = 0;
	cuda_result result = hip.hipDriverGetVersion(&number);

	*version = number / 10000000 * 1000 + number / 100000 % 100 * 10;
	return result;
}

static cuda_result error_name(cuda_result result, const char **name)
{
	*name = hip.hipGetErrorName(result);
	return WEIR_CUDA_SUCCESS;
}

static cuda_result error_string(cuda_result result, const char **string)
{
	*string = hip.hipGetErrorString(result);
	return WEIR_CUDA_SUCCESS;
}

static cuda_result device_attribute(int *value, unsigned int attribute, cuda_device device)
{
	switch (attribute) {
#define ROW(name, number, cuda)                                                                    \
	case WEIR_##cuda:                                                                          \
		return hip.hipDeviceGetAttribute(value, number, device);
		WEIR_HIP_ATTRIBUTES(ROW)
#undef ROW
	default:
		*value = 0; /* for example clusters */
		return WEIR_CUDA_SUCCESS;
	}
}

/* HIP has a current device instead of a context. The context of device n is n + 1, so that it is
 * not NULL. */
static cuda_result context_retain(cuda_context *context, cuda_device device)
{
	*context = (cuda_context)((uintptr_t)device + 1);
	return WEIR_CUDA_SUCCESS;
}

static cuda_result context_release(cuda_device device)
{
	(void)device;
	return WEIR_CUDA_SUCCESS;
}

static _Thread_local int device_before;

static cuda_result context_push(cuda_context context)
{
	cuda_result result = hip.hipGetDevice(&device_before);

	return result ? result : hip.hipSetDevice((int)((uintptr_t)context - 1));
}

static cuda_result context_pop(cuda_context *context)
{
	*context = NULL;
	return hip.hipSetDevice(device_before);
}

static cuda_result memory_allocate(cuda_address *address, size_t bytes)
{
	void *memory = NULL;
	cuda_result result = hip.hipMalloc(&memory, bytes);

	*address = (uintptr_t)memory;
	return result;
}

static cuda_result memory_free(cuda_address address)
{
	return hip.hipFree((void *)(uintptr_t)address);
}

static cuda_result memory_pin(void **memory, size_t bytes, unsigned int flags)
{
	return hip.hipHostMalloc(memory, bytes, flags | WEIR_HIP_HOST_COHERENT);
}

static cuda_result memory_set(cuda_address to, unsigned char value, size_t bytes,
                              cuda_stream stream)
{
	return hip.hipMemsetD8Async((void *)(uintptr_t)to, value, bytes, stream);
}

static cuda_result memory_write(cuda_address to, const void *from, size_t bytes, cuda_stream stream)
{
	/* HIP only reads from it despite its type. */
	return hip.hipMemcpyHtoDAsync((void *)(uintptr_t)to, (void *)(uintptr_t)from, bytes,
	                              stream);
}

static cuda_result memory_read(void *to, cuda_address from, size_t bytes, cuda_stream stream)
{
	return hip.hipMemcpyDtoHAsync(to, (void *)(uintptr_t)from, bytes, stream);
}

/* Ignores the options: a code object is already compiled. */
static cuda_result module_load(cuda_module *module, const void *image, unsigned int count,
                               unsigned int *options, void **values)
{
	(void)count;
	(void)options;
	(void)values;
	return hip.hipModuleLoadData(module, image);
}

static void forget_kernels(cuda_module module)
{
	pthread_mutex_lock(&known_lock);
	for (struct known_kernel **at = &known_kernels; *at;) {
		struct known_kernel *kernel = *at;

		if (kernel->module == module) {
			*at = kernel->next;
			free(kernel);
		} else {
			at = &kernel->next;
		}
	}
	pthread_mutex_unlock(&known_lock);
}

static cuda_result module_unload(cuda_module module)
{
	forget_kernels(module);
	return hip.hipModuleUnload(module);
}

/* If there is no memory for the record, the kernel's module stays unknown. */
static void note_kernel(cuda_function function, cuda_module module)
{
	struct known_kernel *kernel = malloc(sizeof *kernel);

	if (!kernel)
		return;
	*kernel = (struct known_kernel){.function = function, .module = module};
	pthread_mutex_lock(&known_lock);
	kernel->next = known_kernels;
	known_kernels = kernel;
	pthread_mutex_unlock(&known_lock);
}

static cuda_result function_module(cuda_module *module, cuda_function function)
{
	*module = NULL;
	pthread_mutex_lock(&known_lock);
	for (struct known_kernel *kernel = known_kernels; kernel; kernel = kernel->next)
		if (kernel->function == function)
			*module = kernel->module;
	pthread_mutex_unlock(&known_lock);
	return *module ? WEIR_CUDA_SUCCESS : WEIR_CUDA_ERROR_NOT_FOUND;
}

static cuda_result module_function(cuda_function *function, cuda_module module, const char *name)
{
	cuda_module before;
	cuda_result result = hip.hipModuleGetFunction(function, module, name);

	if (!result && (function_module(&before, *function) || before != module))
		note_kernel(*function, module);
	return result;
}

static cuda_result module_global(cuda_address *address, size_t *bytes, cuda_module module,
                                 const char *name)
{
	void *memory = NULL;
	cuda_result result = hip.hipModuleGetGlobal(&memory, bytes, module, name);

	*address = (uintptr_t)memory;
	return result;
}

static cuda_result function_get(int *value, unsigned int attribute, cuda_function function)
{
	if (attribute >= WEIR_CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH) {
		*value = 0; /* no clusters */
		return WEIR_CUDA_SUCCESS;
	}
	return hip.hipFuncGetAttribute(value, attribute, function);
}

/* A block may use all of the shared memory without opting in. */
static cuda_result function_set(cuda_function function, unsigned int attribute, int value)
{
	(void)function;
	(void)attribute;
	(void)value;
	return WEIR_CUDA_SUCCESS;
}

static const weir_cuda_api adapted = {
    .driver_version = driver_version,
    .error_name = error_name,
    .error_string = error_string,
    .device_attribute = device_attribute,
    .context_retain = context_retain,
    .context_release = context_release,
    .context_push = context_push,
    .context_pop = context_pop,
    .memory_allocate = memory_allocate,
    .memory_free = memory_free,
    .memory_pin = memory_pin,
    .memory_set = memory_set,
    .memory_write = memory_write,
    .memory_read = memory_read,
    .module_load = module_load,
    .module_unload = module_unload,
    .module_function = module_function,
    .module_global = module_global,
    .function_module = function_module,
    .function_get = function_get,
    .function_set = function_set,
};

/* The missing symbol, or NULL. */
static const char *resolve(void *library)
{
	weir_cuda_api *calls = &weir_hip.calls;
	void *found;

	*calls = adapted;
#define ROW(member, symbol)                                                                        \
	found = dlsym(library, #symbol);                                                           \
	if (!found)                                                                                \
		return #symbol;                                                                    \
	memcpy(&calls->member, &found, sizeof found);
	WEIR_HIP_SAME_FUNCTIONS(ROW)
#undef ROW
#define ROW(result, symbol, parameters)                                                            \
	found = dlsym(library, #symbol);                                                           \
	if (!found)                                                                                \
		return #symbol;                                                                    \
	memcpy(&hip.symbol, &found, sizeof found);
	WEIR_HIP_OWN_FUNCTIONS(ROW)
#undef ROW
	found = dlsym(library, TEXT(WEIR_HIP_COOPERATIVE));
	memcpy(&calls->launch_cooperative, &found, sizeof found);
	return NULL;
}

/* The runtime that the process has already loaded, otherwise the newest. */
static void *open_runtime(void)
{
	static const char *const names[] = {"libamdhip64.so.7", "libamdhip64.so.6",
	                                    "libamdhip64.so.5", "libamdhip64.so",
	                                    "/opt/rocm/lib/libamdhip64.so"};
	static const int modes[] = {RTLD_NOLOAD, 0};

	for (size_t mode = 0; mode < sizeof modes / sizeof modes[0]; mode++)
		for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
			/* Never closed: the runtime has threads of its own. */
			void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | modes[mode]);

			if (library)
				return library;
		}
	return NULL;
}

static void load(void)
{
	weir_cuda_load(&weir_hip, open_runtime());
}

static const char *load_once(void)
{
	pthread_once(&loaded, load);
	return weir_hip.absence;
}

static const void *hip_image(const weir_program_text *text)
{
	return text->hip_image;
}

weir_cuda_driver weir_hip = {
    .machine = WEIR_MACHINE_HIP,
    .prefix = "hip",
    .api = "HIP",
    .vendor = "AMD",
    .software = "runtime",
    .library = "libamdhip64.so",
    .oldest_major = 9, /* the oldest whose memory model has been checked */
    .oldest = "gfx9",
    .resolve = resolve,
    .load = load_once,
    .image = hip_image,
};
