/* The peers of reader-writer locks, conditions, onces and combiners: weir's mutex, weir's
 * semaphores, and hand-written code. They use the loops of kernels/bench_locks.h. */
#ifndef WEIR_BENCH_PEERS_LOCKS_H
#define WEIR_BENCH_PEERS_LOCKS_H

#include <cuda/atomic>
#include <cuda/semaphore>

#include "kernels/bench_locks.h"
#include "kernels/bench_loop.h"
#include "kernels/kernel.h"

/* The layout of the objects. */
#define PEER_LOCK_MUTEX 0
#define PEER_LOCK_FREE WEIR_MUTEX_WORDS
#define PEER_LOCK_FULL (PEER_LOCK_FREE + WEIR_SEMAPHORE_WORDS)
#define PEER_LOCK_WORDS (PEER_LOCK_FULL + WEIR_SEMAPHORE_WORDS)

static __device__ void zero_locks(weir_word *words)
{
	for (uint32_t i = weir_thread_id(); i < PEER_LOCK_WORDS; i += weir_thread_count())
		weir_store_rlx(&words[i], 0); /* relaxed: another launch follows */
}

WEIR_KERNEL(locks_start, bench_params)
{
	zero_locks(words);
}

/* A reader-writer lock in one word, as people write it.
 *
 *   state   (w, readers): the top bit, and the others
 *   read    (w, r) -> (w, r+1); if w is set, -> (w, r), and tries again when it is clear
 *   write   (0, 0) -> (1, 0) by compare-and-swap
 *
 * Two atomics for a read without a writer. Writers starve while readers keep arriving. */
struct word_lock {
	unsigned int *word;

	static constexpr unsigned int WRITER = 0x80000000u;

	__device__ void read_lock()
	{
		while (atomicAdd(word, 1) & WRITER) {
			atomicSub(word, 1);
			while (*(volatile unsigned int *)word & WRITER)
				;
		}
		__threadfence();
	}
	__device__ void read_unlock()
	{
		__threadfence();
		atomicSub(word, 1);
	}
	__device__ void write_lock()
	{
		while (atomicCAS(word, 0, WRITER) != 0)
			while (*(volatile unsigned int *)word != 0)
				;
		__threadfence();
	}
	/* Readers may have added themselves to the word for a moment. */
	__device__ void write_unlock()
	{
		__threadfence();
		atomicSub(word, WRITER);
	}
};

#define WORD_READ_LOCK(l) (l).read_lock()
#define WORD_READ_UNLOCK(l) (l).read_unlock()
#define WORD_WRITE_LOCK(l) (l).write_lock()
#define WORD_WRITE_UNLOCK(l) (l).write_unlock()

RWLOCK_BENCH(peer_word, word_lock, WORD_READ_LOCK, WORD_READ_UNLOCK, WORD_WRITE_LOCK,
             WORD_WRITE_UNLOCK)
RWLOCK_BENCH(peer_mutex, weir_mutex, weir_mutex_lock, weir_mutex_unlock, weir_mutex_lock,
             weir_mutex_unlock)

WEIR_KERNEL(rw_word_mixed, bench_params)
{
	peer_word_mixed({reinterpret_cast<unsigned int *>(words)}, data, params);
}

WEIR_KERNEL(rw_word_writer, bench_params)
{
	peer_word_writer({reinterpret_cast<unsigned int *>(words)}, data, params);
}

WEIR_KERNEL(rw_mutex_mixed, bench_params)
{
	peer_mutex_mixed(weir_mutex_in(words), data, params);
}

WEIR_KERNEL(rw_mutex_writer, bench_params)
{
	peer_mutex_writer(weir_mutex_in(words), data, params);
}

/* Replaces a condition: unlocks and locks until the predicate holds. */
struct no_condition {
};

#define POLL_UNTIL(c, m, predicate)                                                                \
	do {                                                                                       \
		while (!(predicate)) {                                                             \
			weir_mutex_unlock(m);                                                      \
			weir_mutex_lock(m);                                                        \
		}                                                                                  \
	} while (0)
#define NO_SIGNAL(c) ((void)0)

CONDITION_BENCH(peer_poll, no_condition, POLL_UNTIL, NO_SIGNAL, NO_SIGNAL)

WEIR_KERNEL(poll_buffer, bench_params)
{
	peer_poll_buffer({}, {}, weir_mutex_in(words), data, params);
}

WEIR_KERNEL(poll_broadcast, bench_params)
{
	peer_poll_broadcast({}, weir_mutex_in(words), data, params);
}

/* A buffer with a mutex and two semaphores, which count the free and the full places. */
struct semaphore_buffer {
	weir_mutex mutex;
	weir_semaphore free;
	weir_semaphore full;
	uint32_t *section;

	__device__ semaphore_buffer(weir_word *words, uint32_t *section)
	    : mutex(weir_mutex_in(words + PEER_LOCK_MUTEX)),
	      free(weir_semaphore_in(words + PEER_LOCK_FREE, BENCH_ITEMS)),
	      /* One more, for the end. */
	      full(weir_semaphore_in(words + PEER_LOCK_FULL, BENCH_ITEMS + 1)), section(section)
	{
	}
	__device__ void put(uint32_t item)
	{
		weir_semaphore_wait(free);
		weir_mutex_lock(mutex);
		section[BENCH_ITEM + section[BENCH_PUT]++ % BENCH_ITEMS] = item;
		weir_mutex_unlock(mutex);
		weir_semaphore_post(full);
	}
	/* The last producer posts once more. */
	__device__ void end(uint32_t ended)
	{
		weir_mutex_lock(mutex);
		bool is_last = ++section[BENCH_ENDED] == ended;
		weir_mutex_unlock(mutex);
		if (is_last)
			weir_semaphore_post(full);
	}
	/* A block that finds the buffer empty passes the end on. */
	__device__ bool take(uint32_t *sum)
	{
		weir_semaphore_wait(full);
		weir_mutex_lock(mutex);
		bool has = section[BENCH_PUT] != section[BENCH_TAKEN];
		if (has)
			*sum += section[BENCH_ITEM + section[BENCH_TAKEN]++ % BENCH_ITEMS];
		weir_mutex_unlock(mutex);
		weir_semaphore_post(has ? free : full);
		return has;
	}
};

WEIR_KERNEL(semaphores_start, bench_params)
{
	zero_locks(words);
	weir_block_sync();
	if (weir_thread_id() == 0)
		weir_semaphore_start(semaphore_buffer(words, data).full, 0, 0);
}

WEIR_KERNEL(semaphores_buffer, bench_params)
{
	semaphore_buffer buffer(words, bench_section(data));
	bool puts = weir_block_id() < params.ring;
	uint32_t next = bench_user(params);
	uint32_t done = 0;
	uint32_t sum = 0;

	if (weir_thread_id() != 0)
		return;
	uint64_t begin = bench_now();
	while (puts && done < params.rounds) {
		buffer.put(next);
		next += bench_users(params);
		done++;
		if (bench_looks(done) && bench_expired(begin, params))
			break;
	}
	while (!puts && buffer.take(&sum))
		done++;
	bench_tell(data, params, puts ? done : 0, puts ? 0 : done, sum);
	bench_leave(data, done, begin);
	if (puts)
		buffer.end((params.begin + 1) * params.ring);
}

/* A word that says whether the initialization is done, using libcu++. */
struct atomic_once {
	unsigned int *word;

	typedef cuda::atomic_ref<unsigned int, cuda::thread_scope_device> atomic;

	__device__ bool begin()
	{
		unsigned int found = atomic(*word).load(cuda::memory_order_acquire);
		if (found == 2)
			return false;
		if (found == 0 &&
		    atomic(*word).compare_exchange_strong(found, 1, cuda::memory_order_acquire))
			return true;
		while (atomic(*word).load(cuda::memory_order_acquire) != 2)
			;
		return false;
	}
	__device__ void end()
	{
		atomic(*word).store(2, cuda::memory_order_release);
	}
};

#define ATOMIC_BEGIN(o) (o).begin()
#define ATOMIC_END(o) (o).end()

ONCE_BENCH(peer_atomic, atomic_once, ATOMIC_BEGIN, ATOMIC_END)

WEIR_KERNEL(atomic_done, bench_params)
{
	peer_atomic_done({reinterpret_cast<unsigned int *>(words)}, data, params);
}

typedef cuda::binary_semaphore<cuda::thread_scope_device> section_lock;

#define LIBCU_LOCK(l) (l)->acquire()
#define LIBCU_UNLOCK(l) (l)->release()

SECTION_BENCH(peer_locked, weir_mutex, weir_mutex_lock, weir_mutex_unlock)
SECTION_BENCH(peer_libcu, section_lock *, LIBCU_LOCK, LIBCU_UNLOCK)

WEIR_KERNEL(mutex_section, bench_params)
{
	peer_locked_section(weir_mutex_in(words), data, params);
}

WEIR_KERNEL(libcu_section, bench_params)
{
	peer_libcu_section(reinterpret_cast<section_lock *>(words), data, params);
}

#endif
