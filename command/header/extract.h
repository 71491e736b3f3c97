/* A single header made out of the installed ones: those of some primitives, for some machines. */
#ifndef WEIR_COMMAND_HEADER_EXTRACT_H
#define WEIR_COMMAND_HEADER_EXTRACT_H

#include <stddef.h>
#include <stdint.h>

/* A bit for each part, in the order of weir_extract_primitive and weir_extract_machine. */
typedef struct weir_extract {
	uint32_t primitives;
	uint32_t machines;
	int diagnose; /* including what WEIR_DIAGNOSE needs */
} weir_extract;

/* NULL past the last. */
const char *weir_extract_primitive(size_t index);
const char *weir_extract_machine(size_t index);

/* The source of the header, which the caller frees. */
char *weir_extract_text(const weir_extract *extract);

#endif
