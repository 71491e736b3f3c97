#include "doctor/doctor.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Rank 1 runs in a thread, because each rank waits for the other to join. */
struct other {
	int socket;
	weir_device *host;
	const weir_crew_options *options;
	weir_crew_link **link;
};

static void *join_other(void *context)
{
	const struct other *o = context;
	const weir_crew_place place = {
	    .rank = 1, .ranks = 2, .sockets = &o->socket, .socket_count = 1};

	/* If it fails, so does rank 0, which reports the reason. */
	weir_crew_create(o->host, &place, o->options, o->link);
	return NULL;
}

static weir_status join_two(weir_device *host, const weir_crew_options *options, doctor_crew *crew)
{
	weir_crew_place place = {.ranks = 2, .socket_count = 1};
	struct other other = {.host = host, .options = options, .link = &crew->other};
	pthread_t thread;
	weir_status status;
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return weir_error_set(WEIR_NO_MEMORY, "no sockets: %s", strerror(errno));
	place.sockets = &ends[0];
	other.socket = ends[1];
	if (pthread_create(&thread, NULL, join_other, &other) != 0) {
		close(ends[0]);
		close(ends[1]);
		return weir_error_set(WEIR_NO_MEMORY, "cannot create a thread for a rank");
	}
	status = weir_crew_create(host, &place, options, &crew->first);
	pthread_join(thread, NULL);
	return status;
}

weir_status doctor_crew_join(weir_device *device, uint32_t ranks, const weir_crew_options *options,
                             doctor_crew *crew)
{
	const weir_crew_place alone = {.ranks = 1};
	weir_device_info info;
	weir_device *host = device;
	weir_status status;

	memset(crew, 0, sizeof *crew);
	status = weir_device_describe(device, &info);
	if (status == WEIR_OK && info.machine != WEIR_MACHINE_HOST) {
		status = weir_device_open("host", &crew->host);
		host = crew->host;
	}
	if (status == WEIR_OK)
		status = ranks == 2 ? join_two(host, options, crew)
		                    : weir_crew_create(host, &alone, options, &crew->first);
	if (status != WEIR_OK)
		return status;
	return crew->host ? weir_crew_on_device(crew->first, device, &crew->handle)
	                  : weir_crew_handle(crew->first, &crew->handle);
}

weir_status doctor_crew_leave(doctor_crew *crew)
{
	weir_status status = crew->first ? weir_crew_destroy(&crew->first) : WEIR_OK;

	if (crew->other)
		weir_crew_destroy(&crew->other);
	if (crew->host)
		weir_device_close(crew->host);
	memset(crew, 0, sizeof *crew);
	return status;
}
