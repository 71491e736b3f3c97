/* weir, the host side: devices, objects, kernels.
 *
 * Every function returns a weir_status; weir_error_text() then says what was wrong, in one line,
 * for the calling thread. No function ends the process or prints. A device and its objects may be
 * used by several threads at once, except that closing the device must come last.
 *
 * Also for C++, and for CUDA sources, where the handles are those that kernels take.
 */
#ifndef WEIR_WEIR_H
#define WEIR_WEIR_H

#include <stddef.h>
#include <stdint.h>

#include "weir/barrier/kinds.h"
#include "weir/config.h"
#include "weir/mutex/kinds.h"
#include "weir/semaphore/kinds.h"

/* What a shared library exports is what stands between this and the pop at the end. */
#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

#define WEIR_VERSION "0.1.0"

typedef enum weir_status {
	WEIR_OK = 0,
	WEIR_BAD_ARGUMENT, /* a null pointer, a zero count, an unknown kind */
	WEIR_NO_DEVICE,    /* no device of that name here, or no driver for it */
	WEIR_CLOSED,       /* the device was closed */
	WEIR_NOT_FOUND,    /* no such object on this device, or destroyed before; no such kernel */
	WEIR_UNSUPPORTED,  /* this device, or this kind, cannot do that */
	WEIR_TOO_MANY_BLOCKS, /* the grid does not fit on the device at once */
	WEIR_NO_MEMORY,
	WEIR_BAD_PROGRAM,   /* the device's compiler or loader refused the program */
	WEIR_STILL_RUNNING, /* the device is still at work */
	/* A launch ended with an error, a wait in it passed its limit, or it used an object of a kind
	 * that is none or that the kernel was not compiled for. */
	WEIR_LAUNCH_FAILED,
	WEIR_DRIVER_ERROR,  /* anything else that a driver or the system reports */
	WEIR_LAUNCH_ABORTED /* weir_device_abort ended the waits of a launch */
} weir_status;

/* What the status means, in a few words. Never NULL. */
const char *weir_status_text(weir_status status);

/* What went wrong in this thread's last call that did not return WEIR_OK. Never NULL. */
const char *weir_error_text(void);

/* Keeps a text for this thread's weir_error_text and returns `status`: for code above the library that
 * reports its failures the same way. The text ends after 1023 bytes. */
weir_status weir_error_set(weir_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The version of the library that runs, to compare with WEIR_VERSION. */
const char *weir_version(void);

/* ---- devices ---- */

typedef enum weir_machine {
	WEIR_MACHINE_CUDA,
	WEIR_MACHINE_OPENCL,
	WEIR_MACHINE_HOST,
	WEIR_MACHINE_COUNT
} weir_machine;

typedef struct weir_device weir_device;

typedef struct weir_device_info {
	weir_machine machine;
	char name[32];         /* what weir_device_open takes: "cuda:0", "opencl:1", "host" */
	char description[128]; /* what the driver calls it */
	char driver[64];
	int is_gpu;
	uint32_t units; /* multiprocessors, compute units or cores */
	uint32_t max_threads_per_block;
	uint32_t resident_blocks_at_128; /* blocks of 128 threads that run at once, at the most */
	uint64_t l2_bytes;               /* 0: not known */
	uint32_t cluster_blocks; /* the most in a cluster of any kernel; 0: it has no clusters */
} weir_device_info;

/* Writes what can be used here into `infos`, which has room for `room`, and how many there are into
 * `count`. Best first: CUDA devices, GPUs through OpenCL, the host, CPUs through OpenCL. `infos` may
 * be NULL when `room` is 0. An info is zero where it holds nothing, also behind the end of its
 * texts. */
weir_status weir_device_list(weir_device_info *infos, size_t room, size_t *count);

/* Why there is no device of that machine here, or "" when there is. Never NULL. */
const char *weir_machine_absence(weir_machine machine);

/* "cuda", "opencl" or "host"; "unknown" for anything else. */
const char *weir_machine_name(weir_machine machine);

/* Opens a device by its name; "cuda" means "cuda:0". NULL: the best one, that is the first of
 * weir_device_list that opens. A CUDA device is opened with its primary context, which
 * the runtime API and the frameworks use too. */
weir_status weir_device_open(const char *name, weir_device **device);

/* A device over OpenCL objects of the caller's: cl_context, cl_device_id, cl_command_queue. */
weir_status weir_device_open_opencl(void *context, void *cl_device, void *queue,
                                    weir_device **device);

/* Destroys what is left on the device. Later calls with it return WEIR_CLOSED. */
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
weir_status weir_device_cuda(weir_device *device, weir_cuda_handles *handles);

/* ---- memory ---- */

/* Memory of a device. `native` is a device address, a cl_mem or a host address; a kernel gets it
 * as the argument {&buffer.native, sizeof buffer.native}. */
typedef struct weir_buffer {
	void *native;
	size_t bytes;
} weir_buffer;

/* Zeroed. */
weir_status weir_buffer_create(weir_device *device, size_t bytes, weir_buffer *buffer);
weir_status weir_buffer_write(weir_device *device, weir_buffer buffer, size_t offset,
                              const void *from, size_t bytes);
weir_status weir_buffer_read(weir_device *device, weir_buffer buffer, size_t offset, void *to,
                             size_t bytes);
weir_status weir_buffer_destroy(weir_device *device, weir_buffer *buffer);

/* ---- objects ---- */

/* How an object is to be made. All zeros, or NULL in its place, means the defaults. */
typedef struct weir_options {
	/* Both 0, for kinds that back off: what the device's profile says of the kind, else
	 * WEIR_BACKOFF_MIN and _MAX. Kinds that wait in proportion to their place in the line (the
	 * paced, cohort and patient mutexes) take min units for each waiter ahead of them, and make no
	 * use of max; the packed semaphore takes them for every maximum. */
	weir_backoff backoff;
	/* Ring mutex: the size of its queue, rounded up to a power of two; 0: as many as blocks can
	 * run at once on the device. Who finds it full waits for room. Cohort mutex: how many blocks
	 * may queue inside their clusters, likewise; those of clusters past them do without. Patient
	 * mutex: how long the line may be, likewise, and 2 at least, for a weir_mutex_lock_for to
	 * take a place in it; who finds it longer waits outside. Others have none. */
	uint32_t slots;
	/* Counter barrier: how it is laid out; central barrier: its first_pause. Zeros: what the
	 * device's profile says for so many blocks, else what their number alone suggests; with
	 * has_shape also zeros are meant as they are: one counter, and no pause. */
	weir_shape shape;
	int has_shape;
	/* Mutexes: the default is taken among the kinds that serve in the order of arrival; a kind
	 * that does not is refused. */
	int fair;
	/* Barriers: for `blocks` blocks from first_block on, of a grid that may have others, which
	 * do not come. The whole grid must run at once all the same. */
	int part_of_grid;
	uint32_t first_block;
	/* Groups: how many pauses of a unit the block that came first makes before it closes the
	 * poll; 0: what suits the device. With has_delay 0 is meant as it is: none. */
	uint32_t delay;
	int has_delay;
	int compact; /* fields next to each other instead of a line apart */
	/* Where to put it: an address on the device, or a cl_mem; NULL: memory of weir's. The
	 * caller frees it after destroying the object. */
	void *memory;
	size_t memory_offset; /* bytes from `memory` to the object */
	size_t memory_bytes;  /* bytes from the object to the end of the memory */
	/* The object takes part in weir_device_diagnose, in kernels compiled with WEIR_DIAGNOSE. It
	 * takes 128 bytes more, and up to 63 of a device can. Not for arrays of mutexes and groups. */
	int diagnose;
	const char *name; /* for the reports; NULL: "mutex 1" and so on. Cut to 31 bytes */
} weir_options;

#define WEIR_NAME_BYTES 32

/* Bytes and alignment of an object; `count` is what creation takes: blocks, mutexes, maximum. */
weir_status weir_barrier_size(weir_device *device, weir_barrier_kind kind, uint32_t blocks,
                              const weir_options *options, size_t *bytes, size_t *alignment);
weir_status weir_mutex_size(weir_device *device, weir_mutex_kind kind, const weir_options *options,
                            size_t *bytes, size_t *alignment);
weir_status weir_mutex_array_size(weir_device *device, weir_mutex_kind kind, uint32_t length,
                                  const weir_options *options, size_t *bytes, size_t *alignment);
weir_status weir_semaphore_size(weir_device *device, weir_semaphore_kind kind, uint32_t maximum,
                                const weir_options *options, size_t *bytes, size_t *alignment);

/* A barrier for grids of exactly `blocks` blocks. WEIR_TOO_MANY_BLOCKS when no kernel could have so
 * many running at once on this device. */
weir_status weir_barrier_create(weir_device *device, weir_barrier_kind kind, uint32_t blocks,
                                weir_barrier *barrier);
weir_status weir_barrier_create_with(weir_device *device, weir_barrier_kind kind, uint32_t blocks,
                                     const weir_options *options, weir_barrier *barrier);

weir_status weir_mutex_create(weir_device *device, weir_mutex_kind kind, weir_mutex *mutex);
weir_status weir_mutex_create_with(weir_device *device, weir_mutex_kind kind,
                                   const weir_options *options, weir_mutex *mutex);

/* `length` mutexes in a row: compact (options->compact), 4 to 8 bytes each, or on a line each. */
weir_status weir_mutex_array_create(weir_device *device, weir_mutex_kind kind, uint32_t length,
                                    const weir_options *options, weir_mutex_array *array);

/* A semaphore with `initial` slots free of `maximum`. */
weir_status weir_semaphore_create(weir_device *device, weir_semaphore_kind kind, uint32_t initial,
                                  uint32_t maximum, weir_semaphore *semaphore);
weir_status weir_semaphore_create_with(weir_device *device, weir_semaphore_kind kind,
                                       uint32_t initial, uint32_t maximum,
                                       const weir_options *options, weir_semaphore *semaphore);

/* A group for kernels whose blocks find out which of them run together, with weir_group_discover,
 * and then meet at the group's own barrier, of the kind given. In a grid of more than `most_blocks`
 * blocks those past them are never members. Such a launch is neither cooperative nor has it a
 * barrier: the grid may be larger than the device. */
weir_status weir_group_create(weir_device *device, uint32_t most_blocks, weir_group *group);
weir_status weir_group_create_with(weir_device *device, weir_barrier_kind kind,
                                   uint32_t most_blocks, const weir_options *options,
                                   weir_group *group);
weir_status weir_group_size(weir_device *device, weir_barrier_kind kind, uint32_t most_blocks,
                            const weir_options *options, size_t *bytes, size_t *alignment);

/* Back to the state after creation. No kernel may be using the object. */
weir_status weir_barrier_reset(weir_device *device, weir_barrier barrier);
weir_status weir_mutex_reset(weir_device *device, weir_mutex mutex);
weir_status weir_mutex_array_reset(weir_device *device, weir_mutex_array array);
weir_status weir_semaphore_reset(weir_device *device, weir_semaphore semaphore);
weir_status weir_group_reset(weir_device *device, weir_group group);

/* Frees the object, if its memory is weir's, and clears the handle. WEIR_NOT_FOUND when it was
 * destroyed before. No kernel may be using the object. The memory of a diagnosed one stays until the
 * device is closed or its number is needed, so that a kernel that uses it after all is found out. */
weir_status weir_barrier_destroy(weir_device *device, weir_barrier *barrier);
weir_status weir_mutex_destroy(weir_device *device, weir_mutex *mutex);
weir_status weir_mutex_array_destroy(weir_device *device, weir_mutex_array *array);
weir_status weir_semaphore_destroy(weir_device *device, weir_semaphore *semaphore);
weir_status weir_group_destroy(weir_device *device, weir_group *group);

/* ---- kinds ---- */

/* The name of a kind ("ticket"), or NULL for a number that is none. "default" for the default. */
const char *weir_barrier_kind_name(uint32_t kind);
const char *weir_mutex_kind_name(uint32_t kind);
const char *weir_semaphore_kind_name(uint32_t kind);

/* The kind that the default stands for on this device; for barriers of many blocks, and semaphores
 * of a high maximum, where that makes a difference. An array of mutexes gets the ticket where that
 * of a single one needs a queue of its own. */
weir_status weir_barrier_default(weir_device *device, weir_barrier_kind *kind);
weir_status weir_mutex_default(weir_device *device, weir_mutex_kind *kind);
weir_status weir_semaphore_default(weir_device *device, weir_semaphore_kind *kind);

/* Where the defaults of this device come from: the user's profile of it ($WEIR_PROFILE, else a file
 * in $XDG_CONFIG_HOME/weir or ~/.config/weir), or the built-in profile nearest to it, and then what
 * was wrong with the user's if there is one. As it was when the device was opened. Never NULL, ""
 * for a device that is not open. */
const char *weir_device_defaults_from(weir_device *device);

/* ---- kernels ---- */

/* A kernel of a device: a CUfunction, a cl_kernel or a weir_host_kernel. A kernel of the runtime
 * API gives its CUfunction with cudaGetFuncBySymbol. */
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
	const char *opencl_text;
	const char *opencl_options; /* beside -cl-std=CL3.0; may be NULL */
	const weir_host_entry *host_entries;
	size_t host_entry_count;
} weir_program_text;

typedef struct weir_program weir_program;

weir_status weir_program_create(weir_device *device, const weir_program_text *text,
                                weir_program **program);
weir_status weir_program_kernel(weir_program *program, const char *name, weir_kernel *kernel);
weir_status weir_program_destroy(weir_program *program);

/* How many blocks of `threads` threads and `shared_bytes` of dynamic shared memory of this kernel
 * run at once on the device. */
weir_status weir_resident_blocks(weir_device *device, weir_kernel kernel, uint32_t threads,
                                 size_t shared_bytes, uint32_t *blocks);

typedef struct weir_argument {
	const void *value;
	size_t bytes;
} weir_argument;

typedef struct weir_launch {
	weir_kernel kernel;
	uint32_t grid[3];  /* 0 in a dimension counts as 1, but not in the first */
	uint32_t block[3]; /* likewise */
	/* Blocks of a thread block cluster, which divide the grid; 0 counts as 1, and all 1 is none.
	 * For CUDA devices from sm_90 on, and the host. Clusters of up to 8 blocks run on all of
	 * them, larger ones where the device has room for them. */
	uint32_t cluster[3];
	size_t shared_bytes;
	void *stream;    /* a CUstream or cl_command_queue; NULL: the device's own */
	int cooperative; /* all blocks must run at once: refused when they do not fit */
	/* If not NULL: implies cooperative, and the grid must have exactly as many blocks as the
	 * barrier, or contain those of a barrier for a part of the grid. */
	const weir_barrier *barrier;
	const weir_argument *arguments;
	uint32_t argument_count;
} weir_launch;

/* Starts a kernel and returns. */
weir_status weir_kernel_launch(weir_device *device, const weir_launch *launch);

/* Waits until the device's own stream is done, `timeout_ns` at the most (0: without end), and
 * writes, if `elapsed_ms` is not NULL, how long the last launch on it ran. After WEIR_STILL_RUNNING
 * the kernel is still running, and what would have to wait for it, such as reading a buffer, gives
 * WEIR_STILL_RUNNING at once; after WEIR_LAUNCH_FAILED on a CUDA device that device can only be
 * closed. */
weir_status weir_device_wait(weir_device *device, uint64_t timeout_ns, double *elapsed_ms);

/* ---- diagnosis ---- */

/* What the diagnosed objects of a device are doing, also while a kernel runs. */
typedef struct weir_diagnosis {
	char *text;        /* for people, in lines */
	char *json;        /* the same for programs; doc/hangs.md has its members */
	uint32_t findings; /* things that are wrong, or look so */
	uint32_t waiting;  /* blocks that wait for longer than a moment */
} weir_diagnosis;

/* WEIR_NOT_FOUND when the device never had a diagnosed object. weir_diagnosis_clear frees the report. */
weir_status weir_device_diagnose(weir_device *device, weir_diagnosis *report);
void weir_diagnosis_clear(weir_diagnosis *report);

/* Calls back, from a thread of its own, when a block has waited for `seconds`: once for each hang, that
 * is, again only after nobody was waiting so long. The callback may call any function but
 * weir_device_watch, weir_device_unwatch and weir_device_close; the report is gone when it returns. A
 * second watch takes the place of the first. */
typedef void (*weir_watch_callback)(weir_device *device, const weir_diagnosis *report, void *user);
weir_status weir_device_watch(weir_device *device, double seconds, weir_watch_callback callback,
                              void *user);
/* Does not return while the callback runs. */
weir_status weir_device_unwatch(weir_device *device);

/* Ends every wait for a diagnosed object in the running kernels, and those kernels with them: their
 * threads end where they wait (CUDA, host), or go on without what they waited for (OpenCL). The next
 * weir_device_wait then gives WEIR_LAUNCH_ABORTED. The objects must be reset before they are used
 * again. */
weir_status weir_device_abort(weir_device *device);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
