/* Files that appear complete or not at all. */
#ifndef WEIR_COMMAND_OUTPUT_FILE_H
#define WEIR_COMMAND_OUTPUT_FILE_H

#include <stddef.h>

/* Writes `text` to such a file, or to standard output for "-". Returns 0, or complains and returns
 * WEIR_EXIT_FAILED. */
int weir_write_file(const char *path, const char *text, size_t bytes);

/* Checks whether a file could be written there, before long work. Returns 0, or complains and
 * returns WEIR_EXIT_FAILED. NULL and "-" always pass. */
int weir_check_writable(const char *path);

#endif
