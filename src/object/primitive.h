/* The primitives, as the creation of objects knows them. */
#ifndef WEIR_OBJECT_PRIMITIVE_H
#define WEIR_OBJECT_PRIMITIVE_H

#include "core/record.h"
#include "object/order.h"

#define WEIR_MOST_IN_ARRAY (1u << 28)

/* What creation must know of a primitive. A group's words are those of its parts (plan_group). */
typedef struct weir_primitive_row {
	const char *counted;  /* what its count is a number of */
	uint32_t most_in_row; /* an array: its most; else 0 */
	int is_diagnosed;     /* it can take part in a diagnosis */
	weir_status (*check)(weir_device *device, const weir_order *order); /* its count */
	size_t (*words)(const weir_any_config *config);
	/* Sets the members of its own, in a primitive without kinds; else NULL. */
	weir_status (*plan)(weir_device *device, const weir_order *order, weir_any_config *config);
	/* Makes its first state in zeros; NULL: these are it. */
	void (*start)(weir_word *image, const weir_record *record);
} weir_primitive_row;

extern const weir_primitive_row weir_primitive_rows[WEIR_PRIMITIVES];

#endif
