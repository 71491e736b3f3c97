/* Tables on a terminal. */
#ifndef WEIR_COMMAND_OUTPUT_TABLE_H
#define WEIR_COMMAND_OUTPUT_TABLE_H

#include <stdint.h>
#include <stdio.h>

/* Cells are added from left to right, row by row. `columns` are the titles, terminated by NULL; one
 * that starts with '<' (not printed) is left-aligned. weir_table_cells adds a cell for each
 * tab-separated part of its string.
 *
 * Columns are as wide as their cells. If the table would be wider than the terminal, titles and
 * text are folded inside their columns. Columns that still do not fit follow below the others, with
 * the first column repeated. */
typedef struct weir_table weir_table;
weir_table *weir_table_make(const char *const *columns);
void weir_table_cell(weir_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void weir_table_cells(weir_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Add a figure, or "-" if it is NAN; a count, or "-" if it is 0; and several cells of "-". */
void weir_table_figure(weir_table *table, const char *format, double figure);
void weir_table_count(weir_table *table, uint64_t count);
void weir_table_blanks(weir_table *table, int count);
/* From now on each row is printed when it is complete. The rows added so far are not printed: they
 * contain the widest cells that will follow. If not all columns fit side by side, or if `stream` is
 * NULL, the rows are kept for weir_table_end. */
void weir_table_flow(weir_table *table, FILE *stream);
int weir_table_is_empty(const weir_table *table);
/* Prints the table, if `stream` is not NULL and there are rows, and frees it. */
void weir_table_end(weir_table *table, FILE *stream);

#endif
