/* What the parts of the page share: its style, and text in it. */
#ifndef WEIR_COMMAND_REPORT_HTML_H
#define WEIR_COMMAND_REPORT_HTML_H

#include <stdio.h>

/* The style is for light and dark screens. A wide table scrolls inside an element of class
 * "scroll". */
extern const char weir_report_style[];

/* Writes text with the characters of markup escaped, for HTML and XML. */
void weir_report_put(FILE *page, const char *text);

#endif
