/* The same kernel with a guard and with the calls written out; see same_ptx. */
#include "weir/weir.hpp"

#if defined(LOCK_BLOCK)
#define HANDLE weir_mutex
#define GUARD weir::scoped_block_lock
#define LOCK weir_mutex_block_lock
#define UNLOCK weir_mutex_block_unlock
#elif defined(READ_THREAD)
#define HANDLE weir_rwlock
#define GUARD weir::scoped_read_lock
#define LOCK weir_rwlock_read_lock
#define UNLOCK weir_rwlock_read_unlock
#elif defined(READ_BLOCK)
#define HANDLE weir_rwlock
#define GUARD weir::scoped_block_read_lock
#define LOCK weir_rwlock_block_read_lock
#define UNLOCK weir_rwlock_block_read_unlock
#elif defined(WRITE_THREAD)
#define HANDLE weir_rwlock
#define GUARD weir::scoped_write_lock
#define LOCK weir_rwlock_write_lock
#define UNLOCK weir_rwlock_write_unlock
#elif defined(WRITE_BLOCK)
#define HANDLE weir_rwlock
#define GUARD weir::scoped_block_write_lock
#define LOCK weir_rwlock_block_write_lock
#define UNLOCK weir_rwlock_block_write_unlock
#else
#define HANDLE weir_mutex
#define GUARD weir::scoped_lock
#define LOCK weir_mutex_lock
#define UNLOCK weir_mutex_unlock
#endif

extern "C" __global__ void add(HANDLE m, int *total, int n)
{
#if defined(WITH_GUARD)
	GUARD guard(m);
	*total += n;
#else
	LOCK(m);
	*total += n;
	UNLOCK(m);
#endif
}
