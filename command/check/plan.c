#include "check/plan.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/parse.h"
#include "cli/stop.h"
#include "output/file.h"

#define MOST_BYTES (UINT32_C(1) << 30)

/* ---- numbers ---- */

int weir_check_sizes(const char *what, const char *text, uint32_t sizes[3])
{
	char part[32];
	int i = 0;

	sizes[0] = sizes[1] = sizes[2] = 1;
	for (const char *at = text; i < 3; i++) {
		size_t bytes = strcspn(at, ",x");
		int status;

		snprintf(part, sizeof part, "%.*s", (int)(bytes < 31 ? bytes : 31), at);
		status = weir_parse_count(what, part, 1, UINT32_MAX / 2, &sizes[i]);
		if (status || !at[bytes])
			return status;
		at += bytes + 1;
	}
	return weir_refuse("%s takes at most three numbers, not '%s'", what, text);
}

static const struct type {
	const char *name;
	uint32_t size;
	char class;
} types[] = {{"u8", 1, 'u'},  {"u16", 2, 'u'}, {"u32", 4, 'u'}, {"u64", 8, 'u'},
             {"i32", 4, 'i'}, {"i64", 8, 'i'}, {"f32", 4, 'f'}, {"f64", 8, 'f'}};

static const struct type *type_named(const char *name, size_t bytes)
{
	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
		if (strlen(types[i].name) == bytes && strncmp(types[i].name, name, bytes) == 0)
			return &types[i];
	return NULL;
}

/* The bits of a value; 0 after a complaint sets *status. */
static uint64_t bits_of(const struct type *type, const char *text, int *status)
{
	char *end = NULL;
	uint64_t bits = 0;

	errno = 0;
	if (type->class == 'f') {
		double value = strtod(text, &end);
		float single = (float)value;
		if (type->size == 4)
			memcpy(&bits, &single, 4);
		else
			memcpy(&bits, &value, 8);
	} else if (type->class == 'i' || *text == '-') {
		bits = (uint64_t)strtoll(text, &end, 0);
	} else {
		bits = strtoull(text, &end, 0);
	}
	if (end == text || *end || errno || (type->class == 'u' && *text == '-') ||
	    (type->class == 'u' && type->size < 8 && bits >> type->size * 8) ||
	    (type->class == 'i' && type->size == 4 && (int64_t)bits != (int32_t)bits))
		*status = weir_refuse("'%s' is no value of type %s", text, type->name);
	return type->size < 8 ? bits & ((UINT64_C(1) << type->size * 8) - 1) : bits;
}

/* ---- contents ---- */

static char *joined(const char *folder, const char *path)
{
	char *whole = NULL;

	if (!*folder || *path == '/')
		return weir_need(strdup(path));
	if (asprintf(&whole, "%s/%s", folder, path) < 0)
		whole = NULL;
	return weir_need(whole);
}

char *weir_check_read_file(const char *path, size_t *bytes)
{
	FILE *file = fopen(path, "rb");
	char *text = NULL;
	size_t room = 0;

	*bytes = 0;
	while (file && !ferror(file) && !feof(file)) {
		if (*bytes + 1 >= room)
			text = weir_need(realloc(text, room = 2 * room + 65536));
		*bytes += fread(text + *bytes, 1, room - *bytes - 1, file);
	}
	if (!file || ferror(file)) {
		weir_complain(WEIR_EXIT_USAGE, "cannot read %s: %s", path, strerror(errno));
		free(text);
		text = NULL;
	} else {
		text[*bytes] = '\0';
	}
	if (file)
		fclose(file);
	return text;
}

static int fill_with_values(uint8_t *to, size_t bytes, const struct type *type, const char *values)
{
	uint64_t list[256];
	size_t count = 0;
	uint64_t random = 1;
	int is_iota = strcmp(values, "iota") == 0, is_random = strcmp(values, "random") == 0;
	int status = 0;

	while (!is_iota && !is_random && status == 0) {
		char part[64];
		size_t length = strcspn(values, ",");
		snprintf(part, sizeof part, "%.*s", (int)(length < 63 ? length : 63), values);
		list[count++ % 256] = bits_of(type, part, &status);
		if (count > 256)
			return weir_refuse("a pattern has at most 256 values");
		if (!values[length])
			break;
		values += length + 1;
	}
	for (size_t i = 0; status == 0 && i < bytes / type->size; i++) {
		uint64_t bits = i;
		float single = (float)i;
		double value = (double)i;
		random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		if (is_random)
			bits = random >> 33;
		else if (!is_iota)
			bits = list[i % count];
		if ((is_iota || is_random) && type->class == 'f') {
			single = is_random ? (float)(bits % 1000) : single;
			value = single;
			bits = 0;
			memcpy(&bits, type->size == 4 ? (void *)&single : (void *)&value,
			       type->size);
		}
		memcpy(to + i * type->size, &bits, type->size);
	}
	return status;
}

/* A pattern or the contents of a file. */
static int make_contents(const char *what, const char *pattern, const char *folder, size_t bytes,
                         uint8_t **contents, size_t *filled)
{
	const char *colon = strchr(pattern, ':');
	const struct type *type = colon ? type_named(pattern, (size_t)(colon - pattern)) : NULL;
	size_t length;
	char *path, *text;

	*filled = bytes;
	if (type) {
		if (bytes % type->size)
			return weir_refuse("%s: %zu bytes are no multiple of %s", what, bytes,
			                   type->name);
		*contents = weir_need(calloc(bytes, 1));
		return fill_with_values(*contents, bytes, type, colon + 1);
	}
	if (*pattern != '@')
		return weir_refuse("%s: '%s' is no pattern; there are TYPE:VALUE,..., TYPE:iota, "
		                   "TYPE:random, unwritten and @FILE",
		                   what, pattern);
	path = joined(folder, pattern + 1);
	text = weir_check_read_file(path, &length);
	free(path);
	if (!text)
		return WEIR_EXIT_USAGE;
	if (length > bytes) {
		free(text);
		return weir_refuse("%s: the file has %zu bytes, and the buffer %zu", what, length,
		                   bytes);
	}
	*contents = weir_need(calloc(bytes, 1));
	memcpy(*contents, text, length);
	*filled = length;
	free(text);
	return 0;
}

/* ---- arguments ---- */

static weir_check_argument *new_argument(weir_check_plan *plan)
{
	weir_check_argument *a;

	if (plan->count == WEIR_CHECK_ARGUMENTS) {
		weir_refuse("at most %d arguments", WEIR_CHECK_ARGUMENTS);
		return NULL;
	}
	a = &plan->arguments[plan->count++];
	memset(a, 0, sizeof *a);
	a->member_of = plan->member_of;
	a->member_at = a->member_of ? plan->member_at : 0;
	plan->member_of = 0;
	return a;
}

int weir_check_add_struct(weir_check_plan *plan, const char *text)
{
	uint32_t bytes;
	int status = weir_parse_count("--struct", text, 1, 32764, &bytes);
	weir_check_argument *a;

	if (status)
		return status;
	if (plan->member_of)
		return weir_refuse("--struct: a member is given by its own members");
	a = new_argument(plan);
	if (!a)
		return WEIR_EXIT_USAGE;
	a->form = WEIR_CHECK_STRUCT;
	a->size = bytes;
	return 0;
}

int weir_check_add_member(weir_check_plan *plan, const char *text)
{
	uint32_t of = plan->count;

	while (of && plan->arguments[of - 1].member_of)
		of--;
	if (!of || plan->arguments[of - 1].form != WEIR_CHECK_STRUCT)
		return weir_refuse("--in %s: there is no --struct before it", text);
	plan->member_of = of;
	return weir_parse_count("--in", text, 0, plan->arguments[of - 1].size - 1,
	                        &plan->member_at);
}

static uint32_t buffer_number(const weir_check_plan *plan, const weir_check_argument *of)
{
	uint32_t number = 0;

	for (const weir_check_argument *a = plan->arguments; a <= of; a++)
		number += a->form == WEIR_CHECK_BUFFER;
	return number;
}

int weir_check_add_buffer(weir_check_plan *plan, const char *text, const char *folder)
{
	weir_check_argument *a = new_argument(plan);
	const char *equals = strchr(text, '=');
	size_t head = equals ? (size_t)(equals - text) : strlen(text);
	const char *colon = memchr(text, ':', head);
	char size[32];
	uint32_t bytes;
	int status;

	if (!a)
		return WEIR_EXIT_USAGE;
	a->form = WEIR_CHECK_BUFFER;
	a->size = 8;
	snprintf(a->name, sizeof a->name, "buffer %u", buffer_number(plan, a));
	if (colon) {
		snprintf(a->name, sizeof a->name, "%.*s", (int)(colon - text), text);
		head -= (size_t)(colon - text) + 1;
		text = colon + 1;
	}
	snprintf(size, sizeof size, "%.*s", (int)(head < 31 ? head : 31), text);
	status = weir_parse_count("--buffer", size, 1, MOST_BYTES, &bytes);
	if (status)
		return status;
	a->bytes = bytes;
	if (!equals)
		return 0;
	if (strcmp(equals + 1, "unwritten") == 0) {
		a->is_unwritten = 1;
		return 0;
	}
	size_t filled;
	return make_contents("--buffer", equals + 1, folder, a->bytes, &a->contents, &filled);
}

int weir_check_add_scalar(weir_check_plan *plan, const char *type, const char *text)
{
	weir_check_argument *a = new_argument(plan);
	const struct type *row = type_named(type, strlen(type));
	int status = 0;

	if (!a)
		return WEIR_EXIT_USAGE;
	a->form = WEIR_CHECK_SCALAR;
	snprintf(a->type, sizeof a->type, "%s", row->name);
	a->size = row->size;
	a->bits = bits_of(row, text, &status);
	return status;
}

/* A buffer by its name, or by its number from 1 on. */
static weir_check_argument *buffer_named(weir_check_plan *plan, const char *name, size_t bytes)
{
	char list[512] = "";

	for (uint32_t i = 0; i < plan->count; i++) {
		weir_check_argument *a = &plan->arguments[i];
		char number[16];
		if (a->form != WEIR_CHECK_BUFFER)
			continue;
		snprintf(number, sizeof number, "%u", buffer_number(plan, a));
		if ((strlen(a->name) == bytes && strncmp(a->name, name, bytes) == 0) ||
		    (strlen(number) == bytes && strncmp(number, name, bytes) == 0))
			return a;
		weir_append_name(list, sizeof list, a->name);
	}
	weir_refuse("there is no buffer '%.*s'; there are %s", (int)bytes, name,
	            *list ? list : "none");
	return NULL;
}

int weir_check_add_pointer(weir_check_plan *plan, const char *text)
{
	size_t bytes = strcspn(text, "+");
	const weir_check_argument *buffer = buffer_named(plan, text, bytes);
	weir_check_argument *a;
	uint32_t offset = 0;
	int status = 0;

	if (!buffer)
		return WEIR_EXIT_USAGE;
	if (text[bytes])
		status = weir_parse_count("--at", text + bytes + 1, 0, MOST_BYTES, &offset);
	a = status ? NULL : new_argument(plan);
	if (!a)
		return WEIR_EXIT_USAGE;
	a->form = WEIR_CHECK_POINTER;
	a->size = 8;
	a->buffer = (uint32_t)(buffer - plan->arguments);
	a->offset = offset;
	return 0;
}

int weir_check_add_expected(weir_check_plan *plan, const char *text, const char *folder)
{
	const char *equals = strchr(text, '=');
	weir_check_argument *a;
	const char *pattern;
	char *path = NULL;
	int status;

	if (!equals)
		return weir_refuse("--expect takes BUFFER=FILE or BUFFER=PATTERN, not '%s'", text);
	a = buffer_named(plan, text, (size_t)(equals - text));
	if (!a)
		return WEIR_EXIT_USAGE;
	pattern = equals + 1;
	const char *colon = strchr(pattern, ':');
	if (*pattern != '@' && !(colon && type_named(pattern, (size_t)(colon - pattern)))) {
		if (asprintf(&path, "@%s", pattern) < 0)
			path = NULL;
		pattern = weir_need(path);
	}
	free(a->expected);
	a->expected = NULL;
	status =
	    make_contents("--expect", pattern, folder, a->bytes, &a->expected, &a->expected_bytes);
	free(path);
	return status;
}

/* ---- races that are known ---- */

int weir_check_add_silenced(weir_check_plan *plan, const char *text)
{
	const char *equals = strchr(text, '=');
	const char *colon = equals ? memrchr(text, ':', (size_t)(equals - text)) : NULL;
	char number[16];
	uint32_t line;
	int status;

	if (!colon || colon == text || !equals[1])
		return weir_refuse("--silence takes FILE:LINE=REASON, not '%s'", text);
	if (plan->silenced_count == sizeof plan->silenced / sizeof plan->silenced[0])
		return weir_refuse("--silence is given too often");
	snprintf(number, sizeof number, "%.*s",
	         (int)(equals - colon < 16 ? equals - colon - 1 : 15), colon + 1);
	status = weir_parse_count("--silence", number, 1, INT32_MAX, &line);
	if (status)
		return status;
	plan->silenced[plan->silenced_count].file =
	    weir_need(strndup(text, (size_t)(colon - text)));
	plan->silenced[plan->silenced_count].line = line;
	plan->silenced[plan->silenced_count++].reason = weir_need(strdup(equals + 1));
	return 0;
}

static int has_ending(const char *file, const char *ending)
{
	size_t bytes = strlen(file), end = strlen(ending);

	return bytes >= end && strcmp(file + bytes - end, ending) == 0;
}

const char *weir_check_silenced(const weir_check_plan *plan, const weir_check_finding *f)
{
	for (uint32_t i = 0; i < plan->silenced_count && f->kind == WEIR_CHECK_RACE; i++)
		for (unsigned k = 0; k < f->accesses; k++) {
			const weir_ptx_site *site = &f->access[k].site;
			if (site->file && site->source_line == plan->silenced[i].line &&
			    has_ending(site->file, plan->silenced[i].file))
				return plan->silenced[i].reason;
		}
	return NULL;
}

/* ---- the kernel ---- */

static int is_name(const char *symbol, const char *wanted)
{
	char length[24];
	const char *at;

	if (strcmp(symbol, wanted) == 0)
		return 1;
	/* Itanium's mangling: _Z6gather..., _ZN2ns6gatherE... */
	snprintf(length, sizeof length, "%zu", strlen(wanted));
	for (at = strncmp(symbol, "_Z", 2) == 0 ? strstr(symbol + 2, wanted) : NULL; at;
	     at = strstr(at + 1, wanted)) {
		size_t digits = strlen(length);
		if ((size_t)(at - symbol) >= 2 + digits &&
		    strncmp(at - digits, length, digits) == 0 &&
		    !isdigit((unsigned char)at[-(ptrdiff_t)digits - 1]))
			return 1;
	}
	return 0;
}

/* What a kernel is called in its source, as far as its symbol says. */
static void plain_name(const char *symbol, char *name, size_t bytes)
{
	const char *at = symbol;
	int is_nested;
	char *end;

	snprintf(name, bytes, "%s", symbol);
	if (strncmp(at, "_Z", 2) != 0)
		return;
	at += 2;
	is_nested = *at == 'N';
	at += is_nested;
	while (isdigit((unsigned char)*at)) {
		unsigned long length = strtoul(at, &end, 10);
		if (length > strlen(end))
			return;
		snprintf(name, bytes, "%.*s", (int)length, end);
		at = end + length;
		if (!is_nested)
			return;
	}
}

static int find_kernel(weir_check_plan *plan)
{
	weir_ptx_module_info info = weir_ptx_module_about(plan->module);
	char list[512] = "";
	weir_ptx_kernel_info about;
	uint32_t fitting = 0;

	for (unsigned i = 0; i < info.kernels; i++) {
		weir_ptx_kernel *kernel = weir_ptx_module_kernel_at(plan->module, i);
		char name[256];
		if (weir_ptx_kernel_about(kernel, &about) != WEIR_OK)
			return weir_complain(WEIR_EXIT_USAGE, "%s", weir_error_text());
		plain_name(about.name, name, sizeof name);
		weir_append_name(list, sizeof list, name);
		if (plan->kernel ? is_name(about.name, plan->kernel) : info.kernels == 1) {
			plan->found = kernel;
			plan->symbol = about.name;
			fitting++;
			if (plan->kernel && strcmp(about.name, plan->kernel) == 0)
				return 0;
		}
	}
	if (fitting == 1)
		return 0;
	if (info.kernels == 0)
		return weir_refuse("%s has no kernel", plan->file);
	if (fitting > 1)
		return weir_refuse("%u kernels are called '%s'; give the whole symbol of one",
		                   fitting, plan->kernel);
	if (!plan->kernel)
		return weir_refuse("which kernel? --kernel takes one of %s", list);
	return weir_refuse("there is no kernel '%s' in %s; there are %s", plan->kernel, plan->file,
	                   list);
}

static const char *option_of(const weir_check_argument *a)
{
	return a->form == WEIR_CHECK_SCALAR   ? a->type
	       : a->form == WEIR_CHECK_STRUCT ? "struct"
	                                      : "buffer";
}

static int check_members(const weir_check_plan *plan)
{
	for (uint32_t i = 0; i < plan->count; i++) {
		const weir_check_argument *a = &plan->arguments[i];
		uint32_t size = a->member_of ? plan->arguments[a->member_of - 1].size : 0;
		if (a->member_of && a->member_at + a->size > size)
			return weir_refuse(
			    "--in %u: %u bytes there are past the end of a struct of %u",
			    a->member_at, a->size, size);
	}
	return plan->member_of ? weir_refuse("no argument follows --in %u", plan->member_at) : 0;
}

static int check_arguments(weir_check_plan *plan)
{
	weir_ptx_kernel_info about;
	char list[512] = "", type[64], name[256];
	unsigned given = 0;
	uint32_t at = 0;

	if (weir_ptx_kernel_about(plan->found, &about) != WEIR_OK)
		return weir_complain(WEIR_EXIT_USAGE, "%s", weir_error_text());
	plain_name(about.name, name, sizeof name);
	for (unsigned i = 0; i < about.params; i++)
		if (weir_check_param_type(plan->found, i, type, sizeof type) == WEIR_OK)
			weir_append_name(list, sizeof list, type);
	for (uint32_t i = 0; i < plan->count; i++)
		given += !plan->arguments[i].member_of;
	if (about.params != given)
		return weir_refuse("%s takes %u argument%s%s%s%s, and %u %s given", name,
		                   about.params, about.params == 1 ? "" : "s", *list ? " (" : "",
		                   list, *list ? ")" : "", given, given == 1 ? "is" : "are");
	for (unsigned i = 0; i < about.params; i++, at++) {
		size_t offset, bytes;
		while (plan->arguments[at].member_of)
			at++;
		if (weir_ptx_kernel_param(plan->found, i, &offset, &bytes) != WEIR_OK)
			return weir_complain(WEIR_EXIT_USAGE, "%s", weir_error_text());
		if (bytes == plan->arguments[at].size)
			continue;
		weir_check_param_type(plan->found, i, type, sizeof type);
		return weir_refuse("argument %u of %s is %s, of %zu byte%s, and --%s gives %u",
		                   i + 1, name, type, bytes, bytes == 1 ? "" : "s",
		                   option_of(&plan->arguments[at]), plan->arguments[at].size);
	}
	plan->params = weir_need(calloc(about.param_bytes + 16, 1));
	return check_members(plan);
}

static int open_module(weir_check_plan *plan)
{
	if (weir_ptx_memory_create(&plan->memory) != WEIR_OK ||
	    weir_ptx_module_load(&plan->module, plan->memory, plan->text, plan->text_bytes) !=
	        WEIR_OK)
		return weir_complain(WEIR_EXIT_USAGE, "%s: %s", plan->file, weir_error_text());
	return 0;
}

static void close_module(weir_check_plan *plan)
{
	weir_ptx_module_unload(plan->module);
	weir_ptx_memory_destroy(plan->memory);
	plan->module = NULL;
	plan->memory = NULL;
}

int weir_check_load(weir_check_plan *plan, const char *nvcc_options)
{
	int status;

	if (has_ending(plan->file, ".cu"))
		plan->text = weir_check_compile(plan->file, nvcc_options, &plan->text_bytes);
	else
		plan->text = weir_check_read_file(plan->file, &plan->text_bytes);
	if (!plan->text)
		return WEIR_EXIT_USAGE;
	status = open_module(plan);
	if (status == 0)
		status = find_kernel(plan);
	if (status == 0)
		status = check_arguments(plan);
	/* Each execution has a module of its own, whose variables begin as they are in the source. */
	if (status == 0) {
		free(plan->kernel);
		plan->kernel = weir_need(strdup(plan->symbol));
	}
	close_module(plan);
	return status;
}

/* ---- executions ---- */

static void set_starts(const weir_check_plan *plan, const weir_check_argument *a)
{
	for (uint32_t i = 0; plan->has_starts && i < plan->counter_count; i++) {
		const weir_check_counter *c = &plan->counters[i];
		if (a == &plan->arguments[c->argument])
			memcpy((uint8_t *)(uintptr_t)a->address + c->offset, &c->start,
			       sizeof c->start);
	}
}

/* A counter that did not begin as the launch says does not end as it says; nor does a word above it, if it is the lower
 * half of 64 bits. */
static int is_started(const weir_check_plan *plan, uint32_t argument, size_t offset)
{
	for (uint32_t i = 0; plan->has_starts && i < plan->counter_count; i++)
		if (plan->counters[i].argument == argument &&
		    plan->counters[i].offset / 8 == offset / 8)
			return 1;
	return 0;
}

static weir_status make_buffer(weir_check_plan *plan, weir_check_argument *a)
{
	weir_status status = weir_ptx_allocate(plan->memory, a->bytes,
	                                       a->is_unwritten ? 0 : WEIR_PTX_WRITTEN, &a->address);

	if (status == WEIR_OK && a->contents)
		memcpy((void *)(uintptr_t)a->address, a->contents, a->bytes);
	if (status == WEIR_OK)
		set_starts(plan, a);
	return status;
}

static void write_trace(void *context, const char *text, size_t bytes)
{
	weir_check_plan *plan = context;

	plan->trace_failed |= fwrite(text, 1, bytes, plan->tracing) != bytes;
}

/* Of the first execution, as of a dump. */
static void start_trace(weir_check_plan *plan, weir_ptx_launch *launch)
{
	if (!plan->trace || plan->is_traced)
		return;
	plan->is_traced = 1;
	plan->tracing = fopen(plan->trace, "w");
	plan->trace_failed = !plan->tracing;
	launch->trace = plan->tracing ? write_trace : NULL;
	launch->trace_context = plan;
}

static void end_trace(weir_check_plan *plan)
{
	if (plan->tracing)
		plan->trace_failed |= fclose(plan->tracing) != 0;
	if (plan->is_traced && plan->trace_failed)
		weir_complain(1, "%s cannot be written", plan->trace);
	plan->dump_failed |= plan->is_traced && plan->trace_failed;
	plan->trace = NULL;
	plan->tracing = NULL;
}

static weir_status make_params(weir_check_plan *plan, weir_ptx_kernel *kernel)
{
	weir_status status = WEIR_OK;
	size_t offset = 0, bytes;
	unsigned param = 0;

	for (uint32_t i = 0; i < plan->count && status == WEIR_OK; i++) {
		weir_check_argument *a = &plan->arguments[i];
		if (a->form == WEIR_CHECK_BUFFER)
			status = make_buffer(plan, a);
		if (status == WEIR_OK && !a->member_of)
			status = weir_ptx_kernel_param(kernel, param++, &offset, &bytes);
		if (status != WEIR_OK || a->form == WEIR_CHECK_STRUCT)
			continue;
		uint64_t value = a->form == WEIR_CHECK_BUFFER ? a->address
		                 : a->form == WEIR_CHECK_POINTER
		                     ? plan->arguments[a->buffer].address + a->offset
		                     : a->bits;
		memcpy(plan->params + offset + a->member_at, &value, a->size);
	}
	return status;
}

static weir_status begin(void *context, weir_ptx_kernel **kernel, weir_ptx_launch *launch)
{
	weir_check_plan *plan = context;
	weir_status status = weir_ptx_memory_create(&plan->memory);

	if (status == WEIR_OK)
		status =
		    weir_ptx_module_load(&plan->module, plan->memory, plan->text, plan->text_bytes);
	if (status == WEIR_OK)
		status = weir_ptx_module_kernel(plan->module, plan->kernel, kernel);
	if (status == WEIR_OK)
		status = make_params(plan, *kernel);
	if (status != WEIR_OK) {
		close_module(plan);
		return status;
	}
	*launch = (weir_ptx_launch){.dynamic_shared = plan->shared,
	                            .params = plan->params,
	                            .resident = plan->resident,
	                            .cooperative = 1,
	                            .budget = plan->budget,
	                            .stop = weir_stop_flag()};
	start_trace(plan, launch);
	memcpy(launch->grid, plan->grid, sizeof launch->grid);
	memcpy(launch->block, plan->block, sizeof launch->block);
	memcpy(launch->cluster, plan->cluster, sizeof launch->cluster);
	return WEIR_OK;
}

static uint64_t word_at(const uint8_t *bytes, size_t size)
{
	uint64_t word = 0;

	memcpy(&word, bytes, size);
	return word;
}

static int compare(void *context, char *text, size_t bytes)
{
	const weir_check_plan *plan = context;

	for (uint32_t i = 0; i < plan->count; i++) {
		const weir_check_argument *a = &plan->arguments[i];
		const uint8_t *own = (const uint8_t *)(uintptr_t)a->address;
		size_t size = a->expected_bytes % 4 ? 1 : 4;
		size_t wrong = 0, first = 0;

		if (!a->expected)
			continue;
		for (size_t at = a->expected_bytes; at >= size; at -= size)
			if (memcmp(own + at - size, a->expected + at - size, size) != 0 &&
			    !is_started(plan, i, at - size)) {
				wrong++;
				first = at - size;
			}
		char offset[32];
		if (!wrong)
			continue;
		snprintf(offset, sizeof offset, " + %zu", first);
		snprintf(text, bytes,
		         "%s%s holds %llu, and %llu is expected; of %zu %s, %zu differ", a->name,
		         first ? offset : "", (unsigned long long)word_at(own + first, size),
		         (unsigned long long)word_at(a->expected + first, size),
		         a->expected_bytes / size,
		         size == 1                   ? "bytes"
		         : a->expected_bytes == size ? "word"
		                                     : "words",
		         wrong);
		return 1;
	}
	return 0;
}

static void name(void *context, uint64_t address, char *text, size_t bytes)
{
	const weir_check_plan *plan = context;
	weir_ptx_place place;

	for (uint32_t i = 0; i < plan->count; i++) {
		const weir_check_argument *a = &plan->arguments[i];
		if (a->form == WEIR_CHECK_BUFFER && address - a->address < a->bytes + 256) {
			if (address == a->address)
				snprintf(text, bytes, "%s", a->name);
			else
				snprintf(text, bytes, "%s + %llu%s", a->name,
				         (unsigned long long)(address - a->address),
				         address - a->address < a->bytes ? "" : " (past its end)");
			return;
		}
	}
	if (weir_ptx_place_find(plan->memory, address, &place) == WEIR_OK && place.name)
		snprintf(text, bytes, "%s + %llu", place.name,
		         (unsigned long long)(address - place.start));
	else
		snprintf(text, bytes, "an address in no buffer");
}

/* Buffer 1 is FOLDER/1, and so on. */
static int dump_buffer(const weir_check_plan *plan, const weir_check_argument *a)
{
	char *path = NULL;
	int status;

	if (asprintf(&path, "%s/%u", plan->dump, buffer_number(plan, a)) < 0)
		path = NULL;
	status = weir_write_file(weir_need(path), (const char *)(uintptr_t)a->address, a->bytes);
	free(path);
	return status;
}

/* Of the first execution: later ones may be other schedules, or the same one under assumptions. */
static void dump(weir_check_plan *plan)
{
	for (uint32_t i = 0; i < plan->count && !plan->dump_failed; i++)
		if (plan->arguments[i].form == WEIR_CHECK_BUFFER)
			plan->dump_failed = dump_buffer(plan, &plan->arguments[i]) != 0;
	plan->is_dumped = 1;
}

static void end(void *context)
{
	weir_check_plan *plan = context;

	if (plan->dump && !plan->is_dumped)
		dump(plan);
	if (plan->trace)
		end_trace(plan);
	close_module(plan);
}

weir_check_setup weir_check_setup_of(weir_check_plan *plan)
{
	weir_check_setup setup = {plan, begin,          NULL,          name,
	                          end,  plan->launches, plan->is_weak, plan->has_steps};

	for (uint32_t i = 0; i < plan->count; i++)
		if (plan->arguments[i].expected)
			setup.compare = compare;
	return setup;
}

/* Hashes a buffer, and writes its first words as text. */
static uint64_t outcome(void *context, char *text, size_t bytes)
{
	const weir_check_plan *plan = context;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	size_t used = 0;

	text[0] = 0;
	for (uint32_t i = 0; i < plan->count; i++) {
		const weir_check_argument *a = &plan->arguments[i];
		const uint8_t *own = (const uint8_t *)(uintptr_t)a->address;
		size_t size = a->bytes % 4 ? 1 : 4;
		if (a->form != WEIR_CHECK_BUFFER || strcmp(a->name, plan->outcomes) != 0)
			continue;
		for (size_t at = 0; at < a->bytes; at++)
			hash = (hash ^ own[at]) * UINT64_C(0x100000001b3);
		for (size_t at = 0; at + size <= a->bytes && used + 16 < bytes; at += size)
			used += (size_t)snprintf(text + used, bytes - used, "%s%llu", at ? " " : "",
			                         (unsigned long long)word_at(own + at, size));
	}
	return hash;
}

int weir_check_explore_setup(weir_check_plan *plan, const weir_check_setup *check,
                             weir_explore_setup *setup)
{
	int has_buffer = !plan->outcomes;

	*setup = (weir_explore_setup){.check = check,
	                              .outcome = plan->outcomes ? outcome : NULL,
	                              .bounds = {plan->bound, plan->time}};
	for (uint32_t i = 0; i < plan->count && !has_buffer; i++)
		has_buffer = plan->arguments[i].form == WEIR_CHECK_BUFFER &&
		             strcmp(plan->arguments[i].name, plan->outcomes) == 0;
	return has_buffer
	           ? 0
	           : weir_refuse("--outcomes %s: there is no buffer of that name", plan->outcomes);
}

void weir_check_free(weir_check_plan *plan)
{
	for (uint32_t i = 0; i < plan->count; i++) {
		free(plan->arguments[i].contents);
		free(plan->arguments[i].expected);
	}
	for (uint32_t i = 0; i < plan->silenced_count; i++) {
		free(plan->silenced[i].file);
		free(plan->silenced[i].reason);
	}
	free(plan->file);
	free(plan->kernel);
	free(plan->outcomes);
	free(plan->text);
	free(plan->params);
	free(plan->counters);
}
