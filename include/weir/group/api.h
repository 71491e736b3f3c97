/* The operations of a group: discovery (discovery.h), groups that the caller chooses (chosen.h),
 * and the group's own barrier. */
#ifndef WEIR_GROUP_API_H
#define WEIR_GROUP_API_H

#include "weir/group/chosen.h"
#include "weir/group/discovery.h"

/* Every thread of every member of a discovered group calls it. Other blocks must not. */
WEIR_FN void weir_group_wait(weir_group g, weir_member me WEIR_SITE_)
{
	weir_barrier_wait(weir_group_own_barrier(g, me) WEIR_AT_);
}

#endif
