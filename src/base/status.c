
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static __thread char error_text[1024];

void weir_explain(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(error_text, sizeof error_text, format, arguments);
	va_end(arguments);
}

weir_status weir_error_set(weir_status status, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(error_text, sizeof error_text, format, arguments);
	va_end(arguments);
	return status;
}

void weir_kernel_list_add(weir_kernel_list *list, const char *name)
{
	static const char more[] = ", ...";
	size_t used = strlen(list->text), room = sizeof list->text - used;
	size_t needed = strlen(name) + sizeof ", " + sizeof more;

	if (needed <= room)
		snprintf(list->text + used, room, "%s%s", used ? ", " : "", name);
	else if (room >= sizeof more && (used == 0 || list->text[used - 1] != '.'))
		snprintf(list->text + used, room, "%s", used ? more : more + 2);
}

weir_status weir_fail_no_kernel(const char *name, const weir_kernel_list *list)
{
	return weir_fail(WEIR_NOT_FOUND, "the program has no kernel '%.200s'; %s%s", name,
	                 !list         ? "its driver cannot list those that it has"
	                 : *list->text ? "it has "
	                               : "it has none",
	                 list ? list->text : "");
}

const char *weir_error_text(void)
{
	return error_text;
}

const char *weir_status_text(weir_status status)
{
	switch (status) {
	case WEIR_OK:
		return "success";
	case WEIR_BUSY:
		return "busy";
	case WEIR_TIMED_OUT:
		return "timed out";
	case WEIR_ABORTED:
		return "aborted";
	case WEIR_CLOSED:
		return "the queue is closed";
	case WEIR_BAD_ARGUMENT:
		return "bad argument";
	case WEIR_NO_DEVICE:
		return "no such device";
	case WEIR_DEVICE_CLOSED:
		return "the device is closed";
	case WEIR_NOT_FOUND:
		return "not found";
	case WEIR_UNSUPPORTED:
		return "unsupported";
	case WEIR_TOO_MANY_BLOCKS:
		return "too many blocks to run at once";
	case WEIR_NO_MEMORY:
		return "no memory";
	case WEIR_BAD_PROGRAM:
		return "a bad program";
	case WEIR_LAUNCH_FAILED:
		return "the launch failed";
	case WEIR_DRIVER_ERROR:
		return "driver error";
	case WEIR_STUCK:
		return "stuck: tasks that cannot finish";
	case WEIR_OTHER_VERSION:
		return "another version of the headers";
	case WEIR_NO_RANK:
		return "a rank is missing";
	}
	return "unknown status";
}

const char *weir_version(void)
{
	return WEIR_VERSION;
}
