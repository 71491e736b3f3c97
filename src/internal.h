/* What the files of the host library share: the device behind the public pointer, and the interface
 * that each kind of device implements. */
#ifndef WEIR_INTERNAL_H
#define WEIR_INTERNAL_H

#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>

#include "weir/weir.h"

/* Keeps the text for weir_error_text and gives `status`. A macro, so that compilers and analyzers
 * see that a failure is never WEIR_OK. */
#define weir_fail(status, ...) (weir_explain(__VA_ARGS__), (status))
void weir_explain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Copies as much of a name as the room has place for, in whole characters of UTF-8, and fills the
 * rest with zeros. Each byte that is no UTF-8 becomes '?': JSON could not hold it. */
void weir_copy_name(char *to, size_t room, const char *from);

/* Why a kernel has ended its launch: WEIR_FAULT_* of weir/machine.h, 0 for none, and the kind in the
 * handle then. */
typedef struct weir_fault {
	uint32_t why;
	uint32_t kind;
} weir_fault;

#define WEIR_FAULT_BYTES 160
void weir_fault_text(weir_fault fault, char text[WEIR_FAULT_BYTES]);
/* WEIR_LAUNCH_FAILED, with that text. */
weir_status weir_fail_fault(weir_fault fault);

/* A launch that device.c has checked: no dimension is 0, and the grid fits if it must. */
typedef struct weir_checked_launch {
	const weir_launch *asked;
	uint32_t grid[3];
	uint32_t block[3];
	uint32_t blocks;
	uint32_t threads;
	int cooperative;
	uint32_t cluster[3]; /* all 1: no clusters */
	uint32_t cluster_blocks;
} weir_checked_launch;

/* One kind of device. `state` is its own; each function sets the error text when it fails. */
typedef struct weir_backend {
	weir_machine machine;
	/* Writes the devices of this machine; "" or the reason why there are none. Like `open`, it
	 * leaves zeros where an info holds nothing. */
	const char *(*list)(weir_device_info *infos, size_t room, size_t *count);
	weir_status (*open)(uint32_t index, void **state, weir_device_info *info);
	void (*close)(void *state);
	weir_status (*allocate)(void *state, size_t bytes, void **native); /* zeroed */
	weir_status (*release)(void *state, void *native);
	weir_status (*write)(void *state, void *native, size_t offset, const void *from,
	                     size_t bytes);
	weir_status (*read)(void *state, void *native, size_t offset, void *to, size_t bytes);
	weir_status (*load)(void *state, const weir_program_text *text, void **module);
	weir_status (*kernel)(void *state, void *module, const char *name, weir_kernel *kernel);
	void (*unload)(void *state, void *module);
	weir_status (*resident)(void *state, weir_kernel kernel, uint32_t threads,
	                        size_t shared_bytes, uint32_t *blocks);
	/* How many clusters as the launch asks for run at once, 0: it cannot have them at all. NULL:
	 * the machine has no clusters. */
	weir_status (*clusters)(void *state, const weir_checked_launch *launch, uint32_t *clusters);
	/* Whether kernels have WEIR_HAS_WORD64; NULL: yes. */
	int (*has_word64)(void *state);
	/* No kernel has more blocks than this running at once. */
	uint32_t (*most_blocks)(void *state);
	weir_status (*launch)(void *state, const weir_checked_launch *launch);
	weir_status (*wait)(void *state, uint64_t timeout_ns, double *elapsed_ms);
	/* Memory for a diagnosis: zeroed, and read and written by the last two while a kernel runs.
	 * NULL: this machine cannot. */
	weir_status (*area_open)(void *state, size_t bytes, void **area);
	void (*area_close)(void *state, void *area);
	weir_status (*peek)(void *state, void *area, size_t offset, void *to, size_t bytes);
	weir_status (*poke)(void *state, void *area, size_t offset, const void *from, size_t bytes);
	/* Ends what waits outside of weir's own waits; NULL: nothing does. */
	void (*interrupt)(void *state);
} weir_backend;

extern const weir_backend weir_cuda_backend;
extern const weir_backend weir_opencl_backend;
extern const weir_backend weir_host_backend;

/* An OpenCL device over the caller's objects; the other half of weir_device_open_opencl. */
weir_status weir_opencl_adopt(void *context, void *cl_device, void *queue, void **state,
                              weir_device_info *info);

enum weir_primitive {
	WEIR_PRIMITIVE_BARRIER,
	WEIR_PRIMITIVE_MUTEX,
	WEIR_PRIMITIVE_MUTEX_ARRAY,
	WEIR_PRIMITIVE_SEMAPHORE,
	WEIR_PRIMITIVE_BUFFER,
	WEIR_PRIMITIVE_GROUP
};

extern const char *const weir_primitive_names[];

/* What a row of the kinds.h says of one kind, in the words of weir/rows.h. */
typedef struct weir_kind {
	const char *name;
	uint32_t value;
	int fair;
	int queue;
	int pause;
	int shape;
	int width; /* of its words */
} weir_kind;

const weir_kind *weir_kind_find(enum weir_primitive primitive, uint32_t value);
const weir_kind *weir_kind_named(enum weir_primitive primitive, const char *name);
/* In the order of kinds.h; NULL past the last. */
const weir_kind *weir_kind_at(enum weir_primitive primitive, size_t index);

/* An object that lives on a device: what destroy and reset must find again. */
typedef struct weir_record {
	struct weir_record *next;
	void *native;  /* the memory it lies in */
	size_t offset; /* bytes from there */
	size_t bytes;
	size_t lead; /* bytes of a header between the start of the memory and `native` */
	enum weir_primitive primitive;
	int owned;              /* the memory is weir's */
	uint32_t initial;       /* a semaphore's first value */
	weir_any_config config; /* as at creation, whatever became of the caller's handle */
} weir_record;

struct weir_device {
	struct weir_device *next; /* all devices that were ever opened, the closed ones too */
	const weir_backend *backend;
	void *state;
	weir_device_info info;
	int open;
	pthread_mutex_t lock; /* guards `records` and `near_slots`, and making the diagnosis */
	weir_record *records;
	uint32_t near_slots;          /* a bit for each that a mutex has */
	struct weir_profile *profile; /* has a rule for every primitive while the device is open */
	char defaults_from[1024];
	struct weir_diagnostics *diagnosis; /* NULL: no object was ever diagnosed */
};

#define WEIR_HEADER_BYTES 128

/* Diagnosis, as objects and launches see it (diagnose.c). A diagnosed object has a number, in its
 * config, and a header before its words. */
weir_status weir_diagnosis_enlist(weir_device *device, weir_record *record, const char *name);
/* Takes over the record of an object that is being destroyed. */
weir_status weir_diagnosis_bury(weir_device *device, weir_record *record);
void weir_diagnosis_forget(weir_device *device, uint32_t id);
void weir_diagnosis_launch(weir_device *device);
/* WEIR_LAUNCH_ABORTED in the place of WEIR_OK after an abort. */
weir_status weir_diagnosis_wait(weir_device *device, weir_status status);
void weir_diagnosis_close(weir_device *device);

/* The memory of a record that is weir's, from its start. */
void *weir_record_memory(const weir_record *record);

/* For backends whose kernels and host share all memory. */
weir_status weir_plain_peek(void *state, void *area, size_t offset, void *to, size_t bytes);
weir_status weir_plain_poke(void *state, void *area, size_t offset, const void *from, size_t bytes);

/* Whether the device has what the kind needs. */
int weir_kind_runs(const weir_device *device, const weir_kind *kind);

/* WEIR_OK when `device` is an open device; else the status, with its text. */
weir_status weir_device_check(weir_device *device);

/* Unloads what is left of the programs of a device that is being closed. */
void weir_programs_unload(weir_device *device);

void weir_record_add(weir_device *device, weir_record *record);
/* Takes the record out of the device's list and returns it, or NULL. */
weir_record *weir_record_take(weir_device *device, enum weir_primitive primitive,
                              const void *native, size_t offset);
weir_record *weir_record_find(weir_device *device, enum weir_primitive primitive,
                              const void *native, size_t offset);

/* Finds the profile that the defaults of a device come from, and lets go of it. */
weir_status weir_defaults_load(weir_device *device);
void weir_defaults_drop(weir_device *device);

/* The default kind for `count` blocks or a maximum of `count`, the same among the fair kinds of
 * mutex, and the backoff and the shape of an object that was created without. */
#define WEIR_ANY_COUNT UINT32_MAX
uint32_t weir_default_kind(const weir_device *device, enum weir_primitive primitive,
                           uint32_t count);
uint32_t weir_default_fair_kind(const weir_device *device, enum weir_primitive primitive);
weir_backoff weir_default_backoff(const weir_device *device, enum weir_primitive primitive,
                                  uint32_t count, const weir_kind *kind);
weir_shape weir_default_shape(const weir_device *device, uint32_t blocks, const weir_kind *kind);

/* The shape of a barrier of so many blocks on a device that nobody has tuned it for. */
weir_shape weir_untuned_shape(const weir_kind *kind, uint32_t blocks);
/* NULL, or what is wrong with it. */
const char *weir_shape_fault(weir_shape shape);

#endif
