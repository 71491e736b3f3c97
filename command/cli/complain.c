/* Error messages and exit statuses. */
#include "cli/complain.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "weir/weir.h"

static void complain(const char *format, va_list arguments)
{
	fflush(stdout);
	fputs("weir: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
}

int weir_complain(int status, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	complain(format, arguments);
	va_end(arguments);
	return status;
}

int weir_refuse(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	complain(format, arguments);
	va_end(arguments);
	return WEIR_EXIT_USAGE;
}

int weir_refuse_any(const weir_refusal *refusals)
{
	for (; refusals->why; refusals++)
		if (refusals->holds)
			return weir_refuse("%s", refusals->why);
	return 0;
}

int weir_complain_failed(void)
{
	return weir_complain(WEIR_EXIT_FAILED, "%s", weir_error_text());
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
