/* Crews within the limits of an ordinary user: the most ranks that 1024 file descriptors per process allow, fewer
 * descriptors than a rank needs, small files, and descriptors that were sent but never received. The test drops
 * root's privileges. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "weir/crew/api.h"
#include "weir/crew/bounded.h"
#include "weir/ranks.h"

#define DEADLINE_S 240 /* generous: only a bug reaches it */
#define RANKS WEIR_CREW_PROCESSES_MOST
#define NOBODY 65534
#define NO_PROCESS (-1)

static char folder[] = "/tmp/weir-test-XXXXXX";
static int failed;
static int passed;

static void verdict(int right, const char *name)
{
	printf("%s %s\n", right ? "ok    " : "FAILED", name);
	right ? passed++ : failed++;
}

static int set_limit(int what, rlim_t value)
{
	struct rlimit limit;

	getrlimit((__rlimit_resource_t)what, &limit);
	limit.rlim_cur = value;
	return setrlimit((__rlimit_resource_t)what, &limit);
}

/* ---- the most ranks ---- */

/* One rank: it joins, waits for the others once, and finds their data. */
static int be_rank(const weir_crew_place *place)
{
	const weir_crew_options options = {.data_bytes = 4, .seconds = DEADLINE_S / 2};
	weir_device *device;
	weir_crew_link *link;
	weir_crew c;
	int right;

	if (weir_device_open("host", &device) != WEIR_OK ||
	    weir_crew_create(device, place, &options, &link) != WEIR_OK ||
	    weir_crew_handle(link, &c) != WEIR_OK) {
		if (place->rank < 2) /* the other ranks say the same */
			printf("rank %u: %s\n", place->rank, weir_error_text());
		return 1;
	}
	weir_crew_data(c, place->rank)[0] = place->rank + 1;
	weir_crew_token t = weir_crew_arrive(c);
	right = weir_crew_await_for(c, &t, DEADLINE_S / 2 * 1000000000ull) == WEIR_OK;
	for (uint32_t rank = 0; rank < place->ranks && right; rank++)
		right = weir_crew_data(c, rank)[0] == rank + 1;
	return !right || weir_crew_destroy(&link) != WEIR_OK ||
	       weir_device_close(device) != WEIR_OK;
}

static void start_rank(uint32_t rank, const char *name, int (*ends)[2])
{
	static int own[RANKS];
	weir_crew_place place = {.rank = rank, .ranks = RANKS};

	alarm(DEADLINE_S);
	snprintf(place.name, sizeof place.name, "%s", name ? name : "");
	for (uint32_t i = 1; i < RANKS && !name; i++)
		for (uint32_t side = 0; side < 2; side++)
			if (side == 0 ? rank == 0 : rank == i)
				own[place.socket_count++] = ends[i][side];
			else
				close(ends[i][side]);
	place.sockets = name ? NULL : own;
	int status = be_rank(&place);
	fflush(stdout);
	_exit(status);
}

/* Returns how many of them failed, or NO_PROCESS if that many cannot be started. */
static int run_most(const char *name)
{
	static int ends[RANKS][2];
	static pid_t pids[RANKS];
	uint32_t started = 0;
	int failures = 0;

	for (uint32_t i = 1; i < RANKS && !name; i++)
		if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends[i]) != 0)
			return perror("socketpair"), 1;
	fflush(stdout);
	for (; started < RANKS; started++) {
		pids[started] = fork();
		if (pids[started] == 0)
			start_rank(started, name, ends);
		if (pids[started] < 0)
			break;
	}
	for (uint32_t i = 1; i < RANKS && !name; i++) {
		close(ends[i][0]);
		close(ends[i][1]);
	}
	for (uint32_t i = 0; i < started && started < RANKS; i++)
		kill(pids[i], SIGKILL);
	for (uint32_t i = 0; i < started; i++) {
		int status;
		failures += waitpid(pids[i], &status, 0) != pids[i] || status != 0;
	}
	return started < RANKS ? NO_PROCESS : failures;
}

/* Returns whether that many processes are allowed. */
static int test_most(const char *how, const char *name)
{
	char text[96];
	int failures = run_most(name);

	if (failures == NO_PROCESS) {
		printf("skipped: this user may not have %d more processes (RLIMIT_NPROC, or the "
		       "system's)\n",
		       RANKS);
		return 0;
	}
	snprintf(text, sizeof text, "%d ranks meet by %s: %d failed", RANKS, how, failures);
	verdict(failures == 0, text);
	return 1;
}

/* ---- two ranks, one of them with less than it needs ---- */

typedef struct shortage {
	int resource;
	rlim_t value;
	uint32_t rank;    /* that has the limit */
	const char *name; /* of the crew; NULL: it has sockets */
	const char *text; /* the error of the rank that cannot join */
	double seconds;   /* of rank 0, and of the other rank by a socket */
} shortage;

/* 0: it joined. 1: it did not, with the right error. 2: wrong. */
static int join_short(const shortage *s, const weir_crew_place *place)
{
	/* By name, a rank that cannot even reach the other leaves the other waiting. */
	const weir_crew_options options = {
	    .seconds = s->name && place->rank != s->rank ? 0.2 : s->seconds};
	weir_crew_link *link;
	weir_device *device;

	if (weir_device_open("host", &device) != WEIR_OK)
		return 2;
	if (place->rank == s->rank && set_limit(s->resource, s->value) != 0)
		return 2;
	if (weir_crew_create(device, place, &options, &link) == WEIR_OK)
		return weir_crew_destroy(&link) != WEIR_OK ? 2 : 0;
	if (strstr(weir_error_text(), s->text))
		return 1;
	if (place->rank != s->rank && s->name &&
	    (strstr(weir_error_text(), "has not arrived") ||
	     strstr(weir_error_text(), "rank 0 has ended")))
		return 1;
	set_limit(s->resource, RLIM_INFINITY);
	printf("rank %u of %u: %s\n", place->rank, place->ranks, weir_error_text());
	return 2;
}

/* Returns 0 if both ranks join, 1 if both say why they do not, and 2 if something is wrong. */
static int run_short(const shortage *s)
{
	int pair[2], results[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return perror("socketpair"), 2;
	fflush(stdout);
	for (uint32_t rank = 0; rank < 2; rank++) {
		weir_crew_place place = {.rank = rank, .ranks = 2, .socket_count = 1};

		results[rank] = fork();
		if (results[rank] != 0)
			continue;
		alarm(DEADLINE_S);
		close(pair[1 - rank]);
		if (s->name) {
			close(pair[rank]);
			place.socket_count = 0;
			snprintf(place.name, sizeof place.name, "%s", s->name);
		} else {
			place.sockets = &pair[rank];
		}
		int result = join_short(s, &place);
		fflush(stdout);
		_exit(result);
	}
	close(pair[0]);
	close(pair[1]);
	for (uint32_t rank = 0; rank < 2; rank++) {
		int status;
		if (results[rank] < 0 || waitpid(results[rank], &status, 0) != results[rank])
			return 2;
		results[rank] = WIFEXITED(status) ? WEXITSTATUS(status) : 2;
	}
	return results[0] == results[1] ? results[0] : 2;
}

/* From none left to enough: each number of descriptors gives a crew on both ranks, or an error
 * text. */
static void test_descriptors(uint32_t rank, const char *name)
{
	int refused = 0, made = 0, wrong = 0;
	char text[128];

	/* Descriptors may be open above the limit: only new ones are below it. */
	for (rlim_t limit = 3; limit < 40 && made < 2; limit++) {
		const shortage s = {RLIMIT_NOFILE, limit, rank, name, "RLIMIT_NOFILE", 60};
		int result = run_short(&s);

		refused += result == 1;
		made += result == 0;
		wrong += result == 2;
	}
	snprintf(text, sizeof text,
	         "rank %u by %s has too few descriptors: %d numbers refused, %d wrong", rank,
	         name ? "name" : "sockets", refused, wrong);
	verdict(wrong == 0 && refused != 0 && made == 2, text);
}

static void test_files(void)
{
	const shortage s = {RLIMIT_FSIZE, 4096, 0, NULL, "RLIMIT_FSIZE", 60};

	verdict(run_short(&s) == 1, "files of rank 0 may have 4096 bytes");
}

/* ---- descriptors of others in flight ---- */

/* Fills a pair of sockets with descriptors that are never received. Returns how many; the system refuses more. */
static int send_descriptors(const int *pair)
{
	char byte = 0;
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(int))];
	} room;
	struct iovec part = {.iov_base = &byte, .iov_len = 1};
	int count = 0;

	for (;; count++) {
		struct msghdr header = {.msg_iov = &part,
		                        .msg_iovlen = 1,
		                        .msg_control = room.bytes,
		                        .msg_controllen = sizeof room.bytes};
		memset(&room, 0, sizeof room);
		*CMSG_FIRSTHDR(&header) = (struct cmsghdr){.cmsg_level = SOL_SOCKET,
		                                           .cmsg_type = SCM_RIGHTS,
		                                           .cmsg_len = CMSG_LEN(sizeof(int))};
		memcpy(CMSG_DATA(CMSG_FIRSTHDR(&header)), &pair[0], sizeof(int));
		if (sendmsg(pair[0], &header, MSG_DONTWAIT) != 1)
			return count;
	}
}

/* The system then refuses the ranks' own descriptors: rank 0 says so, or waits until the others are
 * gone. */
static void test_on_the_way(void)
{
	shortage s = {RLIMIT_NOFILE, 64, 0, NULL, "file descriptors that nobody has received", 0.1};
	const struct timespec moment = {.tv_nsec = 50000000};
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0 ||
	    set_limit(RLIMIT_NOFILE, 64) != 0) {
		verdict(0, "no sockets");
		return;
	}
	int count = send_descriptors(pair);
	if (errno != ETOOMANYREFS) {
		printf("left out: this system does not count descriptors on their way (%d sent)\n",
		       count);
		close(pair[0]);
		close(pair[1]);
		return;
	}
	verdict(run_short(&s) == 1, "rank 0 names descriptors on their way");
	pid_t child = fork();
	if (child == 0) {
		nanosleep(&moment, NULL);
		_exit(0);
	}
	/* Both processes hold them, so they are gone once both have closed the pair. */
	close(pair[0]);
	close(pair[1]);
	s.seconds = 60;
	verdict(run_short(&s) == 0, "rank 0 waits for descriptors on their way");
	waitpid(child, NULL, 0);
}

int main(void)
{
	if (geteuid() == 0 &&
	    (setgroups(0, NULL) != 0 || setgid(NOBODY) != 0 || setuid(NOBODY) != 0)) {
		printf("skipped: root may not become another user here: %s\n", strerror(errno));
		return 77;
	}
	if (set_limit(RLIMIT_NOFILE, 1024) != 0 || !mkdtemp(folder)) {
		printf("FAILED: no limit, or no folder: %s\n", strerror(errno));
		return 1;
	}
	setenv("WEIR_CREW_DIR", folder, 1);
	int may = test_most("name", "most") && test_most("sockets", NULL);
	test_descriptors(0, NULL);
	test_descriptors(1, NULL);
	test_descriptors(0, "few");
	test_descriptors(1, "few");
	test_files();
	test_on_the_way();
	verdict(rmdir(folder) == 0, "the folder is empty");
	printf("%d passed, %d failed\n", passed, failed);
	return failed != 0 || passed == 0 ? 1 : may ? 0 : 77;
}
