/* Rates for people. */
#ifndef WEIR_COMMAND_OUTPUT_FIGURE_H
#define WEIR_COMMAND_OUTPUT_FIGURE_H

/* "1.86 M": three significant digits and a decimal prefix. */
typedef struct weir_figure {
	char text[24];
} weir_figure;
weir_figure weir_rate_figure(double per_second);

#endif
