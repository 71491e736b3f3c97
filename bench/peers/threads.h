/* The peers on the host machine: the primitives of pthreads, with the loops of kernels/. */
#ifndef WEIR_BENCH_PEERS_THREADS_H
#define WEIR_BENCH_PEERS_THREADS_H

#include <pthread.h>
#include <string.h>

#include "kernels/bench_locks.h"
#include "kernels/bench_loop.h"
#include "kernels/bench_queues.h"
#include "kernels/kernel.h"

/* ---- a mutex, and one that serves in the order of arrival ---- */

#define THREADS_MUTEX pthread_mutex_t *m = (pthread_mutex_t *)words

WEIR_KERNEL(pthread_mutex_start, bench_params)
{
	(void)data, (void)params;
	pthread_mutex_init((pthread_mutex_t *)words, NULL);
}

MUTEX_LOOP(pthread_mutex, THREADS_MUTEX, pthread_mutex_lock, pthread_mutex_unlock)

/* Pthreads have no fair mutex. This is a ticket mutex as one would write it with them: a condition
 * for each place in the queue, so that an unlock wakes only the thread whose turn it is. */
#define TURNSTILE_PLACES 64 /* more threads share conditions */

typedef struct turnstile {
	pthread_mutex_t mutex;
	uint32_t next;
	uint32_t turn;
	pthread_cond_t places[TURNSTILE_PLACES];
} turnstile;

static void turnstile_lock(turnstile *t)
{
	pthread_mutex_lock(&t->mutex);
	uint32_t mine = t->next++;
	while (t->turn != mine)
		pthread_cond_wait(&t->places[mine % TURNSTILE_PLACES], &t->mutex);
	pthread_mutex_unlock(&t->mutex);
}

static void turnstile_unlock(turnstile *t)
{
	pthread_mutex_lock(&t->mutex);
	uint32_t turn = ++t->turn;
	int is_awaited = turn != t->next;
	pthread_mutex_unlock(&t->mutex);
	if (is_awaited)
		pthread_cond_broadcast(&t->places[turn % TURNSTILE_PLACES]);
}

static void turnstile_make(turnstile *t)
{
	memset(t, 0, sizeof *t);
	pthread_mutex_init(&t->mutex, NULL);
	for (int i = 0; i < TURNSTILE_PLACES; i++)
		pthread_cond_init(&t->places[i], NULL);
}

WEIR_KERNEL(turnstile_start, bench_params)
{
	(void)data, (void)params;
	turnstile_make((turnstile *)words);
}

MUTEX_LOOP(turnstile_mutex, turnstile *m = (turnstile *)words, turnstile_lock, turnstile_unlock)

/* ---- a barrier ---- */

WEIR_KERNEL(pthread_barrier_start, bench_params)
{
	(void)data;
	pthread_barrier_init((pthread_barrier_t *)words, NULL, params.config.barrier.blocks);
}

/* Blocks of several threads sync before and after, as with weir's barrier. */
static void pthread_barrier_pass(pthread_barrier_t *b)
{
	weir_block_sync();
	if (weir_thread_id() == 0)
		pthread_barrier_wait(b);
	weir_block_sync();
}

BARRIER_LOOP(pthread_barrier, pthread_barrier_t *b = (pthread_barrier_t *)words, bench_idle,
             pthread_barrier_pass)
BARRIER_LOOP(pthread_barrier_busy, pthread_barrier_t *b = (pthread_barrier_t *)words, bench_busy,
             pthread_barrier_pass)

/* ---- a reader-writer lock ---- */

WEIR_KERNEL(pthread_rwlock_start, bench_params)
{
	(void)data, (void)params;
	pthread_rwlock_init((pthread_rwlock_t *)words, NULL);
}

RWLOCK_BENCH(threads_rwlock, pthread_rwlock_t *, pthread_rwlock_rdlock, pthread_rwlock_unlock,
             pthread_rwlock_wrlock, pthread_rwlock_unlock)

WEIR_KERNEL(pthread_rwlock_mixed, bench_params)
{
	threads_rwlock_mixed((pthread_rwlock_t *)words, data, params);
}

WEIR_KERNEL(pthread_rwlock_writer, bench_params)
{
	threads_rwlock_writer((pthread_rwlock_t *)words, data, params);
}

/* A fair one: readers and writers enter by the tickets above. A writer keeps its turn. */
typedef struct turnstile_rwlock {
	turnstile entry;
	pthread_mutex_t mutex;
	pthread_cond_t drained;
	uint32_t readers;
} turnstile_rwlock;

static void turnstile_read_lock(turnstile_rwlock *l)
{
	turnstile_lock(&l->entry);
	pthread_mutex_lock(&l->mutex);
	l->readers++;
	pthread_mutex_unlock(&l->mutex);
	turnstile_unlock(&l->entry);
}

static void turnstile_read_unlock(turnstile_rwlock *l)
{
	pthread_mutex_lock(&l->mutex);
	if (--l->readers == 0)
		pthread_cond_signal(&l->drained);
	pthread_mutex_unlock(&l->mutex);
}

static void turnstile_write_lock(turnstile_rwlock *l)
{
	turnstile_lock(&l->entry);
	pthread_mutex_lock(&l->mutex);
	while (l->readers)
		pthread_cond_wait(&l->drained, &l->mutex);
	pthread_mutex_unlock(&l->mutex);
}

static void turnstile_write_unlock(turnstile_rwlock *l)
{
	turnstile_unlock(&l->entry);
}

WEIR_KERNEL(turnstile_rwlock_start, bench_params)
{
	turnstile_rwlock *l = (turnstile_rwlock *)words;

	(void)data, (void)params;
	turnstile_make(&l->entry);
	pthread_mutex_init(&l->mutex, NULL);
	pthread_cond_init(&l->drained, NULL);
	l->readers = 0;
}

RWLOCK_BENCH(turnstile_rw, turnstile_rwlock *, turnstile_read_lock, turnstile_read_unlock,
             turnstile_write_lock, turnstile_write_unlock)

WEIR_KERNEL(turnstile_rwlock_mixed, bench_params)
{
	turnstile_rw_mixed((turnstile_rwlock *)words, data, params);
}

WEIR_KERNEL(turnstile_rwlock_writer, bench_params)
{
	turnstile_rw_writer((turnstile_rwlock *)words, data, params);
}

/* ---- a ring of items under a mutex, with a condition for each side ---- */

typedef struct threads_ring {
	pthread_mutex_t mutex;
	pthread_cond_t filled;
	pthread_cond_t freed;
	uint32_t pushed;
	uint32_t popped;
	uint32_t ended; /* users whose pushes have ended */
	uint32_t items[];
} threads_ring;

WEIR_KERNEL(threads_ring_start, bench_params)
{
	threads_ring *r = (threads_ring *)words;

	(void)data, (void)params;
	memset(r, 0, sizeof *r);
	pthread_mutex_init(&r->mutex, NULL);
	pthread_cond_init(&r->filled, NULL);
	pthread_cond_init(&r->freed, NULL);
}

static void threads_ring_push(threads_ring *r, uint32_t item, bench_params params)
{
	uint32_t slots = 1u << params.config.queue.bits;

	pthread_mutex_lock(&r->mutex);
	while (r->pushed - r->popped == slots)
		pthread_cond_wait(&r->freed, &r->mutex);
	r->items[r->pushed++ & (slots - 1)] = item;
	pthread_mutex_unlock(&r->mutex);
	pthread_cond_signal(&r->filled);
}

/* Returns 0 when the ring is empty and all users that push have ended. */
static int threads_ring_pop(threads_ring *r, uint32_t *item, bench_params params)
{
	uint32_t slots = 1u << params.config.queue.bits;
	int has;

	pthread_mutex_lock(&r->mutex);
	while (r->pushed == r->popped && r->ended != params.ring * params.users)
		pthread_cond_wait(&r->filled, &r->mutex);
	has = r->pushed != r->popped;
	if (has)
		*item = r->items[r->popped++ & (slots - 1)];
	pthread_mutex_unlock(&r->mutex);
	pthread_cond_signal(&r->freed);
	return has;
}

static void threads_ring_end(threads_ring *r)
{
	pthread_mutex_lock(&r->mutex);
	r->ended++;
	pthread_mutex_unlock(&r->mutex);
	pthread_cond_broadcast(&r->filled);
}

/* The loop of bench_queue_pairs. */
WEIR_KERNEL(threads_ring_pairs, bench_params)
{
	threads_ring *r = (threads_ring *)words;
	uint32_t next = bench_user(params);
	uint32_t done = 0;
	uint32_t sum = 0;

	bench_meet(data, params);
	if (weir_thread_id() >= params.users)
		return;
	uint64_t begin = bench_now();
	while (done < params.rounds) {
		uint32_t value = 0;
		threads_ring_push(r, next, params);
		threads_ring_pop(r, &value, params);
		next += bench_users(params);
		sum += value;
		done++;
		if (bench_looks(done) && bench_expired(begin, params))
			break;
	}
	bench_tell(data, params, done, done, sum);
	if (weir_thread_id() == 0)
		bench_leave(data, done, begin);
}

/* The loop of bench_queue_apart. */
WEIR_KERNEL(threads_ring_apart, bench_params)
{
	threads_ring *r = (threads_ring *)words;
	int pushes = weir_block_id() < params.ring;
	uint32_t next = bench_user(params);
	uint32_t value = 0;
	uint32_t done = 0;
	uint32_t sum = 0;

	bench_meet(data, params);
	if (weir_thread_id() >= params.users)
		return;
	uint64_t begin = bench_now();
	while (pushes && done < params.rounds) {
		threads_ring_push(r, next, params);
		next += bench_users(params);
		done++;
		if (bench_looks(done) && bench_expired(begin, params))
			break;
	}
	if (pushes)
		threads_ring_end(r);
	while (!pushes && threads_ring_pop(r, &value, params)) {
		sum += value;
		done++;
	}
	bench_tell(data, params, pushes ? done : 0, pushes ? 0 : done, sum);
	if (weir_thread_id() == 0)
		bench_leave(data, done, begin);
}

#endif
