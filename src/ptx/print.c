/* printf in kernels: the format and its arguments are read from the kernel's memory. */
#include <stdio.h>
#include <string.h>

#include "ptx/machine.h"

/* Bytes at a generic address, for reading. */
static const uint8_t *read_at(weir_ptx_thread *t, uint64_t address, uint32_t bytes)
{
	weir_ptx_space space = WEIR_PTX_GENERIC;
	uint32_t owner;
	uint64_t at;
	const ptx_region *r;

	/* A local address may be without its window, as a call's own stack has it. */
	if (!weir_ptx_resolve(t, NULL, WEIR_PTX_GENERIC, address, &space, &owner, &at))
		return NULL;
	if (space == WEIR_PTX_LOCAL)
		return at < t->local_top && t->local_top - at >= bytes ? t->local + at : NULL;
	if (space == WEIR_PTX_SHARED)
		return at < t->block->shared_bytes && t->block->shared_bytes - at >= bytes
		           ? t->block->shared + at
		           : NULL;
	if (space != WEIR_PTX_GLOBAL)
		return NULL;
	r = weir_ptx_region(t->machine->memory, at);
	return r && !r->freed && r->bytes - (at - r->start) >= bytes
	           ? (const uint8_t *)(uintptr_t)at
	           : NULL;
}

bool weir_ptx_string(weir_ptx_thread *t, uint64_t address, char *text, size_t bytes)
{
	size_t length = 0;

	for (; length + 1 < bytes; length++) {
		const uint8_t *c = read_at(t, address + length, 1);
		if (!c)
			return weir_ptx_find(t, WEIR_PTX_OUT_OF_BOUNDS,
			                     "a text at %#llx, which is in no memory",
			                     (unsigned long long)address);
		text[length] = (char)*c;
		if (!*c)
			return true;
	}
	text[length] = '\0';
	return true;
}

static void put(weir_ptx_thread *t, const char *text, size_t bytes)
{
	const weir_ptx_launch *launch = &t->machine->launch;

	if (launch->print)
		launch->print(launch->print_context, text, bytes);
}

/* The next argument, of this size, which is also its alignment. */
static bool argument(weir_ptx_thread *t, uint64_t arguments, uint64_t *at, unsigned size,
                     uint64_t *value)
{
	const uint8_t *from;

	*at = (*at + size - 1) / size * size;
	from = read_at(t, arguments + *at, size);
	*value = 0;
	if (!from)
		return weir_ptx_find(t, WEIR_PTX_OUT_OF_BOUNDS,
		                     "printf has fewer arguments than its format asks for");
	memcpy(value, from, size);
	*at += size;
	return true;
}

/* Prints one conversion. `spec` is the conversion from the % on, without length modifiers. */
static bool convert(weir_ptx_thread *t, const char *spec, char kind, bool is_long, uint64_t value)
{
	char text[512], string[400], full[64];
	int length;

	switch (kind) {
	case 's':
		if (!weir_ptx_string(t, value, string, sizeof string))
			return false;
		snprintf(full, sizeof full, "%ss", spec);
		length = snprintf(text, sizeof text, full, string);
		break;
	case 'c':
		snprintf(full, sizeof full, "%sc", spec);
		length = snprintf(text, sizeof text, full, (int)value);
		break;
	case 'p':
		length = snprintf(text, sizeof text, "0x%llx", (unsigned long long)value);
		break;
	case 'd':
	case 'i':
		snprintf(full, sizeof full, "%slld", spec);
		length = snprintf(text, sizeof text, full,
		                  is_long ? (long long)value : (long long)(int32_t)value);
		break;
	case 'u':
	case 'x':
	case 'X':
	case 'o':
		snprintf(full, sizeof full, "%sll%c", spec, kind);
		length = snprintf(text, sizeof text, full, (unsigned long long)value);
		break;
	default:
		snprintf(full, sizeof full, "%s%c", spec, kind);
		length = snprintf(text, sizeof text, full, ptx_f64(value));
	}
	if (length > 0)
		put(t, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
	return true;
}

/* Reads a conversion behind its %, with its arguments; returns how long it is, 0 after a finding. */
static size_t conversion(weir_ptx_thread *t, const char *from, uint64_t arguments, uint64_t *at)
{
	char spec[40] = "%";
	size_t used = 1, length = 0;
	bool is_long = false;
	uint64_t value;

	for (; from[length] && strchr("-+ #0123456789.*lhzjt", from[length]); length++) {
		if (from[length] == '*') {
			if (!argument(t, arguments, at, 4, &value))
				return 0;
			used += (size_t)snprintf(spec + used, sizeof spec - used, "%d", (int)value);
		} else if (strchr("lhzjt", from[length])) {
			is_long |= from[length] != 'h';
		} else if (used + 1 < sizeof spec) {
			spec[used++] = from[length];
		}
		if (used > sizeof spec - 8)
			used = sizeof spec - 8;
		spec[used] = '\0';
	}
	if (!from[length])
		return length ? length : 1;
	if (from[length] == '%') {
		put(t, "%", 1);
		return length + 1;
	}
	if (!strchr("diuxXocspfFeEgGaA", from[length])) {
		put(t, from, length + 1);
		return length + 1;
	}
	is_long |= strchr("spfFeEgGaA", from[length]) != NULL;
	if (!argument(t, arguments, at, is_long ? 8 : 4, &value) ||
	    !convert(t, spec, from[length], is_long, value))
		return 0;
	return length + 1;
}

bool weir_ptx_print(weir_ptx_thread *t, uint64_t format, uint64_t arguments)
{
	char text[2048] = "";
	uint64_t at = 0;

	if (!weir_ptx_string(t, format, text, sizeof text))
		return false;
	for (const char *c = text; *c;) {
		size_t plain = strcspn(c, "%"), length;
		put(t, c, plain);
		c += plain;
		if (!*c)
			break;
		length = conversion(t, c + 1, arguments, &at);
		if (!length)
			return false;
		c += 1 + length;
	}
	return true;
}
