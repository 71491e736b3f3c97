/* Plots of throughput against blocks, drawn by gnuplot as SVG. */
#ifndef WEIR_REPORT_PLOT_H
#define WEIR_REPORT_PLOT_H

#include "report_case.h"

/* 0, or a complaint and WEIR_EXIT_FAILED when there is no gnuplot that runs. */
int weir_plot_check(void);

/* The SVG text of a case, to be freed; its ids begin with the case's own, so that several fit in
 * one page. NULL after a complaint. */
char *weir_plot_draw(const weir_profile *profile, const weir_report_case *c);

#endif
