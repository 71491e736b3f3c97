/* Text that fits the terminal. */
#ifndef WEIR_COMMAND_CLI_FOLD_H
#define WEIR_COMMAND_CLI_FOLD_H

#include <stddef.h>
#include <stdio.h>

/* The columns that text may take: $COLUMNS if it is a number of 20 or more, else the width of the
 * terminal on standard output, else 100. */
size_t weir_columns(void);

/* Standard output with its lines folded at weir_columns(). Lines appear when they are complete,
 * also in a pipe. A folded line continues below its own text: behind the first gap of two or more
 * spaces if it has one, else behind its indentation. */
FILE *weir_folded(void);
/* Writes an unfinished last line. */
void weir_folded_end(void);

/* How many columns a text takes. */
size_t weir_text_columns(const char *text, size_t bytes);
/* The bytes of the first line of `text` when it is folded at `columns`: up to a space, or all of a
 * word that is wider. */
size_t weir_fold_at(const char *text, size_t columns);

#endif
