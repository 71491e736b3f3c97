/* Every primitive through the same four functions, for tests of the guarantees that all of them
 * share. */
#ifndef API_SUBJECTS_H
#define API_SUBJECTS_H

#include "weir/kind.h"
#include "weir/weir.h"

/* A handle of any of them. */
typedef union api_any {
	struct {
		weir_word *words;
		weir_object_config config;
	} all;
	weir_barrier barrier;
	weir_mutex mutex;
	weir_mutex_array mutex_array;
	weir_semaphore semaphore;
	weir_group group;
	weir_event_array event_array;
	weir_queue queue;
	weir_dispenser dispenser;
	weir_tasks tasks;
	weir_condition condition;
	weir_rwlock rwlock;
	weir_once once;
	weir_combiner combiner;
} api_any;

typedef struct api_subject {
	enum weir_primitive primitive;
	const char *phrase;
	size_t options_bytes;
	weir_status (*create)(weir_device *, const weir_any_options *, api_any *);
	weir_status (*size)(weir_device *, const weir_any_options *, size_t *, size_t *);
	/* Creates an object for a caller that knows other options. */
	weir_status (*sized)(weir_device *, const void *options, size_t bytes, api_any *);
	weir_status (*reset)(weir_device *, api_any);
	weir_status (*destroy)(weir_device *, api_any *);
} api_subject;

#define API_SUBJECTS 13
#define API_USERS 2  /* blocks of barriers, groups and combiners */
#define API_SLOTS 3  /* of semaphores, queues and dispensers; one is free */
#define API_LENGTH 7 /* of arrays */

extern const api_subject api_subjects[API_SUBJECTS];
const api_subject *api_subject_of(enum weir_primitive primitive);

#endif
