/* Rates for people. */
#include "output/figure.h"

#include <stdio.h>

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
