/* The kinds as data, beyond weir/kind.h. */
#ifndef WEIR_BASE_KIND_H
#define WEIR_BASE_KIND_H

#include "weir/kind.h"

#define WEIR_PRIMITIVES (WEIR_PRIMITIVE_CREW + 1)
#define WEIR_KINDS_MOST 32 /* of a primitive: sets of kinds are bit sets in a word */

/* Its name with an article: "an array of events". */
const char *weir_primitive_phrase(enum weir_primitive primitive);

#endif
