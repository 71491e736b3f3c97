/* The parameters of the kernels of weir doctor. words[0] counts signals; the objects follow it, at
 * the offsets in their configs. */
#ifndef WEIR_DOCTOR_PARAMS_H
#define WEIR_DOCTOR_PARAMS_H

#include "weir/device.h"

typedef struct doctor_params {
	weir_mutex_config first;
	weir_mutex_config second;
	weir_barrier_config barrier;
	weir_semaphore_config semaphore;
	weir_event_array_config tiles;
	weir_event_array_config sums; /* of kind shards */
	weir_queue_config work;
	weir_queue_config lane; /* one block pops */
	weir_dispenser_config rows;
	weir_tasks_config steps;
	weir_tasks_config ring; /* has a cycle */
	weir_condition_config filled;
	weir_rwlock_config table;
	weir_once_config setup;
	weir_combiner_config counter;
	weir_combiner_config desk;  /* is served */
	weir_combiner_config booth; /* has one seat */
	weir_crew_config halo;
	uint64_t halo_words; /* the two pointers of its handle */
	uint64_t halo_table;
	uint32_t rounds;
} doctor_params;

#endif
