/* A kernel for each operation of the machine layer and for each function of each kind. orders.txt
 * lists the ordered instructions that each of them must become.
 *
 * With FIXED_BARRIER, FIXED_MUTEX and FIXED_SEMAPHORE the build fixes the kinds, and the kernels
 * call the functions that dispatch on the kind. They have the names of kernels that call only that
 * kind, so that the same expectations hold: nothing of another kind may be left. */
#include "weir/device.h"

/* Code around the call: another machine's test may add plain accesses. */
#ifndef BEFORE
#define BEFORE ((void)0)
#define AFTER ((void)0)
#endif

#define KERNEL(name, parameters, call)                                                             \
	extern "C" __global__ void name parameters                                                 \
	{                                                                                          \
		BEFORE;                                                                            \
		call;                                                                              \
		AFTER;                                                                             \
	}
/* Parameters that a call may leave unused. */
#define UNUSED(a, b) ((void)(a), (void)(b))

#define OPERATION(name, call)                                                                      \
	KERNEL(machine_##name, (weir_word * w, uint32_t a, uint32_t b), UNUSED(a, b); (void)w;     \
	       (void)call)

OPERATION(load_rlx, weir_load_rlx(w))
OPERATION(load_acq, weir_load_acq(w))
OPERATION(store_rlx, weir_store_rlx(w, a))
OPERATION(store_rel, weir_store_rel(w, a))
OPERATION(red_add_rlx, weir_red_add_rlx(w, a))
OPERATION(red_add_rel, weir_red_add_rel(w, a))
OPERATION(xchg_rlx, weir_xchg_rlx(w, a))
OPERATION(xchg_acq, weir_xchg_acq(w, a))
OPERATION(xchg_rel, weir_xchg_rel(w, a))
OPERATION(xchg_acq_rel, weir_xchg_acq_rel(w, a))
OPERATION(add_rlx, weir_add_rlx(w, a))
OPERATION(add_acq, weir_add_acq(w, a))
OPERATION(add_rel, weir_add_rel(w, a))
OPERATION(add_acq_rel, weir_add_acq_rel(w, a))
OPERATION(cas_rlx, weir_cas_rlx(w, a, b))
OPERATION(cas_acq, weir_cas_acq(w, a, b))
OPERATION(cas_rel, weir_cas_rel(w, a, b))
OPERATION(cas_acq_rel, weir_cas_acq_rel(w, a, b))
OPERATION(block_sync, weir_block_sync())
#if WEIR_HAS_TEAMS
OPERATION(warp_sync, weir_warp_sync_(0, 32))
OPERATION(named_sync, weir_named_sync_(3, 64))
#endif

#if WEIR_HAS_CLUSTER
OPERATION(dsmem_load_rlx, weir_dsmem_load_rlx(weir_dsmem(w, a, 0)))
OPERATION(dsmem_load_acq, weir_dsmem_load_acq(weir_dsmem(w, a, 0)))
OPERATION(dsmem_store_rlx, weir_dsmem_store_rlx(weir_dsmem(w, a, 1), b))
OPERATION(dsmem_remote_store_rlx, weir_dsmem_remote_store_rlx(weir_dsmem_remote(w, a, 1, b), a))
OPERATION(dsmem_remote_store_rel, weir_dsmem_remote_store_rel(weir_dsmem_remote(w, a, 1, b), a))
#endif

#define OPERATION64(name, call)                                                                    \
	KERNEL(machine_##name, (weir_word64 * w, uint64_t a, uint64_t b), UNUSED(a, b); (void)call)

OPERATION64(load64_rlx, weir_load64_rlx(w))
OPERATION64(load64_acq, weir_load64_acq(w))
OPERATION64(store64_rlx, weir_store64_rlx(w, a))
OPERATION64(store64_rel, weir_store64_rel(w, a))
OPERATION64(red_add64_rlx, weir_red_add64_rlx(w, a))
OPERATION64(red_add64_rel, weir_red_add64_rel(w, a))
OPERATION64(add64_rlx, weir_add64_rlx(w, a))
OPERATION64(add64_acq, weir_add64_acq(w, a))
OPERATION64(add64_rel, weir_add64_rel(w, a))
OPERATION64(add64_acq_rel, weir_add64_acq_rel(w, a))
OPERATION64(cas64_rlx, weir_cas64_rlx(w, a, b))
OPERATION64(cas64_acq, weir_cas64_acq(w, a, b))
OPERATION64(cas64_rel, weir_cas64_rel(w, a, b))
OPERATION64(cas64_acq_rel, weir_cas64_acq_rel(w, a, b))

#define ON(object, name, call) KERNEL(name, (weir_##object o), call(o))
#define ON_N(name, call) KERNEL(name, (weir_semaphore s, uint32_t n), call(s, n))
#define ON_EVENT(name, call)                                                                       \
	KERNEL(name, (weir_event_array a, uint32_t n), weir_event e = weir_event_at(a, 1);         \
	       UNUSED(n, e); call)

typedef struct orders_item {
	uint32_t words[2];
} orders_item;

#define ON_QUEUE(name, call)                                                                       \
	KERNEL(name, (weir_queue q, orders_item item, uint32_t a, uint32_t b), UNUSED(a, b);       \
	       (void)item; call)

#ifdef FIXED_MUTEX
#define PASTE_(a, b, c) a##b##c
#define PASTE(a, b, c) PASTE_(a, b, c)
ON(barrier, PASTE(barrier_, FIXED_BARRIER, _wait), weir_barrier_wait)
ON(mutex, PASTE(mutex_, FIXED_MUTEX, _lock), weir_mutex_lock)
ON(mutex, PASTE(mutex_, FIXED_MUTEX, _unlock), weir_mutex_unlock)
ON(semaphore, PASTE(semaphore_, FIXED_SEMAPHORE, _wait), weir_semaphore_wait)
ON(semaphore, PASTE(semaphore_, FIXED_SEMAPHORE, _post), weir_semaphore_post)
ON_N(PASTE(semaphore_, FIXED_SEMAPHORE, _wait_n), weir_semaphore_wait_n)
ON_N(PASTE(semaphore_, FIXED_SEMAPHORE, _post_n), weir_semaphore_post_n)
ON(mutex, PASTE(mutex_, FIXED_MUTEX, _block_lock), weir_mutex_block_lock)
ON(mutex, PASTE(mutex_, FIXED_MUTEX, _block_unlock), weir_mutex_block_unlock)
ON(semaphore, PASTE(semaphore_, FIXED_SEMAPHORE, _block_wait), weir_semaphore_block_wait)
ON(semaphore, PASTE(semaphore_, FIXED_SEMAPHORE, _block_post), weir_semaphore_block_post)
ON_EVENT(event_word_signal, weir_event_signal(e, n))
ON_EVENT(event_word_post, weir_event_post(e, n))
ON_EVENT(event_word_await, weir_event_wait(e, n))
ON_EVENT(event_word_reached, weir_event_reached(e, n))
ON_EVENT(event_word_block_post, weir_event_block_post(e, n))
ON_EVENT(event_word_block_wait, weir_event_block_wait(e, n))
ON_EVENT(event_word_block_signal, weir_event_block_signal(e, n))
#else
#define ROW(name, ...) ON(barrier, barrier_##name##_wait, weir_##name##_barrier)
WEIR_BARRIER_KINDS(ROW)
#undef ROW
#define ROW(name, ...)                                                                             \
	ON(mutex, mutex_##name##_lock, weir_##name##_lock)                                         \
	ON(mutex, mutex_##name##_try_lock, weir_##name##_try_lock)                                 \
	ON(mutex, mutex_##name##_unlock, weir_##name##_unlock)
WEIR_MUTEX_KINDS(ROW)
#undef ROW
#define ROW(name, ...)                                                                             \
	ON(semaphore, semaphore_##name##_wait, weir_##name##_wait)                                 \
	ON(semaphore, semaphore_##name##_post, weir_##name##_post)                                 \
	ON_N(semaphore_##name##_wait_n, weir_##name##_wait_n)                                      \
	ON_N(semaphore_##name##_try_wait_n, weir_##name##_try_wait_n)                              \
	ON_N(semaphore_##name##_post_n, weir_##name##_post_n)
WEIR_SEMAPHORE_KINDS(ROW)
#undef ROW

#define ROW(name, ...)                                                                             \
	ON_EVENT(event_##name##_post, weir_##name##_post(e, n))                                    \
	ON_EVENT(event_##name##_await, weir_##name##_await(e, n))                                  \
	ON_EVENT(event_##name##_look, (weir_##name##_count(e), weir_##name##_acquire(e)))
WEIR_EVENT_KINDS(ROW)
#undef ROW
/* A signal at an event of kind shards is a fault. */
ON_EVENT(event_word_signal, weir_word_signal(e, n))
ON_EVENT(event_copies_signal, weir_copies_signal(e, n))
ON_EVENT(event_word_reached,
         weir_event_is_past_(weir_word_count(e), n) ? weir_word_acquire(e) : (void)0)
ON_EVENT(event_post_bulk, (weir_bulk_wait(), weir_word_post(e, n)))
ON_EVENT(event_shards_await_first, weir_shards_await_first(e, n, weir_thread_id(), 32))
ON_EVENT(event_leave, ((void)e, (void)n, weir_event_array_leave(a)))

/* Like weir_queue_push_item and weir_queue_pop_item, but without the end of the queue. */
#define ROW(name, NAME, value, items, ...)                                                         \
	static __device__ void push_##name(weir_queue q, const uint32_t *item)                     \
	{                                                                                          \
		weir_wait wait = weir_wait_begin(q.config.backoff);                                \
		weir_##name##_before_put(q);                                                       \
		uint32_t at = weir_##name##_take(q, weir_queue_tail_(q), 1);                       \
		while (weir_queue_past_(weir_##name##_look_free(q, at), weir_queue_turn_(q, at)))  \
			weir_wait_again(&wait);                                                    \
		weir_##name##_found_free(q);                                                       \
		weir_##name##_put(q, at, item, (items) == WEIR_ITEMS_OF_A_WORD ? 1 : 2);           \
	}                                                                                          \
	static __device__ void pop_##name(weir_queue q, uint32_t *item)                            \
	{                                                                                          \
		weir_wait wait = weir_wait_begin(q.config.backoff);                                \
		uint32_t at = weir_##name##_take(q, weir_queue_head_(q), 1);                       \
		uint64_t seen;                                                                     \
		while (weir_queue_past_(seen = weir_##name##_look_full(q, at),                     \
		                        weir_queue_turn_(q, at) + 1))                              \
			weir_wait_again(&wait);                                                    \
		weir_poll_acquire();                                                               \
		weir_##name##_get(q, at, seen, item, (items) == WEIR_ITEMS_OF_A_WORD ? 1 : 2);     \
	}                                                                                          \
	ON_QUEUE(queue_##name##_push, push_##name(q, item.words))                                  \
	ON_QUEUE(queue_##name##_pop, pop_##name(q, item.words))                                    \
	ON_QUEUE(queue_##name##_claim, weir_##name##_claim(q, weir_queue_head_(q), a, b))
WEIR_QUEUE_KINDS(ROW)
#undef ROW

/* The operations with the default kind: a constant kind and size leave no check that traps. */
#define ON_CELLS(name, call)                                                                       \
	ON_QUEUE(name, {                                                                           \
		q.config.kind = WEIR_QUEUE_CELLS;                                                  \
		q.config.words = 1;                                                                \
		q.config.bits = 5;                                                                 \
		call;                                                                              \
	})
ON_CELLS(queue_ended_push, weir_queue_push(q, a))
ON_CELLS(queue_ended_pop, weir_queue_pop(q, item.words))
ON_CELLS(queue_try_push, weir_queue_try_push(q, a))
ON_CELLS(queue_try_pop, weir_queue_try_pop(q, item.words))
ON_CELLS(queue_close, weir_queue_close(q))
ON_CELLS(queue_leave, weir_queue_leave(q))
#if WEIR_HAS_TEAMS
ON_CELLS(queue_block_push_n, weir_queue_block_push_n(q, 32, item.words, 1))
ON_CELLS(queue_block_pop_n, weir_queue_block_pop_n(q, 32, item.words, 1))
#endif

KERNEL(dispenser_take, (weir_dispenser d), weir_dispenser_take_(d, 1))
KERNEL(tasks_count_down, (weir_tasks t, uint32_t task), uint32_t level; weir_release_begin();
       weir_tasks_count_down_(t, task, &level))
KERNEL(tasks_end_one, (weir_tasks t), t.config.classes = 1; weir_tasks_end_one_(t))

/* A push where a slot holds one task per run, and the steps of a block that becomes idle. */
KERNEL(tasks_push, (weir_tasks t, uint32_t task), t.config.room = 0; weir_tasks_push_(t, task, 0))
KERNEL(tasks_count_idle, (weir_tasks t), t.config.classes = 1; weir_tasks_count_idle_(t))
KERNEL(tasks_wake, (weir_tasks t), weir_tasks_wake_(t))
KERNEL(tasks_claim, (weir_tasks t), weir_tasks_claim_(t))
KERNEL(tasks_leave, (weir_tasks t), weir_tasks_leave_(t))

ON(condition, condition_signal, weir_condition_signal)
ON(condition, condition_broadcast, weir_condition_broadcast)
KERNEL(condition_wait, (weir_condition c, weir_mutex m), m.config.kind = WEIR_MUTEX_SPIN;
       weir_condition_wait(c, m))
KERNEL(condition_give_up, (weir_condition c, uint32_t ticket),
       weir_condition_give_up_(c, ticket, 1))

ON(rwlock, rwlock_read_lock, weir_rwlock_read_lock)
ON(rwlock, rwlock_read_unlock, weir_rwlock_read_unlock)
ON(rwlock, rwlock_write_lock, weir_rwlock_write_lock)
ON(rwlock, rwlock_write_unlock, weir_rwlock_write_unlock)
ON(rwlock, rwlock_downgrade, weir_rwlock_downgrade)
ON(rwlock, rwlock_try_read_lock, weir_rwlock_try_read_lock)
ON(rwlock, rwlock_try_write_lock, weir_rwlock_try_write_lock)
ON(rwlock, rwlock_block_write_lock, weir_rwlock_block_write_lock)

ON(once, once_begin, weir_once_begin)
ON(once, once_end, weir_once_end)
ON(once, once_is_done, weir_once_is_done)

/* The steps of a barrier of ranks, without a table of addresses, which is plain memory. */
#define ON_CREW(name, step)                                                                        \
	extern "C" __global__ void crew_##name(weir_crew c, weir_crew_token t)                     \
	{                                                                                          \
		(void)t;                                                                           \
		c.table = 0;                                                                       \
		step;                                                                              \
	}
ON_CREW(send, weir_crew_send_(c, &t))
ON_CREW(finish, weir_crew_finish_(c, &t))
ON_CREW(abort, weir_crew_abort(c))

/* The steps of a call, of two words. */
#define ON_COMBINE(name, step)                                                                     \
	KERNEL(combine_##name, (weir_combiner c, weir_combiner_call call), (void)call;             \
	       c.config.words = 2; step)
ON_COMBINE(publish, call = weir_combiner_publish_words(c, call.result, 2))
ON_COMBINE(is_answered, weir_combiner_is_answered_(c, &call))
ON_COMBINE(try, weir_combiner_try_(c))
ON_COMBINE(find, weir_combiner_find_(c, &call))
ON_COMBINE(give, weir_combiner_give_(c, &call))
ON_COMBINE(release, weir_combiner_release(c, &call))
ON_COMBINE(serve, weir_combiner_serve(c, &call))
ON_COMBINE(goes_on, weir_combiner_serve_next(c, &call))
ON_COMBINE(give_up, weir_combiner_give_up_(c))
#endif
