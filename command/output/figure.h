/* Formats figures for people. */
#ifndef WEIR_COMMAND_OUTPUT_FIGURE_H
#define WEIR_COMMAND_OUTPUT_FIGURE_H

#include <stddef.h>
#include <stdint.h>

typedef struct weir_figure {
	char text[48];
} weir_figure;

/* "1.86 M": three significant digits and a decimal prefix. */
weir_figure weir_rate_figure(double per_second);

/* "1 block", "2 blocks", "3 classes". */
weir_figure weir_count_figure(uint64_t count, const char *noun);

/* A lead: "as fast as", "12% ahead of", "14 times as fast as". */
weir_figure weir_lead_figure(double by);

/* Sorts them in ascending order. */
void weir_sort_figures(double *figures, size_t count);

/* How much lower one rate is than another: "8% less", "14 times slower", or "as fast" if it is not
 * lower. */
weir_figure weir_cost_figure(double rate, double than);

#endif
