/* The memory of a crew on the host: without a name, and reached by its descriptor. It has the shares of all
 * ranks, each on pages of its own. */
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

/* New memory, zeroed, whose size nobody can change: it belongs to the processes that hold the descriptor,
 * and ends with the last of them. */
weir_status weir_share_create(size_t bytes, int *descriptor);
/* Refuses anything but such memory of that size. */
weir_status weir_share_check(int descriptor, size_t bytes);
weir_status weir_share_map(int descriptor, size_t bytes, void **memory);
void weir_share_unmap(void *memory, size_t bytes);

#endif
