/* What the parts of the page share: its style, and text in it. */
#ifndef WEIR_COMMAND_FIGURES_HTML_H
#define WEIR_COMMAND_FIGURES_HTML_H

#include <stdio.h>

#include "weir/profile.h"

/* The style is for light and dark screens. A wide table scrolls inside an element of class
 * "scroll". */
extern const char weir_report_style[];

/* Writes text with the characters of markup escaped, for HTML and XML. */
void weir_report_put(FILE *page, const char *text);

/* A row of two cells. An empty text is "not known". */
void weir_report_row(FILE *page, const char *title, const char *text);

/* The description of a profile's device, or else the profile's name. The short form of a CPU's is
 * its name as a device, "host" say, rather than its model. */
const char *weir_report_device(const weir_profile *profile);
const char *weir_report_short(const weir_profile *profile);

#endif
