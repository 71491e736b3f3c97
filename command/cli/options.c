/* The command line. */
#include "cli/options.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "measure/sim.h"

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

/* Adds a name to a list that commas separate. */
static void append_name(char *list, size_t room, const char *name)
{
	size_t used = strlen(list);
	snprintf(list + used, room - used, "%s%s", used ? ", " : "", name);
}

static int wrong_option(char **argv, weir_common *common, int c)
{
	const char *why = c == ':' ? "needs a value" : "is not an option, or takes no value";
	const char *argument = argv[optind - 1];
	char letter[] = {'-', (char)optopt, 0};

	/* Inside a group of letters getopt_long has not moved on. */
	if (strncmp(argument, "--", 2) != 0)
		argument = letter;
	common->status =
	    weir_complain(WEIR_EXIT_USAGE, "%s %s; see weir %s --help", argument, why, argv[0]);
	return WEIR_OPTION_LEAVE;
}

int weir_option_next(int argc, char **argv, weir_common *common)
{
	for (;;) {
		opterr = 0;
		int c = getopt_long(argc, argv, common->letters ? common->letters : ":h",
		                    common->options, NULL);
		switch (c) {
		case 1:
			common->device = optarg;
			break;
		case 2:
			common->json = optarg;
			break;
		case 3:
			common->profile = optarg;
			break;
		case 4:
		case 'h':
			fputs(common->help, stdout);
			common->status = WEIR_EXIT_OK;
			return WEIR_OPTION_LEAVE;
		case ':':
		case '?':
			return wrong_option(argv, common, c);
		default:
			return c;
		}
	}
}

int weir_no_operands(int argc, char **argv)
{
	if (optind >= argc)
		return 0;
	return weir_complain(WEIR_EXIT_USAGE, "'%s' is too much; see weir %s --help", argv[optind],
	                     argv[0]);
}

int weir_parse_count(const char *what, const char *text, uint32_t low, uint32_t high,
                     uint32_t *value)
{
	char *end;

	errno = 0;
	long long number = strtoll(text, &end, 10);
	if (end == text || *end)
		return weir_complain(WEIR_EXIT_USAGE, "%s: '%s' is not a whole number", what, text);
	if (errno == ERANGE || number < (long long)low || number > (long long)high)
		return weir_complain(WEIR_EXIT_USAGE, "%s: %s is not between %u and %u", what, text,
		                     low, high);
	*value = (uint32_t)number;
	return 0;
}

int weir_parse_seconds(const char *what, const char *text, double *value)
{
	enum {
		MOST_SECONDS = 86400
	};
	char *end;
	double number = strtod(text, &end);

	if (end == text || *end)
		return weir_complain(WEIR_EXIT_USAGE, "%s: '%s' is not a number", what, text);
	if (!(number > 0 && number <= MOST_SECONDS))
		return weir_complain(WEIR_EXIT_USAGE,
		                     "%s: %s is not above 0 and at most %d seconds", what, text,
		                     MOST_SECONDS);
	*value = number;
	return 0;
}

/* Calls `take` with each part of a list that commas separate. */
static int each_part(const char *what, const char *text, int (*take)(const char *, void *),
                     void *context)
{
	for (;;) {
		char part[64];
		size_t length = strcspn(text, ",");
		if (length == 0 || length >= sizeof part)
			return weir_complain(WEIR_EXIT_USAGE, "%s: '%s' is not a list", what, text);
		memcpy(part, text, length);
		part[length] = 0;
		int status = take(part, context);
		if (status || !text[length])
			return status;
		text += length + 1;
	}
}

static int add_count(const char *what, weir_counts *counts, uint32_t value)
{
	if (counts->count == sizeof counts->values / sizeof counts->values[0])
		return weir_complain(WEIR_EXIT_USAGE, "%s: more than %u values", what,
		                     counts->count);
	for (uint32_t i = 0; i < counts->count; i++)
		if (counts->values[i] == value)
			return weir_complain(WEIR_EXIT_USAGE, "%s: a value is given twice", what);
	counts->values[counts->count++] = value;
	return 0;
}

struct count_list {
	const char *what;
	uint32_t low;
	uint32_t high;
	weir_counts *counts;
};

static int take_count(const char *part, void *context)
{
	struct count_list *list = context;
	uint32_t value = 0;
	int status = weir_parse_count(list->what, part, list->low, list->high, &value);
	return status ? status : add_count(list->what, list->counts, value);
}

int weir_parse_counts(const char *what, const char *text, uint32_t low, uint32_t high,
                      weir_counts *counts)
{
	struct count_list list = {what, low, high, counts};
	counts->count = 0;
	return each_part(what, text, take_count, &list);
}

#define VALUE(name, NAME, value, ...) value,
weir_counts weir_all_kinds(enum weir_primitive primitive)
{
	static const uint32_t barriers[] = {WEIR_BARRIER_KINDS(VALUE)};
	static const uint32_t mutexes[] = {WEIR_MUTEX_KINDS(VALUE)};
	static const uint32_t semaphores[] = {WEIR_SEMAPHORE_KINDS(VALUE)};
	weir_counts kinds = {0};

	switch (primitive) {
	case WEIR_PRIMITIVE_BARRIER:
		memcpy(kinds.values, barriers, sizeof barriers);
		kinds.count = sizeof barriers / sizeof barriers[0];
		break;
	case WEIR_PRIMITIVE_MUTEX:
		memcpy(kinds.values, mutexes, sizeof mutexes);
		kinds.count = sizeof mutexes / sizeof mutexes[0];
		break;
	case WEIR_PRIMITIVE_SEMAPHORE:
		memcpy(kinds.values, semaphores, sizeof semaphores);
		kinds.count = sizeof semaphores / sizeof semaphores[0];
		break;
	case WEIR_PRIMITIVE_MUTEX_ARRAY:
	case WEIR_PRIMITIVE_GROUP:
	case WEIR_PRIMITIVE_BUFFER:
		break;
	}
	return kinds;
}

const char *weir_kind_name(enum weir_primitive primitive, uint32_t kind)
{
	const char *name = primitive == WEIR_PRIMITIVE_BARRIER ? weir_barrier_kind_name(kind)
	                   : primitive == WEIR_PRIMITIVE_MUTEX ? weir_mutex_kind_name(kind)
	                                                       : weir_semaphore_kind_name(kind);
	return name ? name : "unknown";
}

static int no_such_kind(enum weir_primitive primitive, const weir_counts *all, const char *name)
{
	char known[512] = "";

	for (uint32_t i = 0; i < all->count; i++)
		append_name(known, sizeof known, weir_kind_name(primitive, all->values[i]));
	return weir_complain(WEIR_EXIT_USAGE, "there is no %s of kind '%s'; there are %s",
	                     weir_primitive_name(primitive), name, known);
}

struct kind_list {
	enum weir_primitive primitive;
	weir_counts *kinds;
};

static int take_kind(const char *part, void *context)
{
	struct kind_list *list = context;
	weir_counts all = weir_all_kinds(list->primitive);

	for (uint32_t i = 0; i < all.count; i++)
		if (strcmp(part, weir_kind_name(list->primitive, all.values[i])) == 0)
			return add_count("--kinds", list->kinds, all.values[i]);
	return no_such_kind(list->primitive, &all, part);
}

int weir_parse_kinds(const char *text, enum weir_primitive primitive, weir_counts *kinds)
{
	struct kind_list list = {primitive, kinds};
	kinds->count = 0;
	return each_part("--kinds", text, take_kind, &list);
}

int weir_parse_primitive(const char *text, enum weir_primitive *primitive)
{
	static const enum weir_primitive all[] = {WEIR_PRIMITIVE_BARRIER, WEIR_PRIMITIVE_MUTEX,
	                                          WEIR_PRIMITIVE_SEMAPHORE};
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
		if (strcmp(text, weir_primitive_name(all[i])) == 0) {
			*primitive = all[i];
			return 0;
		}
	}
	return weir_complain(WEIR_EXIT_USAGE, "'%s' is not barrier, mutex or semaphore", text);
}

int weir_open_device(const char *name, weir_device **device, weir_device_info *info)
{
	if (weir_sim_is_name(name))
		return weir_complain(WEIR_EXIT_USAGE,
		                     "%s is simulated, and for probe, classify, bench, tune and "
		                     "report; see weir profile --profile",
		                     name);
	if (weir_device_open(name, device) != WEIR_OK)
		return weir_complain(WEIR_EXIT_USAGE, "%s", weir_error_text());
	if (weir_device_describe(*device, info) == WEIR_OK)
		return 0;
	weir_complain(WEIR_EXIT_USAGE, "%s", weir_error_text());
	weir_device_close(*device);
	return WEIR_EXIT_USAGE;
}

static int no_such_profile(const char *name_or_path)
{
	char known[512] = "";
	const char *name;

	for (size_t i = 0; (name = weir_profile_builtin_name(i)); i++)
		append_name(known, sizeof known, name);
	return weir_complain(WEIR_EXIT_USAGE,
	                     "there is no profile '%s': no such file, and the built-in ones are %s",
	                     name_or_path, known);
}

int weir_open_profile(const char *name_or_path, weir_profile **profile)
{
	const char *name;

	for (size_t i = 0; (name = weir_profile_builtin_name(i)); i++)
		if (strcmp(name, name_or_path) == 0)
			break;
	weir_status status = name ? weir_profile_builtin(name_or_path, profile)
	                          : weir_profile_read(name_or_path, profile);
	if (status == WEIR_NOT_FOUND)
		return no_such_profile(name_or_path);
	return status == WEIR_OK ? 0 : weir_complain(WEIR_EXIT_USAGE, "%s", weir_error_text());
}
