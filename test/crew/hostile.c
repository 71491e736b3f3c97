/* Processes that try to make the creation of a crew fail. One rank is real; this test plays the others over sockets:
 * honestly, with one thing wrong, or at random. Whatever they do, weir_crew_create ends, either with a complete crew or
 * with an error text, and leaks neither descriptors nor memory.
 *
 *   hostile [CASES [FIRST]]    that many random exchanges, from this seed on */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "crew/message.h"
#include "weir/crew/api.h"

#define DEADLINE_S 120 /* generous: only a bug reaches it */
#define RANKS_MOST 4

static weir_device *device;
static int failed;
static int passed;

static void verdict(int right, const char *name)
{
	if (!right)
		printf("FAILED %s (last error: %s)\n", name, weir_error_text());
	right ? passed++ : failed++;
}

/* ---- resources of a process ---- */

static int descriptors_open(void)
{
	DIR *open = opendir("/proc/self/fd");
	int count = 0;

	while (open && readdir(open))
		count++;
	if (open)
		closedir(open);
	return count;
}

static int crews_mapped(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	int count = 0;

	while (maps && fgets(line, sizeof line, maps))
		count += strstr(line, "memfd:") != NULL;
	if (maps)
		fclose(maps);
	return count;
}

/* ---- the real rank ---- */

typedef struct joiner {
	pthread_t thread;
	weir_crew_place place;
	weir_crew_options options;
	int sockets[RANKS_MOST];
	weir_status status;
	char text[1024];
} joiner;

/* A crew that exists is complete: every share is there, and the reports look at all of them. */
static int is_complete(weir_crew_link *link)
{
	weir_crew_report report;
	weir_crew c;
	int right = weir_crew_handle(link, &c) == WEIR_OK &&
	            weir_crew_diagnose(link, 1, &report) == WEIR_OK;

	if (!right)
		return 0;
	for (uint32_t i = 0; i < c.config.ranks; i++)
		right &= c.table[i] != NULL && weir_load_rlx(c.table[i]) == 0 &&
		         weir_crew_data(c, i)[0] == 0;
	weir_crew_report_destroy(&report);
	return right;
}

static void *join(void *argument)
{
	joiner *j = argument;
	weir_crew_link *link = (weir_crew_link *)j; /* must be overwritten */

	j->status = weir_crew_create(device, &j->place, &j->options, &link);
	snprintf(j->text, sizeof j->text, "%s", weir_error_text());
	if (j->status == WEIR_OK && (!link || !is_complete(link)))
		j->status = WEIR_LAUNCH_FAILED;
	if (j->status == WEIR_OK)
		weir_crew_destroy(&link);
	else if (j->status != WEIR_LAUNCH_FAILED && (link || !j->text[0]))
		j->status = WEIR_LAUNCH_FAILED;
	return NULL;
}

/* Starts a rank. `ends` are the sockets of the others. */
static void begin(joiner *j, uint32_t ranks, uint32_t rank, double seconds, int *ends)
{
	memset(j, 0, sizeof *j);
	j->place = (weir_crew_place){.rank = rank, .ranks = ranks, .sockets = j->sockets};
	j->options = (weir_crew_options){.events = 1, .data_bytes = 64, .seconds = seconds};
	j->place.socket_count = rank == 0 ? ranks - 1 : 1;
	for (uint32_t i = 0; i < j->place.socket_count; i++) {
		int pair[2];
		if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
			exit((perror("socketpair"), 1));
		weir_crew_name_senders(pair[1]);
		j->sockets[i] = pair[0];
		ends[i] = pair[1];
	}
	if (pthread_create(&j->thread, NULL, join, j) != 0)
		exit((printf("FAILED: no thread\n"), 1));
}

/* ---- honest messages ---- */

static weir_crew_config config_of(uint32_t ranks)
{
	return (weir_crew_config){.pitch = WEIR_LINE_WORDS,
	                          .ranks = ranks,
	                          .radix = weir_crew_radix(ranks),
	                          .blocks = 1,
	                          .lanes = 1,
	                          .events = 1};
}

static weir_crew_message honest(uint32_t what, uint32_t rank, uint32_t ranks)
{
	weir_crew_config config = config_of(ranks);
	weir_crew_message m = {.magic = WEIR_CREW_MAGIC,
	                       .version = WEIR_CREW_VERSION,
	                       .what = what,
	                       .rank = rank,
	                       .ranks = ranks,
	                       .radix = config.radix,
	                       .lanes = 1,
	                       .events = 1,
	                       .blocks = 1};

	m.bytes = weir_crew_words(config) * sizeof(weir_word) + 64;
	for (uint32_t i = 0; i < ranks; i++)
		m.members[i] = (weir_crew_member){(int32_t)getpid(), 1};
	return m;
}

static size_t memory_of(uint32_t ranks)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (honest(0, 0, ranks).bytes + page - 1) / page * page * ranks;
}

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

static int new_memory(size_t bytes, int seals)
{
	int memory = memfd_create("hostile", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (memory < 0 || ftruncate(memory, (off_t)bytes) != 0 ||
	    (seals && fcntl(memory, F_ADD_SEALS, seals) != 0))
		exit((perror("memfd_create"), 1));
	return memory;
}

/* A file whose name has been removed. */
static int new_file(size_t bytes)
{
	char name[] = "/tmp/weir-test-XXXXXX";
	int file = mkstemp(name);

	if (file < 0 || unlink(name) != 0 || ftruncate(file, (off_t)bytes) != 0)
		exit((perror("mkstemp"), 1));
	return file;
}

/* ---- sending anything ---- */

#define DESCRIPTORS_MOST 200

static void send_any(int socket, const void *bytes, size_t length, const int *descriptors,
                     size_t count)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(DESCRIPTORS_MOST * sizeof(int))];
	} room;
	struct iovec part = {.iov_base = (void *)(uintptr_t)bytes, .iov_len = length};
	struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1};

	if (count != 0) {
		memset(&room, 0, sizeof room);
		header.msg_control = room.bytes;
		header.msg_controllen = CMSG_SPACE(count * sizeof(int));
		struct cmsghdr *first = CMSG_FIRSTHDR(&header);
		first->cmsg_level = SOL_SOCKET;
		first->cmsg_type = SCM_RIGHTS;
		first->cmsg_len = CMSG_LEN(count * sizeof(int));
		memcpy(CMSG_DATA(first), descriptors, count * sizeof(int));
	}
	/* The other end may be closed. */
	(void)!sendmsg(socket, &header, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* The kinds of descriptors that are sent with a message. */
enum {
	NO_DESCRIPTOR,
	RIGHT,
	UNSEALED,
	SMALL,
	LARGE,
	READ_ONLY,
	SEALED_WRITES,
	A_FILE,
	A_PIPE,
	A_SOCKET,
	A_FOLDER,
	A_DEVICE,
	DESCRIPTORS
};

static int new_descriptor(uint32_t kind, size_t bytes)
{
	int pair[2] = {-1, -1}, memory;
	char path[64];

	switch (kind) {
	case RIGHT:
		return new_memory(bytes, SEALS);
	case UNSEALED:
		return new_memory(bytes, 0);
	case SMALL:
		return new_memory(bytes / 2, SEALS);
	case LARGE:
		return new_memory(2 * bytes, SEALS);
	case READ_ONLY:
		memory = new_memory(bytes, SEALS);
		snprintf(path, sizeof path, "/proc/self/fd/%d", memory);
		pair[0] = open(path, O_RDONLY | O_CLOEXEC);
		close(memory);
		return pair[0];
	case SEALED_WRITES:
		return new_memory(bytes, SEALS | F_SEAL_WRITE);
	case A_FILE:
		return new_file(bytes);
	case A_PIPE:
	case A_SOCKET:
		if (kind == A_PIPE ? pipe2(pair, O_CLOEXEC) != 0
		                   : socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair) != 0)
			exit((perror("pipe"), 1));
		close(pair[1]);
		return pair[0];
	case A_FOLDER:
		return open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	default:
		return open("/dev/zero", O_RDWR | O_CLOEXEC);
	}
}

/* Sends a message with descriptors of these kinds. */
static void send_with(int socket, const weir_crew_message *m, size_t length, uint32_t kind,
                      size_t count)
{
	int made[DESCRIPTORS_MOST];

	count = kind == NO_DESCRIPTOR ? 0 : count;
	for (size_t i = 0; i < count; i++)
		made[i] = i == 0 ? new_descriptor(kind, memory_of(m->ranks)) : dup(made[0]);
	send_any(socket, m, length, made, count);
	for (size_t i = 0; i < count; i++)
		close(made[i]);
}

/* ---- one thing wrong ---- */

typedef struct forgery {
	const char *text; /* of the failure; NULL: no failure */
	uint32_t step;    /* WEIR_CREW_...: the message that is wrong */
	uint32_t kind;    /* of descriptors */
	size_t count;     /* of descriptors */
	size_t at;        /* the word of the message that is changed, if it is not 0 */
	uint32_t word;
	size_t length; /* of the message; 0: the right one */
} forgery;

#define EMPTY SIZE_MAX /* a length of 0 */

#define MEMBER(name) offsetof(weir_crew_message, name)
static const forgery hellos[] = {
    {NULL, 0, 0, 0, 0, 0, 0},
    {"not of a crew", WEIR_CREW_HELLO, 0, 0, MEMBER(ranks), 2, 3},
    {"not of a crew", WEIR_CREW_HELLO, 0, 0, MEMBER(ranks), 2, sizeof(weir_crew_message) - 4},
    {"version 3", WEIR_CREW_HELLO, 0, 0, MEMBER(version), WEIR_CREW_VERSION + 1, 0},
    {"a message of rank 2 of 2", WEIR_CREW_HELLO, 0, 0, MEMBER(rank), 2, 0},
    {"two processes are rank 0", WEIR_CREW_HELLO, 0, 0, MEMBER(rank), 0, 0},
    {"crew of 3 ranks", WEIR_CREW_HELLO, 0, 0, MEMBER(ranks), 3, 0},
    {"other options", WEIR_CREW_HELLO, 0, 0, MEMBER(bytes), 4, 0},
    {"other options", WEIR_CREW_HELLO, 0, 0, MEMBER(bytes) + 4, 1, 0},
    {"other options", WEIR_CREW_HELLO, 0, 0, MEMBER(queue_bits), 31, 0},
    {"has 0 blocks", WEIR_CREW_HELLO, 0, 0, MEMBER(blocks), 0, 0},
    {"has 4294967295 blocks", WEIR_CREW_HELLO, 0, 0, MEMBER(blocks), UINT32_MAX, 0},
    {"out of turn (3 instead of 1)", WEIR_CREW_HELLO, 0, 0, MEMBER(what), WEIR_CREW_READY, 0},
    {"rank 1: there is no crew", WEIR_CREW_HELLO, 0, 0, MEMBER(what), WEIR_CREW_REFUSED, 0},
    {"was not requested", WEIR_CREW_HELLO, RIGHT, 1, 0, 0, 0},
    {"has not arrived", WEIR_CREW_HELLO, A_FILE, 1, 0, 0, EMPTY},
    {"has 2 file descriptors", WEIR_CREW_HELLO, RIGHT, 2, 0, 0, 0},
    {"kept back what came with it", WEIR_CREW_HELLO, RIGHT, 100, 0, 0, 0},
    {"out of turn", WEIR_CREW_READY, 0, 0, MEMBER(rank), 0, 0},
    {"out of turn", WEIR_CREW_READY, 0, 0, MEMBER(what), WEIR_CREW_HELLO, 0},
    {"was not requested", WEIR_CREW_READY, A_FILE, 1, 0, 0, 0},
};

static const forgery shares[] = {
    {NULL, 0, 0, 0, 0, 0, 0},
    {"no memory", WEIR_CREW_SHARE, NO_DESCRIPTOR, 1, 0, 0, 0},
    {"can be shrunk", WEIR_CREW_SHARE, UNSEALED, 1, 0, 0, 0},
    {"bytes of memory instead of", WEIR_CREW_SHARE, SMALL, 1, 0, 0, 0},
    {"bytes of memory instead of", WEIR_CREW_SHARE, LARGE, 1, 0, 0, 0},
    {"cannot map", WEIR_CREW_SHARE, READ_ONLY, 1, 0, 0, 0},
    {"cannot map", WEIR_CREW_SHARE, SEALED_WRITES, 1, 0, 0, 0},
    {"a file instead of memory", WEIR_CREW_SHARE, A_FILE, 1, 0, 0, 0},
    {"a file instead of memory", WEIR_CREW_SHARE, A_PIPE, 1, 0, 0, 0},
    {"a file instead of memory", WEIR_CREW_SHARE, A_SOCKET, 1, 0, 0, 0},
    {"a file instead of memory", WEIR_CREW_SHARE, A_FOLDER, 1, 0, 0, 0},
    {"a file instead of memory", WEIR_CREW_SHARE, A_DEVICE, 1, 0, 0, 0},
    {"has 2 file descriptors", WEIR_CREW_SHARE, RIGHT, 2, 0, 0, 0},
    {"kept back what came with it", WEIR_CREW_SHARE, RIGHT, 200, 0, 0, 0},
    {"rank 1 answered instead of rank 0", WEIR_CREW_SHARE, RIGHT, 1, MEMBER(rank), 1, 0},
    {"a message of rank 7 of 2", WEIR_CREW_SHARE, RIGHT, 1, MEMBER(rank), 7, 0},
    {"crew of 3 ranks", WEIR_CREW_SHARE, RIGHT, 1, MEMBER(ranks), 3, 0},
    {"other options", WEIR_CREW_SHARE, RIGHT, 1, MEMBER(lanes), 4096, 0},
    {"other options", WEIR_CREW_SHARE, RIGHT, 1, MEMBER(bytes), 4, 0},
    {"rank 0 has 0 blocks", WEIR_CREW_SHARE, RIGHT, 1, MEMBER(members[0].blocks), 0, 0},
    {"to have 2 blocks, not 1", WEIR_CREW_SHARE, RIGHT, 1, MEMBER(members[1].blocks), 2, 0},
    {"out of turn (4 instead of 2)", WEIR_CREW_SHARE, RIGHT, 1, MEMBER(what), WEIR_CREW_GO, 0},
    {"there is no crew", WEIR_CREW_SHARE, RIGHT, 1, MEMBER(what), WEIR_CREW_REFUSED, 0},
    {"out of turn (2 instead of 4)", WEIR_CREW_GO, 0, 0, MEMBER(what), WEIR_CREW_SHARE, 0},
    {"rank 1 answered instead of rank 0", WEIR_CREW_GO, 0, 0, MEMBER(rank), 1, 0},
};

/* Sends the message of a step, with the mistake if it belongs to that step. */
static void send_step(int socket, const forgery *f, uint32_t what, uint32_t rank)
{
	weir_crew_message m = honest(what, rank, 2);
	uint32_t kind = what == WEIR_CREW_SHARE ? RIGHT : NO_DESCRIPTOR;
	size_t count = 1, length = sizeof m;

	if (f->step == what) {
		kind = f->kind;
		count = f->count;
		length = f->length == EMPTY ? 0 : f->length ? f->length : length;
		if (f->at)
			memcpy((char *)&m + f->at, &f->word, sizeof f->word);
	}
	send_with(socket, &m, length, kind, count);
}

/* The real rank's message, or 0 when it has ended. Its descriptor is closed. */
static uint32_t hear(int socket)
{
	weir_crew_message m;
	weir_crew_sender sender;
	int descriptor;
	weir_status status =
	    weir_crew_receive(socket, weir_crew_deadline(DEADLINE_S), &m, &descriptor, &sender);

	if (descriptor >= 0)
		close(descriptor);
	return status == WEIR_OK ? m.what : 0;
}

/* The rank `role` is real. The other rank makes one mistake. */
static int forge(const forgery *f, uint32_t role)
{
	joiner j;
	int end, told = 0;

	begin(&j, 2, role, DEADLINE_S, &end);
	if (role == 0) {
		send_step(end, f, WEIR_CREW_HELLO, 1);
		if (hear(end) == WEIR_CREW_SHARE) {
			send_step(end, f, WEIR_CREW_READY, 1);
			told = hear(end) == WEIR_CREW_GO;
		}
	} else if (hear(end) == WEIR_CREW_HELLO) {
		send_step(end, f, WEIR_CREW_SHARE, 0);
		if (hear(end) == WEIR_CREW_READY) {
			send_step(end, f, WEIR_CREW_GO, 0);
			told = 1;
		}
	}
	pthread_join(j.thread, NULL);
	close(end);
	if (!f->text)
		return j.status == WEIR_OK && told;
	return j.status != WEIR_OK && j.status != WEIR_LAUNCH_FAILED &&
	       (strstr(j.text, f->text) != NULL ||
	        !printf("'%s' is not in: %s\n", f->text, j.text));
}

/* A process of another user, which only root can start. */
static int send_as_other(void)
{
	joiner j;
	int end;

	begin(&j, 2, 0, DEADLINE_S, &end);
	pid_t child = fork();
	if (child == 0) {
		if (setresuid(65534, 65534, 65534) != 0)
			_exit(1);
		weir_crew_message m = honest(WEIR_CREW_HELLO, 1, 2);
		send_with(end, &m, sizeof m, NO_DESCRIPTOR, 0);
		_exit(0);
	}
	close(end);
	pthread_join(j.thread, NULL);
	waitpid(child, NULL, 0);
	return j.status == WEIR_BAD_ARGUMENT &&
	       strstr(j.text, "a process of user 65534 sent a message; this one is of user 0") !=
	           NULL;
}

static void test_forgeries(void)
{
	char name[128];

	for (size_t i = 0; i < sizeof hellos / sizeof hellos[0]; i++) {
		snprintf(name, sizeof name, "to rank 0: %s",
		         hellos[i].text ? hellos[i].text : "good");
		verdict(forge(&hellos[i], 0), name);
	}
	for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
		snprintf(name, sizeof name, "to rank 1: %s",
		         shares[i].text ? shares[i].text : "good");
		verdict(forge(&shares[i], 1), name);
	}
	if (geteuid() == 0)
		verdict(send_as_other(), "to rank 0: by another user");
	else
		printf("left out: another user, which takes root\n");
}

/* ---- at random ---- */

static uint64_t state;

static uint32_t draw(uint32_t below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33) % below;
}

/* A word of the kind that attackers choose. */
static uint32_t draw_word(void)
{
	static const uint32_t likely[] = {0,          1,          2,          3,          4,
	                                  5,          31,         32,         255,        256,
	                                  0x7fffffff, 0x80000000, 0xffffffff, 0xfffff000, 4096};

	return draw(3) ? likely[draw(sizeof likely / sizeof likely[0])] : draw(UINT32_MAX);
}

/* Whether everything in this exchange was honest. */
static int is_honest;

/* Waits for the answer, if there must be one. Otherwise takes what has arrived, or leaves it. */
static void drain(int socket)
{
	struct pollfd ready = {.fd = socket, .events = POLLIN};

	if (is_honest) {
		hear(socket);
		return;
	}
	for (int wait_ms = draw(6) ? 2 : -1; wait_ms >= 0 && poll(&ready, 1, wait_ms) > 0;
	     wait_ms = 0)
		if (hear(socket) == 0)
			return;
}

static void maybe_shut(int socket)
{
	if (draw(24) != 0)
		return;
	is_honest = 0;
	shutdown(socket, draw(2) ? SHUT_WR : SHUT_RDWR);
}

/* Sends the message that an honest rank would send now, or a slight change of it. */
static void send_drawn(int socket, uint32_t what, uint32_t rank, uint32_t ranks)
{
	weir_crew_message m = honest(what, rank, ranks);
	uint32_t kind = what == WEIR_CREW_SHARE ? RIGHT : NO_DESCRIPTOR;
	size_t length = sizeof m, count = 1;
	uint32_t wrong = draw(16);
	uint32_t more = draw(16);

	is_honest &= wrong > 5 && more != 0;
	switch (wrong) {
	case 0: /* another number */
		((uint32_t *)&m)[draw(2) ? draw(14) : draw(sizeof m / 4)] = draw_word();
		break;
	case 1: /* another rank */
		m.rank = draw(ranks + 1);
		break;
	case 2: /* another length */
		length = draw(2) ? draw(64) : draw(sizeof m);
		break;
	case 3: /* other descriptors */
		kind = draw(DESCRIPTORS);
		count = draw(3) ? draw(4) : draw(DESCRIPTORS_MOST);
		break;
	case 4: /* another message */
		m.what = draw(7);
		break;
	case 5:
		m.ranks = ranks; /* and a string without an end */
		memset(m.text, 27, sizeof m.text);
		m.status = draw_word();
		m.what = draw(4) ? what : WEIR_CREW_REFUSED;
		break;
	default:
		break;
	}
	m.ranks =
	    m.ranks == 0 || m.ranks > RANKS_MOST ? ranks : m.ranks; /* for the size of memory */
	send_with(socket, &m, length, kind, count);
	if (more == 0)
		send_with(socket, &m, length, kind, count);
}

/* Rank 0 is real. Goes rank by rank and step by step, more or less correctly. */
static void play_others(const int *ends, uint32_t ranks)
{
	for (uint32_t step = 0; step < 2; step++) {
		for (uint32_t i = 0; i < ranks - 1; i++) {
			uint32_t rank = draw(16) ? i + 1 : draw(ranks);

			is_honest &= rank == i + 1;
			send_drawn(ends[i], step == 0 ? WEIR_CREW_HELLO : WEIR_CREW_READY, rank,
			           ranks);
			maybe_shut(ends[i]);
		}
		for (uint32_t i = 0; i < ranks - 1; i++)
			drain(ends[i]);
	}
}

/* Another rank is real, and this process is its rank 0. */
static void play_leader(int end, uint32_t ranks)
{
	drain(end);
	send_drawn(end, WEIR_CREW_SHARE, 0, ranks);
	maybe_shut(end);
	drain(end);
	send_drawn(end, WEIR_CREW_GO, 0, ranks);
}

/* One exchange. The sockets are closed at its end, so that none of the waits needs its deadline. */
static weir_status exchange(uint64_t seed)
{
	joiner j;
	int ends[RANKS_MOST];

	state = seed * 2 + 1;
	draw(1);
	is_honest = 1;
	uint32_t ranks = 2 + draw(RANKS_MOST - 1);
	uint32_t role = draw(2) ? 0 : 1 + draw(ranks - 1);

	begin(&j, ranks, role, DEADLINE_S, ends);
	if (role == 0)
		play_others(ends, ranks);
	else
		play_leader(ends[0], ranks);
	for (uint32_t i = 0; i < j.place.socket_count; i++)
		close(ends[i]);
	pthread_join(j.thread, NULL);
	return is_honest && j.status != WEIR_OK ? WEIR_LAUNCH_FAILED : j.status;
}

static void test_random(uint64_t cases, uint64_t first)
{
	int before = descriptors_open();
	uint64_t made = 0, honest_ones = 0, wrong = 0;

	for (uint64_t seed = first; seed - first < cases; seed++) {
		weir_status status = exchange(seed);

		made += status == WEIR_OK;
		honest_ones += is_honest;
		if (status == WEIR_LAUNCH_FAILED || descriptors_open() != before) {
			printf("seed %llu: status %d, %d descriptors instead of %d\n",
			       (unsigned long long)seed, status, descriptors_open(), before);
			wrong++;
			before = descriptors_open();
		}
	}
	printf("%llu exchanges at random, %llu made a crew, %llu of them honest\n",
	       (unsigned long long)cases, (unsigned long long)made,
	       (unsigned long long)honest_ones);
	verdict(wrong == 0, "exchanges at random");
	/* Otherwise it has tested nothing but the first check. */
	verdict(honest_ones > cases / 20 && made < cases, "some make a crew, and some do not");
}

/* ---- waits ---- */

/* Rank 1 sends nothing, or rank 0 does not answer; or hello, and then nothing. */
static int stay_silent(uint32_t role, int steps)
{
	joiner j;
	int end;
	weir_crew_message m = honest(WEIR_CREW_HELLO, 1, 2);

	begin(&j, 2, role, 0.05, &end);
	if (steps)
		send_with(end, &m, sizeof m, NO_DESCRIPTOR, 0);
	pthread_join(j.thread, NULL);
	close(end);
	return j.status == WEIR_NO_RANK;
}

/* The socket to rank 1 has no room: another process has filled it. */
static int send_to_full(void)
{
	joiner j;
	char filler[1024] = {0};
	int pair[2], right;
	weir_crew_link *link;
	weir_crew_message m = honest(WEIR_CREW_HELLO, 1, 2);

	memset(&j, 0, sizeof j);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return 0;
	while (send(pair[0], filler, sizeof filler, MSG_DONTWAIT) > 0)
		;
	weir_crew_name_senders(pair[1]);
	send_with(pair[1], &m, sizeof m, NO_DESCRIPTOR, 0);
	j.place = (weir_crew_place){.rank = 0, .ranks = 2, .sockets = pair, .socket_count = 1};
	j.options = (weir_crew_options){.events = 1, .data_bytes = 64, .seconds = 0.05};
	right = weir_crew_create(device, &j.place, &j.options, &link) == WEIR_NO_RANK &&
	        strstr(weir_error_text(), "accepts no messages") != NULL;
	close(pair[1]);
	return right;
}

static char folder[] = "/tmp/weir-test-XXXXXX";

/* The first guest waits until rank 0 listens. */
static int reach_leader(const char *name, int is_first)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int made = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof address.sun_path, "%s/crew-%s", folder, name);
	do {
		if (connect(made, (struct sockaddr *)&address, sizeof address) == 0)
			return made;
	} while (is_first && usleep(1000) == 0);
	close(made);
	return -1;
}

/* More sockets than rank 0 accepts connect at the name and send nothing; some disconnect again. Rank 1 is
 * among them. Without it, rank 0 still keeps its deadline. */
static int crowd(int has_rank)
{
	enum {
		GUESTS = WEIR_CREW_PROCESSES_MOST + 144
	};
	int guests[GUESTS], count = 0;
	joiner j;

	memset(&j, 0, sizeof j);
	j.place = (weir_crew_place){.rank = 0, .ranks = 2};
	snprintf(j.place.name, sizeof j.place.name, "crowd-%d", has_rank);
	j.options = (weir_crew_options){
	    .events = 1, .data_bytes = 64, .seconds = has_rank ? DEADLINE_S : 0.5};
	if (pthread_create(&j.thread, NULL, join, &j) != 0)
		return 0;
	for (; count < GUESTS; count++) {
		if (count % 4 == 3) {
			close(guests[count - 2]);
			guests[count - 2] = -1;
		}
		guests[count] = reach_leader(j.place.name, count == 0);
	}
	if (has_rank) {
		for (int i = 0; i < GUESTS - 20; i++) {
			if (guests[i] >= 0)
				close(guests[i]);
			guests[i] = -1;
		}
		for (uint32_t step = WEIR_CREW_HELLO; step <= WEIR_CREW_READY; step += 2) {
			weir_crew_message m = honest(step, 1, 2);
			weir_crew_name_senders(guests[GUESTS - 1]);
			send_with(guests[GUESTS - 1], &m, sizeof m, NO_DESCRIPTOR, 0);
			hear(guests[GUESTS - 1]);
		}
	}
	pthread_join(j.thread, NULL);
	for (int i = 0; i < count; i++)
		if (guests[i] >= 0)
			close(guests[i]);
	return j.status == (has_rank ? WEIR_OK : WEIR_NO_RANK);
}

static void test_waits(void)
{
	int before = descriptors_open();

	verdict(stay_silent(0, 0), "rank 1 says nothing");
	verdict(stay_silent(0, 1), "rank 1 says hello, and nothing more");
	verdict(stay_silent(1, 0), "rank 0 does not answer");
	verdict(send_to_full(), "rank 1 says hello and never reads");
	if (!mkdtemp(folder))
		exit((perror(folder), 1));
	setenv("WEIR_CREW_DIR", folder, 1);
	verdict(crowd(1), "a crowd at the door, with rank 1 in it");
	verdict(crowd(0), "a crowd at the door");
	verdict(rmdir(folder) == 0, "the folder is empty");
	verdict(descriptors_open() == before, "no descriptor is left");
}

int main(int argc, char **argv)
{
	uint64_t cases = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
	uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;

	alarm(DEADLINE_S + (unsigned)(cases / 20));
	if (weir_device_open("host", &device) != WEIR_OK)
		return printf("FAILED: no host: %s\n", weir_error_text()), 1;
	int before = descriptors_open();
	test_forgeries();
	verdict(descriptors_open() == before, "forgeries leave no descriptor");
	test_random(cases, first);
	verdict(crews_mapped() == 0, "no memory of a crew is left");
	test_waits();
	verdict(weir_device_close(device) == WEIR_OK, "the device closes");
	printf("%d passed, %d failed\n", passed, failed);
	return failed != 0 || passed == 0;
}
