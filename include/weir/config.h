/** @addtogroup weir_object
 * The configuration of any object, for code that keeps objects of several primitives. */
#ifndef WEIR_CONFIG_H
#define WEIR_CONFIG_H

#include "weir/barrier/object.h"
#include "weir/combiner/object.h"
#include "weir/condition/object.h"
#include "weir/dispenser/object.h"
#include "weir/event/object.h"
#include "weir/group/object.h"
#include "weir/mutex/object.h"
#include "weir/once/object.h"
#include "weir/queue/object.h"
#include "weir/rwlock/object.h"
#include "weir/semaphore/object.h"
#include "weir/tasks/object.h"

/** The configuration of any object. */
typedef union weir_any_config {
	weir_object_config object;           /**< the members that all of them begin with */
	weir_barrier_config barrier;         /**< that of a weir_barrier */
	weir_mutex_config mutex;             /**< that of a weir_mutex */
	weir_mutex_array_config mutex_array; /**< that of a weir_mutex_array */
	weir_semaphore_config semaphore;     /**< that of a weir_semaphore */
	weir_group_config group;             /**< that of a weir_group */
	weir_event_array_config event_array; /**< that of a weir_event_array */
	weir_queue_config queue;             /**< that of a weir_queue */
	weir_dispenser_config dispenser;     /**< that of a weir_dispenser */
	weir_tasks_config tasks;             /**< that of a weir_tasks */
	weir_condition_config condition;     /**< that of a weir_condition */
	weir_rwlock_config rwlock;           /**< that of a weir_rwlock */
	weir_once_config once;               /**< that of a weir_once */
	weir_combiner_config combiner;       /**< that of a weir_combiner */
} weir_any_config;

#endif
