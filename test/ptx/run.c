#include "run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fail(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(1);
}

static void keep_text(void *context, const char *text, size_t bytes)
{
	run *r = context;
	size_t used = strlen(r->printed), room = sizeof r->printed - 1 - used;

	bytes = bytes < room ? bytes : room;
	memcpy(r->printed + used, text, bytes);
	r->printed[used + bytes] = '\0';
}

void run_open(run *r, const char *text)
{
	memset(r, 0, sizeof *r);
	if (weir_ptx_memory_create(&r->memory) != WEIR_OK ||
	    weir_ptx_module_load(&r->module, r->memory, text, strlen(text)) != WEIR_OK)
		fail("loading: %s", weir_error_text());
	r->launch.params = r->params;
	r->launch.print = keep_text;
	r->launch.print_context = r;
}

void run_close(run *r)
{
	weir_ptx_module_unload(r->module);
	weir_ptx_memory_destroy(r->memory);
}

void *run_buffer(run *r, size_t bytes)
{
	uint64_t address;

	if (weir_ptx_allocate(r->memory, bytes, WEIR_PTX_WRITTEN, &address) != WEIR_OK)
		fail("%s", weir_error_text());
	return (void *)(uintptr_t)address;
}

weir_ptx_end run_kernel(run *r, const char *name, unsigned grid, unsigned block)
{
	if (weir_ptx_module_kernel(r->module, name, &r->kernel) != WEIR_OK)
		fail("%s", weir_error_text());
	for (int i = 0; i < 3; i++)
		r->launch.grid[i] = r->launch.block[i] = 1;
	r->launch.grid[0] = grid;
	r->launch.block[0] = block;
	memset(&r->result, 0, sizeof r->result);
	r->printed[0] = '\0';
	if (weir_ptx_run(r->kernel, &r->launch, &r->result) != WEIR_OK)
		fail("%s: %s", name, weir_error_text());
	return r->result.end;
}
