/* What a kernel costs on a device. */
#include "driver/cost.h"

#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "driver/driver.h"
#include "weir/weir.h"

enum {
	MACHINE_CUDA = 190
};

#define FATBIN_MAGIC 0xba55ed50u

struct fatbin {
	uint32_t magic;
	uint16_t version;
	uint16_t header_bytes;
	uint64_t bytes; /* after the header */
};

/* Whether a cubin is for that compute capability. Its position in the flags depends on the ABI
 * version in the identification. */
static int is_for(const Elf64_Ehdr *header, uint32_t capability)
{
	enum {
		ABI_WITH_BYTE_1 = 8
	};
	uint32_t flags = header->e_flags;

	return header->e_machine == MACHINE_CUDA &&
	       (header->e_ident[EI_ABIVERSION] >= ABI_WITH_BYTE_1 ? flags >> 8 & 0xff
	                                                          : flags & 0xff) == capability;
}

static uint64_t section_bytes(const unsigned char *cubin, uint64_t room, const Elf64_Ehdr *header,
                              const char *section)
{
	Elf64_Shdr names;
	Elf64_Shdr found;

	if (header->e_shentsize != sizeof found || header->e_shstrndx >= header->e_shnum ||
	    header->e_shoff > room ||
	    (uint64_t)header->e_shnum * sizeof found > room - header->e_shoff)
		return 0;
	memcpy(&names, cubin + header->e_shoff + header->e_shstrndx * sizeof names, sizeof names);
	if (names.sh_offset > room || names.sh_size > room - names.sh_offset)
		return 0;
	for (size_t i = 0; i < header->e_shnum; i++) {
		size_t length = strlen(section) + 1;
		memcpy(&found, cubin + header->e_shoff + i * sizeof found, sizeof found);
		if (found.sh_name < names.sh_size && length <= names.sh_size - found.sh_name &&
		    memcmp(cubin + names.sh_offset + found.sh_name, section, length) == 0)
			return found.sh_size;
	}
	return 0;
}

/* Bytes of the kernel's code section in the cubin of an uncompressed fatbin; 0: there is no cubin
 * for that compute capability (such as 90), or it does not contain the kernel. */
static uint64_t code_bytes(const void *fatbin, const char *kernel, uint32_t capability)
{
	const unsigned char *bytes = fatbin;
	struct fatbin head;
	Elf64_Ehdr header;
	char section[128];

	if (!fatbin)
		return 0;
	memcpy(&head, bytes, sizeof head);
	if (head.magic != FATBIN_MAGIC)
		return 0;
	snprintf(section, sizeof section, ".text.%s", kernel);
	uint64_t end = head.header_bytes + head.bytes;
	/* The entries of a fatbin are aligned. */
	for (uint64_t at = head.header_bytes; at + sizeof header <= end; at += 8) {
		if (memcmp(bytes + at, ELFMAG, SELFMAG) != 0)
			continue;
		memcpy(&header, bytes + at, sizeof header);
		if (is_for(&header, capability))
			return section_bytes(bytes + at, end - at, &header, section);
	}
	return 0;
}

/* The compute capability, or 0 if the driver does not report it: then the code size is unknown. */
static weir_status find_capability(weir_device *device, uint32_t *capability)
{
	weir_cuda_handles handles;
	weir_cu_api api;
	int major = 0;
	int minor = 0;
	weir_status status = weir_device_cuda_handles(device, &handles);

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
	weir_status status = weir_device_cuda_handles(device, &handles);

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
	weir_status status =
	    weir_kernel_resident_blocks(device, kernel, threads, 0, &cost->resident);
	/* No block of this many threads can run. */
	if (status == WEIR_BAD_ARGUMENT)
		status = WEIR_OK;
	if (status != WEIR_OK || info->machine != WEIR_MACHINE_CUDA)
		return status;
	status = find_capability(device, &capability);
	if (status != WEIR_OK)
		return status;
	cost->code = code_bytes(image, name, capability);
	return find_registers(device, kernel, &cost->registers);
}
