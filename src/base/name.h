/* Names of devices, as an info holds them. */
#ifndef WEIR_BASE_NAME_H
#define WEIR_BASE_NAME_H

#include <stddef.h>

/* Copies as much of a name as fits, in whole characters of UTF-8, and fills the rest with zeros.
 * Each byte that is not UTF-8 becomes '?', since JSON could not hold it. */
void weir_copy_name(char *to, size_t room, const char *from);

#endif
