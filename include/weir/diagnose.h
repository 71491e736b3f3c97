/* Diagnosis (WEIR_DIAGNOSE): a call of an operation passes its call site, so that the operation leaves notes for
 * a report (weir/diagnosis/site.h). This header has a row for each operation that users call. It comes after all
 * others: the functions, which have the same names, are in PRIMITIVE/api.h, bounded.h and team.h. */
#ifndef WEIR_DEVICE_H
#include "weir/device.h" /* includes this file */
#endif

#ifndef WEIR_DIAGNOSE_H
#define WEIR_DIAGNOSE_H

#include "weir/diagnosis/combiner.h"
#include "weir/diagnosis/crew.h"
#include "weir/diagnosis/event.h"

#define weir_mutex_lock(m) weir_mutex_lock(m, WEIR_HERE_)
#define weir_mutex_unlock(m) weir_mutex_unlock(m, WEIR_HERE_)
#define weir_mutex_try_lock(m) weir_mutex_try_lock(m, WEIR_HERE_)
#define weir_mutex_lock_for(m, ns) weir_mutex_lock_for(m, ns, WEIR_HERE_)
#define weir_mutex_block_lock(m) weir_mutex_block_lock(m, WEIR_HERE_)
#define weir_mutex_block_unlock(m) weir_mutex_block_unlock(m, WEIR_HERE_)
#define weir_mutex_team_lock(m, team) weir_mutex_team_lock(m, team, WEIR_HERE_)
#define weir_mutex_team_unlock(m, team) weir_mutex_team_unlock(m, team, WEIR_HERE_)

#define weir_barrier_wait(b) weir_barrier_wait(b, WEIR_HERE_)
#define weir_barrier_wait_for(b, ns) weir_barrier_wait_for(b, ns, WEIR_HERE_)
#define weir_barrier_arrive(b) weir_barrier_arrive(b, WEIR_HERE_)
#define weir_barrier_await(b, token) weir_barrier_await(b, token, WEIR_HERE_)

#define weir_semaphore_wait(s) weir_semaphore_wait(s, WEIR_HERE_)
#define weir_semaphore_post(s) weir_semaphore_post(s, WEIR_HERE_)
#define weir_semaphore_wait_n(s, n) weir_semaphore_wait_n(s, n, WEIR_HERE_)
#define weir_semaphore_post_n(s, n) weir_semaphore_post_n(s, n, WEIR_HERE_)
#define weir_semaphore_try_wait(s) weir_semaphore_try_wait(s, WEIR_HERE_)
#define weir_semaphore_try_wait_n(s, n) weir_semaphore_try_wait_n(s, n, WEIR_HERE_)
#define weir_semaphore_wait_for(s, ns) weir_semaphore_wait_for(s, ns, WEIR_HERE_)
#define weir_semaphore_wait_n_for(s, n, ns) weir_semaphore_wait_n_for(s, n, ns, WEIR_HERE_)
#define weir_semaphore_block_wait(s) weir_semaphore_block_wait(s, WEIR_HERE_)
#define weir_semaphore_block_post(s) weir_semaphore_block_post(s, WEIR_HERE_)
#define weir_semaphore_team_wait(s, team) weir_semaphore_team_wait(s, team, WEIR_HERE_)
#define weir_semaphore_team_post(s, team) weir_semaphore_team_post(s, team, WEIR_HERE_)

#define weir_condition_wait(c, m) weir_condition_wait(c, m, WEIR_HERE_)
#define weir_condition_wait_for(c, m, ns) weir_condition_wait_for(c, m, ns, WEIR_HERE_)
#define weir_condition_signal(c) weir_condition_signal(c, WEIR_HERE_)
#define weir_condition_broadcast(c) weir_condition_broadcast(c, WEIR_HERE_)
#define weir_condition_block_wait(c, m) weir_condition_block_wait(c, m, WEIR_HERE_)
#define weir_condition_block_wait_for(c, m, ns) weir_condition_block_wait_for(c, m, ns, WEIR_HERE_)
#define weir_condition_block_signal(c) weir_condition_block_signal(c, WEIR_HERE_)
#define weir_condition_block_broadcast(c) weir_condition_block_broadcast(c, WEIR_HERE_)

#define weir_rwlock_read_lock(l) weir_rwlock_read_lock(l, WEIR_HERE_)
#define weir_rwlock_read_unlock(l) weir_rwlock_read_unlock(l, WEIR_HERE_)
#define weir_rwlock_write_lock(l) weir_rwlock_write_lock(l, WEIR_HERE_)
#define weir_rwlock_write_unlock(l) weir_rwlock_write_unlock(l, WEIR_HERE_)
#define weir_rwlock_downgrade(l) weir_rwlock_downgrade(l, WEIR_HERE_)
#define weir_rwlock_try_read_lock(l) weir_rwlock_try_read_lock(l, WEIR_HERE_)
#define weir_rwlock_try_write_lock(l) weir_rwlock_try_write_lock(l, WEIR_HERE_)
#define weir_rwlock_read_lock_for(l, ns) weir_rwlock_read_lock_for(l, ns, WEIR_HERE_)
#define weir_rwlock_write_lock_for(l, ns) weir_rwlock_write_lock_for(l, ns, WEIR_HERE_)
#define weir_rwlock_block_read_lock(l) weir_rwlock_block_read_lock(l, WEIR_HERE_)
#define weir_rwlock_block_read_unlock(l) weir_rwlock_block_read_unlock(l, WEIR_HERE_)
#define weir_rwlock_block_write_lock(l) weir_rwlock_block_write_lock(l, WEIR_HERE_)
#define weir_rwlock_block_write_unlock(l) weir_rwlock_block_write_unlock(l, WEIR_HERE_)
#define weir_rwlock_block_downgrade(l) weir_rwlock_block_downgrade(l, WEIR_HERE_)

#define weir_group_wait(g, me) weir_group_wait(g, me, WEIR_HERE_)

#define weir_once_begin(o) weir_once_begin(o, WEIR_HERE_)
#define weir_once_begin_for(o, ns, is_mine) weir_once_begin_for(o, ns, is_mine, WEIR_HERE_)
#define weir_once_end(o) weir_once_end(o, WEIR_HERE_)
#define weir_once_block_begin(o) weir_once_block_begin(o, WEIR_HERE_)
#define weir_once_block_end(o) weir_once_block_end(o, WEIR_HERE_)

#define weir_dispenser_next(d, share, n) weir_dispenser_next(d, share, n, WEIR_HERE_)
#define weir_dispenser_team_next(d, share, n, team)                                                \
	weir_dispenser_team_next(d, share, n, team, WEIR_HERE_)
#define weir_dispenser_block_next(d, share, n) weir_dispenser_block_next(d, share, n, WEIR_HERE_)

#define weir_queue_push(q, value) weir_queue_push(q, value, WEIR_HERE_)
#define weir_queue_pop(q, value) weir_queue_pop(q, value, WEIR_HERE_)
#define weir_queue_push_item(q, item, words) weir_queue_push_item(q, item, words, WEIR_HERE_)
#define weir_queue_pop_item(q, item, words) weir_queue_pop_item(q, item, words, WEIR_HERE_)
#define weir_queue_try_push(q, value) weir_queue_try_push(q, value, WEIR_HERE_)
#define weir_queue_try_pop(q, value) weir_queue_try_pop(q, value, WEIR_HERE_)
#define weir_queue_try_push_item(q, item, words)                                                   \
	weir_queue_try_push_item(q, item, words, WEIR_HERE_)
#define weir_queue_try_pop_item(q, item, words) weir_queue_try_pop_item(q, item, words, WEIR_HERE_)
#define weir_queue_push_for(q, value, ns) weir_queue_push_for(q, value, ns, WEIR_HERE_)
#define weir_queue_pop_for(q, value, ns) weir_queue_pop_for(q, value, ns, WEIR_HERE_)
#define weir_queue_push_item_for(q, item, words, ns)                                               \
	weir_queue_push_item_for(q, item, words, ns, WEIR_HERE_)
#define weir_queue_pop_item_for(q, item, words, ns)                                                \
	weir_queue_pop_item_for(q, item, words, ns, WEIR_HERE_)
#define weir_queue_close(q) weir_queue_close(q, WEIR_HERE_)
#define weir_queue_leave(q) weir_queue_leave(q, WEIR_HERE_)
#define weir_queue_block_leave(q) weir_queue_block_leave(q, WEIR_HERE_)
#define weir_queue_team_push(q, value, team) weir_queue_team_push(q, value, team, WEIR_HERE_)
#define weir_queue_team_pop(q, value, team) weir_queue_team_pop(q, value, team, WEIR_HERE_)
#define weir_queue_team_push_n(q, n, item, words, team)                                            \
	weir_queue_team_push_n(q, n, item, words, team, WEIR_HERE_)
#define weir_queue_team_pop_n(q, n, item, words, team)                                             \
	weir_queue_team_pop_n(q, n, item, words, team, WEIR_HERE_)
#define weir_queue_team_pop_some(q, most, item, words, team)                                       \
	weir_queue_team_pop_some(q, most, item, words, team, WEIR_HERE_)
#define weir_queue_block_push(q, value) weir_queue_block_push(q, value, WEIR_HERE_)
#define weir_queue_block_pop(q, value) weir_queue_block_pop(q, value, WEIR_HERE_)
#define weir_queue_block_push_n(q, n, item, words)                                                 \
	weir_queue_block_push_n(q, n, item, words, WEIR_HERE_)
#define weir_queue_block_pop_n(q, n, item, words)                                                  \
	weir_queue_block_pop_n(q, n, item, words, WEIR_HERE_)
#define weir_queue_block_pop_some(q, most, item, words)                                            \
	weir_queue_block_pop_some(q, most, item, words, WEIR_HERE_)
#define weir_tasks_next(t, task) weir_tasks_next(t, task, WEIR_HERE_)
#define weir_tasks_add(t, task, level) weir_tasks_add(t, task, level, WEIR_HERE_)
#define weir_tasks_block_next(t, task) weir_tasks_block_next(t, task, WEIR_HERE_)

#endif
