/* One panel of a figure of the paper: a primitive on one machine. */
#ifndef WEIR_COMMAND_PAPER_PANEL_H
#define WEIR_COMMAND_PAPER_PANEL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "figures/case.h"
#include "weir/kind.h"
#include "weir/profile.h"

typedef struct weir_panel {
	const weir_profile *profile; /* whose points it shows */
	const char *machine;         /* what the title calls it */
	const char *id;
	weir_case c;
	int all; /* kinds of weir; else the paper's alone, as far as its figure goes */
} weir_panel;

/* The kinds that it shows, by number. */
size_t weir_panel_kinds(const weir_panel *panel, uint32_t kinds[WEIR_CASE_KINDS]);
int weir_panel_shows(const weir_panel *panel, const weir_point *point);
/* Whether a point of it was cut short by the time limit, but completed something. */
int weir_panel_any_stopped(const weir_panel *panel);

/* The SVG text, to be freed. NULL after a complaint. */
char *weir_panel_draw(const weir_panel *panel);

/* HTML: what the curves of these kinds look like. */
void weir_panel_key(FILE *page, enum weir_primitive primitive, const uint32_t *kinds, size_t count);
/* HTML: its figures at the counts that all kinds have. */
void weir_panel_table(FILE *page, const weir_panel *panel);

#endif
