/* The state that a process keeps about a crew that it has joined. */
#ifndef WEIR_CREW_LINK_H
#define WEIR_CREW_LINK_H

#include "crew/share.h"
#include "weir/ranks.h"

typedef struct weir_crew_peer {
	weir_word *share; /* as mapped in this process */
	void *native;     /* in the memory of the device, if the crew is there */
	int pid;          /* 0: unknown */
	int process;      /* a descriptor of the process, or -1 */
	uint32_t blocks;  /* 0: not yet known */
} weir_crew_peer;

struct weir_crew_link {
	weir_crew_config config;
	size_t bytes;      /* of a share */
	size_t stride;     /* distance between shares: whole pages */
	void *memory;      /* of all shares, one after another */
	weir_word **table; /* the shares, for kernels */
	weir_crew_peer *peers;
	double seconds;      /* how long to wait for another rank */
	weir_device *host;   /* the host device with which it joined */
	weir_device *device; /* NULL: the crew is in the host's memory */
	void *device_table;
	int diagnose;
	char name[WEIR_NAME_BYTES]; /* for a diagnosis; "": none given */
	weir_device *diagnosed;     /* the device whose diagnosis knows it as config.id, or NULL */
};

/* Whether the process of a rank is alive, as a state and in words. */
weir_rank_state weir_crew_rank_state(const weir_crew_link *link, uint32_t rank);
const char *weir_crew_state_text(weir_rank_state state);

/* Examines all ranks in a lane. `report->rank` has room for them. */
void weir_crew_survey(const weir_crew_link *link, uint32_t lane, weir_crew_report *report);
/* The count of an event of a rank. */
uint32_t weir_crew_event_now(const weir_crew_link *link, uint32_t rank, uint32_t index);

/* Gives the crew a number in the diagnosis of that device, after leaving the diagnosis of any
 * other. */
weir_status weir_crew_register(weir_crew_link *link, weir_device *device);
/* Called before the memory of the crew is freed. The crew need not be in a diagnosis. */
void weir_crew_unregister(weir_crew_link *link);

#endif
