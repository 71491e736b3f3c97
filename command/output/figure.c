/* Formats figures for people. */
#include "output/figure.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

weir_figure weir_rate_figure(double per_second)
{
	static const char *const prefixes[] = {"", " k", " M", " G"};
	weir_figure figure;
	size_t prefix = 0;

	while (per_second >= 999.5 && prefix < 3) {
		per_second /= 1000;
		prefix++;
	}
	int digits = per_second >= 99.95 ? 0 : per_second >= 9.995 ? 1 : 2;
	snprintf(figure.text, sizeof figure.text, "%.*f%s", digits, per_second, prefixes[prefix]);
	return figure;
}

weir_figure weir_count_figure(uint64_t count, const char *noun)
{
	size_t length = strlen(noun);
	int hisses = (length > 0 && noun[length - 1] == 's') ||
	             (length > 1 && strcmp(noun + length - 2, "ch") == 0);
	weir_figure figure;

	snprintf(figure.text, sizeof figure.text, "%" PRIu64 " %s%s", count, noun,
	         count == 1 ? ""
	         : hisses   ? "es"
	                    : "s");
	return figure;
}

weir_figure weir_cost_figure(double rate, double than)
{
	weir_figure figure = {"as fast"};

	if (rate <= 0 && than > 0)
		snprintf(figure.text, sizeof figure.text, "nothing completed");
	else if (rate * 2 < than)
		snprintf(figure.text, sizeof figure.text, "%.*f times slower",
		         rate * 10 < than ? 0 : 1, than / rate);
	else if (rate < than * 0.995)
		snprintf(figure.text, sizeof figure.text, "%.0f%% less", (1 - rate / than) * 100);
	return figure;
}

weir_figure weir_lead_figure(double by)
{
	weir_figure figure;

	if (by < 0.005)
		snprintf(figure.text, sizeof figure.text, "as fast as");
	else if (by < 1)
		snprintf(figure.text, sizeof figure.text, "%.0f%% ahead of", by * 100);
	else
		snprintf(figure.text, sizeof figure.text, "%.*f times as fast as", by < 9 ? 1 : 0,
		         by + 1);
	return figure;
}

static int by_size(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

void weir_sort_figures(double *figures, size_t count)
{
	qsort(figures, count, sizeof *figures, by_size);
}
