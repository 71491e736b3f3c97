/* What the kernels with locks lock with. The build chooses it, as it chooses REAL_MEET:
 *
 *   (nothing)      weir's; the kind comes with the handle, or from WEIR_MUTEX_KIND and
 *                  WEIR_SEMAPHORE_KIND
 *   REAL_LIBCU     binary_semaphore and counting_semaphore of libcu++, on CUDA. Zeros are not a
 *                  valid state: a kernel libcu_locks_start or libcu_semaphore_start initializes the
 *                  words first.
 *   REAL_HAND      correct locks as people write them by hand, on CUDA. They start as
 *                  zeros.
 *   REAL_LEFT_OUT  none, to test that the checks of results notice it
 *
 * libcu++ and REAL_HAND use a word for each lock. They use two for the semaphore, at a multiple of
 * 8 bytes.
 *
 *   REAL_LOCKS(words, params)      declares an array of locks, for REAL_LOCK(i) and REAL_UNLOCK(i).
 *   REAL_MUTEX(words, params)      declares one, for REAL_MUTEX_LOCK() and REAL_MUTEX_UNLOCK().
 *   REAL_SEMAPHORE(words, params)  declares a semaphore, for REAL_WAIT() and REAL_POST().
 *   REAL_INSIDE()                  marks where a thread would do harm without the lock. It does
 *                                  nothing, except in REAL_LEFT_OUT: there it lets others run.
 *
 * One thread calls these for itself or, with a weir_block_sync beside it, for its block. */
#ifndef WEIR_REAL_LOCKS_H
#define WEIR_REAL_LOCKS_H

#include "real.h"

#if defined(REAL_LIBCU)

#include <cuda/semaphore>
#include <new>

typedef cuda::binary_semaphore<cuda::thread_scope_device> real_libcu_lock;
typedef cuda::counting_semaphore<cuda::thread_scope_device> real_libcu_semaphore;
static_assert(sizeof(real_libcu_lock) == sizeof(weir_word), "a word for each lock");
static_assert(sizeof(real_libcu_semaphore) == 2 * sizeof(weir_word), "two words for a semaphore");

#define REAL_LOCKS(words, params) real_libcu_lock *real_locks_ = (real_libcu_lock *)(words)
#define REAL_LOCK(i) real_locks_[i].acquire()
#define REAL_UNLOCK(i) real_locks_[i].release()
#define REAL_MUTEX(words, params) REAL_LOCKS(words, params)
#define REAL_MUTEX_LOCK() REAL_LOCK(0)
#define REAL_MUTEX_UNLOCK() REAL_UNLOCK(0)
#define REAL_SEMAPHORE(words, params)                                                              \
	real_libcu_semaphore *real_semaphore_ = (real_libcu_semaphore *)(words)
#define REAL_WAIT() real_semaphore_->acquire()
#define REAL_POST() real_semaphore_->release()
#define REAL_INSIDE() ((void)0)

/* Initializes params.part free locks. */
WEIR_KERNEL(libcu_locks_start, real_params)
{
	(void)data;
	for (uint32_t i = real_thread(); i < params.part; i += real_threads())
		new (words + i) real_libcu_lock(1);
}

/* Initializes a semaphore with all slots free. One thread runs it. */
WEIR_KERNEL(libcu_semaphore_start, real_params)
{
	(void)data;
	new (words) real_libcu_semaphore(params.config.semaphore.maximum);
}

#elif defined(REAL_HAND)

#define REAL_LOCKS(words, params) unsigned int *real_locks_ = (unsigned int *)(words)
#define REAL_LOCK(i) real_hand_lock_(&real_locks_[i])
#define REAL_UNLOCK(i) real_hand_unlock_(&real_locks_[i])
#define REAL_MUTEX(words, params) REAL_LOCKS(words, params)
#define REAL_MUTEX_LOCK() REAL_LOCK(0)
#define REAL_MUTEX_UNLOCK() REAL_UNLOCK(0)
#define REAL_SEMAPHORE(words, params)                                                              \
	unsigned int *real_taken_ = (unsigned int *)(words);                                       \
	unsigned int real_maximum_ = (params).config.semaphore.maximum
#define REAL_WAIT() real_hand_wait_(real_taken_, real_maximum_)
#define REAL_POST() real_hand_post_(real_taken_)
#define REAL_INSIDE() ((void)0)

/* (held): 0 -> 1 */
WEIR_FN void real_hand_lock_(unsigned int *held)
{
	while (atomicCAS(held, 0u, 1u) != 0)
		;
	__threadfence();
}

/* (held): 1 -> 0 */
WEIR_FN void real_hand_unlock_(unsigned int *held)
{
	__threadfence();
	atomicExch(held, 0u);
}

/* (taken): n -> n+1, once n is below the maximum */
WEIR_FN void real_hand_wait_(unsigned int *taken, unsigned int maximum)
{
	for (;;) {
		unsigned int found = *(volatile unsigned int *)taken;
		if (found < maximum && atomicCAS(taken, found, found + 1) == found)
			break;
	}
	__threadfence();
}

/* (taken): n -> n-1 */
WEIR_FN void real_hand_post_(unsigned int *taken)
{
	__threadfence();
	atomicSub(taken, 1u);
}

#elif defined(REAL_LEFT_OUT)

#define REAL_LOCKS(words, params) ((void)(words))
#define REAL_LOCK(i) ((void)0)
#define REAL_UNLOCK(i) ((void)0)
#define REAL_MUTEX(words, params) ((void)(words))
#define REAL_MUTEX_LOCK() ((void)0)
#define REAL_MUTEX_UNLOCK() ((void)0)
#define REAL_SEMAPHORE(words, params) ((void)(words))
#define REAL_WAIT() ((void)0)
#define REAL_POST() ((void)0)
#define REAL_INSIDE() weir_pause(1)

#else

#define REAL_LOCKS(words, params)                                                                  \
	KERNEL_HANDLE(weir_mutex_array, real_locks_, words, (params).config.mutex_array)
#define REAL_LOCK(i) weir_mutex_lock(weir_mutex_at(real_locks_, i))
#define REAL_UNLOCK(i) weir_mutex_unlock(weir_mutex_at(real_locks_, i))
#define REAL_MUTEX(words, params)                                                                  \
	KERNEL_HANDLE(weir_mutex, real_mutex_, words, (params).config.mutex)
#define REAL_MUTEX_LOCK() weir_mutex_lock(real_mutex_)
#define REAL_MUTEX_UNLOCK() weir_mutex_unlock(real_mutex_)
#define REAL_SEMAPHORE(words, params)                                                              \
	KERNEL_HANDLE(weir_semaphore, real_semaphore_, words, (params).config.semaphore)
#define REAL_WAIT() weir_semaphore_wait(real_semaphore_)
#define REAL_POST() weir_semaphore_post(real_semaphore_)
#define REAL_INSIDE() ((void)0)

#endif

/* Memory that one block at a time owns. The tag in its contents identifies the writer: word i is
 * tag * REAL_TAG + i. */
#define REAL_TAG 0x9e3779b9u

/* All threads of the block write. */
WEIR_FN void real_write(WEIR_GLOBAL uint32_t *area, uint32_t count, uint32_t tag)
{
	for (uint32_t i = weir_thread_id(); i < count; i += weir_thread_count())
		area[i] = tag * REAL_TAG + i;
}

/* All threads of the block compare. Each returns whether a word that it read differs. It reads from
 * the end, so that other threads have written its words. */
WEIR_FN int real_differs(WEIR_GLOBAL const uint32_t *area, uint32_t count, uint32_t tag)
{
	int differs = 0;

	for (uint32_t i = weir_thread_id(); i < count; i += weir_thread_count()) {
		uint32_t at = count - 1 - i;
		differs |= area[at] != tag * REAL_TAG + at;
	}
	return differs;
}

#endif
