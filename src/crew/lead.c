/* What rank 0 does to create a crew: it makes the memory and leads all ranks through the messages
 * (crew/message.h). */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/status.h"
#include "crew/join.h"
#include "crew/meet.h"

#define MOST_NAMED 8
#define NOBODY UINT32_MAX

/* The other end of a socket. */
typedef struct guest {
	int socket;
	uint32_t rank; /* NOBODY: it has not sent its HELLO */
	int is_ready;
} guest;

typedef struct round_up {
	weir_crew_link *link;
	const weir_crew_place *place;
	weir_meeting meeting;
	uint64_t deadline;
	guest guests[WEIR_CREW_PROCESSES_MOST];
	uint32_t count;
	uint32_t heard; /* number of HELLOs */
	uint32_t ready;
	int is_shared; /* all ranks have the memory, or will */
} round_up;

/* Names the ranks that have not sent their HELLO: "2, 3 and 4 others". */
static void name_missing(const round_up *r, char *text, size_t room)
{
	uint32_t missing = r->link->config.ranks - 1 - r->heard;
	uint32_t named = 0;
	size_t used = 0;

	text[0] = 0;
	for (uint32_t rank = 1; rank < r->link->config.ranks && named < MOST_NAMED; rank++)
		if (r->link->peers[rank].blocks == 0)
			used += (size_t)snprintf(text + used, room - used, "%s%u",
			                         named++ ? ", " : "", rank);
	if (missing > named)
		snprintf(text + used, room - used, " and %u others", missing - named);
}

static weir_status fail_missing(const round_up *r, int is_late)
{
	char missing[128];

	name_missing(r, missing, sizeof missing);
	if (r->is_shared)
		return weir_fail(WEIR_NO_RANK, "%u of %u ranks were not ready within %.1f s",
		                 r->heard - r->ready, r->link->config.ranks, r->link->seconds);
	if (is_late)
		return weir_fail(WEIR_NO_RANK, "rank %s has not arrived within %.1f s", missing,
		                 r->link->seconds);
	return weir_fail(WEIR_NO_RANK,
	                 "rank %s has not arrived: its process ended or never started", missing);
}

static weir_status take_hello(round_up *r, guest *g, const weir_crew_message *m, int pid)
{
	weir_status status = weir_crew_check_message(r->link, m, WEIR_CREW_HELLO);

	if (status == WEIR_OK && r->link->peers[m->rank].blocks != 0)
		status = weir_fail(WEIR_BAD_ARGUMENT, "two processes are rank %u", m->rank);
	if (status == WEIR_OK)
		status = weir_crew_set_peer(r->link, m->rank, pid, m->blocks);
	if (status != WEIR_OK)
		return status;
	g->rank = m->rank;
	r->heard++;
	return WEIR_OK;
}

static weir_status take_ready(round_up *r, guest *g, const weir_crew_message *m)
{
	weir_status status = weir_crew_check_message(r->link, m, WEIR_CREW_READY);

	if (status == WEIR_OK && (m->rank != g->rank || g->is_ready || !r->is_shared))
		status =
		    weir_fail(WEIR_BAD_ARGUMENT, "rank %u sent a message out of turn", g->rank);
	if (status != WEIR_OK)
		return status;
	g->is_ready = 1;
	r->ready++;
	return WEIR_OK;
}

/* A rank that ends leaves the crew incomplete. Other connections may open and close: ranks check
 * whether rank 0 listens. */
static weir_status take_end(round_up *r, guest *g)
{
	if (g->rank != NOBODY)
		return weir_fail(WEIR_NO_RANK, "rank %u ended while the crew was being created",
		                 g->rank);
	if (!r->place->sockets)
		close(g->socket);
	*g = r->guests[--r->count];
	return WEIR_OK;
}

/* Handles what a guest has sent. */
static weir_status hear(round_up *r, guest *g)
{
	weir_crew_message m;
	weir_crew_sender sender;
	int descriptor;
	char who[24];
	weir_status status = weir_crew_receive(g->socket, 0, &m, &descriptor, &sender);

	if (status == WEIR_NO_RANK)
		return take_end(r, g);
	if (status != WEIR_OK)
		return status;
	if (descriptor >= 0) {
		close(descriptor);
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "rank %u sent a file descriptor that was not requested", m.rank);
	}
	snprintf(who, sizeof who, "rank %u: ", m.rank);
	if (m.what == WEIR_CREW_REFUSED)
		return weir_crew_take_refusal(&m, who);
	return g->rank == NOBODY ? take_hello(r, g, &m, sender.pid) : take_ready(r, g, &m);
}

static weir_status admit(round_up *r)
{
	guest *g = &r->guests[r->count];
	weir_status status = weir_meeting_accept(&r->meeting, &g->socket);

	if (status != WEIR_OK || g->socket < 0)
		return status;
	g->rank = NOBODY;
	g->is_ready = 0;
	r->count++;
	return WEIR_OK;
}

/* Waits until something has arrived, and handles it. */
static weir_status hear_all(round_up *r)
{
	struct pollfd ready[WEIR_CREW_PROCESSES_MOST + 1];
	uint32_t count = r->count;
	weir_status status = WEIR_OK;
	int left = weir_crew_left_ms(r->deadline);

	for (uint32_t i = 0; i < count; i++)
		ready[i] = (struct pollfd){.fd = r->guests[i].socket, .events = POLLIN};
	/* As many guests as there may be ranks: others wait until one of them leaves. */
	ready[count] = (struct pollfd){
	    .fd = count < WEIR_CREW_PROCESSES_MOST ? r->meeting.listener : -1, .events = POLLIN};
	/* Guests that connect and leave do not prolong it. */
	if (left == 0)
		return fail_missing(r, 1);
	/* Every rank that still has its socket has sent its HELLO. */
	if (r->place->sockets && !r->is_shared && count == r->heard)
		return fail_missing(r, 0);
	if (poll(ready, count + 1, left) < 0)
		return errno == EINTR ? WEIR_OK
		                      : weir_crew_fail_system("cannot wait for ranks", errno);
	/* Backwards, because a guest that leaves is replaced by the last one. */
	for (uint32_t i = count; i-- > 0 && status == WEIR_OK;)
		if (ready[i].revents)
			status = hear(r, &r->guests[i]);
	if (status == WEIR_OK && ready[count].revents)
		status = admit(r);
	return status;
}

/* Sends a message to all ranks, with the memory unless `memory` is -1. */
static weir_status tell_all(round_up *r, uint32_t what, int memory)
{
	weir_crew_message m = weir_crew_message_of(r->link, what);

	for (uint32_t rank = 0; rank < r->link->config.ranks; rank++)
		m.members[rank] =
		    (weir_crew_member){r->link->peers[rank].pid, r->link->peers[rank].blocks};
	for (uint32_t i = 0; i < r->count; i++) {
		if (r->guests[i].rank == NOBODY)
			continue;
		weir_status status = weir_crew_send(r->guests[i].socket, r->deadline, &m, memory);
		if (status == WEIR_NO_RANK)
			return weir_fail(status,
			                 "rank %u ended while the crew was being created, or "
			                 "accepts no messages",
			                 r->guests[i].rank);
		if (status != WEIR_OK)
			return status;
	}
	return WEIR_OK;
}

/* Collects all ranks, from their HELLOs until the crew is complete. */
static weir_status gather(round_up *r, int memory)
{
	uint32_t others = r->link->config.ranks - 1;
	weir_status status = WEIR_OK;

	while (r->heard < others && status == WEIR_OK)
		status = hear_all(r);
	if (status != WEIR_OK)
		return status;
	/* Before any rank has joined: the ranks may meet again under the same name. */
	weir_meeting_close(&r->meeting, 0);
	r->is_shared = 1;
	status = tell_all(r, WEIR_CREW_SHARE, memory);
	while (r->ready < others && status == WEIR_OK)
		status = hear_all(r);
	/* From now on the crew exists, and reports name a rank that ends. */
	if (status == WEIR_OK)
		tell_all(r, WEIR_CREW_GO, -1);
	return status;
}

/* Guests that connected just now are told as well. */
static void refuse_all(round_up *r, weir_status status)
{
	int last = r->meeting.listener < 0;
	char text[WEIR_CREW_ERROR_BYTES];

	snprintf(text, sizeof text, "%s", weir_error_text());
	while (!last && r->count < WEIR_CREW_PROCESSES_MOST) {
		uint32_t before = r->count;
		admit(r);
		last = r->count == before;
	}
	weir_explain("%s", text);
	for (uint32_t i = 0; i < r->count; i++)
		weir_crew_refuse(r->guests[i].socket, 0, r->link->config.ranks, status);
}

static weir_status open_meeting(round_up *r)
{
	const weir_crew_place *place = r->place;

	r->meeting.folder = r->meeting.listener = -1;
	if (!place->sockets && place->ranks > 1)
		return weir_meeting_open(place, r->deadline, &r->meeting);
	for (; place->sockets && r->count < place->socket_count; r->count++)
		r->guests[r->count] = (guest){.socket = place->sockets[r->count], .rank = NOBODY};
	return WEIR_OK;
}

static weir_status prepare(weir_crew_link *link, int *memory)
{
	weir_status status = weir_share_create(link->stride * link->config.ranks, memory);

	if (status == WEIR_OK)
		status = weir_crew_map(link, *memory);
	if (status == WEIR_OK)
		status = weir_crew_set_peer(link, 0, (int)getpid(), link->config.blocks);
	return status;
}

weir_status weir_crew_lead(weir_crew_link *link, const weir_crew_place *place)
{
	round_up *r = calloc(1, sizeof *r);
	weir_status status;
	int memory = -1;

	if (!r)
		return weir_fail(WEIR_NO_MEMORY, "no memory for %u ranks", place->ranks);
	r->link = link;
	r->place = place;
	r->deadline = weir_crew_deadline(link->seconds);
	status = open_meeting(r);
	if (status == WEIR_OK)
		status = prepare(link, &memory);
	if (status == WEIR_OK)
		status = gather(r, memory);
	/* Ranks with their own sockets are told by weir_crew_create. */
	if (status != WEIR_OK && !place->sockets)
		refuse_all(r, status);
	weir_meeting_close(&r->meeting, 0);
	for (uint32_t i = 0; i < r->count && !place->sockets; i++)
		close(r->guests[i].socket);
	if (memory >= 0)
		close(memory);
	free(r);
	return status;
}
