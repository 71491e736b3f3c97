/* Complaints. */
#include "cli/complain.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int weir_complain(int status, const char *format, ...)
{
	va_list arguments;

	fflush(stdout);
	fputs("weir: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	return status;
}

void *weir_need(void *pointer)
{
	if (!pointer)
		exit(weir_complain(WEIR_EXIT_FAILED, "out of memory"));
	return pointer;
}

void weir_append_name(char *list, size_t room, const char *name)
{
	size_t used = strlen(list);
	snprintf(list + used, room - used, "%s%s", used ? ", " : "", name);
}
