/* Copies names that the system or a driver gives, which may have any length and any bytes; and the
 * names of machines. */

#include "base/name.h"

#include <stdint.h>
#include <string.h>

#include "weir/weir.h"

/* The length of the character at `text` in bytes, 0 if it is not UTF-8. */
static size_t character_bytes(const unsigned char *text)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t bytes = text[0] < 0x80   ? 1
	               : text[0] < 0xc0 ? 0
	               : text[0] < 0xe0 ? 2
	               : text[0] < 0xf0 ? 3
	               : text[0] < 0xf8 ? 4
	                                : 0;
	if (bytes < 2)
		return bytes;
	uint32_t point = text[0] & (0xffu >> (bytes + 1));
	for (size_t i = 1; i < bytes; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		point = point << 6 | (text[i] & 0x3f);
	}
	int surrogate = point >= 0xd800 && point <= 0xdfff;
	return point < least[bytes] || point > 0x10ffff || surrogate ? 0 : bytes;
}

void weir_copy_name(char *to, size_t room, const char *from)
{
	size_t used = 0;

	while (*from != '\0') {
		size_t bytes = character_bytes((const unsigned char *)from);
		size_t taken = bytes ? bytes : 1;
		if (used + taken >= room)
			break;
		memcpy(to + used, bytes ? from : "?", taken);
		used += taken;
		from += taken;
	}
	memset(to + used, 0, room - used);
}

const char *weir_machine_name(weir_machine machine)
{
	switch (machine) {
	case WEIR_MACHINE_CUDA:
		return "cuda";
	case WEIR_MACHINE_HIP:
		return "hip";
	case WEIR_MACHINE_OPENCL:
		return "opencl";
	case WEIR_MACHINE_HOST:
		return "host";
	case WEIR_MACHINE_PTX:
		return "ptx";
	case WEIR_MACHINE_COUNT:
		break;
	}
	return "unknown";
}
