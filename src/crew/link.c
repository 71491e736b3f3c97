/* Joins and leaves a crew of processes on one host. Rank 0 makes the memory of all shares, waits
 * until every rank has identified itself, and gives each a descriptor of the memory. */
#define _GNU_SOURCE
#include "crew/link.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/name.h"
#include "base/status.h"
#include "core/device.h"
#include "core/notes.h"
#include "crew/device.h"
#include "crew/join.h"

#define SECONDS 60
/* Found by weir crew --simulate (doc/crew-cost.md). */
#define FLAT_UP_TO 144
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

static weir_status check_options(const weir_crew_options *options)
{
	const struct {
		const char *name;
		uint32_t value, most;
	} sizes[] = {{"blocks", options->blocks, WEIR_CREW_RANKS_MOST},
	             {"lanes", options->lanes, MOST_LANES},
	             {"events", options->events, MOST_EVENTS},
	             {"queue_slots", options->queue_slots, MOST_QUEUE},
	             {"radix", options->radix, WEIR_CREW_RANKS_MOST},
	             {"copies", options->copies, 1u << WEIR_CREW_BITS_MOST}};

	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
		if (sizes[i].value > sizes[i].most)
			return weir_fail(WEIR_BAD_ARGUMENT, "options.%s is %u; at most %u",
			                 sizes[i].name, sizes[i].value, sizes[i].most);
	if ((options->copies & (options->copies - 1)) != 0)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "options.copies is %u; a power of two, or 0 for one copy",
		                 options->copies);
	if (options->radix == 1)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "options.radix is 1; 2 or more, or 0 for weir's choice");
	if (options->data_bytes > MOST_DATA)
		return weir_fail(WEIR_BAD_ARGUMENT, "options.data_bytes is %zu; at most %zu",
		                 options->data_bytes, MOST_DATA);
	if (!(options->seconds >= 0) || options->seconds > 1e9)
		return weir_fail(WEIR_BAD_ARGUMENT, "%g seconds to wait for the ranks",
		                 options->seconds);
	return WEIR_OK;
}

static weir_status check_place(const weir_crew_place *place)
{
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
	return WEIR_OK;
}

/* Each must be a socket of the type that the messages need, and not equal any other in the list.
 * Enables the naming of senders. */
static weir_status check_sockets(const weir_crew_place *place)
{
	for (uint32_t i = 0; place->sockets && i < place->socket_count; i++) {
		int domain = 0, type = 0;
		socklen_t size = sizeof domain, size_too = sizeof type;
		int is_socket =
		    getsockopt(place->sockets[i], SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 &&
		    getsockopt(place->sockets[i], SOL_SOCKET, SO_TYPE, &type, &size_too) == 0;

		if (!is_socket || domain != AF_UNIX || type != SOCK_SEQPACKET)
			return weir_fail(WEIR_BAD_ARGUMENT,
			                 "descriptor %d of rank %u is not an open socket of the "
			                 "type SOCK_SEQPACKET; a rank joins once by its sockets",
			                 place->sockets[i], place->rank);
		for (uint32_t other = 0; other < i; other++)
			if (place->sockets[other] == place->sockets[i])
				return weir_fail(WEIR_BAD_ARGUMENT,
				                 "rank %u has the socket %d twice", place->rank,
				                 place->sockets[i]);
		weir_status status = weir_crew_name_senders(place->sockets[i]);
		if (status != WEIR_OK)
			return status;
	}
	return WEIR_OK;
}

static weir_crew_config config_of(const weir_crew_place *place, const weir_crew_options *options)
{
	weir_crew_config config = {.ranks = place->ranks, .rank = place->rank};

	config.pitch = WEIR_LINE_WORDS; /* writers on different cores */
	config.blocks = options->blocks ? options->blocks : 1;
	config.radix = options->radix ? options->radix : weir_crew_radix(place->ranks);
	while (1u << config.bits < options->copies)
		config.bits++;
	config.lanes = options->lanes ? options->lanes : 1;
	config.events = options->events;
	while (options->queue_slots != 0 &&
	       (config.queue_bits == 0 || 1u << config.queue_bits < options->queue_slots))
		config.queue_bits++;
	return config;
}

/* The size of the shares. The kernels' indices of lanes have 32 bits. */
static weir_status measure(weir_crew_link *link, size_t data)
{
	const weir_crew_config *config = &link->config;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint64_t slots = (uint64_t)weir_crew_rounds(*config) * (config->radix - 1);
	uint64_t lane = 2 * WEIR_LINE_WORDS + slots * config->pitch; /* at most */
	uint64_t words = weir_crew_head_(*config) + (config->lanes + 1) * lane;
	size_t all;

	if (words > UINT32_MAX)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "%u lanes of radix %u take up to %llu words of each rank; at most "
		                 "%u (a radix above the number of ranks, %u, gains nothing)",
		                 config->lanes, config->radix, (unsigned long long)words,
		                 UINT32_MAX, config->ranks);
	words = weir_crew_words(*config);
	if (__builtin_mul_overflow(words, sizeof(weir_word), &link->bytes) ||
	    __builtin_add_overflow(link->bytes, data, &link->bytes) ||
	    __builtin_add_overflow(link->bytes, page - 1, &link->stride) ||
	    __builtin_mul_overflow(link->stride / page * page, config->ranks, &all) ||
	    all > PTRDIFF_MAX)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "the shares of %u ranks with %zu bytes of data do not fit into "
		                 "the memory of a process",
		                 config->ranks, data);
	link->stride = link->stride / page * page;
	return WEIR_OK;
}

static void free_link(weir_crew_link *link)
{
	for (uint32_t i = 0; link->peers && i < link->config.ranks; i++)
		if (link->peers[i].process >= 0)
			close(link->peers[i].process);
	weir_share_unmap(link->memory, link->stride * link->config.ranks);
	free(link->peers);
	free(link->table);
	free(link);
}

static weir_status make_link(const weir_crew_config *config, const weir_crew_options *options,
                             weir_crew_link **made)
{
	weir_crew_link *link = calloc(1, sizeof *link);

	if (!link)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a crew");
	link->config = *config;
	link->seconds = options->seconds > 0 ? options->seconds : SECONDS;
	link->table = calloc(config->ranks, sizeof(weir_word *));
	link->peers = calloc(config->ranks, sizeof *link->peers);
	if (!link->table || !link->peers) {
		free_link(link);
		return weir_fail(WEIR_NO_MEMORY, "no memory for a crew of %u", config->ranks);
	}
	for (uint32_t i = 0; i < config->ranks; i++)
		link->peers[i].process = -1;
	weir_status status = measure(link, options->data_bytes);
	if (status != WEIR_OK)
		free_link(link);
	else
		*made = link;
	return status;
}

weir_status weir_crew_map(weir_crew_link *link, int memory)
{
	weir_status status =
	    weir_share_map(memory, link->stride * link->config.ranks, &link->memory);

	for (uint32_t i = 0; i < link->config.ranks && status == WEIR_OK; i++) {
		link->peers[i].share = (weir_word *)((char *)link->memory + i * link->stride);
		link->table[i] = link->peers[i].share;
	}
	return status;
}

weir_status weir_crew_set_peer(weir_crew_link *link, uint32_t rank, int pid, uint32_t blocks)
{
	weir_crew_peer *peer = &link->peers[rank];

	if (blocks == 0 || blocks > WEIR_CREW_RANKS_MOST)
		return weir_fail(WEIR_BAD_ARGUMENT, "rank %u has %u blocks", rank, blocks);
	peer->blocks = blocks;
	peer->pid = pid > 0 ? pid : 0;
	if (pid <= 0)
		return WEIR_OK;
	/* The descriptor keeps referring to this process even if its number is reused. */
	peer->process = (int)syscall(SYS_pidfd_open, pid, 0);
	if (peer->process < 0 && (errno == EMFILE || errno == ENFILE))
		return weir_crew_fail_system("no descriptor of another rank's process", errno);
	return WEIR_OK;
}

weir_crew_message weir_crew_message_of(const weir_crew_link *link, uint32_t what)
{
	const weir_crew_config *config = &link->config;

	return (weir_crew_message){.magic = WEIR_CREW_MAGIC,
	                           .version = WEIR_CREW_VERSION,
	                           .what = what,
	                           .rank = config->rank,
	                           .ranks = config->ranks,
	                           .radix = config->radix,
	                           .bits = config->bits,
	                           .lanes = config->lanes,
	                           .events = config->events,
	                           .queue_bits = config->queue_bits,
	                           .blocks = config->blocks,
	                           .bytes = link->bytes};
}

weir_status weir_crew_check_message(const weir_crew_link *link, const weir_crew_message *m,
                                    uint32_t what)
{
	const weir_crew_config *own = &link->config;

	if (m->ranks != own->ranks)
		return weir_fail(WEIR_BAD_ARGUMENT, "rank %u has a crew of %u ranks; rank %u of %u",
		                 m->rank, m->ranks, own->rank, own->ranks);
	if (m->rank >= own->ranks)
		return weir_fail(WEIR_BAD_ARGUMENT, "a message of rank %u of %u", m->rank,
		                 own->ranks);
	if (m->what != what)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "rank %u sent a message out of turn (%u instead of %u)", m->rank,
		                 m->what, what);
	if (m->radix != own->radix || m->bits != own->bits || m->lanes != own->lanes ||
	    m->events != own->events || m->queue_bits != own->queue_bits || m->bytes != link->bytes)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "rank %u has other options for the crew than rank %u (%llu bytes "
		                 "of memory, and %zu)",
		                 m->rank, own->rank, (unsigned long long)m->bytes, link->bytes);
	return WEIR_OK;
}

weir_status weir_crew_take_refusal(const weir_crew_message *m, const char *who)
{
	weir_status status = (weir_status)m->status;

	if (status != WEIR_NO_RANK && status != WEIR_NO_MEMORY && status != WEIR_DRIVER_ERROR)
		status = WEIR_BAD_ARGUMENT;
	return weir_fail(status, "%s%s", who, m->text[0] ? m->text : "there is no crew");
}

void weir_crew_refuse(int socket, uint32_t rank, uint32_t ranks, weir_status status)
{
	weir_crew_message m = {.magic = WEIR_CREW_MAGIC,
	                       .version = WEIR_CREW_VERSION,
	                       .what = WEIR_CREW_REFUSED,
	                       .rank = rank,
	                       .ranks = ranks,
	                       .status = status};
	char text[WEIR_CREW_ERROR_BYTES];

	snprintf(text, sizeof text, "%s", weir_error_text());
	snprintf(m.text, sizeof m.text, "%.*s", (int)sizeof m.text - 1, text);
	weir_crew_send(socket, 0, &m, -1);
	weir_explain("%s", text);
}

static weir_status join(const weir_crew_place *place, const weir_crew_options *options,
                        weir_crew_link **made)
{
	weir_crew_config config = config_of(place, options);
	weir_crew_link *link;
	weir_status status = make_link(&config, options, &link);

	if (status != WEIR_OK)
		return status;
	status = place->rank == 0 ? weir_crew_lead(link, place) : weir_crew_follow(link, place);
	if (status == WEIR_OK) {
		*made = link;
		return status;
	}
	/* For ranks that have joined in spite of the failure. Pairs with the acquire in their
	 * reports. */
	if (link->memory)
		weir_store_rel(&link->table[config.rank][WEIR_SHARE_STATE], WEIR_SHARE_LEFT);
	free_link(link);
	return status;
}

static weir_status check_and_join(weir_device *device, const weir_crew_place *place,
                                  const weir_crew_options *options, weir_crew_link **link)
{
	weir_status status = weir_device_check(device);

	if (status == WEIR_OK && device->info.machine != WEIR_MACHINE_HOST)
		status = weir_fail(WEIR_UNSUPPORTED,
		                   "%s: ranks join with the host, and then go on to a device "
		                   "(weir_crew_on_device)",
		                   device->info.name);
	if (status == WEIR_OK)
		status = check_options(options);
	return status == WEIR_OK ? join(place, options, link) : status;
}

weir_status weir_crew_create(weir_device *device, const weir_crew_place *place,
                             const weir_crew_options *options, weir_crew_link **link)
{
	static const weir_crew_options defaults;
	weir_status status;

	if (!place || !link)
		return weir_fail(WEIR_BAD_ARGUMENT, "place or link is NULL");
	*link = NULL;
	status = check_place(place);
	if (status == WEIR_OK)
		status = check_sockets(place);
	if (status != WEIR_OK)
		return status;
	status = check_and_join(device, place, options ? options : &defaults, link);
	for (uint32_t i = 0; place->sockets && i < place->socket_count; i++) {
		/* Ranks that have already been told do not read it. */
		if (status != WEIR_OK)
			weir_crew_refuse(place->sockets[i], place->rank, place->ranks, status);
		close(place->sockets[i]);
	}
	if (status != WEIR_OK)
		return status;
	(*link)->host = device;
	(*link)->diagnose = options && options->diagnose;
	if (options && options->name)
		weir_copy_name((*link)->name, sizeof(*link)->name, options->name);
	return WEIR_OK;
}

weir_status weir_crew_register(weir_crew_link *link, weir_device *device)
{
	weir_record record = {.primitive = WEIR_PRIMITIVE_CREW};
	weir_status status;
	weir_suspect *suspect;

	weir_crew_unregister(link);
	record.native =
	    link->device ? link->peers[link->config.rank].native : link->table[link->config.rank];
	record.offset = (WEIR_SHARE_HEADER + WEIR_HEADER_WORDS) * sizeof(weir_word);
	status = weir_diagnosis_register(device, &record, link->name);
	if (status != WEIR_OK)
		return status;
	link->config.id = record.config.object.id;
	link->diagnosed = device;
	suspect = &device->diagnosis->suspects[link->config.id];
	pthread_mutex_lock(&device->diagnosis->lock);
	suspect->crew = link->config;
	suspect->link = link;
	pthread_mutex_unlock(&device->diagnosis->lock);
	return WEIR_OK;
}

void weir_crew_unregister(weir_crew_link *link)
{
	/* The device may have been closed together with its diagnosis. */
	weir_diagnostics *d = link->diagnosed ? weir_diagnosis_of(link->diagnosed) : NULL;

	if (d) {
		pthread_mutex_lock(&d->lock);
		d->suspects[link->config.id].dead = 1;
		d->suspects[link->config.id].link = NULL;
		pthread_mutex_unlock(&d->lock);
	}
	link->diagnosed = NULL;
	link->config.id = 0;
}

weir_status weir_crew_handle(weir_crew_link *link, weir_crew *crew)
{
	if (!link || !crew)
		return weir_fail(WEIR_BAD_ARGUMENT, "link or crew is NULL");
	if (link->device)
		return weir_fail(WEIR_BAD_ARGUMENT, "the crew is on device %s",
		                 link->device->info.name);
	if (link->diagnose && !link->diagnosed) {
		weir_status status = weir_crew_register(link, link->host);
		if (status != WEIR_OK)
			return status;
	}
	*crew = weir_crew_make(link->table[link->config.rank], link->table, link->config);
	return WEIR_OK;
}

weir_status weir_crew_destroy(weir_crew_link **place)
{
	weir_crew_link *link = place ? *place : NULL;
	weir_status status = WEIR_OK;

	if (!link)
		return weir_fail(WEIR_BAD_ARGUMENT, "the link of the crew is NULL");
	*place = NULL;
	weir_crew_unregister(link);
	if (link->device)
		status = weir_crew_device_leave(link);
	/* Pairs with the acquire in the reports of others. */
	weir_store_rel(&link->table[link->config.rank][WEIR_SHARE_STATE], WEIR_SHARE_LEFT);
	free_link(link);
	return status;
}
