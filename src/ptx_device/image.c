#define _POSIX_C_SOURCE 200809L
#include "ptx_device/image.h"

#include <stdint.h>
#include <string.h>

#include "base/status.h"

#define WRAPPER 0x466243b1u /* of a fatbin that nvcc has linked into a program */
#define FATBIN 0xba55ed50u
#define ELF 0x464c457fu

/* The layout of fatbins is not documented, but has not changed since CUDA 4. */
typedef struct wrapper {
	uint32_t magic, version;
	const void *fatbin;
} wrapper;

typedef struct header {
	uint32_t magic;
	uint16_t version, header_bytes;
	uint64_t bytes; /* behind the header */
} header;

typedef struct entry {
	uint16_t kind; /* 1: PTX, 2: machine code */
	uint16_t version;
	uint32_t header_bytes;
	uint64_t bytes; /* behind its header */
	uint32_t compressed_bytes;
	uint32_t options;
	uint16_t minor, major;
	uint32_t architecture;
} entry;

/* Byte by byte: text may be shorter than a magic number. */
static int begins_with(const unsigned char *image, uint32_t magic)
{
	int same = 1;

	for (int i = 0; i < 4 && same; i++)
		same = image[i] == (magic >> 8 * i & 255);
	return same;
}

static weir_status find_in_fatbin(const char *image, const char **text, size_t *bytes)
{
	header whole;
	uint32_t newest = 0;
	int compressed = 0;

	*text = NULL;
	memcpy(&whole, image, sizeof whole);
	image += whole.header_bytes;
	for (uint64_t at = 0; at + sizeof(entry) <= whole.bytes;) {
		entry e;
		memcpy(&e, image + at, sizeof e);
		if (e.header_bytes < sizeof e || e.bytes > whole.bytes - at)
			break;
		compressed |= e.kind == 1 && e.compressed_bytes;
		if (e.kind == 1 && !e.compressed_bytes && e.architecture >= newest) {
			newest = e.architecture;
			*text = image + at + e.header_bytes;
			*bytes = strnlen(*text, (size_t)e.bytes);
		}
		at += e.header_bytes + e.bytes;
	}
	if (*text)
		return WEIR_OK;
	return weir_fail(WEIR_BAD_PROGRAM,
	                 compressed ? "the fatbin is compressed: compile it with nvcc "
	                              "--no-compress, or give PTX text"
	                            : "the fatbin has machine code only: compile it with PTX, as "
	                              "nvcc -gencode arch=compute_90,code=compute_90 does");
}

weir_status weir_ptx_image_text(const void *image, const char **text, size_t *bytes)
{
	wrapper around;

	if (begins_with(image, WRAPPER)) {
		memcpy(&around, image, sizeof around);
		image = around.fatbin;
	}
	if (begins_with(image, FATBIN))
		return find_in_fatbin(image, text, bytes);
	if (begins_with(image, ELF))
		return weir_fail(WEIR_BAD_PROGRAM, "a cubin has machine code: give PTX text");
	*text = image;
	*bytes = strlen(*text);
	return WEIR_OK;
}
