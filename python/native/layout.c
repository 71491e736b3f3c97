/* The C compiler's layout of the structures that Python fills and reads. */
#include "native.h"

#include "base/status.h"
#include "core/device.h"
#include "host/run.h"
#include "weir/ranks.h"

#define WHOLE(type)                                                                                \
	{                                                                                          \
#type, NULL, 0, sizeof(type)                                                       \
	}
#define AT(type, member)                                                                           \
	{                                                                                          \
#type, #member, offsetof(type, member), sizeof(((type *)0)->member)                \
	}

/* A handle: the words, and the members with which all configurations start. */
#define HANDLE(type)                                                                               \
	WHOLE(type), AT(type, words), {#type, "kind", offsetof(type, config.kind), 4},             \
	    {#type, "pitch", offsetof(type, config.pitch), 4},                                     \
	    {#type, "offset", offsetof(type, config.offset), 4},                                   \
	    {#type, "backoff_min", offsetof(type, config.backoff.min), 4},                         \
	    {#type, "backoff_max", offsetof(type, config.backoff.max), 4},                         \
	{                                                                                          \
#type, "id", offsetof(type, config.id), 4                                          \
	}
#define CONFIG(type, member)                                                                       \
	{                                                                                          \
#type, #member, offsetof(type, config.member), sizeof(((type *)0)->config.member)  \
	}

/* The options of a primitive: the members of all objects, and the backoff of objects that wait. */
#define OPTIONS(type)                                                                              \
	WHOLE(type), AT(type, object.memory), AT(type, object.memory_offset),                      \
	    AT(type, object.memory_bytes), AT(type, object.name), AT(type, object.diagnose),       \
	    AT(type, object.compact), AT(type, object.reserved)
#define BACKOFF(type) AT(type, backoff.min), AT(type, backoff.max), AT(type, has_backoff)

static const weir_python_member members[] = {
    HANDLE(weir_barrier),
    CONFIG(weir_barrier, blocks),
    CONFIG(weir_barrier, first_block),
    CONFIG(weir_barrier, part_of_grid),
    {"weir_barrier", "shape_bits", offsetof(weir_barrier, config.shape.bits), 4},
    HANDLE(weir_mutex),
    CONFIG(weir_mutex, slots),
    CONFIG(weir_mutex, cluster_slot),
    CONFIG(weir_mutex, unused),
    CONFIG(weir_mutex, unused_too),
    HANDLE(weir_mutex_array),
    CONFIG(weir_mutex_array, length),
    CONFIG(weir_mutex_array, stride),
    HANDLE(weir_semaphore),
    CONFIG(weir_semaphore, maximum),
    HANDLE(weir_event_array),
    CONFIG(weir_event_array, length),
    CONFIG(weir_event_array, bits),
    CONFIG(weir_event_array, apart),
    HANDLE(weir_queue),
    CONFIG(weir_queue, bits),
    {"weir_queue", "item_words", offsetof(weir_queue, config.words), 4},
    CONFIG(weir_queue, stride),
    CONFIG(weir_queue, single),
    HANDLE(weir_dispenser),
    CONFIG(weir_dispenser, items),
    CONFIG(weir_dispenser, share),
    CONFIG(weir_dispenser, takers),
    HANDLE(weir_tasks),
    CONFIG(weir_tasks, tasks),
    CONFIG(weir_tasks, edges),
    CONFIG(weir_tasks, sinks),
    {"weir_tasks", "roots_0", offsetof(weir_tasks, config.roots[0]), 4},
    {"weir_tasks", "roots_1", offsetof(weir_tasks, config.roots[1]), 4},
    {"weir_tasks", "roots_2", offsetof(weir_tasks, config.roots[2]), 4},
    CONFIG(weir_tasks, classes),
    CONFIG(weir_tasks, bits),
    CONFIG(weir_tasks, room),
    CONFIG(weir_tasks, is_local),
    CONFIG(weir_tasks, counts_all),
    HANDLE(weir_condition),
    CONFIG(weir_condition, slots),
    HANDLE(weir_rwlock),
    CONFIG(weir_rwlock, bits),
    HANDLE(weir_once),
    HANDLE(weir_combiner),
    CONFIG(weir_combiner, seats),
    {"weir_combiner", "item_words", offsetof(weir_combiner, config.words), 4},
    CONFIG(weir_combiner, is_served),
    HANDLE(weir_group),
    CONFIG(weir_group, most_members),
    CONFIG(weir_group, askers),
    CONFIG(weir_group, delay),
    {"weir_group", "shape_bits", offsetof(weir_group, config.shape.bits), 4},
    HANDLE(weir_crew),
    AT(weir_crew, table),
    CONFIG(weir_crew, ranks),
    CONFIG(weir_crew, rank),
    CONFIG(weir_crew, blocks),
    CONFIG(weir_crew, first_block),
    CONFIG(weir_crew, radix),
    CONFIG(weir_crew, bits),
    CONFIG(weir_crew, lanes),
    CONFIG(weir_crew, events),
    CONFIG(weir_crew, queue_bits),
    CONFIG(weir_crew, stride),
    WHOLE(weir_crew_place),
    AT(weir_crew_place, rank),
    AT(weir_crew_place, ranks),
    AT(weir_crew_place, sockets),
    AT(weir_crew_place, socket_count),
    AT(weir_crew_place, name),
    WHOLE(weir_crew_options),
    AT(weir_crew_options, blocks),
    AT(weir_crew_options, lanes),
    AT(weir_crew_options, events),
    AT(weir_crew_options, queue_slots),
    AT(weir_crew_options, radix),
    AT(weir_crew_options, copies),
    AT(weir_crew_options, data_bytes),
    AT(weir_crew_options, seconds),
    AT(weir_crew_options, diagnose),
    AT(weir_crew_options, name),
    WHOLE(weir_rank_report),
    AT(weir_rank_report, state),
    AT(weir_rank_report, pid),
    AT(weir_rank_report, has_arrived),
    AT(weir_rank_report, passed),
    AT(weir_rank_report, arrived),
    WHOLE(weir_crew_report),
    AT(weir_crew_report, ranks),
    AT(weir_crew_report, missing),
    AT(weir_crew_report, gone),
    AT(weir_crew_report, phase),
    AT(weir_crew_report, lane),
    AT(weir_crew_report, rank),
    AT(weir_crew_report, text),
    WHOLE(weir_device_info),
    AT(weir_device_info, machine),
    AT(weir_device_info, name),
    AT(weir_device_info, description),
    AT(weir_device_info, driver),
    AT(weir_device_info, is_gpu),
    AT(weir_device_info, units),
    AT(weir_device_info, max_threads_per_block),
    AT(weir_device_info, resident_blocks_at_128),
    AT(weir_device_info, l2_bytes),
    AT(weir_device_info, cluster_blocks),
    WHOLE(weir_cuda_handles),
    AT(weir_cuda_handles, device),
    AT(weir_cuda_handles, context),
    AT(weir_cuda_handles, stream),
    WHOLE(weir_buffer),
    AT(weir_buffer, native),
    AT(weir_buffer, bytes),
    OPTIONS(weir_barrier_options),
    AT(weir_barrier_options, kind),
    BACKOFF(weir_barrier_options),
    AT(weir_barrier_options, shards),
    AT(weir_barrier_options, part_of_grid),
    AT(weir_barrier_options, first_block),
    OPTIONS(weir_mutex_options),
    AT(weir_mutex_options, kind),
    BACKOFF(weir_mutex_options),
    AT(weir_mutex_options, fair),
    AT(weir_mutex_options, queue_slots),
    OPTIONS(weir_mutex_array_options),
    AT(weir_mutex_array_options, kind),
    BACKOFF(weir_mutex_array_options),
    AT(weir_mutex_array_options, fair),
    OPTIONS(weir_semaphore_options),
    AT(weir_semaphore_options, kind),
    BACKOFF(weir_semaphore_options),
    OPTIONS(weir_group_options),
    AT(weir_group_options, kind),
    BACKOFF(weir_group_options),
    AT(weir_group_options, shards),
    AT(weir_group_options, delay),
    AT(weir_group_options, has_delay),
    OPTIONS(weir_event_array_options),
    AT(weir_event_array_options, kind),
    AT(weir_event_array_options, signallers),
    AT(weir_event_array_options, waiters),
    AT(weir_event_array_options, copies),
    AT(weir_event_array_options, shards),
    AT(weir_event_array_options, host_visible),
    OPTIONS(weir_queue_options),
    AT(weir_queue_options, kind),
    BACKOFF(weir_queue_options),
    AT(weir_queue_options, single),
    AT(weir_queue_options, host_side),
    OPTIONS(weir_dispenser_options),
    AT(weir_dispenser_options, share),
    AT(weir_dispenser_options, takers),
    OPTIONS(weir_tasks_options),
    BACKOFF(weir_tasks_options),
    AT(weir_tasks_options, room),
    AT(weir_tasks_options, local),
    OPTIONS(weir_condition_options),
    BACKOFF(weir_condition_options),
    AT(weir_condition_options, waiters),
    OPTIONS(weir_rwlock_options),
    AT(weir_rwlock_options, kind),
    BACKOFF(weir_rwlock_options),
    AT(weir_rwlock_options, reader_counts),
    OPTIONS(weir_once_options),
    BACKOFF(weir_once_options),
    OPTIONS(weir_combiner_options),
    BACKOFF(weir_combiner_options),
    AT(weir_combiner_options, words),
    AT(weir_combiner_options, served),
    WHOLE(weir_graph),
    AT(weir_graph, tasks),
    AT(weir_graph, first),
    AT(weir_graph, successors),
    AT(weir_graph, counts),
    AT(weir_graph, levels),
    AT(weir_graph, is_trusted),
    WHOLE(weir_kernel),
    AT(weir_kernel, native),
    AT(weir_kernel, host),
    WHOLE(weir_program_text),
    AT(weir_program_text, cuda_image),
    AT(weir_program_text, hip_image),
    AT(weir_program_text, opencl_text),
    AT(weir_program_text, opencl_options),
    AT(weir_program_text, host_entries),
    AT(weir_program_text, host_entry_count),
    WHOLE(weir_argument),
    AT(weir_argument, value),
    AT(weir_argument, bytes),
    WHOLE(weir_launch),
    AT(weir_launch, kernel),
    AT(weir_launch, grid),
    AT(weir_launch, block),
    AT(weir_launch, cluster),
    AT(weir_launch, shared_bytes),
    AT(weir_launch, stream),
    AT(weir_launch, cooperative),
    AT(weir_launch, barrier),
    AT(weir_launch, arguments),
    AT(weir_launch, argument_count),
    WHOLE(weir_diagnosis),
    AT(weir_diagnosis, text),
    AT(weir_diagnosis, json),
    AT(weir_diagnosis, findings),
    AT(weir_diagnosis, waiting),
    WHOLE(weir_python_call),
    AT(weir_python_call, object),
    AT(weir_python_call, other),
    AT(weir_python_call, items),
    AT(weir_python_call, site),
    AT(weir_python_call, ns),
    AT(weir_python_call, numbers),
    AT(weir_python_call, result),
    AT(weir_python_call, team),
    {NULL, NULL, 0, 0},
};

const weir_python_member *weir_python_members(void)
{
	return members;
}

weir_status weir_python_end(weir_device *device)
{
	weir_status status = weir_device_check(device);

	if (status != WEIR_OK)
		return status;
	if (device->info.machine != WEIR_MACHINE_HOST)
		return weir_fail(WEIR_UNSUPPORTED, "only a launch on the host can be ended");
	weir_device_interrupt(device, 0);
	return WEIR_OK;
}

void weir_python_stacks(size_t bytes)
{
	weir_host_stacks(bytes);
}
