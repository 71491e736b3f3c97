#define _GNU_SOURCE
#include "crew/meet.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/status.h"
#include "crew/message.h"

/* Writes the folder of this user: $WEIR_CREW_DIR, else in $XDG_RUNTIME_DIR, else in /tmp. Returns
 * its length. */
static int choose_folder(char *path, size_t room)
{
	const char *own = getenv("WEIR_CREW_DIR");
	const char *runtime = getenv("XDG_RUNTIME_DIR");

	if (own && *own)
		return snprintf(path, room, "%s", own);
	if (runtime && *runtime == '/')
		return snprintf(path, room, "%s/weir", runtime);
	return snprintf(path, room, "/tmp/weir-%ld", (long)geteuid());
}

/* Makes sure that this user owns the folder and that no other user can enter it. The descriptor
 * guarantees that it stays the same folder. */
static weir_status open_folder(weir_meeting *meeting)
{
	struct stat about;

	if (choose_folder(meeting->shown, sizeof meeting->shown) >= (int)sizeof meeting->shown)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "the path of the folder %s... is longer than %zu bytes",
		                 meeting->shown, sizeof meeting->shown - 1);
	if (mkdir(meeting->shown, 0700) != 0 && errno != EEXIST)
		return weir_fail(WEIR_DRIVER_ERROR, "cannot make the folder %s: %s", meeting->shown,
		                 strerror(errno));
	meeting->folder = open(meeting->shown, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (meeting->folder < 0 && (errno == EMFILE || errno == ENFILE))
		return weir_crew_fail_system("cannot open the folder of crews", errno);
	if (meeting->folder < 0 || fstat(meeting->folder, &about) != 0)
		return weir_fail(WEIR_BAD_ARGUMENT, "cannot use the folder %s: %s", meeting->shown,
		                 strerror(errno));
	if (about.st_uid != geteuid() || (about.st_mode & 077) != 0)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "the folder %s is not this user's alone (owner %ld, mode %o); set "
		                 "WEIR_CREW_DIR to one that is",
		                 meeting->shown, (long)about.st_uid, about.st_mode & 07777u);
	return WEIR_OK;
}

static int new_socket(void)
{
	/* Only poll(), which has a deadline, waits for other processes. */
	return socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

/* Locks the folder against other ranks of this user that take or remove a name, until the deadline.
 * They hold it for microseconds. On a file system without locks, the race remains. */
static void lock_folder(const weir_meeting *meeting, uint64_t deadline)
{
	const struct timespec moment = {.tv_nsec = 1000000};

	while (flock(meeting->folder, LOCK_EX | LOCK_NB) != 0 &&
	       (errno == EWOULDBLOCK || errno == EINTR) && weir_crew_left_ms(deadline) != 0)
		nanosleep(&moment, NULL);
}

static void unlock_folder(const weir_meeting *meeting)
{
	flock(meeting->folder, LOCK_UN);
}

static struct sockaddr_un address_of(const weir_meeting *meeting)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	memcpy(address.sun_path, meeting->path,
	       strnlen(meeting->path, sizeof address.sun_path - 1));
	return address;
}

/* Whether the socket's other end is a process of this user. */
static int is_ours(int socket, uid_t *uid)
{
	struct ucred peer = {.uid = (uid_t)-1};
	socklen_t size = sizeof peer;

	if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
		peer.uid = (uid_t)-1;
	*uid = peer.uid;
	return peer.uid == geteuid();
}

/* Tries to connect to rank 0: returns 0, or the reason for failure as in errno. */
static int try_connect(const weir_meeting *meeting, int *result)
{
	struct sockaddr_un address = address_of(meeting);
	int made = new_socket();

	if (made < 0)
		return errno;
	if (connect(made, (struct sockaddr *)&address, sizeof address) != 0) {
		int why = errno;
		close(made);
		return why;
	}
	*result = made;
	return 0;
}

/* Rank 0 takes the name while the folder is locked, after removing one that a crashed rank 0 left
 * behind. */
static weir_status listen_there(weir_meeting *meeting)
{
	struct sockaddr_un address = address_of(meeting);
	int is_bound = 0;
	int other = -1;

	meeting->listener = new_socket();
	if (meeting->listener < 0)
		return weir_crew_fail_system("no socket", errno);
	for (int i = 0; i < 2 && !is_bound; i++) {
		/* The name gets the mode of the socket. */
		is_bound =
		    fchmod(meeting->listener, 0600) == 0 &&
		    bind(meeting->listener, (struct sockaddr *)&address, sizeof address) == 0;
		if (is_bound || errno != EADDRINUSE)
			break;
		int why = try_connect(meeting, &other);
		if (why == 0)
			close(other);
		if (why == EMFILE || why == ENFILE)
			return weir_crew_fail_system("no socket", why);
		if (why != ECONNREFUSED)
			return weir_fail(WEIR_BAD_ARGUMENT,
			                 "another crew named %s is being created in %s",
			                 meeting->file, meeting->shown);
		unlinkat(meeting->folder, meeting->file, 0);
	}
	meeting->owns_name = is_bound;
	/* The other ranks try again when this many are waiting. */
	if (!is_bound || listen(meeting->listener, WEIR_CREW_PROCESSES_MOST) != 0)
		return weir_fail(WEIR_DRIVER_ERROR, "cannot listen in %s: %s", meeting->shown,
		                 strerror(errno));
	return WEIR_OK;
}

weir_status weir_meeting_open(const weir_crew_place *place, uint64_t deadline,
                              weir_meeting *meeting)
{
	memset(meeting, 0, sizeof *meeting);
	meeting->folder = meeting->listener = -1;
	weir_status status = open_folder(meeting);
	if (status == WEIR_OK) {
		snprintf(meeting->file, sizeof meeting->file, "crew-%s", place->name);
		/* Through the descriptor, because a socket's path must be short. */
		snprintf(meeting->path, sizeof meeting->path, "/proc/self/fd/%d/%s",
		         meeting->folder, meeting->file);
		if (place->rank == 0) {
			lock_folder(meeting, deadline);
			status = listen_there(meeting);
			unlock_folder(meeting);
		}
	}
	if (status != WEIR_OK)
		weir_meeting_close(meeting, 0);
	return status;
}

weir_status weir_meeting_accept(weir_meeting *meeting, int *socket)
{
	uid_t uid;
	int made = accept4(meeting->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	*socket = -1;
	if (made < 0 && (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED))
		return WEIR_OK;
	if (made < 0)
		return weir_crew_fail_system("no socket to another rank", errno);
	weir_status status = is_ours(made, &uid) ? weir_crew_name_senders(made) : WEIR_OK;
	if (status == WEIR_OK && uid == geteuid())
		*socket = made;
	else
		close(made);
	return status;
}

weir_status weir_meeting_connect(weir_meeting *meeting, uint64_t deadline, int *socket)
{
	const struct timespec moment = {.tv_nsec = 2000000};
	uid_t uid;

	for (;;) {
		int why = try_connect(meeting, socket);
		if (why == 0)
			break;
		if (why != ENOENT && why != ECONNREFUSED && why != EAGAIN && why != EINTR)
			return weir_crew_fail_system("no socket to rank 0", why);
		if (weir_crew_left_ms(deadline) == 0)
			return weir_fail(WEIR_NO_RANK,
			                 "rank 0 has not arrived: there is no crew %s in %s",
			                 meeting->file, meeting->shown);
		nanosleep(&moment, NULL);
	}
	if (is_ours(*socket, &uid))
		return weir_crew_name_senders(*socket);
	close(*socket);
	return weir_fail(WEIR_BAD_ARGUMENT,
	                 "the socket %s in %s is of user %ld; this process is of user %ld",
	                 meeting->file, meeting->shown, (long)(int32_t)uid, (long)geteuid());
}

/* Removes a name on which no process listens any more. When a process ends, the system may close
 * its other sockets before the listening one. */
static void remove_abandoned(const weir_meeting *meeting)
{
	const struct timespec moment = {.tv_nsec = 20000000};
	uint64_t deadline = weir_crew_deadline(1);

	while (weir_crew_left_ms(deadline) != 0) {
		int other = -1;

		lock_folder(meeting, deadline);
		int why = try_connect(meeting, &other);
		if (why == ECONNREFUSED)
			unlinkat(meeting->folder, meeting->file, 0);
		unlock_folder(meeting);
		if (why == 0)
			close(other);
		else if (why != EAGAIN && why != EINTR)
			return;
		nanosleep(&moment, NULL);
	}
}

void weir_meeting_close(weir_meeting *meeting, int broken)
{
	if (meeting->folder < 0)
		return;
	/* Before the listener is closed: afterwards the name may belong to another rank 0. */
	if (meeting->owns_name)
		unlinkat(meeting->folder, meeting->file, 0);
	else if (broken)
		remove_abandoned(meeting);
	if (meeting->listener >= 0)
		close(meeting->listener);
	close(meeting->folder);
	meeting->listener = meeting->folder = -1;
}
