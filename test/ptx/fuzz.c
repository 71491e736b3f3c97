/* Mutated PTX: loading, decoding, running, checking and exploring it must end, with any result.
 *
 *   ptx_fuzz COUNT [SEED [FILE...]]   mutates the programs of programs.h, and those of files
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WEIR_FUZZ_EXPLORE
#include "explore/explore.h"
#else
#include "ptx/check.h"
#endif
#include "programs.h"

#define ROOM (1 << 19)
#define LONGEST (ROOM / 3) /* of an original */
#define BUFFER 256         /* bytes */

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
	bytes = fread(text, 1, LONGEST, file);
	fclose(file);
	return bytes;
}

static size_t original(char *text, int files, char **names)
{
	size_t which = draw(PROGRAMS);

	if (files && draw(2))
		return load_file(names[draw((uint64_t)files)], text);
	make(&programs[which], text, LONGEST);
	return strlen(text);
}

/* The start of the next word, number or sign. */
static size_t token(const char *text, size_t at, size_t bytes)
{
	while (at < bytes && !strchr(" \n\t,;{}[]()+.", text[at]))
		at++;
	return at < bytes ? at + 1 : bytes;
}

/* The start of a line after `at`, or the end. */
static size_t line(const char *text, size_t at, size_t bytes)
{
	while (at < bytes && text[at] != '\n' && text[at] != ';')
		at++;
	return at < bytes ? at + 1 : bytes;
}

/* Another modifier, type or space in the place of one. */
static size_t change_modifier(char *text, size_t bytes)
{
	static const char *const modifiers[] = {
	    ".u8",       ".b16",      ".u32",     ".s32",     ".u64",     ".f16x2",
	    ".f32",      ".f64",      ".b128",    ".pred",    ".v2",      ".v4",
	    ".global",   ".shared",   ".local",   ".param",   ".const",   ".relaxed",
	    ".weak",     ".volatile", ".acquire", ".release", ".gpu",     ".cta",
	    ".sys",      ".cluster",  ".async",   ".sync",    ".aligned", ".wide",
	    ".hi",       ".sat",      ".rn",      ".noftz",   ".uni",     ".shared::cluster",
	    ".mbarrier", ".exch",     ".cas",     ".add"};
	const char *with = modifiers[draw(sizeof modifiers / sizeof *modifiers)];
	size_t at = draw(bytes), end, length = strlen(with);

	while (at < bytes && text[at] != '.')
		at++;
	for (end = at + 1;
	     end < bytes && strchr("abcdefghijklmnopqrstuvwxyz0123456789_:", text[end]);)
		end++;
	if (at >= bytes || bytes + length > ROOM - 64)
		return bytes;
	memmove(text + at + length, text + end, bytes - end);
	memcpy(text + at, with, length);
	return bytes - (end - at) + length;
}

/* A line goes, or one of either text is put elsewhere. */
static size_t change_lines(char *text, size_t bytes, const char *other, size_t other_bytes)
{
	const char *source = draw(2) ? text : other;
	size_t in = source == text ? bytes : other_bytes;
	size_t from = line(source, draw(in + 1), in), to = line(text, draw(bytes + 1), bytes);
	size_t end = line(source, from, in), length;

	if (draw(3) == 0) {
		end = line(text, to, bytes);
		memmove(text + to, text + end, bytes - end);
		return bytes - (end - to);
	}
	for (uint64_t k = draw(3); k; k--)
		end = line(source, end, in);
	length = end - from;
	if (bytes + 2 * length + 64 > ROOM)
		return bytes;
	memcpy(text + bytes + length, source + from, length);
	memmove(text + to + length, text + to, bytes - to);
	memcpy(text + to, text + bytes + length, length);
	return bytes + length;
}

static size_t mutate(char *text, size_t bytes, const char *other, size_t other_bytes)
{
	static const char signs[] = "{}[]()<>.,;:|!@%+-_=\"0123456789xfd u\n";
	size_t at = draw(bytes + 1), end = token(text, at, bytes), length, from;

	switch (draw(12)) {
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
	case 4:
	case 5:
	case 6:
		return change_modifier(text, bytes);
	case 7:
	case 8:
	case 9:
		return change_lines(text, bytes, other, other_bytes);
	case 10: /* without the rest */
		return draw(8) ? bytes : at;
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

typedef struct launched {
	weir_ptx_kernel *kernel;
	weir_ptx_launch launch;
	uint64_t params[512], buffer;
	int is_written;
} launched;

/* Gives each parameter a buffer or a number. Returns 0 if the kernel cannot be launched. */
static int prepare(launched *l, weir_ptx_memory *memory)
{
	weir_ptx_kernel_info info;
	size_t offset, bytes;
	uint64_t value;

	if (weir_ptx_kernel_about(l->kernel, &info) != WEIR_OK ||
	    info.param_bytes > sizeof l->params)
		return 0;
	l->is_written = (int)draw(2);
	if (weir_ptx_allocate(memory, BUFFER, l->is_written ? WEIR_PTX_WRITTEN : 0, &l->buffer) !=
	    WEIR_OK)
		fail("%s", weir_error_text());
	for (unsigned i = 0; i < info.params; i++) {
		if (weir_ptx_kernel_param(l->kernel, i, &offset, &bytes) != WEIR_OK)
			continue;
		value = draw(8) ? l->buffer : draw(UINT64_MAX);
		if (bytes < 8)
			value = draw(8) ? draw(9) : draw(UINT64_MAX);
		memcpy((char *)l->params + offset, &value, bytes < 8 ? bytes : 8);
	}
	l->launch = (weir_ptx_launch){.grid = {2, 1, 1},
	                              .block = {33, 1, 1},
	                              .params = l->params,
	                              .budget = 20000,
	                              .seed = draw(3),
	                              .dynamic_shared = 64,
	                              .cooperative = (int)draw(2)};
	return 1;
}

static weir_status begin(void *context, weir_ptx_kernel **kernel, weir_ptx_launch *launch)
{
	launched *l = context;

	*kernel = l->kernel;
	*launch = l->launch;
	memset((void *)(uintptr_t)l->buffer, 0, BUFFER);
	return WEIR_OK;
}

static void name(void *context, uint64_t address, char *text, size_t bytes)
{
	const launched *l = context;

	if (address - l->buffer < BUFFER)
		snprintf(text, bytes, "buffer + %u", (unsigned)(address - l->buffer));
	else
		snprintf(text, bytes, "0x%llx", (unsigned long long)address);
}

static void end(void *context)
{
	(void)context;
}

/* As weir check runs it: under the race detector, with the steps of what is found, and explored. */
static void check(launched *l)
{
	weir_check_setup setup = {.context = l,
	                          .begin = begin,
	                          .name = name,
	                          .end = end,
	                          .launches = 1 + (unsigned)draw(2),
	                          .is_weak = (int)draw(2),
	                          .has_steps = (int)draw(2)};
	weir_check *c = weir_check_create();

	if (!c)
		fail("no memory");
	for (uint64_t seed = 0; seed < 2; seed++)
		if (weir_check_execute(c, &setup, seed) != WEIR_OK)
			break;
#ifdef WEIR_FUZZ_EXPLORE
	weir_explore_setup exploration = {.check = &setup,
	                                  .bounds = {.executions = 4, .seconds = 1}};
	weir_explore_result explored = {0};

	l->launch.block[0] = 1 + (unsigned)draw(3);
	l->launch.budget = 2000;
	setup.launches = 1;
	weir_explore(c, &exploration, &explored);
	weir_explore_result_free(&explored);
#endif
	weir_check_destroy(c);
}

/* Runs some kernels of a module. Returns how many launches ended other than by a refusal. */
static unsigned run_all(const char *text, size_t bytes)
{
	weir_ptx_memory *memory;
	weir_ptx_module *module;
	unsigned ran = 0, kernels, few;

	if (weir_ptx_memory_create(&memory) != WEIR_OK)
		fail("%s", weir_error_text());
	if (weir_ptx_module_load(&module, memory, text, bytes) == WEIR_OK) {
		kernels = weir_ptx_module_about(module).kernels;
		few = kernels < 4 ? kernels : 4;
		for (unsigned i = 0; i < few; i++) {
			launched l = {.kernel = weir_ptx_module_kernel_at(
					  module, kernels > few ? (unsigned)draw(kernels) : i)};
			weir_ptx_result result;

			if (!l.kernel || !prepare(&l, memory))
				continue;
			ran += weir_ptx_run(l.kernel, &l.launch, &result) == WEIR_OK;
			if (draw(2))
				check(&l);
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
