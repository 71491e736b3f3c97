/* Objects of all primitives: a request, the plan that follows from it, and the object. */
#ifndef WEIR_OBJECT_OBJECT_H
#define WEIR_OBJECT_OBJECT_H

#include "core/record.h"
#include "weir/kind.h"
#include "weir/weir.h"

/* What the caller asked for. `count` is the blocks, the length or the maximum. */
typedef struct weir_object_request {
	enum weir_primitive primitive;
	uint32_t count;
	uint32_t initial;
	size_t item_bytes;       /* of a queue */
	const weir_graph *graph; /* of tasks */
	const void *given;       /* the caller's options, or NULL */
	size_t given_bytes;
	weir_any_options options; /* those, by weir_object_request_read */
} weir_object_request;

/* A handle of any primitive. */
typedef struct weir_handle {
	weir_word *words;
	weir_any_config config;
} weir_handle;

/* `out` is the caller's place for the handle. `made` is the new handle, all zeros after a
 * failure. */
weir_status weir_object_create(weir_device *device, weir_object_request request, const void *out,
                               weir_handle *made);

weir_status weir_object_size(weir_device *device, weir_object_request request, size_t *bytes,
                             size_t *alignment);

weir_status weir_object_reset(weir_device *device, enum weir_primitive primitive,
                              const weir_word *words, size_t offset);

/* Clears the handle when the object is gone. */
weir_status weir_object_destroy(weir_device *device, enum weir_primitive primitive,
                                const weir_word *words, size_t offset, void *handle,
                                size_t handle_bytes);

/* options.c */

/* Reads the options of a request, whatever version of their struct the caller has. */
weir_status weir_object_request_read(weir_object_request *request);

/* Refuses members that this kind does not use. */
weir_status weir_object_request_check(const weir_object_request *request, const weir_kind *kind);

/* Members that several primitives have; 0 for a primitive without the member. */
uint32_t weir_object_request_kind(const weir_object_request *request);
int weir_object_request_is_fair(const weir_object_request *request);
int weir_object_request_is_shared(
    const weir_object_request *request); /* with the host, while kernels run */
/* Returns whether it was given, be it 0. */
int weir_object_request_backoff(const weir_object_request *request, weir_backoff *backoff);

/* plan.c */

/* Chooses the kind, the backoff and all other members of the configuration, and says how many bytes
 * such an object takes. Refuses what cannot be. */
weir_status weir_object_request_plan(weir_device *device, const weir_object_request *request,
                                     weir_any_config *config, size_t *bytes);

/* The same for a group: a poll, and behind it a barrier for as many blocks as could ever run together. */
weir_status weir_group_plan(weir_device *device, const weir_object_request *request,
                            weir_any_config *config, size_t *bytes);

/* The bytes that lie before the words of the object. */
size_t weir_object_request_lead(const weir_object_request *request, const weir_any_config *config);

/* primitive.c */

#define WEIR_MOST_IN_ARRAY (1u << 28)

/* What creation must know of a primitive. */
typedef struct weir_primitive_row {
	const char *counted;  /* what its count is a number of */
	uint32_t most_in_row; /* an array: its most; else 0 */
	size_t count_at;      /* the place of its count in the configuration; 0: none */
	int is_diagnosed;     /* it can take part in a diagnosis */
	int is_dense;         /* its words lie beside each other */
	weir_status (*check)(weir_device *device,
	                     const weir_object_request *request); /* its count */
	/* The default kind for a request; NULL: that of the device's profile. */
	uint32_t (*kind_for)(const weir_device *device, const weir_object_request *request);
	/* Sets the members of its own that follow from the kind and the request. */
	weir_status (*lay_out)(const weir_object_request *request, const weir_kind *kind,
	                       weir_any_config *config);
	size_t (*words)(const weir_any_config *config);
	/* Sets the members of its own, in a primitive without kinds; else NULL. */
	weir_status (*plan)(weir_device *device, const weir_object_request *request,
	                    weir_any_config *config);
	/* Plans all of it, where it consists of other objects; else NULL. */
	weir_status (*plan_parts)(weir_device *device, const weir_object_request *request,
	                          weir_any_config *config, size_t *bytes);
	/* Takes what an object needs besides memory, and gives it back; NULL: nothing. */
	weir_status (*take)(weir_device *device, weir_any_config *config);
	void (*give)(weir_device *device, const weir_any_config *config);
	/* Records the inputs of the first state that are not in the configuration. */
	weir_status (*draw)(const weir_object_request *request, weir_record *record);
	/* Writes the first state into zeroed memory; NULL: zeroed memory is the first state. */
	void (*start)(weir_word *image, const weir_record *record);
} weir_primitive_row;

extern const weir_primitive_row weir_primitive_rows[WEIR_PRIMITIVES];

#endif
