/* Tables on a terminal. */
#include "output/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/fold.h"

/* How wide a column is, and how narrow it may become: only left-aligned text and titles are
 * folded. */
typedef struct column_width {
	size_t now;
	size_t least;
	size_t cells; /* of its widest cell */
} column_width;

/* Some of the columns, side by side, and the width of each. */
typedef struct table_part {
	size_t count;
	size_t *columns;
	column_width *widths;
} table_part;

struct weir_table {
	const char *const *columns;
	size_t column_count;
	char **cells; /* row by row */
	size_t cell_count;
	size_t room;
	FILE *flow; /* where complete rows are printed at once; NULL: they are kept */
	table_part flowing;
	int has_titles; /* that were printed */
};

weir_table *weir_table_make(const char *const *columns)
{
	weir_table *table = weir_need(calloc(1, sizeof *table));
	table->columns = columns;
	while (columns[table->column_count])
		table->column_count++;
	return table;
}

static void print_flowing(weir_table *table);

static void add_cell(weir_table *table, char *cell)
{
	if (table->cell_count == table->room) {
		table->room = table->room ? 2 * table->room : 64;
		table->cells = weir_need(realloc(table->cells, table->room * sizeof(char *)));
	}
	table->cells[table->cell_count++] = weir_need(cell);
	if (table->flow && table->cell_count == table->column_count)
		print_flowing(table);
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

static const char *title_of(const weir_table *table, size_t column)
{
	return table->columns[column] + is_left(table, column);
}

static size_t columns_of(const char *text)
{
	return weir_text_columns(text, strlen(text));
}

/* The width of the widest word. */
static size_t longest_word(const char *text)
{
	size_t longest = 0;

	for (size_t bytes; *text; text += bytes + strspn(text + bytes, " ")) {
		bytes = strcspn(text, " ");
		size_t columns = weir_text_columns(text, bytes);
		longest = columns > longest ? columns : longest;
	}
	return longest;
}

enum {
	GAP = 2, /* between columns */
	LEAST_TEXT = 12
};

static column_width measure_column(const weir_table *table, size_t column)
{
	size_t title = columns_of(title_of(table, column));
	column_width width = {.least = longest_word(title_of(table, column))};

	for (size_t i = column; i < table->cell_count; i += table->column_count) {
		size_t cell = columns_of(table->cells[i]);
		size_t least = is_left(table, column) ? longest_word(table->cells[i]) : cell;
		width.cells = cell > width.cells ? cell : width.cells;
		width.least = least > width.least ? least : width.least;
	}
	width.now = title > width.cells ? title : width.cells;
	if (is_left(table, column) && width.least < LEAST_TEXT)
		width.least = width.now < LEAST_TEXT ? width.now : LEAST_TEXT;
	return width;
}

static size_t width_of(const table_part *part)
{
	size_t sum = 0;

	for (size_t i = 0; i < part->count; i++)
		sum += (i ? GAP : 0) + part->widths[i].now;
	return sum;
}

static column_width *find_widest(const table_part *part)
{
	column_width *widest = NULL;

	for (size_t i = 0; i < part->count; i++) {
		column_width *width = &part->widths[i];
		if (width->now > width->least && (!widest || width->now > widest->now))
			widest = width;
	}
	return widest;
}

/* Folds first titles, then the widest text, until the part fits or nothing is left to fold. */
static void narrow(table_part *part, size_t columns)
{
	for (size_t i = 0; width_of(part) > columns && i < part->count; i++) {
		column_width *width = &part->widths[i];
		size_t cells = width->cells > width->least ? width->cells : width->least;
		width->now = cells < width->now ? cells : width->now;
	}
	for (column_width *widest; width_of(part) > columns && (widest = find_widest(part));)
		widest->now--;
}

/* One line of a row: as much of each remaining text as fits. Returns whether there is more. */
static int print_line(const weir_table *table, FILE *stream, const table_part *part,
                      const char **left)
{
	size_t blanks = 0; /* spaces due before the next text */
	int more = 0;

	for (size_t i = 0; i < part->count; i++) {
		int flush_left = is_left(table, part->columns[i]);
		size_t width = part->widths[i].now;
		size_t bytes = weir_fold_at(left[i], width);
		size_t used = weir_text_columns(left[i], bytes);
		size_t pad = used < width ? width - used : 0;
		blanks += flush_left ? 0 : pad;
		if (bytes) {
			fprintf(stream, "%*s%.*s", (int)blanks, "", (int)bytes, left[i]);
			blanks = 0;
		}
		blanks += (flush_left ? pad : 0) + GAP;
		left[i] += bytes;
		left[i] += strspn(left[i], " ");
		more |= *left[i] != '\0';
	}
	fputc('\n', stream);
	return more;
}

static size_t count_lines(const char *text, size_t columns)
{
	size_t count = 0;

	for (; *text; count++) {
		text += weir_fold_at(text, columns);
		text += strspn(text, " ");
	}
	return count;
}

/* Titles are aligned at the bottom. */
static void print_titles(const weir_table *table, FILE *stream, const table_part *part,
                         const char **left)
{
	size_t most = 1;

	for (size_t i = 0; i < part->count; i++) {
		const char *title = title_of(table, part->columns[i]);
		size_t lines = count_lines(title, part->widths[i].now);
		most = lines > most ? lines : most;
		left[i] = "";
	}
	for (size_t line = most; line > 0; line--) {
		for (size_t i = 0; i < part->count; i++) {
			const char *title = title_of(table, part->columns[i]);
			if (count_lines(title, part->widths[i].now) == line)
				left[i] = title;
		}
		print_line(table, stream, part, left);
	}
}

static void print_part(const weir_table *table, FILE *stream, const table_part *part,
                       int with_titles)
{
	const char **left = weir_need(calloc(part->count, sizeof *left));

	if (with_titles)
		print_titles(table, stream, part, left);
	for (size_t row = 0; row < table->cell_count; row += table->column_count) {
		for (size_t i = 0; i < part->count; i++)
			left[i] = table->cells[row + part->columns[i]];
		while (print_line(table, stream, part, left))
			;
	}
	free(left);
}

/* Takes the first column and as many from `next` on as fit. Returns the first that does not. */
static size_t fill_part(const weir_table *table, size_t next, table_part *part)
{
	size_t columns = weir_columns();

	part->widths[0] = measure_column(table, 0);
	part->columns[0] = 0;
	for (part->count = 1; next < table->column_count; next++) {
		size_t used = 0;
		part->columns[part->count] = next;
		part->widths[part->count++] = measure_column(table, next);
		for (size_t i = 0; i < part->count; i++)
			used += (i ? GAP : 0) + part->widths[i].least;
		if (used > columns && part->count > 2) {
			part->count--;
			break;
		}
	}
	narrow(part, columns);
	return next;
}

static table_part make_part(const weir_table *table)
{
	size_t count = table->column_count;

	return (table_part){.columns = weir_need(calloc(count, sizeof(size_t))),
	                    .widths = weir_need(calloc(count, sizeof(column_width)))};
}

static void free_part(table_part *part)
{
	free(part->columns);
	free(part->widths);
}

static void print_table(const weir_table *table, FILE *stream)
{
	size_t count = table->column_count;
	table_part part = make_part(table);

	for (size_t next = 1, done = 0; !done || next < count; done = 1) {
		fputs(done ? "\n" : "", stream);
		next = fill_part(table, next, &part);
		print_part(table, stream, &part, 1);
	}
	free_part(&part);
}

static void clear_cells(weir_table *table)
{
	for (size_t i = 0; i < table->cell_count; i++)
		free(table->cells[i]);
	table->cell_count = 0;
}

static void print_flowing(weir_table *table)
{
	print_part(table, table->flow, &table->flowing, !table->has_titles);
	table->has_titles = 1;
	clear_cells(table);
}

void weir_table_flow(weir_table *table, FILE *stream)
{
	table_part *part = &table->flowing;

	*part = make_part(table);
	if (stream && fill_part(table, 1, part) == table->column_count) {
		column_width *last = &part->widths[part->count - 1];
		size_t used = width_of(part), columns = weir_columns();
		table->flow = stream;
		if (is_left(table, table->column_count - 1) && used < columns)
			last->now += columns - used;
	}
	clear_cells(table);
}

int weir_table_is_empty(const weir_table *table)
{
	return table->cell_count == 0 && !table->has_titles;
}

void weir_table_end(weir_table *table, FILE *stream)
{
	if (stream && table->cell_count > 0)
		print_table(table, stream);
	clear_cells(table);
	free_part(&table->flowing);
	free(table->cells);
	free(table);
}
