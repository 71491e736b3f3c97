/* The operations as functions that Numba and Triton call. A handle is passed as the address of its copy in
 * device memory (Object.on_device). All threads of a block call the barrier functions and those with `block` in
 * their name; one thread calls the others, for its block.
 *
 * weir/functions.py reads the declarations of this file: a function is one line, and takes and returns only
 * uint32_t and uint64_t.
 */
#include "weir/device.h"

#define WEIR_CALL extern "C" __device__
#define AT(type, handle) (*(const type *)(handle))
#define BARRIER(b) AT(weir_barrier, b)
#define MUTEX(m) AT(weir_mutex, m)
#define MUTEX_AT(a, i) weir_mutex_at(AT(weir_mutex_array, a), i)
#define SEMAPHORE(s) AT(weir_semaphore, s)
#define EVENTS(a) AT(weir_event_array, a)
#define EVENT(a, i) weir_event_at(EVENTS(a), i)
#define QUEUE(q) AT(weir_queue, q)
#define DISPENSER(d) AT(weir_dispenser, d)
#define TASKS(t) AT(weir_tasks, t)
#define CONDITION(c) AT(weir_condition, c)
#define RWLOCK(l) AT(weir_rwlock, l)
#define ONCE(o) AT(weir_once, o)

/* A status above a value: 0 for an item, 4 if the queue is closed. */
static __device__ inline uint64_t weir_pair_(uint32_t high, uint32_t low)
{
	return (uint64_t)high << 32 | low;
}

/* A share as a number: its first item and, above it, its count; 0 for a taker that has no items yet, and all ones
 * after the last. */
#define ENDED 0xffffffffffffffffu
static __device__ inline weir_share weir_share_of_(weir_dispenser d, uint64_t number)
{
	weir_share share = weir_dispenser_begin(d);

	if (number != 0)
		share.state = number == ENDED ? WEIR_SHARE_ENDED : WEIR_SHARE_TAKES;
	return share;
}

static __device__ inline uint64_t weir_number_of_(weir_share share)
{
	return share.count != 0 ? weir_pair_(share.count, share.first) : ENDED;
}

/* clang-format off */
WEIR_CALL uint32_t weir_call_barrier_wait(uint64_t b) { weir_barrier_wait(BARRIER(b)); return 0; }
WEIR_CALL uint32_t weir_call_barrier_arrive(uint64_t b) { return weir_barrier_arrive(BARRIER(b)); }
WEIR_CALL uint32_t weir_call_barrier_await(uint64_t b, uint32_t token) { weir_barrier_await(BARRIER(b), token); return 0; }
WEIR_CALL uint32_t weir_call_mutex_lock(uint64_t m) { weir_mutex_lock(MUTEX(m)); return 0; }
WEIR_CALL uint32_t weir_call_mutex_unlock(uint64_t m) { weir_mutex_unlock(MUTEX(m)); return 0; }
WEIR_CALL uint32_t weir_call_mutex_try_lock(uint64_t m) { return weir_mutex_try_lock(MUTEX(m)) == WEIR_OK; }
WEIR_CALL uint32_t weir_call_mutex_block_lock(uint64_t m) { weir_mutex_block_lock(MUTEX(m)); return 0; }
WEIR_CALL uint32_t weir_call_mutex_block_unlock(uint64_t m) { weir_mutex_block_unlock(MUTEX(m)); return 0; }
WEIR_CALL uint32_t weir_call_mutex_array_lock(uint64_t a, uint32_t i) { weir_mutex_lock(MUTEX_AT(a, i)); return 0; }
WEIR_CALL uint32_t weir_call_mutex_array_unlock(uint64_t a, uint32_t i) { weir_mutex_unlock(MUTEX_AT(a, i)); return 0; }
WEIR_CALL uint32_t weir_call_mutex_array_block_lock(uint64_t a, uint32_t i) { weir_mutex_block_lock(MUTEX_AT(a, i)); return 0; }
WEIR_CALL uint32_t weir_call_mutex_array_block_unlock(uint64_t a, uint32_t i) { weir_mutex_block_unlock(MUTEX_AT(a, i)); return 0; }
WEIR_CALL uint32_t weir_call_semaphore_wait(uint64_t s) { weir_semaphore_wait(SEMAPHORE(s)); return 0; }
WEIR_CALL uint32_t weir_call_semaphore_post(uint64_t s) { weir_semaphore_post(SEMAPHORE(s)); return 0; }
WEIR_CALL uint32_t weir_call_semaphore_block_wait(uint64_t s) { weir_semaphore_block_wait(SEMAPHORE(s)); return 0; }
WEIR_CALL uint32_t weir_call_semaphore_block_post(uint64_t s) { weir_semaphore_block_post(SEMAPHORE(s)); return 0; }
WEIR_CALL uint32_t weir_call_event_signal(uint64_t a, uint32_t i, uint32_t n) { return weir_event_signal(EVENT(a, i), n); }
WEIR_CALL uint32_t weir_call_event_post(uint64_t a, uint32_t i, uint32_t n) { weir_event_post(EVENT(a, i), n); return 0; }
WEIR_CALL uint32_t weir_call_event_wait(uint64_t a, uint32_t i, uint32_t target) { weir_event_wait(EVENT(a, i), target); return 0; }
WEIR_CALL uint32_t weir_call_event_count(uint64_t a, uint32_t i) { return weir_event_count(EVENT(a, i)); }
WEIR_CALL uint32_t weir_call_event_reached(uint64_t a, uint32_t i, uint32_t target) { return (uint32_t)weir_event_reached(EVENT(a, i), target); }
WEIR_CALL uint32_t weir_call_event_block_signal(uint64_t a, uint32_t i, uint32_t n) { return weir_event_block_signal(EVENT(a, i), n); }
WEIR_CALL uint32_t weir_call_event_block_post(uint64_t a, uint32_t i, uint32_t n) { weir_event_block_post(EVENT(a, i), n); return 0; }
WEIR_CALL uint32_t weir_call_event_block_wait(uint64_t a, uint32_t i, uint32_t target) { weir_event_block_wait(EVENT(a, i), target); return 0; }
WEIR_CALL uint32_t weir_call_event_round(uint64_t a) { return weir_event_array_round(EVENTS(a)); }
WEIR_CALL uint32_t weir_call_event_leave(uint64_t a) { return (uint32_t)weir_event_array_leave(EVENTS(a)); }
WEIR_CALL uint32_t weir_call_event_block_leave(uint64_t a) { return (uint32_t)weir_event_array_block_leave(EVENTS(a)); }
WEIR_CALL uint32_t weir_call_queue_push(uint64_t q, uint32_t value) { return weir_queue_push(QUEUE(q), value); }
WEIR_CALL uint32_t weir_call_queue_try_push(uint64_t q, uint32_t value) { return weir_queue_try_push(QUEUE(q), value); }
WEIR_CALL uint64_t weir_call_queue_pop(uint64_t q) { uint32_t value = 0; uint32_t result = weir_queue_pop(QUEUE(q), &value); return weir_pair_(result, value); }
WEIR_CALL uint64_t weir_call_queue_try_pop(uint64_t q) { uint32_t value = 0; uint32_t result = weir_queue_try_pop(QUEUE(q), &value); return weir_pair_(result, value); }
WEIR_CALL uint32_t weir_call_queue_block_push(uint64_t q, uint32_t value) { return weir_queue_block_push(QUEUE(q), value); }
WEIR_CALL uint64_t weir_call_queue_block_pop(uint64_t q) { uint32_t value = 0; uint32_t result = weir_queue_block_pop(QUEUE(q), &value); return weir_pair_(result, value); }
WEIR_CALL uint32_t weir_call_queue_close(uint64_t q) { weir_queue_close(QUEUE(q)); return 0; }
WEIR_CALL uint32_t weir_call_queue_leave(uint64_t q) { return (uint32_t)weir_queue_leave(QUEUE(q)); }
WEIR_CALL uint32_t weir_call_queue_block_leave(uint64_t q) { return (uint32_t)weir_queue_block_leave(QUEUE(q)); }
WEIR_CALL uint64_t weir_call_dispenser_next(uint64_t d, uint64_t share, uint32_t n) { weir_share own = weir_share_of_(DISPENSER(d), share); weir_dispenser_next(DISPENSER(d), &own, n); return weir_number_of_(own); }
WEIR_CALL uint64_t weir_call_dispenser_block_next(uint64_t d, uint64_t share, uint32_t n) { weir_share own = weir_share_of_(DISPENSER(d), share); weir_dispenser_block_next(DISPENSER(d), &own, n); return weir_number_of_(own); }
WEIR_CALL uint32_t weir_call_tasks_next(uint64_t t, uint32_t task) { return weir_tasks_next(TASKS(t), &task) ? task : WEIR_NO_TASK; }
WEIR_CALL uint32_t weir_call_tasks_block_next(uint64_t t, uint32_t task) { return weir_tasks_block_next(TASKS(t), &task) ? task : WEIR_NO_TASK; }
WEIR_CALL uint32_t weir_call_condition_wait(uint64_t c, uint64_t m) { return weir_condition_wait(CONDITION(c), MUTEX(m)); }
WEIR_CALL uint32_t weir_call_condition_signal(uint64_t c) { return (uint32_t)weir_condition_signal(CONDITION(c)); }
WEIR_CALL uint32_t weir_call_condition_broadcast(uint64_t c) { return weir_condition_broadcast(CONDITION(c)); }
WEIR_CALL uint32_t weir_call_condition_block_wait(uint64_t c, uint64_t m) { return weir_condition_block_wait(CONDITION(c), MUTEX(m)); }
WEIR_CALL uint32_t weir_call_rwlock_read_lock(uint64_t l) { weir_rwlock_read_lock(RWLOCK(l)); return 0; }
WEIR_CALL uint32_t weir_call_rwlock_read_unlock(uint64_t l) { weir_rwlock_read_unlock(RWLOCK(l)); return 0; }
WEIR_CALL uint32_t weir_call_rwlock_write_lock(uint64_t l) { weir_rwlock_write_lock(RWLOCK(l)); return 0; }
WEIR_CALL uint32_t weir_call_rwlock_write_unlock(uint64_t l) { weir_rwlock_write_unlock(RWLOCK(l)); return 0; }
WEIR_CALL uint32_t weir_call_rwlock_block_read_lock(uint64_t l) { weir_rwlock_block_read_lock(RWLOCK(l)); return 0; }
WEIR_CALL uint32_t weir_call_rwlock_block_read_unlock(uint64_t l) { weir_rwlock_block_read_unlock(RWLOCK(l)); return 0; }
WEIR_CALL uint32_t weir_call_rwlock_block_write_lock(uint64_t l) { weir_rwlock_block_write_lock(RWLOCK(l)); return 0; }
WEIR_CALL uint32_t weir_call_rwlock_block_write_unlock(uint64_t l) { weir_rwlock_block_write_unlock(RWLOCK(l)); return 0; }
WEIR_CALL uint32_t weir_call_once_begin(uint64_t o) { return (uint32_t)weir_once_begin(ONCE(o)); }
WEIR_CALL uint32_t weir_call_once_end(uint64_t o) { weir_once_end(ONCE(o)); return 0; }
WEIR_CALL uint32_t weir_call_once_block_begin(uint64_t o) { return (uint32_t)weir_once_block_begin(ONCE(o)); }
WEIR_CALL uint32_t weir_call_once_block_end(uint64_t o) { weir_once_block_end(ONCE(o)); return 0; }
/* clang-format on */
