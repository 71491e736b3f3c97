#include "crew/crew.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/complain.h"
#include "cli/stop.h"
#include "output/figure.h"

typedef struct launcher {
	const crew_request *request;
	char **program;
	crew_ended *ended;
	pid_t *pids;
	int *ends; /* sockets, for each rank except 0: rank 0's end and the other rank's */
	int results[2];
} launcher;

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* One socket per rank: there is no name that another process could take. */
static int make_sockets(launcher *l)
{
	for (uint32_t i = 1; i < l->request->ranks; i++)
		if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, &l->ends[2 * i]) != 0)
			return weir_complain(WEIR_EXIT_FAILED, "no sockets for %s: %s",
			                     weir_count_figure(l->request->ranks, "rank").text,
			                     strerror(errno));
	if (pipe2(l->results, O_CLOEXEC) != 0)
		return weir_complain(WEIR_EXIT_FAILED, "no pipe: %s", strerror(errno));
	return WEIR_EXIT_OK;
}

/* Keeps the sockets of a rank and closes all others. Returns how many it has. */
static uint32_t take_sockets(const launcher *l, uint32_t rank, int *own)
{
	uint32_t count = 0;

	for (uint32_t i = 1; i < l->request->ranks; i++)
		for (uint32_t side = 0; side < 2; side++) {
			int socket = l->ends[2 * i + side];

			if (side == 0 ? rank == 0 : rank == i)
				own[count++] = socket;
			else
				close(socket);
		}
	return count;
}

static void set_number(const char *name, uint32_t value)
{
	char text[16];

	snprintf(text, sizeof text, "%u", value);
	setenv(name, text, 1);
}

/* Becomes the program. Returns only on failure, with the reason in the result. */
static void run_program(const launcher *l, const weir_crew_place *place, crew_result *result)
{
	char list[WEIR_CREW_PROCESSES_MOST * 8] = "";
	size_t used = 0;

	for (uint32_t i = 0; i < place->socket_count; i++) {
		fcntl(place->sockets[i], F_SETFD, 0); /* the program inherits it */
		used += (size_t)snprintf(list + used, sizeof list - used, "%s%d", i ? "," : "",
		                         place->sockets[i]);
	}
	set_number("WEIR_CREW_RANK", place->rank);
	set_number("WEIR_CREW_RANKS", place->ranks);
	if (place->socket_count)
		setenv("WEIR_CREW_SOCKETS", list, 1);
	execvp(l->program[0], l->program);
	result->rank = place->rank;
	result->status = CREW_CANNOT_RUN;
	snprintf(result->text, sizeof result->text, "cannot run %s: %s", l->program[0],
	         strerror(errno));
}

/* The process of a rank; does not return. It ends when the launcher does. */
static void run_rank(const launcher *l, uint32_t rank, pid_t parent)
{
	static int own[WEIR_CREW_PROCESSES_MOST];
	static crew_result result;
	weir_crew_place place = {.rank = rank, .ranks = l->request->ranks};

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	close(l->results[0]);
	place.socket_count = take_sockets(l, rank, own);
	place.sockets = place.socket_count ? own : NULL;
	if (l->program)
		run_program(l, &place, &result);
	else
		crew_run(l->request, &place, &result);
	ssize_t written = write(l->results[1], &result, sizeof result);
	_exit(written == (ssize_t)sizeof result ? (int)result.status : WEIR_EXIT_FAILED);
}

static int start(launcher *l)
{
	pid_t parent = getpid();

	fflush(NULL);
	for (uint32_t rank = 0; rank < l->request->ranks; rank++) {
		if (l->request->fault == CREW_ABSENT && l->request->fault_rank == rank)
			continue;
		l->pids[rank] = fork();
		if (l->pids[rank] == 0)
			run_rank(l, rank, parent);
		if (l->pids[rank] < 0)
			return weir_complain(WEIR_EXIT_FAILED, "cannot start rank %u: %s", rank,
			                     strerror(errno));
		l->ended[rank].has_started = 1;
	}
	return WEIR_EXIT_OK;
}

/* Reads what a rank has written. */
static void take_result(launcher *l)
{
	static crew_result result;
	struct pollfd ready = {.fd = l->results[0], .events = POLLIN};

	while (poll(&ready, 1, 0) == 1 &&
	       read(l->results[0], &result, sizeof result) == (ssize_t)sizeof result)
		if (result.rank < l->request->ranks) {
			l->ended[result.rank].result = result;
			l->ended[result.rank].has_result = 1;
		}
}

/* Records the ranks that have ended. Returns how many are still running. */
static uint32_t collect(launcher *l, int *failed)
{
	uint32_t running = 0;

	for (uint32_t rank = 0; rank < l->request->ranks; rank++) {
		crew_ended *ended = &l->ended[rank];
		int status;

		if (!ended->has_started || ended->has_ended)
			continue;
		if (waitpid(l->pids[rank], &status, WNOHANG) != l->pids[rank]) {
			running++;
			continue;
		}
		ended->has_ended = 1;
		ended->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
		ended->status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
		*failed |= ended->signal != 0 || ended->status != 0;
	}
	return running;
}

static void kill_all(launcher *l)
{
	for (uint32_t rank = 0; rank < l->request->ranks; rank++)
		if (l->ended[rank].has_started && !l->ended[rank].has_ended)
			kill(l->pids[rank], SIGKILL);
}

static int wait_for_all(launcher *l)
{
	const struct timespec moment = {.tv_nsec = 5000000};
	double until = 0;
	int failed = 0;

	for (;;) {
		uint32_t running = collect(l, &failed);

		take_result(l);
		if (running == 0)
			return failed ? WEIR_EXIT_FAILED : WEIR_EXIT_OK;
		if (failed && until == 0)
			until = now() + 2 * l->request->seconds + 1;
		if (weir_stop_asked() || (until != 0 && now() > until))
			kill_all(l);
		nanosleep(&moment, NULL);
	}
}

int crew_launch(const crew_request *request, char **program, crew_ended *ended)
{
	launcher l = {.request = request, .program = program, .ended = ended};

	l.pids = weir_need(calloc(request->ranks, sizeof *l.pids));
	l.ends = weir_need(calloc(request->ranks, 2 * sizeof *l.ends));
	int status = make_sockets(&l);
	if (!status) {
		status = start(&l);
		for (uint32_t i = 2; i < 2 * request->ranks; i++)
			close(l.ends[i]);
		close(l.results[1]);
		if (status)
			kill_all(&l);
		int waited = wait_for_all(&l);
		status = status ? status : waited;
		close(l.results[0]);
	}
	free(l.pids);
	free(l.ends);
	return weir_stop_asked() ? WEIR_EXIT_STOPPED : status;
}
