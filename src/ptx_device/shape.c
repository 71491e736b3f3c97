#define _POSIX_C_SOURCE 200809L
#include "ptx_device/shape.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/status.h"

typedef struct parameter {
	const char *name, *what;
	size_t at;
	uint64_t value, least, most;
} parameter;

static const parameter parameters[] = {
#define WEIR_ROW_(name, value, least, most, what)                                                  \
	{#name, what, offsetof(ptx_shape, name), value, least, most},
    WEIR_PTX_PARAMETERS(WEIR_ROW_)
#undef WEIR_ROW_
};

#define PARAMETERS (sizeof parameters / sizeof *parameters)

static uint64_t *value_of(ptx_shape *shape, const parameter *p)
{
	return (uint64_t *)(void *)((char *)shape + p->at);
}

static weir_status fail_unknown(const char *text, size_t length)
{
	char known[200] = "";

	for (size_t i = 0; i < PARAMETERS; i++)
		snprintf(known + strlen(known), sizeof known - strlen(known), "%s, ",
		         parameters[i].name);
	snprintf(known + strlen(known), sizeof known - strlen(known), "trace");
	return weir_fail(WEIR_NO_DEVICE, "the ptx device has no parameter '%.*s': it has %s",
	                 (int)(length > 40 ? 40 : length), text, known);
}

static uint64_t random_seed(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	/* Short, since people type it in again. */
	return 1 + ((uint64_t)now.tv_nsec ^ (uint64_t)now.tv_sec * 7919) % 999999;
}

static weir_status read_trace(const char *name, size_t length, ptx_shape *shape)
{
	if (!length || length >= sizeof shape->trace)
		return weir_fail(WEIR_NO_DEVICE,
		                 "parameter trace of the ptx device takes the name of a file, of "
		                 "at most %zu bytes",
		                 sizeof shape->trace - 1);
	memcpy(shape->trace, name, length);
	return WEIR_OK;
}

/* "name=value", which ends at a comma or the end of the string. */
static weir_status read_one(const char *text, size_t length, ptx_shape *shape)
{
	const char *sign = memchr(text, '=', length);
	size_t name = sign ? (size_t)(sign - text) : length;
	const parameter *p = NULL;
	uint64_t value;
	char *end = NULL;

	if (sign && name == 5 && memcmp(text, "trace", 5) == 0)
		return read_trace(sign + 1, length - name - 1, shape);
	for (size_t i = 0; i < PARAMETERS && !p; i++)
		if (strlen(parameters[i].name) == name &&
		    memcmp(parameters[i].name, text, name) == 0)
			p = &parameters[i];
	if (!p)
		return fail_unknown(text, name);
	if (sign && p->at == offsetof(ptx_shape, seed) && length - name - 1 == 6 &&
	    memcmp(sign + 1, "random", 6) == 0) {
		shape->seed = random_seed();
		return WEIR_OK;
	}
	value = sign && isdigit((unsigned char)sign[1]) ? strtoull(sign + 1, &end, 10) : 0;
	if (!sign || !isdigit((unsigned char)sign[1]) || end != text + length || value < p->least ||
	    value > p->most)
		return weir_fail(
		    WEIR_NO_DEVICE,
		    "parameter %s of the ptx device (%s) takes a number from %llu to %llu%s",
		    p->name, p->what, (unsigned long long)p->least, (unsigned long long)p->most,
		    p->at == offsetof(ptx_shape, seed) ? ", or random" : "");
	*value_of(shape, p) = value;
	return WEIR_OK;
}

weir_status weir_ptx_shape_read(const char *text, ptx_shape *shape)
{
	weir_status status = WEIR_OK;

	memset(shape, 0, sizeof *shape);
	for (size_t i = 0; i < PARAMETERS; i++)
		*value_of(shape, &parameters[i]) = parameters[i].value;
	while (*text && status == WEIR_OK) {
		size_t length = strcspn(text, ",");

		status = read_one(text, length, shape);
		text += length + (text[length] == ',');
	}
	return status;
}

void weir_ptx_shape_write(const ptx_shape *shape, char *text, size_t bytes)
{
	ptx_shape copy = *shape;
	size_t used = 0;

	*text = '\0';
	for (size_t i = 0; i < PARAMETERS && used < bytes; i++) {
		uint64_t value = *value_of(&copy, &parameters[i]);

		if (value != parameters[i].value)
			used += (size_t)snprintf(text + used, bytes - used, "%s%s=%llu",
			                         used ? "," : "", parameters[i].name,
			                         (unsigned long long)value);
	}
	if (*shape->trace && used < bytes)
		snprintf(text + used, bytes - used, "%strace=%s", used ? "," : "", shape->trace);
}
