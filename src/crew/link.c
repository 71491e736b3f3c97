/* Joins a crew of processes of one host, and leaves it. Rank 0 collects a descriptor of every rank's
 * share, and gives all of them to each rank. */
#define _GNU_SOURCE
#include "crew/link.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/device.h"
#include "core/name.h"
#include "core/status.h"
#include "crew/device.h"
#include "crew/meet.h"
#include "crew/message.h"
#include "diagnose/objects.h"

#define SECONDS 60
/* Found by weir crew --simulate (doc/crew.md). */
#define FLAT_UP_TO 144
/* Far below what overflows the layout. */
#define MOST_LANES 4096
#define MOST_EVENTS (1u << 20)
#define MOST_QUEUE (1u << 20)
#define MOST_DATA ((size_t)1 << 40)

uint32_t weir_crew_radix(uint32_t ranks)
{
	if (ranks <= 2)
		return 2;
	return ranks <= FLAT_UP_TO ? ranks : 32;
}

static weir_status check_sizes(const weir_crew_options *options)
{
	const struct {
		const char *name;
		uint32_t value, most;
	} sizes[] = {{"blocks", options->blocks, WEIR_CREW_RANKS_MOST},
	             {"lanes", options->lanes, MOST_LANES},
	             {"events", options->events, MOST_EVENTS},
	             {"queue", options->queue, MOST_QUEUE},
	             {"radix", options->radix, WEIR_CREW_RANKS_MOST},
	             {"bits", options->bits, WEIR_CREW_BITS_MOST}};

	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
		if (sizes[i].value > sizes[i].most)
			return weir_fail(WEIR_BAD_ARGUMENT, "options.%s is %u; at most %u",
			                 sizes[i].name, sizes[i].value, sizes[i].most);
	if (options->radix == 1)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "options.radix is 1; 2 or more, or 0 for weir's choice");
	if (options->data_bytes > MOST_DATA)
		return weir_fail(WEIR_BAD_ARGUMENT, "options.data_bytes is %zu; at most %zu",
		                 options->data_bytes, MOST_DATA);
	return WEIR_OK;
}

static weir_status check_options(const weir_crew_place *place, const weir_crew_options *options)
{
	weir_status status;

	if (place->ranks == 0 || place->rank >= place->ranks)
		return weir_fail(WEIR_BAD_ARGUMENT, "rank %u of %u ranks", place->rank,
		                 place->ranks);
	if (place->ranks > WEIR_CREW_PROCESSES_MOST)
		return weir_fail(WEIR_BAD_ARGUMENT, "%u ranks; a crew of processes has at most %u",
		                 place->ranks, WEIR_CREW_PROCESSES_MOST);
	if (place->sockets && place->socket_count != (place->rank == 0 ? place->ranks - 1 : 1))
		return weir_fail(WEIR_BAD_ARGUMENT, "rank %u of %u has %u sockets", place->rank,
		                 place->ranks, place->socket_count);
	if (!place->sockets && place->ranks > 1 &&
	    (!place->name[0] || !memchr(place->name, 0, sizeof place->name) ||
	     strchr(place->name, '/')))
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "a crew without sockets needs a name without /");
	status = check_sizes(options);
	if (status != WEIR_OK)
		return status;
	if (!(options->seconds >= 0) || options->seconds > 1e9)
		return weir_fail(WEIR_BAD_ARGUMENT, "%g seconds to wait for the ranks",
		                 options->seconds);
	return WEIR_OK;
}

static weir_crew_config config_of(const weir_crew_place *place, const weir_crew_options *options)
{
	weir_crew_config config = {.ranks = place->ranks, .rank = place->rank};

	config.pitch = WEIR_LINE_WORDS; /* writers on different cores */
	config.blocks = options->blocks ? options->blocks : 1;
	config.radix = options->radix ? options->radix : weir_crew_radix(place->ranks);
	config.bits = options->bits;
	config.lanes = options->lanes ? options->lanes : 1;
	config.events = options->events;
	while (options->queue != 0 &&
	       (config.queue_bits == 0 || 1u << config.queue_bits < options->queue))
		config.queue_bits++;
	return config;
}

static weir_crew_message message_of(const weir_crew_link *link, uint32_t what, uint32_t rank)
{
	weir_crew_message message;

	memset(&message, 0, sizeof message);
	message.magic = WEIR_CREW_MAGIC;
	message.version = WEIR_CREW_VERSION;
	message.what = what;
	message.rank = rank;
	message.ranks = link->config.ranks;
	message.radix = link->config.radix;
	message.bits = link->config.bits;
	message.lanes = link->config.lanes;
	message.events = link->config.events;
	message.queue_bits = link->config.queue_bits;
	message.blocks = link->peers[rank].blocks;
	message.pid = link->peers[rank].pid;
	message.bytes = link->bytes;
	return message;
}

/* Whether a message, of the kind `what`, is of a rank of this crew that has not come yet. */
static weir_status check_message(const weir_crew_link *link, const weir_crew_message *m,
                                 uint32_t what)
{
	const weir_crew_config *own = &link->config;

	if (m->what != what || m->rank >= own->ranks)
		return weir_fail(WEIR_BAD_ARGUMENT, "a message of a rank that is none");
	if (m->ranks != own->ranks)
		return weir_fail(WEIR_BAD_ARGUMENT, "rank %u has a crew of %u ranks; rank %u of %u",
		                 m->rank, m->ranks, own->rank, own->ranks);
	if (m->radix != own->radix || m->bits != own->bits || m->lanes != own->lanes ||
	    m->events != own->events || m->queue_bits != own->queue_bits || m->bytes != link->bytes)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "rank %u has other options for the crew than rank %u (%llu bytes "
		                 "of memory, and %zu)",
		                 m->rank, own->rank, (unsigned long long)m->bytes, link->bytes);
	if (m->blocks == 0 || m->blocks > WEIR_CREW_RANKS_MOST)
		return weir_fail(WEIR_BAD_ARGUMENT, "rank %u has %u blocks", m->rank, m->blocks);
	if (link->table[m->rank])
		return weir_fail(WEIR_BAD_ARGUMENT, "two processes are rank %u", m->rank);
	return WEIR_OK;
}

/* Takes the share of a rank from its message. */
static weir_status take_share(weir_crew_link *link, const weir_crew_message *m, int pid,
                              int descriptor)
{
	weir_crew_peer *peer = &link->peers[m->rank];
	weir_status status = weir_share_check(descriptor, link->bytes);

	if (status == WEIR_OK)
		status = weir_share_map(descriptor, link->bytes, &peer->share);
	if (status != WEIR_OK)
		return status;
	link->table[m->rank] = peer->share;
	peer->blocks = m->blocks;
	peer->pid = pid;
	/* The descriptor stays that process, also when its number is used again. */
	peer->process = pid > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
	return WEIR_OK;
}

/* ---- rank 0 ---- */

/* The ranks that have said who they are, while rank 0 collects them. */
typedef struct round_up {
	weir_crew_link *link;
	double seconds;
	uint64_t deadline;
	int sockets[WEIR_CREW_PROCESSES_MOST]; /* in the order of their coming; -1: none */
	uint32_t count;
	int descriptors[WEIR_CREW_PROCESSES_MOST]; /* of the shares, by rank; -1: not yet */
} round_up;

static weir_status take_hello(round_up *r, int socket)
{
	weir_crew_message m;
	weir_crew_sender sender;
	int descriptor;
	weir_status status = weir_crew_receive(socket, r->deadline, &m, &descriptor, &sender);

	if (status == WEIR_OK)
		status = check_message(r->link, &m, WEIR_CREW_HELLO);
	if (status == WEIR_OK)
		status = take_share(r->link, &m, sender.pid, descriptor);
	if (status == WEIR_OK)
		r->descriptors[m.rank] = descriptor;
	else if (descriptor >= 0)
		close(descriptor);
	return status;
}

/* Adds which ranks have not come to a text. */
static void name_missing(const round_up *r, char *text, size_t room)
{
	size_t used = 0;

	text[0] = 0;
	for (uint32_t rank = 1; rank < r->link->config.ranks; rank++)
		if (r->descriptors[rank] < 0 && used < room) {
			int more =
			    snprintf(text + used, room - used, "%s%u", used ? ", " : "", rank);
			used += more > 0 ? (size_t)more : room;
		}
}

/* All hellos. The sockets are there before, or come by the meeting. */
static weir_status collect(round_up *r, weir_meeting *meeting, const weir_crew_place *place)
{
	struct pollfd ready[WEIR_CREW_PROCESSES_MOST + 1];
	uint32_t heard = 0;
	uint32_t lost = 0; /* processes that ended first */
	char missing[128];

	while (heard < place->ranks - 1) {
		if (place->sockets && heard + lost == place->ranks - 1) {
			name_missing(r, missing, sizeof missing);
			return weir_fail(WEIR_NO_RANK,
			                 "rank %s has not come: its process ended, or never began",
			                 missing);
		}
		for (uint32_t i = 0; i < r->count; i++)
			ready[i] = (struct pollfd){.fd = r->sockets[i], .events = POLLIN};
		ready[r->count] = (struct pollfd){.fd = meeting->listener, .events = POLLIN};
		int polled = poll(ready, r->count + 1, weir_crew_left_ms(r->deadline));
		if (polled < 0 && errno == EINTR)
			continue;
		if (polled <= 0) {
			name_missing(r, missing, sizeof missing);
			return weir_fail(WEIR_NO_RANK, "rank %s has not come in %.1f s", missing,
			                 r->seconds);
		}
		uint32_t count = r->count;
		if (ready[count].revents && r->count < WEIR_CREW_PROCESSES_MOST &&
		    weir_meeting_accept(meeting, r->deadline, &r->sockets[r->count]) == WEIR_OK) {
			weir_crew_name_senders(r->sockets[r->count]);
			r->count++;
		}
		for (uint32_t i = 0; i < count; i++) {
			if (!ready[i].revents)
				continue;
			weir_status status = take_hello(r, r->sockets[i]);
			if (status != WEIR_OK && status != WEIR_NO_RANK)
				return status;
			heard += status == WEIR_OK;
			lost += status == WEIR_NO_RANK;
			/* It says nothing more: a later message, or its end, is none of ours. */
			r->sockets[i] = -1 - r->sockets[i];
		}
	}
	return WEIR_OK;
}

static int socket_at(const round_up *r, uint32_t i)
{
	return r->sockets[i] < 0 ? -1 - r->sockets[i] : r->sockets[i];
}

/* Gives all shares to every rank, or tells them all why there is no crew. */
static weir_status give_out(round_up *r, weir_status status)
{
	weir_crew_message refusal = message_of(r->link, WEIR_CREW_REFUSED, 0);

	if (status != WEIR_OK) {
		refusal.status = status;
		snprintf(refusal.text, sizeof refusal.text, "%s", weir_error_text());
		for (uint32_t i = 0; i < r->count; i++)
			weir_crew_send(socket_at(r, i), &refusal, -1);
		return weir_fail(status, "%s", refusal.text);
	}
	for (uint32_t rank = 0; rank < r->link->config.ranks; rank++) {
		weir_crew_message m = message_of(r->link, WEIR_CREW_SHARE, rank);

		for (uint32_t i = 0; i < r->count && status == WEIR_OK; i++)
			status = weir_crew_send(socket_at(r, i), &m, r->descriptors[rank]);
	}
	return status;
}

static weir_status lead(weir_crew_link *link, const weir_crew_place *place, int own, double seconds)
{
	round_up *r = calloc(1, sizeof *r);
	weir_meeting meeting = {.folder = -1, .listener = -1};
	weir_status status = WEIR_OK;

	if (!r)
		return weir_fail(WEIR_NO_MEMORY, "no memory for %u ranks", place->ranks);
	r->link = link;
	r->seconds = seconds;
	r->deadline = weir_crew_deadline(seconds);
	for (uint32_t i = 0; i < WEIR_CREW_PROCESSES_MOST; i++)
		r->descriptors[i] = -1;
	r->descriptors[0] = own;
	if (place->sockets)
		for (; r->count < place->socket_count; r->count++) {
			r->sockets[r->count] = place->sockets[r->count];
			weir_crew_name_senders(r->sockets[r->count]);
		}
	else if (place->ranks > 1)
		status = weir_meeting_open(place, &meeting);
	if (status == WEIR_OK)
		status = give_out(r, collect(r, &meeting, place));
	for (uint32_t i = 0; i < r->count; i++)
		close(socket_at(r, i));
	for (uint32_t i = 1; i < place->ranks; i++)
		if (r->descriptors[i] >= 0)
			close(r->descriptors[i]);
	weir_meeting_close(&meeting, 0);
	free(r);
	return status;
}

/* ---- the other ranks ---- */

static weir_status take_shares(weir_crew_link *link, int socket, uint64_t deadline)
{
	weir_status status = WEIR_OK;

	for (uint32_t i = 0; i < link->config.ranks && status == WEIR_OK; i++) {
		weir_crew_message m;
		weir_crew_sender sender;
		int descriptor;

		status = weir_crew_receive(socket, deadline, &m, &descriptor, &sender);
		if (status == WEIR_NO_RANK)
			return weir_fail(status, "rank 0 has ended, or gave no answer in time");
		if (status == WEIR_OK && m.what == WEIR_CREW_REFUSED)
			status =
			    weir_fail(m.status == WEIR_NO_RANK ? WEIR_NO_RANK : WEIR_BAD_ARGUMENT,
			              "%s", m.text);
		else if (status == WEIR_OK && m.rank == link->config.rank)
			; /* its own, which it has */
		else if (status == WEIR_OK) {
			status = check_message(link, &m, WEIR_CREW_SHARE);
			if (status == WEIR_OK)
				status = take_share(link, &m, m.rank == 0 ? sender.pid : m.pid,
				                    descriptor);
		}
		if (descriptor >= 0)
			close(descriptor);
	}
	return status;
}

static weir_status follow(weir_crew_link *link, const weir_crew_place *place, int own,
                          double seconds)
{
	/* Rank 0 may begin to wait later than this one, and has the better answer. */
	uint64_t deadline = weir_crew_deadline(2 * seconds);
	weir_crew_message hello = message_of(link, WEIR_CREW_HELLO, place->rank);
	weir_meeting meeting = {.folder = -1, .listener = -1};
	weir_status status = WEIR_OK;
	int socket = -1;

	if (place->sockets) {
		socket = place->sockets[0];
	} else {
		status = weir_meeting_open(place, &meeting);
		if (status == WEIR_OK)
			status =
			    weir_meeting_connect(&meeting, weir_crew_deadline(seconds), &socket);
	}
	if (status == WEIR_OK)
		status = weir_crew_name_senders(socket);
	if (status == WEIR_OK && weir_crew_send(socket, &hello, own) != WEIR_OK)
		status = weir_fail(WEIR_NO_RANK, "rank 0 has ended, or never began");
	if (status == WEIR_OK)
		status = take_shares(link, socket, deadline);
	if (socket >= 0)
		close(socket);
	if (status != WEIR_OK) {
		char text[1024];
		snprintf(text, sizeof text, "%s", weir_error_text());
		weir_meeting_close(&meeting, status == WEIR_NO_RANK);
		return weir_fail(status, "%s", text);
	}
	weir_meeting_close(&meeting, 0);
	return status;
}

/* ---- all ---- */

static void free_link(weir_crew_link *link)
{
	for (uint32_t i = 0; link->peers && i < link->config.ranks; i++) {
		weir_share_unmap(link->peers[i].share, link->bytes);
		if (link->peers[i].process >= 0)
			close(link->peers[i].process);
	}
	free(link->peers);
	free(link->table);
	free(link);
}

static weir_status make_link(const weir_crew_config *config, size_t data, weir_crew_link **made)
{
	weir_crew_link *link = calloc(1, sizeof *link);

	if (!link)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a crew");
	link->config = *config;
	link->bytes = (size_t)weir_crew_words(*config) * sizeof(weir_word) + data;
	link->table = calloc(config->ranks, sizeof(weir_word *));
	link->peers = calloc(config->ranks, sizeof *link->peers);
	if (!link->table || !link->peers) {
		free_link(link);
		return weir_fail(WEIR_NO_MEMORY, "no memory for a crew of %u", config->ranks);
	}
	for (uint32_t i = 0; i < config->ranks; i++)
		link->peers[i].process = -1;
	*made = link;
	return WEIR_OK;
}

/* With a share of its own, which has the number of this process. */
static weir_status begin(weir_crew_link *link, int *own)
{
	weir_crew_message self = {.rank = link->config.rank, .blocks = link->config.blocks};
	weir_status status = weir_share_create(link->bytes, own);

	if (status != WEIR_OK)
		return status;
	status = take_share(link, &self, (int)getpid(), *own);
	if (status != WEIR_OK)
		close(*own);
	return status;
}

static weir_status join(const weir_crew_place *place, const weir_crew_options *options,
                        weir_crew_link **made)
{
	weir_crew_config config = config_of(place, options);
	double seconds = options->seconds > 0 ? options->seconds : SECONDS;
	weir_crew_link *link;
	int own = -1;
	weir_status status = make_link(&config, options->data_bytes, &link);

	if (status != WEIR_OK)
		return status;
	link->seconds = seconds;
	status = begin(link, &own);
	if (status == WEIR_OK) {
		status = place->rank == 0 ? lead(link, place, own, seconds)
		                          : follow(link, place, own, seconds);
		close(own);
	}
	if (status != WEIR_OK)
		free_link(link);
	else
		*made = link;
	return status;
}

weir_status weir_crew_join(weir_device *device, const weir_crew_place *place,
                           const weir_crew_options *options, weir_crew_link **link)
{
	static const weir_crew_options defaults;
	weir_status status;

	if (!place || !link)
		return weir_fail(WEIR_BAD_ARGUMENT, "place or link is NULL");
	*link = NULL;
	status = weir_device_check(device);
	if (status == WEIR_OK && device->info.machine != WEIR_MACHINE_HOST)
		status = weir_fail(WEIR_UNSUPPORTED,
		                   "%s: ranks join with the host, and then go on to a device "
		                   "(weir_crew_on_device)",
		                   device->info.name);
	if (status == WEIR_OK)
		status = check_options(place, options ? options : &defaults);
	if (status == WEIR_OK)
		status = join(place, options ? options : &defaults, link);
	if (status != WEIR_OK)
		return status;
	(*link)->host = device;
	(*link)->diagnose = options && options->diagnose;
	if (options && options->name)
		weir_copy_name((*link)->name, sizeof(*link)->name, options->name);
	return WEIR_OK;
}

weir_status weir_crew_handle(weir_crew_link *link, weir_crew *crew)
{
	if (!link || !crew)
		return weir_fail(WEIR_BAD_ARGUMENT, "link or crew is NULL");
	if (link->device)
		return weir_fail(WEIR_BAD_ARGUMENT, "the crew is on device %s",
		                 link->device->info.name);
	if (link->diagnose && !link->diagnosed) {
		weir_status status = weir_diagnosis_enlist_crew(link->host, link);
		if (status != WEIR_OK)
			return status;
	}
	*crew = weir_crew_make(link->table[link->config.rank], link->table, link->config);
	return WEIR_OK;
}

weir_status weir_crew_leave(weir_crew_link *link)
{
	weir_status status = WEIR_OK;

	if (!link)
		return weir_fail(WEIR_BAD_ARGUMENT, "link is NULL");
	weir_diagnosis_dismiss_crew(link);
	if (link->device)
		status = weir_crew_device_leave(link);
	/* Pairs with the acquire in the reports of others. */
	weir_store_rel(&link->table[link->config.rank][WEIR_SHARE_STATE], WEIR_SHARE_LEFT);
	free_link(link);
	return status;
}
