/** @defgroup weir_host Errors and versions
 *
 * What all functions of the host side have in common.
 *
 * They return a weir_status. After a failure weir_error_text() says in one line what was wrong, for the calling thread.
 * No function ends the process or prints. Several threads may use a device and its objects at once, except that
 * closing the device must come last.
 *
 * The headers of the host side are C11 and C++17. In CUDA sources the handles are the ones that kernels take.
 *
 * @code
 * weir_device *device;
 * if (weir_device_open(NULL, &device) != WEIR_OK)
 * 	return fprintf(stderr, "%s\n", weir_error_text()), 1;
 * @endcode
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

/** The meaning of a status in a few words. Never NULL. */
const char *weir_status_text(weir_status status);

/** What was wrong with this thread's last call that did not return WEIR_OK. Never NULL; valid until the thread's next
 * such call. */
const char *weir_error_text(void);

/** Keeps a text for this thread's weir_error_text and returns `status`: for code above the library that reports its
 * failures the same way. The text is cut to 1023 bytes. */
weir_status weir_error_set(weir_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** The version of the library that runs. WEIR_VERSION is that of the headers. */
const char *weir_version(void);

/** @defgroup weir_device Devices
 *
 * A device is a GPU, an OpenCL device or the host itself, on which objects are made and kernels run.
 *
 * Any thread may use an open device. Its objects and buffers belong to it.
 *
 * @code
 * weir_device_info infos[16];
 * size_t count;
 * weir_device_list(infos, 16, &count);
 * for (size_t i = 0; i < count && i < 16; i++)
 * 	printf("%s: %s\n", infos[i].name, infos[i].description);
 * @endcode
 */

/** What runs the kernels of a device. */
typedef enum weir_machine {
	WEIR_MACHINE_CUDA,   /**< an NVIDIA GPU, through CUDA's driver */
	WEIR_MACHINE_HIP,    /**< an AMD GPU, through AMD's runtime */
	WEIR_MACHINE_OPENCL, /**< a GPU or CPU, through OpenCL */
	WEIR_MACHINE_HOST,   /**< threads of this process */
	WEIR_MACHINE_PTX,    /**< a model of a GPU: PTX on the CPU, by an interpreter */
	WEIR_MACHINE_COUNT   /**< how many machines there are */
} weir_machine;

/** An open device. */
typedef struct weir_device weir_device;

/** What is known of a device. */
typedef struct weir_device_info {
	weir_machine machine; /**< what runs its kernels */
	char name[32]; /**< for weir_device_open: "cuda:0", "hip:0", "opencl:1", "host", "ptx" */
	char description[128];           /**< the driver's name for the device */
	char driver[64];                 /**< the driver and its version */
	int is_gpu;                      /**< nonzero: a GPU; 0: a CPU */
	uint32_t units;                  /**< multiprocessors, compute units or cores */
	uint32_t max_threads_per_block;  /**< the largest block that it can run */
	uint32_t resident_blocks_at_128; /**< the most blocks of 128 threads that run at once */
	uint64_t l2_bytes;               /**< the size of its L2 cache; 0: unknown */
	uint32_t cluster_blocks; /**< the most blocks in a cluster of any kernel; 0: no clusters */
} weir_device_info;

/** Lists the usable devices. Writes up to `room` of them into `infos`, which may be NULL if `room` is 0, and the number
 * of all of them into `count`. Best first: CUDA devices, GPUs through OpenCL, the host, CPUs through OpenCL, then HIP
 * devices, on which weir has not run yet. Unused bytes of an info are zero, including the padding after each string. */
weir_status weir_device_list(weir_device_info *infos, size_t room, size_t *count);

/** Why there is no device of that machine here, or "" if there is one. Never NULL. */
const char *weir_machine_absence(weir_machine machine);

/** The name of a machine: "cuda", "hip", "opencl" or "host"; "unknown" for any other number. */
const char *weir_machine_name(weir_machine machine);

/** weir_device_open with the version of the headers that the caller was written for. Callers in other languages pass
 * the version that they know. WEIR_OTHER_VERSION if it is of another series than the library. */
weir_status weir_device_open_for(const char *version, const char *name, weir_device **device);
/** weir_device_open_opencl with a version, as weir_device_open_for. */
weir_status weir_device_open_opencl_for(const char *version, void *context, void *cl_device,
                                        void *queue, weir_device **device);

/** Opens a device by its name; "cuda" means "cuda:0", and "ptx" may have parameters: "ptx:sms=4,blocks=2". NULL means the
 * best device: the first of weir_device_list that opens. A CUDA device is opened with its primary context, which the
 * runtime API and the frameworks share. */
static inline weir_status weir_device_open(const char *name, weir_device **device)
{
	return weir_device_open_for(WEIR_VERSION, name, device);
}

/** Opens a device over the caller's OpenCL objects: a cl_context, a cl_device_id and a cl_command_queue. They must stay
 * valid until the device is closed. */
static inline weir_status weir_device_open_opencl(void *context, void *cl_device, void *queue,
                                                  weir_device **device)
{
	return weir_device_open_opencl_for(WEIR_VERSION, context, cl_device, queue, device);
}

/** Closes the device and destroys everything left on it. Later calls with it return WEIR_DEVICE_CLOSED. */
weir_status weir_device_close(weir_device *device);

/** Describes an open device. */
weir_status weir_device_describe(weir_device *device, weir_device_info *info);

/** The CUDA objects of an open device, for calls of the driver API beside weir's. The library owns them: they are valid
 * until the device is closed. */
typedef struct weir_cuda_handles {
	int device;    /**< a CUdevice */
	void *context; /**< a CUcontext */
	void *stream;  /**< a CUstream: weir launches on it unless a launch names another */
} weir_cuda_handles;

/** The CUDA objects of an open device. WEIR_UNSUPPORTED if it is not a CUDA device. */
weir_status weir_device_cuda_handles(weir_device *device, weir_cuda_handles *handles);

/** @defgroup weir_buffer Memory
 *
 * Memory of a device, for data of kernels. A kernel gets it as the argument `{&buffer.native, sizeof buffer.native}`.
 *
 * Any thread may call these functions. They wait for the device's own stream, and return WEIR_BUSY while a kernel runs
 * that has outlasted a weir_device_wait.
 *
 * @code
 * weir_buffer data;
 * weir_buffer_create(device, sizeof input, &data);
 * weir_buffer_write(device, data, 0, input, sizeof input);
 * weir_argument arguments[] = {{&data.native, sizeof data.native}};
 * @endcode
 */

/** Memory of a device. */
typedef struct weir_buffer {
	void *native; /**< a device address, a cl_mem or a host address */
	size_t bytes; /**< its size */
} weir_buffer;

/** Allocates zeroed memory. */
weir_status weir_buffer_create(weir_device *device, size_t bytes, weir_buffer *buffer);
/** Allocates zeroed memory that the host shares with running kernels: pinned memory on CUDA. `native` is an address for
 * both. Both use it as plain memory, and events or queues that are host_visible say when. weir_buffer_write and
 * weir_buffer_read copy at once, whatever runs. WEIR_UNSUPPORTED for OpenCL. */
weir_status weir_buffer_create_shared(weir_device *device, size_t bytes, weir_buffer *buffer);
/** Copies `bytes` bytes from `from` to the buffer, from `offset` on. */
weir_status weir_buffer_write(weir_device *device, weir_buffer buffer, size_t offset,
                              const void *from, size_t bytes);
/** Copies `bytes` bytes of the buffer, from `offset` on, to `to`. */
weir_status weir_buffer_read(weir_device *device, weir_buffer buffer, size_t offset, void *to,
                             size_t bytes);
/** Frees the buffer and clears it. */
weir_status weir_buffer_destroy(weir_device *device, weir_buffer *buffer);

/** @defgroup weir_create Creation of objects
 *
 * Every primitive X has the same four functions. Between the device and the options are the arguments that an object
 * must have, the same for a size and a creation:
 *
 * @code
 * weir_X_size(device, ..., options, &bytes, &alignment)
 * weir_X_create(device, ..., options, &x)
 * weir_X_reset(device, x)
 * weir_X_destroy(device, &x)
 * @endcode
 *
 * `options` is NULL for the defaults, or one of the structs of weir/options.h, which also choose the kind.
 *
 * Any thread may call these functions, several at once for one device, but not two at once for one object.
 *
 * - create: A failed creation leaves a handle of zeros. WEIR_BAD_ARGUMENT for impossible arguments or options,
 *   WEIR_UNSUPPORTED for what this device or kind cannot do, WEIR_NO_MEMORY.
 * - size: Bytes and alignment of the object that weir_X_create would make with these arguments, for memory of the
 *   caller's (options->object.memory). Fails as the creation would.
 * - reset: Restores the state after creation. No kernel may be using the object: WEIR_BUSY while a kernel runs that has
 *   outlasted a weir_device_wait; else the call waits for the device's own stream.
 * - destroy: Frees the object, if its memory is weir's, and clears the handle. WEIR_NOT_FOUND if it was destroyed
 *   before or belongs to another device. WEIR_BUSY as for a reset, and then the object stays. The memory of a diagnosed
 *   object stays until the device is closed or another object needs its number; until then a kernel that still uses
 *   the object is reported.
 * - sized: The library's function behind the one without `_sized`, for callers that cannot include this header.
 *   `options_bytes` is the size of the struct that the caller knows.
 */

/** @addtogroup weir_barrier */

/* Functions without a comment of their own have the one above: tools/reference-filter puts it there. */

weir_status weir_barrier_create_sized(weir_device *device, uint32_t blocks,
                                      const weir_barrier_options *options, size_t options_bytes,
                                      weir_barrier *barrier);
weir_status weir_barrier_size_sized(weir_device *device, uint32_t blocks,
                                    const weir_barrier_options *options, size_t options_bytes,
                                    size_t *bytes, size_t *alignment);
/** Makes a barrier for grids of exactly `blocks` blocks, or with options->part_of_grid for a part of larger grids.
 * WEIR_TOO_MANY_BLOCKS if this device cannot run that many blocks of any kernel at once. */
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

/** @addtogroup weir_mutex */

weir_status weir_mutex_create_sized(weir_device *device, const weir_mutex_options *options,
                                    size_t options_bytes, weir_mutex *mutex);
weir_status weir_mutex_size_sized(weir_device *device, const weir_mutex_options *options,
                                  size_t options_bytes, size_t *bytes, size_t *alignment);
/** Makes a mutex, unlocked. */
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

weir_status weir_mutex_array_create_sized(weir_device *device, uint32_t length,
                                          const weir_mutex_array_options *options,
                                          size_t options_bytes, weir_mutex_array *array);
weir_status weir_mutex_array_size_sized(weir_device *device, uint32_t length,
                                        const weir_mutex_array_options *options,
                                        size_t options_bytes, size_t *bytes, size_t *alignment);
/** Makes an array of `length` unlocked mutexes, up to 2^28. weir_mutex_at is one of them. */
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

/** @addtogroup weir_semaphore */

weir_status weir_semaphore_create_sized(weir_device *device, uint32_t initial, uint32_t maximum,
                                        const weir_semaphore_options *options, size_t options_bytes,
                                        weir_semaphore *semaphore);
weir_status weir_semaphore_size_sized(weir_device *device, uint32_t initial, uint32_t maximum,
                                      const weir_semaphore_options *options, size_t options_bytes,
                                      size_t *bytes, size_t *alignment);
/** Makes a semaphore of `maximum` slots (at most 2^31 - 1), `initial` of them free. */
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

/** @addtogroup weir_event */

weir_status weir_event_array_create_sized(weir_device *device, uint32_t length,
                                          const weir_event_array_options *options,
                                          size_t options_bytes, weir_event_array *array);
weir_status weir_event_array_size_sized(weir_device *device, uint32_t length,
                                        const weir_event_array_options *options,
                                        size_t options_bytes, size_t *bytes, size_t *alignment);
/** Makes an array of `length` events, up to 2^28, whose counts are 0. weir_event_at is one of them. Events need no reset
 * between launches, not even with targets that are relative to a launch (weir/event/round.h). */
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

/** @addtogroup weir_queue */

weir_status weir_queue_create_sized(weir_device *device, uint32_t capacity, size_t item_bytes,
                                    const weir_queue_options *options, size_t options_bytes,
                                    weir_queue *queue);
weir_status weir_queue_size_sized(weir_device *device, uint32_t capacity, size_t item_bytes,
                                  const weir_queue_options *options, size_t options_bytes,
                                  size_t *bytes, size_t *alignment);
/** Makes an empty queue for at least `capacity` items of `item_bytes` bytes, a multiple of 4. The capacity is rounded up
 * to a power of two: weir_queue_capacity reports it. */
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

/** @addtogroup weir_dispenser */

weir_status weir_dispenser_create_sized(weir_device *device, uint32_t items,
                                        const weir_dispenser_options *options, size_t options_bytes,
                                        weir_dispenser *dispenser);
weir_status weir_dispenser_size_sized(weir_device *device, uint32_t items,
                                      const weir_dispenser_options *options, size_t options_bytes,
                                      size_t *bytes, size_t *alignment);
/** Makes a dispenser of `items` items. A kernel may change the number for its launch (weir_dispenser_of), and must if it
 * is 0. WEIR_UNSUPPORTED if the device has no 64-bit atomics. */
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

/** @addtogroup weir_tasks */

/** A graph of tasks, numbered from 0. Task i must finish before its successors begin: successors[first[i]] to
 * successors[first[i + 1] - 1]. The library keeps no pointer to the graph. */
typedef struct weir_graph {
	uint32_t tasks;             /**< how many tasks */
	const uint32_t *first;      /**< tasks + 1 indices into `successors`; the first one is 0 */
	const uint32_t *successors; /**< the successors of all tasks, one task after another */
	const uint32_t
	    *counts; /**< the number of dependencies of each task, to be checked; NULL: unknown */
	const uint8_t
	    *levels; /**< the class of each task: 0, which is taken first, 1 or 2; NULL: all 0 */
	int is_trusted; /**< nonzero: no check for cycles at creation; a run finds them (weir_tasks_check) */
} weir_graph;

weir_status weir_tasks_create_sized(weir_device *device, const weir_graph *graph,
                                    const weir_tasks_options *options, size_t options_bytes,
                                    weir_tasks *tasks);
weir_status weir_tasks_size_sized(weir_device *device, const weir_graph *graph,
                                  const weir_tasks_options *options, size_t options_bytes,
                                  size_t *bytes, size_t *alignment);
/** Makes a graph of tasks, which kernels run as often as they like. WEIR_BAD_ARGUMENT for a graph with a cycle, an edge
 * to a task that does not exist, or counts that disagree with the edges; the error text names the task.
 * WEIR_UNSUPPORTED if the device has no 64-bit atomics. */
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
/** Whether the last launch finished all tasks. WEIR_STUCK if it left tasks that no block can finish; the error text
 * names one of them, and those that it waits for. Call it after the launch. */
weir_status weir_tasks_check(weir_device *device, weir_tasks tasks);

/** @addtogroup weir_condition */

weir_status weir_condition_create_sized(weir_device *device, const weir_condition_options *options,
                                        size_t options_bytes, weir_condition *condition);
weir_status weir_condition_size_sized(weir_device *device, const weir_condition_options *options,
                                      size_t options_bytes, size_t *bytes, size_t *alignment);
/** Makes a condition, for blocks that hold a mutex of any kind. */
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

/** @addtogroup weir_rwlock */

weir_status weir_rwlock_create_sized(weir_device *device, const weir_rwlock_options *options,
                                     size_t options_bytes, weir_rwlock *rwlock);
weir_status weir_rwlock_size_sized(weir_device *device, const weir_rwlock_options *options,
                                   size_t options_bytes, size_t *bytes, size_t *alignment);
/** Makes a reader-writer lock, unlocked. */
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

/** @addtogroup weir_once */

weir_status weir_once_create_sized(weir_device *device, const weir_once_options *options,
                                   size_t options_bytes, weir_once *once);
weir_status weir_once_size_sized(weir_device *device, const weir_once_options *options,
                                 size_t options_bytes, size_t *bytes, size_t *alignment);
/** Makes a once that no block has initialized. */
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

/** @addtogroup weir_combiner */

weir_status weir_combiner_create_sized(weir_device *device, uint32_t blocks,
                                       const weir_combiner_options *options, size_t options_bytes,
                                       weir_combiner *combiner);
weir_status weir_combiner_size_sized(weir_device *device, uint32_t blocks,
                                     const weir_combiner_options *options, size_t options_bytes,
                                     size_t *bytes, size_t *alignment);
/** Makes a combiner for grids of up to `blocks` blocks. WEIR_UNSUPPORTED if the device has no 64-bit atomics. */
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

/** @addtogroup weir_group */

weir_status weir_group_create_sized(weir_device *device, uint32_t most_blocks,
                                    const weir_group_options *options, size_t options_bytes,
                                    weir_group *group);
weir_status weir_group_size_sized(weir_device *device, uint32_t most_blocks,
                                  const weir_group_options *options, size_t options_bytes,
                                  size_t *bytes, size_t *alignment);
/** Makes a group for kernels whose blocks discover with weir_group_discover which of them run together. The members then
 * meet at the group's own barrier. Blocks from number `most_blocks` on are never members. Launch such a kernel with
 * neither `cooperative` nor `barrier`: the grid may be larger than what the device runs at once. */
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

/** @addtogroup weir_event
 *
 * @par From the host
 * weir_event_host_count, weir_event_host_post and weir_event_host_wait are the host's part in
 * events that are host_visible, even while a kernel runs: the host feeds a persistent kernel, and watches it. Several
 * threads of the host may call them at once.
 *
 * Everything before a post of the host happens before everything after a wait of a kernel that finds it in the count,
 * and vice versa. This covers memory that both sides reach: shared buffers, or pinned memory of the caller's. On the
 * host a post is a C11 read-modify-write with release, and a count a load with acquire. The kernel's are `red.release.sys`
 * and polls with `fence.acquire.sys`. PTX includes the host's threads in that scope, so they pair.
 *
 * Either the host or kernels signal an event, and the other side waits for it: over PCIe the additions of the two are
 * not atomic to each other. A post of the host to an event that a kernel has signalled returns WEIR_UNSUPPORTED and
 * changes nothing. Both may signal the same event on the host machine, and on a device whose link has atomics
 * (hostNativeAtomicSupported).
 *
 * All three return WEIR_NOT_FOUND for an array of another device or a destroyed one, and WEIR_BAD_ARGUMENT for an index
 * past the end of the array or an array that is not host_visible.
 */

/** Reads the count of an event from the host, with acquire. */
weir_status weir_event_host_count(weir_device *device, weir_event_array array, uint32_t index,
                                  uint32_t *count);
/** Adds `n`, from 1 to 2^31, to the count of an event, with release. */
weir_status weir_event_host_post(weir_device *device, weir_event_array array, uint32_t index,
                                 uint32_t n);
/** Waits until the count is at or past `target`, by signed difference, for up to `timeout_ns` (0: without limit), then
 * returns WEIR_TIMED_OUT. It polls, and sleeps between polls after a millisecond. */
weir_status weir_event_host_wait(weir_device *device, weir_event_array array, uint32_t index,
                                 uint32_t target, uint64_t timeout_ns);

/** @addtogroup weir_queue
 *
 * @par From the host
 * weir_queue_host_push, weir_queue_host_pop, weir_queue_host_close and weir_queue_host_length are the host's side of a
 * queue that is host_visible, even while a kernel runs. For example, a persistent kernel gets requests from one queue,
 * and answers through another. Several threads of the host may call them at once.
 *
 * The host has one side of a queue, options.host_side, and kernels have the other: over PCIe the additions of the two
 * are not atomic to each other. A slot changes hands by a store, which both sides see whole. So a kernel must neither
 * push to a queue that the host pushes to nor close it, and must not pop where the host pops. Everything before a push
 * happens before everything after the pop that gets its item, as with events.
 *
 * A push or a pop returns WEIR_TIMED_OUT if the queue was full, or empty, for `timeout_ns` (0: no limit). It polls, and
 * sleeps between polls after a millisecond. All four return WEIR_BAD_ARGUMENT for the side that kernels have, a queue
 * that is not host_visible, or items of another size. They return WEIR_NOT_FOUND for a queue of another device or a
 * destroyed one.
 */

/** Pushes an item from the host. WEIR_CLOSED if the queue is closed: then it does not have the item. */
weir_status weir_queue_host_push(weir_device *device, weir_queue queue, const void *item,
                                 size_t item_bytes, uint64_t timeout_ns);
/** Pops an item on the host. WEIR_CLOSED if the queue is closed and empty. A block must not leave such a queue
 * (weir_queue_leave), which would open it, and the host could miss its end. The host resets it instead. */
weir_status weir_queue_host_pop(weir_device *device, weir_queue queue, void *item,
                                size_t item_bytes, uint64_t timeout_ns);
/** Closes a queue that the host pushes to: pops of kernels get what is in it, and then WEIR_CLOSED. Closing it again is
 * no error. The queue is open again when all blocks of the launch have left it and the launch has ended, or after a
 * reset. */
weir_status weir_queue_host_close(weir_device *device, weir_queue queue);
/** The number of items at one moment, for information. Allowed on either side. */
weir_status weir_queue_host_length(weir_device *device, weir_queue queue, uint32_t *length);

/** @defgroup weir_kind Kinds by name and number
 *
 * The primitives and their kinds as data: the rows of each kinds.h, found by name or by number.
 *
 * A kind is one algorithm of a primitive. Any thread may call these functions.
 */

/** The name of a kind of barrier ("xf"), "default" for 0, or NULL for a number without a kind. */
const char *weir_barrier_kind_name(uint32_t kind);
/** The name of a kind of mutex ("ticket"), "default" for 0, or NULL for a number without a kind. */
const char *weir_mutex_kind_name(uint32_t kind);
/** The name of a kind of semaphore ("packed"), "default" for 0, or NULL for a number without a kind. */
const char *weir_semaphore_kind_name(uint32_t kind);
/** The name of a kind of event ("word"), "default" for 0, or NULL for a number without a kind. */
const char *weir_event_kind_name(uint32_t kind);
/** The name of a kind of queue ("cells"), "default" for 0, or NULL for a number without a kind. */
const char *weir_queue_kind_name(uint32_t kind);
/** The name of a kind of reader-writer lock ("fair"), "default" for 0, or NULL for a number without a kind. */
const char *weir_rwlock_kind_name(uint32_t kind);

/** The kind that WEIR_BARRIER_DEFAULT stands for on this device. If it depends on the number of blocks, this is the kind
 * for large numbers. */
weir_status weir_barrier_default_kind(weir_device *device, weir_barrier_kind *kind);
/** The kind that WEIR_MUTEX_DEFAULT stands for on this device. An array of mutexes gets the ticket mutex if this kind
 * needs a queue of its own. */
weir_status weir_mutex_default_kind(weir_device *device, weir_mutex_kind *kind);
/** The kind that WEIR_SEMAPHORE_DEFAULT stands for on this device. If it depends on the maximum, this is the kind for
 * large maxima. */
weir_status weir_semaphore_default_kind(weir_device *device, weir_semaphore_kind *kind);

/** The source of this device's defaults when it was opened: the user's profile of it, or the nearest built-in profile.
 * The user's profile is $WEIR_PROFILE, else a file in $XDG_CONFIG_HOME/weir or ~/.config/weir. If it exists but was not
 * used, the result says why. Never NULL; "" for a device that is not open. */
const char *weir_device_defaults_from(weir_device *device);

/** @defgroup weir_kernel Kernels
 *
 * Kernels of a device, and launches of them.
 *
 * A program holds the same kernels for each machine. weir_kernel_launch also takes a kernel that the caller got elsewhere:
 * weir_kernel.native is a CUfunction, which cudaGetFuncBySymbol gives for a kernel of the runtime API, or a cl_kernel.
 *
 * Any thread may call these functions. A launch runs on the device's own stream, after the launches before it, unless it
 * names another stream.
 *
 * @code
 * weir_argument arguments[] = {{&b, sizeof b}, {&data.native, sizeof data.native}};
 * weir_launch launch = {.kernel = kernel, .grid = {64}, .block = {128}, .barrier = &b,
 * 	.arguments = arguments, .argument_count = 2};
 * if (weir_kernel_launch(device, &launch) != WEIR_OK || weir_device_wait(device, 0, NULL) != WEIR_OK)
 * 	fprintf(stderr, "%s\n", weir_error_text());
 * @endcode
 */

/** A kernel for the host machine. Every thread of the grid calls it, with a pointer to each argument of the launch. */
typedef void (*weir_host_kernel)(void **arguments);

/** A kernel of a device. */
typedef struct weir_kernel {
	void *
	    native; /**< a CUfunction, the like of AMD's runtime, or a cl_kernel; NULL on the host machine */
	weir_host_kernel host; /**< the kernel on the host machine; elsewhere NULL */
} weir_kernel;

/** A kernel for the host machine, and its name. */
typedef struct weir_host_entry {
	const char *name;        /**< the name for weir_program_kernel */
	weir_host_kernel kernel; /**< the function */
} weir_host_entry;

/** The same kernels for each machine. Members for machines that the program does not support may be left out. */
typedef struct weir_program_text {
	const void *cuda_image;     /**< PTX text, a cubin or a fatbin */
	const void *hip_image;      /**< a code object, or a bundle of them */
	const char *opencl_text;    /**< the source in OpenCL C */
	const char *opencl_options; /**< options in addition to -cl-std=CL3.0; may be NULL */
	const weir_host_entry *host_entries; /**< the kernels for the host machine */
	size_t host_entry_count;             /**< how many of them */
} weir_program_text;

/** A program that a device has loaded. */
typedef struct weir_program weir_program;

/** Loads a program. WEIR_BAD_PROGRAM if the device's compiler or loader refuses it, and WEIR_OTHER_VERSION for a CUDA
 * image or an OpenCL source with headers of another series. */
weir_status weir_program_create(weir_device *device, const weir_program_text *text,
                                weir_program **program);
/** Finds a kernel of a program by its name. WEIR_NOT_FOUND if the program does not contain it. */
weir_status weir_program_kernel(weir_program *program, const char *name, weir_kernel *kernel);
/** Unloads a program. Its kernels become invalid. */
weir_status weir_program_destroy(weir_program *program);

/** How many blocks of this kernel run at once on the device, with `threads` threads and `shared_bytes` of dynamic shared
 * memory each. For a kernel that was compiled for clusters (__cluster_dims__), the blocks in clusters of that size. */
weir_status weir_kernel_resident_blocks(weir_device *device, weir_kernel kernel, uint32_t threads,
                                        size_t shared_bytes, uint32_t *blocks);

/** An argument of a kernel. */
typedef struct weir_argument {
	const void *value; /**< where its value is; read during the call of weir_kernel_launch */
	size_t bytes;      /**< the size of the value */
} weir_argument;

/** What to launch, and how. Members that are zero have the meaning given with each. */
typedef struct weir_launch {
	weir_kernel kernel; /**< the kernel to launch */
	uint32_t grid[3];   /**< blocks in each dimension; 0 counts as 1, but not in the first */
	uint32_t block[3];  /**< threads of a block in each dimension; 0 counts as in `grid` */
	/** The blocks of a thread block cluster; they must divide the grid. 0 counts as 1; all 1: no clusters. Only the
	 * host and CUDA devices from sm_90 on have clusters. Clusters of up to 8 blocks run on all of these, larger ones
	 * where the device has room for them. */
	uint32_t cluster[3];
	size_t shared_bytes; /**< dynamic shared memory of each block */
	void *stream;        /**< a CUstream or cl_command_queue; NULL: the device's own */
	int cooperative; /**< nonzero: all blocks must run at once; refused if they do not fit */
	/** If not NULL, implies `cooperative`. The grid must have exactly as many blocks as the barrier, or contain the
	 * blocks of a barrier for a part of the grid. */
	const weir_barrier *barrier;
	const weir_argument
	    *arguments;          /**< the arguments, in the order of the kernel's parameters */
	uint32_t argument_count; /**< how many arguments */
} weir_launch;

/** Starts a kernel and returns. WEIR_NOT_FOUND if `barrier` or an argument is the handle of a destroyed object, of
 * another device, or of a kind that a CUDA kernel lacks; the error text names the argument. Refuses blocks with fewer
 * threads than a barrier has shards. WEIR_TOO_MANY_BLOCKS if a cooperative grid does not fit on the device at once.
 * WEIR_OTHER_VERSION for a CUDA kernel that was compiled with headers of another series. `launch_bytes` is the size of
 * the struct that the caller knows. */
weir_status weir_kernel_launch_sized(weir_device *device, const weir_launch *launch,
                                     size_t launch_bytes);
/** weir_kernel_launch_sized for callers in C. */
static inline weir_status weir_kernel_launch(weir_device *device, const weir_launch *launch)
{
	return weir_kernel_launch_sized(device, launch, sizeof *launch);
}

/** Waits until the device's own stream is done, for up to `timeout_ns` (0: without limit). Writes how long the last
 * launch on it ran, if `elapsed_ms` is not NULL. After WEIR_TIMED_OUT the kernel is still running: calls that would have
 * to wait for it, such as a weir_buffer_read, return WEIR_BUSY at once. After WEIR_LAUNCH_FAILED a CUDA device can only be
 * closed. */
weir_status weir_device_wait(weir_device *device, uint64_t timeout_ns, double *elapsed_ms);

/** @defgroup weir_diagnosis Diagnosis of hangs
 *
 * What the diagnosed objects of a device are doing, even while a kernel runs.
 *
 * Objects take part if they were created with options->object.diagnose, in kernels compiled with WEIR_DIAGNOSE. Any
 * thread may call these functions.
 */

/** A report. weir_diagnosis_destroy frees it. */
typedef struct weir_diagnosis {
	char *text;        /**< for people */
	char *json;        /**< the same for programs; doc/hangs.md describes its members */
	uint32_t findings; /**< things that are wrong, or look wrong */
	uint32_t waiting;  /**< blocks that have waited for longer than a moment */
} weir_diagnosis;

/** Reports what the diagnosed objects of a device are doing. WEIR_NOT_FOUND if the device never had one. */
weir_status weir_device_diagnose(weir_device *device, weir_diagnosis *report);
/** Frees the strings of a report. */
void weir_diagnosis_destroy(weir_diagnosis *report);

/** What weir_device_watch calls, with the report of a hang, which is freed when the callback returns, and the `user` of
 * the watch. It may call any function except weir_device_watch, weir_device_unwatch and weir_device_close. */
typedef void (*weir_watch_callback)(weir_device *device, const weir_diagnosis *report, void *user);
/** Watches a device: calls `callback`, from a thread of its own, when a block has waited for `seconds`. Each hang is
 * reported once: the next call follows only after a time when no block was waiting that long. A second watch replaces
 * the first. */
weir_status weir_device_watch(weir_device *device, double seconds, weir_watch_callback callback,
                              void *user);
/** Ends the watch of a device. Does not return while the callback runs. */
weir_status weir_device_unwatch(weir_device *device);

/** Ends the waits of the running kernels, and those kernels with them. On the host machine these are all waits; on
 * CUDA, those of kernels compiled with WEIR_ABORTABLE; everywhere, waits for diagnosed objects in kernels compiled with
 * WEIR_DIAGNOSE. WEIR_UNSUPPORTED where it can end none. On CUDA and the host, threads end where they wait; under
 * OpenCL they continue without what they waited for. The next weir_device_wait then returns WEIR_ABORTED. The objects
 * must be reset before they are used again. On CUDA it finds the last eight kernels that weir_kernel_launch has started
 * since a wait; a named team (weir/team.h) one of whose threads has ended may wait for it. */
weir_status weir_device_abort(weir_device *device);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#ifdef WEIR_COMPAT_0_1
#include "weir/weir_compat.h"
#endif

#endif
