/** @addtogroup weir_kind
 *
 * @code
 * const weir_kind *kind;
 * for (size_t i = 0; (kind = weir_kind_at(WEIR_PRIMITIVE_MUTEX, i)); i++)
 * 	printf("%s%s\n", kind->name, kind->fair ? ", fair" : "");
 * @endcode
 */
#ifndef WEIR_KIND_H
#define WEIR_KIND_H

#include <stddef.h>
#include <stdint.h>

#include "weir/weir.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/** The primitives. */
enum weir_primitive {
	WEIR_PRIMITIVE_BARRIER,     /**< barriers */
	WEIR_PRIMITIVE_MUTEX,       /**< mutexes */
	WEIR_PRIMITIVE_MUTEX_ARRAY, /**< arrays of mutexes */
	WEIR_PRIMITIVE_SEMAPHORE,   /**< semaphores */
	WEIR_PRIMITIVE_BUFFER,      /**< buffers, which have no kinds */
	WEIR_PRIMITIVE_GROUP,       /**< groups */
	WEIR_PRIMITIVE_EVENT_ARRAY, /**< arrays of events */
	WEIR_PRIMITIVE_QUEUE,       /**< queues */
	WEIR_PRIMITIVE_DISPENSER,   /**< dispensers */
	WEIR_PRIMITIVE_TASKS,       /**< graphs of tasks */
	WEIR_PRIMITIVE_CONDITION,   /**< conditions */
	WEIR_PRIMITIVE_RWLOCK,      /**< reader-writer locks */
	WEIR_PRIMITIVE_ONCE,        /**< onces */
	WEIR_PRIMITIVE_COMBINER,    /**< combiners */
	WEIR_PRIMITIVE_CREW         /**< crews */
};

/** The name of a primitive in sentences: "reader-writer lock". Never NULL. */
const char *weir_primitive_name(enum weir_primitive primitive);
/** The name of a primitive as one word, for options and files: "event" for an array of events, "rwlock" for a
 * reader-writer lock. Never NULL. */
const char *weir_primitive_id(enum weir_primitive primitive);

/** One row of a kinds.h. The numbers are constants of weir/rows.h; 0 in columns that the primitive lacks. */
typedef struct weir_kind {
	const char *name; /**< the kind's name: "ticket" */
	uint32_t value;   /**< its number, WEIR_MUTEX_TICKET */
	int fair;         /**< in which order waiters are served: WEIR_UNFAIR or WEIR_FAIR */
	int queue;        /**< a mutex: what its queue needs, WEIR_QUEUE_NONE and others */
	int pause;        /**< which part of the backoff it uses, WEIR_PAUSE_NONE and others */
	int shape; /**< a barrier: whether it uses config.shape, WEIR_SHAPE_NONE or WEIR_SHAPE_COUNTERS */
	int width; /**< the width of its words: WEIR_WORDS_OF_32 or WEIR_WORDS_OF_64 */
	int parts; /**< an event or reader-writer lock: what it has instead of one word, WEIR_PARTS_NONE and others */
	int items; /**< a queue: which items it can have */
	int role;  /**< what it is for: WEIR_FOR_USE, WEIR_AS_PUBLISHED or WEIR_BY_VENDOR */
} weir_kind;

/** The kind with that number, or NULL. */
const weir_kind *weir_kind_find(enum weir_primitive primitive, uint32_t value);
/** The kind with that name, or NULL. */
const weir_kind *weir_kind_named(enum weir_primitive primitive, const char *name);
/** The kind at `index` in the order of kinds.h; NULL past the last. */
const weir_kind *weir_kind_at(enum weir_primitive primitive, size_t index);

/** Whether the device has what the kind needs: 64-bit atomics, or the vendor's own barrier. */
int weir_kind_runs(const weir_device *device, const weir_kind *kind);

/** The kind whose code a kernel for a GPU runs for objects of kind `kind`. Such kernels contain only the code of the
 * default kind, unless their author names more (weir/dispatch.h). Returns `kind` if that code handles it, else the kind
 * of the code. */
uint32_t weir_text_kind(enum weir_primitive primitive, uint32_t kind);

/** A count for weir_default_kind that is larger than any other. */
#define WEIR_ANY_COUNT UINT32_MAX
/** The kind that an open device takes by default for a barrier of `count` blocks, or for a semaphore whose maximum is
 * `count`. On a GPU it is one that the code of the default handles. */
uint32_t weir_default_kind(const weir_device *device, enum weir_primitive primitive,
                           uint32_t count);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
