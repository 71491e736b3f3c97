/* The share of a rank: memory without a name that processes reach by its descriptor. */
#ifndef WEIR_CREW_SHARE_H
#define WEIR_CREW_SHARE_H

#include <stddef.h>

#include "weir/ranks.h"

/* Words behind those of the crew, for the host alone. */
#define WEIR_SHARE_STATE 0 /* 0, or WEIR_SHARE_LEFT */
#define WEIR_SHARE_LEFT 1u

/* Bytes of a share: the words of the crew, and a line. */
size_t weir_share_bytes(weir_crew_config config);
/* The words of the host in a share. */
weir_word *weir_share_board(weir_word *share, weir_crew_config config);

/* A new one, zeroed, whose size nobody can change: it belongs to whoever holds the descriptor, and ends
 * with the last process that does. */
weir_status weir_share_create(size_t bytes, int *descriptor);
/* Refuses what is not such memory, or has another size. */
weir_status weir_share_check(int descriptor, size_t bytes);
weir_status weir_share_map(int descriptor, size_t bytes, weir_word **words);
void weir_share_unmap(weir_word *words, size_t bytes);

#endif
