/* Diagnosis (WEIR_DIAGNOSE): a call of an operation passes its call site, so that the operation leaves notes for
 * a report (weir/diagnosis/site.h). This header has a row for each operation that users call. It comes after all
 * others: the functions, which have the same names, are in PRIMITIVE/api.h, bounded.h and team.h. */
#ifndef WEIR_DEVICE_H
#include "weir/device.h" /* includes this file */
#endif

#ifndef WEIR_DIAGNOSE_H
#define WEIR_DIAGNOSE_H

#include "weir/diagnosis/crew.h"

#define weir_mutex_lock(...) weir_mutex_lock(__VA_ARGS__, WEIR_HERE_)
#define weir_mutex_unlock(...) weir_mutex_unlock(__VA_ARGS__, WEIR_HERE_)
#define weir_mutex_trylock(...) weir_mutex_trylock(__VA_ARGS__, WEIR_HERE_)
#define weir_mutex_lock_for(...) weir_mutex_lock_for(__VA_ARGS__, WEIR_HERE_)
#define weir_mutex_block_lock(...) weir_mutex_block_lock(__VA_ARGS__, WEIR_HERE_)
#define weir_mutex_block_unlock(...) weir_mutex_block_unlock(__VA_ARGS__, WEIR_HERE_)
#define weir_mutex_team_lock(...) weir_mutex_team_lock(__VA_ARGS__, WEIR_HERE_)
#define weir_mutex_team_unlock(...) weir_mutex_team_unlock(__VA_ARGS__, WEIR_HERE_)

#define weir_barrier_wait(...) weir_barrier_wait(__VA_ARGS__, WEIR_HERE_)
#define weir_barrier_wait_for(...) weir_barrier_wait_for(__VA_ARGS__, WEIR_HERE_)
#define weir_barrier_arrive(...) weir_barrier_arrive(__VA_ARGS__, WEIR_HERE_)
#define weir_barrier_await(...) weir_barrier_await(__VA_ARGS__, WEIR_HERE_)

#define weir_semaphore_wait(...) weir_semaphore_wait(__VA_ARGS__, WEIR_HERE_)
#define weir_semaphore_post(...) weir_semaphore_post(__VA_ARGS__, WEIR_HERE_)
#define weir_semaphore_wait_n(...) weir_semaphore_wait_n(__VA_ARGS__, WEIR_HERE_)
#define weir_semaphore_post_n(...) weir_semaphore_post_n(__VA_ARGS__, WEIR_HERE_)
#define weir_semaphore_trywait(...) weir_semaphore_trywait(__VA_ARGS__, WEIR_HERE_)
#define weir_semaphore_trywait_n(...) weir_semaphore_trywait_n(__VA_ARGS__, WEIR_HERE_)
#define weir_semaphore_wait_for(...) weir_semaphore_wait_for(__VA_ARGS__, WEIR_HERE_)
#define weir_semaphore_wait_n_for(...) weir_semaphore_wait_n_for(__VA_ARGS__, WEIR_HERE_)
#define weir_semaphore_block_wait(...) weir_semaphore_block_wait(__VA_ARGS__, WEIR_HERE_)
#define weir_semaphore_block_post(...) weir_semaphore_block_post(__VA_ARGS__, WEIR_HERE_)
#define weir_semaphore_team_wait(...) weir_semaphore_team_wait(__VA_ARGS__, WEIR_HERE_)
#define weir_semaphore_team_post(...) weir_semaphore_team_post(__VA_ARGS__, WEIR_HERE_)

#define weir_condition_wait(...) weir_condition_wait(__VA_ARGS__, WEIR_HERE_)
#define weir_condition_wait_for(...) weir_condition_wait_for(__VA_ARGS__, WEIR_HERE_)
#define weir_condition_signal(...) weir_condition_signal(__VA_ARGS__, WEIR_HERE_)
#define weir_condition_broadcast(...) weir_condition_broadcast(__VA_ARGS__, WEIR_HERE_)
#define weir_condition_block_wait(...) weir_condition_block_wait(__VA_ARGS__, WEIR_HERE_)
#define weir_condition_block_wait_for(...) weir_condition_block_wait_for(__VA_ARGS__, WEIR_HERE_)
#define weir_condition_block_signal(...) weir_condition_block_signal(__VA_ARGS__, WEIR_HERE_)
#define weir_condition_block_broadcast(...) weir_condition_block_broadcast(__VA_ARGS__, WEIR_HERE_)

#define weir_rwlock_read_lock(...) weir_rwlock_read_lock(__VA_ARGS__, WEIR_HERE_)
#define weir_rwlock_read_unlock(...) weir_rwlock_read_unlock(__VA_ARGS__, WEIR_HERE_)
#define weir_rwlock_write_lock(...) weir_rwlock_write_lock(__VA_ARGS__, WEIR_HERE_)
#define weir_rwlock_write_unlock(...) weir_rwlock_write_unlock(__VA_ARGS__, WEIR_HERE_)
#define weir_rwlock_downgrade(...) weir_rwlock_downgrade(__VA_ARGS__, WEIR_HERE_)
#define weir_rwlock_try_read(...) weir_rwlock_try_read(__VA_ARGS__, WEIR_HERE_)
#define weir_rwlock_try_write(...) weir_rwlock_try_write(__VA_ARGS__, WEIR_HERE_)
#define weir_rwlock_read_lock_for(...) weir_rwlock_read_lock_for(__VA_ARGS__, WEIR_HERE_)
#define weir_rwlock_write_lock_for(...) weir_rwlock_write_lock_for(__VA_ARGS__, WEIR_HERE_)
#define weir_rwlock_block_read_lock(...) weir_rwlock_block_read_lock(__VA_ARGS__, WEIR_HERE_)
#define weir_rwlock_block_read_unlock(...) weir_rwlock_block_read_unlock(__VA_ARGS__, WEIR_HERE_)
#define weir_rwlock_block_write_lock(...) weir_rwlock_block_write_lock(__VA_ARGS__, WEIR_HERE_)
#define weir_rwlock_block_write_unlock(...) weir_rwlock_block_write_unlock(__VA_ARGS__, WEIR_HERE_)
#define weir_rwlock_block_downgrade(...) weir_rwlock_block_downgrade(__VA_ARGS__, WEIR_HERE_)

#define weir_group_wait(...) weir_group_wait(__VA_ARGS__, WEIR_HERE_)

#define weir_once_begin(...) weir_once_begin(__VA_ARGS__, WEIR_HERE_)
#define weir_once_begin_for(...) weir_once_begin_for(__VA_ARGS__, WEIR_HERE_)
#define weir_once_end(...) weir_once_end(__VA_ARGS__, WEIR_HERE_)
#define weir_once_block_begin(...) weir_once_block_begin(__VA_ARGS__, WEIR_HERE_)
#define weir_once_block_end(...) weir_once_block_end(__VA_ARGS__, WEIR_HERE_)

#define weir_dispenser_take(...) weir_dispenser_take(__VA_ARGS__, WEIR_HERE_)
#define weir_dispenser_first(...) weir_dispenser_first(__VA_ARGS__, WEIR_HERE_)
#define weir_dispenser_team_take(...) weir_dispenser_team_take(__VA_ARGS__, WEIR_HERE_)
#define weir_dispenser_block_take(...) weir_dispenser_block_take(__VA_ARGS__, WEIR_HERE_)
#define weir_dispenser_block_first(...) weir_dispenser_block_first(__VA_ARGS__, WEIR_HERE_)

#define weir_queue_push(...) weir_queue_push(__VA_ARGS__, WEIR_HERE_)
#define weir_queue_pop(...) weir_queue_pop(__VA_ARGS__, WEIR_HERE_)
#define weir_queue_push_item(...) weir_queue_push_item(__VA_ARGS__, WEIR_HERE_)
#define weir_queue_pop_item(...) weir_queue_pop_item(__VA_ARGS__, WEIR_HERE_)
#define weir_queue_try_push(...) weir_queue_try_push(__VA_ARGS__, WEIR_HERE_)
#define weir_queue_try_pop(...) weir_queue_try_pop(__VA_ARGS__, WEIR_HERE_)
#define weir_queue_try_push_item(...) weir_queue_try_push_item(__VA_ARGS__, WEIR_HERE_)
#define weir_queue_try_pop_item(...) weir_queue_try_pop_item(__VA_ARGS__, WEIR_HERE_)
#define weir_queue_push_for(...) weir_queue_push_for(__VA_ARGS__, WEIR_HERE_)
#define weir_queue_pop_for(...) weir_queue_pop_for(__VA_ARGS__, WEIR_HERE_)
#define weir_queue_push_item_for(...) weir_queue_push_item_for(__VA_ARGS__, WEIR_HERE_)
#define weir_queue_pop_item_for(...) weir_queue_pop_item_for(__VA_ARGS__, WEIR_HERE_)
#define weir_queue_close(...) weir_queue_close(__VA_ARGS__, WEIR_HERE_)
#define weir_queue_leave(...) weir_queue_leave(__VA_ARGS__, WEIR_HERE_)
#define weir_queue_block_leave(...) weir_queue_block_leave(__VA_ARGS__, WEIR_HERE_)
#define weir_queue_team_push(...) weir_queue_team_push(__VA_ARGS__, WEIR_HERE_)
#define weir_queue_team_pop(...) weir_queue_team_pop(__VA_ARGS__, WEIR_HERE_)
#define weir_queue_team_push_n(...) weir_queue_team_push_n(__VA_ARGS__, WEIR_HERE_)
#define weir_queue_team_pop_n(...) weir_queue_team_pop_n(__VA_ARGS__, WEIR_HERE_)
#define weir_queue_team_pop_some(...) weir_queue_team_pop_some(__VA_ARGS__, WEIR_HERE_)
#define weir_queue_block_push(...) weir_queue_block_push(__VA_ARGS__, WEIR_HERE_)
#define weir_queue_block_pop(...) weir_queue_block_pop(__VA_ARGS__, WEIR_HERE_)
#define weir_queue_block_push_n(...) weir_queue_block_push_n(__VA_ARGS__, WEIR_HERE_)
#define weir_queue_block_pop_n(...) weir_queue_block_pop_n(__VA_ARGS__, WEIR_HERE_)
#define weir_queue_block_pop_some(...) weir_queue_block_pop_some(__VA_ARGS__, WEIR_HERE_)

#define weir_tasks_next(...) weir_tasks_next(__VA_ARGS__, WEIR_HERE_)
#define weir_tasks_add(...) weir_tasks_add(__VA_ARGS__, WEIR_HERE_)
#define weir_tasks_block_next(...) weir_tasks_block_next(__VA_ARGS__, WEIR_HERE_)

#define weir_event_at(...) weir_event_at(__VA_ARGS__, WEIR_HERE_)
#define weir_event_round(...) weir_event_round(__VA_ARGS__, WEIR_HERE_)
#define weir_event_signal(...) weir_event_signal(__VA_ARGS__, WEIR_HERE_)
#define weir_event_post(...) weir_event_post(__VA_ARGS__, WEIR_HERE_)
#define weir_event_post_bulk(...) weir_event_post_bulk(__VA_ARGS__, WEIR_HERE_)
#define weir_event_count(...) weir_event_count(__VA_ARGS__, WEIR_HERE_)
#define weir_event_block_post(...) weir_event_block_post(__VA_ARGS__, WEIR_HERE_)
#define weir_event_block_post_bulk(...) weir_event_block_post_bulk(__VA_ARGS__, WEIR_HERE_)
#define weir_event_block_signal(...) weir_event_block_signal(__VA_ARGS__, WEIR_HERE_)
#define weir_event_team_post(...) weir_event_team_post(__VA_ARGS__, WEIR_HERE_)
#define weir_event_team_post_bulk(...) weir_event_team_post_bulk(__VA_ARGS__, WEIR_HERE_)
#define weir_event_team_signal(...) weir_event_team_signal(__VA_ARGS__, WEIR_HERE_)
#define weir_latch_arrive(...) weir_latch_arrive(__VA_ARGS__, WEIR_HERE_)
#define weir_latch_arrive_is_last(...) weir_latch_arrive_is_last(__VA_ARGS__, WEIR_HERE_)
#define weir_latch_block_arrive(...) weir_latch_block_arrive(__VA_ARGS__, WEIR_HERE_)
#define weir_latch_block_arrive_is_last(...)                                                       \
	weir_latch_block_arrive_is_last(__VA_ARGS__, WEIR_HERE_)
#define weir_sequence_leave(...) weir_sequence_leave(__VA_ARGS__, WEIR_HERE_)
#define weir_sequence_block_leave(...) weir_sequence_block_leave(__VA_ARGS__, WEIR_HERE_)

#define weir_combine_publish(...) weir_combine_publish(__VA_ARGS__, WEIR_HERE_)
#define weir_combine_publish_words(...) weir_combine_publish_words(__VA_ARGS__, WEIR_HERE_)
#define weir_combine_wait(...) weir_combine_wait(__VA_ARGS__, WEIR_HERE_)
#define weir_combine_next(...) weir_combine_next(__VA_ARGS__, WEIR_HERE_)
#define weir_combine_release(...) weir_combine_release(__VA_ARGS__, WEIR_HERE_)
#define weir_combine_leave(...) weir_combine_leave(__VA_ARGS__, WEIR_HERE_)
#define weir_combine_serve(...) weir_combine_serve(__VA_ARGS__, WEIR_HERE_)
#define weir_combine_goes_on(...) weir_combine_goes_on(__VA_ARGS__, WEIR_HERE_)
#define weir_combine_publish_timed(...) weir_combine_publish_timed(__VA_ARGS__, WEIR_HERE_)
#define weir_combine_wait_by(...) weir_combine_wait_by(__VA_ARGS__, WEIR_HERE_)

/* A wait notes what a target in its arguments says of a launch, and not what an earlier one said. */
#define WEIR_TARGET_(call) (weir_each_put_(0), call)
#define weir_event_reached(...) WEIR_TARGET_(weir_event_reached(__VA_ARGS__, WEIR_HERE_))
#define weir_event_wait(...) WEIR_TARGET_(weir_event_wait(__VA_ARGS__, WEIR_HERE_))
#define weir_event_wait_all(...) WEIR_TARGET_(weir_event_wait_all(__VA_ARGS__, WEIR_HERE_))
#define weir_event_wait_any(...) WEIR_TARGET_(weir_event_wait_any(__VA_ARGS__, WEIR_HERE_))
#define weir_event_wait_for(...) WEIR_TARGET_(weir_event_wait_for(__VA_ARGS__, WEIR_HERE_))
#define weir_event_wait_all_for(...) WEIR_TARGET_(weir_event_wait_all_for(__VA_ARGS__, WEIR_HERE_))
#define weir_event_wait_any_for(...) WEIR_TARGET_(weir_event_wait_any_for(__VA_ARGS__, WEIR_HERE_))
#define weir_event_block_wait(...) WEIR_TARGET_(weir_event_block_wait(__VA_ARGS__, WEIR_HERE_))
#define weir_event_block_wait_all(...)                                                             \
	WEIR_TARGET_(weir_event_block_wait_all(__VA_ARGS__, WEIR_HERE_))
#define weir_event_block_wait_any(...)                                                             \
	WEIR_TARGET_(weir_event_block_wait_any(__VA_ARGS__, WEIR_HERE_))
#define weir_event_team_wait(...) WEIR_TARGET_(weir_event_team_wait(__VA_ARGS__, WEIR_HERE_))
#define weir_event_team_wait_all(...)                                                              \
	WEIR_TARGET_(weir_event_team_wait_all(__VA_ARGS__, WEIR_HERE_))
#define weir_event_team_wait_any(...)                                                              \
	WEIR_TARGET_(weir_event_team_wait_any(__VA_ARGS__, WEIR_HERE_))
#define weir_latch_wait(...) WEIR_TARGET_(weir_latch_wait(__VA_ARGS__, WEIR_HERE_))
#define weir_latch_is_open(...) WEIR_TARGET_(weir_latch_is_open(__VA_ARGS__, WEIR_HERE_))
#define weir_latch_block_wait(...) WEIR_TARGET_(weir_latch_block_wait(__VA_ARGS__, WEIR_HERE_))
#define weir_sequence_enter(...) WEIR_TARGET_(weir_sequence_enter(__VA_ARGS__, WEIR_HERE_))
#define weir_sequence_block_enter(...)                                                             \
	WEIR_TARGET_(weir_sequence_block_enter(__VA_ARGS__, WEIR_HERE_))

#endif
