/* The handle of a group, and what a block learns from it. */
#ifndef WEIR_GROUP_OBJECT_H
#define WEIR_GROUP_OBJECT_H

#include "weir/barrier/object.h"

/** The configuration in the handle of a group. `kind`, `backoff` and `shape` are those of the
 * group's own barrier. */
typedef struct weir_group_config {
	WEIR_CONFIG_MEMBERS
	uint32_t most_members; /**< the most blocks that can be members */
	uint32_t askers;       /**< blocks from this number on are never members */
	uint32_t delay;        /**< pauses, of one unit each, before the poll is closed */
	weir_shape shape;      /**< of the group's own barrier */
} weir_group_config;

/** The handle of a group. Kernels get it by value; every copy is the same group. */
WEIR_HANDLE_(weir_group)

/** The part of a block in a group. */
typedef struct weir_member {
	uint32_t is_member; /**< 0: it must not call the group's barriers */
	uint32_t rank;      /**< from 0, without gaps */
	uint32_t count;     /**< the number of members */
} weir_member;

#endif
