/* The same kernels with a guard and with the calls written out; see same_ptx. */
#include "weir/weir.hpp"

#if defined(WITH_GUARD)
#define LOCK(guard, lock) weir::guard held(l)
#define UNLOCK(unlock)
#else
#define LOCK(guard, lock) lock(l)
#define UNLOCK(unlock) unlock(l)
#endif

#define KERNEL(name, handle, guard, lock, unlock)                                                  \
	extern "C" __global__ void name(handle l, int *total, int n)                               \
	{                                                                                          \
		LOCK(guard, lock);                                                                 \
		*total += n;                                                                       \
		UNLOCK(unlock);                                                                    \
	}

KERNEL(lock_thread, weir_mutex, scoped_lock, weir_mutex_lock, weir_mutex_unlock)
KERNEL(lock_block, weir_mutex, scoped_block_lock, weir_mutex_block_lock, weir_mutex_block_unlock)
KERNEL(read_thread, weir_rwlock, scoped_read_lock, weir_rwlock_read_lock, weir_rwlock_read_unlock)
KERNEL(read_block, weir_rwlock, scoped_block_read_lock, weir_rwlock_block_read_lock,
       weir_rwlock_block_read_unlock)
KERNEL(write_thread, weir_rwlock, scoped_write_lock, weir_rwlock_write_lock,
       weir_rwlock_write_unlock)
KERNEL(write_block, weir_rwlock, scoped_block_write_lock, weir_rwlock_block_write_lock,
       weir_rwlock_block_write_unlock)
