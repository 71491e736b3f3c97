/* The memory of a crew on the host: it has no name and is reached through its descriptor. It
 * contains the shares of all ranks, each on its own pages. */
#ifndef WEIR_CREW_SHARE_H
#define WEIR_CREW_SHARE_H

#include <stddef.h>

#include "weir/diagnosis/area.h"
#include "weir/ranks.h"

/* The host's words in a share, after the header of a diagnosis: the state (0, or WEIR_SHARE_LEFT),
 * the rank's progress with the memory of its device, and a handle of that memory. */
#define WEIR_SHARE_HEADER (2 * WEIR_LINE_WORDS)
#define WEIR_SHARE_STATE (WEIR_SHARE_HEADER + WEIR_HEADER_USED)
#define WEIR_SHARE_STEP (WEIR_SHARE_STATE + 1)
#define WEIR_SHARE_HANDLE (WEIR_SHARE_STATE + 2)
#define WEIR_SHARE_LEFT 1u

/* New memory, zeroed, whose size cannot be changed. It belongs to the processes that hold the
 * descriptor, and is freed with the last of them. */
weir_status weir_share_create(size_t bytes, int *descriptor);
/* Refuses anything except such memory of that size. */
weir_status weir_share_check(int descriptor, size_t bytes);
weir_status weir_share_map(int descriptor, size_t bytes, void **memory);
void weir_share_unmap(void *memory, size_t bytes);

#endif
