/* Tables on a terminal. */
#include "output/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"

struct weir_table {
	const char *const *columns;
	size_t column_count;
	char **cells; /* row by row */
	size_t cell_count;
	size_t room;
};

weir_table *weir_table_make(const char *const *columns)
{
	weir_table *table = weir_need(calloc(1, sizeof *table));
	table->columns = columns;
	while (columns[table->column_count])
		table->column_count++;
	return table;
}

static void add_cell(weir_table *table, char *cell)
{
	if (table->cell_count == table->room) {
		table->room = table->room ? 2 * table->room : 64;
		table->cells = weir_need(realloc(table->cells, table->room * sizeof(char *)));
	}
	table->cells[table->cell_count++] = weir_need(cell);
}

static char *format_text(const char *format, va_list arguments)
{
	char *text = NULL;

	return weir_need(vasprintf(&text, format, arguments) < 0 ? NULL : text);
}

void weir_table_cell(weir_table *table, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	add_cell(table, format_text(format, arguments));
	va_end(arguments);
}

void weir_table_cells(weir_table *table, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	char *text = format_text(format, arguments);
	va_end(arguments);
	for (char *rest = text, *part; (part = strsep(&rest, "\t"));)
		add_cell(table, strdup(part));
	free(text);
}

void weir_table_blanks(weir_table *table, int count)
{
	while (count-- > 0)
		weir_table_cell(table, "-");
}

void weir_table_figure(weir_table *table, const char *format, double figure)
{
	if (isnan(figure))
		weir_table_blanks(table, 1);
	else
		weir_table_cell(table, format, figure);
}

void weir_table_count(weir_table *table, uint64_t count)
{
	if (count)
		weir_table_cell(table, "%" PRIu64, count);
	else
		weir_table_blanks(table, 1);
}

static int is_left(const weir_table *table, size_t column)
{
	return table->columns[column][0] == '<';
}

static void print_cell(const weir_table *table, FILE *stream, size_t column, int width,
                       const char *text)
{
	int last = column + 1 == table->column_count;
	const char *gap = column ? "  " : "";
	if (is_left(table, column))
		fprintf(stream, "%s%-*s", gap, last ? 0 : width, text);
	else
		fprintf(stream, "%s%*s", gap, width, text);
	if (last)
		fputc('\n', stream);
}

static void print_table(const weir_table *table, FILE *stream)
{
	int *widths = weir_need(calloc(table->column_count + 1, sizeof(int)));
	for (size_t i = 0; i < table->column_count; i++)
		widths[i] = (int)strlen(table->columns[i] + is_left(table, i));
	for (size_t i = 0; i < table->cell_count; i++) {
		int *width = &widths[i % table->column_count];
		int length = (int)strlen(table->cells[i]);
		*width = length > *width ? length : *width;
	}
	for (size_t i = 0; i < table->column_count; i++)
		print_cell(table, stream, i, widths[i], table->columns[i] + is_left(table, i));
	for (size_t i = 0; i < table->cell_count; i++) {
		size_t column = i % table->column_count;
		print_cell(table, stream, column, widths[column], table->cells[i]);
	}
	free(widths);
}

int weir_table_is_empty(const weir_table *table)
{
	return table->cell_count == 0;
}

void weir_table_end(weir_table *table, FILE *stream)
{
	if (stream && !weir_table_is_empty(table))
		print_table(table, stream);
	for (size_t i = 0; i < table->cell_count; i++)
		free(table->cells[i]);
	free(table->cells);
	free(table);
}
