/* What every rank except rank 0 does to create a crew: it answers rank 0 (crew/message.h). */
#define _GNU_SOURCE
#include <unistd.h>

#include "base/status.h"
#include "crew/join.h"
#include "crew/meet.h"

/* Waits for a message of the kind `what` from rank 0. */
static weir_status await_leader(const weir_crew_link *link, int socket, uint64_t deadline,
                                uint32_t what, weir_crew_message *m, int *descriptor, int *pid)
{
	weir_crew_sender sender;
	weir_status status = weir_crew_receive(socket, deadline, m, descriptor, &sender);

	*pid = sender.pid;
	if (status == WEIR_NO_RANK)
		return weir_fail(status, "rank 0 has ended, or gave no answer in time");
	if (status == WEIR_OK && m->what == WEIR_CREW_REFUSED)
		status = weir_crew_take_refusal(m, "");
	else if (status == WEIR_OK)
		status = weir_crew_check_message(link, m, what);
	if (status == WEIR_OK && m->rank != 0)
		status =
		    weir_fail(WEIR_BAD_ARGUMENT, "rank %u answered instead of rank 0", m->rank);
	return status;
}

/* Stores the identities of the ranks. */
static weir_status take_members(weir_crew_link *link, const weir_crew_message *m, int leader)
{
	uint32_t own = link->config.rank;
	weir_status status = WEIR_OK;

	if (m->members[own].blocks != link->config.blocks)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "rank 0 expects this rank to have %u blocks, not %u",
		                 m->members[own].blocks, link->config.blocks);
	for (uint32_t i = 0; i < link->config.ranks && status == WEIR_OK; i++) {
		int pid = i == own ? (int)getpid() : i == 0 ? leader : m->members[i].pid;

		status = weir_crew_set_peer(link, i, pid, m->members[i].blocks);
	}
	return status;
}

static weir_status take_share(weir_crew_link *link, int socket, uint64_t deadline)
{
	weir_crew_message m;
	int descriptor, leader;
	weir_status status =
	    await_leader(link, socket, deadline, WEIR_CREW_SHARE, &m, &descriptor, &leader);

	if (status == WEIR_OK)
		status = weir_share_check(descriptor, link->stride * link->config.ranks);
	if (status == WEIR_OK)
		status = weir_crew_map(link, descriptor);
	if (descriptor >= 0)
		close(descriptor);
	return status == WEIR_OK ? take_members(link, &m, leader) : status;
}

static weir_status await_go(const weir_crew_link *link, int socket, uint64_t deadline)
{
	weir_crew_message m;
	int descriptor, leader;
	weir_status status =
	    await_leader(link, socket, deadline, WEIR_CREW_GO, &m, &descriptor, &leader);

	if (descriptor >= 0)
		close(descriptor);
	return status;
}

static weir_status exchange(weir_crew_link *link, int socket, uint64_t deadline)
{
	const weir_crew_message hello = weir_crew_message_of(link, WEIR_CREW_HELLO);
	const weir_crew_message ready = weir_crew_message_of(link, WEIR_CREW_READY);

	/* If rank 0 has ended, its last message is the better answer. */
	weir_crew_send(socket, deadline, &hello, -1);
	weir_status status = take_share(link, socket, deadline);
	if (status == WEIR_OK)
		weir_crew_send(socket, deadline, &ready, -1);
	return status == WEIR_OK ? await_go(link, socket, deadline) : status;
}

weir_status weir_crew_follow(weir_crew_link *link, const weir_crew_place *place)
{
	/* Rank 0 may start waiting later than this rank, and has the better answer. */
	uint64_t deadline = weir_crew_deadline(2 * link->seconds);
	weir_meeting meeting = {.folder = -1, .listener = -1};
	weir_status status;
	int socket = -1;

	if (place->sockets)
		return exchange(link, place->sockets[0], deadline);
	status = weir_meeting_open(place, deadline, &meeting);
	if (status == WEIR_OK)
		status = weir_meeting_connect(&meeting, weir_crew_deadline(link->seconds), &socket);
	if (status == WEIR_OK)
		status = exchange(link, socket, deadline);
	if (status != WEIR_OK && socket >= 0)
		weir_crew_refuse(socket, place->rank, place->ranks, status);
	if (socket >= 0)
		close(socket);
	weir_meeting_close(&meeting, status == WEIR_NO_RANK);
	return status;
}
