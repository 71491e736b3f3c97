/* A crew in the memory of devices: each rank's process exports its share and imports those of the
 * others. The handles are passed in the ranks' shares of the host's memory. */
#define _POSIX_C_SOURCE 200809L
#include "crew/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/status.h"
#include "core/memory.h"
#include "crew/message.h"

/* The progress of a rank, in the host's part of its share. */
enum {
	EXPORTED = 1, /* the handle is available */
	DROPPED,      /* it has closed all memory of other ranks, or failed */
};

static weir_word *step_of(const weir_crew_link *link, uint32_t rank)
{
	return &link->peers[rank].share[WEIR_SHARE_STEP];
}

/* The handle of a rank's memory. Plain words: the step says when others may read them. */
static unsigned char *handle_of(const weir_crew_link *link, uint32_t rank)
{
	return (unsigned char *)&link->peers[rank].share[WEIR_SHARE_HANDLE];
}

/* Waits until a rank has reached the step. Gives up when its process has ended. */
static weir_status await_step(const weir_crew_link *link, uint32_t rank, uint32_t step,
                              uint64_t deadline)
{
	const struct timespec moment = {.tv_nsec = 1000000};

	/* Pairs with the release in set_step. */
	while (weir_load_acq(step_of(link, rank)) < step) {
		weir_rank_state state = weir_crew_rank_state(link, rank);

		if (state == WEIR_RANK_DEAD || state == WEIR_RANK_LEFT)
			return weir_fail(WEIR_NO_RANK, "rank %u is gone", rank);
		if (weir_crew_left_ms(deadline) == 0)
			return weir_fail(WEIR_NO_RANK, "rank %u has not arrived within %.1f s",
			                 rank, link->seconds);
		nanosleep(&moment, NULL);
	}
	return WEIR_OK;
}

static void set_step(const weir_crew_link *link, uint32_t step)
{
	/* Pairs with the acquire in await_step. */
	weir_store_rel(step_of(link, link->config.rank), step);
}

static weir_status export_own(weir_crew_link *link)
{
	weir_device *device = link->device;
	uint32_t rank = link->config.rank;
	weir_status status = weir_area_open(device, link->bytes, &link->peers[rank].native);

	return status == WEIR_OK
	           ? weir_area_export(device, link->peers[rank].native, handle_of(link, rank))
	           : status;
}

static weir_status import_all(weir_crew_link *link)
{
	weir_device *device = link->device;
	uint64_t deadline = weir_crew_deadline(link->seconds);
	weir_status status = WEIR_OK;

	for (uint32_t i = 0; i < link->config.ranks && status == WEIR_OK; i++) {
		if (i == link->config.rank)
			continue;
		status = await_step(link, i, EXPORTED, deadline);
		if (status == WEIR_OK)
			status =
			    weir_area_import(device, handle_of(link, i), &link->peers[i].native);
	}
	return status;
}

/* Writes the addresses of all shares to where this rank's kernels read them. */
static weir_status make_table(weir_crew_link *link)
{
	weir_device *device = link->device;
	size_t bytes = link->config.ranks * sizeof(void *);
	void **addresses = calloc(link->config.ranks, sizeof(void *));
	weir_status status;

	if (!addresses)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a table of %u ranks",
		                 link->config.ranks);
	for (uint32_t i = 0; i < link->config.ranks; i++)
		addresses[i] = link->peers[i].native;
	status = weir_memory_allocate(device, bytes, &link->device_table);
	if (status == WEIR_OK)
		status = weir_memory_write(device, link->device_table, 0, addresses, bytes);
	free(addresses);
	return status;
}

weir_status weir_crew_on_device(weir_crew_link *link, weir_device *device, weir_crew *crew)
{
	weir_status status;

	if (!link || !crew)
		return weir_fail(WEIR_BAD_ARGUMENT, "link or crew is NULL");
	status = weir_device_check(device);
	if (status == WEIR_OK)
		status = weir_area_can_export(device);
	if (status != WEIR_OK)
		return status;
	if (link->device)
		return weir_fail(WEIR_BAD_ARGUMENT, "the crew is already on device %s",
		                 link->device->info.name);
	link->device = device;
	status = export_own(link);
	if (status == WEIR_OK) {
		set_step(link, EXPORTED);
		status = import_all(link);
	}
	if (status == WEIR_OK)
		status = make_table(link);
	if (status == WEIR_OK && link->diagnose)
		status = weir_crew_register(link, device);
	if (status != WEIR_OK) {
		char text[512];
		snprintf(text, sizeof text, "%s", weir_error_text());
		weir_crew_device_leave(link);
		return weir_fail(status, "%s", text);
	}
	link->config.pitch = 1; /* a warp reads 32 slots at once */
	*crew =
	    weir_crew_make(link->peers[link->config.rank].native, link->device_table, link->config);
	return WEIR_OK;
}

weir_status weir_crew_device_leave(weir_crew_link *link)
{
	weir_device *device = link->device;
	uint64_t deadline = weir_crew_deadline(link->seconds);
	weir_status status = WEIR_OK;

	for (uint32_t i = 0; i < link->config.ranks; i++)
		if (i != link->config.rank && link->peers[i].native)
			weir_area_drop(device, link->peers[i].native);
	set_step(link, DROPPED);
	if (link->device_table)
		weir_memory_release(device, link->device_table);
	link->device_table = NULL;
	link->device = NULL;
	if (!link->peers[link->config.rank].native)
		return WEIR_OK;
	for (uint32_t i = 0; i < link->config.ranks; i++)
		if (i != link->config.rank && await_step(link, i, DROPPED, deadline) != WEIR_OK) {
			weir_rank_state state = weir_crew_rank_state(link, i);

			if (state != WEIR_RANK_DEAD && state != WEIR_RANK_LEFT)
				status = weir_fail(WEIR_TIMED_OUT,
				                   "rank %u still has this rank's memory open", i);
		}
	if (status == WEIR_OK)
		weir_area_close(device, link->peers[link->config.rank].native);
	for (uint32_t i = 0; i < link->config.ranks; i++)
		link->peers[i].native = NULL;
	return status;
}

weir_status weir_crew_host_abort(weir_crew_link *link)
{
	uint32_t value;

	if (!link)
		return weir_fail(WEIR_BAD_ARGUMENT, "link is NULL");
	value = 1 + link->config.rank;
	for (uint32_t i = 0; i < link->config.ranks; i++) {
		weir_rank_state state = weir_crew_rank_state(link, i);

		/* Relaxed: it only ends waits. */
		weir_store_rlx(link->peers[i].share, value);
		if (link->device && (state == WEIR_RANK_ALIVE || state == WEIR_RANK_UNKNOWN))
			weir_area_poke(link->device, link->peers[i].native, 0, &value,
			               sizeof value);
	}
	return WEIR_OK;
}
