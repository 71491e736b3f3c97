/* What a kernel costs on a device. */
#include "builds/cost.h"

#include <stdint.h>
#include <string.h>

#include "builds/code.h"
#include "peers/driver.h"
#include "weir/weir.h"

/* The compute capability, or 0 where the driver does not tell: then no figure of code is known. */
static weir_status find_capability(weir_device *device, uint32_t *capability)
{
	weir_cuda_handles handles;
	weir_cu_api api;
	int major = 0;
	int minor = 0;
	weir_status status = weir_device_cuda(device, &handles);

	if (status == WEIR_OK)
		status = weir_cu_load(&api, 0);
	if (status != WEIR_OK)
		return status;
	weir_cu_result result = api.device_attribute(
	    &major, WEIR_DRIVER_CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, handles.device);
	if (!result)
		result = api.device_attribute(
		    &minor, WEIR_DRIVER_CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
		    handles.device);
	if (result)
		return weir_cu_fail(&api, result, "asking for the compute capability");
	*capability = (uint32_t)(10 * major + minor);
	return WEIR_OK;
}

static weir_status find_registers(weir_device *device, weir_kernel kernel, uint32_t *count)
{
	weir_cuda_handles handles;
	weir_cu_context context;
	weir_cu_api api;
	int registers = 0;
	weir_status status = weir_device_cuda(device, &handles);

	if (status == WEIR_OK)
		status = weir_cu_load(&api, 0);
	if (status != WEIR_OK)
		return status;
	weir_cu_result result = api.context_push(handles.context);
	if (!result) {
		result = api.function_attribute(&registers, WEIR_DRIVER_CU_FUNC_ATTRIBUTE_NUM_REGS,
		                                kernel.native);
		api.context_pop(&context);
	}
	if (result)
		return weir_cu_fail(&api, result, "asking for a kernel's registers");
	*count = (uint32_t)registers;
	return WEIR_OK;
}

weir_status weir_kernel_cost(weir_device *device, const weir_device_info *info, const void *image,
                             const char *name, weir_kernel kernel, uint32_t threads,
                             weir_cost *cost)
{
	uint32_t capability = 0;

	memset(cost, 0, sizeof *cost);
	weir_status status = weir_resident_blocks(device, kernel, threads, 0, &cost->resident);
	/* No block of so many threads can run. */
	if (status == WEIR_BAD_ARGUMENT)
		status = WEIR_OK;
	if (status != WEIR_OK || info->machine != WEIR_MACHINE_CUDA)
		return status;
	status = find_capability(device, &capability);
	if (status != WEIR_OK)
		return status;
	cost->code = weir_code_bytes(image, name, capability);
	return find_registers(device, kernel, &cost->registers);
}
