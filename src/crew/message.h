/* The messages by which ranks of one host make a crew, over sockets that keep messages whole.
 *
 *   to rank 0     HELLO    who I am, and my options
 *   from rank 0   SHARE    when all have said hello: who the ranks are, with the descriptor of their memory
 *   to rank 0     READY    I have mapped the memory
 *   from rank 0   GO       when all are ready: the crew is complete
 *   both ways     REFUSED  instead of any of these: there is no crew, and `text` says why
 *
 * A rank has one message on its way in each direction, and each rank is sent one descriptor. So the system's
 * bound on descriptors on their way (RLIMIT_NOFILE, for all processes of an ordinary user) holds for the
 * largest crew.
 *
 * Nothing that a message contains is trusted before it has been checked.
 */
#ifndef WEIR_CREW_MESSAGE_H
#define WEIR_CREW_MESSAGE_H

#include <stdint.h>
#include <sys/types.h>

#include "weir/ranks.h"

#define WEIR_CREW_MAGIC 0x77637265u
#define WEIR_CREW_VERSION 2u /* of the messages, and of the layout of a share */

enum {
	WEIR_CREW_HELLO = 1,
	WEIR_CREW_SHARE,
	WEIR_CREW_READY,
	WEIR_CREW_GO,
	WEIR_CREW_REFUSED
};

typedef struct weir_crew_member {
	int32_t pid; /* as the system told rank 0; 0: it did not */
	uint32_t blocks;
} weir_crew_member;

typedef struct weir_crew_message {
	uint32_t magic;
	uint32_t version;
	uint32_t what;
	uint32_t rank; /* that sends it */
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

/* What the system says of the process that sent a message. */
typedef struct weir_crew_sender {
	uid_t uid;
	pid_t pid;
} weir_crew_sender;

/* A deadline, `seconds` from now. */
uint64_t weir_crew_deadline(double seconds);
/* Milliseconds until then, for poll(), which may return before a deadline that is far away. 0 only when the
 * deadline is over. */
int weir_crew_left_ms(uint64_t deadline);

/* WEIR_DRIVER_ERROR, with the text "`what`: " and the reason `why`, an errno. Where file descriptors are
 * used up the text says which limit that is. */
weir_status weir_crew_fail_system(const char *what, int why);

/* Has the system name the sender of what is sent over this socket. WEIR_OK, or WEIR_DRIVER_ERROR. */
weir_status weir_crew_name_senders(int socket);

/* Sends a message, and with it a descriptor unless that is -1. WEIR_NO_RANK when the other end is closed, or
 * takes nothing until the deadline. A deadline of 0 is over: then it does not wait. */
weir_status weir_crew_send(int socket, uint64_t deadline, const weir_crew_message *message,
                           int descriptor);

/* Receives a message within the deadline, as above. Checks its length, magic and version, that the sender is
 * of this user, and that no more than one descriptor came. *descriptor is -1 if none did. WEIR_NO_RANK when
 * the other end is closed, or the deadline is over. */
weir_status weir_crew_receive(int socket, uint64_t deadline, weir_crew_message *message,
                              int *descriptor, weir_crew_sender *sender);

#endif
