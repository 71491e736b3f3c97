/* Text that fits the terminal. */
#ifndef WEIR_COMMAND_CLI_FOLD_H
#define WEIR_COMMAND_CLI_FOLD_H

#include <stddef.h>
#include <stdio.h>

/* The available columns: $COLUMNS if it is a number of 20 or more, otherwise the width of the
 * terminal on standard output, otherwise 100. */
size_t weir_columns(void);

/* Standard output with its lines folded at weir_columns(). Lines appear when they are complete,
 * even in a pipe. A folded line continues below its own text: after the first gap of two or more
 * spaces if it has one, otherwise at its indentation. */
FILE *weir_folded(void);
/* Writes an unfinished last line. */
void weir_folded_end(void);

/* The display width of a string. */
size_t weir_text_columns(const char *text, size_t bytes);
/* The number of bytes in the first line of `text` when folded at `columns`: up to a space, or all
 * of a word that is wider. */
size_t weir_fold_at(const char *text, size_t columns);

#endif
