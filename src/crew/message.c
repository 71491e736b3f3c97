#define _GNU_SOURCE
#include "crew/message.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/status.h"

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

weir_status weir_crew_fail_system(const char *what, int why)
{
	struct rlimit limit = {.rlim_cur = 0};

	getrlimit(RLIMIT_NOFILE, &limit);
	if (why == EMFILE)
		return weir_fail(WEIR_DRIVER_ERROR,
		                 "%s: this process has no file descriptor left; its limit is %llu "
		                 "(RLIMIT_NOFILE, ulimit -n)",
		                 what, (unsigned long long)limit.rlim_cur);
	if (why == ENFILE)
		return weir_fail(WEIR_DRIVER_ERROR,
		                 "%s: the system has no file descriptor left (fs.file-max)", what);
	if (why == ETOOMANYREFS)
		return weir_fail(WEIR_DRIVER_ERROR,
		                 "%s: other processes of this user have sent more than %llu file "
		                 "descriptors that nobody has received (RLIMIT_NOFILE, ulimit -n)",
		                 what, (unsigned long long)limit.rlim_cur);
	return weir_fail(WEIR_DRIVER_ERROR, "%s: %s", what, strerror(why));
}

weir_status weir_crew_name_senders(int socket)
{
	int yes = 1;

	if (setsockopt(socket, SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes) != 0)
		return weir_crew_fail_system("no credentials of the other ranks", errno);
	return WEIR_OK;
}

/* Room for the ancillary data of one message: the sender's credentials, and more descriptors than a
 * rank may send. The system closes those that do not fit. */
#define DESCRIPTORS_MOST 8
typedef union control {
	struct cmsghdr align;
	char bytes[CMSG_SPACE(DESCRIPTORS_MOST * sizeof(int)) + CMSG_SPACE(sizeof(struct ucred))];
} control;

/* Waits until the socket is, or may be, ready for `events`. WEIR_NO_RANK when the deadline has
 * passed. */
static weir_status await_ready(int socket, short events, uint64_t deadline)
{
	struct pollfd ready = {.fd = socket, .events = events};

	for (;;) {
		int left = weir_crew_left_ms(deadline);
		int polled = poll(&ready, 1, left);

		if (polled > 0)
			return WEIR_OK;
		if (polled < 0 && errno != EINTR)
			return weir_crew_fail_system("cannot wait for a rank", errno);
		if (left == 0)
			return weir_fail(WEIR_NO_RANK, "a rank did not answer in time");
	}
}

/* Whether a message that could not be sent for the reason `why` may be sent later; waits until
 * then. */
static weir_status await_room(int socket, int why, uint64_t deadline)
{
	const struct timespec moment = {.tv_nsec = 1000000};

	if (why == EINTR)
		return WEIR_OK;
	if (why == EAGAIN)
		return await_ready(socket, POLLOUT, deadline);
	if (why != ETOOMANYREFS && why != ENOBUFS && why != ENOMEM)
		return weir_fail(WEIR_NO_RANK, "a rank ended while the crew was being created: %s",
		                 strerror(why));
	/* It ends when other processes, outside the crew, receive messages or end. */
	if (weir_crew_left_ms(deadline) == 0)
		return weir_crew_fail_system("a rank could not be sent a message", why);
	nanosleep(&moment, NULL);
	return WEIR_OK;
}

weir_status weir_crew_send(int socket, uint64_t deadline, const weir_crew_message *message,
                           int descriptor)
{
	struct iovec part = {.iov_base = (void *)(uintptr_t)message, .iov_len = sizeof *message};
	control room;
	struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1};

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
	for (;;) {
		ssize_t sent = sendmsg(socket, &header, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (sent == (ssize_t)sizeof *message)
			return WEIR_OK;
		weir_status status = await_room(socket, sent < 0 ? errno : EPIPE, deadline);
		if (status != WEIR_OK)
			return status;
	}
}

/* Takes the sender and the descriptors out of a message's ancillary data. Closes all but the first
 * descriptor. Returns the number of descriptors. */
static size_t take_control(struct msghdr *header, int *descriptor, weir_crew_sender *sender)
{
	size_t count = 0;

	for (struct cmsghdr *c = CMSG_FIRSTHDR(header); c; c = CMSG_NXTHDR(header, c)) {
		if (c->cmsg_level != SOL_SOCKET)
			continue;
		if (c->cmsg_type == SCM_CREDENTIALS) {
			struct ucred credentials;
			memcpy(&credentials, CMSG_DATA(c), sizeof credentials);
			sender->uid = credentials.uid;
			sender->pid = credentials.pid;
		}
		if (c->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t at = CMSG_LEN(0); at + sizeof(int) <= c->cmsg_len; at += sizeof(int)) {
			int received;
			memcpy(&received, (char *)c + at, sizeof received);
			if (count++ == 0)
				*descriptor = received;
			else
				close(received);
		}
	}
	return count;
}

/* The ancillary data was truncated: either this process can open no more descriptors, or there were
 * too many. */
static weir_status fail_cut(int socket)
{
	int another = fcntl(socket, F_DUPFD_CLOEXEC, 0);

	if (another < 0)
		return weir_crew_fail_system("cannot receive the memory of a crew", errno);
	close(another);
	return weir_fail(WEIR_BAD_ARGUMENT, "a message that is not of a crew: the system kept back "
	                                    "what came with it");
}

static weir_status check(const weir_crew_message *message, ssize_t length,
                         const weir_crew_sender *sender, size_t descriptors)
{
	if (sender->uid != geteuid())
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "a process of user %ld sent a message; this one is of user %ld",
		                 (long)(int32_t)sender->uid, (long)geteuid());
	/* Magic and version have the same offsets in every version. */
	if (length < (ssize_t)(2 * sizeof(uint32_t)) || message->magic != WEIR_CREW_MAGIC)
		return weir_fail(WEIR_BAD_ARGUMENT, "a message that is not of a crew");
	if (message->version != WEIR_CREW_VERSION)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "another rank has version %u of the messages; this one has %u",
		                 message->version, WEIR_CREW_VERSION);
	if (length != (ssize_t)sizeof *message)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "a message that is not of a crew: it has another length");
	if (descriptors > 1)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "a message that is not of a crew: it has %zu file descriptors",
		                 descriptors);
	return WEIR_OK;
}

/* Makes a received message safe to print on a terminal. */
static void clean_text(weir_crew_message *message)
{
	message->text[sizeof message->text - 1] = 0;
	for (char *c = message->text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 127)
			*c = '?';
}

weir_status weir_crew_receive(int socket, uint64_t deadline, weir_crew_message *message,
                              int *descriptor, weir_crew_sender *sender)
{
	struct iovec part = {.iov_base = message, .iov_len = sizeof *message};
	control room;
	struct msghdr header;
	ssize_t length;
	int tries = 0;

	*descriptor = -1;
	*sender = (weir_crew_sender){.uid = (uid_t)-1};
	do {
		weir_status status = await_ready(socket, POLLIN, deadline);
		if (status != WEIR_OK)
			return status;
		header = (struct msghdr){.msg_iov = &part,
		                         .msg_iovlen = 1,
		                         .msg_control = room.bytes,
		                         .msg_controllen = sizeof room.bytes};
		length = recvmsg(socket, &header, MSG_CMSG_CLOEXEC | MSG_DONTWAIT | MSG_TRUNC);
		/* An end that was closed with unread messages reports that before what it has
		 * sent. */
	} while (length < 0 &&
	         (errno == EINTR || errno == EAGAIN || (errno == ECONNRESET && tries++ == 0)));
	/* An empty message has the same length as the end of the stream, and may carry
	 * descriptors. */
	size_t descriptors = length < 0 ? 0 : take_control(&header, descriptor, sender);
	weir_status status = WEIR_OK;
	if (length <= 0)
		status = weir_fail(WEIR_NO_RANK, "a rank ended while the crew was being created");
	else if (header.msg_flags & MSG_CTRUNC)
		status = fail_cut(socket);
	else
		status = check(message, length, sender, descriptors);
	if (status == WEIR_OK)
		clean_text(message);
	if (status != WEIR_OK && *descriptor >= 0) {
		close(*descriptor);
		*descriptor = -1;
	}
	return status;
}
