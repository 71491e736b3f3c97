/* A stream that folds long lines. */
#include "cli/fold.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/types.h>
#include <unistd.h>

#include "cli/complain.h"

enum {
	LEAST_COLUMNS = 20,
	INDENT = 4,         /* used when the gap is too far to the right */
	USUAL_COLUMNS = 100 /* the width when the terminal does not tell it */
};

size_t weir_columns(void)
{
	const char *given = getenv("COLUMNS");
	long columns = given ? strtol(given, NULL, 10) : 0;
	struct winsize size;

	if (columns >= LEAST_COLUMNS)
		return (size_t)columns;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= LEAST_COLUMNS)
		return size.ws_col;
	return USUAL_COLUMNS;
}

/* Whether the byte continues a UTF-8 character. */
static int continues(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

size_t weir_text_columns(const char *text, size_t bytes)
{
	size_t columns = 0;

	for (size_t i = 0; i < bytes && text[i]; i++)
		columns += !continues(text[i]);
	return columns;
}

size_t weir_fold_at(const char *text, size_t columns)
{
	size_t last = 0, used = 0, i = 0;

	for (; text[i]; i++) {
		if (text[i] == ' ' && i > 0 && text[i - 1] != ' ')
			last = i;
		used += !continues(text[i]);
		if (used > columns && last > 0)
			return last;
	}
	return i;
}

/* The column where continuation lines begin. */
static size_t hanging_indent(const char *line, size_t columns)
{
	size_t indent = strspn(line, " ");
	const char *gap = strstr(line + indent, "  ");
	size_t behind = gap ? (size_t)(gap - line) + strspn(gap, " ") : 0;

	if (behind > 0 && behind <= columns * 2 / 3 && line[behind])
		return weir_text_columns(line, behind);
	if (gap)
		indent += INDENT;
	return indent <= columns / 2 ? indent : 0;
}

static void write_folded(const char *line)
{
	size_t columns = weir_columns();
	size_t hanging = hanging_indent(line, columns);
	size_t indent = 0;

	for (;;) {
		size_t lead = strspn(line, " ");
		size_t used = indent + lead;
		size_t bytes =
		    lead + weir_fold_at(line + lead, used < columns ? columns - used : 1);
		fprintf(stdout, "%*s%.*s\n", (int)indent, "", (int)bytes, line);
		line += bytes;
		line += strspn(line, " ");
		if (!*line)
			return;
		indent = hanging;
	}
}

/* The incomplete last line. */
static char *pending;
static size_t pending_bytes;

static void write_line(char *line)
{
	if (weir_text_columns(line, strlen(line)) <= weir_columns())
		fprintf(stdout, "%s\n", line);
	else
		write_folded(line);
}

static ssize_t take(void *cookie, const char *text, size_t bytes)
{
	(void)cookie;
	pending = weir_need(realloc(pending, pending_bytes + bytes + 1));
	memcpy(pending + pending_bytes, text, bytes);
	pending_bytes += bytes;
	pending[pending_bytes] = '\0';
	char *line = pending;
	for (char *end; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		write_line(line);
	}
	if (line == pending)
		return (ssize_t)bytes;
	pending_bytes -= (size_t)(line - pending);
	memmove(pending, line, pending_bytes + 1);
	return fflush(stdout) == 0 ? (ssize_t)bytes : 0;
}

static FILE *folded;

FILE *weir_folded(void)
{
	if (!folded) {
		folded = weir_need(fopencookie(NULL, "w", (cookie_io_functions_t){.write = take}));
		setvbuf(folded, NULL, _IOLBF, BUFSIZ);
	}
	return folded;
}

void weir_folded_end(void)
{
	if (folded)
		fflush(folded);
	if (pending_bytes)
		fputs(pending, stdout);
	free(pending);
	pending = NULL;
	pending_bytes = 0;
}
