/* The objects that live on a device: what destroy and reset need to know about them. */
#ifndef WEIR_CORE_RECORD_H
#define WEIR_CORE_RECORD_H

#include "base/kind.h"
#include "weir/config.h"
#include "weir/weir.h"

/* An object that lives on a device: what destroy and reset need to know about it. */
typedef struct weir_record {
	struct weir_record *next;
	void *native;  /* the memory that contains it */
	size_t offset; /* byte offset in that memory */
	size_t bytes;
	size_t lead; /* bytes of a header between the start of the memory and `native` */
	enum weir_primitive primitive;
	int owned;          /* weir allocated the memory */
	int shared;         /* with the host, while kernels run */
	uint32_t *posted;   /* how often the host posted to each event, where only one side can; or
	                     * NULL */
	uint32_t *item;     /* an item of a queue that the host uses, under the device's lock; else
	                     * NULL */
	uint32_t host_side; /* of such a queue: the side that the host uses */
	weir_word *image;   /* the first state of tasks; else NULL */
	/* For a barrier on the host machine, by block: the program's own thread that is this block
	 * (src/host/member.c); 0: none. Guarded by the device's lock; NULL: no thread of the
	 * program has arrived. */
	uint64_t *members;
	uint32_t initial;       /* a semaphore's initial value */
	weir_any_config config; /* as at creation, whatever became of the caller's handle */
} weir_record;

/* The start of the memory of a record that weir allocated. */
void *weir_record_memory(const weir_record *record);

/* The program's own threads may use the barrier as different blocks from now on. */
void weir_record_forget_members(weir_device *device, weir_record *record);

/* Frees the memory if weir allocated it, and the record. */
weir_status weir_record_free(weir_device *device, weir_record *record);

/* What remains of a destroyed object, so that a launch with its handle is refused. */
typedef struct weir_grave {
	const void *native; /* NULL: none */
	size_t offset;
	size_t bytes;
	enum weir_primitive primitive;
	weir_object_config config;
} weir_grave;

#define WEIR_GRAVES 64 /* of a device: the most recently destroyed objects */

void weir_record_add(weir_device *device, weir_record *record);
/* Records that the object is destroyed. Other objects may use its memory from now on. */
void weir_record_bury(weir_device *device, const weir_record *record);
/* Takes the record out of the device's list and returns it, or NULL. */
weir_record *weir_record_take(weir_device *device, enum weir_primitive primitive,
                              const void *native, size_t offset);
weir_record *weir_record_find(weir_device *device, enum weir_primitive primitive,
                              const void *native, size_t offset);
/* Finds it for a caller that holds the device's lock. */
weir_record *weir_record_look(weir_device *device, enum weir_primitive primitive,
                              const void *native, size_t offset);

#endif
