/* Weakens one instruction of machine/cuda.h in the PTX of a harness program, everywhere: WEIR_WEAKEN names it. Linked with
 * --wrap=weir_ptx_module_load. A program whose kernels do not have the instruction exits with status 77. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/ptx/ptx.h"

typedef struct weakening {
	const char *from, *to; /* SCOPE is gpu or sys */
} weakening;

static const weakening weakenings[] = {
#define LOADS(X) X("u32") X("u64")
#define ADDS(X) X("add.u32") X("add.u64")
#define ATOMS(X) X("add.u32") X("cas.b32") X("exch.b32") X("add.u64") X("cas.b64")
#define ORDER(op, order, weaker, type)                                                             \
	{op "." order ".SCOPE.global." type, op "." weaker ".SCOPE.global." type},
#define SCOPE(op, order, type)                                                                     \
	{op "." order ".SCOPE.global." type, op "." order ".cta.global." type},
#define LOAD(type)                                                                                 \
	ORDER("ld", "acquire", "relaxed", type)                                                    \
	SCOPE("ld", "acquire", type) SCOPE("ld", "relaxed", type)
#define STORE(type)                                                                                \
	ORDER("st", "release", "relaxed", type)                                                    \
	SCOPE("st", "release", type) SCOPE("st", "relaxed", type)
#define RED(type)                                                                                  \
	ORDER("red", "release", "relaxed", type)                                                   \
	SCOPE("red", "release", type) SCOPE("red", "relaxed", type)
#define ATOM(type)                                                                                 \
	ORDER("atom", "acquire", "relaxed", type)                                                  \
	ORDER("atom", "release", "relaxed", type)                                                  \
	ORDER("atom", "acq_rel", "acquire", type)                                                  \
	ORDER("atom", "acq_rel", "release", type)                                                  \
	SCOPE("atom", "relaxed", type)                                                             \
	SCOPE("atom", "acquire", type) SCOPE("atom", "release", type) SCOPE("atom", "acq_rel", type)
    LOADS(LOAD) LOADS(STORE) ADDS(RED) ATOMS(ATOM){"fence.acq_rel.SCOPE;", ""},
    {"fence.acq_rel.SCOPE;", "fence.acq_rel.cta;"},
    {"fence.acquire.SCOPE;", ""},
    {"fence.acquire.SCOPE;", "fence.acquire.cta;"},
    {"cp.async.bulk.wait_group 0;", ""},
    {"bar.warp.sync", "// bar.warp.sync"}};

#define COUNT (sizeof weakenings / sizeof *weakenings)

static void with_scope(const char *text, const char *scope, char *to, size_t bytes)
{
	const char *at = strstr(text, "SCOPE");

	if (at)
		snprintf(to, bytes, "%.*s%s%s", (int)(at - text), text, scope, at + 5);
	else
		snprintf(to, bytes, "%s", text);
}

static size_t replace(char **text, const char *from, const char *to)
{
	size_t count = 0, longer = strlen(to) > strlen(from) ? strlen(to) - strlen(from) : 0;
	char *made, *end;

	for (const char *at = *text; (at = strstr(at, from)); at += strlen(from))
		count++;
	made = end = malloc(strlen(*text) + count * longer + 1);
	if (!made)
		exit(2);
	for (const char *at = *text;;) {
		const char *next = strstr(at, from);
		size_t bytes = next ? (size_t)(next - at) : strlen(at) + 1;
		memcpy(end, at, bytes);
		end += bytes;
		if (!next)
			break;
		memcpy(end, to, strlen(to));
		end += strlen(to);
		at = next + strlen(from);
	}
	free(*text);
	*text = made;
	return count;
}

weir_status __real_weir_ptx_module_load(weir_ptx_module **module, weir_ptx_memory *memory,
                                        const char *text, size_t bytes);
weir_status __wrap_weir_ptx_module_load(weir_ptx_module **module, weir_ptx_memory *memory,
                                        const char *text, size_t bytes);

weir_status __wrap_weir_ptx_module_load(weir_ptx_module **module, weir_ptx_memory *memory,
                                        const char *text, size_t bytes)
{
	const char *name = getenv("WEIR_WEAKEN");
	size_t number = name ? strtoul(name, NULL, 10) : COUNT;
	char *own = strndup(text, bytes);
	weir_status status;
	size_t count = 0;

	if (!own)
		exit(2);
	for (int i = 0; number < COUNT && i < 2; i++) {
		static const char *const scopes[] = {"gpu", "sys"};
		char from[64], to[64];
		with_scope(weakenings[number].from, scopes[i], from, sizeof from);
		with_scope(weakenings[number].to, scopes[i], to, sizeof to);
		count += i == 0 || strstr(weakenings[number].from, "SCOPE")
		             ? replace(&own, from, to)
		             : 0;
	}
	if (number < COUNT && !count)
		exit(77);
	status = __real_weir_ptx_module_load(module, memory, own, strlen(own));
	free(own);
	return status;
}

__attribute__((constructor)) static void list(void)
{
	if (!getenv("WEIR_WEAKENINGS"))
		return;
	for (size_t i = 0; i < COUNT; i++)
		printf("%zu\t%s\t%s\n", i, weakenings[i].from,
		       weakenings[i].to[0] ? weakenings[i].to : "removed");
	exit(0);
}
