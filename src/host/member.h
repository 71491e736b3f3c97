/* Which thread of the program's own is which block of a barrier. */
#ifndef WEIR_HOST_MEMBER_H
#define WEIR_HOST_MEMBER_H

#include "base/status.h"

/* The calling thread has joined: it gets a number, which no other thread has had. */
weir_status weir_host_number_thread(void);

enum weir_membership {
	WEIR_MEMBER = 0,       /* or unknown: the library did not make the barrier */
	WEIR_MEMBER_OF_OTHERS, /* the barrier has another number of blocks */
	WEIR_MEMBER_TWICE      /* another thread has used the barrier as this block */
};

/* Whether the calling thread, which joined as one of `block_count` blocks, may use the barrier at `words`
 * with this rank. */
enum weir_membership weir_host_membership(const void *words, uint32_t rank, uint32_t block_count);

#endif
