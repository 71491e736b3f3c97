/* Parses numbers and lists. */
#include "cli/parse.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"

enum {
	PART_BYTES = 64 /* for one part of a list */
};

int weir_parse_count(const char *what, const char *text, uint32_t low, uint32_t high,
                     uint32_t *value)
{
	char *end;

	errno = 0;
	long long number = strtoll(text, &end, 10);
	if (end == text || *end)
		return weir_refuse("%s: '%s' is not a whole number", what, text);
	if (errno == ERANGE || number < (long long)low || number > (long long)high)
		return weir_refuse("%s: %s is not between %u and %u", what, text, low, high);
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
		return weir_refuse("%s: '%s' is not a number", what, text);
	if (!(number > 0 && number <= MOST_SECONDS))
		return weir_refuse("%s: %s is not above 0 and at most %d seconds", what, text,
		                   MOST_SECONDS);
	*value = number;
	return 0;
}

int weir_parse_list(const char *what, const char *text,
                    int (*take)(const char *part, void *context), void *context)
{
	for (;;) {
		char part[PART_BYTES];
		size_t length = strcspn(text, ",");
		if (length == 0 || length >= sizeof part)
			return weir_refuse("%s: '%s' is not a list", what, text);
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
		return weir_refuse("%s: more than %u values", what, counts->count);
	for (uint32_t i = 0; i < counts->count; i++)
		if (counts->values[i] == value)
			return weir_refuse("%s: a value is given twice", what);
	counts->values[counts->count++] = value;
	return 0;
}

/* Parses one of the two numbers of a range. */
static int take_bound(const char *what, const char *text, uint32_t low, uint32_t high,
                      uint32_t *value)
{
	if (*text == '\0')
		return weir_refuse("%s: a range has two numbers, as in 1..240 or 1..240:8", what);
	return weir_parse_count(what, text, low, high, value);
}

/* Parses "FROM..TO" or "FROM..TO:STEP"; `dots` points to the dots. */
static int take_range(const char *what, char *part, char *dots, uint32_t low, uint32_t high,
                      weir_counts *counts)
{
	char *to = dots + 2;
	char *colon = strchr(to, ':');
	uint32_t first = 0;
	uint32_t last = 0;
	uint32_t step = 1;

	*dots = '\0';
	if (colon)
		*colon = '\0';
	int status = take_bound(what, part, low, high, &first);
	if (!status)
		status = take_bound(what, to, low, high, &last);
	if (!status && colon)
		status = weir_parse_count("the step of a range", colon + 1, 1, high, &step);
	if (!status && first > last)
		status = weir_refuse("%s: %u..%u goes down", what, first, last);
	for (uint64_t value = first; !status && value <= last; value += step)
		status = weir_counts_add(what, counts, (uint32_t)value);
	return status;
}

int weir_counts_take(const char *what, const char *part, uint32_t low, uint32_t high,
                     weir_counts *counts)
{
	char range[PART_BYTES];
	uint32_t value = 0;

	snprintf(range, sizeof range, "%s", part);
	char *dots = strstr(range, "..");
	if (dots)
		return take_range(what, range, dots, low, high, counts);
	int status = weir_parse_count(what, part, low, high, &value);
	return status ? status : weir_counts_add(what, counts, value);
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

	return weir_counts_take(list->what, part, list->low, list->high, list->counts);
}

int weir_parse_counts(const char *what, const char *text, uint32_t low, uint32_t high,
                      weir_counts *counts)
{
	struct count_list list = {what, low, high, counts};
	counts->count = 0;
	return weir_parse_list(what, text, take_count, &list);
}
