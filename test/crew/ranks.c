#define _GNU_SOURCE
#include "ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

void ranks_check(rank_context *context, int right, int line, const char *text)
{
	if (right)
		return;
	printf("rank %u, line %d: %s\n  (last error: %s)\n", context->place.rank, line, text,
	       weir_error_text());
	fflush(stdout);
	context->failures++;
}

weir_crew_link *ranks_join(rank_context *context, const weir_crew_options *options, weir_crew *crew)
{
	weir_crew_link *link = NULL;

	CHECK(context,
	      weir_crew_create(context->device, &context->place, options, &link) == WEIR_OK);
	if (!link)
		_exit(1);
	CHECK(context, weir_crew_handle(link, crew) == WEIR_OK);
	return link;
}

/* One process; it does not return. */
static void be_rank(uint32_t ranks, uint32_t rank, int (*ends)[2], const char *name,
                    rank_function function, void *what)
{
	int own[MOST_RANKS];
	rank_context context = {.what = what};

	alarm(DEADLINE_S);
	context.place.rank = rank;
	context.place.ranks = ranks;
	for (uint32_t i = 1; i < ranks; i++)
		for (uint32_t side = 0; side < 2; side++)
			if (side == 0 ? rank == 0 : rank == i)
				own[context.place.socket_count++] = ends[i][side];
			else
				close(ends[i][side]);
	if (name)
		snprintf(context.place.name, sizeof context.place.name, "%s", name);
	else if (context.place.socket_count)
		context.place.sockets = own;
	CHECK(&context, weir_device_open("host", &context.device) == WEIR_OK);
	function(&context);
	CHECK(&context, weir_device_close(context.device) == WEIR_OK);
	_exit(context.failures != 0);
}

int ranks_run(uint32_t ranks, const char *name, uint32_t absent, uint32_t killed,
              rank_function function, void *what)
{
	int ends[MOST_RANKS][2];
	pid_t pids[MOST_RANKS];
	int failures = 0;

	fflush(NULL);
	for (uint32_t i = 1; i < ranks; i++)
		if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends[i]) != 0)
			return perror("socketpair"), 1;
	for (uint32_t i = 0; i < ranks; i++) {
		pids[i] = absent >> i & 1 ? 0 : fork();
		if (pids[i] == 0 && !(absent >> i & 1))
			be_rank(ranks, i, ends, name, function, what);
	}
	for (uint32_t i = 1; i < ranks; i++) {
		close(ends[i][0]);
		close(ends[i][1]);
	}
	for (uint32_t i = 0; i < ranks; i++) {
		int status = 0;

		if (pids[i] > 0 && waitpid(pids[i], &status, 0) != pids[i])
			failures++;
		if (killed >> i & 1 ? !WIFSIGNALED(status) : status != 0)
			failures++;
	}
	return failures;
}
