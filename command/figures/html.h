/* What the parts of the page share: its style, and escaped text. */
#ifndef WEIR_COMMAND_FIGURES_HTML_H
#define WEIR_COMMAND_FIGURES_HTML_H

#include <stdio.h>

#include "weir/profile.h"

/* Writes text for HTML and XML, escaping the characters of markup. */
void weir_html_put(FILE *page, const char *text);

/* The same between two parts of markup. */
void weir_html_text(FILE *page, const char *before, const char *text, const char *after);

/* A left-aligned table cell with text. */
void weir_html_cell(FILE *page, const char *text);

/* Begins a scrolling table and its head; `id` may be NULL. weir_html_heads adds columns to the
 * head, terminated by NULL; as in output/table.h, a title that starts with '<' is left-aligned. The
 * rows follow. */
void weir_html_table(FILE *page, const char *id);
void weir_html_heads(FILE *page, const char *const *columns);
void weir_html_rows(FILE *page);
void weir_html_table_end(FILE *page);

/* A row of two cells. An empty text is shown as "not known". */
void weir_html_row(FILE *page, const char *title, const char *text);

/* The beginning of a page, up to its title in the head; and from there up to the heading. `more` is
 * added to the style. */
void weir_html_begin(FILE *page);
void weir_html_body(FILE *page, const char *more);

/* The heading of a section. `tag` is "measured" or "simulated"; NULL: neither. */
void weir_html_heading(FILE *page, const char *id, const char *title, const char *tag);

/* Ends the header of a page, lists the headings of its sections, and writes the sections. */
void weir_html_end(FILE *page, const char *sections);

/* The description of a profile's device, or the profile's name if there is none. The short form for
 * a CPU is its device name, such as "host", rather than its model. */
const char *weir_report_device(const weir_profile *profile);
const char *weir_report_short(const weir_profile *profile);

#endif
