/* weir, the host side: devices, objects, kernels.
 *
 * Every function returns a weir_status. After a failure weir_error_text() says in one line what was
 * wrong, for the calling thread. No function ends the process or prints. Several threads may use a
 * device and its objects at once, except that closing the device must come last.
 *
 * The header is also for C++, and for CUDA sources, where the handles are those that kernels take.
 */
#ifndef WEIR_WEIR_H
#define WEIR_WEIR_H

#include <stddef.h>
#include <stdint.h>

#include "weir/config.h"
#include "weir/options.h"
#include "weir/status.h"
#include "weir/version.h"

/* A shared library exports only the declarations between this push and the pop at the end. */
#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* What the status means, in a few words. Never NULL. */
const char *weir_status_text(weir_status status);

/* What went wrong in this thread's last call that did not return WEIR_OK. Never NULL. */
const char *weir_error_text(void);

/* Keeps a text for this thread's weir_error_text and returns `status`: for code above the library that
 * reports its failures the same way. The text ends after 1023 bytes. */
weir_status weir_error_set(weir_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The version of the library that runs, as WEIR_VERSION is that of the headers. */
const char *weir_version(void);

/* ---- devices ---- */

typedef enum weir_machine {
	WEIR_MACHINE_CUDA,
	WEIR_MACHINE_HIP,
	WEIR_MACHINE_OPENCL,
	WEIR_MACHINE_HOST,
	WEIR_MACHINE_PTX, /* PTX on the CPU, by an interpreter: a model of a GPU, to look at kernels */
	WEIR_MACHINE_COUNT
} weir_machine;

typedef struct weir_device weir_device;

typedef struct weir_device_info {
	weir_machine machine;
	char name
	    [32]; /* what weir_device_open takes: "cuda:0", "hip:0", "opencl:1", "host", "ptx" */
	char description[128]; /* the driver's name for it */
	char driver[64];
	int is_gpu;
	uint32_t units; /* multiprocessors, compute units or cores */
	uint32_t max_threads_per_block;
	uint32_t resident_blocks_at_128; /* the most blocks of 128 threads that run at once */
	uint64_t l2_bytes;               /* 0: not known */
	uint32_t cluster_blocks; /* the most blocks in a cluster of any kernel; 0: no clusters */
} weir_device_info;

/* Writes the usable devices into `infos`, which has room for `room` of them, and their number into
 * `count`. Best first: CUDA devices, GPUs through OpenCL, the host, CPUs through OpenCL, and HIP
 * devices, on which weir has not run yet. `infos` may be NULL when `room` is 0. Unused bytes of an
 * info are zero, also those after the end of its texts. */
weir_status weir_device_list(weir_device_info *infos, size_t room, size_t *count);

/* Why there is no device of that machine here, or "" when there is one. Never NULL. */
const char *weir_machine_absence(weir_machine machine);

/* "cuda", "hip", "opencl" or "host"; "unknown" for anything else. */
const char *weir_machine_name(weir_machine machine);

/* What the two functions after these call, with the version of the headers that the caller was written
 * for. WEIR_OTHER_VERSION when that is of another series than the library. Callers in other languages
 * pass the version that they know. */
weir_status weir_device_open_for(const char *version, const char *name, weir_device **device);
weir_status weir_device_open_opencl_for(const char *version, void *context, void *cl_device,
                                        void *queue, weir_device **device);

/* Opens a device by its name; "cuda" means "cuda:0". "ptx" may have parameters: "ptx:sms=4,blocks=2". NULL means the best device: the first of
 * weir_device_list that opens. A CUDA device is opened with its primary context, which the runtime
 * API and the frameworks use too. */
static inline weir_status weir_device_open(const char *name, weir_device **device)
{
	return weir_device_open_for(WEIR_VERSION, name, device);
}

/* Opens a device over the caller's OpenCL objects: cl_context, cl_device_id, cl_command_queue. */
static inline weir_status weir_device_open_opencl(void *context, void *cl_device, void *queue,
                                                  weir_device **device)
{
	return weir_device_open_opencl_for(WEIR_VERSION, context, cl_device, queue, device);
}

/* Closes the device and destroys everything left on it. Later calls with it return WEIR_DEVICE_CLOSED. */
weir_status weir_device_close(weir_device *device);

weir_status weir_device_describe(weir_device *device, weir_device_info *info);

/* The CUDA objects of an open device, for calls of the driver API beside weir's. The library owns
 * them: they are valid until the device is closed. */
typedef struct weir_cuda_handles {
	int device;    /* a CUdevice */
	void *context; /* a CUcontext */
	void *stream;  /* a CUstream: weir launches on it unless a launch names another */
} weir_cuda_handles;

/* WEIR_UNSUPPORTED when the device is not a CUDA device. */
weir_status weir_device_cuda_handles(weir_device *device, weir_cuda_handles *handles);

/* ---- memory ---- */

/* Memory of a device. `native` is a device address, a cl_mem or a host address; a kernel gets it
 * as the argument {&buffer.native, sizeof buffer.native}. */
typedef struct weir_buffer {
	void *native;
	size_t bytes;
} weir_buffer;

/* Zeroed. */
weir_status weir_buffer_create(weir_device *device, size_t bytes, weir_buffer *buffer);
/* The same in memory that the host shares with running kernels: pinned memory for CUDA. `native` is
 * an address for both. Host and kernels use it as plain memory, and let events or queues that are
 * host_visible say when. weir_buffer_write and weir_buffer_read copy at once, whatever runs. WEIR_UNSUPPORTED for
 * OpenCL. */
weir_status weir_buffer_create_shared(weir_device *device, size_t bytes, weir_buffer *buffer);
weir_status weir_buffer_write(weir_device *device, weir_buffer buffer, size_t offset,
                              const void *from, size_t bytes);
weir_status weir_buffer_read(weir_device *device, weir_buffer buffer, size_t offset, void *to,
                             size_t bytes);
weir_status weir_buffer_destroy(weir_device *device, weir_buffer *buffer);

/* ---- objects ----
 *
 * Every primitive X has the same four functions. Between the device and the options stand what an object
 * cannot do without, the same for a size and a creation:
 *
 *   weir_X_size(device, ..., options, &bytes, &alignment)
 *   weir_X_create(device, ..., options, &x)
 *   weir_X_reset(device, x)
 *   weir_X_destroy(device, &x)
 *
 * `options` is NULL for the defaults, or one of the structs of weir/options.h, where the kind is, too.
 *
 * size      Bytes and alignment of the object that creation would make with these arguments, for memory of
 *           the caller's (options->object.memory). It fails as the creation would.
 * create    Makes an object in its first state, and its handle for kernels. A failed creation leaves a
 *           handle of zeros. WEIR_BAD_ARGUMENT for what cannot be, WEIR_UNSUPPORTED for what this device
 *           or kind cannot do, WEIR_NO_MEMORY.
 * reset     Restores the state after creation. No kernel may be using the object: WEIR_BUSY while one runs
 *           that has outlasted a wait, else it waits for the device's own stream.
 * destroy   Frees the object, if its memory is weir's, and clears the handle. WEIR_NOT_FOUND when it was
 *           destroyed before, or is one of another device. WEIR_BUSY as for a reset, and then the object
 *           stays. The memory of a diagnosed object stays until the device is closed or another object
 *           needs its number. Until then a kernel that still uses the object is reported.
 *
 * The functions that end in _sized are those of the library, for callers that cannot include this header:
 * `options_bytes` is the size of the struct that the caller knows.
 * Any thread may call them, several at once, for one device; but no two for one object. */

/* A barrier for grids of exactly `blocks` blocks, or with options->part_of_grid for a part of larger
 * grids. WEIR_TOO_MANY_BLOCKS when this device cannot run so many blocks of any kernel at once. */
weir_status weir_barrier_create_sized(weir_device *device, uint32_t blocks,
                                      const weir_barrier_options *options, size_t options_bytes,
                                      weir_barrier *barrier);
weir_status weir_barrier_size_sized(weir_device *device, uint32_t blocks,
                                    const weir_barrier_options *options, size_t options_bytes,
                                    size_t *bytes, size_t *alignment);
static inline weir_status weir_barrier_create(weir_device *device, uint32_t blocks,
                                              const weir_barrier_options *options,
                                              weir_barrier *barrier)
{
	return weir_barrier_create_sized(device, blocks, options, sizeof *options, barrier);
}
static inline weir_status weir_barrier_size(weir_device *device, uint32_t blocks,
                                            const weir_barrier_options *options, size_t *bytes,
                                            size_t *alignment)
{
	return weir_barrier_size_sized(device, blocks, options, sizeof *options, bytes, alignment);
}
weir_status weir_barrier_reset(weir_device *device, weir_barrier barrier);
weir_status weir_barrier_destroy(weir_device *device, weir_barrier *barrier);

/* A mutex, which is free. */
weir_status weir_mutex_create_sized(weir_device *device, const weir_mutex_options *options,
                                    size_t options_bytes, weir_mutex *mutex);
weir_status weir_mutex_size_sized(weir_device *device, const weir_mutex_options *options,
                                  size_t options_bytes, size_t *bytes, size_t *alignment);
static inline weir_status weir_mutex_create(weir_device *device, const weir_mutex_options *options,
                                            weir_mutex *mutex)
{
	return weir_mutex_create_sized(device, options, sizeof *options, mutex);
}
static inline weir_status weir_mutex_size(weir_device *device, const weir_mutex_options *options,
                                          size_t *bytes, size_t *alignment)
{
	return weir_mutex_size_sized(device, options, sizeof *options, bytes, alignment);
}
weir_status weir_mutex_reset(weir_device *device, weir_mutex mutex);
weir_status weir_mutex_destroy(weir_device *device, weir_mutex *mutex);

/* `length` mutexes in a row, up to 2^28: weir_mutex_at is one of them. */
weir_status weir_mutex_array_create_sized(weir_device *device, uint32_t length,
                                          const weir_mutex_array_options *options,
                                          size_t options_bytes, weir_mutex_array *array);
weir_status weir_mutex_array_size_sized(weir_device *device, uint32_t length,
                                        const weir_mutex_array_options *options,
                                        size_t options_bytes, size_t *bytes, size_t *alignment);
static inline weir_status weir_mutex_array_create(weir_device *device, uint32_t length,
                                                  const weir_mutex_array_options *options,
                                                  weir_mutex_array *array)
{
	return weir_mutex_array_create_sized(device, length, options, sizeof *options, array);
}
static inline weir_status weir_mutex_array_size(weir_device *device, uint32_t length,
                                                const weir_mutex_array_options *options,
                                                size_t *bytes, size_t *alignment)
{
	return weir_mutex_array_size_sized(device, length, options, sizeof *options, bytes,
	                                   alignment);
}
weir_status weir_mutex_array_reset(weir_device *device, weir_mutex_array array);
weir_status weir_mutex_array_destroy(weir_device *device, weir_mutex_array *array);

/* A semaphore of `maximum` slots, at most 2^31 - 1, `initial` of them free. */
weir_status weir_semaphore_create_sized(weir_device *device, uint32_t initial, uint32_t maximum,
                                        const weir_semaphore_options *options, size_t options_bytes,
                                        weir_semaphore *semaphore);
weir_status weir_semaphore_size_sized(weir_device *device, uint32_t initial, uint32_t maximum,
                                      const weir_semaphore_options *options, size_t options_bytes,
                                      size_t *bytes, size_t *alignment);
static inline weir_status weir_semaphore_create(weir_device *device, uint32_t initial,
                                                uint32_t maximum,
                                                const weir_semaphore_options *options,
                                                weir_semaphore *semaphore)
{
	return weir_semaphore_create_sized(device, initial, maximum, options, sizeof *options,
	                                   semaphore);
}
static inline weir_status weir_semaphore_size(weir_device *device, uint32_t initial,
                                              uint32_t maximum,
                                              const weir_semaphore_options *options, size_t *bytes,
                                              size_t *alignment)
{
	return weir_semaphore_size_sized(device, initial, maximum, options, sizeof *options, bytes,
	                                 alignment);
}
weir_status weir_semaphore_reset(weir_device *device, weir_semaphore semaphore);
weir_status weir_semaphore_destroy(weir_device *device, weir_semaphore *semaphore);

/* `length` events in a row, up to 2^28, whose counts are 0: weir_event_at is one of them. Nothing needs a
 * reset between launches, not even targets that are relative to one (weir/event/round.h). */
weir_status weir_event_array_create_sized(weir_device *device, uint32_t length,
                                          const weir_event_array_options *options,
                                          size_t options_bytes, weir_event_array *array);
weir_status weir_event_array_size_sized(weir_device *device, uint32_t length,
                                        const weir_event_array_options *options,
                                        size_t options_bytes, size_t *bytes, size_t *alignment);
static inline weir_status weir_event_array_create(weir_device *device, uint32_t length,
                                                  const weir_event_array_options *options,
                                                  weir_event_array *array)
{
	return weir_event_array_create_sized(device, length, options, sizeof *options, array);
}
static inline weir_status weir_event_array_size(weir_device *device, uint32_t length,
                                                const weir_event_array_options *options,
                                                size_t *bytes, size_t *alignment)
{
	return weir_event_array_size_sized(device, length, options, sizeof *options, bytes,
	                                   alignment);
}
weir_status weir_event_array_reset(weir_device *device, weir_event_array array);
weir_status weir_event_array_destroy(weir_device *device, weir_event_array *array);

/* An empty queue for at least `capacity` items of `item_bytes` bytes, a multiple of 4. The capacity is
 * rounded up to a power of two: weir_queue_capacity(queue) tells it. */
weir_status weir_queue_create_sized(weir_device *device, uint32_t capacity, size_t item_bytes,
                                    const weir_queue_options *options, size_t options_bytes,
                                    weir_queue *queue);
weir_status weir_queue_size_sized(weir_device *device, uint32_t capacity, size_t item_bytes,
                                  const weir_queue_options *options, size_t options_bytes,
                                  size_t *bytes, size_t *alignment);
static inline weir_status weir_queue_create(weir_device *device, uint32_t capacity,
                                            size_t item_bytes, const weir_queue_options *options,
                                            weir_queue *queue)
{
	return weir_queue_create_sized(device, capacity, item_bytes, options, sizeof *options,
	                               queue);
}
static inline weir_status weir_queue_size(weir_device *device, uint32_t capacity, size_t item_bytes,
                                          const weir_queue_options *options, size_t *bytes,
                                          size_t *alignment)
{
	return weir_queue_size_sized(device, capacity, item_bytes, options, sizeof *options, bytes,
	                             alignment);
}
weir_status weir_queue_reset(weir_device *device, weir_queue queue);
weir_status weir_queue_destroy(weir_device *device, weir_queue *queue);

/* A dispenser of `items` items; a kernel may change the number for its launch (weir_dispenser_of), and
 * must if it is 0. WEIR_UNSUPPORTED when the device has no 64-bit atomics. */
weir_status weir_dispenser_create_sized(weir_device *device, uint32_t items,
                                        const weir_dispenser_options *options, size_t options_bytes,
                                        weir_dispenser *dispenser);
weir_status weir_dispenser_size_sized(weir_device *device, uint32_t items,
                                      const weir_dispenser_options *options, size_t options_bytes,
                                      size_t *bytes, size_t *alignment);
static inline weir_status weir_dispenser_create(weir_device *device, uint32_t items,
                                                const weir_dispenser_options *options,
                                                weir_dispenser *dispenser)
{
	return weir_dispenser_create_sized(device, items, options, sizeof *options, dispenser);
}
static inline weir_status weir_dispenser_size(weir_device *device, uint32_t items,
                                              const weir_dispenser_options *options, size_t *bytes,
                                              size_t *alignment)
{
	return weir_dispenser_size_sized(device, items, options, sizeof *options, bytes, alignment);
}
weir_status weir_dispenser_reset(weir_device *device, weir_dispenser dispenser);
weir_status weir_dispenser_destroy(weir_device *device, weir_dispenser *dispenser);

/* A graph of tasks, numbered from 0. Task i must finish before its successors begin: those in
 * successors[first[i]] to successors[first[i + 1] - 1]. The library keeps no pointer to it. */
typedef struct weir_graph {
	uint32_t tasks;
	const uint32_t *first; /* tasks + 1 numbers, from 0 on */
	const uint32_t *successors;
	const uint32_t *counts; /* the dependencies of each task, to be checked; NULL: not known */
	const uint8_t *levels;  /* the class of each: 0, which comes first, 1 or 2; NULL: all 0 */
	int is_trusted;         /* no check for cycles: a run finds out (weir_tasks_check) */
} weir_graph;

/* A graph of tasks, which kernels run as often as they like (weir/tasks/api.h). WEIR_BAD_ARGUMENT for a
 * graph with a cycle, an edge to a task that is none, or counts that disagree with the edges; the text
 * names the task. WEIR_UNSUPPORTED when the device has no 64-bit atomics. */
weir_status weir_tasks_create_sized(weir_device *device, const weir_graph *graph,
                                    const weir_tasks_options *options, size_t options_bytes,
                                    weir_tasks *tasks);
weir_status weir_tasks_size_sized(weir_device *device, const weir_graph *graph,
                                  const weir_tasks_options *options, size_t options_bytes,
                                  size_t *bytes, size_t *alignment);
static inline weir_status weir_tasks_create(weir_device *device, const weir_graph *graph,
                                            const weir_tasks_options *options, weir_tasks *tasks)
{
	return weir_tasks_create_sized(device, graph, options, sizeof *options, tasks);
}
static inline weir_status weir_tasks_size(weir_device *device, const weir_graph *graph,
                                          const weir_tasks_options *options, size_t *bytes,
                                          size_t *alignment)
{
	return weir_tasks_size_sized(device, graph, options, sizeof *options, bytes, alignment);
}
weir_status weir_tasks_reset(weir_device *device, weir_tasks tasks);
weir_status weir_tasks_destroy(weir_device *device, weir_tasks *tasks);
/* After a launch: WEIR_STUCK when tasks were left that nobody can finish. The text names one, and those
 * that it waits for. */
weir_status weir_tasks_check(weir_device *device, weir_tasks tasks);

/* A condition variable for blocks that hold a mutex, of any kind. */
weir_status weir_condition_create_sized(weir_device *device, const weir_condition_options *options,
                                        size_t options_bytes, weir_condition *condition);
weir_status weir_condition_size_sized(weir_device *device, const weir_condition_options *options,
                                      size_t options_bytes, size_t *bytes, size_t *alignment);
static inline weir_status weir_condition_create(weir_device *device,
                                                const weir_condition_options *options,
                                                weir_condition *condition)
{
	return weir_condition_create_sized(device, options, sizeof *options, condition);
}
static inline weir_status weir_condition_size(weir_device *device,
                                              const weir_condition_options *options, size_t *bytes,
                                              size_t *alignment)
{
	return weir_condition_size_sized(device, options, sizeof *options, bytes, alignment);
}
weir_status weir_condition_reset(weir_device *device, weir_condition condition);
weir_status weir_condition_destroy(weir_device *device, weir_condition *condition);

/* A reader-writer lock, which is free. */
weir_status weir_rwlock_create_sized(weir_device *device, const weir_rwlock_options *options,
                                     size_t options_bytes, weir_rwlock *rwlock);
weir_status weir_rwlock_size_sized(weir_device *device, const weir_rwlock_options *options,
                                   size_t options_bytes, size_t *bytes, size_t *alignment);
static inline weir_status
weir_rwlock_create(weir_device *device, const weir_rwlock_options *options, weir_rwlock *rwlock)
{
	return weir_rwlock_create_sized(device, options, sizeof *options, rwlock);
}
static inline weir_status weir_rwlock_size(weir_device *device, const weir_rwlock_options *options,
                                           size_t *bytes, size_t *alignment)
{
	return weir_rwlock_size_sized(device, options, sizeof *options, bytes, alignment);
}
weir_status weir_rwlock_reset(weir_device *device, weir_rwlock rwlock);
weir_status weir_rwlock_destroy(weir_device *device, weir_rwlock *rwlock);

/* A once, which is new. */
weir_status weir_once_create_sized(weir_device *device, const weir_once_options *options,
                                   size_t options_bytes, weir_once *once);
weir_status weir_once_size_sized(weir_device *device, const weir_once_options *options,
                                 size_t options_bytes, size_t *bytes, size_t *alignment);
static inline weir_status weir_once_create(weir_device *device, const weir_once_options *options,
                                           weir_once *once)
{
	return weir_once_create_sized(device, options, sizeof *options, once);
}
static inline weir_status weir_once_size(weir_device *device, const weir_once_options *options,
                                         size_t *bytes, size_t *alignment)
{
	return weir_once_size_sized(device, options, sizeof *options, bytes, alignment);
}
weir_status weir_once_reset(weir_device *device, weir_once once);
weir_status weir_once_destroy(weir_device *device, weir_once *once);

/* A combiner for grids of up to `blocks` blocks. WEIR_UNSUPPORTED when the device has no 64-bit
 * atomics. */
weir_status weir_combiner_create_sized(weir_device *device, uint32_t blocks,
                                       const weir_combiner_options *options, size_t options_bytes,
                                       weir_combiner *combiner);
weir_status weir_combiner_size_sized(weir_device *device, uint32_t blocks,
                                     const weir_combiner_options *options, size_t options_bytes,
                                     size_t *bytes, size_t *alignment);
static inline weir_status weir_combiner_create(weir_device *device, uint32_t blocks,
                                               const weir_combiner_options *options,
                                               weir_combiner *combiner)
{
	return weir_combiner_create_sized(device, blocks, options, sizeof *options, combiner);
}
static inline weir_status weir_combiner_size(weir_device *device, uint32_t blocks,
                                             const weir_combiner_options *options, size_t *bytes,
                                             size_t *alignment)
{
	return weir_combiner_size_sized(device, blocks, options, sizeof *options, bytes, alignment);
}
weir_status weir_combiner_reset(weir_device *device, weir_combiner combiner);
weir_status weir_combiner_destroy(weir_device *device, weir_combiner *combiner);

/* A group for kernels whose blocks find out with weir_group_discover which of them run together. The
 * members then meet at the group's own barrier. Blocks from number `most_blocks` on are never members.
 * Launch such a kernel with neither `cooperative` nor `barrier`: the grid may be larger than what the
 * device runs at once. */
weir_status weir_group_create_sized(weir_device *device, uint32_t most_blocks,
                                    const weir_group_options *options, size_t options_bytes,
                                    weir_group *group);
weir_status weir_group_size_sized(weir_device *device, uint32_t most_blocks,
                                  const weir_group_options *options, size_t options_bytes,
                                  size_t *bytes, size_t *alignment);
static inline weir_status weir_group_create(weir_device *device, uint32_t most_blocks,
                                            const weir_group_options *options, weir_group *group)
{
	return weir_group_create_sized(device, most_blocks, options, sizeof *options, group);
}
static inline weir_status weir_group_size(weir_device *device, uint32_t most_blocks,
                                          const weir_group_options *options, size_t *bytes,
                                          size_t *alignment)
{
	return weir_group_size_sized(device, most_blocks, options, sizeof *options, bytes,
	                             alignment);
}
weir_status weir_group_reset(weir_device *device, weir_group group);
weir_status weir_group_destroy(weir_device *device, weir_group *group);

/* The host's part in events that are host_visible, also while a kernel runs: it feeds a persistent
 * kernel, and watches it. Several threads of the host may call these at once.
 *
 * Everything before a post of the host happens before everything after a wait of a kernel that finds
 * it in the count, and the other way round. It holds for what both sides can reach: shared buffers, or
 * pinned memory of the caller's. The post is a read-modify-write with release, the count a load with
 * acquire, as C11 has them. The kernel's are `red.release.sys`, and polls with `fence.acquire.sys`.
 * PTX has the host's threads in that scope, so that they pair.
 *
 * Either the host or kernels signal an event, and the other side waits for it: over PCIe the additions
 * of the two are not atomic to each other. A post of the host to an event that a kernel has signalled
 * returns WEIR_UNSUPPORTED and changes nothing. Both may signal the same event on the host machine,
 * and on a device whose link has atomics (hostNativeAtomicSupported).
 *
 * WEIR_NOT_FOUND for an array of another device or a destroyed one, WEIR_BAD_ARGUMENT for an index
 * past the array or an array that is not host_visible. */

/* The count now; an acquire. */
weir_status weir_event_host_count(weir_device *device, weir_event_array array, uint32_t index,
                                  uint32_t *count);
/* Adds `n`, from 1 to 2^31. */
weir_status weir_event_host_post(weir_device *device, weir_event_array array, uint32_t index,
                                 uint32_t n);
/* Waits until the count is at or past `target`, by signed difference, for up to `timeout_ns` (0:
 * without limit). WEIR_TIMED_OUT when it is not by then. It polls, and sleeps between polls after
 * a millisecond. */
weir_status weir_event_host_wait(weir_device *device, weir_event_array array, uint32_t index,
                                 uint32_t target, uint64_t timeout_ns);

/* The host's side of a queue that is host_visible, also while a kernel runs: requests for a persistent
 * kernel go through one queue, and its answers through another. Several threads of the host may call
 * these at once.
 *
 * The host has one side of a queue, options.host_side, and kernels have the other: over PCIe the
 * additions of the two are not atomic to each other. A slot changes hands by a store, which both sides
 * see whole. So a kernel must neither push to a queue that the host pushes to nor close it, and must
 * not pop where the host pops. Everything before a push happens before everything after the pop that
 * gets its item, as with events.
 *
 * WEIR_TIMED_OUT when the queue was full, or empty, for `timeout_ns` (0: no limit). The calls
 * poll, and sleep between polls after a millisecond. WEIR_BAD_ARGUMENT for the side that kernels have,
 * a queue that is not host_visible, or items of another size. WEIR_NOT_FOUND for a queue of another
 * device or a destroyed one. */

/* WEIR_CLOSED when the queue is closed: then it does not have the item. */
weir_status weir_queue_host_push(weir_device *device, weir_queue queue, const void *item,
                                 size_t item_bytes, uint64_t timeout_ns);
/* WEIR_CLOSED when the queue is closed and empty. A block must not leave such a queue
 * (weir_queue_leave), which opens it: the host could miss its end. The host resets it instead. */
weir_status weir_queue_host_pop(weir_device *device, weir_queue queue, void *item,
                                size_t item_bytes, uint64_t timeout_ns);
/* Closes a queue that the host pushes to: pops of kernels get what is in it, and then end. Once more
 * is no error. The queue is open again when all blocks of the launch have left it and the launch has
 * ended, or after a reset. */
weir_status weir_queue_host_close(weir_device *device, weir_queue queue);
/* The number of items at one moment, for information. Both sides may ask. */
weir_status weir_queue_host_length(weir_device *device, weir_queue queue, uint32_t *length);

/* ---- kinds ---- */

/* The name of a kind ("ticket"), "default" for the default, or NULL for a number without a kind. */
const char *weir_barrier_kind_name(uint32_t kind);
const char *weir_mutex_kind_name(uint32_t kind);
const char *weir_semaphore_kind_name(uint32_t kind);
const char *weir_event_kind_name(uint32_t kind);
const char *weir_queue_kind_name(uint32_t kind);
const char *weir_rwlock_kind_name(uint32_t kind);

/* The kind that the default stands for on this device. Where it depends on the blocks of a barrier
 * or on the maximum of a semaphore, this is the kind for large numbers. An array of mutexes gets
 * the ticket mutex when the default for a single mutex needs a queue of its own. */
weir_status weir_barrier_default_kind(weir_device *device, weir_barrier_kind *kind);
weir_status weir_mutex_default_kind(weir_device *device, weir_mutex_kind *kind);
weir_status weir_semaphore_default_kind(weir_device *device, weir_semaphore_kind *kind);

/* Where the defaults of this device came from when it was opened: the user's profile of it, or the
 * built-in profile nearest to it. The user's profile is $WEIR_PROFILE, else a file in
 * $XDG_CONFIG_HOME/weir or ~/.config/weir. If one was there but not used, the text says what was
 * wrong with it. Never NULL; "" for a device that is not open. */
const char *weir_device_defaults_from(weir_device *device);

/* ---- kernels ---- */

/* A kernel of a device: a CUfunction, a cl_kernel or a weir_host_kernel. cudaGetFuncBySymbol gives
 * the CUfunction of a kernel of the runtime API. */
typedef void (*weir_host_kernel)(void **arguments);

typedef struct weir_kernel {
	void *native;
	weir_host_kernel host;
} weir_kernel;

typedef struct weir_host_entry {
	const char *name;
	weir_host_kernel kernel;
} weir_host_entry;

/* The same kernels for each machine; a machine's members may be left out. */
typedef struct weir_program_text {
	const void *cuda_image; /* PTX text, a cubin or a fatbin */
	const void *hip_image;  /* a code object, or a bundle of them */
	const char *opencl_text;
	const char *opencl_options; /* beside -cl-std=CL3.0; may be NULL */
	const weir_host_entry *host_entries;
	size_t host_entry_count;
} weir_program_text;

typedef struct weir_program weir_program;

/* WEIR_OTHER_VERSION for a CUDA image or an OpenCL text with headers of another series. */
weir_status weir_program_create(weir_device *device, const weir_program_text *text,
                                weir_program **program);
weir_status weir_program_kernel(weir_program *program, const char *name, weir_kernel *kernel);
weir_status weir_program_destroy(weir_program *program);

/* How many blocks of this kernel run at once on the device, with `threads` threads and
 * `shared_bytes` of dynamic shared memory each. For a kernel that was compiled for clusters
 * (__cluster_dims__): those in clusters of that size that run at once. */
weir_status weir_kernel_resident_blocks(weir_device *device, weir_kernel kernel, uint32_t threads,
                                        size_t shared_bytes, uint32_t *blocks);

typedef struct weir_argument {
	const void *value;
	size_t bytes;
} weir_argument;

typedef struct weir_launch {
	weir_kernel kernel;
	uint32_t grid[3];  /* 0 in a dimension counts as 1, but not in the first */
	uint32_t block[3]; /* 0 counts as in `grid` */
	/* The blocks of a thread block cluster; they must divide the grid. 0 counts as 1; all 1: no
	 * clusters. Only the host and CUDA devices from sm_90 on have clusters. Clusters of up to 8
	 * blocks run on all of these, larger ones where the device has room for them. */
	uint32_t cluster[3];
	size_t shared_bytes;
	void *stream;    /* a CUstream or cl_command_queue; NULL: the device's own */
	int cooperative; /* all blocks must run at once; refused when they do not fit */
	/* If not NULL: implies `cooperative`. The grid must have exactly as many blocks as the
	 * barrier, or contain the blocks of a barrier for a part of the grid. */
	const weir_barrier *barrier;
	const weir_argument *arguments;
	uint32_t argument_count;
} weir_launch;

/* Starts a kernel and returns. Refuses a CUDA kernel that lacks the kind of `barrier`, or of an
 * object among the arguments, and blocks with fewer threads than such a barrier has shards.
 * WEIR_OTHER_VERSION for a CUDA kernel that was compiled with headers of another series. */
weir_status weir_kernel_launch(weir_device *device, const weir_launch *launch);

/* Waits until the device's own stream is done, for up to `timeout_ns` (0: without limit). Writes
 * how long the last launch on it ran, if `elapsed_ms` is not NULL. After WEIR_TIMED_OUT the
 * kernel is still running. Calls that would have to wait for it, such as reading a buffer, then
 * return WEIR_BUSY at once. After WEIR_LAUNCH_FAILED a CUDA device can only be closed. */
weir_status weir_device_wait(weir_device *device, uint64_t timeout_ns, double *elapsed_ms);

/* ---- diagnosis ---- */

/* What the diagnosed objects of a device are doing, also while a kernel runs. */
typedef struct weir_diagnosis {
	char *text;        /* for people */
	char *json;        /* the same for programs; doc/hangs.md has its members */
	uint32_t findings; /* things that are wrong, or look so */
	uint32_t waiting;  /* blocks that wait for longer than a moment */
} weir_diagnosis;

/* WEIR_NOT_FOUND when the device never had a diagnosed object. weir_diagnosis_destroy frees the
 * report. */
weir_status weir_device_diagnose(weir_device *device, weir_diagnosis *report);
void weir_diagnosis_destroy(weir_diagnosis *report);

/* Calls `callback`, from a thread of its own, when a block has waited for `seconds`. Each hang is
 * reported once: the next call comes only after a time when no block was waiting so long. The
 * callback may call any function but weir_device_watch, weir_device_unwatch and weir_device_close.
 * The report is freed when it returns. A second watch replaces the first. */
typedef void (*weir_watch_callback)(weir_device *device, const weir_diagnosis *report, void *user);
weir_status weir_device_watch(weir_device *device, double seconds, weir_watch_callback callback,
                              void *user);
/* Does not return while the callback runs. */
weir_status weir_device_unwatch(weir_device *device);

/* Ends every wait for a diagnosed object in the running kernels, and those kernels with them. On
 * CUDA and the host, threads end where they wait; under OpenCL they go on without what they waited
 * for. The next weir_device_wait then returns WEIR_ABORTED. The objects must be reset before
 * they are used again. */
weir_status weir_device_abort(weir_device *device);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
