/* The driver's objects, for callers that use the driver beside weir. */
#include "base/status.h"
#include "core/device.h"
#include "cuda/state.h"

weir_status weir_device_cuda_handles(weir_device *device, weir_cuda_handles *handles)
{
	weir_status status = weir_device_check(device);

	if (status != WEIR_OK)
		return status;
	if (!handles)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "weir_device_cuda_handles needs a place to write to");
	if (device->info.machine != WEIR_MACHINE_CUDA)
		return weir_fail(WEIR_UNSUPPORTED, "%s is not a CUDA device", device->info.name);
	const cuda_state *cuda = device->state;
	*handles = (weir_cuda_handles){cuda->device, cuda->context, cuda->stream};
	return WEIR_OK;
}
