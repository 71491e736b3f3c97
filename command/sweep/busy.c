/* What blocks do before each barrier. */
#include "sweep/busy.h"

#include <getopt.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/parse.h"
#include "measure/meter.h"
#include "output/figure.h"

enum {
	MOST_STORES = 256,
	MOST_US = 1000
};

int weir_busy_take(int c, weir_busy_sweep *sweep)
{
	if (c == 'S')
		return weir_parse_counts("--stores", optarg, 0, MOST_STORES, &sweep->stores);
	return weir_parse_counts("--uneven", optarg, 0, MOST_US, &sweep->unevens);
}

int weir_busy_asked(const weir_busy_sweep *sweep)
{
	return sweep->stores.count || sweep->unevens.count;
}

static uint32_t size_of(const weir_counts *counts)
{
	return counts->count ? counts->count : 1;
}

uint32_t weir_busy_size(const weir_busy_sweep *sweep)
{
	return size_of(&sweep->stores) * size_of(&sweep->unevens);
}

weir_busy weir_busy_at(const weir_busy_sweep *sweep, uint32_t index)
{
	uint32_t unevens = size_of(&sweep->unevens);

	/* The values of an empty list are 0. */
	return (weir_busy){.stores = sweep->stores.values[index / unevens],
	                   .uneven_us = sweep->unevens.values[index % unevens]};
}

const char *weir_busy_text(weir_busy busy, char text[96])
{
	int used = 0;

	text[0] = '\0';
	if (busy.stores)
		used = snprintf(text, 96, "%s stored by each thread",
		                weir_count_figure(busy.stores, "word").text);
	if (busy.uneven_us)
		snprintf(text + used, 96 - (size_t)used, "%sblocks busy for up to %u us",
		         used ? ", " : "", busy.uneven_us);
	if (!weir_is_busy(busy))
		snprintf(text, 96, "blocks that do nothing else");
	return text;
}
