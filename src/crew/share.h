/* The share of a rank: memory without a name that processes reach by its descriptor. */
#ifndef WEIR_CREW_SHARE_H
#define WEIR_CREW_SHARE_H

#include <stddef.h>

#include "weir/diagnosis/area.h"
#include "weir/ranks.h"

/* The host's words in a share, after the header of a diagnosis: the state (0, or WEIR_SHARE_LEFT), how far
 * the rank has come with the memory of its device, and a handle of that memory. */
#define WEIR_SHARE_HEADER (2 * WEIR_LINE_WORDS)
#define WEIR_SHARE_STATE (WEIR_SHARE_HEADER + WEIR_HEADER_USED)
#define WEIR_SHARE_STEP (WEIR_SHARE_STATE + 1)
#define WEIR_SHARE_HANDLE (WEIR_SHARE_STATE + 2)
#define WEIR_SHARE_LEFT 1u

/* A new one, zeroed, whose size nobody can change: it belongs to the processes that hold the descriptor,
 * and ends with the last of them. */
weir_status weir_share_create(size_t bytes, int *descriptor);
/* Refuses what is not such memory, or has another size. */
weir_status weir_share_check(int descriptor, size_t bytes);
weir_status weir_share_map(int descriptor, size_t bytes, weir_word **words);
void weir_share_unmap(weir_word *words, size_t bytes);

#endif
