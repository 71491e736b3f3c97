/* With WEIR_DIAGNOSE every object of a test takes part in the diagnosis, so that kernels run through the
 * wrappers of weir/diagnose.h with their notes. A test includes it by harness.h.
 */
#ifndef HARNESS_DIAGNOSED_H
#define HARNESS_DIAGNOSED_H

#ifdef WEIR_DIAGNOSE

/* Words of the header before an object that lies in memory of a test's own. */
#define HARNESS_LEAD 32

/* The options with `diagnose` set, until the next call. */
static inline const weir_options *harness_diagnosed(const weir_options *options)
{
	static weir_options diagnosed;

	if (options)
		diagnosed = *options;
	else
		diagnosed = (weir_options){.slots = 0};
	diagnosed.diagnose = 1;
	return &diagnosed;
}

#define weir_barrier_size(d, k, n, o, ...)                                                         \
	weir_barrier_size(d, k, n, harness_diagnosed(o), __VA_ARGS__)
#define weir_mutex_size(d, k, o, ...) weir_mutex_size(d, k, harness_diagnosed(o), __VA_ARGS__)
#define weir_semaphore_size(d, k, n, o, ...)                                                       \
	weir_semaphore_size(d, k, n, harness_diagnosed(o), __VA_ARGS__)
#define weir_queue_size(d, k, n, i, o, ...)                                                        \
	weir_queue_size(d, k, n, i, harness_diagnosed(o), __VA_ARGS__)
#define weir_condition_size(d, o, ...) weir_condition_size(d, harness_diagnosed(o), __VA_ARGS__)
#define weir_rwlock_size(d, k, o, ...) weir_rwlock_size(d, k, harness_diagnosed(o), __VA_ARGS__)

#define weir_barrier_create_with(d, k, n, o, b)                                                    \
	weir_barrier_create_with(d, k, n, harness_diagnosed(o), b)
#define weir_barrier_create(d, k, n, b) weir_barrier_create_with(d, k, n, NULL, b)
#define weir_mutex_create_with(d, k, o, m) weir_mutex_create_with(d, k, harness_diagnosed(o), m)
#define weir_mutex_create(d, k, m) weir_mutex_create_with(d, k, NULL, m)
#define weir_semaphore_create_with(d, k, i, n, o, s)                                               \
	weir_semaphore_create_with(d, k, i, n, harness_diagnosed(o), s)
#define weir_event_array_create(d, k, n, o, a)                                                     \
	weir_event_array_create(d, k, n, harness_diagnosed(o), a)
#define weir_queue_create(d, k, n, i, o, q) weir_queue_create(d, k, n, i, harness_diagnosed(o), q)
#define weir_dispenser_create(d, n, o, p) weir_dispenser_create(d, n, harness_diagnosed(o), p)
#define weir_tasks_create(d, g, o, t) weir_tasks_create(d, g, harness_diagnosed(o), t)
#define weir_condition_create(d, o, c) weir_condition_create(d, harness_diagnosed(o), c)
#define weir_rwlock_create(d, k, o, l) weir_rwlock_create(d, k, harness_diagnosed(o), l)
#define weir_once_create(d, o, p) weir_once_create(d, harness_diagnosed(o), p)
#define weir_combine_create(d, n, o, c) weir_combine_create(d, n, harness_diagnosed(o), c)

#else
#define HARNESS_LEAD 0
#endif

#endif
