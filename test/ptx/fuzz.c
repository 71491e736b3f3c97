/* Mutated PTX: loading, decoding and running it must end, with any result.
 *
 *   ptx_fuzz COUNT [SEED [FILE...]]   mutates the programs of programs.h, and those of files
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "programs.h"

#define ROOM 65536

static uint64_t state;

static uint64_t draw(uint64_t limit)
{
	uint64_t x = state += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (x ^ x >> 31) % limit;
}

static size_t load_file(const char *name, char *text)
{
	FILE *file = fopen(name, "rb");
	size_t bytes;

	if (!file)
		fail("%s cannot be read", name);
	bytes = fread(text, 1, ROOM / 2, file);
	fclose(file);
	return bytes;
}

static size_t original(char *text, int files, char **names)
{
	size_t which = draw(PROGRAMS + (size_t)files * 20);

	if (which >= PROGRAMS)
		return load_file(names[(which - PROGRAMS) % (size_t)files], text);
	make(&programs[which], text, ROOM / 2);
	return strlen(text);
}

/* The start of the next word, number or sign. */
static size_t token(const char *text, size_t at, size_t bytes)
{
	while (at < bytes && !strchr(" \n\t,;{}[]()+.", text[at]))
		at++;
	return at < bytes ? at + 1 : bytes;
}

static size_t mutate(char *text, size_t bytes, const char *other, size_t other_bytes)
{
	static const char signs[] = "{}[]()<>.,;:|!@%+-_=\"0123456789xfd u\n";
	size_t at = draw(bytes + 1), end = token(text, at, bytes), length, from;

	switch (draw(6)) {
	case 0: /* another character */
		if (at < bytes)
			text[at] = draw(4) ? signs[draw(sizeof signs - 1)] : (char)draw(256);
		return bytes;
	case 1: /* without some words */
		for (uint64_t k = draw(4); k; k--)
			end = token(text, end, bytes);
		memmove(text + at, text + end, bytes - end);
		return bytes - (end - at);
	case 2: /* a number */
		length =
		    (size_t)snprintf(text + bytes, 32, "%llu",
		                     (unsigned long long)(draw(2) ? draw(70) : draw(UINT64_MAX)));
		from = bytes;
		break;
	case 3: /* some words twice */
		from = at;
		length = end - at;
		break;
	default: /* words of another program */
		from = draw(other_bytes);
		length = token(other, from, other_bytes) - from;
		for (uint64_t k = draw(6); k; k--)
			length = token(other, from + length, other_bytes) - from;
		memcpy(text + bytes, other + from, length);
		from = bytes;
	}
	if (bytes + 2 * length + 64 > ROOM)
		return bytes;
	memmove(text + bytes + length, text + from, length);
	memmove(text + at + length, text + at, bytes - at);
	memcpy(text + at, text + bytes + length, length);
	return bytes + length;
}

/* Runs every kernel. Returns how many launches ended other than by a refusal. */
static unsigned run_all(const char *text, size_t bytes)
{
	weir_ptx_memory *memory;
	weir_ptx_module *module;
	weir_ptx_kernel *kernel;
	unsigned ran = 0;

	if (weir_ptx_memory_create(&memory) != WEIR_OK)
		fail("%s", weir_error_text());
	if (weir_ptx_module_load(&module, memory, text, bytes) == WEIR_OK) {
		for (unsigned i = 0; (kernel = weir_ptx_module_kernel_at(module, i)) != NULL; i++) {
			uint64_t params[512] = {0}, out;
			weir_ptx_launch launch = {.grid = {2, 1, 1},
			                          .block = {33, 1, 1},
			                          .params = params,
			                          .budget = 20000,
			                          .seed = draw(3),
			                          .dynamic_shared = 64,
			                          .cooperative = 1};
			weir_ptx_kernel_info info;
			weir_ptx_result result;
			if (weir_ptx_kernel_about(kernel, &info) != WEIR_OK ||
			    info.param_bytes > sizeof params)
				continue;
			if (weir_ptx_allocate(memory, 256, draw(2) ? WEIR_PTX_WRITTEN : 0, &out) !=
			    WEIR_OK)
				fail("%s", weir_error_text());
			for (size_t k = 0; k < 16; k++)
				params[k] = draw(8) ? out : draw(UINT64_MAX);
			ran += weir_ptx_run(kernel, &launch, &result) == WEIR_OK;
		}
		weir_ptx_module_unload(module);
	}
	weir_ptx_memory_destroy(memory);
	return ran;
}

int main(int count, char **arguments)
{
	unsigned long total = count > 1 ? strtoul(arguments[1], NULL, 10) : 1000, ran = 0;
	char *text = malloc(ROOM * 2), *other = malloc(ROOM);
	int files = count > 3 ? count - 3 : 0;

	state = count > 2 ? strtoull(arguments[2], NULL, 10) : 1;
	for (unsigned long i = 0; i < total && text && other; i++) {
		size_t bytes = original(text, files, arguments + 3),
		       other_bytes = original(other, files, arguments + 3);
		for (uint64_t k = 1 + draw(6); k; k--)
			bytes = mutate(text, bytes, other, other_bytes);
		ran += run_all(text, bytes);
	}
	free(text);
	free(other);
	printf("%lu mutated modules, %lu launches\n", total, ran);
	return ran ? 0 : 1;
}
