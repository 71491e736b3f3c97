/* The primitives, as the creation of objects knows them. */
#ifndef WEIR_OBJECT_PRIMITIVE_H
#define WEIR_OBJECT_PRIMITIVE_H

#include "core/record.h"
#include "object/order.h"

#define WEIR_MOST_IN_ARRAY (1u << 28)

/* What creation must know of a primitive. */
typedef struct weir_primitive_row {
	const char *counted;  /* what its count is a number of */
	uint32_t most_in_row; /* an array: its most; else 0 */
	size_t count_at;      /* the place of its count in the configuration; 0: none */
	int is_diagnosed;     /* it can take part in a diagnosis */
	int is_dense;         /* its words lie beside each other */
	int may_be_fair;      /* options.fair is for it; so for the next */
	int may_be_shared;    /* options.host_visible */
	int has_host_side;    /* options.host_side */
	int has_parts;        /* options.part_of_grid */
	weir_status (*check)(weir_device *device, const weir_order *order); /* its count */
	/* The default kind for an order; NULL: that of the device's profile. */
	uint32_t (*kind_for)(const weir_device *device, const weir_order *order);
	/* Sets the members of its own that follow from kind and order. */
	weir_status (*lay_out)(const weir_order *order, const weir_kind *kind,
	                       weir_any_config *config);
	size_t (*words)(const weir_any_config *config);
	/* Sets the members of its own, in a primitive without kinds; else NULL. */
	weir_status (*plan)(weir_device *device, const weir_order *order, weir_any_config *config);
	/* Plans all of it, where it consists of other objects; else NULL. */
	weir_status (*plan_parts)(weir_device *device, const weir_order *order,
	                          weir_any_config *config, size_t *bytes);
	/* Takes what an object needs besides memory, and gives it back; NULL: nothing. */
	weir_status (*take)(weir_device *device, weir_any_config *config);
	void (*give)(weir_device *device, const weir_any_config *config);
	/* Keeps what the first state is made of besides the configuration. */
	weir_status (*draw)(const weir_order *order, weir_record *record);
	/* Makes its first state in zeros; NULL: these are it. */
	void (*start)(weir_word *image, const weir_record *record);
} weir_primitive_row;

extern const weir_primitive_row weir_primitive_rows[WEIR_PRIMITIVES];

#endif
