/* Numbers and lists. */
#include "cli/parse.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"

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

int weir_parse_list(const char *what, const char *text,
                    int (*take)(const char *part, void *context), void *context)
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

int weir_counts_add(const char *what, weir_counts *counts, uint32_t value)
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
	return status ? status : weir_counts_add(list->what, list->counts, value);
}

int weir_parse_counts(const char *what, const char *text, uint32_t low, uint32_t high,
                      weir_counts *counts)
{
	struct count_list list = {what, low, high, counts};
	counts->count = 0;
	return weir_parse_list(what, text, take_count, &list);
}
