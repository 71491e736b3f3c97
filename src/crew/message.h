/* The messages that ranks of one host exchange to create a crew, over sockets that preserve message
 * boundaries.
 *
 *   to rank 0     HELLO    who I am, and my options
 *   from rank 0   SHARE    after every HELLO: who the ranks are, with the descriptor of their memory
 *   to rank 0     READY    I have mapped the memory
 *   from rank 0   GO       after every READY: the crew is complete
 *   both ways     REFUSED  instead of any of these: there is no crew, and `text` says why
 *
 * A rank has at most one message in flight in each direction, and each rank is sent one descriptor. So the
 * system's limit on descriptors in flight (RLIMIT_NOFILE, for all processes of an ordinary user) is enough
 * for the largest crew.
 *
 * Nothing in a message is trusted before it has been checked.
 */
#ifndef WEIR_CREW_MESSAGE_H
#define WEIR_CREW_MESSAGE_H

#include <stdint.h>
#include <sys/types.h>

#include "weir/ranks.h"

#define WEIR_CREW_MAGIC 0x77637265u
#define WEIR_CREW_VERSION 2u /* of the messages and of the layout of a share */

enum {
	WEIR_CREW_HELLO = 1,
	WEIR_CREW_SHARE,
	WEIR_CREW_READY,
	WEIR_CREW_GO,
	WEIR_CREW_REFUSED
};

typedef struct weir_crew_member {
	int32_t pid; /* as the system reported it to rank 0; 0: it did not */
	uint32_t blocks;
} weir_crew_member;

typedef struct weir_crew_message {
	uint32_t magic;
	uint32_t version;
	uint32_t what;
	uint32_t rank; /* the sender */
	uint32_t ranks;
	uint32_t radix;
	uint32_t bits;
	uint32_t lanes;
	uint32_t events;
	uint32_t queue_bits;
	uint32_t blocks;
	uint32_t status;                                    /* REFUSED */
	uint64_t bytes;                                     /* of a share */
	char text[256];                                     /* REFUSED */
	weir_crew_member members[WEIR_CREW_PROCESSES_MOST]; /* SHARE, by rank */
} weir_crew_message;

/* What the system says about the process that sent a message. */
typedef struct weir_crew_sender {
	uid_t uid;
	pid_t pid;
} weir_crew_sender;

/* A deadline, `seconds` from now. */
uint64_t weir_crew_deadline(double seconds);
/* Milliseconds until then, for poll(), which may return early if the deadline is far away. 0 only
 * when the deadline has passed. */
int weir_crew_left_ms(uint64_t deadline);

/* WEIR_DRIVER_ERROR, with the message "`what`: " followed by the reason `why`, an errno. If file
 * descriptors ran out, the message names the limit. */
weir_status weir_crew_fail_system(const char *what, int why);

/* Makes the system name the sender of everything sent over this socket. WEIR_OK or
 * WEIR_DRIVER_ERROR. */
weir_status weir_crew_name_senders(int socket);

/* Sends a message, with a descriptor unless it is -1. WEIR_NO_RANK if the other end is closed or
 * accepts nothing before the deadline. A deadline of 0 has passed: then it does not wait. */
weir_status weir_crew_send(int socket, uint64_t deadline, const weir_crew_message *message,
                           int descriptor);

/* Receives a message before the deadline, as above. Checks its length, magic and version, that the
 * sender belongs to this user, and that it carried at most one descriptor. *descriptor is -1 if
 * there was none. WEIR_NO_RANK if the other end is closed, or the deadline has passed. */
weir_status weir_crew_receive(int socket, uint64_t deadline, weir_crew_message *message,
                              int *descriptor, weir_crew_sender *sender);

#endif
