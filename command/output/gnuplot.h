/* Plots that gnuplot draws as SVG. */
#ifndef WEIR_COMMAND_OUTPUT_GNUPLOT_H
#define WEIR_COMMAND_OUTPUT_GNUPLOT_H

#include <stdio.h>

/* NULL if there is a working gnuplot; otherwise why not, in a few words. A gnuplot that does not
 * end is killed after a while. */
const char *weir_gnuplot_absence(void);

typedef struct weir_picture {
	const char *id;    /* prefix of the ids in it, so that one page can contain several
	                    * pictures */
	const char *title; /* for screen readers; no markup */
	int width;
	int height;
} weir_picture;

/* The SVG of the plot that a script draws, to be freed. NULL after an error message. */
char *weir_gnuplot_draw(void (*write)(FILE *script, const void *context), const void *context,
                        const weir_picture *picture);

/* Writes the range and the tics of a logarithmic axis of operations per second. */
void weir_gnuplot_rates(FILE *script, double low, double high);

#endif
