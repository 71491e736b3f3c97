/* How ranks of one host find each other by a name. */
#ifndef WEIR_CREW_MEET_H
#define WEIR_CREW_MEET_H

#include "weir/ranks.h"

/* The location of a crew's socket: a folder that only this user can enter. */
typedef struct weir_meeting {
	int folder;   /* its descriptor */
	int listener; /* of rank 0, else -1 */
	int owns_name;
	char file[80];   /* the name in the folder */
	char path[112];  /* its path for the system, through the descriptor */
	char shown[256]; /* the folder, for error texts */
} weir_meeting;

/* Rank 0 listens; the others only determine where. */
weir_status weir_meeting_open(const weir_crew_place *place, uint64_t deadline,
                              weir_meeting *meeting);
/* The socket of a rank that has connected, or -1 if none has. Does not wait. Processes of other
 * users are turned away. */
weir_status weir_meeting_accept(weir_meeting *meeting, int *socket);
/* Connects to rank 0, which must be listening. */
weir_status weir_meeting_connect(weir_meeting *meeting, uint64_t deadline, int *socket);
/* Closes the descriptors, and removes the name if this rank owns it. If the meeting is `broken`,
 * rank 0 has ended or is about to, and its name is removed as well. Leaves the last error as it
 * is. */
void weir_meeting_close(weir_meeting *meeting, int broken);

#endif
