#define _GNU_SOURCE
#include "crew/message.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "core/status.h"

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t weir_crew_deadline(double seconds)
{
	return now_ns() + (uint64_t)(seconds * 1e9);
}

int weir_crew_left_ms(uint64_t deadline)
{
	uint64_t now = now_ns();

	if (now >= deadline)
		return 0;
	return (deadline - now) / 1000000 >= 1000000 ? 1000000
	                                             : (int)((deadline - now) / 1000000) + 1;
}

weir_status weir_crew_name_senders(int socket)
{
	int yes = 1;

	if (setsockopt(socket, SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes) != 0)
		return weir_fail(WEIR_DRIVER_ERROR, "no credentials of the other ranks: %s",
		                 strerror(errno));
	return WEIR_OK;
}

/* Room for the ancillary data of one message: a descriptor, and the sender's credentials. More than one
 * descriptor does not fit, and the system then closes the others. */
typedef union control {
	struct cmsghdr align;
	char bytes[CMSG_SPACE(sizeof(int)) + CMSG_SPACE(sizeof(struct ucred))];
} control;

weir_status weir_crew_send(int socket, const weir_crew_message *message, int descriptor)
{
	struct iovec part = {.iov_base = (void *)(uintptr_t)message, .iov_len = sizeof *message};
	control room;
	struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1};
	ssize_t sent;

	if (descriptor >= 0) {
		memset(&room, 0, sizeof room);
		header.msg_control = room.bytes;
		header.msg_controllen = CMSG_SPACE(sizeof(int));
		struct cmsghdr *first = CMSG_FIRSTHDR(&header);
		first->cmsg_level = SOL_SOCKET;
		first->cmsg_type = SCM_RIGHTS;
		first->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(first), &descriptor, sizeof descriptor);
	}
	do {
		sent = sendmsg(socket, &header, MSG_NOSIGNAL);
	} while (sent < 0 && errno == EINTR);
	if (sent != (ssize_t)sizeof *message)
		return weir_fail(WEIR_NO_RANK, "a rank ended while the crew was made: %s",
		                 sent < 0 ? strerror(errno) : "a message was cut");
	return WEIR_OK;
}

/* Takes the descriptor and the sender out of what came with a message. */
static void take_control(struct msghdr *header, int *descriptor, weir_crew_sender *sender)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(header); c; c = CMSG_NXTHDR(header, c)) {
		if (c->cmsg_level != SOL_SOCKET)
			continue;
		if (c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof(int))) {
			memcpy(descriptor, CMSG_DATA(c), sizeof *descriptor);
		} else if (c->cmsg_type == SCM_CREDENTIALS) {
			struct ucred credentials;
			memcpy(&credentials, CMSG_DATA(c), sizeof credentials);
			sender->uid = credentials.uid;
			sender->pid = credentials.pid;
		}
	}
}

static weir_status check(const weir_crew_message *message, ssize_t length, int flags,
                         const weir_crew_sender *sender)
{
	if (sender->uid != geteuid())
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "a process of user %ld sent a message; this one is of user %ld",
		                 (long)(int32_t)sender->uid, (long)geteuid());
	if (length != (ssize_t)sizeof *message || flags & (MSG_TRUNC | MSG_CTRUNC) ||
	    message->magic != WEIR_CREW_MAGIC)
		return weir_fail(WEIR_BAD_ARGUMENT, "a message that is not of a crew");
	if (message->version != WEIR_CREW_VERSION)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "another rank has version %u of the messages; this one has %u",
		                 message->version, WEIR_CREW_VERSION);
	return WEIR_OK;
}

weir_status weir_crew_receive(int socket, uint64_t deadline, weir_crew_message *message,
                              int *descriptor, weir_crew_sender *sender)
{
	struct iovec part = {.iov_base = message, .iov_len = sizeof *message};
	struct pollfd ready = {.fd = socket, .events = POLLIN};
	control room;
	struct msghdr header = {.msg_iov = &part,
	                        .msg_iovlen = 1,
	                        .msg_control = room.bytes,
	                        .msg_controllen = sizeof room.bytes};
	ssize_t length;
	int polled;

	*descriptor = -1;
	sender->uid = (uid_t)-1;
	sender->pid = 0;
	do {
		polled = poll(&ready, 1, weir_crew_left_ms(deadline));
	} while (polled < 0 && errno == EINTR);
	if (polled == 0)
		return weir_fail(WEIR_NO_RANK, "no message came in time");
	do {
		length = recvmsg(socket, &header, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
	} while (length < 0 && errno == EINTR);
	if (length <= 0)
		return weir_fail(WEIR_NO_RANK, "a rank ended while the crew was made");
	take_control(&header, descriptor, sender);
	weir_status status = check(message, length, header.msg_flags, sender);
	message->text[sizeof message->text - 1] = 0;
	if (status != WEIR_OK && *descriptor >= 0) {
		close(*descriptor);
		*descriptor = -1;
	}
	return status;
}
