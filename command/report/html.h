/* What the parts of the page share: its style, and text in it. */
#ifndef WEIR_COMMAND_REPORT_HTML_H
#define WEIR_COMMAND_REPORT_HTML_H

#include <stdio.h>

/* For a light and for a dark screen, as the system says; a wide table scrolls in a "scroll". */
extern const char weir_report_style[];

/* With what HTML and XML would take for markup escaped. */
void weir_report_put(FILE *page, const char *text);

#endif
