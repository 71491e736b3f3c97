/* The paper's figures 1 to 3 and its table 5, with this device beside its two machines. */
#ifndef WEIR_COMMAND_PAPER_FIGURES_H
#define WEIR_COMMAND_PAPER_FIGURES_H

#include <stdio.h>

#include "paper/page.h"
#include "weir/kind.h"

/* HTML. Plots that cannot be drawn set `no_plots`, and tables take their place. */
void weir_paper_figure_write(FILE *page, weir_paper_page *paper, enum weir_primitive primitive);
void weir_paper_best_write(FILE *page, const weir_paper_page *paper);

/* "NVIDIA H200, measured", in letters that need no quoting anywhere. */
void weir_paper_device(const weir_paper_page *paper, char *text, size_t room);

#endif
