/* The cuda backend: memory that kernels of other processes and of other devices use. */
#include <string.h>

#include "cuda/state.h"

static weir_status missing(const char *what)
{
	return weir_fail(WEIR_UNSUPPORTED, "this driver cannot %s: it is too old, or not CUDA's",
	                 what);
}

weir_status weir_cuda_export(void *state, void *native, unsigned char *handle)
{
	cuda_state *cuda = state;
	struct CUipcMemHandle_st made;
	cuda_result result;
	weir_status status;

	if (!cuda->calls->memory_export)
		return missing("share memory with other processes");
	status = weir_cuda_enter(cuda);
	if (status != WEIR_OK)
		return status;
	result = cuda->calls->memory_export(&made, (cuda_address)(uintptr_t)native);
	weir_cuda_leave(cuda);
	if (result)
		return weir_cuda_fail(cuda->driver, result, "sharing memory with other processes");
	memcpy(handle, &made, sizeof made);
	return WEIR_OK;
}

weir_status weir_cuda_import(void *state, const unsigned char *handle, void **native)
{
	cuda_state *cuda = state;
	struct CUipcMemHandle_st given;
	cuda_address address = 0;
	cuda_result result;
	weir_status status;

	if (!cuda->calls->memory_import || !cuda->calls->memory_drop)
		return missing("open memory of other processes");
	status = weir_cuda_enter(cuda);
	if (status != WEIR_OK)
		return status;
	memcpy(&given, handle, sizeof given);
	result =
	    cuda->calls->memory_import(&address, given, WEIR_CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
	weir_cuda_leave(cuda);
	if (result)
		return weir_cuda_fail(cuda->driver, result, "opening memory of another process");
	*native = (void *)(uintptr_t)address;
	return WEIR_OK;
}

weir_status weir_cuda_drop(void *state, void *native)
{
	cuda_state *cuda = state;
	cuda_result result;
	weir_status status = weir_cuda_enter(cuda);

	if (status != WEIR_OK)
		return status;
	result = cuda->calls->memory_drop((cuda_address)(uintptr_t)native);
	weir_cuda_leave(cuda);
	return result ? weir_cuda_fail(cuda->driver, result, "closing memory of another process")
	              : WEIR_OK;
}

weir_status weir_cuda_reach(void *state, void *other)
{
	cuda_state *cuda = state;
	cuda_state *to = other;
	cuda_result result;
	weir_status status;

	if (!cuda->calls->peer_enable)
		return missing("reach memory of another device");
	status = weir_cuda_enter(cuda);
	if (status != WEIR_OK)
		return status;
	result = cuda->calls->peer_enable(to->context, 0);
	weir_cuda_leave(cuda);
	return result && result != WEIR_CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED
	           ? weir_cuda_fail(cuda->driver, result, "reaching memory of another device")
	           : WEIR_OK;
}
