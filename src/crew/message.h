/* The messages by which ranks of one host make a crew, over sockets that keep messages whole. */
#ifndef WEIR_CREW_MESSAGE_H
#define WEIR_CREW_MESSAGE_H

#include <stdint.h>
#include <sys/types.h>

#include "weir/ranks.h"

#define WEIR_CREW_MAGIC 0x77637265u
#define WEIR_CREW_VERSION 1u /* of the messages, and of the layout of a share */

enum {
	WEIR_CREW_HELLO = 1, /* to rank 0: who I am, with the descriptor of my share */
	WEIR_CREW_SHARE,     /* from rank 0: the share of a rank, with its descriptor */
	WEIR_CREW_REFUSED    /* from rank 0: there is no crew; `text` says why */
};

typedef struct weir_crew_message {
	uint32_t magic;
	uint32_t version;
	uint32_t what;
	uint32_t rank;
	uint32_t ranks;
	uint32_t radix;
	uint32_t bits;
	uint32_t lanes;
	uint32_t events;
	uint32_t queue_bits;
	uint32_t blocks;
	int32_t pid; /* from rank 0: as the system told it */
	uint32_t status;
	uint32_t zero;
	uint64_t bytes; /* of a share */
	char text[256];
} weir_crew_message;

/* What the system says of the process that sent a message. */
typedef struct weir_crew_sender {
	uid_t uid;
	pid_t pid;
} weir_crew_sender;

/* A deadline, `seconds` from now. */
uint64_t weir_crew_deadline(double seconds);
/* Milliseconds until then, for poll(); 0 when it is over. */
int weir_crew_left_ms(uint64_t deadline);

/* Has the system name the sender of what is sent over this socket. WEIR_OK, or WEIR_DRIVER_ERROR. */
weir_status weir_crew_name_senders(int socket);

/* Sends a message, and with it a descriptor unless that is -1. */
weir_status weir_crew_send(int socket, const weir_crew_message *message, int descriptor);

/* Receives a message within the deadline. Checks its length, magic and version, and that the sender is
 * of this user. *descriptor is -1 if none came. WEIR_NO_RANK when the other end is closed, or the
 * deadline is over. */
weir_status weir_crew_receive(int socket, uint64_t deadline, weir_crew_message *message,
                              int *descriptor, weir_crew_sender *sender);

#endif
