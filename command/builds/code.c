/* Reads cubins, which are ELF files, inside a fatbin. */
#include "builds/code.h"

#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

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

/* Whether a cubin is for that compute capability. Its place in the flags depends on the version of
 * the ABI, which is in the identification. */
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

uint64_t weir_code_bytes(const void *fatbin, const char *kernel, uint32_t capability)
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
