/* What a process keeps of a crew that it has joined. */
#ifndef WEIR_CREW_LINK_H
#define WEIR_CREW_LINK_H

#include "crew/share.h"
#include "weir/ranks.h"

typedef struct weir_crew_peer {
	weir_word *share; /* as this process reaches it */
	void *native;     /* in the memory of the device, if the crew is there */
	int pid;          /* 0: not known */
	int process;      /* a descriptor of it, or -1 */
	uint32_t blocks;
} weir_crew_peer;

struct weir_crew_link {
	weir_crew_config config;
	size_t bytes;      /* of a share */
	weir_word **table; /* the shares, for kernels */
	weir_crew_peer *peers;
	double seconds;      /* how long to wait for another rank */
	weir_device *device; /* NULL: the crew is in the host's memory */
	void *device_table;
};

/* Whether the process of a rank lives. */
weir_rank_state weir_crew_rank_state(const weir_crew_link *link, uint32_t rank);

#endif
