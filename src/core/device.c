#include "core/device.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/name.h"
#include "base/status.h"
#include "base/version.h"
#include "core/backend.h"
#include "core/defaults.h"
#include "core/launch.h"
#include "core/notes.h"
#include "core/record.h"
#include "weir/kind.h"

static const weir_backend *const backends[WEIR_MACHINE_COUNT] = {
    [WEIR_MACHINE_CUDA] = &weir_cuda_backend,     [WEIR_MACHINE_HIP] = &weir_hip_backend,
#ifndef WEIR_WITHOUT_OPENCL
    [WEIR_MACHINE_OPENCL] = &weir_opencl_backend,
#endif
    [WEIR_MACHINE_HOST] = &weir_host_backend,     [WEIR_MACHINE_PTX] = &weir_ptx_backend,
};

/* Closed devices stay in the list, so that a pointer to a closed device is recognized. */
static weir_device *all_devices;
static pthread_mutex_t all_devices_lock = PTHREAD_MUTEX_INITIALIZER;

const char *weir_machine_absence(weir_machine machine)
{
	size_t count = 0;
	if ((unsigned)machine >= WEIR_MACHINE_COUNT)
		return "there is no such machine";
	if (!backends[machine])
		return "this build of weir does not include it";
	return backends[machine]->list(NULL, 0, &count);
}

/* The only definition of the best device: GPUs in the order of the machines, then the host, then
 * CPUs through OpenCL, which run on the same cores with a compiler in between. weir has not yet run
 * on any HIP device, so one is used only when it is named. So is the interpreter of PTX, which is for
 * looking at kernels. */
static int rank(const weir_device_info *info)
{
	if (info->machine == WEIR_MACHINE_HIP)
		return WEIR_MACHINE_COUNT + 2;
	if (info->machine == WEIR_MACHINE_PTX)
		return WEIR_MACHINE_COUNT + 3;
	if (info->is_gpu)
		return (int)info->machine;
	return info->machine == WEIR_MACHINE_HOST ? WEIR_MACHINE_COUNT : WEIR_MACHINE_COUNT + 1;
}

/* Stable: devices of the same rank stay in their driver's order. */
static void sort_by_rank(weir_device_info *infos, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		weir_device_info moved = infos[i];
		size_t at = i;
		for (; at > 0 && rank(&infos[at - 1]) > rank(&moved); at--)
			infos[at] = infos[at - 1];
		infos[at] = moved;
	}
}

static size_t list_machines(weir_device_info *infos, size_t room)
{
	size_t count = 0;

	for (int machine = 0; machine < WEIR_MACHINE_COUNT; machine++) {
		size_t here = 0;
		size_t left = room > count ? room - count : 0;
		if (!backends[machine])
			continue;
		backends[machine]->list(left ? infos + count : NULL, left, &here);
		count += here;
	}
	return count;
}

/* All devices, best first; the caller frees them. */
static weir_status list_best_first(weir_device_info **infos, size_t *count)
{
	size_t room = list_machines(NULL, 0);

	*infos = calloc(room + 1, sizeof **infos);
	if (!*infos)
		return weir_fail(WEIR_NO_MEMORY, "no memory for the list of devices");
	*count = list_machines(*infos, room);
	if (*count > room)
		*count = room; /* a device appeared in the meantime */
	sort_by_rank(*infos, *count);
	return WEIR_OK;
}

weir_status weir_device_list(weir_device_info *infos, size_t room, size_t *count)
{
	weir_device_info *all;

	if (!count || (!infos && room))
		return weir_fail(WEIR_BAD_ARGUMENT, "weir_device_list needs a place to write to");
	*count = 0;
	weir_status status = list_best_first(&all, count);
	if (status != WEIR_OK)
		return status;
	if (room > 0)
		memcpy(infos, all, (*count < room ? *count : room) * sizeof *all);
	free(all);
	return WEIR_OK;
}

weir_status weir_device_check(weir_device *device)
{
	weir_device *known;
	int open = 0;

	if (!device)
		return weir_fail(WEIR_BAD_ARGUMENT, "the device is NULL");
	pthread_mutex_lock(&all_devices_lock);
	for (known = all_devices; known && known != device; known = known->next)
		;
	if (known)
		open = known->open;
	pthread_mutex_unlock(&all_devices_lock);
	if (!known)
		return weir_fail(WEIR_BAD_ARGUMENT, "not a device returned by weir_device_open");
	if (!open)
		return weir_fail(WEIR_DEVICE_CLOSED, "device %s was closed", device->info.name);
	return WEIR_OK;
}

int weir_devices_look(int (*look)(weir_device *device, void *context), void *context)
{
	int found = 0;

	pthread_mutex_lock(&all_devices_lock);
	for (weir_device *device = all_devices; device && !found; device = device->next)
		if (device->open)
			found = look(device, context);
	pthread_mutex_unlock(&all_devices_lock);
	return found;
}

static weir_status keep(const weir_backend *backend, void *state, const weir_device_info *info,
                        weir_device **device)
{
	weir_device *made = calloc(1, sizeof *made);
	if (!made) {
		backend->close(state);
		return weir_fail(WEIR_NO_MEMORY, "no memory for a device");
	}
	made->backend = backend;
	made->state = state;
	made->info = *info;
	made->open = 1;
	weir_status status = weir_defaults_load(made);
	if (status != WEIR_OK) {
		backend->close(state);
		free(made);
		return status;
	}
	pthread_mutex_init(&made->lock, NULL);
	pthread_mutex_lock(&all_devices_lock);
	made->next = all_devices;
	all_devices = made;
	pthread_mutex_unlock(&all_devices_lock);
	*device = made;
	return WEIR_OK;
}

/* "cuda:1" -> (cuda, 1), "host" -> (host, 0), "ptx:sms=4" -> (ptx, "sms=4"). Of a machine whose
 * devices have parameters, `*parameters` is not NULL. */
static weir_status parse_name(const char *name, weir_machine *machine, uint32_t *index,
                              const char **parameters)
{
	*parameters = NULL;
	for (int m = 0; m < WEIR_MACHINE_COUNT; m++) {
		const char *known = weir_machine_name((weir_machine)m);
		size_t length = strlen(known);
		if (strncmp(name, known, length) != 0)
			continue;
		*machine = (weir_machine)m;
		*index = 0;
		if (backends[m] && backends[m]->open_with && strchr(":", name[length])) {
			*parameters = name + length + (name[length] == ':');
			return WEIR_OK;
		}
		if (name[length] == '\0')
			return WEIR_OK;
		if (name[length] == ':' && isdigit((unsigned char)name[length + 1])) {
			char *end;
			unsigned long value = strtoul(name + length + 1, &end, 10);
			*index = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
			if (*end == '\0')
				return WEIR_OK;
		}
	}
	return weir_fail(
	    WEIR_NO_DEVICE,
	    "'%s' is not the name of a device: use cuda:N, hip:N, opencl:N, host or ptx", name);
}

static weir_status open_with(weir_machine machine, const char *parameters, weir_device **device)
{
	weir_device_info info;
	void *state;

	memset(&info, 0, sizeof info);
	weir_status status = backends[machine]->open_with(parameters, &state, &info);
	return status == WEIR_OK ? keep(backends[machine], state, &info, device) : status;
}

static weir_status open_index(weir_machine machine, uint32_t index, weir_device **device)
{
	weir_device_info info;
	void *state;
	size_t count = 0;
	const char *absence = weir_machine_absence(machine);

	if (*absence)
		return weir_fail(WEIR_NO_DEVICE, "no %s device: %s", weir_machine_name(machine),
		                 absence);
	backends[machine]->list(NULL, 0, &count);
	if (index >= count)
		return weir_fail(WEIR_NO_DEVICE, "no device %s:%u: the last is %s:%zu",
		                 weir_machine_name(machine), index, weir_machine_name(machine),
		                 count - 1);
	memset(&info, 0, sizeof info);
	weir_status status = backends[machine]->open(index, &state, &info);
	if (status != WEIR_OK)
		return status;
	return keep(backends[machine], state, &info, device);
}

static weir_status open_named(const char *name, weir_device **device)
{
	weir_machine machine;
	const char *parameters;
	uint32_t index;
	weir_status status = parse_name(name, &machine, &index, &parameters);

	if (status != WEIR_OK)
		return status;
	return parameters ? open_with(machine, parameters, device)
	                  : open_index(machine, index, device);
}

static weir_status open_best(weir_device **device)
{
	weir_device_info *infos;
	size_t count = 0;
	weir_status status = list_best_first(&infos, &count);

	if (status != WEIR_OK)
		return status;
	status = WEIR_NO_DEVICE;
	for (size_t i = 0; i < count && status != WEIR_OK; i++)
		status = open_named(infos[i].name, device);
	free(infos);
	return status;
}

weir_status weir_device_open_for(const char *version, const char *name, weir_device **device)
{
	weir_status status;

	if (!device)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "weir_device_open needs a place for the device");
	*device = NULL;
	status = weir_version_check(version);
	if (status != WEIR_OK)
		return status;
	return name ? open_named(name, device) : open_best(device);
}

weir_status weir_device_open_opencl_for(const char *version, void *context, void *cl_device,
                                        void *queue, weir_device **device)
{
	if (!context || !cl_device || !queue || !device)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "weir_device_open_opencl needs a context, a device and a queue");
	*device = NULL;
	weir_status status = weir_version_check(version);
	if (status != WEIR_OK)
		return status;
#ifdef WEIR_WITHOUT_OPENCL
	return weir_fail(WEIR_NO_DEVICE, "this build of weir does not include OpenCL");
#else
	weir_device_info info;
	void *state;
	memset(&info, 0, sizeof info);
	status = weir_opencl_adopt(context, cl_device, queue, &state, &info);
	return status == WEIR_OK ? keep(&weir_opencl_backend, state, &info, device) : status;
#endif
}

weir_status weir_device_close(weir_device *device)
{
	weir_status status = weir_device_check(device);
	if (status != WEIR_OK)
		return status;
	weir_diagnosis_close(device);
	weir_programs_unload(device);
	while (device->records) {
		weir_record *record = device->records;
		device->records = record->next;
		weir_record_free(device, record);
	}
	device->backend->close(device->state);
	weir_defaults_drop(device);
	pthread_mutex_lock(&all_devices_lock);
	device->open = 0;
	device->state = NULL;
	pthread_mutex_unlock(&all_devices_lock);
	return WEIR_OK;
}

uint32_t weir_device_most_blocks(const weir_device *device)
{
	return device->backend->most_blocks(device->state);
}

int weir_device_has_word64(const weir_device *device)
{
	return !device->backend->has_word64 || device->backend->has_word64(device->state);
}

int weir_device_interrupt(weir_device *device, int ordered)
{
	const weir_backend *backend = device->backend;

	if (backend->interrupt && backend->interrupt(device->state))
		return 1;
	if (!backend->stop || ordered)
		return 0;
	backend->stop(device->state);
	return 1;
}

weir_status weir_device_check_idle(weir_device *device, const char *what)
{
	if (!device->backend->is_running(device->state))
		return WEIR_OK;
	return weir_fail(WEIR_BUSY, "a kernel still runs on %s: wait for it before you destroy %s",
	                 device->info.name, what);
}

weir_status weir_device_describe(weir_device *device, weir_device_info *info)
{
	weir_status status = weir_device_check(device);
	if (status != WEIR_OK)
		return status;
	if (!info)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "weir_device_describe needs a place to write to");
	*info = device->info;
	return WEIR_OK;
}

weir_status weir_device_wait(weir_device *device, uint64_t timeout_ns, double *elapsed_ms)
{
	weir_status status = weir_device_check(device);
	if (status != WEIR_OK)
		return status;
	if (elapsed_ms)
		*elapsed_ms = 0;
	status = device->backend->wait(device->state, timeout_ns, elapsed_ms);
	return weir_diagnosis_wait(device, status);
}

weir_status weir_device_reach(weir_device *device, weir_device *other)
{
	weir_status status = weir_device_check(device);

	if (status == WEIR_OK)
		status = weir_device_check(other);
	if (status != WEIR_OK)
		return status;
	if (device->backend != other->backend || !device->backend->reach)
		return weir_fail(WEIR_UNSUPPORTED, "kernels of %s cannot use memory of %s",
		                 device->info.name, other->info.name);
	return device == other ? WEIR_OK : device->backend->reach(device->state, other->state);
}
