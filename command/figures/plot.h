/* Plots of throughput against blocks, drawn by gnuplot as SVG, and functions shared with other
 * plots. */
#ifndef WEIR_COMMAND_FIGURES_PLOT_H
#define WEIR_COMMAND_FIGURES_PLOT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "figures/case.h"
#include "weir/profile.h"

/* The colour of a kind in all plots of its primitive, as "#rrggbb", and gnuplot's number for the
 * shape of its points. */
const char *weir_plot_colour(uint32_t kind);
int weir_plot_shape(uint32_t kind);

enum {
	WEIR_PLOT_WIDTH = 520 /* so that its letters can be read on a phone */
};

/* The key below a plot. */
typedef struct weir_plot_key {
	size_t entries;
	size_t longest; /* letters of the longest */
} weir_plot_key;

/* Of the picture, which grows with its key. */
int weir_plot_height(const weir_plot_key *key);

/* The plot command used when there is no point. */
#define WEIR_PLOT_NOTHING                                                                          \
	"set label \"no operation completed\" at graph 0.5, 0.5 center\n"                          \
	"plot 1 notitle linecolor rgb \"white\""

/* Begins a script with its titles, on logarithmic axes. */
void weir_plot_frame(FILE *script, const char *title, const char *across, const char *up,
                     const weir_plot_key *key);
/* The horizontal range, with tics at powers of two, or of four if the range is wide, and at the
 * largest count. */
void weir_plot_counts(FILE *script, uint32_t low, uint32_t high);

/* The SVG of a case, to be freed; its ids begin with the case's own, so that one page can contain
 * several. NULL after an error message. */
char *weir_plot_draw(const weir_profile *profile, const weir_case *c);

#endif
