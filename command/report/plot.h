/* Plots of throughput against blocks, drawn by gnuplot as SVG. */
#ifndef WEIR_COMMAND_REPORT_PLOT_H
#define WEIR_COMMAND_REPORT_PLOT_H

#include <stdint.h>

#include "figures/case.h"
#include "weir/profile.h"

/* The colour of a kind in all plots of its primitive, "#rrggbb", and gnuplot's number of the shape
 * of its points. */
const char *weir_plot_colour(uint32_t kind);
int weir_plot_shape(uint32_t kind);

/* The SVG text of a case, to be freed; its ids begin with the case's own, so that several fit in
 * one page. NULL after a complaint. */
char *weir_plot_draw(const weir_profile *profile, const weir_case *c);

#endif
