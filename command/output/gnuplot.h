/* Plots that gnuplot draws as SVG. */
#ifndef WEIR_COMMAND_OUTPUT_GNUPLOT_H
#define WEIR_COMMAND_OUTPUT_GNUPLOT_H

#include <stdio.h>

/* NULL when there is a gnuplot that runs; else why not, in a few words. A gnuplot that does not
 * end is killed after a while. */
const char *weir_gnuplot_absence(void);

typedef struct weir_picture {
	const char *id;    /* begins the ids in it, so that several pictures fit in one page */
	const char *title; /* that a reader who cannot see it hears; no markup */
	int width;
	int height;
} weir_picture;

/* The SVG text of the plot that a script draws, to be freed. NULL after a complaint. */
char *weir_gnuplot_draw(void (*write)(FILE *script, const void *context), const void *context,
                        const weir_picture *picture);

/* Writes the range and the tics of a logarithmic axis of operations a second. */
void weir_gnuplot_rates(FILE *script, double low, double high);

#endif
