/* What the subcommands print: tables, JSON, progress. */
#ifndef WEIR_COMMAND_OUTPUT_H
#define WEIR_COMMAND_OUTPUT_H

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/options.h"

/* Gives `pointer`, or ends the program with a complaint when it is NULL. */
void *weir_need(void *pointer);

/* ---- text ---- */

/* Where tables and sentences go: standard output, or NULL when JSON goes there. */
FILE *weir_text_stream(const weir_common *common);

/* Cells are added from left to right, row by row; columns are as wide as they must be. `columns`
 * are the titles, NULL at the end; one that starts with '<' (not printed) is flushed left. */
typedef struct weir_table weir_table;
weir_table *weir_table_make(const char *const *columns);
void weir_table_cell(weir_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Prints, if `stream` is not NULL, and frees it. */
void weir_table_end(weir_table *table, FILE *stream);

/* The paper's three tables of a probe: times, contentious to noncontentious, to volatile. */
void weir_print_probe(FILE *stream, const weir_probe *probe);
/* The rows and columns of the first table, for other outputs: "Contentious volatile", ... */
extern const char *const weir_access_titles[WEIR_ACCESS_COUNT / 2];

/* "1.86 M": three digits that count and a decimal prefix. */
typedef struct weir_figure {
	char text[24];
} weir_figure;
weir_figure weir_rate_figure(double per_second);

/* ---- JSON ---- */

json_t *weir_json_device(const weir_device_info *info);
json_t *weir_json_probe(const weir_probe *probe);
json_t *weir_json_class(const weir_class *class_);
json_t *weir_json_point(const weir_point *point);
json_t *weir_json_tuning(const weir_tuning *tuning);
json_t *weir_json_rule(const weir_rule *rule);
/* An object with what every output has: the subcommand, the format's version, weir's version. */
json_t *weir_json_document(const char *command);

/* Writes `text` to a file that appears whole or not at all, or to standard output for "-". 0, or a
 * complaint and WEIR_EXIT_FAILED. */
int weir_write_file(const char *path, const char *text, size_t bytes);
/* The same for JSON, whose reference it takes. A NULL path: nothing. */
int weir_write_json(const char *path, json_t *root);
/* Whether a file could be written there: to be asked before long work. 0, or a complaint and
 * WEIR_EXIT_FAILED. NULL and "-" are fine. */
int weir_check_writable(const char *path);

/* ---- progress ---- */

/* A bar with the time left, on standard error when that is a terminal, in one line of it. */
typedef struct weir_progress {
	const char *what;
	double total; /* in any unit of work */
	double done;
	double began;
	double drawn;
	int shown;
} weir_progress;

void weir_progress_begin(weir_progress *progress, const char *what, double total);
/* NULL in place of `progress` is fine. */
void weir_progress_add(weir_progress *progress, double work);
void weir_progress_end(weir_progress *progress);

/* ---- Ctrl-C ---- */

/* From here on the first Ctrl-C only asks to stop; a second one ends the program. */
void weir_stop_catch(void);
int weir_stop_asked(void);

#endif
